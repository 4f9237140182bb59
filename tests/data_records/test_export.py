"""Tables as text, CSV, JSON and XML."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from tests.data_records.pages import (
    make_shop,
)

import duramen
from duramen.data_records.export import format_table, guard_formula
from duramen.data_records.format_names import TABLE_EXPORT_FORMATS
from duramen.errors import UsageError


def test_csv_has_a_header_line_and_a_line_for_each_record() -> None:
    table = duramen.records(make_shop())
    lines = list(csv.reader(io.StringIO(format_table(table, "csv"))))
    assert lines[0] == table.names
    assert [len(line) for line in lines] == [6] * 9


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+cmd|' /C calc'!A0", "-2+3+cmd", "@SUM(A1)", "\t=1"])
def test_text_that_a_spreadsheet_would_run_is_guarded(text: str) -> None:
    assert guard_formula(text) == f"'{text}"


@pytest.mark.parametrize(
    "hidden", ["\n", "\x00", "\x85", "\u2028", "\u00ad", "\u3164", "\u2800", "\ufe0f", "\u202e\n "]
)
def test_what_is_not_seen_before_a_formula_does_not_hide_it(hidden: str) -> None:
    assert guard_formula(f"{hidden}=1") == f"'{hidden}=1"
    assert guard_formula(f"{hidden}oak") == f"{hidden}oak"


@pytest.mark.parametrize("text", ["-5", "+3.2", "-12,50 €", "plain", "a=b", ""])
def test_other_text_is_not_guarded(text: str) -> None:
    assert guard_formula(text) == text


def test_json_and_xml_contain_all_rows() -> None:
    table = duramen.records(make_shop())
    assert json.loads(format_table(table, "json"))["rows"] == table.rows
    assert [json.loads(line) for line in format_table(table, "jsonl").splitlines()] == table.rows
    assert len(ElementTree.fromstring(format_table(table, "xml")).findall("record/field")) == 6 * 8 - 4


def test_a_text_table_keeps_its_width() -> None:
    table = duramen.records(make_shop())
    assert max(map(len, format_table(table, "table", width=60).splitlines()[:10])) <= 60


def test_an_empty_table_can_be_written_in_every_format() -> None:
    table = duramen.records("<p>nothing</p>")
    for format in TABLE_EXPORT_FORMATS:
        format_table(table, format)
    with pytest.raises(UsageError, match="unknown format"):
        format_table(table, "pdf")
