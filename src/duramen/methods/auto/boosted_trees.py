# cython: boundscheck=False, wraparound=False
# Node numbers come from a model that was checked when it was loaded.
"""Inference of gradient-boosted decision trees, stored as flat arrays.

An inner node compares one feature of a row with a threshold and goes left when it is not larger. Leaves hold values.
The score of a row is the sum of one leaf per tree, added in the order of the trees, so that it is the same to the last
bit on every machine. Scores become probabilities by a table of the logistic function with fixed steps, for the same
reason: mathematics libraries differ in the last digit of `exp`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TREE_ARRAYS = ("root", "feature", "threshold", "left", "right", "value")
"""The arrays of `BoostedTrees`, by the names that a model file gives them."""

MIN_UNSURE, MAX_UNSURE = 0.1, 0.9
"""Probabilities between which the second forest classifies a block again: a quarter of the blocks of a page."""

_STEPS_PER_UNIT = 64
_MAX_SCORE = 12
_LOGISTIC = np.array(
    [
        round(1.0 / (1.0 + math.exp(-step / _STEPS_PER_UNIT)), 9)
        for step in range(-_MAX_SCORE * _STEPS_PER_UNIT, _MAX_SCORE * _STEPS_PER_UNIT + 1)
    ]
)


class _Layout(NamedTuple):
    """The trees with every leaf as a node that leads to itself, and the two children of a node side by side.

    All rows then take the same number of steps, and a step has no branch: `child + (value > threshold)`.
    """

    feature: NDArray[np.uint32]
    threshold: Floats
    child: NDArray[np.uint32]
    """The left child; the right one follows it."""
    leaf: Floats
    steps: NDArray[np.int32]
    """Depth of each tree."""


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """Trees one after another. A negative child is a leaf: −1 is the first value, −2 the second."""

    root: NDArray[Any] = field(repr=False)
    """First node of each tree, or a leaf."""
    feature: NDArray[Any] = field(repr=False)
    threshold: NDArray[Any] = field(repr=False)
    left: NDArray[Any] = field(repr=False)
    right: NDArray[Any] = field(repr=False)
    value: NDArray[Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.root)

    @cached_property
    def _layout(self) -> _Layout:
        trees = len(self.root)
        # First the root of every tree, then the two children of every inner node.
        reference = np.concatenate((self.root, np.stack((self.left, self.right), axis=1).ravel()))
        is_leaf = reference < 0
        inner = reference[~is_leaf]
        feature = np.zeros(len(reference), np.uint32)
        threshold, leaf = np.full(len(reference), np.inf), np.zeros(len(reference))
        child = np.arange(len(reference), dtype=np.uint32)
        feature[~is_leaf] = self.feature[inner]
        threshold[~is_leaf] = self.threshold[inner]
        child[~is_leaf] = trees + 2 * inner
        leaf[is_leaf] = self.value[-1 - reference[is_leaf]]
        height, left = np.zeros(len(reference), np.int32), child[~is_leaf]
        while np.any(higher := 1 + np.maximum(height[left], height[left + 1]) - height[~is_leaf]):
            height[~is_leaf] += higher
        return _Layout(feature, threshold, child, leaf, height[:trees].copy())

    def score(self, matrix: Floats, rows: NDArray[np.int64] | None = None) -> Floats:
        """Return the scores of all rows, or of these. The matrix has one line per feature and one column per row."""
        values = matrix if rows is None else matrix.take(rows, axis=1)
        scores: Floats = self._add_up(values, np.zeros(len(self), np.int32), 1)[0]
        return scores

    def score_parts(self, row: Floats, parts: NDArray[np.int32], part_count: int) -> list[float]:
        """Return the scores that the trees of each part give to one row; `parts` has the part of each tree."""
        scores: list[float] = self._add_up(row.reshape(-1, 1), parts, part_count)[:, 0].tolist()
        return scores

    def _add_up(self, matrix: Floats, parts: NDArray[np.int32], part_count: int) -> Floats:
        """Return the sums of leaves: one line per part of the trees, one column per row of the page."""
        row_count = matrix.shape[1]
        scores = np.zeros((part_count, row_count))
        if row_count and len(self):
            feature, threshold, child, leaf, steps = self._layout
            # Buffers, not arrays: without a compiler Python reads single numbers from them twice as fast.
            _add_leaves(
                matrix.reshape(-1).data, (feature * row_count).data, threshold.data, child.data, leaf.data,
                steps.data, parts.data, np.zeros(row_count, np.uint32).data, scores.data,
            )  # fmt: skip
        return scores


def join_trees(forests: Iterable[BoostedTrees]) -> BoostedTrees:
    """Return the trees of several forests, one forest after the other, as one."""
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in ("root", "feature", "threshold", "left", "right")}
    values: list[NDArray[Any]] = []
    node_count = value_count = 0
    for trees in forests:
        for name in ("root", "left", "right"):
            child = getattr(trees, name)
            parts[name].append(np.where(child >= 0, child + node_count, child - value_count))
        parts["feature"].append(trees.feature)
        parts["threshold"].append(trees.threshold)
        values.append(trees.value)
        node_count += len(trees.feature)
        value_count += len(trees.value)
    return BoostedTrees(**{name: _concatenate(arrays) for name, arrays in parts.items()}, value=_concatenate(values))


def _concatenate(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int32)


def _add_leaves(
    values: Any, lines: Any, threshold: Any, child: Any, leaf: Any, steps: Any, parts: Any, nodes: Any, scores: Any
) -> None:
    """Add the leaves of each tree to the scores of its part. `lines` has where the feature of each node begins."""
    for tree in range(len(steps)):
        # All rows start at the root, and all take one step before any takes the next, so that the processor need not
        # wait for a comparison.
        line, limit, left = lines[tree], threshold[tree], child[tree]
        for row in range(len(nodes)):
            nodes[row] = left + (values[line + row] > limit)
        for _ in range(steps[tree] - 1):
            for row in range(len(nodes)):
                node = nodes[row]
                nodes[row] = child[node] + (values[lines[node] + row] > threshold[node])
        part = parts[tree]
        for row in range(len(nodes)):
            scores[part, row] += leaf[nodes[row]]


def logistic(scores: Floats) -> Floats:
    """Return the probabilities of scores, by the table."""
    steps = (np.clip(scores, -_MAX_SCORE, _MAX_SCORE) + _MAX_SCORE) * _STEPS_PER_UNIT + 0.5
    return _LOGISTIC[steps.astype(np.int64)]


def classify_again(trees: BoostedTrees, matrix: Floats, probabilities: Floats) -> Floats:
    """Return the probabilities with those of unsure rows replaced by what these trees say."""
    unsure = ((probabilities >= MIN_UNSURE) & (probabilities <= MAX_UNSURE)).nonzero()[0]
    replaced = probabilities.copy()
    replaced[unsure] = logistic(trees.score(matrix, unsure))
    return replaced


def rank(probabilities: Floats) -> NDArray[np.int64]:
    """Return the rows from the most probable to the least; equal ones in their order."""
    return np.argsort(-probabilities, kind="stable")
