"""Fields: what a column is called, what kind of thing it holds, and the expression that reads it from a record."""

from __future__ import annotations

from dataclasses import dataclass

from duramen.data_records.alignment import Source
from duramen.data_records.kinds import Kind
from duramen.data_records.picks import ALL, Pick

Value = str | list[str] | None
"""What a record has in a column: a text or an address, several where the column is a list, None for a hole."""

_SUFFIX = {"link": "/@href", "image": "/@src", "time": "/@datetime", "value": "/@content"}


@dataclass(frozen=True)
class Field:
    """A column."""

    name: str
    kind: Kind
    source: Source
    path: str
    """Selects the elements, from the record; where a record is several elements, from one of these."""
    number: int | None = None
    """Which of those selected, from 1; None where all are meant."""
    listed: bool = False
    """Whether a record may have several values here."""
    part: str = ""
    """Where a record is several elements: which of them, as a step; "" where it is one."""
    part_number: int | None = None
    """Which of the elements that this step selects, from 1; None where all are meant."""
    column: int | None = None
    """Of the row of a table that a record is: the column, from 1, where cells span rows; `path` then starts there."""
    pick: Pick = ALL
    """Which of the texts there, where the expression alone does not tell."""

    @property
    def xpath(self) -> str:
        """The expression with what is read from the element: `./h3/a/@href`, `./dd[1]/a` where it is of a run."""
        if self.column is not None:
            return f"./td[{self.column}]{self.path[1:]}{_SUFFIX.get(self.source, '')}"
        number = "" if self.part_number is None else f"[{self.part_number}]"
        start = f"./{self.part}{number}{self.path[1:]}" if self.part else self.path
        return start + _SUFFIX.get(self.source, "")

    @property
    def told(self) -> str:
        """What the expression does not say of which elements, or which of their lines, are meant; "" if it says all."""
        number = f"number {self.number}" if self.number else ""
        laid = "as the table is laid out: cells span rows" if self.column else ""
        return ", ".join(filter(None, (number, self.pick.told, laid)))
