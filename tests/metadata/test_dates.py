"""Publication and modification dates."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from tests.metadata.metadata_pages import ARTICLE, TODAY, json_ld, metadata

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.metadata import MIN_DATE_CONFIDENCE


def test_another_source_resolves_an_ambiguous_day() -> None:
    shown = "<span class=date>03/10/2023</span>"
    assert metadata("", shown).published == date(2023, 3, 10)
    assert metadata("", shown, url="https://wood.example/blog/2023/october/03/oaks").published == date(2023, 10, 3)
    described = json_ld('{"@type": "Article", "datePublished": "2024-09-10"}')
    assert metadata(described, "<span class=date>09.10.2024</span>").published == date(2024, 9, 10)


def test_two_ambiguous_dates_do_not_resolve_each_other() -> None:
    assert metadata("", "<p class=date>04/05/2023</p><p>Updated 05/04/2023</p>").published == date(2023, 4, 5)


DATED = "https://wood.example/2024/03/05/oaks"


UPDATED = "<p>Published March 5, 2024</p><p>Updated March 7, 2024</p>"


def test_modified_is_read_from_the_body_if_published_is() -> None:
    html = f"<html lang=en><title>Wood</title><meta property=og:type content=website><h1>Wood</h1>{UPDATED}"
    read = Metadata.read(Page.parse(html, DATED), date(2026, 6, 1))
    assert (read.published, read.modified) == (date(2024, 3, 5), date(2024, 3, 7))
    assert "body" in vars(read.sources)


def test_body_is_not_read_for_modified_if_the_url_is_certain() -> None:
    read = metadata(ARTICLE, UPDATED, url=DATED)
    assert (read.published, read.modified) == (date(2024, 3, 5), None)
    assert "body" not in vars(read.sources)
    untold = metadata("", UPDATED, url=DATED)  # no type of page
    assert (untold.published, untold.modified) == (date(2024, 3, 5), date(2024, 3, 7))


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2011-03-05">',
        json_ld('{"@type": "Article", "datePublished": "2011-03-05"}'),
        '<div class="hentry"><abbr class="published" title="2011-03-05">5 March</abbr></div>',
        '<div vocab="https://schema.org/" typeof="Article"><i property="datePublished" content="2011-03-05"></i></div>',
    ],
    ids=["open-graph", "json-ld", "hatom", "rdfa"],
)
def test_a_declared_publication_day_is_always_given(head: str) -> None:
    page = Page.parse(f"{head}<h1>Oak tables</h1><p>They stand.</p>", "https://acme.example/shop/oak")
    assert Metadata.read(page, TODAY).published == date(2011, 3, 5)


def test_a_shown_day_needs_the_minimum_confidence() -> None:
    shown = "<p>They stand.</p>" * 40 + "<p>5 March 2011</p>"
    page = Page.parse(f"<h1>Oak tables</h1>{shown}", "https://acme.example/shop/oak")
    how = Metadata.read(page, TODAY).evidence("published")
    assert how is None or how.confidence >= MIN_DATE_CONFIDENCE


@pytest.mark.parametrize("sources", [1, 2])
def test_the_body_resolves_an_ambiguous_day_of_the_head(sources: int) -> None:
    head = "".join(
        f'<meta {name} content="09/03/2024">' for name in ('property="article:published_time"', 'name="date"')[:sources]
    )
    assert metadata(head, "<p>9 March 2024</p>").published == date(2024, 3, 9)
    assert metadata(head, "<p>September 3, 2024</p>").published == date(2024, 9, 3)
    assert metadata(head).published == date(2024, 9, 3)  # as Americans write it


def test_a_time_needs_a_zone() -> None:
    published = "article:published_time"
    zone = timezone(timedelta(hours=2))
    aware = metadata(f'{ARTICLE}<meta property="{published}" content="2024-03-05T10:30:00+02:00">')
    bare = metadata(f'{ARTICLE}<meta property="{published}" content="2024-03-05T10:30:00">')
    assert aware.published == datetime(2024, 3, 5, 10, 30, tzinfo=zone)
    assert bare.published == date(2024, 3, 5)


def test_modified_is_separate_from_published() -> None:
    head = '{"@type": "Article", "datePublished": "2024-03-05T08:00:00Z", "dateModified": "2024-04-01T08:00:00Z"}'
    read = metadata(json_ld(head))
    assert read.published == datetime(2024, 3, 5, 8, tzinfo=UTC)
    assert read.modified == datetime(2024, 4, 1, 8, tzinfo=UTC)


def test_visible_modification_date_is_read() -> None:
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
def test_impossible_years_are_rejected_in_every_source(form: str, year: str) -> None:
    assert metadata(ARTICLE, form.format(f"{year}-01-01T00:00:00Z")).published is None


def test_no_date_is_in_the_future() -> None:
    page = Page.parse('<meta property="article:published_time" content="2030-01-01"><h1>Oaks</h1>')
    assert Metadata.read(page, date(2029, 12, 31)).published is None
    assert Metadata.read(page, date(2030, 1, 1)).published == date(2030, 1, 1)


def test_modified_before_published_is_rejected() -> None:
    published = '<meta property="article:published_time" content="2024-03-05">'
    modified = '<meta property="article:modified_time" content="2023-01-01">'
    assert metadata(published + modified).modified is None


def test_modified_before_published_does_not_become_published() -> None:
    article = '{"@type": "NewsArticle", "datePublished": "2024-03-05", "dateModified": "2023-01-01"}'
    read = metadata(json_ld(article), url=None)
    assert (read.published, read.modified) == (date(2024, 3, 5), None)
