# cython: boundscheck=False, wraparound=False
# Indices are blocks of the page, or numbers of simulated references.
"""Choose the blocks to keep, once each block has a probability.

The default keeps the blocks above a threshold that is the page's own: the one with the highest expected F1. What F1 to
expect depends on how errors are correlated. If blocks were independent, twenty teasers with probability one half would
surely be ten blocks of content, and worth keeping. But errors are correlated within a cluster of similar blocks: if one
teaser is content, all are. So 31 reference selections are simulated, one threshold per cluster, and the cut-off with
the highest mean F1 against them wins. Every run of kept blocks costs one word: readers stumble over scraps.

`select_blocks` has other strategies too, for comparison:

- `one-cluster`, `no-clusters`: the same with all blocks in one cluster, and with each block in its own.
- `threshold`: every block with a probability above one half.
- `maximum-subsequence`: the run of blocks with the largest sum of w (p − ½), as in Pasternack and Roth 2009.
- `segments`: all maximal runs with a positive sum (Ruzzo and Tompa 1999) that are worth at least five sure words.
- `tree`: every element is in or out. A block gains w (p − ½) for being in; every change between an element and what it
  holds costs two words; the best labeling by dynamic programming from the leaves up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.dom.blocks import Blocks
from duramen.methods.auto.boosted_trees import Floats, rank
from duramen.methods.mss.subsequence import maximal_subsequences, maximum_subsequence

STRATEGIES = ("expected-f1", "one-cluster", "no-clusters", "threshold", "maximum-subsequence", "segments", "tree")
_EXPECTED_F1 = STRATEGIES[:3]

NEGLIGIBLE_PROBABILITY = 0.02
"""Blocks with less are surely no content."""
RUN_PENALTY_WORDS = 1.0
SIMULATED_REFERENCES = 31
"""A prime, so that the threshold of each cluster takes all levels, in an order of its own."""
SWITCH_PENALTY_WORDS = 2.0
MIN_SEGMENT_WORDS = 5.0

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]

_NO_SCORES: Floats = np.zeros((0, 3))


@dataclass(frozen=True, eq=False)
class Selection:
    """The blocks that one set of probabilities keeps."""

    probabilities: Floats = field(repr=False)
    kept: Mask = field(repr=False)
    expected_f1: float
    """If the probabilities are right."""


def select_blocks(strategy: str, blocks: Blocks, p: Floats, cluster: Integers, exponent: float = 1.0) -> Selection:
    """Choose blocks by one of `STRATEGIES`; the expected F1 is that of the default unless the strategy has its own."""
    words = np.array(blocks.words, np.float64)
    if strategy == "one-cluster":
        cluster = np.zeros(len(p), np.int64)
    elif strategy == "no-clusters":
        cluster = np.arange(len(p))
    selection = maximize_expected_f1(words, p, cluster, exponent)
    if strategy in _EXPECTED_F1 or not len(p):
        return selection
    gains: list[float] = (words * (raise_to_power(p, exponent) - 0.5)).tolist()
    kept = np.zeros(len(p), bool)
    if strategy == "threshold":
        kept = np.array(gains) > 0.0
    elif strategy == "tree":
        kept = np.array(_label_tree(blocks, gains))
    elif strategy == "segments":
        for run in maximal_subsequences(gains):
            if run.value >= MIN_SEGMENT_WORDS * 0.5:
                kept[run.start : run.stop] = True
    elif (best := maximum_subsequence(gains)) is not None:
        kept[best.start : best.stop] = True
    return Selection(p, kept, selection.expected_f1)


def maximize_expected_f1(
    words: Floats, p: Floats, cluster: Integers, exponent: float = 1.0, scores: Floats = _NO_SCORES
) -> Selection:
    """Keep the blocks above the cut-off with the highest expected F1.

    The probabilities are raised to the exponent first: above 1 keeps less, below 1 keeps more. `scores` is filled as
    `expect_scores` says.
    """
    kept = np.zeros(len(p) + 2, np.uint8)  # with a border on either side
    sums = np.zeros((2, SIMULATED_REFERENCES))
    expected_f1 = 0.0
    if len(p):
        powers = raise_to_power(p, exponent)
        # Buffers, not arrays: without a compiler Python reads single numbers from them twice as fast.
        expected_f1 = _cut(
            words.data,
            powers.data,
            rank(p).data,
            cluster.data,
            RUN_PENALTY_WORDS,
            sums[0].data,
            sums[1].data,
            kept.data,
            scores.data,
        )
    return Selection(p, kept[1 : len(p) + 1].astype(bool), expected_f1)


def expect_scores(words: Floats, p: Floats, cluster: Integers, least: int = 0) -> Floats:
    """Return precision, recall and F1 to expect at each cut-off: line n is for the n + 1 most probable blocks.

    Lines end where no simulated reference has the next block, but not before line `least`. The exponent of a selection
    has no place here: it changes what is kept, not how probable that is.
    """
    scores = np.zeros((len(p), 3))
    maximize_expected_f1(words, p, cluster, scores=scores)
    recall = scores[:, 1]
    complete = int((recall < recall.max(initial=0.0)).sum()) + 1
    return scores[: max(complete, least)]


def expect_f1(words: Floats, p: Floats, cluster: Integers, count: int) -> float:
    """Return the F1 to expect if the `count` most probable blocks are kept."""
    return float(expect_scores(words, p, cluster, count)[count - 1, 2]) if count else 0.0


def raise_to_power(p: Floats, exponent: float) -> Floats:
    """Return p to the power of 1, 2 or ½: the powers that every machine computes alike."""
    if exponent == 1.0:
        return p
    if exponent == 2.0:
        return p * p
    if exponent == 0.5:
        return np.sqrt(p)
    raise ValueError(f"the exponent is 0.5, 1 or 2, not {exponent}")


def smooth_by_cluster(words: Floats, p: Floats, cluster: Integers) -> Floats:
    """Move each probability halfway to the word-weighted mean of its cluster; negligible ones stay."""
    mean = np.bincount(cluster, words * p, minlength=1) / np.maximum(np.bincount(cluster, words, minlength=1), 1.0)
    return np.where(p >= NEGLIGIBLE_PROBABILITY, (p + mean[cluster]) / 2, p)


def find_runs(kept: Mask) -> list[tuple[int, int]]:
    """Return the runs of kept blocks, as ranges."""
    padded = np.zeros(len(kept) + 2, bool)
    padded[1 : len(kept) + 1] = kept
    borders = (padded[1:] != padded[: len(kept) + 1]).nonzero()[0].tolist()
    return list(zip(borders[::2], borders[1::2], strict=True))


def _cut(
    words: Any,
    p: Any,
    order: Any,
    cluster: Any,
    run_penalty: float,
    reference_words: Any,
    common_words: Any,
    kept: Any,
    scores: Any,
) -> float:
    """Mark the blocks to keep, one place to the right, and return the expected F1.

    The two sums have one item per simulated reference: its words, and those that the kept blocks share with it.
    `scores` gets precision, recall and F1 at each cut-off, unless it is empty.
    """
    references = len(reference_words)
    # Where nothing is probable, assume that the most probable block is content.
    most = p[order[0]]
    scale = most if 0.0 < most * references < 1.0 else 1.0
    candidates = 0  # blocks that are in any reference
    while candidates < len(order) and references * p[order[candidates]] / scale > 0.5:
        block = order[candidates]
        _add_words(reference_words, words[block], p[block] / scale, cluster[block])
        candidates += 1
    best = kept_words = 0.0
    best_count = runs = 0
    counts = max(candidates, len(scores))
    for count in range(1, counts + 1):
        block = order[count - 1]
        runs += 1 - kept[block] - kept[block + 2]
        kept[block + 1] = 1
        kept_words += words[block]
        cost = kept_words + run_penalty * runs
        _add_words(common_words, words[block], p[block] / scale, cluster[block])
        f1_sum = 0.0
        for reference in range(references):
            f1_sum += common_words[reference] / (reference_words[reference] + cost)
        if f1_sum > best:
            best, best_count = f1_sum, count
        if len(scores):
            precision_sum = recall_sum = 0.0
            for reference in range(references):
                precision_sum += common_words[reference] / kept_words
                if reference_words[reference] > 0.0:
                    recall_sum += common_words[reference] / reference_words[reference]
            scores[count - 1, 0] = precision_sum / references * scale
            scores[count - 1, 1] = recall_sum / references * scale
            scores[count - 1, 2] = f1_sum * 2.0 / references * scale
    for count in range(best_count, counts):
        kept[order[count] + 1] = 0
    return best * 2.0 / references * scale


def _add_words(sums: Any, words: float, p: float, cluster: int) -> None:
    """Add the words of a block to each reference in which p is above the threshold of the cluster.

    From one reference to the next the threshold rises by a step of the cluster's own, modulo their number.
    """
    references = len(sums)
    step, level = 1 + 7 * cluster % (references - 1), 13 * cluster % references
    height = references * p - 0.5
    for reference in range(references):
        if level < height:
            sums[reference] += words
        level += step
        if level >= references:
            level -= references


def _label_tree(blocks: Blocks, gains: list[float]) -> list[bool]:
    """Return the best labeling of blocks, with a price on every change between an element and what it holds."""
    count = len(blocks.node)
    inside = [0.0] * count  # the best sum below an element that is in
    outside = [0.0] * count  # and below one that is out
    for block, owner in enumerate(blocks.owner):
        inside[owner] += max(gains[block], -SWITCH_PENALTY_WORDS)
        outside[owner] += max(gains[block] - SWITCH_PENALTY_WORDS, 0.0)
    for element in range(count - 1, 0, -1):
        above = blocks.parent[element]
        if above >= 0:
            inside[above] += max(inside[element], outside[element] - SWITCH_PENALTY_WORDS)
            outside[above] += max(outside[element], inside[element] - SWITCH_PENALTY_WORDS)
    is_in = [False] * count
    for element in range(count):
        above = blocks.parent[element]
        bonus = SWITCH_PENALTY_WORDS if above >= 0 and is_in[above] else -SWITCH_PENALTY_WORDS
        is_in[element] = inside[element] + bonus > outside[element]
    return [
        gain > (-SWITCH_PENALTY_WORDS if is_in[owner] else SWITCH_PENALTY_WORDS)
        for gain, owner in zip(gains, blocks.owner, strict=True)
    ]
