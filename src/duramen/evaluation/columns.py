"""The columns of a leaderboard, which are also the measures it can be ordered by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from duramen.errors import UsageError
from duramen.evaluation.results import Summary

NOTHING = "–"
"""What stands where there is no number."""


def _share(value: float) -> str:
    """`.823`: three digits, and no zero that says nothing."""
    return f"{value:.3f}".removeprefix("0") if value < 0.9995 else "1.00"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _count(value: float) -> str:
    return f"{value:.0f}"


def _milliseconds(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


@dataclass(frozen=True)
class Column:
    name: str
    title: str
    value: Callable[[Summary], float | None]
    form: Callable[[float], str] = _share
    less_is_better: bool = False
    timing: bool = False

    def cell(self, row: Summary) -> str:
        value = self.value(row)
        return NOTHING if value is None else self.form(value)


COLUMNS = (
    Column("pages", "pages", lambda row: row.pages, _count),
    Column("precision", "precision", lambda row: row.words.precision),
    Column("recall", "recall", lambda row: row.words.recall),
    Column("f1", "word F1", lambda row: row.words.f1),
    Column("median", "median", lambda row: row.median),
    Column("bigrams", "2-gram F1", lambda row: row.bigrams.f1),
    Column("shingles", "shingle F1", lambda row: row.shingles.f1),
    Column("short", "short F1", lambda row: row.short.f1),
    Column("best", "best F1", lambda row: row.best.f1),
    Column("cleaneval", "CleanEval", lambda row: row.cleaneval),
    Column("correct", "correct %", lambda row: row.correct, _percent),
    Column("wrong", "wrong %", lambda row: row.wrong, _percent, less_is_better=True),
    Column("missed", "missed %", lambda row: row.missed, _percent, less_is_better=True),
    Column("must", "must", lambda row: row.must),
    Column("must-not", "must not", lambda row: row.must_not, less_is_better=True),
    Column("failures", "failures", lambda row: row.failures, _count, less_is_better=True),
    Column("ms", "ms/page", lambda row: row.milliseconds, _milliseconds, less_is_better=True, timing=True),
    Column("times-parse", "× parse", lambda row: row.times_parse, _milliseconds, less_is_better=True, timing=True),
)

METRICS = {column.name: column for column in COLUMNS}

DEFAULT_METRIC = "f1"


def metric(name: str) -> Column:
    """A column by its name. Raises `UsageError` with the nearest known name."""
    try:
        return METRICS[name]
    except KeyError:
        near = get_close_matches(name, METRICS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(METRICS)}"
        raise UsageError(f"there is no metric {name!r}: {hint}") from None


def ordered(rows: Iterable[Summary], by: Column) -> list[Summary]:
    """The best first; rows without the number last; equal ones by name."""

    def rank(row: Summary) -> tuple[bool, float, str]:
        value = by.value(row)
        if value is None:
            return True, 0.0, row.extractor
        return False, value if by.less_is_better else -value, row.extractor

    return sorted(rows, key=rank)
