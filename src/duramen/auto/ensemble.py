# cython: boundscheck=False, wraparound=False
# Every index comes from a model whose steps were checked when it was loaded, or from a row of the width it asks for.
"""An ensemble of decision trees, as flat arrays.

Each inner node compares one number of a row with a threshold and goes left where it is not larger; leaves hold values;
the score of a row is the sum of one leaf of every tree, added in the order of the trees, so that it is the same to the
last bit however it is computed. Compiled it is a loop; in plain Python NumPy takes all rows through all trees at once.

To be walked through, the trees are laid out once more: a leaf is a node that leads to itself, so that every row takes
the same number of steps in every tree and the processor has nothing to guess. The trees are grown shallow for that.

Scores are turned into probabilities by the logistic function in a table of fixed steps, so that the same page has the
same probabilities on every machine, whatever its mathematics library says of the last digit.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from duramen.compiled import faster

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COMPILED = __name__.startswith("duramen.compiled.")

DOUBT = 0.02
"""Rows that are less likely than this are not asked about again: the half of a page that is plainly no content."""

_TOGETHER = 32
"""Rows that are taken through one tree before the next."""

_STEPS = 64
"""Of the table, to a unit of the score."""
_BOUND = 12
_LOGISTIC = array(
    "d",
    [round(1.0 / (1.0 + math.exp(-step / _STEPS)), 9) for step in range(-_BOUND * _STEPS, _BOUND * _STEPS + 1)],
)


class Walk(NamedTuple):
    """The trees, laid out to be walked through: inner nodes first, then the leaves."""

    root: NDArray[Any]
    feature: NDArray[Any]
    threshold: NDArray[Any]
    child: NDArray[Any]
    """Of each node the left one and the right one."""
    value: NDArray[Any]
    steps: int
    """How deep the deepest tree is."""


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Trees one after another. A child below 0 is a leaf: −1 is the first value, −2 the second."""

    root: NDArray[Any] = field(repr=False)
    """Where each tree begins; as a child, it may be a leaf."""
    feature: NDArray[Any] = field(repr=False)
    threshold: NDArray[Any] = field(repr=False)
    left: NDArray[Any] = field(repr=False)
    right: NDArray[Any] = field(repr=False)
    value: NDArray[Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.root)

    @cached_property
    def walk(self) -> Walk:
        """The same trees, each leaf a node."""
        import numpy as np

        inner, leaves = len(self.feature), len(self.value)
        child = np.empty(2 * (inner + leaves), np.int32)
        for side, nodes in enumerate((self.left, self.right)):
            child[side : 2 * inner : 2] = np.where(nodes >= 0, nodes, inner - 1 - nodes)
            child[2 * inner + side :: 2] = np.arange(inner, inner + leaves)
        root = np.where(self.root >= 0, self.root, inner - 1 - self.root).astype(np.int32)
        steps, reached = 0, root[root < inner]
        while len(reached):
            reached = np.concatenate((child[2 * reached], child[2 * reached + 1]))
            reached = reached[reached < inner]
            steps += 1
        nothing = np.zeros(leaves)
        return Walk(
            root,
            np.concatenate((self.feature, nothing)).astype(np.int32),
            np.concatenate((self.threshold, nothing)),
            child,
            np.concatenate((np.zeros(inner), self.value)),
            steps,
        )


