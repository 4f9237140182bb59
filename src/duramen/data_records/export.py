"""Export: write a table as text, CSV, JSON, JSON lines or XML, and explain how it was found."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

from duramen.data_records.columns import JSON_SOURCES, CellValue
from duramen.data_records.format_names import TABLE_EXPORT_FORMATS
from duramen.data_records.typed import TypedValue
from duramen.data_records.values import is_number, is_price
from duramen.dom.text import remove_illegal_xml
from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.data_records.table import Table

VALUE_SEPARATOR: Final = " | "
"""Between the values of a list, in formats where a cell is one text."""
DEFAULT_WIDTH: Final = 100
"""Terminal columns of a table in the format `table`."""
MIN_COLUMN_WIDTH: Final = 6
MAX_EXAMPLE_CHARS: Final = 60
"""Length of the example values of `explain_table`."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "|", "%", *"＝＋－＠﹦﹢﹣﹫")
_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")
"""Categories of controls, spaces and others without width: before a formula, they hide its start."""
_BLANKS = "\u034f\u115f\u1160\u2800\u3164\ufe0e\ufe0f\uffa0"
"""Letters, marks and signs that are not seen either."""


def format_table(table: Table, format: str, *, width: int = DEFAULT_WIDTH, raw: bool = False) -> str:
    """Write a table in one of `TABLE_EXPORT_FORMATS`. `width` is for `table`; `raw` adds the texts of the page."""
    match format:
        case "table":
            return table_to_text(table, width)
        case "csv":
            return table_to_csv(table, raw=raw)
        case "json":
            return dump_json(table_to_dict(table, raw=raw))
        case "jsonl":
            rows = _add_raw(table) if raw else table.rows
            return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        case "xml":
            return table_to_xml(table)
    raise UsageError(f"unknown format {format!r}: choose one of {', '.join(TABLE_EXPORT_FORMATS)}")


def find_raw_columns(table: Table) -> list[str]:
    """The names of the columns whose values are not the text of the page."""
    return [
        name
        for name in table.names
        if any(row[name] != raw[name] for row, raw in zip(table.rows, table.raw_rows, strict=True))
    ]


def _add_raw(table: Table) -> list[dict[str, CellValue]]:
    """The rows with the texts of the page beside the converted values: `price_raw` beside `price`."""
    names = find_raw_columns(table)
    return [
        {**row, **{f"{name}_raw": raw[name] for name in names}}
        for row, raw in zip(table.rows, table.raw_rows, strict=True)
    ]


def table_to_dict(table: Table, *, raw: bool = False) -> dict[str, Any]:
    """All that is known of a table, for `json.dumps`; with `raw`, also the texts of the page."""
    return {
        "url": table.page.url,
        "xpath": table.xpath,
        "record": table.record_xpath,
        "next_page": table.next_page,
        "confidence": round(table.confidence, 4),
        "reason": table.reason,
        "fields": [
            {
                "name": column.name,
                "role": column.role,
                "kind": column.kind,
                "type": column.value_type,
                "source": column.source,
                "xpath": column.xpath,
                "which": column.selection_note,
                "list": column.is_list,
            }
            for column in table.columns
        ],
        "rows": _add_raw(table) if raw else table.rows,
    }


def dump_json(value: dict[str, Any]) -> str:
    """Indented JSON, which people can read, too."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def table_to_csv(table: Table, *, raw: bool = False) -> str:
    """Comma-separated values with a header line, guarded against formulas (`guard_formula`)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rows: Sequence[Mapping[str, CellValue]] = _add_raw(table) if raw else table.rows
    names = [*table.names, *(f"{name}_raw" for name in find_raw_columns(table))] if raw else table.names
    writer.writerow([guard_formula(name) for name in names])
    for row in rows:
        writer.writerow([guard_formula(join_values(row[name])) for name in names])
    return out.getvalue()


def guard_formula(text: str) -> str:
    """Put a `'` before text that a spreadsheet would run as a formula; numbers and prices stay as they are.

    Pages are not to be trusted, and `=HYPERLINK(…)` is code to Excel.
    """
    start = next((i for i, character in enumerate(text) if not _is_invisible(character)), 0)
    visible = text[start:]
    if any(shown.startswith(_FORMULA_STARTS) for shown in (text, visible)) and not (
        is_number(visible) or is_price(visible)
    ):
        return f"'{text}"
    return text


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE or character in _BLANKS


def join_values(value: CellValue) -> str:
    """A value as one text."""
    if value is None:
        return ""
    return VALUE_SEPARATOR.join(map(format_value, value)) if isinstance(value, list) else format_value(value)


