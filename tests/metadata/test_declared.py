"""What markup that is made for it declares is given, however little else a page shows."""

from __future__ import annotations

from datetime import date

import pytest
from tests.metadata.metadata_pages import HEADLINE, TODAY, json_ld, metadata, names

from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.metadata import Metadata
from duramen.metadata.claims import Claim
from duramen.metadata.reading import FIELDS, LEAST_SURE_AUTHOR, LEAST_SURE_DATE
from duramen.metadata.signs import author_options
from duramen.metadata.sources import Sources

ARTICLE = '{"@type": "NewsArticle", "headline": "Old oaks", "author": AUTHOR, "publisher": {"name": "Acme"}}'


def article(author: str, head: str = "", url: str = "https://acme.example/x") -> Metadata:
    """A page with a short headline, whose JSON-LD alone names its authors."""
    html = f"{json_ld(ARTICLE.replace('AUTHOR', author))}{head}<h1>Old oaks</h1><p>They fall.</p>"
    return Metadata.read(Page.parse(html, url), TODAY)


def test_the_site_is_left_out_of_a_list_that_names_others() -> None:
    jane, acme = '{"@type": "Person", "name": "Jane Doe"}', '{"@type": "Organization", "name": "Acme"}'
    assert names(article(f"[{jane}, {acme}]")) == ["Jane Doe"]
    assert names(article(f"[{jane}, {acme}]", '<meta name="author" content="Jane Doe">')) == ["Jane Doe"]
    assert names(article('["Jane Doe", "Acme.example"]')) == ["Jane Doe"]
    reuters = acme.replace("Acme", "Reuters")
    assert names(article(f"[{jane}, {reuters}]")) == ["Jane Doe", "Reuters"]


def test_a_person_whose_name_the_address_bears_is_not_left_out() -> None:
    people = '[{"@type": "Person", "name": "Jane Doe"}, {"@type": "Person", "name": "John Roe"}]'
    told = '<meta name="author" content="Jane Doe, John Roe">'
    assert names(article(people, told, "https://janedoe.example/x")) == ["Jane Doe", "John Roe"]


@pytest.mark.parametrize("agency", ["Reuters", "Associated Press"])
def test_an_agency_that_an_article_declares_is_its_author(agency: str) -> None:
    said = f'{{"@type": "Organization", "name": "{agency}"}}'
    read = article(said)
    assert names(read) == [agency]
    assert read.authors[0].kind == "organisation"
    how = read.how("authors")
    assert how is not None
    assert how.confidence == LEAST_SURE_AUTHOR
    assert names(article(said.replace(agency, "Acme"))) == []  # which is the site
    assert names(article(said, '<meta name="author" content="Jane Doe">')) != [agency]


def test_a_papers_citation_knows_its_authors() -> None:
    cited = '<meta name="citation_author" content="Doe, Jane"><meta name="citation_author" content="Roe, John">'
    read = metadata(f'{cited}<meta name="author" content="Journal Office"><meta name="dc.creator" content="Ann Poe">')
    assert names(read) == ["Jane Doe", "John Roe"]
    how = read.how("authors")
    assert how is not None
    assert how.source == "citation"


@pytest.mark.parametrize(
    "said",
    [
        '<meta property="article:published_time" content="2011-03-05">',
        json_ld('{"@type": "Article", "datePublished": "2011-03-05"}'),
        '<div class="hentry"><abbr class="published" title="2011-03-05">5 March</abbr></div>',
        '<div vocab="https://schema.org/" typeof="Article"><i property="datePublished" content="2011-03-05"></i></div>',
    ],
    ids=["open-graph", "json-ld", "hatom", "rdfa"],
)
def test_a_declared_day_is_not_passed_over(said: str) -> None:
    page = Page.parse(f"{said}<h1>Oak tables</h1><p>They stand.</p>", "https://acme.example/shop/oak")
    assert Metadata.read(page, TODAY).published == date(2011, 3, 5)


def test_a_day_that_is_only_shown_has_to_be_likelier() -> None:
    shown = "<p>They stand.</p>" * 40 + "<p>5 March 2011</p>"
    page = Page.parse(f"<h1>Oak tables</h1>{shown}", "https://acme.example/shop/oak")
    how = Metadata.read(page, TODAY).how("published")
    assert how is None or how.confidence >= LEAST_SURE_DATE


@pytest.mark.parametrize("sources", [1, 2])
def test_the_body_tells_which_of_two_figures_is_the_month(sources: int) -> None:
    head = "".join(
        f'<meta {name} content="09/03/2024">' for name in ('property="article:published_time"', 'name="date"')[:sources]
    )
    assert metadata(head, "<p>9 March 2024</p>").published == date(2024, 3, 9)
    assert metadata(head, "<p>September 3, 2024</p>").published == date(2024, 9, 3)
    assert metadata(head).published == date(2024, 9, 3)  # as Americans write it


