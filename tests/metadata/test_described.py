"""The markup of the body speaks of the page where its head does not: microdata, RDFa, h-entry, hAtom."""

from __future__ import annotations

from typing import Any

import pytest
from tests.metadata.metadata_pages import HEADLINE, TEXT, TODAY, json_ld

from duramen.dom.page import Page
from duramen.metadata import Metadata

ADDRESS = "https://wood.example/articles/oaks"


def read(body: str, head: str = "", url: str | None = ADDRESS) -> Metadata:
    """The metadata of a page whose head says nothing, unless it is given."""
    return Metadata.read(Page.parse(f"<head>{head}</head><body>{body}", url), TODAY)


def told(found: Metadata, *fields: str) -> dict[str, tuple[Any, str]]:
    """Of the fields that a page gives, the value and the source."""
    names = fields or ("title", "description", "tags", "categories", "licence", "image", "canonical", "site")
    return {name: (how.value, how.source) for name in names if (how := found.how(name))}


MICRODATA = f"""<article itemscope itemtype="https://schema.org/NewsArticle"><h2 itemprop="headline">{HEADLINE}</h2>
<p itemprop="description">Of oaks.</p><span itemprop="keywords">oak, elm</span><b itemprop="articleSection">Trees</b>
<link itemprop="license" href="https://cc.example/by"><img itemprop="image" src="/oak.jpg">
<a itemprop="url" href="/articles/oaks">here</a>
<div itemprop="publisher" itemscope itemtype="https://schema.org/Organization"><img itemprop="image" src="/logo.png">
<b itemprop="name">The Forester</b></div>{TEXT}</article>"""
RDFA = f"""<article vocab="https://schema.org/" typeof="NewsArticle"><h2 property="headline">{HEADLINE}</h2>
<p property="description">Of oaks.</p><span property="keywords">oak</span><span property="keywords">elm</span>
<b property="articleSection">Trees</b><a property="license" href="https://cc.example/by">CC</a>
<img property="image" src="/oak.jpg"><link property="url" href="/articles/oaks">
<div property="publisher" typeof="Organization"><b property="name">The Forester</b></div>{TEXT}</article>"""
ALL = {
    "title": HEADLINE,
    "description": "Of oaks.",
    "tags": ("oak", "elm"),
    "categories": ("Trees",),
    "licence": "https://cc.example/by",
    "image": "https://wood.example/oak.jpg",
    "canonical": ADDRESS,
    "site": "The Forester",
}


@pytest.mark.parametrize(
    ("body", "source"),
    [
        (MICRODATA, "microdata"),
        (MICRODATA.replace("https://schema.org/News", "http://schema.org/News"), "microdata"),
        (RDFA, "rdfa"),
        (RDFA.replace('property="', 'property="schema:').replace('typeof="', 'typeof="schema:'), "rdfa"),
        (RDFA.replace('property="', 'property="http://schema.org/').replace("vocab", "data-vocab"), "rdfa"),
    ],
    ids=["microdata", "microdata over http", "rdfa", "rdfa with prefixes", "rdfa with whole addresses"],
)
def test_a_work_speaks_of_every_field(body: str, source: str) -> None:
    found = read(body)
    assert told(found) == {name: (value, source) for name, value in ALL.items()}
    assert told(found, "page_type") == {"page_type": ("article", source)}


@pytest.mark.parametrize(
    ("body", "source", "fields"),
    [
        (
            f'<div class="h-entry"><h2 class="p-name">{HEADLINE}</h2><p class="p-summary">Of oaks.</p>'
            '<a class="p-category" href="/t">oak</a> <a class="p-category" href="/u">elm</a>'
            '<a class="p-author h-card" href="/jane"><img class="u-photo" src="/jane.jpg">Jane Doe</a>'
            f'<img class="u-photo" src="/oak.jpg"><a class="u-url" href="/articles/oaks">here</a>{TEXT}</div>',
            "h-entry",
            ("title", "description", "tags", "image", "canonical"),
        ),
        (
            f'<div class="post hentry"><h2 class="entry-title"><a rel="bookmark" href="/articles/oaks">{HEADLINE}</a>'
            f'</h2><p class="entry-summary">Of oaks.</p>{TEXT}</div>',
            "hatom",
            ("title", "description", "canonical"),
        ),
    ],
    ids=["h-entry", "hatom"],
)
def test_an_entry_speaks_of_what_its_format_has_words_for(body: str, source: str, fields: tuple[str, ...]) -> None:
    found = read(body)
    assert told(found) == {name: (ALL[name], source) for name in fields}
    assert found.page_type == "article"


