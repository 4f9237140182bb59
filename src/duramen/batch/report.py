"""What became of a run, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from duramen.batch.item import Notes
from duramen.batch.shards import Outcome


@dataclass
class Report:
    """The counts of a whole run, however often it was stopped; `seconds` and `rate` are of the last part alone."""

    rows: int = 0
    empty: int = 0
    bytes: int = 0
    shards: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0
    new_rows: int = 0
    lost_workers: int = 0
    duplicates: int | None = None
    """Rows that were marked, where that was asked for."""
    finished: bool = False
    inputs: list[str] = field(default_factory=list)
    """The seal of each input, when all of them have been read."""

    @property
    def failed(self) -> int:
        return sum(self.errors.values())

    @classmethod
    def of(cls, outcomes: Iterable[Outcome], notes: Notes) -> Report:
        report = cls(skipped=Counter(notes.skipped), problems=list(notes.problems))
        for outcome in sorted(outcomes, key=lambda outcome: outcome.number):
            report.rows += outcome.rows
            report.empty += outcome.empty
            report.bytes += outcome.bytes
            report.shards += 1
            report.errors.update(outcome.errors)
            report.skipped.update(outcome.skipped)
            report.problems.extend(outcome.problems)
        return report

    def as_dict(self) -> dict[str, Any]:
        return {
            "finished": self.finished,
            "rows": self.rows,
            "content": self.rows - self.failed - self.empty,
            "empty": self.empty,
            "failed": self.failed,
            "errors": dict(sorted(self.errors.items())),
            "skipped": dict(sorted(self.skipped.items())),
            "problems": self.problems,
            "bytes": self.bytes,
            "shards": self.shards,
            "new_rows": self.new_rows,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.new_rows / self.seconds, 2) if self.seconds else None,
            "lost_workers": self.lost_workers,
            "duplicates": self.duplicates,
            "inputs": self.inputs,
        }
