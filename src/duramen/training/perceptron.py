"""Train the token classifier as a perceptron through the maximum subsequence, in place of naive Bayes.

Pasternack and Roth, WWW 2009, section 6.2.6, inference-based training: score the tokens of a training page, find the
maximum subsequence, and correct the weights only of the tokens that the subsequence puts on the wrong side. The
features are those of naive Bayes, the trigram of a token and its open tag; the score of a token is the sum of their
weights and a constant. The authors found this ineffective: the weights become large, fit the training pages, and
mislead on others. `average=True` returns the mean of the weights after each page, which is not in the paper and is the
usual remedy.

The pages are read once; three arrays of each are kept, because every epoch needs them again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.errors import InputError
from duramen.methods.mss.model import PERCEPTRON, MssModel, NgramTable, find_keys
from duramen.methods.mss.subsequence import maximum_subsequence_of_array
from duramen.methods.mss.tokens import Hashes, Tokens

_TRIGRAMS = 3


class TrainingPage(NamedTuple):
    """The features of the tokens of a page, and the tokens from `start` up to `stop` that are its article."""

    trigrams: Hashes
    open_tags: Hashes
    start: int
    stop: int


@dataclass(frozen=True)
class Perceptron:
    """The settings of the training."""

    epochs: int = 5
    average: bool = False
    seed: int = 2009
    """For the order of the pages, which is another one in each epoch."""

    def train(self, pages: Iterable[TrainingPage]) -> MssModel:
        """Return a model of weights. Raises `InputError` without pages."""
        read = list(pages)
        if not read:
            raise InputError("there are no pages to learn from")
        trigrams, trigram_rows = _index([page.trigrams for page in read])
        tags, tag_rows = _index([page.open_tags for page in read])
        # One array for all weights: the trigrams, then the tags, then the constant.
        weights = np.zeros(len(trigrams) + len(tags) + 1)
        total = np.zeros_like(weights)
        rows = [(grams, len(trigrams) + open_tags) for grams, open_tags in zip(trigram_rows, tag_rows, strict=True)]
        mistakes: list[int] = []
        order, random, steps = list(range(len(read))), Random(self.seed), 0
        for _ in range(self.epochs):
            random.shuffle(order)
            mistakes.append(0)
            for number in order:
                mistakes[-1] += _correct(weights, rows[number], read[number])
                steps += 1
                if self.average:
                    total += weights
            if not mistakes[-1]:
                break
        if self.average:
            weights = total / steps
        values = weights.astype(np.float16)
        tables = {order: NgramTable.empty() for order in range(_TRIGRAMS)}
        tables[_TRIGRAMS] = NgramTable(trigrams, values[: len(trigrams)])
        open_tags = NgramTable(tags, values[len(trigrams) : -1])
        card = {"algorithm": PERCEPTRON, "epochs": len(mistakes), "average": self.average, "mistakes": mistakes}
        return MssModel(float(weights[-1]), tables, open_tags, card=card)


def make_training_page(tokens: Tokens, start: int, stop: int) -> TrainingPage:
    """Return the features of a page whose article is the tokens from `start` up to `stop`."""
    return TrainingPage(find_keys(tokens, _TRIGRAMS), tokens.open_tags, start, stop)


def _index(arrays: list[Hashes]) -> tuple[Hashes, list[NDArray[np.int64]]]:
    """Return the different keys in order, and for each array the index of each of its keys."""
    keys, rows = np.unique(np.concatenate(arrays), return_inverse=True)
    return keys, np.split(rows, np.cumsum([len(array) for array in arrays])[:-1])


def _correct(weights: NDArray[np.float64], rows: tuple[NDArray[np.int64], ...], page: TrainingPage) -> int:
    """Change the weights of the tokens on the wrong side, and return their number."""
    scores = weights[rows[0]] + weights[rows[1]] + weights[-1]
    run = maximum_subsequence_of_array(scores)
    change = np.zeros(len(scores))
    change[page.start : page.stop] = 1.0
    if run is not None:
        change[run.start : run.stop] -= 1.0
    wrong = np.flatnonzero(change)
    for features in rows:
        np.add.at(weights, features[wrong], change[wrong])
    weights[-1] += change.sum()
    return len(wrong)