def test_dublin_core_in_rdfa_is_said_of_the_page() -> None:
    body = (
        f'<h2 property="dc:title">{HEADLINE}</h2><i property="dc:subject">oak</i><i property="dc:rights">CC BY 4.0</i>'
    )
    assert told(read(body + TEXT)) == {
        "title": (HEADLINE, "rdfa"),
        "tags": (("oak",), "rdfa"),
        "licence": ("CC BY 4.0", "rdfa"),
    }
    assert read(body + TEXT).page_type is None
    drupal = (
        f'<div about="/node/1" typeof="sioc:Item foaf:Document"><h2 property="dc:title">{HEADLINE}</h2>{TEXT}</div>'
    )
    assert told(read(drupal), "title", "page_type") == {"title": (HEADLINE, "rdfa"), "page_type": ("article", "rdfa")}


def test_what_is_said_of_something_else_is_not_said_of_the_page() -> None:
    assert told(read(f'<p about="/elms" property="dc:title">Of elms</p>{TEXT}')) == {}
    assert told(read(f'<p property="foaf:name">Jane Doe</p><p property="gr:name">Oil</p>{TEXT}')) == {}


@pytest.mark.parametrize("body", [MICRODATA, RDFA], ids=["microdata", "rdfa"])
def test_the_head_goes_before_the_body(body: str) -> None:
    head = (
        "<title>Elms</title><meta property=og:title content=Elms>"
        "<meta name=description content=Elms><meta name=keywords content=ash>"
        "<meta property=article:section content=Woods><meta property=og:image content=/elm.jpg>"
        "<meta property=og:site_name content=Elms><meta property=og:type content=website>"
        "<link rel=canonical href=/elms><link rel=license href=/terms>"
    )
    sources = {source for _, source in told(read(body, head), *ALL, "page_type").values()}
    assert sources.isdisjoint({"microdata", "rdfa"})


def test_a_page_whose_head_describes_it_is_not_read_for_what_that_leaves_out() -> None:
    found = read(MICRODATA, json_ld('{"@type": "NewsArticle", "headline": "Elms"}'))
    assert (found.tags, found.categories, found.licence) == ((), (), None)
    assert "body" not in vars(found.sources)


ENTRIES = "".join(
    f'<div class="h-entry"><h2 class="p-name">Of oak {number}</h2><p class="p-summary">An oak.</p>'
    f'<a class="p-category">oak</a><img class="u-photo" src="/{number}.jpg">'
    f'<a class="u-url" href="/{number}">x</a></div>'
    for number in range(3)
)
POSTS = "".join(
    '<article itemscope itemtype="http://schema.org/BlogPosting">'
    f'<h2 itemprop="headline">Of oak {number}</h2><p itemprop="description">An oak.</p>'
    f'<img itemprop="image" src="/{number}.jpg"><a itemprop="url" href="/{number}">x</a>'
    f'<meta itemprop="keywords" content="oak"><meta itemprop="datePublished" content="2024-03-05"></article>'
    for number in range(3)
)
WARES = POSTS.replace("BlogPosting", "Product").replace("headline", "name")


@pytest.mark.parametrize("body", [ENTRIES, ENTRIES.replace("h-entry", "hentry"), POSTS, WARES])
@pytest.mark.parametrize("top", ["", "<h1>All about the oaks of our woods</h1>"])
def test_none_of_several_is_the_page(body: str, top: str) -> None:
    found = read(top + body, url="https://wood.example/oaks")
    assert told(found, "description", "tags", "image", "canonical", "page_type") == {}
    assert found.published is None


@pytest.mark.parametrize("body", [ENTRIES, POSTS], ids=["h-entry", "microdata"])
def test_of_several_that_is_the_page_which_bears_its_address(body: str) -> None:
    found = read(body.replace('href="/1"', 'href="https://wood.example/1"'), url="https://wood.example/1")
    assert (found.title, found.image) == ("Of oak 1", "https://wood.example/1.jpg")


def test_a_thing_that_is_called_otherwise_and_stands_elsewhere_is_not_the_page() -> None:
    other = MICRODATA.replace(HEADLINE, "Ten elms to see").replace(TEXT, "")
    found = read(f"<article><h1>{HEADLINE}</h1>{TEXT}</article>{other}", f"<title>{HEADLINE}</title>")
    assert told(found, "description", "tags", "image", "site") == {}
    same = read(f"<h1>{HEADLINE}</h1>{other.replace('Ten elms to see', HEADLINE)}", f"<title>{HEADLINE}</title>")
    assert same.image == "https://wood.example/oak.jpg"


