"""Two classifiers to compare the boosted trees with: a linear model over hashed features, and naive Bayes.

Both describe a block by binary features: each number of its row, binned by quantiles ("links is in the third of sixteen
bins"), and the hashed class names of the elements around it. Naive Bayes adds up the log odds of the features, as
Pasternack and Roth (WWW 2009) do for tokens; the linear model learns a weight for each (logistic regression by
Adagrad). The features are not independent, as naive Bayes assumes, so its sums are scaled to fit the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.training.auto.dataset import LabeledPage

BINS = 16
HASH_SIZE = 1 << 16
MAX_NAMES = 12
"""Class names used of an element and the elements around it."""
BATCH_ROWS = 4096
EPOCHS = 3
LEARNING_RATE = 0.05
MAX_QUANTILE_ROWS = 200_000
"""Rows from which the quantiles are computed."""

FeatureIndices = NDArray[np.int32]


class Classifier(Protocol):
    """A classifier of blocks."""

    def probabilities(self, page: LabeledPage) -> NDArray[np.float64]: ...


@dataclass(eq=False)
class QuantileBins:
    """The borders of the bins of each number."""

    at: NDArray[np.float32]

    @classmethod
    def of(cls, pages: Sequence[LabeledPage]) -> QuantileBins:
        rows = np.concatenate([page.rows for page in pages])
        rows = rows[:: max(1, len(rows) // MAX_QUANTILE_ROWS)]
        return cls(np.quantile(rows, np.arange(1, BINS) / BINS, axis=0).astype(np.float32))

    def find_features(self, page: LabeledPage) -> FeatureIndices:
        """Return the indices of the features of each block, one row per block."""
        width = self.at.shape[1]
        bin_numbers = np.zeros((len(page.rows), width), np.int32)
        for border in self.at:
            bin_numbers += page.rows > border
        numbers = np.arange(width, dtype=np.int32) * BINS + bin_numbers
        return np.hstack([numbers, width * BINS + _hash_names(page)])


def _hash_names(page: LabeledPage) -> FeatureIndices:
    """Return the hashed class names of each block's element and of its ancestors, the nearest first."""
    names_of_element: list[list[int]] = []
    for element, names in enumerate(page.names):
        own = [1 + crc32(name.lower().encode("utf-8", "replace")) % (HASH_SIZE - 1) for name in names]
        above = page.parent[element]
        names_of_element.append((own + (names_of_element[above] if above >= 0 else []))[:MAX_NAMES])
    return np.array(
        [names_of_element[owner] + [0] * (MAX_NAMES - len(names_of_element[owner])) for owner in page.owner], np.int32
    )


@dataclass(eq=False)
class AdditiveClassifier:
    """A sum of one weight per feature."""

    bins: QuantileBins
    weights: NDArray[np.float64]
    scale: float = 1.0
    shift: float = 0.0

    def probabilities(self, page: LabeledPage) -> NDArray[np.float64]:
        sums = self.weights[self.bins.find_features(page)].sum(1) * self.scale + self.shift
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(sums, -30, 30))))


def _collect(
    pages: Sequence[LabeledPage], weights: Sequence[NDArray[Any]], bins: QuantileBins
) -> tuple[FeatureIndices, NDArray[Any], NDArray[Any]]:
    features = np.vstack([bins.find_features(page) for page in pages])
    return features, np.concatenate([page.labels for page in pages]).astype(np.float64), np.concatenate(weights)


def train_linear(pages: Sequence[LabeledPage], weights: Sequence[NDArray[Any]], seed: int = 1) -> AdditiveClassifier:
    """Train a logistic regression over the features."""
    bins = QuantileBins.of(pages)
    features, labels, importance = _collect(pages, weights, bins)
    importance = importance / importance.mean()
    size = bins.at.shape[1] * BINS + HASH_SIZE
    learned, squares = np.zeros(size), np.full(size, 1e-6)
    chance = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        order = chance.permutation(len(features))
        for start in range(0, len(order), BATCH_ROWS):
            rows = order[start : start + BATCH_ROWS]
            here = features[rows]
            error = (1.0 / (1.0 + np.exp(-learned[here].sum(1))) - labels[rows]) * importance[rows]
            gradient = np.bincount(here.ravel(), np.repeat(error, here.shape[1]), size) / len(rows)
            squares += gradient * gradient
            learned -= LEARNING_RATE * gradient / np.sqrt(squares)
    return AdditiveClassifier(bins, learned)


def train_naive_bayes(pages: Sequence[LabeledPage], weights: Sequence[NDArray[Any]]) -> AdditiveClassifier:
    """Compute the log odds of each feature, smoothed by one block."""
    bins = QuantileBins.of(pages)
    features, labels, importance = _collect(pages, weights, bins)
    importance = importance / importance.mean()
    size = bins.at.shape[1] * BINS + HASH_SIZE
    inside = np.bincount(features.ravel(), np.repeat(labels * importance, features.shape[1]), size)
    outside = np.bincount(features.ravel(), np.repeat((1 - labels) * importance, features.shape[1]), size)
    content = float((labels * importance).sum())
    usual = np.log(content / (importance.sum() - content))
    odds = np.log((inside + 1.0) / (outside + 1.0)) - usual
    odds[bins.at.shape[1] * BINS] = 0.0  # no name
    sums = odds[features].sum(1)
    scale, shift = _fit_scale(sums, labels, importance)
    return AdditiveClassifier(bins, odds, scale, shift)


def _fit_scale(sums: NDArray[Any], labels: NDArray[Any], importance: NDArray[Any]) -> tuple[float, float]:
    """Fit scale and shift of the sums to the labels (Platt scaling), by Newton's method."""
    center, spread = sums.mean(), sums.std() or 1.0
    x = np.stack([(sums - center) / spread, np.ones(len(sums))], 1)
    w = np.zeros(2)
    for _ in range(20):
        p = 1.0 / (1.0 + np.exp(-x @ w))
        curve = (x * (importance * np.maximum(p * (1 - p), 1e-6))[:, None]).T @ x + 1e-6 * np.eye(2)
        w -= np.linalg.solve(curve, x.T @ (importance * (p - labels)))
    return float(w[0] / spread), float(w[1] - w[0] * center / spread)
