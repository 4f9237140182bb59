"""Counts of a run, written to `report.json`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from duramen.batch.inputs.splits import InputNotes
from duramen.batch.workers.shard import ShardResult


@dataclass
class Report:
    """The counts of a whole run, however often it was interrupted.

    `seconds`, `new_rows` and `lost_workers` describe the last part alone.
    """

    rows: int = 0
    empty: int = 0
    """Rows of pages on which no content was found."""
    bytes: int = 0
    shards: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """Error rows by kind."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Input records that are not pages, by kind."""
    problems: list[str] = field(default_factory=list)
    """Parts of the input that could not be read, one sentence each."""
    seconds: float = 0.0
    new_rows: int = 0
    lost_workers: int = 0
    duplicates: int | None = None
    """Rows marked as duplicates, where that was requested."""
    finished: bool = False
    inputs: list[str] = field(default_factory=list)
    """The fingerprint of each input, once all inputs have been read."""

    @property
    def failed(self) -> int:
        return sum(self.errors.values())

    @classmethod
    def from_results(cls, results: Iterable[ShardResult], notes: InputNotes) -> Report:
        report = cls(skipped=Counter(notes.skipped), problems=list(notes.problems))
        for result in sorted(results, key=lambda result: result.number):
            report.rows += result.rows
            report.empty += result.empty
            report.bytes += result.bytes
            report.shards += 1
            report.errors.update(result.errors)
            report.skipped.update(result.skipped)
            report.problems.extend(result.problems)
        return report

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Report:
        """Restore the counts of a finished run; those of its last part are left at zero."""
        report = cls(rows=saved["rows"], empty=saved["empty"], bytes=saved["bytes"], shards=saved["shards"])
        report.finished = saved["finished"]
        report.errors.update(saved["errors"])
        report.skipped.update(saved["skipped"])
        report.problems.extend(saved["problems"])
        report.inputs.extend(saved.get("inputs", ()))
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
