"""Columns of a table: name, kind of values, and the selector that reads the values from a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from duramen.data_records.kinds import ValueKind, kind_of_values

ValueSource = Literal["text", "prose", "link", "image", "time", "value"]
"""What a value is read from: the own text of an element, the text of its whole subtree, the URL of a link or an image,
the date of a `time` element, or a hidden value (`meta`)."""

CellValue = str | list[str] | None
"""The value of a record in a column: a text or URL, a list of them if the column is a list, None if it is missing."""

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

    @property
    def xpath(self) -> str:
        """The complete XPath, relative to the record: `./h3/a/@href`; `./dd[1]/a` where a record is a run."""
        attribute = _ATTRIBUTE_STEPS.get(self.source, "")
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
