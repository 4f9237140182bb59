"""Right tables by confidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from duramen.evaluation.records import RecordScore
from duramen.evaluation.records_confidence import count_by_confidence, is_right_table, make_confidence_markdown
from duramen.evaluation.records_results import RecordResults, RecordRun
from duramen.evaluation.sets import Example


def make_run(confidence: float, score: RecordScore) -> RecordRun:
    example = Example("1", Path("1.html"), set="set", site="site")
    return RecordRun("records", example, score, True, 1.0, 1.0, None, confidence)


EXACT = RecordScore(True, True, True, found=5, gold=5, right=5)
SHIFTED = RecordScore(False, True, True, found=5, gold=5, right=1)
FALSE = RecordScore(False, False, False, found=5)
NONE = RecordScore(False, False, True, found=0, gold=5)


def test_tables_are_counted_in_their_class() -> None:
    runs = [make_run(0.55, SHIFTED), make_run(0.55, FALSE), make_run(0.9, EXACT), make_run(1.0, EXACT)]
    results = RecordResults([*runs, make_run(0.0, NONE)])
    assert count_by_confidence([results], "records") == [(0.5, 0.6, 2, 0), (0.89, 1.0, 2, 2)]
    assert "| 0.50 to 0.60 | 2 | 0 | 0.000 |" in make_confidence_markdown([results])


@pytest.mark.parametrize(
    ("score", "by_text", "right"),
    [
        (EXACT, False, True),
        (SHIFTED, False, False),
        (FALSE, False, False),
        (RecordScore(False, False, True, found=10, gold=10, right=8), True, True),
        (RecordScore(False, False, True, found=10, gold=20, right=10), True, False),
    ],
)
def test_a_table_is_right_if_its_records_are(score: RecordScore, by_text: bool, right: bool) -> None:
    assert is_right_table(score, by_text=by_text) is right
