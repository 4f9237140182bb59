"""The card of the default extractor's model."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from duramen.evaluation import Example
from duramen.methods.auto.model import AutoModel
from duramen.training.auto.learning import Gathered, Settings
from duramen.training.card import CREDITS, origin

_MEASURE = "F1 of words as a multiset, mean over pages; no page is scored by a model that was trained on its site"


def card(
    examples: Sequence[Example],
    gathered: Gathered,
    model: AutoModel,
    settings: Settings,
    scores: Mapping[str, Mapping[str, float]],
) -> dict[str, Any]:
    """What the model was trained on, when, how, and how it scored."""
    sites = {(example.set, example.site) for example in examples}
    pages = Counter(example.set for example in examples)
    return {
        "algorithm": "boosted trees over blocks, twice",
        **origin(),
        "sets": [
            {
                "name": name,
                "credit": CREDITS.get(name, name),
                "pages": count,
                "sites": sum(1 for each, _ in sites if each == name),
            }
            for name, count in pages.items()
        ],
        "pages": len(gathered.pages),
        "unusable": gathered.unusable,
        "unreadable": len(gathered.unreadable),
        "parameters": dataclasses.asdict(settings),
        "names": len(model.dictionary),
        "leaves": {"look": len(model.look.value), "decide": len(model.decide.value)},
        "measure": _MEASURE,
        "scores": {name: dict(score) for name, score in scores.items()},
    }
