"""Held-out scores of a trained model, and its model card."""

from __future__ import annotations

import dataclasses
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation import Example
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.language import words
from duramen.methods.auto.method import Auto
from duramen.methods.auto.model import AutoModel
from duramen.training.auto.dataset import fold_of
from duramen.training.auto.train import AutoTraining, TrainingSet, TrainingSettings
from duramen.training.card import CREDITS, MEASURE, describe_origin


def score_held_out(
    examples: Sequence[Example], training: AutoTraining, after_page: Callable[[], None]
) -> dict[str, dict[str, float]]:
    """Return mean word F1 by set and page type, and the accuracy of the page type, with the number of pages.

    Each page is extracted by a model that has not seen its site.
    """
    folds = training.settings.folds
    scores: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        methods = {}
        for fold in range(folds):  # the method reads models from files
            path = Path(folder, f"{fold}.npz")
            training.make_model(without=fold).save(path)
            methods[fold] = Auto(model=str(path))
        for example in examples:
            after_page()
            if example.text is None:
                continue
            try:
                page = Page.parse(example.read(), url=example.url)
            except InputError:  # reported when the page was read for training
                continue
            content = methods[fold_of(example.site, folds)](page)
            f1 = word_agreement(Counter(words(example.text)), Counter(words(content.text))).f1
            scores[example.set].append(f1)
            scores[f"{example.set}, {example.type}"].append(f1)
            scores["type of page"].append(float(content.page_type == example.type))
    return {
        name: {"f1": round(sum(values) / len(values), 4), "pages": len(values)}
        for name, values in sorted(scores.items())
    }


def make_card(
    examples: Sequence[Example],
    training_set: TrainingSet,
    model: AutoModel,
    settings: TrainingSettings,
    scores: Mapping[str, Mapping[str, float]],
) -> dict[str, Any]:
    """Return the card: what the model was trained on, when, how, and how it scored."""
    sites = {(example.set, example.site) for example in examples}
    pages = Counter(example.set for example in examples)
    return {
        "algorithm": "boosted trees over blocks, twice",
        **describe_origin(),
        "sets": [
            {
                "name": name,
                "credit": CREDITS.get(name, name),
                "pages": count,
                "sites": sum(1 for each, _ in sites if each == name),
            }
            for name, count in pages.items()
        ],
        "pages": len(training_set.pages),
        "unusable": training_set.unusable,
        "unreadable": len(training_set.unreadable),
        "parameters": dataclasses.asdict(settings),
        "names": len(model.dictionary),
        "leaves": {"first": len(model.first.value), "second": len(model.second.value)},
        "measure": MEASURE,
        "scores": {name: dict(score) for name, score in scores.items()},
    }
