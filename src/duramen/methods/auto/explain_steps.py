"""Explain an extraction: run its steps again with a trace, and say for each block which step decided, and why."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from duramen.content import Content
from duramen.dom.tree import Tree
from duramen.explanation import (
    BlockExplanation,
    Cutoff,
    Explanation,
    FeatureEvidence,
    StepExplanation,
    describe_page,
    name_element,
    number_types,
)
from duramen.explanation.facts import HIDDEN_STEP, THRESHOLD_STEP
from duramen.metadata.field_explanation import explain_metadata
from duramen.methods.auto import context_features, features
from duramen.methods.auto.boosted_trees import MAX_UNSURE, MIN_UNSURE, Floats, rank
from duramen.methods.auto.contributions import find_contributions, find_strongest
from duramen.methods.auto.feature_phrases import (
    NAMES,
    OWN_FEATURES,
    find_container_rank,
    is_own,
    write_container_phrase,
    write_phrase,
)
from duramen.methods.auto.model import AutoModel, load
from duramen.methods.auto.postprocess import Extraction
from duramen.methods.auto.threshold import Mask, expect_scores

if TYPE_CHECKING:
    from duramen.methods.auto.method import Auto, OtherEvidence, Pass, Trace

SHOWN_FEATURES = 5
"""The strongest features for content, and against it, that are given."""
_COMPARED = 8
"""The strongest features on either side whose phrases are compared."""
_OWN_LINES = [line for line, name in enumerate(features.NAMES) if name in OWN_FEATURES]
_MIN_OWN_SHARE = 0.1
"""The strongest feature of the block itself is given too, if it has this share of the strongest contribution."""
_BYTES_PER_EVIDENCE_BLOCK: Final = 100
_MIN_EVIDENCE_BLOCKS: Final = 1_000
"""Evidence takes .2 milliseconds a block: 2 seconds per megabyte, and .2 seconds for small pages."""
_FIRST_PROBABILITY = features.COUNT + context_features.NAMES.index("p")

STEP_DESCRIPTIONS = {
    HIDDEN_STEP: "read the page with hidden elements shown, because most of its content is hidden",
    THRESHOLD_STEP: "keep the blocks above the cut-off with the highest expected F1",
    "types": "keep more of documentation, and of pages that are no article, thread or product",
    "threads": "keep or drop the posts of a thread together",
    "comments": "drop the comments of readers and the headings over them",
    "listings": "keep code, formulas and data tables beside kept blocks",
    "units": "keep each table, listing and formula as a whole",
    "copies": "keep once what the page contains twice",
    "headline": "keep the headline, although other things are between it and the content",
    "silence": "keep nothing where that is the more probable answer",
}


class _BlockScores(NamedTuple):
    """What the classifier said about each block that was read."""

    first: Floats
    score: Floats
    strongest: list[tuple[tuple[FeatureEvidence, ...], tuple[FeatureEvidence, ...]]]


def explain(
    method: Auto, content: Content, has_evidence: bool = True, other: OtherEvidence | None = None
) -> Explanation:
    """Explain a content that this method made, with or without the evidence for each block.

    `other` is the evidence that the extraction had besides the page.
    """
    from duramen.methods.auto.method import Trace

    page = content.page
    if page.tree.ignores_hidden:  # the pass with nothing hidden was chosen, and will be again
        page = replace(page, tree=replace(page.tree, ignores_hidden=False))
    trace = Trace()
    again = method.extract(page, other, trace=trace)
    described = describe_page(again)
    blocks = list(described.blocks)
    reason = again.reason
    summary: dict[str, Any] = {}
    if trace.result is not None and trace.steps:
        count = trace.result.features.matrix.shape[1]
        most = max(_MIN_EVIDENCE_BLOCKS, len(page.source) // _BYTES_PER_EVIDENCE_BLOCK)
        if has_evidence and count > most:
            reason += f"; only the first {most:,} of {count:,} blocks have evidence: the page has too many for its size"
        scores = _read_scores(load(method.model), trace.result, min(count, most) if has_evidence else 0)
        masks = _list_masks(trace)
        last = _find_last_selection(trace)
        threshold = _find_threshold(last)
        deciding = _find_deciding_steps(masks)
        kept = masks[-1][1]
        for number, index in enumerate(described.read):
            blocks[index] = _decide(
                blocks[index], number, deciding[number], bool(kept[number]), last, threshold, scores, trace.is_unhidden
            )
        summary = {
            "threshold": threshold,
            "expected_f1": method.expect_f1(trace.result.features, trace.result.selection),
            "cutoffs": _list_cutoffs(last),
            "steps": _describe_steps(masks, described.read, trace.is_unhidden),
        }
    return Explanation(
        again.method,
        reason,
        again.confidence,
        tuple(blocks),
        tuple(explain_metadata(again.metadata)),
        page_type=again.page_type,
        page_types=number_types(again.type_log_odds),
        **summary,
    )


def _list_masks(trace: Trace) -> list[tuple[str, Mask]]:
    """Return the kept blocks after the cut-off and after each step."""
    assert trace.result is not None
    return [
        (THRESHOLD_STEP, trace.result.selection.kept),
        *((name, extraction.kept) for name, extraction in trace.steps.items()),
    ]


def _find_last_selection(trace: Trace) -> Extraction:
    """Return the extraction after the last step that chose a cut-off, with all blocks as it left them."""
    steps = list(trace.steps.values())
    last = steps[0]
    for before, after in pairwise(steps):
        if after.probabilities is not before.probabilities or after.exponent != before.exponent:
            last = after
    return last


def _find_threshold(selected: Extraction) -> float | None:
    """Return the lowest probability of a kept block, if all blocks with more are kept."""
    p, kept = selected.probabilities, selected.kept
    if not kept.any():
        return None
    threshold = float(p[kept].min())
    return threshold if not (p[~kept] > threshold).any() else None


def _find_deciding_steps(masks: list[tuple[str, Mask]]) -> list[str]:
    """Return for each block the last step that changed whether it is kept; the cut-off if none did."""
    deciding = [THRESHOLD_STEP] * len(masks[0][1])
    for (_, before), (name, after) in pairwise(masks):
        for block in np.flatnonzero(before != after).tolist():
            deciding[block] = name
    return deciding


def _describe_steps(
    masks: list[tuple[str, Mask]], read: tuple[int, ...], is_unhidden: bool
) -> tuple[StepExplanation, ...]:
    steps = [StepExplanation(HIDDEN_STEP, STEP_DESCRIPTIONS[HIDDEN_STEP], 0, (), ())] if is_unhidden else []
    before = np.zeros_like(masks[0][1])
    for name, after in masks:
        added, removed = (np.flatnonzero(changed).tolist() for changed in (after & ~before, before & ~after))
        if name == THRESHOLD_STEP or added or removed:
            indexes = (tuple(read[block] for block in blocks) for blocks in (added, removed))
            steps.append(StepExplanation(name, STEP_DESCRIPTIONS[name], int(after.sum()), *indexes))
        before = after
    return tuple(steps)


def _list_cutoffs(selected: Extraction) -> tuple[Cutoff, ...]:
    """Return what to expect at each probability that a block has."""
    p, words = selected.probabilities, selected.features.words
    scores = expect_scores(words, p, selected.features.cluster, int(selected.kept.sum()))
    order = rank(p)[: len(scores)]
    kept_words = np.cumsum(words[order]).astype(int).tolist()
    sorted_p = p[order].tolist()
    return tuple(
        Cutoff(probability, count + 1, kept_words[count], *scores[count].tolist())
        for count, probability in enumerate(sorted_p)
        if count + 1 == len(sorted_p) or sorted_p[count + 1] < probability
    )


def _read_scores(model: AutoModel, result: Pass, evidence_blocks: int) -> _BlockScores:
    """Return the scores of the blocks, and the strongest features of the first ones.

    The first `evidence_blocks` blocks have the features with the largest contributions to their scores.
    """
    matrix, blocks, containers = result.features.matrix, result.blocks, result.features.containers
    first = matrix[_FIRST_PROBABILITY].copy()
    score = np.zeros(len(first))
    strongest: list[tuple[tuple[FeatureEvidence, ...], tuple[FeatureEvidence, ...]]] = [((), ())] * len(first)
    is_unsure = (first >= MIN_UNSURE) & (first <= MAX_UNSURE)
    for trees, rows, count in (
        (model.first, np.flatnonzero(~is_unsure), features.COUNT),
        (model.second, np.flatnonzero(is_unsure), len(NAMES)),
    ):
        if not len(rows) or not len(trees):
            continue
        others = rows[rows >= evidence_blocks]
        rows = rows[rows < evidence_blocks]
        if len(others):
            score[others] = trees.score(matrix, others)
        if not len(rows):
            continue
        values = matrix[:count, rows]
        bias, contributions = find_contributions(trees, values)
        score[rows] = contributions.sum(axis=0) + bias
        lines = np.concatenate((find_strongest(contributions, _COMPARED), find_strongest(-contributions, _COMPARED)))
        for place, row in enumerate(rows.tolist()):
            strongest[row] = _choose_evidence(
                lines[:, place].tolist(),
                values[:, place],
                contributions[:, place],
                [-1 if one < 0 else blocks.node[one] for one in containers[:, blocks.owner[row]].tolist()],
                blocks.tree,
            )
    return _BlockScores(first, score, strongest)


def _choose_evidence(
    lines: list[int], values: Floats, contributions: Floats, containers: list[int], tree: Tree
) -> tuple[tuple[FeatureEvidence, ...], tuple[FeatureEvidence, ...]]:
    """Return the strongest evidence for content and against it; features with the same phrase count together."""
    by_phrase: dict[str, FeatureEvidence] = {}
    for line in dict.fromkeys(lines):
        value, contribution = float(values[line]), float(contributions[line])
        name = NAMES[line]
        rank = find_container_rank(name)
        container = containers[rank] if rank else -1
        phrase = (
            write_phrase(name, value)
            if container < 0
            else write_container_phrase(name, value, name_element(tree, container))
        )
        same = by_phrase.get(phrase)
        by_phrase[phrase] = (
            same._replace(contribution=same.contribution + contribution)
            if same
            else FeatureEvidence(name, phrase, value, contribution, is_own(name, value))
        )
    ordered = sorted(by_phrase.values(), key=lambda one: -one.contribution)
    supporting = [one for one in ordered if one.contribution > 0.0][:SHOWN_FEATURES]
    opposing = [one for one in ordered[::-1] if one.contribution < 0.0][:SHOWN_FEATURES]
    present = [line for line in _OWN_LINES if is_own(NAMES[line], float(values[line]))]
    own = min(present, key=contributions.__getitem__)
    contribution = float(contributions[own])
    if (
        opposing
        and not any(one.is_own for one in opposing)
        and contribution < _MIN_OWN_SHARE * opposing[0].contribution
    ):
        value = float(values[own])
        own_evidence = FeatureEvidence(NAMES[own], write_phrase(NAMES[own], value), value, contribution, True)
        opposing = [*opposing[: SHOWN_FEATURES - 1], own_evidence]
    return tuple(supporting), tuple(opposing)


def _decide(
    block: BlockExplanation,
    number: int,
    step: str,
    kept: bool,
    last: Extraction,
    threshold: float | None,
    scores: _BlockScores,
    is_unhidden: bool,
) -> BlockExplanation:
    probability = float(last.probabilities[number])
    supporting, opposing = scores.strongest[number]
    reason = _write_reason(step, kept, probability, threshold)
    if block.hidden and is_unhidden:
        reason += f" It is read although {block.hidden}: the step hidden shows such elements on this page."
    return replace(
        block,
        kept=kept,
        step=step,
        reason=reason,
        probability=probability,
        first_probability=float(scores.first[number]),
        score=float(scores.score[number]),
        supporting=supporting,
        opposing=opposing,
    )


def _write_reason(step: str, kept: bool, probability: float, threshold: float | None) -> str:
    if step == THRESHOLD_STEP or step in ("types", "threads"):
        nearly = "just " if threshold is not None and f"{probability:.2f}" == f"{threshold:.2f}" else ""
        if threshold is None:
            reason = f"{'Kept' if kept else 'Dropped'} by the classifier, with a probability of {probability:.2f}."
        elif kept:
            relation = f"{nearly}above" if probability > threshold else "exactly"
            reason = f"Kept: its probability {probability:.2f} is {relation} the cut-off {threshold:.2f}."
        else:
            reason = f"Dropped: its probability {probability:.2f} is {nearly}below the cut-off {threshold:.2f}."
        return reason if step == THRESHOLD_STEP else f"{reason} The step {step} moved the cut-off."
    return f"{'Kept' if kept else 'Dropped'} by the step {step}: {STEP_DESCRIPTIONS[step]}."
