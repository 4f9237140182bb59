"""Precision, recall and F1: the three numbers that most of the measures come down to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Set
from typing import NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)


class Agreement(NamedTuple):
    """How far an extraction and the gold agree, from 0 to 1."""

    precision: float
    recall: float
    f1: float


def agreement(common: int, extracted: int, gold: int) -> Agreement:
    """From the numbers of things in both, in the extraction and in the gold.

    An empty extraction of an empty gold is right. An empty one of a gold with words has no precision to speak of;
    it counts as 0, so that silence never pays.
    """
    if not extracted and not gold:
        return Agreement(1.0, 1.0, 1.0)
    if not common:
        return Agreement(0.0, 0.0, 0.0)
    return Agreement(common / extracted, common / gold, 2 * common / (extracted + gold))


def agreement_of_sets(gold: Set[T], extracted: Set[T]) -> Agreement:
    return agreement(len(gold & extracted), len(extracted), len(gold))


def agreement_of_counts(gold: Counter[T], extracted: Counter[T]) -> Agreement:
    """Multisets: what occurs three times in one and twice in the other agrees twice."""
    if len(gold) < len(extracted):
        few, many = gold, extracted
    else:
        few, many = extracted, gold
    there = many.get
    common = sum([other if (other := there(thing, 0)) < count else count for thing, count in few.items()])
    return agreement(common, extracted.total(), gold.total())
