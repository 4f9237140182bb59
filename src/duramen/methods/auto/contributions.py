"""Contributions of features to the score of a forest.

The value of an inner node is the mean of the leaves below it. On the way from the root of a tree to a leaf, each
comparison moves the value, and the difference is credited to the feature that was compared (A. Saabas, "Interpreting
random forests", 2014). The contributions of all features and the bias, which is the mean value of all roots, add up to
the score. The model has no counts of training rows, so every leaf counts the same.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from duramen.methods.auto.boosted_trees import BoostedTrees, Floats

_means: WeakKeyDictionary[BoostedTrees, tuple[Floats, Floats]] = WeakKeyDictionary()


def find_contributions(trees: BoostedTrees, matrix: Floats) -> tuple[float, Floats]:
    """Return the bias, and the contribution of each feature (line) to the score of each row (column)."""
    contributions = np.zeros(matrix.shape)
    node_mean, leaf = _find_means(trees)
    rows = np.arange(matrix.shape[1])
    bias = 0.0
    for root in trees.root.tolist():
        if root < 0:
            bias += float(leaf[-1 - root])
            continue
        bias += float(node_mean[root])
        node = np.full(len(rows), root, np.int64)
        moving = rows
        while len(moving):
            feature = trees.feature[node]
            child = np.where(
                matrix[feature, moving] > trees.threshold[node], trees.right[node], trees.left[node]
            ).astype(np.int64)
            is_leaf = child < 0
            value = np.where(is_leaf, leaf[np.where(is_leaf, -1 - child, 0)], node_mean[np.where(is_leaf, 0, child)])
            contributions[feature, moving] += value - node_mean[node]
            node, moving = child[~is_leaf], moving[~is_leaf]
    return bias, contributions


def _find_means(trees: BoostedTrees) -> tuple[Floats, Floats]:
    """Return the mean of the leaves below each inner node, and the values of the leaves."""
    if trees not in _means:
        leaf = np.asarray(trees.value, np.float64)
        count = len(trees.feature)
        total, leaves = np.zeros(count), np.zeros(count)
        for node in range(count - 1, -1, -1):  # children come after their parents
            for child in (int(trees.left[node]), int(trees.right[node])):
                total[node] += leaf[-1 - child] if child < 0 else total[child]
                leaves[node] += 1 if child < 0 else leaves[child]
        _means[trees] = total / np.maximum(leaves, 1.0), leaf
    return _means[trees]


def find_strongest(contributions: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Return the lines of the largest contributions of each row, the largest first: one line per rank."""
    count = min(count, len(contributions))
    places = np.argpartition(-contributions, count - 1, axis=0)[:count]
    values = np.take_along_axis(contributions, places, axis=0)
    return np.asarray(np.take_along_axis(places, np.argsort(-values, axis=0, kind="stable"), axis=0), np.int64)
