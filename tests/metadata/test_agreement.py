"""What two sources of the head agree on is not weighed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from tests.metadata.metadata_pages import HEADLINE, json_ld, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.agreement import agreed_date, agreed_title, settled_authors

ARTICLE = '<meta property="og:type" content="article">'


def test_a_heading_and_the_title_agree_but_for_the_site_and_the_section() -> None:
    page = Page.parse(f"<title>{HEADLINE} - Trees - The Forester</title><h1>The Forester</h1><h1>{HEADLINE}</h1>")
    assert Metadata.read(page).title == HEADLINE


def test_a_heading_that_og_title_contradicts_is_not_agreed_upon() -> None:
    head = '<title>Lessons of wood: The lean oak</title><meta property="og:title" content="The lean oak">'
    page = Page.parse(f"{head}<h1>Lessons of wood</h1><h2>The lean oak</h2>")
    assert agreed_title(Metadata.read(page).sources) is None


@pytest.mark.parametrize("said", ["Jane Doe", "By Jane Doe", "Dr. Jane Doe", "JANE DOE"])
def test_authors_are_the_same_however_they_are_written(said: str) -> None:
    described = json_ld('{"@type": "Article", "author": {"name": "Jane Doe"}}')
    read = metadata(f'{described}<meta name="author" content="{said}">', "<p>By John Roe</p>")
    assert names(read) == ["Jane Doe"]
    assert "body" not in vars(read.sources)


def test_authors_that_differ_are_weighed_with_what_readers_see() -> None:
    described = json_ld('{"@type": "Article", "author": {"name": "Jane Doe"}}')
    read = metadata(
        f'{ARTICLE}{described}<meta name="author" content="John Roe">', "<p>By Jane Doe</p><p>5 May 2024</p>"
    )
    assert names(read) == ["Jane Doe"]


def test_of_one_day_the_exact_moment_is_kept() -> None:
    described = json_ld('{"@type": "Article", "datePublished": "2024-03-05"}')
    head = f'{described}<meta property="article:published_time" content="2024-03-05T08:00:00Z">'
    assert metadata(head).published == datetime(2024, 3, 5, 8, tzinfo=UTC)


def test_another_source_tells_whether_the_day_or_the_month_comes_first() -> None:
    shown = "<span class=date>03/10/2023</span>"
    assert metadata("", shown).published == date(2023, 3, 10)
    assert metadata("", shown, url="https://wood.example/blog/2023/october/03/oaks").published == date(2023, 10, 3)
    described = json_ld('{"@type": "Article", "datePublished": "2024-09-10"}')
    assert metadata(described, "<span class=date>09.10.2024</span>").published == date(2024, 9, 10)


def test_two_dates_that_cannot_be_told_apart_tell_nothing_of_each_other() -> None:
    assert metadata("", "<p class=date>04/05/2023</p><p>Updated 05/04/2023</p>").published == date(2023, 4, 5)


def test_an_agreed_day_of_the_future_is_not_believed() -> None:
    described = json_ld('{"@type": "Article", "datePublished": "2999-03-05"}')
    head = f'{described}<meta property="article:published_time" content="2999-03-05">'
    assert metadata(head, "<p>5 March 2024</p>").published == date(2024, 3, 5)


def test_title_and_language_of_an_agreed_page_need_no_json_ld() -> None:
    read = metadata(json_ld('{"@type": "Article", "headline": "Elms"}'))
    assert (read.title, read.language) == (HEADLINE, "en")
    assert "things" not in vars(read.sources)


PAPER = json_ld(
    '{"@type": "NewsArticle", "author": {"@type": "Organization", "name": "w-tv NEWS"},'
    ' "publisher": {"name": "w-tv NEWS"}}'
)


def test_a_site_that_names_itself_twice_is_not_agreed_upon() -> None:
    head = f'{ARTICLE}{PAPER}<meta name="author" content="w-tv NEWS">'
    alone = metadata(head, url="https://www.w-tv.example/oaks").how("authors")
    assert alone is None or alone.confidence < 0.9
    shown = '<p class="byline">By Jane Doe</p>'
    assert names(metadata(head, shown, url="https://www.w-tv.example/oaks")) == ["Jane Doe"]


def test_a_site_with_the_shape_of_a_name_is_not_agreed_upon() -> None:
    described = json_ld('{"@type": "NewsArticle", "author": "Forest Daily", "publisher": {"name": "Forest Daily"}}')
    read = metadata(f'{described}<meta name="author" content="Forest Daily">', "<p>By <a rel=author>Jane Doe</a></p>")
    assert names(read) == ["Jane Doe"]


def test_a_person_whose_site_bears_the_name_is_agreed_upon() -> None:
    described = json_ld('{"@type": "Article", "author": {"@type": "Person", "name": "Jane Doe"}}')
    read = metadata(f'{described}<meta name="author" content="Jane Doe">', url="https://janedoe.example/oaks")
    found = read.how("authors")
    assert names(read) == ["Jane Doe"]
    assert found is not None
    assert found.confidence > 0.9


HEADLINED = '<title>{}</title><meta property="og:title" content="{}">'.format(*["12 facts on oaks that fall"] * 2)


def test_a_heading_that_is_the_headline_of_the_article_is_the_title() -> None:
    described = json_ld(f'{{"@type": "NewsArticle", "headline": "{HEADLINE}"}}')
    found = metadata(HEADLINED + described).how("title")
    assert found is not None
    assert (found.value, found.source) == (HEADLINE, "heading")
    assert agreed_title(metadata(HEADLINED + described).sources) == found
    assert agreed_title(metadata(HEADLINED).sources) is None


@pytest.mark.parametrize("of", ["WebPage", "Product", "Organization", "VideoObject", "QAPage", "Recipe"])
def test_a_name_is_no_headline(of: str) -> None:
    described = json_ld(f'{{"@type": "{of}", "name": "{HEADLINE}"}}')
    assert agreed_title(metadata(HEADLINED + described).sources) is None


def test_a_headline_gives_way_to_a_heading_that_the_title_repeats() -> None:
    described = json_ld(f'{{"@type": "BlogPosting", "headline": "{HEADLINE}"}}')
    assert metadata(HEADLINED + described, "<h2>12 facts on oaks that fall</h2>").title == "12 facts on oaks that fall"


def test_a_headline_that_is_cut_off_is_not_the_title() -> None:
    described = json_ld('{"@type": "BlogPosting", "headline": "Twelve facts on oaks that…"}')
    found = metadata(HEADLINED + described, "<h1>Twelve facts on oaks that…</h1>").how("title")
    assert found is not None
    assert found.value != "Twelve facts on oaks that…"


def test_a_heading_that_names_the_site_is_not_the_title() -> None:
    described = json_ld(f'{{"@type": "NewsArticle", "headline": "{HEADLINE}", "publisher": {{"name": "{HEADLINE}"}}}}')
    assert agreed_title(metadata(HEADLINED + described).sources) is None


STAMP = '<meta property="article:published_time" content="{}">'
POSTED = '{"@type": "DiscussionForumPosting", "datePublished": "2024-03-05T08:00:00Z"}'


@pytest.mark.parametrize("head", [STAMP.format("2024-03-05T08:00:00Z"), json_ld(POSTED)])
def test_a_stamp_needs_no_other_source(head: str) -> None:
    read = metadata(head, "<p>9 June 2023</p>")
    assert read.published == datetime(2024, 3, 5, 8, tzinfo=UTC)
    assert "body" not in vars(read.sources)


def test_a_stamp_of_another_day_than_the_address_is_weighed() -> None:
    address = "https://wood.example/2024/03/04/oaks"  # it was evening there
    assert agreed_date(metadata(STAMP.format("2024-03-05T02:00:00Z"), url=address).sources) is None
    assert agreed_date(metadata(STAMP.format("2024-03-05T02:00:00Z")).sources) is not None
    assert agreed_date(metadata(STAMP.format("2024-03-04T20:00:00-06:00"), url=address).sources) is not None


@pytest.mark.parametrize("said", ["2024-03-05", "05/03/2024 08:00", "2999-03-05T08:00:00Z", "soon", ""])
def test_what_is_no_moment_is_no_stamp(said: str) -> None:
    assert agreed_date(metadata(STAMP.format(said)).sources) is None


FORUM = '{"@type": "DiscussionForumPosting", "author": {"@type": "%s", "name": "old_oak"}}'


def test_a_forum_knows_who_posted() -> None:
    read = metadata(json_ld(FORUM % "Person"), "<p>By Jane Doe</p>")
    assert names(read) == ["old_oak"]
    assert "body" not in vars(read.sources)


@pytest.mark.parametrize("head", ["", json_ld(FORUM % "Organization"), json_ld(FORUM.replace('"@type": "%s", ', ""))])
def test_who_is_not_said_to_be_a_person_is_weighed(head: str) -> None:
    assert settled_authors(metadata(head).sources) is None


POST = '{"@type": "DiscussionForumPosting", "author": {"@type": "Person", "name": "%s"}}'


@pytest.mark.parametrize("name", ["Wood Forum", "woodforum", "deleted user", "unregistered"])
def test_a_forum_that_names_itself_or_nobody_is_not_believed(name: str) -> None:
    head = '<meta property="og:site_name" content="Wood Forum">' + json_ld(POST % name)
    url = "https://forum.woodforum.example/threads/oaks.1"
    assert settled_authors(metadata(head, url=url).sources) is None
    shown = "<p>Posted by <a rel=author class=username href=/u/1>old_oak</a></p>"
    assert names(metadata(head, shown, url=url)) == ["old_oak"]


def test_who_hides_is_weighed() -> None:
    assert settled_authors(metadata(json_ld(POST % "Anonymous")).sources) is None


def test_all_who_post_are_weighed() -> None:
    posts = ", ".join(POST % name for name in ("Jane Doe", "John Roe", "old_oak"))
    assert settled_authors(metadata(json_ld(f"[{posts}]")).sources) is None


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
def test_a_shop_and_a_home_page_are_weighed(head: str, url: str) -> None:
    sources = metadata(head, url=url).sources
    assert agreed_date(sources) is None
    assert settled_authors(sources) is None


def test_a_day_that_may_be_a_month_is_weighed_though_another_claim_cannot_be_read() -> None:
    head = STAMP.format("n/a") + STAMP.format("05/03/2024 08:00 +0000")
    assert agreed_date(metadata(head).sources) is None
    assert metadata(head, "<time datetime=2024-03-05>5 March 2024</time>").published == date(2024, 3, 5)


DATED = "https://wood.example/2024/03/05/oaks"
UPDATED = "<p>Published March 5, 2024</p><p>Updated March 7, 2024</p>"


def test_where_the_body_tells_the_day_it_tells_the_change() -> None:
    html = f"<html lang=en><title>Wood</title><meta property=og:type content=website><h1>Wood</h1>{UPDATED}"
    read = Metadata.read(Page.parse(html, DATED), date(2026, 6, 1))
    assert (read.published, read.modified) == (date(2024, 3, 5), date(2024, 3, 7))
    assert "body" in vars(read.sources)


def test_where_the_address_is_sure_of_the_day_the_body_is_not_read_for_the_change() -> None:
    read = metadata(ARTICLE, UPDATED, url=DATED)
    assert (read.published, read.modified) == (date(2024, 3, 5), None)
    assert "body" not in vars(read.sources)
    untold = metadata("", UPDATED, url=DATED)  # no type of page
    assert (untold.published, untold.modified) == (date(2024, 3, 5), date(2024, 3, 7))


def test_who_posted_is_weighed_where_another_is_named() -> None:
    head = json_ld(FORUM % "Person") + '<meta name="author" content="Jane Doe">'
    assert settled_authors(metadata(head).sources) is None