@pytest.mark.parametrize(
    "part",
    [
        '<div itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Jane</b>INSIDE</div>',
        '<div itemprop="comment" itemscope itemtype="https://schema.org/Comment">INSIDE</div>',
        '<div itemprop="comment" itemscope>INSIDE</div>',
        '<div itemprop="about" itemscope itemtype="https://schema.org/Product"><i itemprop="name">Oil</i>INSIDE</div>',
        '<div itemscope itemtype="https://schema.org/Product"><i itemprop="name">Oil</i>INSIDE</div>',
        '<div itemscope itemtype="https://schema.org/Organization">INSIDE</div>',
    ],
    ids=["author", "comment", "comment without a type", "product reviewed", "product mentioned", "organisation"],
)
@pytest.mark.parametrize("kind", ["shown", "meta"])
def test_what_is_said_of_a_part_is_not_said_of_the_page(part: str, kind: str) -> None:
    values = {"description": "Of Jane", "keywords": "jane", "image": "/jane.jpg", "license": "/terms", "url": "/jane"}
    form = '<meta itemprop="{}" content="{}">' if kind == "meta" else '<i itemprop="{}" content="{}">x</i>'
    inside = "".join(form.format(*one) for one in (*values.items(), ("datePublished", "2024-03-05")))
    work = f'<article itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">{HEADLINE}</h1>'
    found = read(work + part.replace("INSIDE", inside) + TEXT)
    assert told(found, "description", "tags", "licence", "image", "canonical", "published") == {}


def test_items_in_the_head_and_on_the_root() -> None:
    html = (
        f'<html itemscope itemtype="https://schema.org/Article"><head><meta itemprop="headline" content="{HEADLINE}">'
        f'<meta itemprop="description" content="Of oaks."><link itemprop="license" href="/by"></head><body>{TEXT}'
    )
    found = Metadata.read(Page.parse(html, ADDRESS), TODAY)
    assert (found.title, found.description, found.licence) == (HEADLINE, "Of oaks.", "https://wood.example/by")
    assert found.page_type == "article"


@pytest.mark.parametrize("tag", ["html", "body"])
def test_an_entry_that_is_the_whole_page(tag: str) -> None:
    page = f'<{tag} class="h-entry"><h1 class="p-name">{HEADLINE}</h1><p class="p-summary">Of oaks.</p>{TEXT}'
    assert Metadata.read(Page.parse(page, ADDRESS), TODAY).description == "Of oaks."


def test_items_inside_what_the_whole_page_is() -> None:
    body = (
        '<body itemscope itemtype="https://schema.org/WebPage"><div itemscope itemtype="https://schema.org/WPHeader">'
        '<p itemprop="headline">The Forester</p><p itemprop="description">All of wood</p></div>'
        f'<article itemscope itemtype="https://schema.org/CreativeWork"><h1 itemprop="headline">{HEADLINE}</h1>'
        f'<p itemprop="description">Of oaks.</p>{TEXT}</article>'
    )
    found = Metadata.read(Page.parse(body, ADDRESS), TODAY)
    assert (found.title, found.description, found.page_type) == (HEADLINE, "Of oaks.", "article")


def test_an_item_refers_to_its_properties() -> None:
    item = '<div itemscope itemtype="https://schema.org/Article" itemref="a b nowhere"></div>'
    parts = (
        '<p id="a"><i itemprop="description">Of oaks.</i></p><img id="b" itemprop="image" src="/oak.jpg">'
        '<p id="c"><i itemprop="keywords">elm</i></p>'
    )
    for body in (item + parts, parts + item):
        found = read(f"<h1>{HEADLINE}</h1>{body}{TEXT}")
        assert (found.description, found.image, found.tags) == ("Of oaks.", "https://wood.example/oak.jpg", ())


def test_items_that_refer_to_each_other_have_an_end() -> None:
    one = '<div id="a" itemscope itemtype="https://schema.org/WebPage" itemref="b"><i itemprop="mainEntity" itemscope '
    other = 'itemtype="https://schema.org/WebPage" itemref="a" id="b"><b itemprop="name">Oaks</b></i></div>'
    assert read(one + other + TEXT).page_type == "page"
    crossed = (
        '<div itemscope itemtype="https://schema.org/Article">'
        '<i id="y" itemprop="mainEntity" itemscope itemref="x"></i></div>'
        '<div itemscope itemtype="https://schema.org/Article">'
        '<i id="x" itemprop="mainEntity" itemscope itemref="y"></i></div>'
    )
    assert read(crossed + TEXT).title is None


def test_links_are_keywords_each() -> None:
    body = '<p itemprop="keywords"><a href="/o">oak</a><a href="/e">elm</a></p>'
    found = read(f'<article itemscope itemtype="https://schema.org/Article"><h1>{HEADLINE}</h1>{body}{TEXT}')
    assert found.tags == ("oak", "elm")


def test_the_text_itself_is_no_description() -> None:
    body = f'<div itemprop="description articleBody">{TEXT}</div>'
    found = read(f'<article itemscope itemtype="https://schema.org/BlogPosting"><h1>{HEADLINE}</h1>{body}')
    assert found.description is None


