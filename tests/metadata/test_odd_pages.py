"""Pages as a stern reader would write them: every field, said in odd places, of other things, or not at all."""

from __future__ import annotations

from time import process_time

import pytest
from tests.metadata.metadata_pages import HEADLINE, TEXT, TODAY, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.body import Body

ARTICLE = '<meta property="og:type" content="article">'
ADDRESS = "https://wood.example/articles/oaks"


def read(html: str, url: str | None = ADDRESS) -> Metadata:
    return Metadata.read(Page.parse(html, url), TODAY)


def item(inside: str, of: str = "Article") -> Metadata:
    """The metadata of a page that is an item, and whose head says nothing."""
    return read(
        f'<div itemscope itemtype="https://schema.org/{of}"><h1 itemprop="headline">{HEADLINE}</h1>{inside}{TEXT}'
    )


@pytest.mark.parametrize(
    "part",
    [
        "<section id=comments><article><time datetime=2024-05-05>then</time></article></section>",
        '<div class="u-comment h-cite"><a class="p-author h-card">Bob Roe</a><time class=dt-published '
        "datetime=2024-05-05>then</time></div>",
        "<div itemscope itemtype=https://schema.org/Comment><b itemprop=author>Bob Roe</b>"
        "<time itemprop=dateCreated datetime=2024-05-05>then</time></div>",
        "<div itemprop=comment itemscope itemtype=https://schema.org/UserComments><b itemprop=creator>Bob Roe</b>"
        "<time itemprop=commentTime datetime=2024-05-05>5 May 2024</time></div>",
        '<div typeof="sioc:Post sioct:Comment"><i property="dc:date dc:created" content="2024-05-05">then</i>'
        '<b property="dc:creator">Bob Roe</b></div>',
        "<div itemscope itemtype=https://schema.org/Event>"
        "<time itemprop=startDate datetime=2024-05-05>5 May 2024</time></div>",
    ],
    ids=["section", "h-cite", "microdata", "user comments", "rdfa", "event"],
)
def test_the_date_and_author_of_a_part_are_not_the_pages(part: str) -> None:
    found = metadata(ARTICLE, TEXT + part)
    assert (found.published, names(found)) == (None, [])


@pytest.mark.parametrize(
    "line",
    [
        "© 2019 The Forester",
        "Copyright 5 May 2019 The Forester",
        "(c) 2019-05-05",
        "All rights reserved, 5 May 2019",
        "Copyright © <time datetime=2019-05-05>2019</time> The Forester",
        "<span>©</span> <span>5 May 2019</span>",
        "&copy; <b>5 May 2019</b>",
    ],
)
@pytest.mark.parametrize("place", ["{line}{text}", "{text}{line}"], ids=["before the text", "after it"])
def test_the_year_of_a_right_is_no_date(line: str, place: str) -> None:
    assert metadata(ARTICLE, place.format(line=f"<p>{line}</p>", text=TEXT)).published is None


CLOUD = '<a rel="tag" href="/c">cloud</a><a rel="category tag" href="/d">Weather</a>'


@pytest.mark.parametrize(
    "part",
    [
        f"<nav>{CLOUD}</nav>",
        f"<div class=comments>{CLOUD}</div>",
        f"<div class=related>{CLOUD}</div>",
        f"<div itemprop=comment itemscope itemtype=https://schema.org/Comment>{CLOUD}</div>",
    ],
)
def test_tags_of_other_parts_are_not_the_pages(part: str) -> None:
    found = metadata("", TEXT + part)
    assert (found.tags, found.categories) == ((), ())


def test_the_tags_of_the_article_go_before_those_beside_it() -> None:
    own = '<footer class="entry-footer"><a rel="tag" href="/o">oak</a></footer>'
    page = f"<article><h1>{HEADLINE}</h1>{TEXT}{own}</article><aside class=sidebar>{CLOUD}</aside>"
    assert read(page).tags == ("oak",)
    assert read(page.replace(own, "")).tags == ("cloud",)


