"""What a person sees of a run: a bar on a terminal, a line now and then elsewhere, a summary at the end."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from duramen.cli.progress import say

if TYPE_CHECKING:
    import rich.progress

    from duramen.batch.place import Place
    from duramen.batch.pool import Counts
    from duramen.batch.report import Report

_BETWEEN_LINES = 30.0  # seconds
_BETWEEN_LOOKS = 0.25
_ROWS = ("row", "rows")


class RunProgress:
    """Looks on at a run: pages a second, megabytes a second, failures, time left."""

    def __init__(self, *, quiet: bool, to_stdout: bool) -> None:
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self._lines = not quiet and not terminal
        self._bar = _bar() if terminal and not quiet and not (to_stdout and sys.stdout.isatty()) else None
        self._started = self._looked = self._said = time.monotonic()
        self._total: int | None = None
        self._before = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def begin(self, total: int | None, size: int, rows: int) -> None:
        self._total, self._before = total, size
        self._started = self._looked = self._said = time.monotonic()
        if rows and (self._lines or self._bar is not None):
            say(f"going on behind {rows:,} rows")
        if self._bar is not None:
            self._bar.add_task("pages", total=total or None, completed=size, told="")
            self._bar.start()

    def look(self, counts: Counts, size: int) -> None:
        now = time.monotonic()
        if now - self._looked < _BETWEEN_LOOKS and size != self._total:
            return
        self._looked = now
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=size, told=self._told(counts, now))
        elif self._lines and now - self._said >= _BETWEEN_LINES:
            self._said = now
            say(self._told(counts, now) + self._left(size, now))

    def tell(self, sentence: str) -> None:
        if self._bar is not None:
            self._bar.console.print(f"duramen: {sentence}", markup=False, emoji=False, highlight=False, soft_wrap=True)
        elif self._lines:
            say(sentence)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def sum_up(self, report: Report, place: Place) -> None:
        """What was done, in a few lines."""
        if not report.seconds:
            say(f"{place.out} is finished already: {report.rows:,} rows; --overwrite does it again")
            return
        parts = [f"{report.rows - report.failed - report.empty:,} with content"]
        if report.empty:
            parts.append(f"{report.empty:,} without")
        if report.failed:
            kinds = ", ".join(f"{kind} {number:,}" for kind, number in report.errors.most_common())
            parts.append(f"{report.failed:,} failed ({kinds})")
        rate = f"{report.new_rows / report.seconds:,.0f} pages/s" if report.seconds >= 1 else "at once"
        say(f"{report.rows:,} {_ROWS[report.rows != 1]}: {', '.join(parts)}; {_duration(report.seconds)}, {rate}")
        if report.skipped:
            kinds = ", ".join(f"{kind} {number:,}" for kind, number in report.skipped.most_common())
            say(f"skipped, as no pages: {kinds}")

    def _told(self, counts: Counts, now: float) -> str:
        seconds = max(now - self._started, 1e-3)
        told = f"{counts.pages:,} pages, {counts.pages / seconds:,.0f}/s, {counts.bytes / seconds / 1e6:,.1f} MB/s"
        return f"{told}, {counts.failed:,} failed" if counts.failed else told

    def _left(self, size: int, now: float) -> str:
        if not self._total or size <= self._before:
            return ""
        left = (self._total - size) * (now - self._started) / (size - self._before)
        return f", {_duration(max(left, 0))} left"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _bar() -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    return Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        speed_estimate_period=120,
        redirect_stdout=False,  # rows may go there
        redirect_stderr=False,
    )
