"""Messages and progress on standard error: one line per message, a bar for long work."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import rich.progress

    from duramen.batch.outputs.output_paths import OutputLayout
    from duramen.batch.run_store import Report
    from duramen.batch.workers.pool import ProgressCounts

_SECONDS_BETWEEN_LINES = 30.0
_SECONDS_BETWEEN_UPDATES = 0.25


def escape_controls(text: str) -> str:
    """Put a text on one line and escape control characters: names of pages come from strangers."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def say(message: str) -> None:
    """Write one line to standard error, with the program's name."""
    if sys.stderr is not None:  # print() would write to standard output, which is for results
        print(f"duramen: {escape_controls(message)}", file=sys.stderr)


def say_first(messages: list[str], limit: int, rest: str) -> None:
    """Print the first messages; `rest` names the place of the others: "and 3 more; all are in results.json"."""
    for message in messages[:limit]:
        say(message)
    if len(messages) > limit:
        say(f"and {len(messages) - limit} more{rest}")


def describe_unexpected(error: Exception) -> str:
    """Describe an error that no code expects."""
    kind, text = type(error).__name__, str(error)
    return f"unexpected {kind}{f': {text}' if text else ''} (--debug shows the traceback)"


def count_pages(number: int) -> str:
    """Write a number of pages: `1 page`, `2 pages`."""
    return count(number, "page")


def count(number: int, noun: str) -> str:
    """Write a number of things: `1 row`, `2,000 rows`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def wants_bar(total: int, *, to_stdout: bool) -> bool:
    """Return whether to show a bar: for several pages, on a terminal to which no results are written."""
    if total < 2 or sys.stderr is None or not sys.stderr.isatty():
        return False
    return not (to_stdout and sys.stdout is not None and sys.stdout.isatty())


class Progress:
    """A count of finished pages, with a bar if wanted. Its messages do not disturb the bar."""

    def __init__(self, total: int, *, bar: bool, unit: str = "pages") -> None:
        self.total = total
        self.done = 0
        self._bar = _make_bar(total, unit) if bar else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, steps: int = 1) -> None:
        self.done += steps
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], steps)

    def say(self, message: str) -> None:
        if self._bar is None:
            say(message)
        else:
            _print_above(self._bar, message)


class RunProgress:
    """The progress of `duramen run`: a bar on a terminal, a line every 30 seconds elsewhere, a summary at the end."""

    def __init__(self, *, quiet: bool, to_stdout: bool) -> None:
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self._lines = not quiet and not terminal
        self._bar = _make_run_bar() if terminal and not quiet and not (to_stdout and sys.stdout.isatty()) else None
        self._started = self._updated = self._said = time.monotonic()
        self._total: int | None = None
        self._done_before = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def start(self, total: int | None, size: int, rows: int) -> None:
        """Start; `size` and `rows` are what an earlier run has done."""
        self._total, self._done_before = total, size
        self._started = self._updated = self._said = time.monotonic()
        if rows and (self._lines or self._bar is not None):
            say(f"resuming after {count(rows, 'row')}")
        if self._bar is not None:
            self._bar.add_task("pages", total=total or None, completed=size, rates="")
            self._bar.start()

    def update(self, counts: ProgressCounts, size: int) -> None:
        """Show the counts, but not too often."""
        now = time.monotonic()
        if now - self._updated < _SECONDS_BETWEEN_UPDATES and size != self._total:
            return
        self._updated = now
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=size, rates=self._describe_rates(counts, now))
        elif self._lines and now - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = now
            say(self._describe_rates(counts, now) + self._describe_time_left(size, now))

    def log(self, sentence: str) -> None:
        """Say a sentence."""
        if self._bar is not None:
            _print_above(self._bar, sentence)
        elif self._lines:
            say(sentence)

    def stop(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def sum_up(self, report: Report, place: OutputLayout) -> None:
        """Say what was done."""
        if not report.seconds:
            say(f"{place.out} is already finished ({count(report.rows, 'row')}): run it again with --overwrite")
            return
        parts = [f"{report.rows - report.failed - report.empty:,} with content"]
        if report.empty:
            parts.append(f"{report.empty:,} without")
        if report.failed:
            kinds = ", ".join(f"{kind} {number:,}" for kind, number in report.errors.most_common())
            parts.append(f"{report.failed:,} failed ({kinds})")
        rate = f"{count_pages(round(report.new_rows / report.seconds))}/s" if report.seconds >= 1 else "at once"
        say(f"{count(report.rows, 'row')}: {', '.join(parts)}; {_format_duration(report.seconds)}, {rate}")
        if report.skipped:
            kinds = ", ".join(f"{kind} {number:,}" for kind, number in report.skipped.most_common())
            say(f"skipped because they are not pages: {kinds}")

    def _describe_rates(self, counts: ProgressCounts, now: float) -> str:
        seconds = max(now - self._started, 1e-3)
        rates = (
            f"{count_pages(counts.pages)}, {counts.pages / seconds:,.0f}/s, {counts.bytes / seconds / 1e6:,.1f} MB/s"
        )
        return f"{rates}, {counts.failed:,} failed" if counts.failed else rates

    def _describe_time_left(self, size: int, now: float) -> str:
        if not self._total or size <= self._done_before:
            return ""
        seconds = (self._total - size) * (now - self._started) / (size - self._done_before)
        return f", {_format_duration(max(seconds, 0))} left"


def _format_duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _print_above(bar: rich.progress.Progress, message: str) -> None:
    line = f"duramen: {escape_controls(message)}"
    bar.console.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)


def _make_bar(total: int, unit: str) -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        redirect_stdout=False,  # results go to standard output unchanged
        redirect_stderr=False,
    )
    bar.add_task(unit, total=total)
    return bar


def _make_run_bar() -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    return Bar(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rates]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        speed_estimate_period=120,
        redirect_stdout=False,  # rows may go there
        redirect_stderr=False,
    )
