"""Answers without scoring."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from tests.metadata.metadata_pages import ARTICLE, HEADLINE, TODAY, json_ld, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata, shortcuts
from duramen.metadata.shortcuts import find_agreed_date, find_agreed_title, find_certain_authors


def test_title_is_a_heading_that_equals_title_without_site_and_section() -> None:
    page = Page.parse(f"<title>{HEADLINE} - Trees - The Forester</title><h1>The Forester</h1><h1>{HEADLINE}</h1>")
    assert Metadata.read(page).title == HEADLINE


def test_no_shortcut_if_og_title_contradicts_the_heading() -> None:
    head = '<title>Lessons of wood: The lean oak</title><meta property="og:title" content="The lean oak">'
    page = Page.parse(f"{head}<h1>Lessons of wood</h1><h2>The lean oak</h2>")
    assert find_agreed_title(Metadata.read(page).sources) is None


@pytest.mark.parametrize("value", ["Jane Doe", "By Jane Doe", "Dr. Jane Doe", "JANE DOE"])
def test_spellings_of_one_author_agree(value: str) -> None:
    described = json_ld('{"@type": "Article", "author": {"name": "Jane Doe"}}')
    read = metadata(f'{described}<meta name="author" content="{value}">', "<p>By John Roe</p>")
    assert names(read) == ["Jane Doe"]
    assert "body" not in vars(read.sources)


def test_different_authors_in_the_head_are_scored_with_the_body() -> None:
    described = json_ld('{"@type": "Article", "author": {"name": "Jane Doe"}}')
    read = metadata(
        f'{ARTICLE}{described}<meta name="author" content="John Roe">', "<p>By Jane Doe</p><p>5 May 2024</p>"
    )
    assert names(read) == ["Jane Doe"]


def test_the_exact_time_of_an_agreed_day_is_kept() -> None:
    described = json_ld('{"@type": "Article", "datePublished": "2024-03-05"}')
    head = f'{described}<meta property="article:published_time" content="2024-03-05T08:00:00Z">'
    assert metadata(head).published == datetime(2024, 3, 5, 8, tzinfo=UTC)


def test_an_agreed_future_day_is_rejected() -> None:
    described = json_ld('{"@type": "Article", "datePublished": "2999-03-05"}')
    head = f'{described}<meta property="article:published_time" content="2999-03-05">'
    assert metadata(head, "<p>5 March 2024</p>").published == date(2024, 3, 5)


def test_agreed_title_and_language_need_no_json_ld() -> None:
    read = metadata(json_ld('{"@type": "Article", "headline": "Elms"}'))
    assert (read.title, read.language) == (HEADLINE, "en")
    assert "json_ld_things" not in vars(read.sources)


PAPER = json_ld(
    '{"@type": "NewsArticle", "author": {"@type": "Organization", "name": "w-tv NEWS"},'
    ' "publisher": {"name": "w-tv NEWS"}}'
)


def test_a_site_that_names_itself_twice_is_not_an_agreed_author() -> None:
    head = f'{ARTICLE}{PAPER}<meta name="author" content="w-tv NEWS">'
    alone = metadata(head, url="https://www.w-tv.example/oaks").evidence("authors")
    assert alone is None or alone.confidence < 0.9
    shown = '<p class="byline">By Jane Doe</p>'
    assert names(metadata(head, shown, url="https://www.w-tv.example/oaks")) == ["Jane Doe"]


def test_a_site_named_like_a_person_is_not_an_agreed_author() -> None:
    described = json_ld('{"@type": "NewsArticle", "author": "Forest Daily", "publisher": {"name": "Forest Daily"}}')
    read = metadata(f'{described}<meta name="author" content="Forest Daily">', "<p>By <a rel=author>Jane Doe</a></p>")
    assert names(read) == ["Jane Doe"]


def test_a_person_with_the_name_of_the_site_is_an_agreed_author() -> None:
    described = json_ld('{"@type": "Article", "author": {"@type": "Person", "name": "Jane Doe"}}')
    read = metadata(f'{described}<meta name="author" content="Jane Doe">', url="https://janedoe.example/oaks")
    found = read.evidence("authors")
    assert names(read) == ["Jane Doe"]
    assert found is not None
    assert found.confidence > 0.9


HEADLINED = '<title>{}</title><meta property="og:title" content="{}">'.format(*["12 facts on oaks that fall"] * 2)


def test_a_heading_equal_to_the_json_ld_headline_is_the_title() -> None:
    described = json_ld(f'{{"@type": "NewsArticle", "headline": "{HEADLINE}"}}')
    found = metadata(HEADLINED + described).evidence("title")
    assert found is not None
    assert (found.value, found.source) == (HEADLINE, "heading")
    assert find_agreed_title(metadata(HEADLINED + described).sources) == found
    assert find_agreed_title(metadata(HEADLINED).sources) is None


@pytest.mark.parametrize("of", ["WebPage", "Product", "Organization", "VideoObject", "QAPage", "Recipe"])
def test_the_name_of_another_type_is_not_a_headline(of: str) -> None:
    described = json_ld(f'{{"@type": "{of}", "name": "{HEADLINE}"}}')
    assert find_agreed_title(metadata(HEADLINED + described).sources) is None


def test_an_h2_repeated_in_the_title_goes_before_the_json_ld_headline() -> None:
    described = json_ld(f'{{"@type": "BlogPosting", "headline": "{HEADLINE}"}}')
    assert metadata(HEADLINED + described, "<h2>12 facts on oaks that fall</h2>").title == "12 facts on oaks that fall"


def test_a_truncated_headline_is_not_the_title() -> None:
    described = json_ld('{"@type": "BlogPosting", "headline": "Twelve facts on oaks that…"}')
    found = metadata(HEADLINED + described, "<h1>Twelve facts on oaks that…</h1>").evidence("title")
    assert found is not None
    assert found.value != "Twelve facts on oaks that…"


def test_a_heading_that_names_the_site_is_not_the_title() -> None:
    described = json_ld(f'{{"@type": "NewsArticle", "headline": "{HEADLINE}", "publisher": {{"name": "{HEADLINE}"}}}}')
    assert find_agreed_title(metadata(HEADLINED + described).sources) is None


STAMP = '<meta property="article:published_time" content="{}">'


POSTED = '{"@type": "DiscussionForumPosting", "datePublished": "2024-03-05T08:00:00Z"}'


@pytest.mark.parametrize("head", [STAMP.format("2024-03-05T08:00:00Z"), json_ld(POSTED)])
def test_a_software_timestamp_needs_no_second_source(head: str) -> None:
    read = metadata(head, "<p>9 June 2023</p>")
    assert read.published == datetime(2024, 3, 5, 8, tzinfo=UTC)
    assert "body" not in vars(read.sources)


def test_a_timestamp_that_differs_from_the_url_is_scored() -> None:
    address = "https://wood.example/2024/03/04/oaks"  # it was evening there
    assert find_agreed_date(metadata(STAMP.format("2024-03-05T02:00:00Z"), url=address).sources) is None
    assert find_agreed_date(metadata(STAMP.format("2024-03-05T02:00:00Z")).sources) is not None
    assert find_agreed_date(metadata(STAMP.format("2024-03-04T20:00:00-06:00"), url=address).sources) is not None


@pytest.mark.parametrize("value", ["2024-03-05", "05/03/2024 08:00", "2999-03-05T08:00:00Z", "soon", ""])
def test_a_timestamp_without_exact_time_is_scored(value: str) -> None:
    assert find_agreed_date(metadata(STAMP.format(value)).sources) is None


FORUM = '{"@type": "DiscussionForumPosting", "author": {"@type": "%s", "name": "old_oak"}}'


def test_the_poster_in_forum_json_ld_is_the_author() -> None:
    read = metadata(json_ld(FORUM % "Person"), "<p>By Jane Doe</p>")
    assert names(read) == ["old_oak"]
    assert "body" not in vars(read.sources)


@pytest.mark.parametrize("head", ["", json_ld(FORUM % "Organization"), json_ld(FORUM.replace('"@type": "%s", ', ""))])
def test_a_poster_of_unknown_kind_is_scored(head: str) -> None:
    assert find_certain_authors(metadata(head).sources) is None


POST = '{"@type": "DiscussionForumPosting", "author": {"@type": "Person", "name": "%s"}}'


@pytest.mark.parametrize("name", ["Wood Forum", "woodforum", "deleted user", "unregistered"])
def test_a_forum_as_its_own_author_is_rejected(name: str) -> None:
    head = '<meta property="og:site_name" content="Wood Forum">' + json_ld(POST % name)
    url = "https://forum.woodforum.example/threads/oaks.1"
    assert find_certain_authors(metadata(head, url=url).sources) is None
    shown = "<p>Posted by <a rel=author class=username href=/u/1>old_oak</a></p>"
    assert names(metadata(head, shown, url=url)) == ["old_oak"]


def test_an_anonymous_poster_is_scored() -> None:
    assert find_certain_authors(metadata(json_ld(POST % "Anonymous")).sources) is None


def test_several_posters_are_scored() -> None:
    posts = ", ".join(POST % name for name in ("Jane Doe", "John Roe", "old_oak"))
    assert find_certain_authors(metadata(json_ld(f"[{posts}]")).sources) is None


STAMPED = STAMP.format("2015-01-01T08:00:00Z") + "<meta name=author content='Jane Doe'>"


WARE = json_ld('{"@type": "Product", "name": "Oak table"}')


ASKED = json_ld(
    '{"@type": "Question", "name": "Is oak hard?", "dateCreated": "2024-03-05T08:00:00Z",'
    ' "author": {"@type": "Person", "name": "Jane Roe"}}'
)


@pytest.mark.parametrize(
    ("head", "url"),
    [
        (STAMPED, "https://wood.example/"),
        (STAMPED, "https://wood.example/product/oak-table"),
        (STAMPED + WARE, "https://wood.example/oak-table"),
        (STAMPED + '<meta property="og:type" content="og:product">', "https://wood.example/oak-table"),
        (ASKED, "https://wood.example/product/oak-table"),
        (ASKED + WARE, "https://wood.example/oak-table"),
    ],
)
def test_shop_and_home_pages_are_scored(head: str, url: str) -> None:
    sources = metadata(head, url=url).sources
    assert find_agreed_date(sources) is None
    assert find_certain_authors(sources) is None


def test_an_ambiguous_day_is_scored_beside_an_unreadable_one() -> None:
    head = STAMP.format("n/a") + STAMP.format("05/03/2024 08:00 +0000")
    assert find_agreed_date(metadata(head).sources) is None
    assert metadata(head, "<time datetime=2024-03-05>5 March 2024</time>").published == date(2024, 3, 5)


def test_a_poster_is_scored_if_another_author_is_named() -> None:
    head = json_ld(FORUM % "Person") + '<meta name="author" content="Jane Doe">'
    assert find_certain_authors(metadata(head).sources) is None


@pytest.mark.parametrize("name", ["Ann Oak", "Ann Oak, Ben Elm", "ann", "By Ann Oak"])
@pytest.mark.parametrize("other", ["Ann Oak", "Ben Elm"])
def test_quick_checks_do_not_change_the_agreement(name: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page.parse(
        f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1><meta name=author content='{name}'>"
        f"<meta property=article:author content='{other}'><meta property=og:title content='{HEADLINE}'>"
        "<meta name=date content=2024-05-03><meta property=article:published_time content=2024-05-03>"
    )
    quick = Metadata.read(page, TODAY).as_dict()
    monkeypatch.setattr(shortcuts, "is_plain_name", lambda value: False)
    monkeypatch.setattr(shortcuts, "has_separator", lambda title: True)
    assert Metadata.read(page, TODAY).as_dict() == quick


def test_citation_authors_are_accepted() -> None:
    cited = '<meta name="citation_author" content="Doe, Jane"><meta name="citation_author" content="Roe, John">'
    read = metadata(f'{cited}<meta name="author" content="Journal Office"><meta name="dc.creator" content="Ann Poe">')
    assert names(read) == ["Jane Doe", "John Roe"]
    how = read.evidence("authors")
    assert how is not None
    assert how.source == "citation"
