"""Scores on held-out sites: each page extracted by a model that has not seen its site."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation import Example
from duramen.evaluation.metrics.words import word_agreement
from duramen.language import words
from duramen.methods.auto.method import Auto
from duramen.training.auto.learning import Learning
from duramen.training.auto.pages import fold_of


def held_out(
    examples: Sequence[Example], learning: Learning, after_page: Callable[[], None]
) -> dict[str, dict[str, float]]:
    """Mean word F1 by set and by type of page, and how often the type is told rightly; with the number of pages."""
    folds = learning.settings.folds
    found: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        methods = {}
        for fold in range(folds):  # the method reads models from files, so these are such
            path = Path(folder, f"{fold}.npz")
            learning.model(without=fold).save(path)
            methods[fold] = Auto(model=str(path))
        for example in examples:
            after_page()
            if example.text is None:  # nothing to score by
                continue
            try:
                page = Page.parse(example.read(), url=example.url)
            except InputError:  # it was told when the page was to be learnt from
                continue
            content = methods[fold_of(example.site, folds)](page)
            f1 = word_agreement(Counter(words(example.text)), Counter(words(content.text))).f1
            found[example.set].append(f1)
            found[f"{example.set}, {example.type}"].append(f1)
            found["type of page"].append(float(content.page_type == example.type))
    return {name: {"f1": round(sum(each) / len(each), 4), "pages": len(each)} for name, each in sorted(found.items())}
