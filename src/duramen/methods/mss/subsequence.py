"""Find maximum subsequences: runs of consecutive numbers with the largest sums.

`maximum_subsequence` is figure 1 of Pasternack and Roth, "Extracting article text from the web with maximum subsequence
segmentation", WWW 2009. `maximal_subsequences` is W. L. Ruzzo and M. Tompa, "A linear time algorithm for finding all
maximal scoring subsequences", ISMB 1999: the best run, then the best run on either side of it, and so on, all found in
one pass. Both are linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Subsequence(NamedTuple):
    """The numbers from `start` up to `stop`, without the last, and their sum."""

    start: int
    stop: int
    value: float


def maximum_subsequence(scores: Sequence[float]) -> Subsequence | None:
    """Return the run with the largest sum; of equals the one that ends first, of those the longest.

    None if no number is positive, and for an empty sequence.

    >>> maximum_subsequence([1, -3, 4, -1, 2, -6, 3])
    Subsequence(start=2, stop=5, value=5)
    """
    best: Subsequence | None = None
    start, total = 0, 0.0
    for index, score in enumerate(scores):
        total += score
        if total > (best.value if best else 0.0):
            best = Subsequence(start, index + 1, total)
        if total < 0:
            start, total = index + 1, 0.0
    return best


def maximum_subsequence_of_array(scores: NDArray[np.float64]) -> Subsequence | None:
    """Do the same for an array, much faster: the largest rise of the running sum above its lowest point so far."""
    import numpy as np

    sums = np.concatenate([[0.0], np.cumsum(scores)])
    stop = int(np.argmax(sums - np.minimum.accumulate(sums)))
    start = int(np.argmin(sums[: stop + 1]))
    value = float(sums[stop] - sums[start])
    return Subsequence(start, stop, value) if value > 0 else None


def maximal_subsequences(scores: Sequence[float]) -> list[Subsequence]:
    """Return all maximal runs, in order. They do not overlap, and each has a positive sum.

    >>> [tuple(run) for run in maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])]
    [(0, 1, 4), (2, 3, 3), (4, 11, 7)]
    """
    # For each candidate: its run, the sum of all numbers before it (left) and including it (right), and the nearest
    # candidate before it whose left is smaller. The paper finds that one by a search; it is stored to search only once.
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
            candidate = len(runs) - 1
            while candidate >= 0 and lefts[candidate] >= left:
                candidate = smaller[candidate]
            if candidate < 0 or rights[candidate] >= total:
                runs.append((start, index + 1))
                lefts.append(left)
                rights.append(total)
                smaller.append(candidate)
                break
            # From that candidate to here is one better run; search again with that run.
            start, left = runs[candidate][0], lefts[candidate]
            del runs[candidate:], lefts[candidate:], rights[candidate:], smaller[candidate:]
    return [Subsequence(*run, right - left) for run, left, right in zip(runs, lefts, rights, strict=True)]


def best_subsequences(scores: Sequence[float], k: int) -> list[Subsequence]:
    """Return the `k` maximal runs with the largest sums, the largest first; of equals the earlier first."""
    return nlargest(k, maximal_subsequences(scores), key=lambda run: (run.value, -run.start))
