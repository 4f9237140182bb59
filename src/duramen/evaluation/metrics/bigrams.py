"""FOREST's measure: the sets of word 2-grams of the extraction and of the gold.

    Precision(G, S) = |G ∩ S| / |S|        Recall(G, S) = |G ∩ S| / |G|

Marilena Oita and Pierre Senellart, "FOREST: Focused Object Retrieval by Exploiting Significant Tag Paths",
hal-00747816, 2012, "Performance metrics".

The paper does not say what a text of one word is. It has no 2-gram, so here the word itself stands for it: otherwise
such a page could never be extracted rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from duramen.evaluation.metrics.agreement import Agreement, agreement_of_sets

Bigram = tuple[str, ...]


def bigrams(words: Sequence[str]) -> frozenset[Bigram]:
    if len(words) == 1:
        return frozenset([tuple(words)])
    return frozenset(pairwise(words))


def bigram_agreement(gold: frozenset[Bigram], extracted: frozenset[Bigram]) -> Agreement:
    return agreement_of_sets(gold, extracted)
