"""What records have in their columns.

Every column is read by its expression, on the page it was found on as on the next: what the table shows is what the
expression gives. Columns may be many, and a record large: so no column looks at all of a record, but looks up what it
wants in an index of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final
from urllib.parse import urljoin

from duramen import xpath
from duramen.data_records.alignment import Source
from duramen.data_records.fields import Field, Value
from duramen.data_records.grid import rows_of, table_of
from duramen.data_records.lines import lines_of
from duramen.data_records.partition import Record
from duramen.data_records.picks import Pick
from duramen.data_records.texts import text_of
from duramen.dom.tree import TEXT, Tree

TOP_TEXT: Final = "./text()"
"""The text that stands between the elements of a record."""
_PICTURES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "srcset")


class Reader:
    """Reads the columns of the records of a page. It keeps what it has looked up, so let it go after the last one."""

    def __init__(self, tree: Tree, base: str | None) -> None:
        self.tree = tree
        self._base = base
        self._index = xpath.Index(tree)
        self._lines: dict[tuple[int, Pick], list[str]] = {}

    def read(self, record: Record, field: Field) -> Value:
        """What a record has in a column."""
        found = self.selected(record, field)
        if field.pick.lines:
            lines = [line for node in found for line in self._picked(node, field.pick) if line]
            return (lines if field.listed else lines[0]) if lines else None
        values = [value for node in found if (value := field.pick.value(self._value(node, field.source)))]
        if not values:
            return None
        if field.listed:
            return values
        return " ".join(values) if field.path == TOP_TEXT else values[0]

    def selected(self, record: Record, field: Field) -> list[int]:
        """The nodes of a record that a field is read from."""
        tree = self.tree
        if field.path == TOP_TEXT and len(record) > 1:
            return [top for top in record if tree.tag[top] == TEXT]
        tops = list(record)
        if field.part:
            tops = self._parts(record, field.part)
            if field.part_number is not None:
                tops = tops[field.part_number - 1 : field.part_number]
        if field.column is not None:
            tops = _cell(tree, record[0], field.column - 1)
        found = tops if field.path == "." else [node for top in tops for node in self._index.select(field.path, top)]
        if field.pick.kind is not None and not field.pick.lines:
            found = [node for node in found if field.pick.fits(text_of(tree, node))]
        return found if field.number is None else found[field.number - 1 : field.number]

    def _parts(self, record: Record, part: str) -> list[int]:
        """The top nodes of a record that a step selects. Records are many, and have one parent: it is asked once."""
        fitting = self._index.select(f"./{part}", self.tree.parent[record[0]])
        near = fitting[bisect_left(fitting, record[0]) : bisect_right(fitting, record[-1])]
        return [top for top in near if record[bisect_left(record, top)] == top]

    def _picked(self, node: int, pick: Pick) -> list[str]:
        """The lines of an element that are meant: those of one sort are told from the others once."""
        sort = pick.sort
        kept = self._lines.get((node, sort))
        if kept is None:
            kept = self._lines[node, sort] = sort.of(lines_of(self.tree, node))
        return pick.numbered(kept)

    def _value(self, node: int, source: Source) -> str:
        if source in ("text", "prose"):
            return text_of(self.tree, node, whole=source == "prose")
        attributes = self.tree.attributes[node]
        match source:
            case "link":
                return _address(attributes.get("href"), self._base)
            case "image":
                found = next(
                    (value for name in _PICTURES if (value := attributes.get(name)) and value[:5] != "data:"), ""
                )
                return _address(
                    found.split(",")[0].split(" ")[0] if "srcset" in found or ", " in found else found, self._base
                )
            case "time":
                return (attributes.get("datetime") or "").strip() or text_of(self.tree, node)
            case _:
                return " ".join((attributes.get("content") or attributes.get("href") or "").split())


def _cell(tree: Tree, row: int, column: int) -> list[int]:
    """The cell that stands in a column of a row, though it may begin in a row above."""
    table = table_of(tree, row)
    laid = {} if table is None else rows_of(tree, table).get(row, {})
    return [laid[column]] if column in laid else []


def _address(value: str | None, base: str | None) -> str:
    value = (value or "").strip()
    if not value or value.startswith(("#", "javascript:", "data:")):
        return ""
    try:
        return urljoin(base, value) if base else value
    except ValueError:  # "http://[broken"
        return value
