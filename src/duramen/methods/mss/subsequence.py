"""Maximum subsequences: the runs of consecutive numbers with the largest sums.

`maximum_subsequence` is figure 1 of Pasternack and Roth, "Extracting article text from the web with maximum subsequence
segmentation", WWW 2009. `maximal_subsequences` is W. L. Ruzzo and M. Tompa, "A linear time algorithm for finding all
maximal scoring subsequences", ISMB 1999: the best run, then the best of what is left on either side of it, and so on
down, all found in one pass. Both are linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Run(NamedTuple):
    """Numbers `start` to `stop`, without the last, and their sum."""

    start: int
    stop: int
    value: float


def maximum_subsequence(scores: Sequence[float]) -> Run | None:
    """The run with the largest sum; of equals the one that ends first, of those the longest.

    None for an empty sequence and for one in which no number is positive: there is then no run worth taking, and the
    caller must say so.

    >>> maximum_subsequence([1, -3, 4, -1, 2, -6, 3])
    Run(start=2, stop=5, value=5)
    """
    best: Run | None = None
    start, total = 0, 0.0
    for index, score in enumerate(scores):
        total += score
        if total > (best.value if best else 0.0):
            best = Run(start, index + 1, total)
        if total < 0:
            start, total = index + 1, 0.0
    return best


def maximum_subsequence_of_array(scores: NDArray[np.float64]) -> Run | None:
    """The same for an array, much faster: the largest rise of the running sum above its lowest point so far."""
    import numpy as np

    sums = np.concatenate([[0.0], np.cumsum(scores)])
    stop = int(np.argmax(sums - np.minimum.accumulate(sums)))
    start = int(np.argmin(sums[: stop + 1]))
    value = float(sums[stop] - sums[start])
    return Run(start, stop, value) if value > 0 else None


def maximal_subsequences(scores: Sequence[float]) -> list[Run]:
    """All maximal runs, in order. They do not overlap, and each has a positive sum.

    >>> maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])
    [Run(start=0, stop=1, value=4), Run(start=2, stop=3, value=3), Run(start=4, stop=11, value=7)]
    """
    # Each candidate: its run, the sum of all before it (left) and with it (right), and the nearest candidate before it
    # whose left is smaller, which the paper finds by walking back and which is remembered so that no walk is repeated.
    runs: list[tuple[int, int]] = []
    lefts: list[float] = []
    rights: list[float] = []
    smaller: list[int] = []
    total: float = 0
    for index, score in enumerate(scores):
        before = total
        total += score
        if score <= 0:
            continue
        start, left = index, before
        while True:
            place = len(runs) - 1
            while place >= 0 and lefts[place] >= left:
                place = smaller[place]
            if place < 0 or rights[place] >= total:
                runs.append((start, index + 1))
                lefts.append(left)
                rights.append(total)
                smaller.append(place)
                break
            # From the candidate at `place` to here all is one better run; look again, with that run.
            start, left = runs[place][0], lefts[place]
            del runs[place:], lefts[place:], rights[place:], smaller[place:]
    return [Run(*run, right - left) for run, left, right in zip(runs, lefts, rights, strict=True)]


def best_subsequences(scores: Sequence[float], k: int) -> list[Run]:
    """The `k` maximal runs with the largest sums, the largest first; of equals the earlier first."""
    return nlargest(k, maximal_subsequences(scores), key=lambda run: (run.value, -run.start))
