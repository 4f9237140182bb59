"""Cells of HTML tables."""

from __future__ import annotations

from tests.data_records.pages import (
    make_page,
    rows_by_wrapper,
)

import duramen
from duramen.data_records.grid import FREE_SPANNED_PLACES, ignores_spans, read_grid
from duramen.dom.tree import Tree


def test_a_cell_that_spans_rows_has_a_value_in_each_of_them() -> None:
    rows = "".join(
        f"<tr><td rowspan=2>Line {n}</td><td>Oak {n}</td><td>Ash {n}</td></tr><tr><td>Elm {n}</td><td>Fir {n}</td></tr>"
        for n in range(5)
    )
    head = "<thead><tr><th>Train</th><th>From</th><th>To</th></tr></thead>"
    table = duramen.records(make_page(f"<table>{head}<tbody>{rows}</tbody></table>"))
    assert table.rows[3] == {"train": "Line 1", "from": "Elm 1", "to": "Fir 1"}
    assert rows_by_wrapper(table) == table.rows


def test_header_cells_name_the_columns_of_runs_of_rows() -> None:
    rows = "".join(
        f"<tr><td><a href=/{n}>Board {n}</a></td><td>${n}.50</td><td>199{n}</td></tr>"
        f"<tr><td colspan=3>A fine board, planed and dried for {n} years.</td></tr><tr><td colspan=3></td></tr>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<table><tr><th>Name</th><th>Price</th><th>Year</th></tr>{rows}</table>"))
    assert table.names == ["name", "name_link", "price", "currency", "year", "text"]


def test_the_size_of_a_grid_is_limited_by_the_number_of_cells() -> None:
    for attributes in ("rowspan=65534", "rowspan=1000 colspan=1000"):
        rows = "".join(f"<tr><td {attributes}>{n}</td><td>{n}</td></tr>" for n in range(500))
        tree = Tree.parse(f"<table>{rows}</table>")
        table = tree.tag.index("table")
        assert sum(map(len, read_grid(tree, table).values())) <= 3 * 1000 + FREE_SPANNED_PLACES
        assert ignores_spans(tree, table)


def test_spans_of_an_ordinary_table_are_not_ignored() -> None:
    rows = "".join(
        f"<tr>{'<td rowspan=20>Group</td>' if n % 20 == 0 else ''}<td>Oak {n}</td><td>Ash {n}</td></tr>"
        for n in range(100)
    )
    tree = Tree.parse(f"<table>{rows}</table>")
    table = tree.tag.index("table")
    assert {len(row) for row in read_grid(tree, table).values()} == {3}
    assert not ignores_spans(tree, table)


def test_the_reason_says_that_spans_were_ignored() -> None:
    rows = "".join(f"<tr><td rowspan=65534><a href=/{n}>Oak {n}</a></td><td>€ {n}</td></tr>" for n in range(300))
    table = duramen.records(make_page(f"<table>{rows}</table>"))
    assert len(table) == 300
    assert "span" in table.reason


def make_wide_table(columns: int, rows: int = 12) -> str:
    head = "".join(f"<th>Kind {chr(65 + number // 26)}{chr(65 + number % 26)}</th>" for number in range(columns))
    body = "".join(
        f"<tr>{''.join(f'<td>{7 * row + number}</td>' for number in range(columns))}</tr>" for row in range(rows)
    )
    return make_page(f"<table><tr>{head}</tr>{body}</table>")


def test_each_column_of_a_wide_table_is_a_field() -> None:
    for columns in (13, 40):
        table = duramen.records(make_wide_table(columns))
        assert len(table.names) == columns
        assert list(table.rows[1].values()) == list(range(7, 7 + columns))
        assert rows_by_wrapper(table) == table.rows


def test_the_reason_says_that_columns_were_not_read() -> None:
    table = duramen.records(make_wide_table(130))
    assert len(table.names) == 100
    assert "only the first 100 columns were read" in table.reason
    assert "columns were read" not in duramen.records(make_wide_table(100)).reason


def test_one_wide_row_among_many_does_not_make_columns() -> None:
    rows = "".join(f"<tr><td>Oak {n}</td><td>{n} €</td></tr>" for n in range(60)) + f"<tr>{'<td>x</td>' * 90}</tr>"
    assert len(duramen.records(make_page(f"<table>{rows}</table>")).names) < 13