@pytest.mark.parametrize(
    ("body", "licence"),
    [
        ('<footer><a rel="license" href="https://cc.example/by">CC</a></footer>', "https://cc.example/by"),
        ('<figure><img src="/a.jpg"><figcaption><a rel="license" href="/by">CC</a></figcaption></figure>', None),
        ('<a rel="license" href="javascript:alert(1)">CC</a>', None),
        (
            '<div typeof="schema:Article"><a property="schema:license" href="/by">CC</a></div>',
            "https://wood.example/by",
        ),
        ('<p>Under <a property="cc:license" href="/by">CC</a></p>', "https://wood.example/by"),
    ],
)
def test_the_licence_is_that_of_the_text(body: str, licence: str | None) -> None:
    assert metadata("", body).licence == licence


@pytest.mark.parametrize(
    ("inside", "image"),
    [
        ('<img itemprop="image" src="/oak.jpg">', "/oak.jpg"),
        ('<img itemprop="image" src="data:image/gif;base64,R0" data-src="/oak.jpg">', "/oak.jpg"),
        ('<div itemprop="image"><img src="/oak.jpg"></div>', "/oak.jpg"),
        ('<meta itemprop="thumbnailUrl" content="/oak.jpg">', "/oak.jpg"),
        ('<div itemprop="image" itemscope itemtype="http://schema.org/ImageObject"><meta itemprop="url" '
         'content="/oak.jpg"><meta itemprop="width" content="9"></div>', "/oak.jpg"),
        ('<figure itemprop="image" itemscope itemtype="http://schema.org/ImageObject"><img itemprop="contentUrl" '
         'src="/oak.jpg"></figure>', "/oak.jpg"),
        ('<div itemprop="publisher" itemscope itemtype="http://schema.org/Organization"><div itemprop="logo" itemscope '
         'itemtype="http://schema.org/ImageObject"><img itemprop="url" src="/logo.png"></div></div>', None),
        ('<div itemprop="author" itemscope itemtype="http://schema.org/Person"><img itemprop="image" src="/j.jpg">'
         "</div>", None),
        ('<img itemprop="image" src="javascript:alert(1)">', None),
    ],
)  # fmt: skip
def test_the_lead_image_is_that_of_the_work(inside: str, image: str | None) -> None:
    assert item(inside).image == (f"https://wood.example{image}" if image else None)


def test_an_image_without_a_source_has_sizes() -> None:
    pictures = metadata("", '<img srcset="/a.jpg 1x, /b.jpg 2x" alt="Oak"><img srcset="">').images
    assert [(one.url, one.alt) for one in pictures] == [("https://wood.example/a.jpg", "Oak")]


@pytest.mark.parametrize(
    "publisher",
    [
        '<span itemprop="publisher">The Forester</span>',
        '<meta itemprop="publisher" content="The Forester">',
        '<div itemprop="publisher" itemscope itemtype="https://schema.org/Organization">'
        '<meta itemprop="name" content="The Forester"></div>',
    ],
)
def test_the_site_is_the_publisher(publisher: str) -> None:
    assert item(publisher).site == "The Forester"


def test_a_review_is_by_its_author_and_a_ware_by_nobody() -> None:
    ware = (
        '<div itemprop="itemReviewed" itemscope itemtype="https://schema.org/Product"><i itemprop="name">Oil</i></div>'
    )
    told = '<b itemprop="author">Jane Doe</b><time itemprop="datePublished" datetime="2024-03-05">then</time>'
    review = (
        f'<div itemscope itemtype="https://schema.org/Review"><h1 itemprop="name">{HEADLINE}</h1>{ware}{told}{TEXT}'
    )
    found = read(f"<title>{HEADLINE}</title>{review}")
    assert (names(found), str(found.published), found.page_type) == (["Jane Doe"], "2024-03-05", "article")
    inside = (
        f'<div itemprop="review" itemscope itemtype="https://schema.org/Review">{told}<p itemprop="description">Bad.'
    )
    shop = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Oak oil</h1>'
        f'<p itemprop="description">Good oil.</p>{inside}</div>{TEXT}'
    )
    found = read(f"<title>Oak oil</title>{shop}", "https://wood.example/shop/oil")
    assert (names(found), found.published) == ([], None)
    assert (found.page_type, found.description) == ("product", "Good oil.")


