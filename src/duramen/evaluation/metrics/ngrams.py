"""Agreement of words, of word pairs and of runs of four words.

Words as a multiset are the measure of most benchmarks today, and the one to compare their figures with.

Bigrams as a set are the measure of FOREST:

    Precision(G, S) = |G ∩ S| / |S|        Recall(G, S) = |G ∩ S| / |G|

Marilena Oita and Pierre Senellart, "FOREST: Focused Object Retrieval by Exploiting Significant Tag Paths",
hal-00747816, 2012, "Performance metrics". The paper does not define the bigrams of a text of one word. Here the word
itself is used instead: otherwise such a page could never be extracted correctly.

Shingles of four words as a multiset are the measure of the article extraction benchmark of Scrapinghub (2020). True
positives are the shingles in both texts, counted as often as they occur in both. Unlike words alone, shingles depend on
the order of words. A text of fewer than four words is one shingle of all its words; an empty text has none. The
benchmark computes F1 from the mean precision and the mean recall; here, as everywhere in this package, the F1 of each
page is averaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from duramen.evaluation.metrics.agreement import Agreement, agreement_of_counts, agreement_of_sets

SHINGLE_LENGTH = 4

Bigram = tuple[str, ...]
Shingle = tuple[str, ...]


def word_agreement(reference: Counter[str], extracted: Counter[str]) -> Agreement:
    """Compare two texts as counts of their words, whatever the order."""
    return agreement_of_counts(reference, extracted)


def bigrams(words: Sequence[str]) -> frozenset[Bigram]:
    """Return the pairs of neighboring words."""
    if len(words) == 1:
        return frozenset([tuple(words)])
    return frozenset(pairwise(words))


def bigram_agreement(reference: frozenset[Bigram], extracted: frozenset[Bigram]) -> Agreement:
    """Compare two texts as sets of bigrams."""
    return agreement_of_sets(reference, extracted)


def shingles(words: Sequence[str], length: int = SHINGLE_LENGTH) -> Counter[Shingle]:
    """Count the runs of `length` words."""
    if 0 < len(words) < length:
        return Counter([tuple(words)])
    return Counter(zip(*(words[start:] for start in range(length)), strict=False))


def shingle_agreement(reference: Counter[Shingle], extracted: Counter[Shingle]) -> Agreement:
    """Compare two texts as counts of shingles."""
    return agreement_of_counts(reference, extracted)
