"""Scores on held-out sites: what a model is worth on pages of sites that it has never seen.

The sites are cut into folds; for each fold a model is made of the other folds' counts, and finds the content of the
pages of this one. A page of a site that taught the model is never scored by it. All pages with gold text are scored,
those too that were of no use for training. The measure is the F1 of words as a multiset, and its mean over the pages.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.metrics.words import word_agreement
from duramen.evaluation.sets import Example
from duramen.language import words
from duramen.methods.mss.mss import Mss
from duramen.methods.mss.supervised import MssSupervised
from duramen.training.mss import Learnt, Settings, fold_of

SCORED: tuple[type[MssSupervised], ...] = (MssSupervised, Mss)
"""The methods that a model is scored with: the paper's, and ours."""

Scores = dict[str, list[Agreement]]
"""The scores of pages, by method."""


@dataclass
class FoldScores:
    """The pages of one fold, scored by a model that knows none of their sites."""

    fold: int
    sites: int
    pages: int = 0
    pruned: Scores = field(default_factory=dict)
    """By the model as it will be."""
    whole: Scores = field(default_factory=dict)
    """By the model with no n-gram left out; empty where none is."""


def held_out(
    examples: Sequence[Example], learnt: Learnt, settings: Settings, after_page: Callable[[], None] = lambda: None
) -> list[FoldScores]:
    """The scores fold by fold. A fold without pages, or beside which no page was used, has none."""
    found = []
    for fold in range(settings.folds):
        pages = [example for example in examples if example.text and fold_of(example.site, settings.folds) == fold]
        if pages and learnt.pages > learnt.counts[fold].pages:
            found.append(_score_fold(fold, pages, learnt, settings, after_page))
    return [each for each in found if each.pages]


def mean(scores: Sequence[Agreement]) -> Agreement:
    """The means of precision, recall and F1, each for itself."""
    return Agreement(*(sum(each) / len(scores) for each in zip(*scores, strict=True)))


def _score_fold(
    fold: int, examples: Sequence[Example], learnt: Learnt, settings: Settings, after_page: Callable[[], None]
) -> FoldScores:
    found = FoldScores(fold, len({example.site for example in examples}))
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        # The methods read models from files, so these are such.
        runs = [(found.pruned, _save(learnt, settings, fold, Path(folder, "pruned.npz")))]
        if settings.prunes:
            runs.append((found.whole, _save(learnt, settings.without_pruning(), fold, Path(folder, "whole.npz"))))
        for example in examples:
            _score_page(example, found, runs)
            after_page()
    return found


def _save(learnt: Learnt, settings: Settings, fold: int, path: Path) -> str:
    learnt.model(settings, without=fold).save(path)
    return str(path)


def _score_page(example: Example, found: FoldScores, runs: Sequence[tuple[Scores, str]]) -> None:
    try:
        page = Page.parse(example.read(), url=example.url)
    except InputError:  # it was told when the page was to be learnt from
        return
    found.pages += 1
    gold = Counter(words(example.text or ""))
    for scores, model in runs:
        for method in SCORED:
            text = method(model=model)(page).text
            scores.setdefault(method.name, []).append(word_agreement(gold, Counter(words(text))))