@pytest.mark.parametrize(
    ("lang", "line", "authors"),
    [
        ("en", "Posted on March 5, 2024 by Jane Doe", ["Jane Doe"]),
        ("en", "March 5, 2024 at 10:30 AM by Jane Doe", ["Jane Doe"]),
        ("en", "March 5, 2024 | By: Jane Doe", ["Jane Doe"]),
        ("en", "Published March 5, 2024, by Jane Doe and John Roe", ["Jane Doe", "John Roe"]),
        ("en", "Since 2024 by all accounts oaks fall", []),
        ("pl", "Opublikowano: 05.03.2024, autor: Jan Kowalski", ["Jan Kowalski"]),
        ("pl", "Źródło: PAP | Autor: Jan Kowalski", ["Jan Kowalski"]),
        ("ru", "05.03.2024 | Автор: Иван Петров", ["Иван Петров"]),
        ("el", "05.03.2024 | Συντάκτης: Νίκος Παππάς", ["Νίκος Παππάς"]),
        ("zh", "2024-03-05 来源：新华网 作者：王小明 编辑：李红", ["王小明"]),
        ("zh", "2024年3月5日 记者：王小明", ["王小明"]),
        ("zh", "记者 王小明 北京报道", ["王小明"]),
    ],
)
def test_a_byline_may_stand_inside_a_line(lang: str, line: str, authors: list[str]) -> None:
    assert names(metadata(ARTICLE, f"<p>{line}</p>", lang=lang)) == authors


@pytest.mark.parametrize(
    ("said", "authors"),
    [
        ("jane@wood.example (Jane Doe)", ["Jane Doe"]),
        ("jane@wood.example", []),
        ("https://social.example/jane", []),
        ("Newsletters", []),
    ],
)
def test_an_author_in_the_head_is_a_name(said: str, authors: list[str]) -> None:
    assert names(metadata(f'{ARTICLE}<meta name="author" content="{said}">')) == authors


def test_the_last_change_that_readers_see_is_the_last_change() -> None:
    found = metadata(ARTICLE, "<p>Last updated: 5 March 2024</p>")
    assert (str(found.published), str(found.modified)) == ("2024-03-05", "2024-03-05")


@pytest.mark.parametrize("year", ["0000", "0001", "2999", "99999", "-001"])
@pytest.mark.parametrize(
    "form",
    [
        '<div itemscope itemtype="https://schema.org/Article"><time itemprop="datePublished" datetime="{}"></div>',
        '<div itemscope itemtype="https://schema.org/Article"><meta itemprop="datePublished" content="{}"></div>',
        '<div typeof="schema:Article"><i property="schema:datePublished" content="{}">x</i></div>',
        '<div class="h-entry"><time class="dt-published" datetime="{}">x</time></div>',
        '<div class="hentry"><abbr class="published" title="{}">x</abbr></div>',
        '<time datetime="{}">x</time>',
        "<p>{}</p>",
    ],
)
def test_a_year_that_cannot_be_is_no_date_anywhere(form: str, year: str) -> None:
    assert metadata(ARTICLE, form.format(f"{year}-01-01T00:00:00Z")).published is None


def test_the_language_of_a_work_is_that_of_the_page() -> None:
    assert item('<meta itemprop="inLanguage" content="pl_PL">').language == "pl-PL"


def test_capitals_and_missing_schemes_do_not_matter() -> None:
    top = f"<DIV ITEMSCOPE ITEMTYPE=schema.org/Article><H1 ITEMPROP=headline>{HEADLINE}</H1>"
    assert read(f"{top}<P ITEMPROP=Description>Oaks.</P>{TEXT}").description == "Oaks."


@pytest.mark.parametrize(
    "html",
    [
        '<div itemscope itemtype="">',
        '<div itemscope itemtype="https://schema.org/">',
        "<div typeof>",
        "<div property>",
        "<div itemprop itemscope itemref>",
        '<div class="h-entry" itemscope typeof="a b c" itemref="x y" property="::">',
        '<meta itemprop="author" content><meta property=" " content="x">',
        '<div itemscope itemprop="url image license" itemtype="https://schema.org/Article">',
    ],
)
def test_markup_that_says_nothing(html: str) -> None:
    found = read(f"{html}<h1>{HEADLINE}</h1>{TEXT}")
    assert (found.title, found.description, found.image, found.licence) == (HEADLINE, None, None, None)


