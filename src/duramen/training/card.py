"""The card of a model: what it was trained on, when, how, and how it scored. JSON, kept in the model's file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from duramen import __version__
from duramen.evaluation.metrics.agreement import Agreement
from duramen.methods.mss.model import MssModel
from duramen.training.held_out import FoldScores, mean
from duramen.training.mss import Learnt, Settings

CREDITS = {
    "wcxb-dev": "WCXB v1.0, CC BY 4.0",
    "news-world-dev": "flairNLP/fundus, its tests, MIT",
    "chinese-dev": "immortal-autumn, MIT",
    "forums-dev": "fhgr/harvest, Apache-2.0",
}
"""Whom to thank for a set, and its licence. A set that is not here is credited by its name."""

_MEASURE = "F1 of words as a multiset, mean over pages; no page is scored by a model that was trained on its site"


def origin() -> dict[str, Any]:
    """When, and by which version."""
    return {"date": datetime.now(UTC).isoformat(timespec="seconds"), "duramen": __version__}


def card(
    model: MssModel, learnt: Learnt, settings: Settings, types: Sequence[str], scores: Sequence[FoldScores]
) -> dict[str, Any]:
    """The card of a model trained from labelled pages."""
    return {
        "algorithm": "supervised",
        **origin(),
        "sets": _sets(learnt),
        "types": list(types) or ["all"],
        "pages": learnt.pages,
        "discarded": dict(learnt.discarded.most_common()),
        "quality": _quality(learnt.qualities),
        "parameters": dataclasses.asdict(settings),
        "ngrams": {str(order): len(table) for order, table in model.tables.items()},
        "scores": _scores(scores),
        "pruning": _pruning(scores),
    }


def describe(card: Mapping[str, Any]) -> str:
    """A card in a few lines, for the one who has just trained the model."""
    if card["algorithm"] != "supervised":
        return f"pages        {card['pages']:,}, without labels; sources: {len(card['sources']):,}"
    sets = [f"{each['name']} (sites: {each['sites']:,}; {each['credit']})" for each in card["sets"]]
    lines = [f"pages        {card['pages']:,} of {'; '.join(sets)}"]
    if card["discarded"]:
        lines.append(f"discarded    {numbered(card['discarded'])}")
    deciles = " ".join(f"{value:.3f}" for value in card["quality"]["deciles"])
    lines.append(f"labels       agree with the gold text by {card['quality']['mean']:.3f}; deciles {deciles}")
    one, two, three = (f"{card['ngrams'][order]:,}" for order in "123")
    lines.append(f"n-grams      {one} tokens, {two} pairs, {three} triples")
    for method, score in card["scores"].get("methods", {}).items():
        lines.append(
            f"held out     {method}: word F1 {score['f1']:.4f}, precision {score['precision']:.4f}, recall "
            f"{score['recall']:.4f} on {card['scores']['pages']:,} pages of sites that the model has not seen; "
            f"by fold {' '.join(format(fold['f1'], '.4f') for fold in score['folds'])}"
        )
    lines += [f"pruning      {method}: {cost}" for method, cost in card["pruning"].items()]
    return "\n".join(lines)


def numbered(reasons: Mapping[str, int]) -> str:
    """How many pages for which reason.

    >>> numbered({"no gold text": 2, "cannot be read": 1})
    'no gold text: 2, cannot be read: 1'
    """
    return ", ".join(f"{reason}: {count:,}" for reason, count in reasons.items())


def _sets(learnt: Learnt) -> list[dict[str, Any]]:
    names = dict.fromkeys(name for name, _ in learnt.used)
    return [
        {
            "name": name,
            "credit": CREDITS.get(name, name),
            "pages": sum(pages for (each, _), pages in learnt.used.items() if each == name),
            "sites": sum(1 for each, _ in learnt.used if each == name),
        }
        for name in names
    ]


def _quality(qualities: Sequence[float]) -> dict[str, Any]:
    deciles = np.percentile(qualities, range(0, 101, 10)).tolist()
    return {"mean": round(float(np.mean(qualities)), 4), "deciles": [round(value, 4) for value in deciles]}


def _scores(folds: Sequence[FoldScores]) -> dict[str, Any]:
    if not folds:
        return {}
    return {
        "measure": _MEASURE,
        "pages": sum(fold.pages for fold in folds),
        "methods": {
            method: {
                **_rounded(_mean_of(folds, "pruned", method)),
                "folds": [
                    {"fold": fold.fold, "sites": fold.sites, "pages": fold.pages, **_rounded(mean(scores))}
                    for fold in folds
                    for scores in [fold.pruned[method]]
                ],
            }
            for method in folds[0].pruned
        },
    }


def _pruning(folds: Sequence[FoldScores]) -> dict[str, str]:
    """What leaving n-grams out costs each method, in words."""
    return {
        method: _costs(_mean_of(folds, "whole", method).f1, _mean_of(folds, "pruned", method).f1)
        for method in (folds[0].whole if folds else ())
    }


def _mean_of(folds: Sequence[FoldScores], which: str, method: str) -> Agreement:
    return mean([score for fold in folds for score in getattr(fold, which)[method]])


def _costs(whole: float, pruned: float) -> str:
    numbers = f"word F1 {whole:.4f} with all n-grams, {pruned:.4f} with those that were kept"
    if round(whole - pruned, 4) == 0:
        return f"costs nothing: {numbers}"
    return f"{'costs' if whole > pruned else 'gains'} {abs(whole - pruned):.4f}: {numbers}"


def _rounded(score: Agreement) -> Mapping[str, float]:
    return {name: round(value, 4) for name, value in score._asdict().items()}
