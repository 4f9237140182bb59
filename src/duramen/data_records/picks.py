"""Which of the texts at a place are meant, where the place alone does not tell: by a label, a kind, or the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from duramen.data_records.kinds import Kind, kind_of


@dataclass(frozen=True)
class Pick:
    """What is asked of a text. The default takes every text as it is."""

    lines: bool = False
    """Whether the texts are the lines of an element, and not elements."""
    label: str = ""
    """What a text begins with, which is then taken away. Elements are told by it in their expression."""
    without: tuple[str, ...] = ()
    """Labels that a line must not begin with: others have these."""
    kind: Kind | None = None
    """What a text must be."""
    number: int | None = None
    """Which of the lines that are left, from 1; None where all are meant."""

    def fits(self, text: str) -> bool:
        """Whether a text is of the kind."""
        return self.kind is None or kind_of([text]) == self.kind

    def value(self, text: str) -> str:
        """A text without its label."""
        return text[len(self.label) :].strip() if self.label and text.startswith(self.label) else text

    def of(self, lines: Sequence[str]) -> list[str]:
        """The lines that are meant, without their label."""
        found = [
            self.value(line)
            for line in lines
            if line.startswith(self.label) and not line.startswith(self.without) and self.fits(line)
        ]
        return self.numbered(found)

    def numbered(self, lines: list[str]) -> list[str]:
        """Of the lines of this sort those that have the number."""
        return lines if self.number is None else lines[self.number - 1 : self.number]

    @cached_property
    def sort(self) -> Pick:
        """The same of any number: what those that differ in nothing else share."""
        return self if self.number is None else replace(self, number=None)

    @property
    def told(self) -> str:
        """In words, after an expression; "" where the expression says it all."""
        said = []
        if self.lines and self.label:
            said.append(f"the line that begins with {self.label!r}")
        elif self.lines:
            said.append(f"line {self.number}" if self.number else "lines")
            if self.without:
                said.append(f"of those that do not begin with {' or '.join(map(repr, self.without))}")
        if self.kind:
            said.append("what is no price, date or number" if self.kind == "text" else f"what is a {self.kind}")
        return ", ".join(said)


ALL = Pick()
