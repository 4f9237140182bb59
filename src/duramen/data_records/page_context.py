"""What is known about a page besides its lists: whether it is an article, and where its main content is.

A classifier of the page gives both. They decide which list is the main list. Menus and lists of other pages are outside
the main content, however long they are; and the paragraphs and reader comments of an article are repeated like records,
but nobody asks for them as a table.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final

from duramen.data_records.record_segmentation import Record
from duramen.data_records.subtrees import SubtreeWeights

OUTSIDE_FACTOR: Final = 0.1
"""Factor for the score of a list without any main content."""


@dataclass(frozen=True)
class ListContext:
    """The page type and the main content of a page, as a classifier gives them; by default nothing is known."""

    article_log_odds: float = 0.0
    """Log odds of an article, as if half of all pages were articles."""
    content: Sequence[range] = ()
    """Ranges of the nodes of the main content, in document order; empty if it is not known."""
    is_thread: bool = False
    """Whether the page is one of a forum."""


UNKNOWN_CONTEXT: Final = ListContext()


@dataclass(frozen=True)
class ContentWeights:
    """The weight of the main content, of the page and of parts of it."""

    weights: SubtreeWeights = field(repr=False)
    content: Sequence[range]

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.content]

    @cached_property
    def _sums(self) -> list[int]:
        sums = self.weights.weight_sums
        return list(accumulate((sums[span.stop] - sums[span.start] for span in self.content), initial=0))

    @property
    def total(self) -> int:
        return self._sums[-1]

    def weight_of(self, records: Sequence[Record]) -> int:
        """The weight of the main content in these records."""
        ends = self.weights.tree.end
        return sum(self._weight_before(ends[record[-1]]) - self._weight_before(record[0]) for record in records)

    def factor(self, records: Sequence[Record], weight: int) -> float:
        """Factor for the score of a list of this weight: 1 if all of it is main content, or nothing is known."""
        if not self.total or not weight:
            return 1.0
        return OUTSIDE_FACTOR + (1 - OUTSIDE_FACTOR) * self.weight_of(records) / weight

    def _weight_before(self, node: int) -> int:
        index = bisect_right(self._starts, node) - 1
        if index < 0:
            return 0
        sums = self.weights.weight_sums
        span = self.content[index]
        return self._sums[index] + sums[min(node, span.stop)] - sums[span.start]
