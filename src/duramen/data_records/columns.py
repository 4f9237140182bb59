"""Columns of a table: name, kind, and the selector that reads the values.

The table of a page and the table that a wrapper reads from another page use the same selectors (`RecordReader`).
Columns may be many, and records large, so no column walks through a whole record: it looks up its elements in an index
of the record.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from duramen import xpath
from duramen.data_records.grid import find_table, read_grid
from duramen.data_records.record_segmentation import Record
from duramen.data_records.typed import TypedValue, ValueType
from duramen.data_records.values import ValueKind, element_text, kind_of_values, read_lines, read_split_price
from duramen.dom.images import find_lazy_image_url
from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import resolve_data_url

ValueSource = Literal["text", "prose", "price", "link", "image", "time", "value", "json-ld", "state"]
"""What a value is read from: the own text of an element, the text of its whole subtree, the URL of a link or an image,
the date of a `time` element, or a hidden value (`meta`); a price that is split over elements; or the data that the page
has for programs: JSON-LD, or the state of its scripts."""
JSON_SOURCES: Final = ("json-ld", "state")
TEXT_SOURCES: Final = ("text", "prose", "price")
"""Sources of values that are text on the page."""

RawValue = str | list[str] | None
"""The text of a record in a column, a list of texts if the column is a list, None if it is missing."""
CellValue = TypedValue | list[str] | list[TypedValue] | None
"""The value of a record in a column: a text, URL or number, a list of them if the column is a list, None if missing."""

_ATTRIBUTE_STEPS = {"link": "/@href", "image": "/@src", "time": "/@datetime", "value": "/@content"}


@dataclass(frozen=True)
class PathStep:
    """One step of the path from a record to a value: a tag, a name, and a position where needed."""

    tag: str
    attribute: str = ""
    """The attribute that holds the name: `class` or `itemprop`."""
    name: str = ""
    position: int | None = None
    """Position among the siblings of this tag and name, from 1."""
    is_deep: bool = False
    """True if formatting elements are in between."""
    label: str = ""
    """The label that the page writes before the value, or at its beginning."""
    condition: str = ""
    """An XPath condition that selects it among others of its name."""
    kind: ValueKind | None = None
    """The kind of its text, if only that distinguishes it from others of its name."""
    table_column: int | None = None
    """For a table cell: its column, from 1, where cells that span rows shift those after them."""


FieldPath = tuple[PathStep, ...]


@dataclass(frozen=True)
class TextFilter:
    """A condition on texts that XPath cannot express. The default accepts every text as it is."""

    by_line: bool = False
    """True if the texts are the lines of an element, and not elements."""
    label: str = ""
    """Accept lines that begin with this label, and remove it. For elements, the XPath contains the condition."""
    excluded_labels: tuple[str, ...] = ()
    """Reject lines that begin with one of these labels: other columns have them."""
    kind: ValueKind | None = None
    """Accept texts of this kind."""
    position: int | None = None
    """Which of the accepted lines, from 1; None for all."""

    def has_kind(self, text: str) -> bool:
        return self.kind is None or kind_of_values([text]) == self.kind

    def remove_label(self, text: str) -> str:
        return text[len(self.label) :].strip() if self.label and text.startswith(self.label) else text

    def select(self, lines: Sequence[str]) -> list[str]:
        """The accepted lines, without their label."""
        accepted = [
            self.remove_label(line)
            for line in lines
            if line.startswith(self.label) and not line.startswith(self.excluded_labels) and self.has_kind(line)
        ]
        return self.at_position(accepted)

    def at_position(self, accepted: list[str]) -> list[str]:
        return accepted if self.position is None else accepted[self.position - 1 : self.position]

    @cached_property
    def without_position(self) -> TextFilter:
        """The same filter for all positions."""
        return self if self.position is None else replace(self, position=None)

    @property
    def description(self) -> str:
        """The filter in words, to be written after an XPath; "" for the default filter."""
        parts = []
        if self.by_line and self.label:
            parts.append(f"the line that begins with {self.label!r}")
        elif self.by_line:
            parts.append(f"line {self.position}" if self.position else "lines")
            if self.excluded_labels:
                parts.append(f"of those that do not begin with {' or '.join(map(repr, self.excluded_labels))}")
        if self.kind:
            parts.append("what is no price, date or number" if self.kind == "text" else f"what is a {self.kind}")
        return ", ".join(parts)


NO_FILTER = TextFilter()


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: ValueKind
    source: ValueSource
    path: str
    """XPath of the elements, relative to the record; to one of its elements where a record is a run of siblings."""
    position: int | None = None
    """Which of the selected elements, from 1; None for all."""
    is_list: bool = False
    """True if a record may have several values."""
    part: str = ""
    """Where a record is a run of siblings: the XPath step that selects one of them. "" where it is one element."""
    part_position: int | None = None
    """Which of the siblings that this step selects, from 1; None for all."""
    table_column: int | None = None
    """Where a record is a table row with cells that span rows: the column, from 1. `path` is relative to the cell."""
    text_filter: TextFilter = NO_FILTER
    """Condition on the texts that the XPath cannot express."""
    value_type: ValueType = "text"
    """How the text is converted."""
    attribute: str = ""
    """For an image: the attribute that holds its address, if it is not `src`."""
    role: str = ""
    """What the column is in the record: `title`, `price`; the name may be another one, from a header cell."""
    is_partial: bool = False
    """True if the elements hold other values, too, so that their whole text is not the value."""

    @property
    def xpath(self) -> str:
        """The complete XPath, relative to the record: `./h3/a/@href`; `./dd[1]/a` where a record is a run.

        Of a column that is read from JSON, the keys that lead to the value.
        """
        if self.source in JSON_SOURCES:
            return self.path
        attribute = f"/@{self.attribute}" if self.attribute else _ATTRIBUTE_STEPS.get(self.source, "")
        if self.table_column is not None:
            return f"./td[{self.table_column}]{self.path[1:]}{attribute}"
        if not self.part:
            return self.path + attribute
        position = "" if self.part_position is None else f"[{self.part_position}]"
        return f"./{self.part}{position}{self.path[1:]}{attribute}"

    @property
    def selection_note(self) -> str:
        """Which of the selected elements or lines are meant, if the XPath does not say it; else ""."""
        position = f"number {self.position}" if self.position else ""
        layout = "as the table is laid out: cells span rows" if self.table_column else ""
        return ", ".join(filter(None, (position, self.text_filter.description, layout)))


TOP_TEXT_PATH: Final = "./text()"
"""Path of the text between the elements of a record."""


class RecordReader:
    """Reads the values of the records of a page. Keep it only as long as needed: it caches what it has looked up."""

    def __init__(self, tree: Tree, base_url: str | None) -> None:
        self.tree = tree
        self._base_url = base_url
        self._index = xpath.Index(tree)
        self._lines: dict[tuple[int, TextFilter], list[str]] = {}
        self._urls: dict[str, str] = {}

    def read(self, record: Record, column: Column) -> RawValue:
        """The text of a record in a column."""
        nodes = self.select(record, column)
        return self.read_nodes(
            nodes,
            column.source,
            column.text_filter,
            is_list=column.is_list,
            joins_texts=column.path == TOP_TEXT_PATH,
        )

    def read_nodes(
        self,
        nodes: Sequence[int],
        source: ValueSource,
        text_filter: TextFilter,
        *,
        is_list: bool,
        joins_texts: bool = False,
    ) -> RawValue:
        """The text that nodes of a record give for a column."""
        if text_filter.by_line:
            lines = [line for node in nodes for line in self._filter_lines(node, text_filter) if line]
            return (lines if is_list else lines[0]) if lines else None
        values = [value for node in nodes if (value := text_filter.remove_label(self._read_node(node, source)))]
        if not values:
            return None
        if is_list:
            return _drop_separators(values) if source in TEXT_SOURCES else values
        return " ".join(values) if joins_texts else values[0]

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
                return self.resolve(attributes.get("href") or "")
            case "image":
                return find_lazy_image_url(attributes, self._base_url) or ""
            case "price":
                return read_split_price(self.tree, node) or element_text(self.tree, node, whole=True)
            case "time":
                return (attributes.get("datetime") or "").strip() or element_text(self.tree, node)
            case _:
                return " ".join((attributes.get("content") or attributes.get("href") or "").split())

    def resolve(self, href: str) -> str:
        """The absolute URL of a link: the image, the title and a button of a record often have the same."""
        url = self._urls.get(href)
        if url is None:
            url = self._urls[href] = resolve_data_url(href, self._base_url)
        return url


def _drop_separators(values: list[str]) -> RawValue:
    """The values of a list without those between them, such as "|"."""
    return [value for value in values if any(map(str.isalnum, value))] or None


def _find_cell(tree: Tree, row: int, column: int) -> list[int]:
    """The cell in a column of a row; it may begin in a row above."""
    table = find_table(tree, row)
    cells = {} if table is None else read_grid(tree, table).get(row, {})
    return [cells[column]] if column in cells else []
