"""Shingles of four words as a multiset: the measure of the article extraction benchmark of Scrapinghub (2020).

True positives are the shingles in both, counted as often as they occur in both; false positives the rest of the
extraction's, false negatives the rest of the gold's. Unlike words alone, shingles see the order and the seams.

A text with fewer than four words is one shingle, made of all its words; an empty text has none. The benchmark makes
the F1 from the mean precision and the mean recall; here, as everywhere in this package, F1 is of a page and then
averaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from duramen.evaluation.metrics.agreement import Agreement, agreement_of_counts

SHINGLE_LENGTH = 4

Shingle = tuple[str, ...]


def shingles(words: Sequence[str], length: int = SHINGLE_LENGTH) -> Counter[Shingle]:
    if 0 < len(words) < length:
        return Counter([tuple(words)])
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))


def shingle_agreement(gold: Counter[Shingle], extracted: Counter[Shingle]) -> Agreement:
    return agreement_of_counts(gold, extracted)
