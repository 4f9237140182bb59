"""What a person at a terminal sees on standard error: one line a message, and a bar on long runs."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import rich.progress


def printable(text: str) -> str:
    """The text on one line, without characters that could move a terminal's cursor: names of pages are not ours."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def say(message: str) -> None:
    """One line on standard error, signed with the program's name."""
    if sys.stderr is not None:  # print() would fall back to standard output, where only pages go
        print(f"duramen: {printable(message)}", file=sys.stderr)


def unexpected(error: Exception) -> str:
    """What to say of an error that nobody foresaw."""
    kind, text = type(error).__name__, str(error)
    return f"unexpected {kind}{f': {text}' if text else ''} (--debug shows where)"


def wants_bar(total: int, *, to_stdout: bool) -> bool:
    """A bar is for a person who waits: several pages, a terminal, and no pages written over the bar."""
    if total < 2 or sys.stderr is None or not sys.stderr.isatty():
        return False
    return not (to_stdout and sys.stdout is not None and sys.stdout.isatty())


class Progress:
    """Counts pages, with a bar where one is wanted; its messages stay clear of the bar."""

    def __init__(self, total: int, *, bar: bool, what: str = "pages") -> None:
        self.total = total
        self.done = 0
        self._bar = _bar(total, what) if bar else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        self.done += 1
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0])

    def say(self, message: str) -> None:
        if self._bar is None:
            say(message)
        else:
            line = f"duramen: {printable(message)}"
            self._bar.console.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)


def _bar(total: int, what: str) -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        redirect_stdout=False,  # pages go to standard output as they are
        redirect_stderr=False,
    )
    bar.add_task(what, total=total)
    return bar
