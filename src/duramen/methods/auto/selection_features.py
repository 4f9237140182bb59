# cython: boundscheck=False, wraparound=False
# Indices are blocks of the page, and lines of its matrix.
"""Features of a page that its selection of blocks gives, for `page_type`.

How sure the selection is, how much of the page it keeps, what kept and dropped blocks look like, and the mean of every
feature over the expected content. As in `features`, each feature is declared once. The module is compiled.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from duramen.methods.auto import features as block_features
from duramen.methods.auto.features import Features
from duramen.methods.auto.forest import Floats
from duramen.methods.auto.threshold import NEGLIGIBLE_PROBABILITY, Selection

CONTRASTED = (
    "links ends_sentence commas digits words_before heading lowest_score earlier_copies since_paragraph cluster_share"
    " group_share group_size group_words three_peers article main list table pre form parent_images title_words"
).split()
"""Features whose means over kept and over dropped blocks are compared."""
_CONTRASTED_LINES = array("q", [block_features.NAMES.index(name) for name in CONTRASTED])
_LINKS = block_features.NAMES.index("links")

NAMES: list[str] = []
"""The names of these features, in the order of the model."""


def _column(*names: str) -> int:
    """Declare features; return the number of the first one."""
    NAMES.extend(names)
    return len(NAMES) - len(names)


_EXPECTED_F1 = _column("expected_f1")
_KEPT_SHARE = _column("kept_share")
_KEPT_MEAN_WORDS = _column("kept_mean_words")
_EXPECTED_SHARE = _column("expected_share")
_VARIANCE = _column("variance")
_DENSITY = _column("density")
_RUNS = _column("runs")
_WORDS_BEFORE = _column("words_before")
_WORDS_AFTER = _column("words_after")
_SHORT_PARAGRAPHS = _column("short_paragraphs")
_MEDIUM_PARAGRAPHS = _column("medium_paragraphs")
_LONG_PARAGRAPHS = _column("long_paragraphs")
_KEPT = _column(*[f"{name}_kept" for name in CONTRASTED])
_DROPPED = _column(*[f"{name}_dropped" for name in CONTRASTED])
_EXPECTED = _column(*[f"{name}_expected" for name in block_features.NAMES])

COUNT = len(NAMES)


def describe_selection(features: Features, selection: Selection) -> Floats:
    """Return the features of a page that its selection of blocks gives."""
    row = np.zeros(COUNT)
    if len(features):
        # Buffers, not arrays: without a compiler Python reads single numbers from them twice as fast.
        matrix, words, p = features.matrix.data, features.words.data, selection.probabilities.data
        kept = selection.kept.view(np.uint8).data
        _summarize(row.data, matrix, words, p, kept, selection.expected_f1)
        _contrast(row.data, matrix, _CONTRASTED_LINES, words, kept)
        candidates = (selection.probabilities >= NEGLIGIBLE_PROBABILITY).nonzero()[0]
        expected = (selection.probabilities * features.words)[candidates]
        _average_expected(row.data, matrix, candidates.data, expected.data)
    return row


def _summarize(row: Any, matrix: Any, words: Any, p: Any, kept: Any, expected_f1: float) -> None:
    """How sure the selection is, and how much it keeps, and where."""
    total = kept_words = expected_words = variance = before = after = short = medium = long = 0.0
    kept_count = runs = 0
    for block in range(len(p)):
        size = words[block]
        total += size
        expected_words += p[block] * size
        variance += p[block] * (1.0 - p[block]) * size
        plain = size * (1.0 - matrix[_LINKS, block])
        short += plain if plain >= 15.0 else 0.0
        medium += plain if plain >= 40.0 else 0.0
        long += plain if plain >= 80.0 else 0.0
        if kept[block]:
            kept_words += size
            kept_count += 1
            runs += block == 0 or not kept[block - 1]
            after = 0.0
        else:
            after += size
            before += 0.0 if kept_count else size
    row[_EXPECTED_F1] = expected_f1
    row[_EXPECTED_SHARE] = expected_words / total
    row[_VARIANCE] = variance / expected_words if expected_words > 0.0 else 0.0
    row[_SHORT_PARAGRAPHS] = short / total
    row[_MEDIUM_PARAGRAPHS] = medium / total
    row[_LONG_PARAGRAPHS] = long / total
    if kept_count:
        row[_KEPT_SHARE] = kept_words / total
        row[_KEPT_MEAN_WORDS] = kept_words / kept_count
        row[_DENSITY] = kept_words / (total - before - after)
        row[_RUNS] = runs / kept_count
        row[_WORDS_BEFORE] = before / total
        row[_WORDS_AFTER] = after / total
    else:
        row[_WORDS_AFTER] = 1.0


def _contrast(row: Any, matrix: Any, lines: Any, words: Any, kept: Any) -> None:
    """Means over kept blocks, and over dropped ones; −1 where there are none."""
    count = len(lines)
    for place in range(count):
        line = lines[place]
        kept_words = kept_sum = dropped_words = dropped_sum = 0.0
        for block in range(len(words)):
            if kept[block]:
                kept_words += words[block]
                kept_sum += matrix[line, block] * words[block]
            else:
                dropped_words += words[block]
                dropped_sum += matrix[line, block] * words[block]
        row[_KEPT + place] = kept_sum / kept_words if kept_words else -1.0
        row[_DROPPED + place] = dropped_sum / dropped_words if dropped_words else -1.0


def _average_expected(row: Any, matrix: Any, candidates: Any, expected: Any) -> None:
    """Means over the expected content; −1 where there is none."""
    weight = 0.0
    for place in range(len(candidates)):
        weight += expected[place]
    for line in range(len(row) - _EXPECTED):
        total = 0.0
        for place in range(len(candidates)):
            total += expected[place] * matrix[line, candidates[place]]
        row[_EXPECTED + line] = total / weight if weight else -1.0
