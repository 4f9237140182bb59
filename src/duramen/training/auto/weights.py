"""The weights of words on a way (`duramen.methods.auto.path_weights`), learnt for all words at once.

A logistic regression tells the label of a block from which words and tags there are on its way, each once. Blocks under
one element share a row; pages count alike. Weights have a price (L2), so that a word of few sites weighs little. Only
pages as they are: thinned ones have the same ways.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.errors import MissingExtraError
from duramen.methods.auto import class_scores as hints
from duramen.methods.auto.path_weights import SCALE
from duramen.training.auto.pages import LabelledPage

PRICE = 30.0
"""Of the square of a weight, where a page is worth a hundred."""
_STEPS = 80
_LARGEST = 2**15 - 1

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Ways:
    """The ways to the blocks of some pages, as a table of which words each has."""

    vocabulary: Sequence[str] = field(repr=False)
    table: Any = field(repr=False)
    """A sparse matrix: a row for every element with blocks of its own, a column for every word."""
    labels: Floats = field(repr=False)
    worth: Floats = field(repr=False)
    folds: NDArray[np.int64] = field(repr=False)
    """Of each row the part of the sites that it is in."""


def read_ways(pages: Sequence[LabelledPage], vocabulary: Sequence[str], folds: int) -> Ways:
    """The ways of these pages."""
    sparse = _require_scipy().sparse
    numbers = {word: number for number, word in enumerate(vocabulary)}
    ends, words = [0], array("i")
    labels, worth, parts = [], [], []
    for page in pages:
        ways = _ways(page, numbers)
        owners, places = np.unique(np.array(page.owner), return_inverse=True)
        for owner in owners:
            words.extend(sorted(ways[owner]))
            ends.append(len(words))
        weights = np.sqrt(page.words + 1.0)
        weights *= 100.0 / weights.sum()
        total = np.bincount(places, weights)
        worth.append(total)
        labels.append(np.bincount(places, weights * page.labels) / total)
        parts.append(np.full(len(owners), page.fold(folds)))
    shape = len(ends) - 1, len(vocabulary)
    table = sparse.csr_matrix((np.ones(len(words)), np.frombuffer(words, np.int32), np.array(ends)), shape=shape)
    return Ways(vocabulary, table, np.concatenate(labels), np.concatenate(worth), np.concatenate(parts))


def _ways(page: LabelledPage, numbers: Mapping[str, int]) -> list[frozenset[int]]:
    """Of each element the words on the way to it."""
    found: list[frozenset[int]] = []
    for tag, names, above in zip(page.tags, page.names, page.parent, strict=True):
        around = found[above] if above >= 0 else frozenset[int]()
        own = [f"<{tag}>", *(word for name in names for word in hints.words(name))]
        found.append(around.union([numbers[word] for word in own if word in numbers]))
    return found


def learn_weights(ways: Ways, known: Collection[str], without: Collection[int] = ()) -> array[int]:
    """The weights of these words, in their order, from the ways outside some folds."""
    optimize = _require_scipy().optimize
    places = {word: number for number, word in enumerate(ways.vocabulary)}
    columns = np.array([places[word] for word in known], np.int64)
    rows = ~np.isin(ways.folds, list(without))
    if not len(columns) or not rows.any():
        return array("q", bytes(8 * len(columns)))
    table = ways.table[rows][:, columns].tocsr()
    turned = table.T.tocsr()
    labels, worth = ways.labels[rows], ways.worth[rows]

    def cost(weights: Floats) -> tuple[float, Floats]:
        scores = table @ weights[:-1] + weights[-1]
        wrong = worth * (1.0 / (1.0 + np.exp(-scores)) - labels)
        slope = np.append(turned @ wrong + PRICE * weights[:-1], wrong.sum())
        loss = float((worth * (np.logaddexp(0.0, scores) - labels * scores)).sum())
        return loss + 0.5 * PRICE * float((weights[:-1] ** 2).sum()), slope

    found = optimize.minimize(
        cost, np.zeros(len(columns) + 1), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}
    ).x[:-1]
    return array("q", np.clip(np.rint(found * SCALE), -_LARGEST, _LARGEST).astype(np.int64).tobytes())


def _require_scipy() -> Any:
    try:
        import scipy.optimize
        import scipy.sparse
    except ImportError as error:
        raise MissingExtraError("scipy", "training") from error
    return scipy
