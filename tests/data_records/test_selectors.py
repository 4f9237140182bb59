"""XPaths of lists and records."""

from __future__ import annotations

from tests.data_records.pages import (
    make_page,
)

import duramen
from duramen.data_records.records_wrapper import RecordsWrapper
from duramen.data_records.selectors import find_record_xpath
from duramen.dom.page import Page


def boards(numbers: range) -> str:
    rows = "".join(
        f"<tr><td><a href=/{n}>Board {n}</a></td><td>${n}.50</td></tr><tr><td colspan=2>"
        f"Planed and dried, number {n}, for years.</td></tr><tr><td colspan=2 height=5></td></tr>"
        for n in numbers
    )
    return make_page(f"<table class=r><tr><th>Name</th><th>Price</th></tr>{rows}</table>")


def test_first_rows_of_runs_are_selected_by_their_content() -> None:
    table = duramen.records(boards(range(1, 9)))
    wrapper = RecordsWrapper.of(table)
    assert wrapper.extract(table.page).rows == table.rows
    assert len(wrapper.extract(Page.parse(boards(range(20, 23))))) == 3


def test_a_list_is_found_again_after_one_more_banner() -> None:
    def blog(numbers: range, before: str) -> str:
        posts = "".join(f"<div><h3><a href=/{n}>Post {n}</a></h3><p>{'Oak. ' * 20}{n}</p></div>" for n in numbers)
        return make_page(f"{before}<div>Intro</div><div>{posts}</div>")

    wrapper = RecordsWrapper.of(duramen.records(blog(range(8), "")))
    table = wrapper.extract(Page.parse(blog(range(8, 12), "<div>Banner: <b>sale</b></div>")))
    assert [row["title"] for row in table.rows] == [f"Post {n}" for n in range(8, 12)]


def test_other_children_are_excluded_by_their_content() -> None:
    rows = "".join(f"<tr><td><a href=/{n}>Board {n}</a></td><td>${n}.50</td></tr>" for n in range(1, 9))
    tree = Page.parse(
        make_page(f"<table>{rows}<tr><td><a href=/all>All</a></td><td><form></form></td></tr></table>")
    ).tree
    tags = [node for node, tag in enumerate(tree.tag) if tag == "tr"]
    assert find_record_xpath(tree, tree.parent[tags[0]], tags[:-1]) == "./tr[not(td/form)]"
