"""Two classifiers to compare the boosted trees with: a linear model over hashed features, and naive Bayes.

Both see a block as a set of facts: each number of its row, cut at its quantiles ("links lies in the third of sixteen
parts"), and the names of the elements around it, hashed. Naive Bayes adds up the logarithms of the odds of the facts,
as Pasternack and Roth (WWW 2009) do with the facts of a token; the linear model learns a weight for each (logistic
regression by Adagrad). Naive Bayes takes facts for independent that are not, so its sums are scaled to fit the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.training.auto.dataset import LabeledPage

PARTS = 16
HASHED = 1 << 16
NAMES = 12
"""Names of an element and those around it that are looked at."""
BATCH = 4096
EPOCHS = 3
RATE = 0.05
SAMPLE = 200_000
"""Rows from which the quantiles are taken."""

Facts = NDArray[np.int32]


class Classifier(Protocol):
    """What tells blocks apart."""

    def probabilities(self, page: LabeledPage) -> NDArray[np.float64]: ...


@dataclass(eq=False)
class Cuts:
    """Where the numbers are cut."""

    at: NDArray[np.float32]

    @classmethod
    def of(cls, pages: Sequence[LabeledPage]) -> Cuts:
        rows = np.concatenate([page.rows for page in pages])
        rows = rows[:: max(1, len(rows) // SAMPLE)]
        return cls(np.quantile(rows, np.arange(1, PARTS) / PARTS, axis=0).astype(np.float32))

    def facts(self, page: LabeledPage) -> Facts:
        """The facts of each block, a row a block."""
        width = self.at.shape[1]
        parts = np.zeros((len(page.rows), width), np.int32)
        for cut in self.at:
            parts += page.rows > cut
        numbers = np.arange(width, dtype=np.int32) * PARTS + parts
        return np.hstack([numbers, width * PARTS + _names(page)])


def _names(page: LabeledPage) -> Facts:
    """The hashed names of each block's element and of those around, the nearest first."""
    known: list[list[int]] = []
    for element, names in enumerate(page.names):
        own = [1 + crc32(name.lower().encode("utf-8", "replace")) % (HASHED - 1) for name in names]
        above = page.parent[element]
        known.append((own + (known[above] if above >= 0 else []))[:NAMES])
    return np.array([known[owner] + [0] * (NAMES - len(known[owner])) for owner in page.owner], np.int32)


@dataclass(eq=False)
class Additive:
    """A weight a fact, added up."""

    cuts: Cuts
    weights: NDArray[np.float64]
    scale: float = 1.0
    shift: float = 0.0

    def probabilities(self, page: LabeledPage) -> NDArray[np.float64]:
        sums = self.weights[self.cuts.facts(page)].sum(1) * self.scale + self.shift
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(sums, -30, 30))))


def _gathered(
    pages: Sequence[LabeledPage], weights: Sequence[NDArray[Any]], cuts: Cuts
) -> tuple[Facts, NDArray[Any], NDArray[Any]]:
    facts = np.vstack([cuts.facts(page) for page in pages])
    return facts, np.concatenate([page.labels for page in pages]).astype(np.float64), np.concatenate(weights)


def linear(pages: Sequence[LabeledPage], weights: Sequence[NDArray[Any]], seed: int = 1) -> Additive:
    """Logistic regression over the facts."""
    cuts = Cuts.of(pages)
    facts, labels, importance = _gathered(pages, weights, cuts)
    importance = importance / importance.mean()
    size = cuts.at.shape[1] * PARTS + HASHED
    found, seen = np.zeros(size), np.full(size, 1e-6)
    chance = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        order = chance.permutation(len(facts))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            here = facts[rows]
            error = (1.0 / (1.0 + np.exp(-found[here].sum(1))) - labels[rows]) * importance[rows]
            gradient = np.bincount(here.ravel(), np.repeat(error, here.shape[1]), size) / len(rows)
            seen += gradient * gradient
            found -= RATE * gradient / np.sqrt(seen)
    return Additive(cuts, found)


def naive_bayes(pages: Sequence[LabeledPage], weights: Sequence[NDArray[Any]]) -> Additive:
    """The logarithm of the odds of each fact, with one block's worth of doubt."""
    cuts = Cuts.of(pages)
    facts, labels, importance = _gathered(pages, weights, cuts)
    importance = importance / importance.mean()
    size = cuts.at.shape[1] * PARTS + HASHED
    inside = np.bincount(facts.ravel(), np.repeat(labels * importance, facts.shape[1]), size)
    outside = np.bincount(facts.ravel(), np.repeat((1 - labels) * importance, facts.shape[1]), size)
    content = float((labels * importance).sum())
    usual = np.log(content / (importance.sum() - content))
    odds = np.log((inside + 1.0) / (outside + 1.0)) - usual
    odds[cuts.at.shape[1] * PARTS] = 0.0  # no name
    sums = odds[facts].sum(1)
    scale, shift = _fitted(sums, labels, importance)
    return Additive(cuts, odds, scale, shift)


def _fitted(sums: NDArray[Any], labels: NDArray[Any], importance: NDArray[Any]) -> tuple[float, float]:
    """The scale and the shift under which the sums, as scores, fit the labels best (Platt), by Newton's steps."""
    center, spread = sums.mean(), sums.std() or 1.0
    x = np.stack([(sums - center) / spread, np.ones(len(sums))], 1)
    w = np.zeros(2)
    for _ in range(20):
        p = 1.0 / (1.0 + np.exp(-x @ w))
        curve = (x * (importance * np.maximum(p * (1 - p), 1e-6))[:, None]).T @ x + 1e-6 * np.eye(2)
        w -= np.linalg.solve(curve, x.T @ (importance * (p - labels)))
    return float(w[0] / spread), float(w[1] - w[0] * center / spread)
