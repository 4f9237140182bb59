"""CleanEval's text-only score: how much of the alignment of two texts is agreement.

    textOnlyScore(a, b) = 1 - distance(a, b) / alignmentLength(a, b)

Words are inserted and removed, never substituted, so with L the length of the longest common subsequence the distance
is |a| + |b| - 2L, the alignment (insert, remove or align) is |a| + |b| - L operations long, and the score is
L / (|a| + |b| - L). "the dog barked" against "the dog" is 1 - 1/3.

Jeff Pasternack and Dan Roth, "Extracting Article Text from the Web with Maximum Subsequence Segmentation", WWW 2009,
section 7.7, after Marco Baroni et al., "CleanEval: a competition for cleaning web pages", LREC 2008.
"""

from __future__ import annotations

from collections.abc import Sequence

from duramen.evaluation.metrics.lcs import Places, lcs_length, places


def text_only_score(gold: Sequence[str], extracted: Sequence[str], gold_places: Places | None = None) -> float:
    """1 for the same words in the same order, 0 for no word in common. `gold_places` saves finding them again."""
    if not gold and not extracted:
        return 1.0
    aligned = lcs_length(places(gold) if gold_places is None else gold_places, len(gold), extracted)
    return aligned / (len(gold) + len(extracted) - aligned)
