"""What the default extractor is made of, compared with what it might be made of.

    python benchmarks/auto_choices.py DATA
    python benchmarks/auto_choices.py DATA -o docs/results/auto.md --pictures docs/pictures

DATA is the folder that holds wcxb-dev, news-world-dev, chinese-dev and forums-dev. Everything is learnt as by `duramen
train auto`; every page is scored by what has not seen its site. Compared are the local classifiers (boosted trees, a
linear model over hashed features, naive Bayes), the ways to choose blocks once each has a probability, and what the
page's confidence says with the F1 that was found. Takes half an hour and the extras training and evaluation;
`--limit 100` is a quick trial on a hundred sites of each set.

F1 here is that of words by position: twice the words of the gold in the kept blocks, over those kept and those of the
gold. The time is the processor's for one page, of the classifier alone with its facts at hand.
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
from auto_linear import linear, naive_bayes
from duramen.dom.blocks import Blocks
from duramen.dom.tree import Tree
from duramen.evaluation import choose as chosen
from duramen.evaluation import read_set
from duramen.methods.auto.forest import classify_again, logistic
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
class Judged:
    """A page with what each classifier says of its blocks."""

    page: LabeledPage
    said: dict[str, Probabilities] = field(default_factory=dict)

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

    def kept_f1(self, way: str, name: str) -> float:
        """The F1 of what is kept in this way by what this classifier says."""
        return self.f1(select_blocks(way, self.blocks, self.said[name], self.page.cluster).kept)

    def best_cut(self, name: str) -> float:
        """The F1 at the best cut-off that there is."""
        order = np.argsort(-self.said[name], kind="stable")
        hits, sizes = np.cumsum(self.page.hits[order]), np.cumsum(self.page.words[order])
        return float((2 * hits / np.maximum(1, sizes + self.page.reference_words)).max())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/auto.md"))
    parser.add_argument("--pictures", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--limit", type=int, metavar="N", help="take the first N sites of each set only")
    arguments = parser.parse_args()
    examples = chosen((each for name in SETS for each in read_set(arguments.data / name)), limit=arguments.limit)
    settings = TrainingSettings()
    gathered = timed("reading", lambda: read_training_set(examples, settings, lambda: None))
    learning = AutoTraining(gathered, settings)
    timed("growing", lambda: learning.run(lambda: None))
    judged, times = timed("judging", lambda: judge(learning))
    names = list(times)
    auto_document.write(
        arguments.output,
        arguments.pictures,
        pages=len(judged),
        classifiers={name: (by_type(judged, partial(kept_f1, name=name)), times[name]) for name in names},
        ways={way: by_type(judged, partial(way_f1, way=way)) for way in STRATEGIES}
        | {
            "the best cut-off of each page, if one knew it": by_type(
                judged, lambda each: each.best_cut("trees, asked twice")
            )
        }
        | {"all blocks that are content by half": by_type(judged, lambda each: each.f1(each.page.labels > 0.5))},
        confidences=confidences(learning),
    )
    return 0


def confidences(learning: AutoTraining) -> list[tuple[float, float]]:
    """Of each page the confidence, calibrated on other sites, and the F1 found."""
    folds = learning.settings.folds
    models = {fold: learning.make_model(without=fold) for fold in range(folds)}
    whole = [each for each in learning.outcomes if each.page.is_original]
    return [(models[each.page.fold(folds)].confidence(each.expected_f1), each.f1) for each in whole]


def kept_f1(each: Judged, name: str) -> float:
    return each.kept_f1("expected-f1", name)


def way_f1(each: Judged, way: str) -> float:
    return each.kept_f1(way, "trees, asked twice")


def by_type(judged: Iterable[Judged], score: Callable[[Judged], float]) -> dict[str, float]:
    """Means over the pages of each type, and over all."""
    found: dict[str, list[float]] = defaultdict(list)
    for each in judged:
        value = score(each)
        found["all"].append(value)
        found[each.page.page_type].append(value)
    return {name: float(np.mean(values)) for name, values in found.items()}


def judged_by_trees(model: AutoModel, pages: Iterable[LabeledPage]) -> Iterable[Judged]:
    """What the trees of a model say of these pages."""
    for page in pages:
        page.set_scores(model.scorer)
        each = Judged(page)
        _ask_trees(each, model, defaultdict(float))
        yield each


def judge(learning: AutoTraining) -> tuple[list[Judged], dict[str, float]]:
    """Every page by classifiers that have not seen its site; and what each takes for a page, in microseconds."""
    judged: list[Judged] = []
    times: dict[str, float] = defaultdict(float)
    folds = learning.settings.folds
    for fold in range(folds):
        known = {other: learning.make_scorer(*{fold, other}) for other in range(folds)}
        groups = [group for group in learning.training_set.groups if group[0].fold(folds) != fold]
        lessons = [page for group in groups for page in select_for_seed(group, 0)]
        for page in lessons:
            page.set_scores(known[page.fold(folds)])
        weights = [learning.weigh_blocks(page) for page in lessons]
        others = {"linear, hashed": linear(lessons, weights), "naive Bayes": naive_bayes(lessons, weights)}
        model = learning.make_model(without=fold)
        for page in learning.training_set.pages:
            if page.fold(folds) == fold:
                page.set_scores(model.scorer)
                each = Judged(page)
                _ask_trees(each, model, times)
                for name, classifier in others.items():
                    began = process_time()
                    each.said[name] = classifier.probabilities(page)
                    times[name] += process_time() - began
                judged.append(each)
    return judged, {name: spent / len(judged) * 1e6 for name, spent in times.items()}


def _ask_trees(each: Judged, model: AutoModel, times: dict[str, float]) -> None:
    matrix = np.ascontiguousarray(each.page.rows.T, np.float64)
    began = process_time()
    first = logistic(model.first.score(matrix))
    once = process_time() - began
    features = describe_context(each.page, first).features
    began = process_time()
    second = classify_again(model.second, features.matrix, first)
    times["trees, asked twice"] += once + process_time() - began
    times["trees, asked once"] += once
    each.said["trees, asked twice"] = second
    each.said["trees, asked once"] = first


if __name__ == "__main__":
    sys.exit(main())
