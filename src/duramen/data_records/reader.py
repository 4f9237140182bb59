"""Reader: read the values of records by the selectors of their columns.

The table of a page and the table that a wrapper reads from another page use the same selectors. Columns may be many,
and records large, so no column walks through a whole record: it looks up its elements in an index of the record.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Final

from duramen import xpath
from duramen.data_records.columns import CellValue, Column, TextFilter, ValueSource
from duramen.data_records.grid import find_table, read_grid
from duramen.data_records.labels import read_lines
from duramen.data_records.segmentation import Record
from duramen.data_records.text import element_text
from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import resolve_data_url

TOP_TEXT_PATH: Final = "./text()"
"""Path of the text between the elements of a record."""
_IMAGE_ATTRIBUTES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "srcset")


class RecordReader:
    """Reads the values of the records of a page. Keep it only as long as needed: it caches what it has looked up."""

    def __init__(self, tree: Tree, base_url: str | None) -> None:
        self.tree = tree
        self._base_url = base_url
        self._index = xpath.Index(tree)
        self._lines: dict[tuple[int, TextFilter], list[str]] = {}

    def read(self, record: Record, column: Column) -> CellValue:
        """The value of a record in a column."""
        nodes = self.select(record, column)
        if column.text_filter.by_line:
            lines = [line for node in nodes for line in self._filter_lines(node, column.text_filter) if line]
            return (lines if column.is_list else lines[0]) if lines else None
        values = [
            value for node in nodes if (value := column.text_filter.remove_label(self._read_node(node, column.source)))
        ]
        if not values:
            return None
        if column.is_list:
            return values
        return " ".join(values) if column.path == TOP_TEXT_PATH else values[0]

    def select(self, record: Record, column: Column) -> list[int]:
        """The nodes of a record from which a column is read."""
        tree = self.tree
        if column.path == TOP_TEXT_PATH and len(record) > 1:
            return [top for top in record if tree.tag[top] == TEXT]
        tops = list(record)
        if column.part:
            tops = self._select_parts(record, column.part)
            if column.part_position is not None:
                tops = tops[column.part_position - 1 : column.part_position]
        if column.table_column is not None:
            tops = _find_cell(tree, record[0], column.table_column - 1)
        nodes = tops if column.path == "." else [node for top in tops for node in self._index.select(column.path, top)]
        if column.text_filter.kind is not None and not column.text_filter.by_line:
            nodes = [node for node in nodes if column.text_filter.has_kind(element_text(tree, node))]
        return nodes if column.position is None else nodes[column.position - 1 : column.position]

    def _select_parts(self, record: Record, part: str) -> list[int]:
        """The top nodes of a record that a step selects. All records have one parent: it is queried once."""
        matching = self._index.select(f"./{part}", self.tree.parent[record[0]])
        near = matching[bisect_left(matching, record[0]) : bisect_right(matching, record[-1])]
        return [top for top in near if record[bisect_left(record, top)] == top]

    def _filter_lines(self, node: int, text_filter: TextFilter) -> list[str]:
        """The lines of an element that a filter accepts. Filters that differ in position share the work."""
        shared = text_filter.without_position
        accepted = self._lines.get((node, shared))
        if accepted is None:
            accepted = self._lines[node, shared] = shared.select(read_lines(self.tree, node))
        return text_filter.at_position(accepted)

    def _read_node(self, node: int, source: ValueSource) -> str:
        if source in ("text", "prose"):
            return element_text(self.tree, node, whole=source == "prose")
        attributes = self.tree.attributes[node]
        match source:
            case "link":
                return resolve_data_url(attributes.get("href"), self._base_url)
            case "image":
                return resolve_data_url(_image_url(attributes), self._base_url)
            case "time":
                return (attributes.get("datetime") or "").strip() or element_text(self.tree, node)
            case _:
                return " ".join((attributes.get("content") or attributes.get("href") or "").split())


def _image_url(attributes: Mapping[str, str | None]) -> str:
    """The URL of an image, which many pages keep in another attribute until a script loads it."""
    value = next((value for name in _IMAGE_ATTRIBUTES if (value := attributes.get(name)) and value[:5] != "data:"), "")
    is_srcset = "srcset" in value or ", " in value
    return value.split(",")[0].split(" ")[0] if is_srcset else value


def _find_cell(tree: Tree, row: int, column: int) -> list[int]:
    """The cell in a column of a row; it may begin in a row above."""
    table = find_table(tree, row)
    cells = {} if table is None else read_grid(tree, table).get(row, {})
    return [cells[column]] if column in cells else []