@pytest.mark.parametrize("address", ["https://copy.example/oaks", "javascript:alert(1)", "http://[broken", "#top"])
def test_an_address_that_leads_elsewhere_is_not_the_pages(address: str) -> None:
    entry = f'<div class="h-entry"><h1 class="p-name">{HEADLINE}</h1><a class="u-url" href="{address}">x</a>{TEXT}'
    assert read(entry).canonical in (None, f"{ADDRESS}#top")
    assert read(entry, url=None).canonical in (None, "https://copy.example/oaks")


def test_a_main_entity_is_what_the_page_is() -> None:
    body = (
        '<div itemscope itemtype="https://schema.org/QAPage"><div itemprop="mainEntity" itemscope '
        f'itemtype="https://schema.org/Question"><h1 itemprop="name">{HEADLINE}</h1><p itemprop="description">Why?</p>'
    )
    found = read(body + TEXT)
    assert (found.page_type, found.description) == ("forum", "Why?")


@pytest.mark.parametrize(
    ("of", "kind"),
    [("Product", "product"), ("Recipe", "article"), ("DiscussionForumPosting", "forum"), ("WebPage", "page")],
)
def test_the_type_of_an_item_is_that_of_the_page(of: str, kind: str) -> None:
    assert read(f'<div itemscope itemtype="https://schema.org/{of}"><h1>{HEADLINE}</h1>{TEXT}').page_type == kind


def test_a_static_page_of_a_blog_is_no_article() -> None:
    assert read(f'<div class="page type-page hentry"><h1 class="entry-title">{HEADLINE}</h1>{TEXT}').page_type is None


def test_an_entry_that_is_cited_is_not_the_page() -> None:
    cited = '<a class="p-name u-url" href="/elms">Of elms</a><i class="p-category">elm</i>'
    cited = f'<div class="u-in-reply-to h-cite">{cited}</div>'
    found = read(f'<div class="h-entry">{cited}<h2 class="p-name">{HEADLINE}</h2>{TEXT}</div>')
    assert (found.title, found.tags, found.canonical) == (HEADLINE, (), None)


def test_a_megabyte_of_microdata() -> None:
    item = (
        '<div itemscope itemtype="https://schema.org/Article"><i itemprop="headline">Oaks</i><b itemprop="image"></b>'
    )
    assert len(item * 10_000) > 1_000_000
    assert read(f"<h1>{HEADLINE}</h1>{item * 10_000}").title == HEADLINE
    flat = read(f"<h1>{HEADLINE}</h1>" + (item + "</div>") * 10_000)
    assert (flat.title, flat.tags) == (HEADLINE, ())


@pytest.mark.parametrize(
    "opening",
    [
        '<div itemprop="description" itemscope itemtype="https://schema.org/Article">',
        '<div itemscope itemref="a" id="a" itemprop="about">',
        '<div property="description" typeof="Article">',
        '<div class="h-entry p-name">',
        '<i itemprop="description keywords headline">',
    ],
)
def test_markup_nested_without_end(opening: str) -> None:
    found = read(opening * 100_000 + "Oaks and elms")
    assert found.as_dict()["images"] == []


def test_lone_surrogates_in_microdata() -> None:
    found = read(
        f'<div itemscope itemtype="https://schema.org/Article"><h1>{HEADLINE}</h1>'
        '<p itemprop="description" content="Oaks \ud800 elms">x</p>' + TEXT
    )
    assert (found.description or "").encode()


@pytest.mark.parametrize("title", ["The Forester", "Home", f"{HEADLINE} | The Forester"])
@pytest.mark.parametrize(
    ("body", "source"),
    [
        (f'<div itemscope itemtype="https://schema.org/Article"><h2 itemprop="headline">{HEADLINE}</h2>', "microdata"),
        (f'<div typeof="schema:Article"><b property="schema:headline">{HEADLINE}</b>', "rdfa"),
        (f'<div class="h-entry"><h2 class="p-name">{HEADLINE}</h2>', "h-entry"),
        (f'<div class="hentry"><h3 class="entry-title">{HEADLINE}</h3>', "hatom"),
    ],
    ids=["microdata", "rdfa", "h-entry", "hatom"],
)
def test_what_is_marked_as_the_headline_goes_before_a_title_that_stands_alone(
    body: str, source: str, title: str
) -> None:
    found = read(body + TEXT, f"<title>{title}</title>")
    is_repeated = title.startswith(HEADLINE) and "<h2" in body  # then it is a heading like any other
    assert told(found, "title") == {"title": (HEADLINE, "heading" if is_repeated else source)}
    graph = '<meta property="og:title" content="Elms">'
    assert told(read(body + TEXT, f"<title>Elms</title>{graph}"), "title") != {"title": (HEADLINE, source)}
