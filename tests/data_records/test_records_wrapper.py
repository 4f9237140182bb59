"""What one page teaches serves the next of its site, and is kept in a file that people can read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.data_records.written_lists import article, page, shop

import duramen
from duramen.data_records.addressing import record_expression
from duramen.data_records.wrapper import RecordsWrapper
from duramen.dom.page import Page
from duramen.errors import InputError, UsageError


def learnt() -> RecordsWrapper:
    return RecordsWrapper.of(duramen.records(shop()))


def test_the_next_page_is_read_by_the_same_expressions() -> None:
    table = learnt().extract(Page.parse(shop(range(40, 45))))
    assert [row["title"] for row in table.rows] == [f"Chair {n}" for n in range(40, 45)]
    assert table.names == ["title", "title_link", "image", "price", "about"]


def test_runs_are_found_on_the_next_page() -> None:
    def terms(numbers: range) -> str:
        return page(
            "<dl>" + "".join(f"<dt><a href='/{n}'>Chair {n}</a><dd>{'Oak. ' * 20} {n}" for n in numbers) + "</dl>"
        )

    wrapper = RecordsWrapper.of(duramen.records(terms(range(8))))
    table = wrapper.extract(Page.parse(terms(range(30, 33))))
    assert [row["link"] for row in table.rows] == ["/30", "/31", "/32"]


def test_another_page_does_not_fit_and_says_so() -> None:
    table = learnt().extract(Page.parse(article()))
    assert not table
    assert "does not fit" in table.reason


def test_a_file_gives_back_the_same_wrapper(tmp_path: Path) -> None:
    path = tmp_path / "site.json"
    learnt().save(path)
    assert RecordsWrapper.load(path) == learnt()


def test_a_page_without_a_list_teaches_nothing() -> None:
    with pytest.raises(UsageError, match="nothing to learn"):
        RecordsWrapper.of(duramen.records(article()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "no wrapper of records"),
        ({"version": 99}, "later version"),
        ({"region": "//div["}, "damaged"),
        ({"region": None}, "damaged"),
        ({"fields": [{"name": "x"}]}, "damaged"),
        ({"fields": 3}, "damaged"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(change: dict[str, object], message: str) -> None:
    found = json.loads(learnt().dumps()) | change
    with pytest.raises(InputError, match=message):
        RecordsWrapper.loads(json.dumps(found), "site.json")


def test_what_is_no_file_of_ours_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        RecordsWrapper.load(tmp_path / "none.json")
    (tmp_path / "x.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not text in UTF-8"):
        RecordsWrapper.load(tmp_path / "x.json")
    with pytest.raises(InputError, match="not JSON"):
        RecordsWrapper.loads("{")


def boards(numbers: range) -> str:
    rows = "".join(
        f"<tr><td><a href=/{n}>Board {n}</a></td><td>${n}.50</td></tr><tr><td colspan=2>"
        f"Planed and dried, number {n}, for years.</td></tr><tr><td colspan=2 height=5></td></tr>"
        for n in numbers
    )
    return page(f"<table class=r><tr><th>Name</th><th>Price</th></tr>{rows}</table>")


def test_heads_are_told_by_what_they_hold() -> None:
    table = duramen.records(boards(range(1, 9)))
    wrapper = RecordsWrapper.of(table)
    assert wrapper.extract(table.page).rows == table.rows
    assert len(wrapper.extract(Page.parse(boards(range(20, 23))))) == 3


def test_one_banner_more_does_not_hide_the_list() -> None:
    def blog(numbers: range, before: str) -> str:
        posts = "".join(f"<div><h3><a href=/{n}>Post {n}</a></h3><p>{'Oak. ' * 20}{n}</p></div>" for n in numbers)
        return page(f"{before}<div>Intro</div><div>{posts}</div>")

    wrapper = RecordsWrapper.of(duramen.records(blog(range(8), "")))
    table = wrapper.extract(Page.parse(blog(range(8, 12), "<div>Banner: <b>sale</b></div>")))
    assert [row["title"] for row in table.rows] == [f"Post {n}" for n in range(8, 12)]


@pytest.mark.parametrize(
    "pick", [{"kind": "oak"}, {"number": 0}, {"lines": 1}, {"label": 3}, {"oak": 1}, {"without": 1}]
)
def test_a_damaged_pick_is_refused(pick: dict[str, object]) -> None:
    found = json.loads(learnt().dumps())
    found["fields"][0]["pick"] = pick
    with pytest.raises(InputError, match="damaged"):
        RecordsWrapper.loads(json.dumps(found), "site.json")


def test_what_is_no_record_is_told_by_what_it_holds() -> None:
    rows = "".join(f"<tr><td><a href=/{n}>Board {n}</a></td><td>${n}.50</td></tr>" for n in range(1, 9))
    tree = Page.parse(page(f"<table>{rows}<tr><td><a href=/all>All</a></td><td><form></form></td></tr></table>")).tree
    tags = [node for node, tag in enumerate(tree.tag) if tag == "tr"]
    assert record_expression(tree, tree.parent[tags[0]], tags[:-1]) == "./tr[not(td/form)]"
