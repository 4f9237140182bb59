"""Precision, recall, F1 and the verdict."""

from __future__ import annotations

import pytest

from duramen.evaluation.metrics.agreement import Agreement, EconVerdict, agreement, judge


def test_nothing_extracted_from_nothing_is_right():
    assert agreement(0, 0, 0) == Agreement(1, 1, 1)


@pytest.mark.parametrize(("extracted", "gold"), [(0, 5), (5, 0), (5, 5)])
def test_nothing_in_common_scores_zero(extracted, gold):
    assert agreement(0, extracted, gold) == Agreement(0, 0, 0)


def test_f1_is_the_harmonic_mean():
    found = agreement(2, 4, 8)
    assert found == Agreement(0.5, 0.25, pytest.approx(1 / 3))


@pytest.mark.parametrize(
    ("precision", "recall", "expected"),
    [
        (1.0, 1.0, EconVerdict.CORRECT),
        (0.95, 0.95, EconVerdict.CORRECT),
        (0.5, 1.0, EconVerdict.WRONG),
        (1.0, 0.5, EconVerdict.MISSED),
        (0.5, 0.5, EconVerdict.MISSED),
        (0.0, 0.0, EconVerdict.MISSED),
    ],
)
def test_verdict_follows_econ(precision, recall, expected):
    assert judge(Agreement(precision, recall, 0.0)) is expected


def test_verdict_without_tolerance_wants_every_word():
    assert judge(Agreement(1.0, 0.999, 0.999), tolerance=0) is EconVerdict.MISSED
