"""Selectors of columns, and merged columns."""

from __future__ import annotations

import json

from tests.data_records.pages import (
    ABOUT,
    make_page,
    make_shop,
)

import duramen
from duramen import xpath
from duramen.data_records.export import format_table
from duramen.data_records.values import element_text


def test_every_value_is_what_the_xpath_selects() -> None:
    table = duramen.records(make_shop())
    tree = table.page.tree
    for column in table.columns:
        if column.source in ("text", "prose"):
            nodes = xpath.select(tree, column.xpath, table.records[0][0])
            assert element_text(tree, nodes[0], whole=True) == table.raw_rows[0][column.name]
        else:
            assert xpath.select_strings(tree, column.xpath, table.records[0][0]) == [table.rows[0][column.name]]


def test_columns_of_runs_are_selected_by_their_elements() -> None:
    parts = "".join(f"<dt><a href='/{n}'>Chair {n}</a></dt><dd>{'Oak and paper cord. ' * 4} {n}</dd>" for n in range(8))
    table = duramen.records(make_page(f"<dl>{parts}</dl>"))
    assert [column.xpath for column in table.columns] == ["./dt/a", "./dt/a/@href", "./dd"]
    assert table.rows[3]["url"] == "/3"


def test_the_xpath_of_a_run_selects_no_neighbor() -> None:
    parts = "".join(
        f"<h3><a href=/{n}>Tree {n}</a></h3><p>A tree that grows tall in {n} places.</p>"
        f"<p class=meta>Posted 2024-01-1{n}</p>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div id=res>{parts}</div>"))
    assert [column.xpath for column in table.columns if column.name == "text"] == ["./p[not(@class)]"]
    assert json.loads(format_table(table, "json"))["record"] == "./h3"


def test_a_field_in_two_template_variants_is_one_column() -> None:
    def member(n: int) -> str:
        frame = "with-picture" if n % 2 else "without-picture"
        return f"<div class='{frame}'><a class='maker' href='/m/{n}'>Maker {n}</a></div>"

    rows = "".join(f"<li><h3>Chair {n}</h3>{member(n)}<p>{ABOUT.format(n=n)}</p></li>" for n in range(8))
    table = duramen.records(make_page(f"<ul>{rows}</ul>"))
    assert [row["maker"] for row in table.rows] == [f"Maker {n}" for n in range(8)]
    assert table.names.count("maker") == 1
    assert not any(name.startswith("maker_2") for name in table.names)


def test_a_name_in_a_link_or_in_a_span_in_it_is_one_column() -> None:
    def maker(n: int) -> str:
        return f"<span class='master'>Maker {n}</span>" if n % 3 else f"Maker {n}"

    rows = "".join(
        f"<li><h3>Chair {n}</h3><a class='maker' href='/m/{n}'>{maker(n)}</a><p>{ABOUT.format(n=n)}</p></li>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<ul>{rows}</ul>"))
    assert [row["maker"] for row in table.rows] == [f"Maker {n}" for n in range(8)]
    assert "master" not in table.names
