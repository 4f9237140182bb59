"""Model cards: what a model was trained on, when, how, and how it scored.

A card is JSON and is stored in the model file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from duramen import __version__
from duramen.evaluation.metrics.agreement import Agreement
from duramen.methods.mss.model import PERCEPTRON, MssModel
from duramen.training.held_out import FoldScores, mean_agreement
from duramen.training.mss import LabeledCounts, MssTrainingSettings

CREDITS = {
    "wcxb-dev": "WCXB v1.0, CC BY 4.0",
    "news-world-dev": "flairNLP/fundus, its tests, MIT",
    "chinese-dev": "immortal-autumn, MIT",
    "forums-dev": "fhgr/harvest, Apache-2.0",
}
"""The source and the license of a set. A set that is not here is credited by its name."""

MEASURE = "F1 of words as a multiset, mean over pages; no page is scored by a model that was trained on its site"


def describe_origin() -> dict[str, Any]:
    """Return the date and the version of duramen, for a card."""
    return {"date": datetime.now(UTC).isoformat(timespec="seconds"), "duramen": __version__}


def make_card(
    model: MssModel,
    counts: LabeledCounts,
    settings: MssTrainingSettings,
    types: Sequence[str],
    scores: Sequence[FoldScores],
) -> dict[str, Any]:
    """Return the card of a model trained on labeled pages."""
    return {
        "algorithm": "supervised",
        **describe_origin(),
        "sets": describe_sets(counts.used),
        "types": list(types) or ["all"],
        "pages": counts.pages,
        "discarded": dict(counts.discarded.most_common()),
        "quality": _describe_quality(counts.qualities),
        "parameters": dataclasses.asdict(settings),
        "ngrams": {str(order): len(table) for order, table in model.tables.items()},
        "scores": _describe_scores(scores),
        "pruning": _describe_pruning(scores),
    }


def make_perceptron_card(model: MssModel, used: Mapping[tuple[str, str], int], types: Sequence[str]) -> dict[str, Any]:
    """Return the card of a model trained as a perceptron."""
    return {
        **describe_origin(),
        "sets": describe_sets(used),
        "types": list(types) or ["all"],
        "pages": sum(used.values()),
        **model.card,
    }


def describe(card: Mapping[str, Any]) -> str:
    """Summarize a card in a few lines."""
    if card["algorithm"] == PERCEPTRON:
        mistakes = ", ".join(f"{number:,}" for number in card["mistakes"])
        return f"pages        {card['pages']:,}; tokens on the wrong side, by pass: {mistakes}"
    if card["algorithm"] != "supervised":
        return f"pages        {card['pages']:,}, without labels; sources: {len(card['sources']):,}"
    sets = [f"{entry['name']} (sites: {entry['sites']:,}; {entry['credit']})" for entry in card["sets"]]
    lines = [f"pages        {card['pages']:,} of {'; '.join(sets)}"]
    if card["discarded"]:
        lines.append(f"discarded    {format_counts(card['discarded'])}")
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


def format_counts(reasons: Mapping[str, int]) -> str:
    """Format the number of pages for each reason.

    >>> format_counts({"no gold text": 2, "cannot be read": 1})
    'no gold text: 2, cannot be read: 1'
    """
    return ", ".join(f"{reason}: {count:,}" for reason, count in reasons.items())


def describe_sets(pages: Mapping[tuple[str, str], int]) -> list[dict[str, Any]]:
    """Describe the sets that a model was trained on, given the number of pages by set and site."""
    names = dict.fromkeys(name for name, _ in pages)
    return [
        {
            "name": name,
            "credit": CREDITS.get(name, name),
            "pages": sum(count for (set_name, _), count in pages.items() if set_name == name),
            "sites": sum(1 for set_name, _ in pages if set_name == name),
        }
        for name in names
    ]


def _describe_quality(qualities: Sequence[float]) -> dict[str, Any]:
    deciles = np.percentile(qualities, range(0, 101, 10)).tolist()
    return {"mean": round(float(np.mean(qualities)), 4), "deciles": [round(value, 4) for value in deciles]}


def _describe_scores(folds: Sequence[FoldScores]) -> dict[str, Any]:
    if not folds:
        return {}
    return {
        "measure": MEASURE,
        "pages": sum(fold.pages for fold in folds),
        "methods": {
            method: {
                **_round(_mean_of_folds(folds, "pruned", method)),
                "folds": [
                    {"fold": fold.fold, "sites": fold.sites, "pages": fold.pages, **_round(mean_agreement(scores))}
                    for fold in folds
                    for scores in [fold.pruned[method]]
                ],
            }
            for method in folds[0].pruned
        },
    }


def _describe_pruning(folds: Sequence[FoldScores]) -> dict[str, str]:
    """Describe for each method how pruning changes its score."""
    return {
        method: _describe_change(_mean_of_folds(folds, "whole", method).f1, _mean_of_folds(folds, "pruned", method).f1)
        for method in (folds[0].whole if folds else ())
    }


def _mean_of_folds(folds: Sequence[FoldScores], which: str, method: str) -> Agreement:
    return mean_agreement([score for fold in folds for score in getattr(fold, which)[method]])


def _describe_change(whole: float, pruned: float) -> str:
    numbers = f"word F1 {whole:.4f} with all n-grams, {pruned:.4f} with those that were kept"
    if round(whole - pruned, 4) == 0:
        return f"costs nothing: {numbers}"
    return f"{'costs' if whole > pruned else 'gains'} {abs(whole - pruned):.4f}: {numbers}"


def _round(score: Agreement) -> Mapping[str, float]:
    return {name: round(value, 4) for name, value in score._asdict().items()}
