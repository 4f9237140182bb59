"""Compare the classifier and the block selection of the default extractor with alternatives.

    python benchmarks/auto_choices.py DATA
    python benchmarks/auto_choices.py DATA -o docs/results/auto.md --pictures docs/pictures

DATA is the folder with wcxb-dev, news-world-dev, chinese-dev and forums-dev. Models are trained as by `duramen train
auto`; every page is scored by models that have not seen its site. Three things are compared: local classifiers (boosted
trees, a linear model over hashed features, naive Bayes), strategies that choose blocks by their probabilities, and the
confidence of a page with its F1. Takes half an hour and needs the extras training and evaluation; `--limit 100` is a
quick trial on a hundred sites of each set.

F1 is that of words by position: twice the reference words in the kept blocks, divided by the sum of the words of the
kept blocks and of the reference. The time is processor time of the classifier alone for one page, features given.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

import auto_document
from auto_linear import train_linear, train_naive_bayes
from duramen.dom.blocks import Blocks
from duramen.dom.tree import Tree
from duramen.evaluation import choose, read_set
from duramen.methods.auto.boosted_trees import classify_again, logistic
from duramen.methods.auto.model import AutoModel
from duramen.methods.auto.threshold import STRATEGIES, select_blocks
from duramen.training.auto.dataset import LabeledPage
from duramen.training.auto.train import (
    AutoTraining,
    TrainingSettings,
    describe_context,
    read_training_set,
    select_for_seed,
)
from mss_paper import timed

SETS = ("wcxb-dev", "news-world-dev", "chinese-dev", "forums-dev")
Probabilities = NDArray[np.float64]


@dataclass(eq=False)
class ScoredPage:
    """A page with the probabilities of its blocks by each classifier."""

    page: LabeledPage
    probabilities: dict[str, Probabilities] = field(default_factory=dict)

    @property
    def blocks(self) -> Blocks:
        page = self.page
        nothing = array("q", bytes(8 * len(page.words)))
        sizes = array("q", page.rows[:, 0].astype(int).tolist())
        elements = array("q", bytes(8 * len(page.tags)))
        return Blocks(
            Tree([], [], [], [], []),
            [],
            nothing,
            nothing,
            sizes,
            nothing,
            nothing,
            page.owner,
            elements,
            page.parent,
            page.start,
            page.stop,
            elements,
        )

    def f1(self, kept: Iterable[bool]) -> float:
        mask = np.array(list(kept), bool)
        return float(2 * self.page.hits[mask].sum() / max(1, self.page.words[mask].sum() + self.page.reference_words))

    def kept_f1(self, strategy: str, name: str) -> float:
        """Return the F1 of the blocks that a strategy keeps with the probabilities of a classifier."""
        return self.f1(select_blocks(strategy, self.blocks, self.probabilities[name], self.page.cluster).kept)

    def best_f1(self, name: str) -> float:
        """Return the F1 at the best cut-off for this page."""
        order = np.argsort(-self.probabilities[name], kind="stable")
        hits, sizes = np.cumsum(self.page.hits[order]), np.cumsum(self.page.words[order])
        return float((2 * hits / np.maximum(1, sizes + self.page.reference_words)).max())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/auto.md"))
    parser.add_argument("--pictures", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--limit", type=int, metavar="N", help="take the first N sites of each set only")
    parser.add_argument("--models", type=Path, help="save the models without each fold here, for auto_steps.py")
    arguments = parser.parse_args()
    examples = choose((each for name in SETS for each in read_set(arguments.data / name)), limit=arguments.limit)
    settings = TrainingSettings()
    gathered = timed("reading", lambda: read_training_set(examples, settings, lambda: None))
    learning = AutoTraining(gathered, settings)
    timed("growing", lambda: learning.run(lambda: None))
    if arguments.models:
        save_models(learning, arguments.models)
    scored, times = timed("scoring", lambda: score_pages(learning))
    names = list(times)
    auto_document.write(
        arguments.output,
        arguments.pictures,
        pages=len(scored),
        classifiers={name: (mean_by_type(scored, partial(kept_f1, name=name)), times[name]) for name in names},
        strategies={name: mean_by_type(scored, partial(strategy_f1, strategy=name)) for name in STRATEGIES}
        | {
            "the best cut-off of each page (upper bound)": mean_by_type(
                scored, lambda each: each.best_f1("trees, two passes")
            )
        }
        | {
            "all blocks with more than half content (upper bound)": mean_by_type(
                scored, lambda each: each.f1(each.page.labels > 0.5)
            )
        },
        confidences=measure_confidences(learning),
    )
    return 0


def list_model_files(folder: Path, folds: int) -> list[Path]:
    """Return the files of the models without each fold."""
    return [folder / f"{fold}.npz" for fold in range(folds)]


def save_models(learning: AutoTraining, folder: Path) -> None:
    """Save the models without each fold."""
    folder.mkdir(parents=True, exist_ok=True)
    for fold, path in enumerate(list_model_files(folder, learning.settings.folds)):
        learning.make_model(without=fold).save(path)


def measure_confidences(learning: AutoTraining) -> list[tuple[float, float]]:
    """Return the confidence of each page, calibrated on other sites, and its F1."""
    folds = learning.settings.folds
    models = {fold: learning.make_model(without=fold) for fold in range(folds)}
    whole = [each for each in learning.outcomes if each.page.is_original]
    return [(models[each.page.fold(folds)].confidence(each.expected_f1), each.f1) for each in whole]


def kept_f1(each: ScoredPage, name: str) -> float:
    return each.kept_f1("expected-f1", name)


def strategy_f1(each: ScoredPage, strategy: str) -> float:
    return each.kept_f1(strategy, "trees, two passes")


def mean_by_type(scored: Iterable[ScoredPage], score: Callable[[ScoredPage], float]) -> dict[str, float]:
    """Return the mean score of the pages of each type, and of all pages."""
    scores: dict[str, list[float]] = defaultdict(list)
    for each in scored:
        value = score(each)
        scores["all"].append(value)
        scores[each.page.page_type].append(value)
    return {name: float(np.mean(values)) for name, values in scores.items()}


def score_with_trees(model: AutoModel, pages: Iterable[LabeledPage]) -> Iterable[ScoredPage]:
    """Score pages with the trees of a model."""
    for page in pages:
        page.set_scores(model.scorer)
        each = ScoredPage(page)
        _classify_with_trees(each, model, defaultdict(float))
        yield each


def score_pages(learning: AutoTraining) -> tuple[list[ScoredPage], dict[str, float]]:
    """Score every page with classifiers that have not seen its site; also return microseconds per page of each."""
    scored: list[ScoredPage] = []
    times: dict[str, float] = defaultdict(float)
    folds = learning.settings.folds
    for fold in range(folds):
        scorers = {other: learning.make_scorer(*{fold, other}) for other in range(folds)}
        groups = [group for group in learning.training_set.groups if group[0].fold(folds) != fold]
        training_pages = [page for group in groups for page in select_for_seed(group, 0)]
        for page in training_pages:
            page.set_scores(scorers[page.fold(folds)])
        weights = [learning.weigh_blocks(page) for page in training_pages]
        others = {
            "linear, hashed": train_linear(training_pages, weights),
            "naive Bayes": train_naive_bayes(training_pages, weights),
        }
        model = learning.make_model(without=fold)
        for page in learning.training_set.pages:
            if page.fold(folds) == fold:
                page.set_scores(model.scorer)
                each = ScoredPage(page)
                _classify_with_trees(each, model, times)
                for name, classifier in others.items():
                    began = process_time()
                    each.probabilities[name] = classifier.probabilities(page)
                    times[name] += process_time() - began
                scored.append(each)
    return scored, {name: spent / len(scored) * 1e6 for name, spent in times.items()}


def _classify_with_trees(each: ScoredPage, model: AutoModel, times: dict[str, float]) -> None:
    matrix = np.ascontiguousarray(each.page.rows.T, np.float64)
    began = process_time()
    first = logistic(model.first.score(matrix))
    once = process_time() - began
    features = describe_context(each.page, first).features
    began = process_time()
    second = classify_again(model.second, features.matrix, first)
    times["trees, two passes"] += once + process_time() - began
    times["trees, one pass"] += once
    each.probabilities["trees, two passes"] = second
    each.probabilities["trees, one pass"] = first


if __name__ == "__main__":
    sys.exit(main())
