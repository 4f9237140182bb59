# cython: boundscheck=False, wraparound=False
# Every index comes from a model whose steps were checked when it was loaded, or from a row of the width it asks for.
"""An ensemble of decision trees, as flat arrays.

Each inner node compares one number of a row with a threshold and goes left where it is not larger; leaves hold values;
the score of a row is the sum of one leaf of every tree, added in the order of the trees, so that it is the same to the
last bit however it is computed. Compiled it is a loop; in plain Python NumPy takes all rows through all trees at once.

To be walked through, the trees are laid out once more: a leaf is a node that leads to itself, so that rows can take the
same number of steps from one node and the processor has nothing to guess. The trees are grown shallow for that.
The two children of a node stand side by side, so that a step adds what the comparison says to where the left one is.

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

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COMPILED = False

DOUBT = 0.02
"""What is less likely than this is plainly no content."""

UNLIKELY, LIKELY = 0.1, 0.9
"""Rows between these are asked about again: of a page a quarter."""

_TOGETHER = 8
"""Rows that are taken through the trees at once: while one waits for its next node, the others go on."""
_STRIDE = _TOGETHER + 2
"""How many numbers of a feature stand side by side."""
_ZERO, _NOUGHT = array("q", (0,)), array("d", (0.0,))

_STEPS = 64
"""Of the table, to a unit of the score."""
_BOUND = 12
_LOGISTIC = array(
    "d",
    [round(1.0 / (1.0 + math.exp(-step / _STEPS)), 9) for step in range(-_BOUND * _STEPS, _BOUND * _STEPS + 1)],
)


class Walk(NamedTuple):
    """The trees, laid out to be walked through: first the root of every tree, then the children of every inner node."""

    feature: NDArray[Any]
    column: NDArray[Any]
    """Where the numbers of a feature begin when rows stand side by side (`_add`)."""
    threshold: NDArray[Any]
    child: NDArray[Any]
    """Of each node the left one; the right one stands behind it. Without a sign, so that it need not be widened."""
    value: NDArray[Any]
    height: NDArray[Any]
    """How many steps it is from a node down to the farthest leaf; 0 for a leaf."""
    trees: int
    steps: int
    """How deep the deepest tree is."""
    reach: int
    """How many numbers of a row can be asked for: those behind them need not be at hand."""


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

        trees = len(self.root)
        held = np.concatenate((self.root, np.stack((self.left, self.right), axis=1).ravel()))
        places = np.arange(len(held), dtype=np.int32)
        is_leaf = held < 0
        inner, leaf = held[~is_leaf], -1 - held[is_leaf]
        feature, child = np.zeros(len(held), np.int32), places.astype(np.uint32)
        threshold, value = np.full(len(held), np.inf), np.zeros(len(held))
        feature[~is_leaf], threshold[~is_leaf], child[~is_leaf] = (
            self.feature[inner],
            self.threshold[inner],
            trees + 2 * inner,
        )
        value[is_leaf] = self.value[leaf]
        height, left = np.zeros(len(held), np.int32), child[~is_leaf]
        steps = -1
        while np.max(height, initial=0) > steps:  # each time round, those one step higher get theirs
            steps += 1
            height[~is_leaf] = 1 + np.maximum(height[left], height[left + 1])
        reach = int(np.max(feature, initial=-1)) + 1
        return Walk(feature, _STRIDE * feature, threshold, child, value, height, trees, steps, reach)


def sums(ensemble: Ensemble, rows: array[float], width: int) -> array[float]:
    """The score of each row; the rows stand one after another, each `width` numbers long."""
    return _sums(ensemble, rows, width, _first(len(rows) // width))


def reconsider(ensemble: Ensemble, rows: array[float], width: int, first: array[float]) -> array[float]:
    """The probabilities of rows that the first ones leave in doubt, by this ensemble; of the others, the first ones."""
    found = array("d", first)
    if len(first):
        doubtful = _ZERO * len(first)
        del doubtful[_doubt(first, UNLIKELY, LIKELY, doubtful) :]
        _put(logistic(_sums(ensemble, rows, width, doubtful)), doubtful, found)
    return found


def _sums(ensemble: Ensemble, rows: array[float], width: int, places: array[int]) -> array[float]:
    out = _NOUGHT * len(places)
    if not len(out):
        return out
    walk = ensemble.walk
    if not _COMPILED:
        return _add_all(walk, rows, width, places)
    near = _NOUGHT * (_STRIDE * walk.reach)
    _add(rows, width, places, near, walk.column, walk.threshold, walk.child, walk.value, walk.height, walk.trees, out)
    return out


def _first(count: int) -> array[int]:
    """The numbers of so many rows."""
    if not _COMPILED or not count:
        return array("q", range(count))
    numbers = _ZERO * count
    _count_up(numbers)
    return numbers


def _count_up(numbers: array[int]) -> None:
    for place in range(len(numbers)):
        numbers[place] = place


def _doubt(probabilities: array[float], least: float, most: float, rows: array[int]) -> int:
    """Write down the rows that are neither less likely nor likelier than this; how many there are."""
    count = 0
    for row in range(len(probabilities)):
        if least <= probabilities[row] <= most:
            rows[count] = row
            count += 1
    return count


def _put(numbers: array[float], places: array[int], found: array[float]) -> None:
    for place in range(len(numbers)):
        found[places[place]] = numbers[place]


def logistic(scores: array[float]) -> array[float]:
    """The probabilities that scores stand for, in steps."""
    found = array("d", bytes(8 * len(scores)))
    if len(scores):
        _squash(scores, _LOGISTIC, found)
    return found


def ranked(probabilities: array[float]) -> array[int]:
    """The rows from the likeliest to the least likely; of those alike, the first one first."""
    count = len(probabilities)
    order = _first(count)
    if _COMPILED and count > 1:
        room = array("q", order)
        return room if _merge(probabilities, order, room) else order
    return array("q", sorted(order, key=lambda row: -probabilities[row]))


def totals(ensemble: Ensemble, row: array[float], sizes: array[int]) -> list[float]:
    """The scores of one row by groups of trees that follow each other, each of so many."""
    walk = ensemble.walk
    if _COMPILED:
        values = _NOUGHT * walk.trees
        _leaves(row, walk.feature, walk.threshold, walk.child, walk.value, walk.steps, values)
    else:
        values = _all_leaves(walk, row)
    return _totals(values, sizes)


def _totals(values: array[float], sizes: array[int]) -> list[float]:
    found: list[float] = []
    at = 0
    for group in range(len(sizes)):
        total = 0.0
        for place in range(at, at + sizes[group]):
            total += values[place]
        found.append(total)
        at += sizes[group]
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


def _leaves(row: Any, feature: Any, threshold: Any, child: Any, value: Any, steps: int, values: Any) -> None:
    """The leaf of every tree, eight trees at once; where fewer are left, some of the last ones once more."""
    count = len(values)
    if count < _TOGETHER:
        for tree in range(count):
            a = tree
            for _ in range(steps):
                a = child[a] + (row[feature[a]] > threshold[a])
            values[tree] = value[a]
        return
    start = 0
    while start < count:
        a = start = start if start + _TOGETHER <= count else count - _TOGETHER
        b, c, d, e, f, g, h = start + 1, start + 2, start + 3, start + 4, start + 5, start + 6, start + 7
        for _ in range(steps):
            a = child[a] + (row[feature[a]] > threshold[a])
            b = child[b] + (row[feature[b]] > threshold[b])
            c = child[c] + (row[feature[c]] > threshold[c])
            d = child[d] + (row[feature[d]] > threshold[d])
            e = child[e] + (row[feature[e]] > threshold[e])
            f = child[f] + (row[feature[f]] > threshold[f])
            g = child[g] + (row[feature[g]] > threshold[g])
            h = child[h] + (row[feature[h]] > threshold[h])
        values[start], values[start + 1], values[start + 2], values[start + 3] = value[a], value[b], value[c], value[d]
        values[start + 4], values[start + 5], values[start + 6] = value[e], value[f], value[g]
        values[start + 7] = value[h]
        start += _TOGETHER


def _all_leaves(walk: Walk, row: array[float]) -> array[float]:
    import numpy as np

    numbers = np.frombuffer(row, np.float64)
    nodes = np.arange(walk.trees)
    for _ in range(walk.steps):
        nodes = walk.child[nodes] + (numbers[walk.feature[nodes]] > walk.threshold[nodes])
    return array("d", walk.value[nodes].tobytes())


def _add(
    rows: Any,
    width: int,
    places: Any,
    near: Any,
    column: Any,
    threshold: Any,
    child: Any,
    value: Any,
    height: Any,
    trees: int,
    out: Any,
) -> None:
    """Eight rows at once, tree by tree. They are copied side by side first, number by number: so each is found from the
    same address. Where fewer rows are left, the last of them fills the places of the others.

    Blocks that follow each other are much alike. Of four trees one has to part such rows at its root, of two trees one
    at all. So they go as one as long as they go the same way, which the least and the largest of their numbers tell."""
    count = len(out)
    sums = array("d", bytes(8 * _TOGETHER))
    for start in range(0, count, _TOGETHER):
        many = _TOGETHER if start + _TOGETHER < count else count - start
        _lay_side_by_side(rows, width, places, start, many, near)
        p = q = r = s = t = u = v = w = 0.0
        for tree in range(trees):
            a = tree
            while height[a]:
                at = column[a]
                if near[at + 9] <= threshold[a]:
                    a = child[a]
                elif near[at + 8] > threshold[a]:
                    a = child[a] + 1
                else:
                    break
            b = c = d = e = f = g = h = a
            for _ in range(height[a]):
                at = column[a]
                a = child[a] + (near[at] > threshold[a])
                at = column[b]
                b = child[b] + (near[at + 1] > threshold[b])
                at = column[c]
                c = child[c] + (near[at + 2] > threshold[c])
                at = column[d]
                d = child[d] + (near[at + 3] > threshold[d])
                at = column[e]
                e = child[e] + (near[at + 4] > threshold[e])
                at = column[f]
                f = child[f] + (near[at + 5] > threshold[f])
                at = column[g]
                g = child[g] + (near[at + 6] > threshold[g])
                at = column[h]
                h = child[h] + (near[at + 7] > threshold[h])
            p, q, r, s = p + value[a], q + value[b], r + value[c], s + value[d]
            t, u, v, w = t + value[e], u + value[f], v + value[g], w + value[h]
        sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7] = p, q, r, s, t, u, v, w
        for place in range(many):
            out[start + place] = sums[place]


def _lay_side_by_side(rows: Any, width: int, places: Any, start: int, many: int, near: Any) -> None:
    """Copy rows: of each feature the eight numbers, then the least and the largest of them."""
    last = start + many - 1
    a, b = places[start] * width, places[start + 1 if many > 1 else last] * width
    c, d = places[start + 2 if many > 2 else last] * width, places[start + 3 if many > 3 else last] * width
    e, f = places[start + 4 if many > 4 else last] * width, places[start + 5 if many > 5 else last] * width
    g, h = places[start + 6 if many > 6 else last] * width, places[last] * width
    for number in range(len(near) // _STRIDE):
        at = 10 * number
        least = most = own = near[at] = rows[a + number]
        own = near[at + 1] = rows[b + number]
        least, most = own if own < least else least, own if own > most else most
        own = near[at + 2] = rows[c + number]
        least, most = own if own < least else least, own if own > most else most
        own = near[at + 3] = rows[d + number]
        least, most = own if own < least else least, own if own > most else most
        own = near[at + 4] = rows[e + number]
        least, most = own if own < least else least, own if own > most else most
        own = near[at + 5] = rows[f + number]
        least, most = own if own < least else least, own if own > most else most
        own = near[at + 6] = rows[g + number]
        least, most = own if own < least else least, own if own > most else most
        own = near[at + 7] = rows[h + number]
        near[at + 8] = own if own < least else least
        near[at + 9] = own if own > most else most


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
    nodes = np.tile(np.arange(walk.trees), (len(places), 1))
    for _ in range(walk.steps):
        nodes = walk.child[nodes] + (table[numbers, walk.feature[nodes]] > walk.threshold[nodes])
    total = np.zeros(len(places))
    for values in walk.value[nodes].T:
        total += values
    return array("d", total.tobytes())