@pytest.mark.parametrize("name", ["itemprop=author", "itemprop=mainEntity", ""])
def test_items_that_refer_to_each_other_end(name: str) -> None:
    one = f"<div id=one><div itemscope {name} itemref=two><i itemprop=name>Oak</i></div></div>"
    two = f"<div id=two><div itemscope {name} itemref=one><i itemprop=name>Elm</i></div></div>"
    assert read(f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1>{one}{two}{TEXT}").title == HEADLINE


def test_what_a_thing_within_the_article_is_called_is_not_what_the_page_is_called() -> None:
    thing = "<div itemscope itemtype=https://schema.org/Thing>"
    deep = thing * 3 + "<i itemprop=description>of a thing</i>" + "</div>" * 3
    assert item(deep).description is None


def test_a_head_that_tells_the_type_of_page_is_not_completed_by_the_body() -> None:
    section = "<i itemprop=articleSection>Trees</i>"
    html = f"<h1>{HEADLINE}</h1><div itemscope itemtype=https://schema.org/Article>{section}{TEXT}</div>"
    assert read(f"<title>{HEADLINE}</title>{html}").categories == ("Trees",)
    assert read(f"<head><title>{HEADLINE}</title>{ARTICLE}</head>{html}").categories == ()


@pytest.mark.parametrize("part", ["<nav>{}</nav>", "<aside>{}</aside>", "<div class=sidebar>{}</div>", "<div>{}</div>"])
@pytest.mark.parametrize("also_beside", [True, False])
def test_what_holds_a_link_tells_whose_it_is(part: str, also_beside: bool) -> None:
    link = "<p><a rel=tag href=/c>cloud</a></p>"
    page = Page.parse(f"<h1>{HEADLINE}</h1>{TEXT}{part.format(link)}<footer>{link}</footer>")
    body = Body(page.tree, page.tree.find_all("h1")[0])
    links = page.tree.find_all("a")
    assert body.around(links).own(links, also_beside=also_beside) == body.own(links, also_beside=also_beside)


ITEM = "<div itemscope itemtype=https://schema.org/Article>"
HUGE = {
    "references": f"<div itemscope itemref='{' '.join(f'i{n}' for n in range(20_000))}'></div>"
    + "".join(f"<p id=i{n} itemprop=keywords>k</p>" for n in range(5_000)),
    "nested": "<div itemscope itemtype=https://schema.org/Thing>" * 20_000,
    "properties": ITEM + "<i itemprop=keywords>x</i>" * 50_000,
    "items": (ITEM + "<i itemprop=headline>x</i>") * 3_000,
    "entries": "<div class=h-entry><a class=p-name>x</a></div>" * 10_000,
    "names": f"{ITEM}<i itemprop='{'headline ' * 50_000}'>x</i>",
    "types": f"<div itemscope itemtype='{'https://schema.org/Article ' * 50_000}'><i itemprop=headline>x</i>",
    "metas": "<div itemprop=author itemscope><meta itemprop=description content=x>" * 10_000,
    "tags": "<a rel=tag href=/x>x</a>" * 20_000,
    "times": "<p>It came on <time datetime=2024-03-05>5 March 2024</time> and went away.</p>" * 10_000,
    "keywords": f"{ITEM}<p itemprop=keywords>" + "<a>x</a>" * 50_000,
    "addresses": "<article><h1>x</h1>" + "<address>Jane Doe" * 10_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_nothing_takes_longer_than_its_length(name: str) -> None:
    page = Page.parse(f"<title>{HEADLINE}</title>{HUGE[name]}", ADDRESS)
    start = process_time()
    Metadata.read(page, TODAY).as_dict()
    assert (
        process_time() - start < 10
    )  # it takes a second at most; every one of them was or would be minutes in a loop within a loop
