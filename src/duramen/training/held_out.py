"""Score a model on held-out sites: cross-validation by site.

The sites are divided into folds; for each fold a model is made from the counts of the other folds, and is applied to
the pages of this fold. No page is scored by a model that was trained on its site. All pages with a reference text are
scored, also those that were not used for training. The measure is the F1 of words as a multiset, its mean over pages.
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
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.sets import Example
from duramen.language import words
from duramen.methods.mss.supervised import MssSupervised
from duramen.methods.mss.variants import Mss
from duramen.training.mss import LabeledCounts, MssTrainingSettings, find_fold

SCORED_METHODS: tuple[type[MssSupervised], ...] = (MssSupervised, Mss)
"""The methods that a model is scored with: the paper's, and the recommended variant."""

MethodScores = dict[str, list[Agreement]]
"""The scores of pages, by method."""


@dataclass
class FoldScores:
    """The scores of the pages of one fold by a model that was not trained on their sites."""

    fold: int
    sites: int
    pages: int = 0
    pruned: MethodScores = field(default_factory=dict)
    """By the model as it is saved."""
    whole: MethodScores = field(default_factory=dict)
    """By the model without pruning; empty if the settings do not prune."""


def score_held_out(
    examples: Sequence[Example],
    counts: LabeledCounts,
    settings: MssTrainingSettings,
    after_page: Callable[[], None] = lambda: None,
) -> list[FoldScores]:
    """Return the scores by fold. Folds without pages, or without training pages in the other folds, are left out."""
    scores = []
    for fold in range(settings.folds):
        pages = [example for example in examples if example.text and find_fold(example.site, settings.folds) == fold]
        if pages and counts.pages > counts.folds[fold].pages:
            scores.append(_score_fold(fold, pages, counts, settings, after_page))
    return [fold_scores for fold_scores in scores if fold_scores.pages]


def mean_agreement(scores: Sequence[Agreement]) -> Agreement:
    """Return the means of precision, recall and F1."""
    return Agreement(*(sum(values) / len(scores) for values in zip(*scores, strict=True)))


def _score_fold(
    fold: int,
    examples: Sequence[Example],
    counts: LabeledCounts,
    settings: MssTrainingSettings,
    after_page: Callable[[], None],
) -> FoldScores:
    fold_scores = FoldScores(fold, len({example.site for example in examples}))
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        # The methods read models from files.
        runs = [(fold_scores.pruned, _save_model(counts, settings, fold, Path(folder, "pruned.npz")))]
        if settings.prunes:
            runs.append(
                (fold_scores.whole, _save_model(counts, settings.without_pruning(), fold, Path(folder, "whole.npz")))
            )
        for example in examples:
            _score_page(example, fold_scores, runs)
            after_page()
    return fold_scores


def _save_model(counts: LabeledCounts, settings: MssTrainingSettings, fold: int, path: Path) -> str:
    counts.model(settings, without=fold).save(path)
    return str(path)


def _score_page(example: Example, fold_scores: FoldScores, runs: Sequence[tuple[MethodScores, str]]) -> None:
    try:
        page = Page.parse(example.read(), url=example.url)
    except InputError:  # it was reported when the page was read for training
        return
    fold_scores.pages += 1
    reference = Counter(words(example.text or ""))
    for scores, model in runs:
        for method in SCORED_METHODS:
            text = method(model=model)(page).text
            scores.setdefault(method.name, []).append(word_agreement(reference, Counter(words(text))))
