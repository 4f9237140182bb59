"""Steps: how the way from a record down to a field is told."""

from __future__ import annotations

from dataclasses import dataclass

from duramen.data_records.kinds import Kind


@dataclass(frozen=True)
class Step:
    """One step down: a tag, the name it goes by, and its number where that tells it apart."""

    tag: str
    attribute: str = ""
    name: str = ""
    number: int | None = None
    deep: bool = False
    """Whether formatting stands between."""
    label: str = ""
    """What the page calls it, before it or at its beginning."""
    test: str = ""
    """A condition, in XPath, that tells it from others of its name."""
    kind: Kind | None = None
    """What it must be, where only that tells it from others of its name."""
    column: int | None = None
    """Of a cell: its column, from 1, where cells that span rows shift those after them."""


Path = tuple[Step, ...]
