"""Choice of authors."""

from __future__ import annotations

from datetime import date

import pytest
from tests.metadata.metadata_pages import ARTICLE, TODAY, json_ld, meta, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.authors import author_candidates
from duramen.metadata.metadata import MIN_AUTHOR_CONFIDENCE
from duramen.metadata.model import Claim
from duramen.metadata.sources.collection import Sources

ARTICLE_DATA = '{"@type": "NewsArticle", "headline": "Old oaks", "author": AUTHOR, "publisher": {"name": "Acme"}}'


def article(author: str, head: str = "", url: str = "https://acme.example/x") -> Metadata:
    """A page with a short headline, whose JSON-LD alone names its authors."""
    html = f"{json_ld(ARTICLE_DATA.replace('AUTHOR', author))}{head}<h1>Old oaks</h1><p>They fall.</p>"
    return Metadata.read(Page.parse(html, url), TODAY)


def test_the_site_is_dropped_from_a_list_of_authors() -> None:
    jane, acme = '{"@type": "Person", "name": "Jane Doe"}', '{"@type": "Organization", "name": "Acme"}'
    assert names(article(f"[{jane}, {acme}]")) == ["Jane Doe"]
    assert names(article(f"[{jane}, {acme}]", '<meta name="author" content="Jane Doe">')) == ["Jane Doe"]
    assert names(article('["Jane Doe", "Acme.example"]')) == ["Jane Doe"]
    reuters = acme.replace("Acme", "Reuters")
    assert names(article(f"[{jane}, {reuters}]")) == ["Jane Doe", "Reuters"]


def test_a_person_with_the_name_of_the_host_is_kept() -> None:
    people = '[{"@type": "Person", "name": "Jane Doe"}, {"@type": "Person", "name": "John Roe"}]'
    head = '<meta name="author" content="Jane Doe, John Roe">'
    assert names(article(people, head, "https://janedoe.example/x")) == ["Jane Doe", "John Roe"]


@pytest.mark.parametrize("agency", ["Reuters", "Associated Press"])
def test_a_declared_news_agency_is_the_author(agency: str) -> None:
    author = f'{{"@type": "Organization", "name": "{agency}"}}'
    read = article(author)
    assert names(read) == [agency]
    assert read.authors[0].kind == "organization"
    how = read.evidence("authors")
    assert how is not None
    assert how.confidence == MIN_AUTHOR_CONFIDENCE
    assert names(article(author.replace(agency, "Acme"))) == []  # which is the site
    assert names(article(author, '<meta name="author" content="Jane Doe">')) != [agency]


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
def test_a_forum_is_recognized_by_its_url(address: str | None, is_forum: bool) -> None:
    sources = Sources(Page.parse("<h1>Old oaks</h1>", address), TODAY)
    context = sources.author_context(is_dated=True, body=False)
    assert (context.page_kind, context.is_dated) == ("forum" if is_forum else "page", True)
    assert sources.context.page_kind == "page"  # for all but authors
    (candidate,) = author_candidates([Claim("Jane Doe", "rel")], context)
    assert f"rel of {context.page_kind}" in candidate.evidence


def test_a_visible_person_goes_before_the_site_in_the_head() -> None:
    site = '<meta name="author" content="Wood"><meta property="og:site_name" content="Wood">'
    assert names(metadata(site, '<p class="byline">By <a rel="author" href="/jane">Jane Doe</a></p>')) == ["Jane Doe"]


def short(head: str, body: str = "", url: str | None = None) -> Metadata:
    """The metadata of a page with few words over it, from nowhere."""
    top = f"<html lang=en><head><title>How oak lasts</title>{head}</head>"
    text = "<p>The heartwood, which is dark and dry, lasts for centuries when it is kept from the rain.</p>" * 4
    html = f"{top}<body><main><article><h1>How oak lasts</h1>{body}{text}</article></main></body></html>"
    return Metadata.read(Page.parse(html, url), date(2026, 6, 1))


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (json_ld('{"@type": "NewsArticle", "author": {"@type": "Person", "name": "Jane Doe"}}'), ""),
        (meta(author="Jane Doe"), ""),
        (meta(citation_author="Doe, Jane"), ""),
        (meta(DC__creator="Jane Doe"), ""),
        ("", "<p class=h-entry><a class='p-author h-card' href=/jane>Jane Doe</a></p>"),
        ("", "<p vocab=https://schema.org/ typeof=Article><b property=author>Jane Doe</b></p>"),
        ("", "<p><a rel=author href=/jane>Jane Doe</a></p>"),
    ],
    ids=["json-ld", "meta", "citation", "dublin-core", "h-entry", "rdfa", "rel"],
)
def test_a_declared_author_without_contradiction_is_given(head: str, body: str) -> None:
    assert names(short(head, body)) == ["Jane Doe"]


@pytest.mark.parametrize("body", ["<p>By Jane Doe</p>", "<p class=byline>Jane Doe</p>"])
def test_a_byline_without_a_url_is_accepted(body: str) -> None:
    assert names(metadata("", body, url=None)) == ["Jane Doe"]


@pytest.mark.parametrize(
    ("head", "url"),
    [
        (meta(author="Jane Doe") + json_ld('{"@type": "Product", "name": "Oak"}'), None),
        (meta(author="Jane Doe"), "https://oak.example/"),
        (json_ld('{"@type": "Article", "author": {"@type": "Organization", "name": "Oak Works"}}'), None),
        (meta(author="Oak Works") + '<meta property="og:site_name" content="Oak Works">', "https://oak.example/shop/1"),
    ],
    ids=["a shop", "a home page", "an organisation", "the site"],
)
def test_the_owner_of_a_page_is_not_its_author(head: str, url: str | None) -> None:
    assert names(short(head, url=url)) == []


def test_an_author_declared_far_from_the_headline_is_rejected() -> None:
    maker = "<p itemscope itemtype=https://schema.org/WebPage>Site by <a itemprop=author>Jane Doe</a></p>"
    assert names(short("", "<p>Oak.</p>" * 70 + maker)) == []


def test_several_authors_are_each_named_once() -> None:
    head = json_ld('{"@type": "Article", "author": [{"name": "Jane Doe"}, {"name": "John Roe"}, {"name": "jane doe"}]}')
    assert names(metadata(head, "<p>By Jane Doe and John Roe</p>")) == ["Jane Doe", "John Roe"]


def test_organizations_and_persons_are_distinguished() -> None:
    head = '{"@type": "Article", "author": {"@type": "Organization", "name": "Oak and Elm Society"}}'
    (author,) = metadata(json_ld(head), "<p>By Oak and Elm Society</p>").authors
    assert (author.name, author.kind) == ("Oak and Elm Society", "organization")


@pytest.mark.parametrize(
    ("author", "authors"),
    [
        ("jane@wood.example (Jane Doe)", ["Jane Doe"]),
        ("jane@wood.example", []),
        ("https://social.example/jane", []),
        ("Newsletters", []),
    ],
)
def test_a_meta_author_is_a_name(author: str, authors: list[str]) -> None:
    assert names(metadata(f'{ARTICLE}<meta name="author" content="{author}">')) == authors


@pytest.mark.parametrize(
    "value", ["admin", "https://social.example/jane", "@jane", "By", "", "12345", "page.extra.author"]
)
def test_values_that_are_no_names_give_no_author(value: str) -> None:
    assert names(metadata(f'<meta name="author" content="{value}"><meta property="og:type" content="article">')) == []
