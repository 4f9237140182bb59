"""Pages made to break a reader of metadata."""

from __future__ import annotations

import json
import pickle
from datetime import date
from time import process_time

import pytest
from tests.metadata.metadata_pages import HEADLINE, TEXT, TODAY, URL, json_ld, metadata, names, read_body

import duramen
from duramen.dom.page import Page
from duramen.metadata import Metadata


def test_a_megabyte_of_microdata() -> None:
    item = (
        '<div itemscope itemtype="https://schema.org/Article"><i itemprop="headline">Oaks</i><b itemprop="image"></b>'
    )
    assert len(item * 10_000) > 1_000_000
    assert read_body(f"<h1>{HEADLINE}</h1>{item * 10_000}").title == HEADLINE
    flat = read_body(f"<h1>{HEADLINE}</h1>" + (item + "</div>") * 10_000)
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
    found = read_body(opening * 100_000 + "Oaks and elms")
    assert found.as_dict()["images"] == []


def test_lone_surrogates_in_microdata() -> None:
    found = read_body(
        f'<div itemscope itemtype="https://schema.org/Article"><h1>{HEADLINE}</h1>'
        '<p itemprop="description" content="Oaks \ud800 elms">x</p>' + TEXT
    )
    assert (found.description or "").encode()


def test_a_megabyte_of_json_ld() -> None:
    padding = [{"@type": "Comment", "text": "x" * 90, "author": {"name": "Nobody"}} for _ in range(8000)]
    data = {"@type": "Article", "author": {"name": "Jane Doe"}, "datePublished": "2024-03-05", "comment": padding}
    text = json.dumps(data)
    assert len(text) > 1_000_000
    read = metadata(json_ld(text))
    assert (names(read), read.published) == (["Jane Doe"], date(2024, 3, 5))


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"@graph":['])
def test_deeply_nested_json_ld(opening: str) -> None:
    assert metadata(json_ld(opening * 100_000)).title == HEADLINE


def test_deeply_nested_elements() -> None:
    page = Page.parse("<title>Oaks</title>" + '<div class="author">' * 50_000 + "By Jane Doe")
    assert Metadata.read(page).as_dict()["title"] == "Oaks"


def test_html_in_the_title_is_read_as_text() -> None:
    title = "<title>&lt;b&gt;Oaks&lt;/b&gt; &amp;amp; elms</title>"
    graph = '<meta property="og:title" content="<i>Oaks</i> &amp;amp; elms">'
    assert Metadata.read(Page.parse(title + graph)).title == "Oaks & elms"


def test_lone_surrogates_are_replaced() -> None:
    read = metadata(json_ld('{"@type": "Article", "headline": "Oaks \\ud800", "author": {"name": "Jane \\udfff Doe"}}'))
    json.dumps(read.as_dict(), ensure_ascii=False).encode()


@pytest.mark.parametrize("broken", ["&#xD800;", "&#xDFFF;", "\ud800", "\x00"])
def test_lone_surrogates_in_the_title_are_replaced(broken: str) -> None:
    title = Metadata.read(Page.parse(f"<title>Oaks {broken} elms</title><p>Text.")).title
    assert title is not None
    assert title.encode()


def test_html_in_a_heading_and_in_json_ld_is_read_as_text() -> None:
    described = json_ld('{"@type": "Article", "headline": "<b>Oaks</b> &amp; elms", "author": "<i>Jane Doe</i>"}')
    read = metadata(f'{described}<meta name="author" content="&lt;i&gt;Jane Doe&lt;/i&gt;">')
    assert names(read) == ["Jane Doe"]
    page = Page.parse("<h1><span>Oaks</span><script>alert(1)</script> &amp; <em>elms</em></h1>")
    assert Metadata.read(page).title == "Oaks & elms"


def test_a_heading_nested_deeply() -> None:
    assert Metadata.read(Page.parse("<h1>" + "<b>" * 50_000 + "Oaks and elms")).title == "Oaks and elms"


def test_a_megabyte_of_title_and_of_meta_is_cut() -> None:
    head = f'<title>{"oak " * 300_000}</title><meta name="description" content="{"elm " * 300_000}">'
    read = Metadata.read(Page.parse(head))
    assert len(read.title or "") <= 5000
    assert len(read.description or "") <= 5000


def test_json_ld_after_a_page_of_blanks() -> None:
    blanks = "\n" * 5000
    assert metadata(json_ld(blanks + '{"@type": "Product", "name": "Oil"}' + blanks)).page_type == "product"


@pytest.mark.parametrize("year", ["0000", "0001", "-001", "9999", "99999"])
def test_impossible_years(year: str) -> None:
    described = json_ld(f'{{"@type": "Article", "datePublished": "{year}-01-01T00:00:00Z"}}')
    assert metadata(described + f'<meta name="date" content="{year}-01-01">').published is None


def test_a_date_in_the_year_0() -> None:
    published = '<meta property="article:published_time" content="0000-00-00T00:00:00Z">'
    assert metadata('<meta property="og:type" content="article">' + published).published is None


def test_a_thread_of_thousands_of_users() -> None:
    posts = "".join(f'<div class="post"><a class="username">user{number}</a></div>' for number in range(5000))
    assert metadata(body=posts).title == HEADLINE


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "null",
        "true",
        "[]",
        '[{"@type": []}]',
        '{"@type": {"a": 1}, "author": 5}',
        '{"@type": "Article", "author": [null, [], {}]}',
    ],
)
def test_json_ld_of_the_wrong_shape(value: str) -> None:
    assert metadata(json_ld(value)).title == HEADLINE


def test_invalid_urls() -> None:
    read = metadata(
        '<link rel="canonical" href="http://[broken"><meta property="og:image" content="javascript:alert(1)">'
    )
    assert (read.canonical, read.image) == (None, None)


def test_the_result_is_deterministic_and_can_be_pickled() -> None:
    html = f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1><p>By Jane Doe</p><p>March 5, 2024</p>"
    first = duramen.extract(html)
    again = pickle.loads(pickle.dumps(duramen.extract(html)))
    assert first.metadata.as_dict() == again.metadata.as_dict()


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
def test_huge_pages_take_linear_time(name: str) -> None:
    page = Page.parse(f"<title>{HEADLINE}</title>{HUGE[name]}", URL)
    start = process_time()
    Metadata.read(page, TODAY).as_dict()
    assert (
        process_time() - start < 10
    )  # it takes a second at most; every one of them was or would be minutes in a loop within a loop


@pytest.mark.parametrize("quotes", ["a" + '\\"' * 50_000, "a" + '"\\' * 50_000])
def test_quotes_without_an_end_are_read_once(quotes: str) -> None:
    html = "<script type=application/ld+json>{" + quotes + "</script><p>Oak.</p>"
    start = process_time()
    assert duramen.extract(html, method="longest-cell").metadata.as_dict() is not None
    assert process_time() - start < 5  # 30 seconds when each quote was tried as the start of a string
