"""Tables: rows, columns and conversions."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace

import pytest
from tests.data_records.pages import (
    make_page,
    make_shop,
    make_tile,
)

import duramen
from duramen.data_records.export import guard_formula
from duramen.data_records.fields import MAX_UNNAMED_COLUMNS, RecordField
from duramen.data_records.table import MAX_HTML_ROWS, Table, have_shared_columns
from duramen.errors import MissingExtraError


def test_rows_have_the_same_columns_and_none_where_a_value_is_missing() -> None:
    table = duramen.records(make_shop(), url="https://shop.example/chairs")
    assert table.names == ["title", "url", "image", "price", "currency", "snippet"]
    assert [row["price"] for row in table.rows[:3]] == [19.5, 29.5, None]
    assert table.rows[0]["url"] == "https://shop.example/chair/1"


def test_columns_have_the_kind_of_their_values() -> None:
    kinds = {column.name: column.kind for column in duramen.records(make_shop()).columns}
    assert kinds == {
        "title": "text",
        "url": "link",
        "image": "image",
        "price": "price",
        "currency": "text",
        "snippet": "text",
    }


def test_a_text_that_all_records_have_is_no_column() -> None:
    table = duramen.records(
        make_page("<ul>" + "".join(make_tile(n, more="<button>Buy</button>") for n in range(8)) + "</ul>")
    )
    assert not [row for row in table.rows if "Buy" in row.values()]


def test_a_list_of_thousands_of_records_is_read_to_its_end() -> None:
    items = "".join(f"<li class='i'><a href='/{n}'>Item number {n}</a> <i class='p'>${n}</i></li>" for n in range(3000))
    table = duramen.records(make_page(f"<ul>{items}</ul>"))
    assert len(table) == 3000
    assert table.rows[-1]["price"] == 2999.0


def make_table_of(values: list[str]) -> Table:
    items = "".join(
        f"<li><a href='/{n}'>Item number {n}</a> <i class='note'>{value}</i></li>" for n, value in enumerate(values)
    )
    return duramen.records(make_page(f"<ul>{items}</ul>"))


def test_repr_shows_the_size_the_names_and_the_confidence() -> None:
    text = repr(duramen.records(make_shop()))
    assert text.startswith("<Table: 8 records × 6 columns (title, url, image, price, currency, snippet), conf")
    assert repr(duramen.records("<p>nothing</p>")) == "<Table: empty, no main list: nothing on the page is repeated>"


def test_notebooks_show_the_first_rows_with_escaped_text() -> None:
    table = make_table_of([f"&lt;script&gt;alert({n})&lt;/script&gt; & more" for n in range(30)])
    html = table._repr_html_()
    assert html.count("<tr>") == 1 + MAX_HTML_ROWS
    assert "<script>" not in html
    assert "&lt;script&gt;alert(0)&lt;/script&gt; &amp; more" in html
    assert "10 more rows" in html
    assert duramen.records("<p>nothing</p>")._repr_html_().startswith("<p>no main list")


def test_to_dicts_gives_new_rows() -> None:
    table = duramen.records(make_shop())
    rows = table.to_dicts()
    assert rows == table.rows
    rows[0]["title"] = "changed"
    assert table.rows[0]["title"] == "Chair 1"


def test_to_csv_guards_against_formulas() -> None:
    table = make_table_of([f"=HYPERLINK({n})" for n in range(8)])
    lines = list(csv.reader(io.StringIO(table.to_csv())))
    assert lines[0] == table.names
    assert [line[table.names.index("text")] for line in lines[1:]] == [f"'=HYPERLINK({n})" for n in range(8)]


@pytest.mark.parametrize(
    "start",
    [
        *("＝1+1", "＋SUM(A1)", "－cmd", "＠SUM(A1)", "﹦1", "﹢1", "﹣cmd", "﹫a"),
        *("\u202e=1+1", "\u2066\u200e@SUM(A1)", "\ufeff=1", "\u00ad=1", "\u200c\u200d=1", "\u2060=1", "\u180e+cmd"),
        *(" =1", "\u00a0=1", "\u3000\u202e＝1"),
    ],
)
def test_formulas_with_full_width_or_hidden_starts_are_guarded(start: str) -> None:
    assert guard_formula(start) == f"'{start}"


@pytest.mark.parametrize("text", ["\u200f\u05e9\u05dc\u05d5\u05dd", "\u200e-5", "A＝B", ""])
def test_text_that_is_no_formula_is_not_guarded(text: str) -> None:
    assert guard_formula(text) == text


def test_to_json_contains_rows_and_selectors() -> None:
    table = duramen.records(make_shop())
    data = json.loads(table.to_json())
    assert data["rows"] == table.rows
    assert (data["xpath"], data["record"]) == (table.xpath, table.record_xpath)
    assert [field["xpath"] for field in data["fields"]] == [column.xpath for column in table.columns]


def test_to_pandas_gives_a_data_frame() -> None:
    pytest.importorskip("pandas")
    table = duramen.records(make_shop())
    frame = table.to_pandas()
    assert list(frame.columns) == table.names
    assert list(frame["title"]) == [row["title"] for row in table.rows]


def test_to_pandas_names_the_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="pip install pandas"):
        duramen.records(make_shop()).to_pandas()


def test_rows_found_with_the_columns_are_the_rows_that_the_columns_read() -> None:
    table = duramen.records(make_shop())
    assert replace(table, known_columns=table.columns, fields=()).rows == table.rows


def make_field(name: str, values: list[str | None]) -> RecordField:
    return RecordField(name, "text", "prose", values)


def test_parts_of_a_page_have_few_common_columns() -> None:
    """The sections of a home page: each has fields of its own."""
    own = [make_field("abcdef"[n], [str(n) if n == place else None for place in range(6)]) for n in range(6)]
    heading = make_field("title", ["a", "b", "c", None, None, None])
    assert not have_shared_columns(own, 6)
    assert not have_shared_columns([*own, *own, heading], 6)
    assert have_shared_columns([*own, heading], 6)


def test_variants_of_a_column_are_one_in_common() -> None:
    fields = [make_field("title", ["a", None, None, None]), make_field("title_2", [None, "b", None, None])]
    assert have_shared_columns(fields, 4)
    fields = [make_field("text", ["a", None, None, None]), make_field("text_2", [None, "b", None, None])]
    assert not have_shared_columns(fields, 4)  # the names say nothing


def test_a_table_without_header_has_a_column_for_each_cell() -> None:
    rows = ("".join(f"<td>{chr(97 + column)}ord{chr(97 + row)}" for column in range(20)) for row in range(12))
    table = duramen.records(f"<table>{''.join(f'<tr>{row}' for row in rows)}</table>")
    assert [list(row.values()) for row in table.rows[:1]] == [[f"{chr(97 + column)}orda" for column in range(20)]]


def test_unnamed_values_of_free_markup_are_limited() -> None:
    cards = (
        "".join(f"<p><i>{chr(97 + column)}ord{chr(97 + row)}</i></p>" for column in range(20)) for row in range(12)
    )
    table = duramen.records(
        f"<div>{''.join(f'<section><h3>Card {n}</h3>{c}</section>' for n, c in enumerate(cards))}</div>"
    )
    assert len([name for name in table.names if name.startswith("text")]) <= MAX_UNNAMED_COLUMNS