@pytest.mark.parametrize(
    ("address", "is_forum"),
    [
        ("https://wood.example/viewtopic.php?t=3", True),
        ("https://wood.example/showthread.php?t=3", True),
        ("https://wood.example/t/old-oaks/12", True),
        ("https://forum.wood.example/x", True),
        ("https://community.wood.example/x", True),
        ("https://wood.example/topic/oaks", False),
        ("https://wood.example/2024/communities.html", False),
        (None, False),
    ],
)
def test_a_forum_is_known_by_its_address(address: str | None, is_forum: bool) -> None:
    sources = Sources(Page.parse("<h1>Old oaks</h1>", address), TODAY)
    setting = sources.setting_of_authors(is_dated=True, body=False)
    assert (setting.kind, setting.is_dated) == ("forum" if is_forum else "page", True)
    assert sources.setting.kind == "page"  # for all but authors
    (option,) = author_options([Claim("Jane Doe", "rel")], setting)
    assert f"rel of {setting.kind}" in option.signs


@pytest.mark.parametrize(
    ("head", "url", "found"),
    [
        ("", "https://acme.example/a/x", "https://acme.example/jd"),
        ('<base href="https://cdn.example/b/">', "https://acme.example/a/x", "https://cdn.example/jd"),
        ("", None, "/jd"),
    ],
)
def test_the_address_of_an_author_is_whole_where_the_pages_is_known(head: str, url: str | None, found: str) -> None:
    ld = json_ld('{"@type": "Article", "author": {"@type": "Person", "name": "Jane Doe", "url": "/jd"}}')
    html = f"<head>{head}{ld}</head><h1>{HEADLINE}</h1><p>They fall.</p>"
    assert Metadata.read(Page.parse(html, url), TODAY).authors[0].url == found


def test_a_field_that_there_is_not() -> None:
    with pytest.raises(UsageError, match=r"'nonsense'.*title.*images"):
        metadata().how("nonsense")
    for name in FIELDS:
        metadata().how(name)


def test_what_is_no_picture() -> None:
    images = (
        '<img src="javascript:void(0)"><img src="/dot.gif" width="1" height="1"><img src="/oak.png" width="1">'
        '<img src="about:blank" data-src="/late.png">'
    )
    assert [image.url for image in metadata(body=images).images] == [
        "https://wood.example/oak.png",
        "https://wood.example/late.png",
    ]


def test_a_site_that_the_head_names_may_name_somebody_to_its_readers() -> None:
    site = '<meta name="author" content="Wood"><meta property="og:site_name" content="Wood">'
    assert names(metadata(site, '<p class="byline">By <a rel="author" href="/jane">Jane Doe</a></p>')) == ["Jane Doe"]


SHORT = "How oak lasts"
LONG_TEXT = "<p>The heartwood, which is dark and dry, lasts for centuries when it is kept from the rain.</p>" * 12


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("<address><a rel=author href=/jane>Jane Doe</a></address>", ["Jane Doe"]),
        ("<address class=author>Jane Doe</address>", ["Jane Doe"]),
        ("<address>Jane Doe</address>", ["Jane Doe"]),
        ("<address><a href=mailto:jane@wood.example>Jane Doe</a></address>", ["Jane Doe"]),
        ("<address>12 Oak Lane, Woodtown</address>", []),
        ("<address class=author>12 Oak Lane, Woodtown</address>", []),
        ("<address>Oak House, Elm Street, London</address>", []),
        ("<address>Elm Street</address>", []),
        ("<address>Jane Doe<br>12 Oak Lane<br>Woodtown</address>", []),
        ("<address><a href=mailto:jane@wood.example>jane@wood.example</a></address>", []),
        ("<address>Contact: 555 1234</address>", []),
        ("<address></address>", []),
    ],
)
@pytest.mark.parametrize("headline", [SHORT, HEADLINE])
@pytest.mark.parametrize("place", ["before the text", "after it"])
def test_the_address_of_an_article_is_its_authors(address: str, named: list[str], headline: str, place: str) -> None:
    parts = [address, LONG_TEXT] if place == "before the text" else [LONG_TEXT, address]
    html = f"<title>{headline}</title><article><h1>{headline}</h1>{''.join(parts)}</article>"
    assert names(Metadata.read(Page.parse(html), TODAY)) == named


def test_an_address_outside_of_the_article_is_the_sites() -> None:
    page = f"<title>{SHORT}</title><article><h1>{SHORT}</h1>{LONG_TEXT}</article><address>Jane Doe</address>"
    assert names(Metadata.read(Page.parse(page), TODAY)) == []