@faster
def sums(ensemble: Ensemble, rows: array[float], width: int) -> array[float]:
    """The score of each row; the rows stand one after another, each `width` numbers long."""
    return _sums(ensemble, rows, width, array("q", range(len(rows) // width)))


@faster
def reconsider(ensemble: Ensemble, rows: array[float], width: int, first: array[float]) -> array[float]:
    """The probabilities of rows that the first ones leave in doubt, by this ensemble; of the others, the first ones."""
    doubtful = array("q", [row for row, probability in enumerate(first) if probability >= DOUBT])
    again = logistic(_sums(ensemble, rows, width, doubtful))
    found = array("d", first)
    for place, row in enumerate(doubtful):
        found[row] = again[place]
    return found


def _sums(ensemble: Ensemble, rows: array[float], width: int, places: array[int]) -> array[float]:
    out = array("d", bytes(8 * len(places)))
    if not len(out):
        return out
    walk = ensemble.walk
    if not _COMPILED:
        return _add_all(walk, rows, width, places)
    _add(rows, width, places, walk.root, walk.feature, walk.threshold, walk.child, walk.value, walk.steps, out)
    return out


@faster
def logistic(scores: array[float]) -> array[float]:
    """The probabilities that scores stand for, in steps."""
    found = array("d", bytes(8 * len(scores)))
    if len(scores):
        _squash(scores, _LOGISTIC, found)
    return found


@faster
def ranked(probabilities: array[float]) -> array[int]:
    """The rows from the likeliest to the least likely; of those alike, the first one first."""
    count = len(probabilities)
    order = array("q", range(count))
    if _COMPILED and count > 1:
        room = array("q", order)
        return room if _merge(probabilities, order, room) else order
    return array("q", sorted(order, key=lambda row: -probabilities[row]))


@faster
def totals(ensemble: Ensemble, row: array[float], sizes: array[int]) -> list[float]:
    """The scores of one row by groups of trees that follow each other, each of so many."""
    walk = ensemble.walk
    if _COMPILED:
        values = array("d", bytes(8 * len(walk.root)))
        _leaves(row, walk.root, walk.feature, walk.threshold, walk.child, walk.value, walk.steps, values)
    else:
        values = _all_leaves(walk, row)
    found: list[float] = []
    at = 0
    for size in sizes:
        total = 0.0
        for value in values[at : at + size]:
            total += value
        found.append(total)
        at += size
    return found


def joined(ensembles: Sequence[Ensemble]) -> Ensemble:
    """The trees of several ensembles, one after another."""
    import numpy as np

    parts: dict[str, list[Any]] = {name: [] for name in ("root", "feature", "threshold", "left", "right", "value")}
    nodes = leaves = 0
    for one in ensembles:
        for name in ("root", "left", "right"):
            child = getattr(one, name)
            parts[name].append(np.where(child >= 0, child + nodes, child - leaves).astype(np.int32))
        for name in ("feature", "threshold", "value"):
            parts[name].append(getattr(one, name))
        nodes, leaves = nodes + len(one.feature), leaves + len(one.value)
    return Ensemble(**{name: np.concatenate(arrays) for name, arrays in parts.items()})


def _merge(keys: Any, order: Any, other: Any) -> bool:
    """Sort by merging, from one array into another and back; whether the other one holds the result."""
    is_other = False
    count = len(keys)
    width = 1
    while width < count:
        low = 0
        while low < count:
            middle = low + width if low + width < count else count
            high = middle + width if middle + width < count else count
            left, right = low, middle
            for place in range(low, high):
                if left < middle and (right >= high or keys[order[left]] >= keys[order[right]]):
                    other[place] = order[left]
                    left += 1
                else:
                    other[place] = order[right]
                    right += 1
            low = high
        order, other = other, order
        is_other = not is_other
        width *= 2
    return is_other


def _leaves(row: Any, root: Any, feature: Any, threshold: Any, child: Any, value: Any, steps: int, values: Any) -> None:
    """The leaf of every tree, four trees at once: while one waits for its next node, the others go on."""
    count = len(root)
    tree = 0
    while tree + 3 < count:
        first, second, third, fourth = root[tree], root[tree + 1], root[tree + 2], root[tree + 3]
        for _ in range(steps):
            first = child[2 * first + (row[feature[first]] > threshold[first])]
            second = child[2 * second + (row[feature[second]] > threshold[second])]
            third = child[2 * third + (row[feature[third]] > threshold[third])]
            fourth = child[2 * fourth + (row[feature[fourth]] > threshold[fourth])]
        values[tree], values[tree + 1] = value[first], value[second]
        values[tree + 2], values[tree + 3] = value[third], value[fourth]
        tree += 4
    while tree < count:
        first = root[tree]
        for _ in range(steps):
            first = child[2 * first + (row[feature[first]] > threshold[first])]
        values[tree] = value[first]
        tree += 1


def _all_leaves(walk: Walk, row: array[float]) -> array[float]:
    import numpy as np

    numbers = np.frombuffer(row, np.float64)
    nodes = walk.root
    for _ in range(walk.steps):
        nodes = walk.child[2 * nodes + (numbers[walk.feature[nodes]] > walk.threshold[nodes])]
    return array("d", walk.value[nodes].tobytes())


def _add(
    rows: Any,
    width: int,
    places: Any,
    root: Any,
    feature: Any,
    threshold: Any,
    child: Any,
    value: Any,
    steps: int,
    out: Any,
) -> None:
    """Some rows at a time, so that they stay near; of those tree by tree, four at once: while one waits for its next
    node, the others go on."""
    count = len(out)
    for start in range(0, count, _TOGETHER):
        stop = start + _TOGETHER if start + _TOGETHER < count else count
        for tree in range(len(root)):
            place = start
            while place + 3 < stop:
                at, beside = places[place] * width, places[place + 1] * width
                further, last = places[place + 2] * width, places[place + 3] * width
                first = second = third = fourth = root[tree]
                for _ in range(steps):
                    first = child[2 * first + (rows[at + feature[first]] > threshold[first])]
                    second = child[2 * second + (rows[beside + feature[second]] > threshold[second])]
                    third = child[2 * third + (rows[further + feature[third]] > threshold[third])]
                    fourth = child[2 * fourth + (rows[last + feature[fourth]] > threshold[fourth])]
                out[place] += value[first]
                out[place + 1] += value[second]
                out[place + 2] += value[third]
                out[place + 3] += value[fourth]
                place += 4
            while place < stop:
                at = places[place] * width
                first = root[tree]
                for _ in range(steps):
                    first = child[2 * first + (rows[at + feature[first]] > threshold[first])]
                out[place] += value[first]
                place += 1


def _squash(scores: Any, table: Any, found: Any) -> None:
    last = len(table) - 1
    for place in range(len(scores)):
        step = (scores[place] + _BOUND) * _STEPS + 0.5
        if step < 0:
            step = 0
        elif step > last:
            step = last
        whole = int(step)
        found[place] = table[whole]


def _add_all(walk: Walk, rows: array[float], width: int, places: array[int]) -> array[float]:
    """The same for all rows and trees at once."""
    import numpy as np

    table = np.frombuffer(rows, np.float64).reshape(-1, width)
    numbers = np.frombuffer(places, np.int64)[:, None]
    nodes = np.tile(walk.root, (len(places), 1))
    for _ in range(walk.steps):
        nodes = walk.child[2 * nodes + (table[numbers, walk.feature[nodes]] > walk.threshold[nodes])]
    total = np.zeros(len(places))
    for values in walk.value[nodes].T:
        total += values
    return array("d", total.tobytes())
