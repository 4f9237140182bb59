"""Learn the dictionary of class names: a score and a path weight for each word.

The score of a word is sixteen times the log odds that text below elements with this word is content, relative to all
text, smoothed by one site. Every site counts once for a word, however many pages it has; words of fewer than three
sites are left out. Path weights are the coefficients of a logistic regression that predicts the label of a block from
the set of words and tags on its path, with L2 regularization, so that a word of few sites weighs little.

A page must not be scored with a dictionary that was learned from it. Counts and paths are kept by fold, so that a
dictionary without some folds can be made.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.errors import MissingExtraError
from duramen.methods.auto.class_scores import WEIGHT_SCALE, split_name
from duramen.training.auto.dataset import LabeledPage

MIN_SITES = 3
_MEAN_CONTENT_SHARE = 0.45
"""Share of a page's text that is content, mean over pages."""
_SCORE_SCALE = 16
L2_PENALTY = 30.0
"""Of the square of a weight, where a page has weight 100."""
_MAX_ITERATIONS = 80
_MAX_WEIGHT = 2**15 - 1

WordCounts = list[dict[str, tuple[float, int]]]
"""For each fold and word: the sum over sites of the share of content, and the number of sites."""
Floats = NDArray[np.float64]


def _list_words(page: LabeledPage, element: int) -> list[str]:
    """Return the words of an element: its tag, and those of its names."""
    return [f"<{page.tags[element]}>", *(word for name in page.names[element] for word in split_name(name))]


def count_words(pages: Iterable[LabeledPage], folds: int) -> WordCounts:
    """Count for each word how much of the text below it is content."""
    shares: list[dict[str, dict[str, list[float]]]] = [defaultdict(lambda: defaultdict(list)) for _ in range(folds)]
    for page in pages:
        if not page.is_usable:
            continue
        words = np.concatenate([[0], np.cumsum(page.words)])
        hits = np.concatenate([[0], np.cumsum(page.hits)])
        page_shares: dict[str, list[float]] = defaultdict(list)
        for element in range(len(page.names)):
            size = words[page.stop[element]] - words[page.start[element]]
            if size:
                share = (hits[page.stop[element]] - hits[page.start[element]]) / size
                for word in set(_list_words(page, element)):
                    page_shares[word].append(share)
        fold = shares[page.fold(folds)]
        for word, values in page_shares.items():
            fold[word][page.site].append(sum(values) / len(values))
    return [
        {word: (sum(sum(each) / len(each) for each in sites.values()), len(sites)) for word, sites in fold.items()}
        for fold in shares
    ]


def make_dictionary(counts: WordCounts, without: Collection[int] = ()) -> dict[str, int]:
    """Return the scores of the words that enough sites use, sorted, without those of some folds."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for fold, words in enumerate(counts):
        if fold not in without:
            for word, (share, sites) in words.items():
                totals[word][0] += share
                totals[word][1] += sites - share
    scores = {}
    for word in sorted(totals):
        inside, outside = totals[word]
        if inside + outside >= MIN_SITES - 1e-9 and "\n" not in word:
            odds = (inside + _MEAN_CONTENT_SHARE) / (outside + 1 - _MEAN_CONTENT_SHARE)
            odds *= (1 - _MEAN_CONTENT_SHARE) / _MEAN_CONTENT_SHARE
            scores[word] = round(_SCORE_SCALE * math.log(odds))
    return scores


@dataclass(eq=False)
class PathTable:
    """The paths to the blocks of some pages: which words each has."""

    vocabulary: Sequence[str] = field(repr=False)
    table: Any = field(repr=False)
    """Sparse matrix: a row for every element with blocks of its own, a column for every word."""
    labels: Floats = field(repr=False)
    weights: Floats = field(repr=False)
    folds: NDArray[np.int64] = field(repr=False)


def read_paths(pages: Sequence[LabeledPage], vocabulary: Sequence[str], folds: int) -> PathTable:
    """Return the paths of pages. Blocks under one element share a row; pages have equal weight."""
    sparse = _require_scipy().sparse
    numbers = {word: number for number, word in enumerate(vocabulary)}
    ends, words = [0], array("i")
    labels, row_weights, row_folds = [], [], []
    for page in pages:
        paths = _list_paths(page, numbers)
        owners, places = np.unique(np.array(page.owner), return_inverse=True)
        for owner in owners:
            words.extend(sorted(paths[owner]))
            ends.append(len(words))
        weights = np.sqrt(page.words + 1.0)
        weights *= 100.0 / weights.sum()
        total = np.bincount(places, weights)
        row_weights.append(total)
        labels.append(np.bincount(places, weights * page.labels) / total)
        row_folds.append(np.full(len(owners), page.fold(folds)))
    shape = len(ends) - 1, len(vocabulary)
    table = sparse.csr_matrix((np.ones(len(words)), np.frombuffer(words, np.int32), np.array(ends)), shape=shape)
    return PathTable(vocabulary, table, np.concatenate(labels), np.concatenate(row_weights), np.concatenate(row_folds))


def _list_paths(page: LabeledPage, numbers: Mapping[str, int]) -> list[frozenset[int]]:
    """Return for each element the words on the path to it."""
    paths: list[frozenset[int]] = []
    for element, above in enumerate(page.parent):
        around = paths[above] if above >= 0 else frozenset[int]()
        paths.append(around.union([numbers[word] for word in _list_words(page, element) if word in numbers]))
    return paths


def learn_weights(paths: PathTable, words: Collection[str], without: Collection[int] = ()) -> list[int]:
    """Return the path weights of these words, in their order, learned from the paths outside some folds."""
    optimize = _require_scipy().optimize
    numbers = {word: number for number, word in enumerate(paths.vocabulary)}
    columns = np.array([numbers[word] for word in words], np.int64)
    rows = ~np.isin(paths.folds, list(without))
    if not len(columns) or not rows.any():
        return [0] * len(columns)
    table = paths.table[rows][:, columns].tocsr()
    transposed = table.T.tocsr()
    labels, row_weights = paths.labels[rows], paths.weights[rows]

    def loss_and_gradient(coefficients: Floats) -> tuple[float, Floats]:
        scores = table @ coefficients[:-1] + coefficients[-1]
        errors = row_weights * (1.0 / (1.0 + np.exp(-scores)) - labels)
        gradient = np.append(transposed @ errors + L2_PENALTY * coefficients[:-1], errors.sum())
        loss = float((row_weights * (np.logaddexp(0.0, scores) - labels * scores)).sum())
        return loss + 0.5 * L2_PENALTY * float((coefficients[:-1] ** 2).sum()), gradient

    start = np.zeros(len(columns) + 1)
    options = {"maxiter": _MAX_ITERATIONS}
    learned = optimize.minimize(loss_and_gradient, start, jac=True, method="L-BFGS-B", options=options).x[:-1]
    return [int(weight) for weight in np.clip(np.rint(learned * WEIGHT_SCALE), -_MAX_WEIGHT, _MAX_WEIGHT)]


def _require_scipy() -> Any:
    try:
        import scipy.optimize
        import scipy.sparse
    except ImportError as error:
        raise MissingExtraError("scipy", "training") from error
    return scipy
