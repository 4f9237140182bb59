"""Slow verbs read a part of pages that have too many nodes, and say so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.hostile.generators import GENERATORS

import duramen
from duramen.dom import work_limit
from duramen.dom.work_limit import BYTES_PER_NODE, limit_nodes

MOST = 700
NOTE = " nodes were read: the page has too many for its size"


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_limit, "MIN_NODES", MOST)


def make_page(name: str = "table", size: int = 400) -> duramen.Page:
    return duramen.Page.parse(GENERATORS[name](size), "https://site.example/")


@pytest.mark.parametrize("name", GENERATORS)
def test_nodes_are_limited_on_every_page(name: str) -> None:
    html = GENERATORS[name](600)
    page = duramen.Page.parse(html)
    limited = limit_nodes(page)
    assert len(limited.tree) <= max(MOST, len(html) // BYTES_PER_NODE)
    assert (limited is page) == (limited.note == page.note)
    assert limit_nodes(limited) is limited


def test_the_beginning_is_read() -> None:
    page = make_page()
    limited = limit_nodes(page)
    most = max(MOST, len(page.html) // BYTES_PER_NODE)
    assert most / 2 < len(limited.tree) <= most < len(page.tree)
    assert page.html.startswith(limited.html)
    assert limited.url == page.url
    assert limited.note == f"only the first {len(limited.tree):,} of {len(page.tree):,}{NOTE}"


def test_pages_of_other_encodings_are_cut_between_characters() -> None:
    page = duramen.Page.parse(("<meta charset=utf-16><p>" + "<b>é字" * 900).encode("utf-16"))
    limited = limit_nodes(page)
    assert limited.note
    assert limited.encoding == page.encoding
    assert set("".join(limited.tree.text)) == {"é", "字"}


def test_an_ordinary_page_is_read_whole() -> None:
    table = duramen.records(GENERATORS["table"](50))
    assert len(table) == 50
    assert NOTE not in table.reason


def test_records_say_so() -> None:
    table = duramen.records(make_page())
    assert 50 < len(table) < 400
    assert NOTE in table.reason


def test_a_page_without_a_list_says_so() -> None:
    table = duramen.records(make_page("wide table", 900))
    assert not table
    assert NOTE in table.reason


def test_all_records_say_so() -> None:
    tables = duramen.records_all(make_page())
    assert tables
    assert all(NOTE in table.reason for table in tables)


def test_records_by_example_say_so() -> None:
    assert NOTE in duramen.records(make_page(), like=["Oak 3"]).reason
    assert NOTE in duramen.records(make_page(), like=["no such value"]).reason


def test_a_region_says_so() -> None:
    assert NOTE in duramen.extract(make_page(), method="region").reason


def test_a_wrapper_says_so() -> None:
    pages = [GENERATORS["table"](400), GENERATORS["table"](400).replace("Oak", "Elm") + "<p>Other trees.</p>"]
    for wrapper in (duramen.learn(pages), *duramen.learn_all(pages).wrappers):
        assert sum(NOTE in note for note in wrapper.notes) == 2


def test_a_wrapper_of_records_is_learned_from_the_part() -> None:
    sizes: list[int] = []
    parse = duramen.Page.parse

    class Counted(duramen.RecordsWrapper):
        def _score(self, tables: Sequence[duramen.Table]) -> tuple[int, int]:
            sizes.extend(len(table.page.tree) for table in tables)
            return super()._score(tables)

    html = GENERATORS["table"](400)
    assert Counted.learn([parse(html), parse(html)])
    assert sizes
    assert max(sizes) <= max(MOST, len(html) // BYTES_PER_NODE)