def format_value(value: TypedValue) -> str:
    """A value as text; a float without a fraction has none."""
    if isinstance(value, float):
        return (
            f"{value:.2f}"
            if round(value, 2) == value and not value.is_integer()
            else f"{value:g}"
            if value < 1e6
            else f"{value:.0f}"
        )
    return str(value)


def table_to_xml(table: Table) -> str:
    """XML with a `record` element for each record, and in it a `field` element for each value."""
    root = ElementTree.Element("records")
    for name, value in (("url", table.page.url), ("xpath", table.xpath), ("reason", table.reason)):
        if value:
            root.set(name, remove_illegal_xml(value))
    if table:
        root.set("confidence", f"{table.confidence:.4f}")
    for row in table.rows:
        record = ElementTree.SubElement(root, "record")
        for name, cell in row.items():
            for piece in cell if isinstance(cell, list) else [cell] if cell is not None else []:
                element = ElementTree.SubElement(record, "field", {"name": remove_illegal_xml(name)})
                element.text = remove_illegal_xml(format_value(piece))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def table_to_text(table: Table, width: int = DEFAULT_WIDTH) -> str:
    """A table for a terminal: as many columns as fit, long values are cut."""
    if not table:
        return ""
    names = _choose_columns(table, width)
    lines = [names] + [[_to_one_line(join_values(row[name])) for name in names] for row in table.rows]
    widths = _find_widths(lines, width)
    written = ["  ".join(_fit_cell(cell, size) for cell, size in zip(line, widths, strict=True)) for line in lines]
    written = [line.rstrip() for line in written]
    written.insert(1, "  ".join("-" * size for size in widths))
    left_out = [name for name in table.names if name not in names]
    note = f"\n({len(left_out)} more: {', '.join(left_out)})\n" if left_out else ""
    return "\n".join(written) + "\n" + note


def explain_table(table: Table) -> str:
    """A report for people: where the list is, why it was chosen, and how each column is read."""
    if not table:
        return f"{table.reason}\n"
    lines = [
        f"list        {table.xpath}",
        f"records     {len(table)}, {table.reason.partition(': ')[2] or table.reason}",
        f"confidence  {table.confidence:.2f}",
        *([f"next page   {table.next_page}"] if table.next_page else []),
        "",
    ]
    for column in table.columns:
        filled = [value for row in table.rows if (value := row[column.name]) is not None]
        several = ", several to a record" if column.is_list else ""
        note = f"   ({column.selection_note})" if column.selection_note else ""
        origin = f", from {column.source}" if column.source in JSON_SOURCES else ""
        lines.append(f"{column.name}: {column.kind}{several}{origin}, in {len(filled)} of {len(table)}")
        lines.append(f"    {column.xpath}{note}")
        lines.append(f"    {_shorten(join_values(filled[0]))}" if filled else "    (nowhere)")
    return "\n".join(lines) + "\n"


def _choose_columns(table: Table, width: int) -> list[str]:
    """The names of the columns that fit, in their order: text before links and images, fuller ones first."""
    most = max(1, (width + 2) // (2 * MIN_COLUMN_WIDTH + 2))
    if len(table.columns) <= most:
        return table.names
    filled = {name: sum(row[name] is not None for row in table.rows) for name in table.names}
    is_url = {column.name: column.kind in ("link", "image") for column in table.columns}
    ranked = sorted(table.names, key=lambda name: (is_url.get(name, False), -filled[name]))[:most]
    return [name for name in table.names if name in ranked]


def _find_widths(lines: list[list[str]], width: int) -> list[int]:
    """The width of each column: what it needs, or an equal share of what narrower columns leave."""
    needed = [max(map(_display_width, column)) for column in zip(*lines, strict=True)]
    left = max(width - 2 * (len(needed) - 1), MIN_COLUMN_WIDTH * len(needed))
    widths = [0] * len(needed)
    narrow_first = sorted(range(len(needed)), key=lambda number: needed[number])
    for done, number in enumerate(narrow_first):
        widths[number] = max(1, min(needed[number], left // (len(needed) - done)))
        left -= widths[number]
    return widths


def _to_one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _shorten(text: str) -> str:
    text = _to_one_line(text)
    return text if len(text) <= MAX_EXAMPLE_CHARS else f"{text[: MAX_EXAMPLE_CHARS - 1]}…"


def _display_width(text: str) -> int:
    """The terminal columns of a text: two for each wide character, none for a combining mark."""
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 0 if unicodedata.combining(char) else 1 for char in text
    )


def _fit_cell(text: str, width: int) -> str:
    if _display_width(text) > width:
        widths = accumulate(map(_display_width, text))
        text = text[: bisect_right(list(widths), width - 1)] + "…"
    return text + " " * (width - _display_width(text))
