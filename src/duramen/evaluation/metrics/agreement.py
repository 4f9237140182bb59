"""Precision, recall and F1, and the grade that follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Set
from enum import StrEnum
from typing import NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)

TOLERANCE = 0.05
"""The share of words that may be missing, or too many, in a correct extraction."""


class Agreement(NamedTuple):
    """How well an extraction agrees with the reference, from 0 to 1."""

    precision: float
    recall: float
    f1: float


def agreement(common: int, extracted: int, reference: int) -> Agreement:
    """Compute the agreement from the number of items in both, in the extraction and in the reference.

    An empty extraction of an empty reference is right. An empty extraction of a reference with words has no defined
    precision; it counts as 0, so that returning nothing never raises a score.
    """
    if not extracted and not reference:
        return Agreement(1.0, 1.0, 1.0)
    if not common:
        return Agreement(0.0, 0.0, 0.0)
    return Agreement(common / extracted, common / reference, 2 * common / (extracted + reference))


def agreement_of_sets(reference: Set[T], extracted: Set[T]) -> Agreement:
    """Compare two sets."""
    return agreement(len(reference & extracted), len(extracted), len(reference))


def agreement_of_counts(reference: Counter[T], extracted: Counter[T]) -> Agreement:
    """Compare two multisets: an item that occurs three times in one and twice in the other agrees twice."""
    smaller, larger = (reference, extracted) if len(reference) < len(extracted) else (extracted, reference)
    get_count = larger.get
    common = sum([other if (other := get_count(item, 0)) < count else count for item, count in smaller.items()])
    return agreement(common, extracted.total(), reference.total())


class EconVerdict(StrEnum):
    """ECON's three verdicts on the extraction of a page.

    Correct: the result has the entire content and nothing else. Wrong: the entire content, and noise. Missed: only a
    part of the content, or none.

    Yan Guo et al., "ECON: An Approach to Extract Content from Web News Page", APWeb 2010, section IV.

    In the paper, people judged. Here words do, with a tolerance, because a reference text and an extraction never agree
    exactly (a caption, a byline, a soft hyphen): "entire" is a recall, and "nothing else" a precision, of at least
    1 - tolerance, by default 95 %.
    """

    CORRECT = "correct"
    WRONG = "wrong"
    MISSED = "missed"


def judge(words: Agreement, tolerance: float = TOLERANCE) -> EconVerdict:
    """Return the verdict for a precision and a recall of words."""
    if words.recall < 1 - tolerance:
        return EconVerdict.MISSED
    return EconVerdict.CORRECT if words.precision >= 1 - tolerance else EconVerdict.WRONG
