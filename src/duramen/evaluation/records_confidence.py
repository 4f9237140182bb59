"""How many tables are right, by the confidence that the method gives them.

A table is right if its region is exact; if only the texts of the records are known, if four fifths of its records and
of the reference are right. On a page without a main list every table is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from duramen.evaluation.records import RecordScore
from duramen.evaluation.records_results import RecordResults, RecordRun
from duramen.evaluation.score_tables import make_markdown_table

MIN_RIGHT_SHARE: Final = 0.8
"""Precision and recall of a right table, if only the texts of its records are known."""
BORDERS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.89, 1.0)
"""Borders of the classes of confidence."""


class ConfidenceClass(NamedTuple):
    """The tables whose confidence is in a range."""

    low: float
    high: float
    tables: int
    right: int


def is_right_table(score: RecordScore, *, by_text: bool) -> bool:
    """Return whether the table of a page is right."""
    if not by_text or not score.listed:
        return score.exact and score.listed
    return min(score.precision or 0.0, score.recall or 0.0) >= MIN_RIGHT_SHARE


def count_by_confidence(results: Iterable[RecordResults], method: str) -> list[ConfidenceClass]:
    """Count the tables of a method, and the right ones, in each class of confidence that has any."""
    tables = [
        (run.confidence, is_right_table(run.score, by_text=result.entries))
        for result in results
        for run in result.runs
        if run.method == method and _has_table(run)
    ]
    classes = []
    for low, high in pairwise(BORDERS):
        right = [is_right for confidence, is_right in tables if low <= confidence < high or confidence == high == 1.0]
        if right:
            classes.append(ConfidenceClass(low, high, len(right), sum(right)))
    return classes


def make_confidence_cells(classes: Sequence[ConfidenceClass]) -> tuple[list[str], list[list[str]]]:
    """Make the header and the rows of a table of the classes."""
    rows = [
        [f"{one.low:.2f} to {one.high:.2f}", str(one.tables), str(one.right), f"{one.right / one.tables:.3f}"]
        for one in classes
    ]
    return ["confidence", "tables", "right", "share"], rows


def make_confidence_markdown(results: Sequence[RecordResults]) -> str:
    """Make a Markdown section for every method that finds records; "" if there is none."""
    methods = dict.fromkeys(run.method for result in results for run in result.runs if _has_table(run))
    parts = [
        f"## Right tables by the confidence of {method}\n\n"
        + make_markdown_table(*make_confidence_cells(count_by_confidence(results, method)))
        for method in methods
    ]
    return "\n\n".join(parts) + "\n" if parts else ""


def _has_table(run: RecordRun) -> bool:
    return run.finds_records and run.score.found > 0
