"""The source `body_markup`."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import HEADLINE, PARTS, TEXT, TODAY, URL, json_ld, names, read_body, read_page

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.metadata import Metadata
from duramen.metadata.sources import body_markup
from duramen.metadata.sources.body import Body


def test_an_article_in_comments_does_not_change_a_list() -> None:
    entries = "".join(f"<div class=hentry><h3>{name}</h3><a rel=tag href=/{name}>{name}</a></div>" for name in "ab")
    for apart in ("<div class=related>{}</div>", "<h2>3 Comments</h2>{}"):
        last = apart.format("<div class=hentry><h3>Old oaks fall</h3><a rel=tag href=/c>c</a></div>")
        text = "<p>An oak that stands alone grows as wide as it is high, and one among others as high as they are."
        page = f"<title>Old oaks fall - Wood</title><h1>News</h1>{text}{entries}<section>{last}</section>"
        assert not {"a", "b"}.intersection(Metadata.read(Page.parse(page), TODAY).tags)


THINGS: Final = (
    *PARTS[:3],
    "<div class=related>",
    "<div class=hentry>",
    "<div class='h-entry'>",
    "<article>",
    "<article class=hentry>",
    "<div itemscope itemtype=https://schema.org/NewsArticle>",
    "<div itemscope itemtype=https://schema.org/Comment>",
    "<div itemprop=review itemscope>",
    "<h3>Old oaks fall</h3>",
    "<a rel=tag href=/a>a</a>",
    "</div>",
    "</article>",
    PARTS[-1],
)


@given(st.lists(st.sampled_from(THINGS), max_size=16), st.integers(0, 16))
@example(["<div class=hentry>", "<a rel=tag href=/a>a</a>", "</div>", *THINGS[4:5], "<a rel=tag href=/a>a</a>"], 0)
@example(["<article class=hentry>", "</article>", "<div class=hentry>", "<a rel=tag href=/a>a</a>"], 1)
@example(["<div class=hentry>", "<h3>Old oaks fall</h3>", "</div>", "<div class=hentry>", THINGS[12]], 0)
def test_a_restricted_body_gives_the_same_foreign_ranges(parts: list[str], at: int) -> None:
    tree = Tree.parse("".join([*parts[:at], "<h1>News</h1>", *parts[at:]]))
    headline, title = tree.find_all("h1")[0], "Old oaks fall - Wood"
    nodes = [node for node in tree.find_all("a") if node > tree.body]
    whole = Body(tree, headline)
    around = whole.restrict_to(nodes)
    works, _ = body_markup._find_works_and_foreign_items(whole)
    if all(any(work <= node < tree.end[work] for node in (*nodes, headline)) for work in works):
        there, here = body_markup.find_foreign_ranges(whole, title), body_markup.find_foreign_ranges(around, title)
        own = set(whole.own_nodes(nodes)) & set(around.own_nodes(nodes))
        assert [node for node in own if there.contain(node)] == [node for node in own if here.contain(node)]


def test_an_article_around_the_headline_makes_the_page_no_list() -> None:
    tagged = "<a rel=tag href=/{0}>{0}</a>"
    related = "".join(f"<div class=hentry><h3>{name}</h3>{tagged.format(name)}</div>" for name in "ab")
    page = f"<title>{HEADLINE}</title><article class=hentry><h1>{HEADLINE}</h1></article>{related}"
    metadata = Metadata.read(Page.parse(page), TODAY)
    assert metadata.tags == ("a", "b")
    assert "foreign_ranges" not in vars(metadata.sources)  # the articles around the tags and the headline are enough
    listed = Metadata.read(Page.parse(page.replace("<article class=hentry>", "<article>")), TODAY)
    assert listed.tags == ()


def evidence_of(metadata: Metadata, *fields: str) -> dict[str, tuple[Any, str]]:
    """The value and source of each of the fields that the page gives."""
    names = fields or ("title", "description", "tags", "categories", "license", "image", "canonical", "site")
    return {name: (given.value, given.source) for name in names if (given := metadata.evidence(name))}


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
    "license": "https://cc.example/by",
    "image": "https://wood.example/oak.jpg",
    "canonical": URL,
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
def test_a_work_gives_every_field(body: str, source: str) -> None:
    metadata = read_body(body)
    assert evidence_of(metadata) == {name: (value, source) for name, value in ALL.items()}
    assert evidence_of(metadata, "page_type") == {"page_type": ("article", source)}


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
def test_an_entry_gives_the_fields_of_its_format(body: str, source: str, fields: tuple[str, ...]) -> None:
    metadata = read_body(body)
    assert evidence_of(metadata) == {name: (ALL[name], source) for name in fields}
    assert metadata.page_type == "article"


def test_dublin_core_in_rdfa_describes_the_page() -> None:
    body = (
        f'<h2 property="dc:title">{HEADLINE}</h2><i property="dc:subject">oak</i><i property="dc:rights">CC BY 4.0</i>'
    )
    assert evidence_of(read_body(body + TEXT)) == {
        "title": (HEADLINE, "rdfa"),
        "tags": (("oak",), "rdfa"),
        "license": ("CC BY 4.0", "rdfa"),
    }
    assert read_body(body + TEXT).page_type is None
    drupal = (
        f'<div about="/node/1" typeof="sioc:Item foaf:Document"><h2 property="dc:title">{HEADLINE}</h2>{TEXT}</div>'
    )
    assert evidence_of(read_body(drupal), "title", "page_type") == {
        "title": (HEADLINE, "rdfa"),
        "page_type": ("article", "rdfa"),
    }


def test_descriptions_of_other_things_are_ignored() -> None:
    assert evidence_of(read_body(f'<p about="/elms" property="dc:title">Of elms</p>{TEXT}')) == {}
    assert evidence_of(read_body(f'<p property="foaf:name">Jane Doe</p><p property="gr:name">Oil</p>{TEXT}')) == {}


@pytest.mark.parametrize("body", [MICRODATA, RDFA], ids=["microdata", "rdfa"])
def test_the_head_goes_before_the_body(body: str) -> None:
    head = (
        "<title>Elms</title><meta property=og:title content=Elms>"
        "<meta name=description content=Elms><meta name=keywords content=ash>"
        "<meta property=article:section content=Woods><meta property=og:image content=/elm.jpg>"
        "<meta property=og:site_name content=Elms><meta property=og:type content=website>"
        "<link rel=canonical href=/elms><link rel=license href=/terms>"
    )
    sources = {source for _, source in evidence_of(read_body(body, head), *ALL, "page_type").values()}
    assert sources.isdisjoint({"microdata", "rdfa"})


def test_body_is_not_read_if_the_head_describes_the_page() -> None:
    metadata = read_body(MICRODATA, json_ld('{"@type": "NewsArticle", "headline": "Elms"}'))
    assert (metadata.tags, metadata.categories, metadata.license) == ((), (), None)
    assert "body" not in vars(metadata.sources)


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


PRODUCTS = POSTS.replace("BlogPosting", "Product").replace("headline", "name")


@pytest.mark.parametrize("body", [ENTRIES, ENTRIES.replace("h-entry", "hentry"), POSTS, PRODUCTS])
@pytest.mark.parametrize("top", ["", "<h1>All about the oaks of our woods</h1>"])
def test_none_of_several_items_is_the_page(body: str, top: str) -> None:
    metadata = read_body(top + body, url="https://wood.example/oaks")
    assert evidence_of(metadata, "description", "tags", "image", "canonical", "page_type") == {}
    assert metadata.published is None


@pytest.mark.parametrize("body", [ENTRIES, POSTS], ids=["h-entry", "microdata"])
def test_of_several_items_the_one_with_the_url_is_the_page(body: str) -> None:
    metadata = read_body(body.replace('href="/1"', 'href="https://wood.example/1"'), url="https://wood.example/1")
    assert (metadata.title, metadata.image) == ("Of oak 1", "https://wood.example/1.jpg")


def test_an_item_with_another_name_and_place_is_not_the_page() -> None:
    other = MICRODATA.replace(HEADLINE, "Ten elms to see").replace(TEXT, "")
    metadata = read_body(f"<article><h1>{HEADLINE}</h1>{TEXT}</article>{other}", f"<title>{HEADLINE}</title>")
    assert evidence_of(metadata, "description", "tags", "image", "site") == {}
    same = read_body(f"<h1>{HEADLINE}</h1>{other.replace('Ten elms to see', HEADLINE)}", f"<title>{HEADLINE}</title>")
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
    ids=["author", "comment", "comment without a type", "product reviewed", "product mentioned", "organization"],
)
@pytest.mark.parametrize("kind", ["shown", "meta"])
def test_items_inside_the_work_do_not_describe_the_page(part: str, kind: str) -> None:
    values = {"description": "Of Jane", "keywords": "jane", "image": "/jane.jpg", "license": "/terms", "url": "/jane"}
    form = '<meta itemprop="{}" content="{}">' if kind == "meta" else '<i itemprop="{}" content="{}">x</i>'
    inside = "".join(form.format(*one) for one in (*values.items(), ("datePublished", "2024-03-05")))
    work = f'<article itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">{HEADLINE}</h1>'
    metadata = read_body(work + part.replace("INSIDE", inside) + TEXT)
    assert evidence_of(metadata, "description", "tags", "license", "image", "canonical", "published") == {}


def test_items_in_the_head_and_on_the_root() -> None:
    html = (
        f'<html itemscope itemtype="https://schema.org/Article"><head><meta itemprop="headline" content="{HEADLINE}">'
        f'<meta itemprop="description" content="Of oaks."><link itemprop="license" href="/by"></head><body>{TEXT}'
    )
    metadata = read_page(html)
    assert (metadata.title, metadata.description, metadata.license) == (HEADLINE, "Of oaks.", "https://wood.example/by")
    assert metadata.page_type == "article"


@pytest.mark.parametrize("tag", ["html", "body"])
def test_an_entry_that_is_the_whole_page(tag: str) -> None:
    page = f'<{tag} class="h-entry"><h1 class="p-name">{HEADLINE}</h1><p class="p-summary">Of oaks.</p>{TEXT}'
    assert read_page(page).description == "Of oaks."


def test_items_inside_the_item_of_the_whole_page() -> None:
    body = (
        '<body itemscope itemtype="https://schema.org/WebPage"><div itemscope itemtype="https://schema.org/WPHeader">'
        '<p itemprop="headline">The Forester</p><p itemprop="description">All of wood</p></div>'
        f'<article itemscope itemtype="https://schema.org/CreativeWork"><h1 itemprop="headline">{HEADLINE}</h1>'
        f'<p itemprop="description">Of oaks.</p>{TEXT}</article>'
    )
    metadata = read_page(body)
    assert (metadata.title, metadata.description, metadata.page_type) == (HEADLINE, "Of oaks.", "article")


def test_the_article_body_is_no_description() -> None:
    body = f'<div itemprop="description articleBody">{TEXT}</div>'
    metadata = read_body(f'<article itemscope itemtype="https://schema.org/BlogPosting"><h1>{HEADLINE}</h1>{body}')
    assert metadata.description is None


@pytest.mark.parametrize("address", ["https://copy.example/oaks", "javascript:alert(1)", "http://[broken", "#top"])
def test_a_url_on_another_host_is_not_canonical(address: str) -> None:
    entry = f'<div class="h-entry"><h1 class="p-name">{HEADLINE}</h1><a class="u-url" href="{address}">x</a>{TEXT}'
    assert read_body(entry).canonical in (None, f"{URL}#top")
    assert read_body(entry, url=None).canonical in (None, "https://copy.example/oaks")


def test_a_main_entity_is_the_page() -> None:
    body = (
        '<div itemscope itemtype="https://schema.org/QAPage"><div itemprop="mainEntity" itemscope '
        f'itemtype="https://schema.org/Question"><h1 itemprop="name">{HEADLINE}</h1><p itemprop="description">Why?</p>'
    )
    metadata = read_body(body + TEXT)
    assert (metadata.page_type, metadata.description) == ("forum", "Why?")


@pytest.mark.parametrize(
    ("of", "kind"),
    [("Product", "product"), ("Recipe", "article"), ("DiscussionForumPosting", "forum"), ("WebPage", "page")],
)
def test_the_type_of_an_item_is_that_of_the_page(of: str, kind: str) -> None:
    assert read_body(f'<div itemscope itemtype="https://schema.org/{of}"><h1>{HEADLINE}</h1>{TEXT}').page_type == kind


def test_a_static_page_of_a_blog_is_no_article() -> None:
    assert (
        read_body(f'<div class="page type-page hentry"><h1 class="entry-title">{HEADLINE}</h1>{TEXT}').page_type is None
    )


def test_a_cited_entry_is_not_the_page() -> None:
    cited = '<a class="p-name u-url" href="/elms">Of elms</a><i class="p-category">elm</i>'
    cited = f'<div class="u-in-reply-to h-cite">{cited}</div>'
    metadata = read_body(f'<div class="h-entry">{cited}<h2 class="p-name">{HEADLINE}</h2>{TEXT}</div>')
    assert (metadata.title, metadata.tags, metadata.canonical) == (HEADLINE, (), None)


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
def test_a_marked_headline_goes_before_a_lone_title_element(body: str, source: str, title: str) -> None:
    metadata = read_body(body + TEXT, f"<title>{title}</title>")
    is_repeated = title.startswith(HEADLINE) and "<h2" in body  # then it is a heading like any other
    assert evidence_of(metadata, "title") == {"title": (HEADLINE, "heading" if is_repeated else source)}
    graph = '<meta property="og:title" content="Elms">'
    assert evidence_of(read_body(body + TEXT, f"<title>Elms</title>{graph}"), "title") != {"title": (HEADLINE, source)}


def item(inside: str, of: str = "Article") -> Metadata:
    """The metadata of a page that is an item, and whose head says nothing."""
    return read_page(
        f'<div itemscope itemtype="https://schema.org/{of}"><h1 itemprop="headline">{HEADLINE}</h1>{inside}{TEXT}'
    )


def test_a_review_has_an_author_and_a_product_has_none() -> None:
    product = (
        '<div itemprop="itemReviewed" itemscope itemtype="https://schema.org/Product"><i itemprop="name">Oil</i></div>'
    )
    by_jane = '<b itemprop="author">Jane Doe</b><time itemprop="datePublished" datetime="2024-03-05">then</time>'
    name = f'<h1 itemprop="name">{HEADLINE}</h1>'
    review = f'<div itemscope itemtype="https://schema.org/Review">{name}{product}{by_jane}{TEXT}'
    metadata = read_page(f"<title>{HEADLINE}</title>{review}")
    assert (names(metadata), str(metadata.published), metadata.page_type) == (["Jane Doe"], "2024-03-05", "article")
    inside = f'{by_jane}<p itemprop="description">Bad.'
    inside = f'<div itemprop="review" itemscope itemtype="https://schema.org/Review">{inside}'
    shop = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Oak oil</h1>'
        f'<p itemprop="description">Good oil.</p>{inside}</div>{TEXT}'
    )
    metadata = read_page(f"<title>Oak oil</title>{shop}", "https://wood.example/shop/oil")
    assert (names(metadata), metadata.published) == ([], None)
    assert (metadata.page_type, metadata.description) == ("product", "Good oil.")


def test_nested_items_do_not_name_the_page() -> None:
    thing = "<div itemscope itemtype=https://schema.org/Thing>"
    deep = thing * 3 + "<i itemprop=description>of a thing</i>" + "</div>" * 3
    assert item(deep).description is None
