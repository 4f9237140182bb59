"""The rows of numbers that `features` fills, `context` adds to, and the ensembles read."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from duramen.methods.auto.title import Sayings


@dataclass(eq=False)
class Features:
    """A row of numbers a block, and what later steps need besides."""

    rows: array[float] = field(repr=False)
    """The rows one after another, each `width` long; the first `columns.COUNT` of each are filled."""
    width: int
    words: array[float] = field(repr=False)
    """Of each block the words, and the element that it stands in."""
    owner: array[int] = field(repr=False)
    parent: array[int] = field(repr=False)
    """Of each element the one around it, and the range of its blocks."""
    start: array[int] = field(repr=False)
    stop: array[int] = field(repr=False)
    circles: array[int] = field(repr=False)
    """For each element its `columns.CIRCLES` circles, the innermost first; −1 where there are no more."""
    kind: array[int] = field(repr=False)
    """Blocks alike have the same number: same tag and class, same tag and class around."""
    kinds: int
    heading: array[int] = field(default_factory=lambda: array("q"), repr=False)
    """Of each block the level of the heading that it is, or 0."""
    commented: array[int] = field(default_factory=lambda: array("q"), repr=False)
    """Of each block whether it stands in an element that is called after comments."""
    is_commented: bool = False
    """Whether any does."""
    labels: list[int] = field(default_factory=list, repr=False)
    """The blocks that are headings of the second to the fourth level, and of few words."""
    currencies: int = 0
    """How many signs of currencies the page shows."""
    sayings: Sayings = field(default_factory=Sayings, repr=False)
    """What the page says it is about."""

    def __len__(self) -> int:
        return len(self.words)
