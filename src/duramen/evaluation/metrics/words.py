"""Words as a multiset: precision, recall and F1 over how often each word occurs, whatever the order.

This is the measure of today's benchmarks, and the one to compare their figures with.
"""

from __future__ import annotations

from collections import Counter

from duramen.evaluation.metrics.agreement import Agreement, agreement_of_counts


def word_agreement(gold: Counter[str], extracted: Counter[str]) -> Agreement:
    """Both texts as counts of their words."""
    return agreement_of_counts(gold, extracted)
