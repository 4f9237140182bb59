"""From runs of words that bear marks to elements in elements.

What bears a mark is a stretch of runs. At each run the marks that end are closed and those that start are opened, the
one that lasts longest first, so that stretches nest as they did in the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duramen.output.elements import CODE, DELETED, EMPHASIS, STRONG, SUBSCRIPT, SUPERSCRIPT
from duramen.output.model import Run

# In the order in which they are opened where they last equally long: code is innermost.
_BITS = (STRONG, EMPHASIS, DELETED, SUPERSCRIPT, SUBSCRIPT, CODE)


class Mark(NamedTuple):
    """One mark: a bit of `elements`, or 0 and the address of a link."""

    bit: int
    href: str | None = None


class Step(NamedTuple):
    """What happens before a run: marks to close, innermost first, then marks to open. The last step has no run."""

    closed: list[Mark]
    opened: list[Mark]
    run: Run | None


def steps(runs: Sequence[Run]) -> Iterator[Step]:
    """The steps through the runs of one block."""
    reach = _reach(runs)
    opened: list[Mark] = []
    for run, ends in zip(runs, reach, strict=True):
        kept = 0
        while kept < len(opened) and opened[kept] in ends:
            kept += 1
        closed = opened[kept:]
        closed.reverse()
        del opened[kept:]
        # `sorted` is stable, so marks that last equally long keep the order of `_marks`.
        fresh = sorted((mark for mark in ends if mark not in opened), key=lambda mark: -ends[mark])
        opened.extend(fresh)
        yield Step(closed, fresh, run)
    opened.reverse()
    yield Step(opened, [], None)


def _reach(runs: Sequence[Run]) -> list[dict[Mark, int]]:
    """For each run, the last run that each of its marks lasts to."""
    reach: list[dict[Mark, int]] = []
    after: dict[Mark, int] = {}
    for place in range(len(runs) - 1, -1, -1):
        after = {mark: after.get(mark, place) for mark in _marks(runs[place])}
        reach.append(after)
    reach.reverse()
    return reach


def _marks(run: Run) -> list[Mark]:
    marks = [Mark(bit) for bit in _BITS if run.marks & bit] if run.marks else []
    return marks if run.href is None else [Mark(0, run.href), *marks]
