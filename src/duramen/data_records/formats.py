"""Tables as text: to be looked at, for a spreadsheet, for a program."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate
from typing import Any
from xml.etree import ElementTree

from duramen.data_records.fields import Value
from duramen.data_records.kinds import is_number, is_price
from duramen.data_records.table import Table
from duramen.errors import UsageError

FORMATS = ("table", "csv", "json", "jsonl", "xml")

SEPARATOR = " | "
"""Between the values of a list, where a cell holds only text."""

WIDTH = 100
"""Columns of the terminal that a table for people takes, where nobody says otherwise."""

_NARROWEST = 6
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "|", "%")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(table: Table, format: str, *, width: int = WIDTH) -> str:
    """The table in one of `FORMATS`."""
    match format:
        case "table":
            return as_text(table, width)
        case "csv":
            return as_csv(table)
        case "json":
            return dumps(as_dict(table))
        case "jsonl":
            return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table.rows)
        case "xml":
            return as_xml(table)
    raise UsageError(f"unknown format {format!r}: choose one of {', '.join(FORMATS)}")


def as_dict(table: Table) -> dict[str, Any]:
    """Everything that is known of a table, as `json.dumps` takes it."""
    return {
        "url": table.page.url,
        "xpath": table.xpath,
        "record": table.record_xpath,
        "confidence": round(table.confidence, 4),
        "reason": table.reason,
        "fields": [
            {"name": one.name, "kind": one.kind, "xpath": one.xpath, "which": one.told, "list": one.listed}
            for one in table.fields
        ],
        "rows": table.rows,
    }


def dumps(found: dict[str, Any]) -> str:
    """JSON for programs that a person can read, too."""
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def as_csv(table: Table) -> str:
    """Comma-separated values with a line of names. What a spreadsheet would take for a formula is quoted by a `'`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([harmless(name) for name in table.names])
    for row in table.rows:
        writer.writerow([harmless(flat(row[name])) for name in table.names])
    return out.getvalue()


def harmless(text: str) -> str:
    """A text that no spreadsheet runs: pages are written by strangers, and `=HYPERLINK(…)` is code to Excel."""
    if text.startswith(_FORMULA) and not (is_number(text) or is_price(text)):
        return f"'{text}"
    return text


def flat(value: Value) -> str:
    """A value as one text."""
    if value is None:
        return ""
    return SEPARATOR.join(value) if isinstance(value, list) else value


def as_xml(table: Table) -> str:
    """An element for each record, and in it one for each value it has."""
    root = ElementTree.Element("records")
    for name, said in (("url", table.page.url), ("xpath", table.xpath), ("reason", table.reason)):
        if said:
            root.set(name, _NOT_XML.sub("", said))
    if table:
        root.set("confidence", f"{table.confidence:.4f}")
    for row in table.rows:
        record = ElementTree.SubElement(root, "record")
        for name, value in row.items():
            for piece in value if isinstance(value, list) else [value] if value else []:
                ElementTree.SubElement(record, "field", {"name": _NOT_XML.sub("", name)}).text = _NOT_XML.sub("", piece)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def as_text(table: Table, width: int = WIDTH) -> str:
    """A table to look at: as many columns as fit, the fuller ones first, long values cut short."""
    if not table:
        return ""
    names = _shown(table, width)
    lines = [names] + [[_line(flat(row[name])) for name in names] for row in table.rows]
    widths = _widths(lines, width)
    written = ["  ".join(_cell(cell, size) for cell, size in zip(line, widths, strict=True)).rstrip() for line in lines]
    written.insert(1, "  ".join("-" * size for size in widths))
    left = [name for name in table.names if name not in names]
    note = f"\n({len(left)} more: {', '.join(left)})\n" if left else ""
    return "\n".join(written) + "\n" + note


def _shown(table: Table, width: int) -> list[str]:
    """The names of the columns that there is room for, in their order."""
    most = max(1, (width + 2) // (2 * _NARROWEST + 2))
    if len(table.fields) <= most:
        return table.names
    filled = {name: sum(row[name] is not None for row in table.rows) for name in table.names}
    kinds = {one.name: one.kind in ("link", "image") for one in table.fields}
    ranked = sorted(table.names, key=lambda name: (kinds[name], -filled[name]))[:most]
    return [name for name in table.names if name in ranked]


def _widths(lines: list[list[str]], width: int) -> list[int]:
    """Room for each column: what it needs, or an even share of what others leave."""
    needs = [max(map(_room, column)) for column in zip(*lines, strict=True)]
    left = max(width - 2 * (len(needs) - 1), _NARROWEST * len(needs))
    sizes = [0] * len(needs)
    waiting = sorted(range(len(needs)), key=lambda place: needs[place])
    while waiting:
        place = waiting.pop(0)
        sizes[place] = max(1, min(needs[place], left // (len(waiting) + 1)))
        left -= sizes[place]
    return sizes


def _line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _room(text: str) -> int:
    """The cells of a terminal that a text takes: two for each wide character, none for a mark."""
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 0 if unicodedata.combining(char) else 1 for char in text
    )


def _cell(text: str, width: int) -> str:
    if _room(text) > width:
        rooms = accumulate(map(_room, text))
        text = text[: bisect_right(list(rooms), width - 1)] + "…"
    return text + " " * (width - _room(text))
