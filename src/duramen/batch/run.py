"""The run: inputs in, rows out, on all cores of this machine.

    planning (a thread) ── pieces ── workers (processes) ── shards ── journal ── one file, if one was asked for

Killed at any moment it goes on where it was: a shard counts when it has its name and stands in the journal, and what
is done twice is done alike.
"""

from __future__ import annotations

import json
import queue
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO
from types import FrameType
from typing import BinaryIO, Protocol, Self

from duramen.batch import stages
from duramen.batch.books import JOURNAL, PLAN, REPORT, Books
from duramen.batch.changes import refuse_changed_since, seals
from duramen.batch.checking import check_inputs, check_memory
from duramen.batch.clearing import refuse_inputs, refuse_strangers, remove
from duramen.batch.named import named
from duramen.batch.place import Place
from duramen.batch.planning import Planning, total_size
from duramen.batch.pool import Counts, Pool, cores
from duramen.batch.report import Report
from duramen.batch.settings import Settings
from duramen.batch.shards import Job, Outcome, write_whole
from duramen.batch.sinks import sink
from duramen.batch.sources import inputs_of
from duramen.batch.work import method_of
from duramen.errors import RunError

_TICK = 0.1
_EAGER = 0.01  # while a worker is idle and pieces are being cut


class Stopped(Exception):  # noqa: N818 - it is no error
    """A signal stopped the run. What is done is safe; the same command goes on."""

    def __init__(self, signal_number: int, report: Report) -> None:
        super().__init__(signal_number)
        self.signal_number = signal_number
        self.report = report


class Onlooker(Protocol):
    """Is shown how a run goes."""

    def begin(self, total: int | None, size: int, rows: int) -> None:
        """The size of the input, where it is known; what of it, and how many rows, an earlier run has done."""

    def look(self, counts: Counts, size: int) -> None:
        """The pages of this run so far; the size of what is done, by an earlier run as well."""

    def tell(self, sentence: str) -> None:
        """What the run is at, before and after its rows."""


class Workers(Protocol):
    """Who does the jobs: the processes of `pool.Pool`, or a cluster."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    @property
    def idle(self) -> int:
        """How many jobs could be begun now."""

    @property
    def busy(self) -> bool: ...
    def counts(self) -> Counts: ...
    def begin(self, job: Job) -> None: ...
    def no_more(self) -> None:
        """There will be no more jobs."""

    def finished(self, timeout: float) -> list[Outcome]:
        """Wait for outcomes, for so long at most."""


@dataclass
class Run:
    """What is to be done, and where."""

    inputs: Sequence[str]
    place: Place
    settings: Settings = field(default_factory=Settings)
    jobs: int = 0
    """Worker processes; 0 for one a core."""
    overwrite: bool = False

    def __call__(self, onlooker: Onlooker | None = None, stdout: BinaryIO | None = None) -> Report:
        """Do it, or what is left of it. Rows go to `stdout` in order, if it is given.

        Raises `Stopped` on SIGINT and SIGTERM, `RunError` when the disk is full and the like, `UsageError` when the
        place holds something else.
        """
        refuse_inputs(self.place, self.inputs)
        check_memory(self.settings.memory)
        self.settings = stages.ready(self.settings, self.place)
        with redirect_stdout(sys.stderr):  # a module of one's own may print, and rows may go there
            method_of(self.settings)  # a method that is not known is said here, not by a worker
        sink(self.place.ending).pack([], BytesIO())  # nor a library that is missing
        if self.overwrite or _finished(self.place) is None:  # whoever has the rows may have put the pages away
            check_inputs(self.inputs, self.settings.reading)
        refuse_strangers(self.place, self.overwrite)
        self.place.shards.mkdir(parents=True, exist_ok=True)
        with Books(self.place, self.inputs, self.settings, self._clear if self.overwrite else None) as books:
            if (before := _finished(self.place)) is not None:
                refuse_changed_since(before.inputs, self.inputs, self.settings.reading, self.place.out)
                return before
            try:
                return self._run(books, onlooker, stdout)
            except BrokenPipeError:  # whoever read the rows has enough
                raise
            except OSError as error:
                where = error.filename or (self.place.out if self.place.out != "-" else "standard output")
                raise RunError(f"{where}: {error.strerror or error}") from error

    def _run(self, books: Books, onlooker: Onlooker | None, stdout: BinaryIO | None) -> Report:
        started = time.monotonic()
        if (note := named(self.inputs).note) is not None:
            tell_of(onlooker)(note)
        self._before(books, onlooker)
        done = books.done()
        before = sum(outcome.rows for outcome in done.values())
        number = self.jobs or cores()
        if onlooker is not None:
            total = total_size(inputs_of(self.inputs), self.settings.reading)
            onlooker.begin(total, sum(outcome.size for outcome in done.values()), before)
        pool = self._pool(number)
        marks = self.settings.duplicates is not None  # such rows are printed when all of them are known
        with _signals() as received:
            planning = self._planning(books, set(done), number)
            try:
                with pool:
                    self._loop(books, planning, pool, done, received, onlooker, None if marks else stdout)
            finally:
                planning.stop()
        report = Report.of(done.values(), planning.notes)
        report.seconds = time.monotonic() - started
        report.new_rows = report.rows - before
        report.lost_workers = pool.counts().lost
        if received:
            self._write(report)
            raise Stopped(received[0], report)
        if marks:
            report.duplicates = self._after(done, onlooker)
            if stdout is not None:
                for shard in range(report.shards):
                    self._print(shard, stdout)
        report.inputs = seals(books.plan, len(inputs_of(self.inputs)))
        self._finish(report)
        return report

    def _clear(self) -> None:
        remove(self.place)

    def _planning(self, books: Books, done: set[int], ahead: int) -> Planning:
        return Planning(books, done, ahead)

    def _pool(self, number: int) -> Workers:
        return Pool(number, self.settings, self.place)

    def _before(self, books: Books, onlooker: Onlooker | None) -> None:
        jobs = self.jobs or cores()
        stages.before(books, lambda: self._planning(books, set(), jobs), jobs, tell_of(onlooker))

    def _after(self, done: Mapping[int, Outcome], onlooker: Onlooker | None) -> int:
        kind, jobs = self.settings.duplicates or "", self.jobs or cores()
        return stages.after(self.place, done.values(), kind, jobs, tell_of(onlooker)).duplicates

    def _loop(
        self,
        books: Books,
        planning: Planning,
        pool: Workers,
        done: dict[int, Outcome],
        received: list[int],
        onlooker: Onlooker | None,
        stdout: BinaryIO | None,
    ) -> None:
        printed, size = 0, sum(outcome.size for outcome in done.values())
        more = True
        while not received and (more or pool.busy):
            while more and pool.idle > 0:
                try:
                    found = planning.next(0)
                except queue.Empty:
                    break
                if found is None:
                    more = False
                    pool.no_more()
                else:
                    pool.begin(Job(found[0], found[1]))
            for outcome in pool.finished(_EAGER if more and pool.idle > 0 else _TICK):
                books.finish(outcome)
                done[outcome.number] = outcome
                size += outcome.size
            while stdout is not None and printed in done:
                self._print(printed, stdout)
                printed += 1
            if onlooker is not None:
                counts = pool.counts()
                onlooker.look(counts, size + counts.size)

    def _print(self, number: int, stdout: BinaryIO) -> None:
        path = self.place.shard(number)
        with path.open("rb") as shard:
            shutil.copyfileobj(shard, stdout)
        stdout.flush()
        path.unlink()

    def _finish(self, report: Report) -> None:
        """Make one file of the shards, where one was asked for, and write the report: after that the run is over."""
        place = self.place
        if place.joined is not None:
            shards = [place.shard(number) for number in range(report.shards)]
            write_whole(place.joined, lambda file: sink(place.ending).join(_opened(shards), file))
        report.finished = True
        self._write(report)
        _tidy(place)

    def _write(self, report: Report) -> None:
        told = json.dumps(report.as_dict(), indent=1) + "\n"
        write_whole(self.place.work / REPORT, lambda file: file.write(told.encode("ascii")))


def tell_of(onlooker: Onlooker | None) -> Callable[[str], None]:
    """Where a run's sentences go."""
    return onlooker.tell if onlooker is not None else lambda sentence: None


def _finished(place: Place) -> Report | None:
    """The report of a run that is over already."""
    path = place.work / REPORT
    if not path.exists() or (place.joined is not None and not place.joined.exists()):
        return None
    told = json.loads(path.read_bytes())
    if not told["finished"]:
        return None
    _tidy(place)
    report = Report(rows=told["rows"], empty=told["empty"], bytes=told["bytes"], shards=told["shards"], finished=True)
    report.errors.update(told["errors"])
    report.skipped.update(told["skipped"])
    report.problems.extend(told["problems"])
    report.inputs.extend(told.get("inputs", ()))
    return report


def _tidy(place: Place) -> None:
    """When the shards have become one file, they and what led to them have done their service."""
    if place.joined is None:
        return
    for left in (*place.shards.glob(f"part-*{place.ending}"), place.work / PLAN, place.work / JOURNAL):
        left.unlink(missing_ok=True)


def _opened(paths: Sequence[object]) -> Iterator[BinaryIO]:
    for path in paths:
        with open(str(path), "rb") as file:
            yield file


@contextmanager
def _signals() -> Iterator[list[int]]:
    """The signals to stop that have come; the second one is not waited for."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)
        if len(received) > 1:
            raise KeyboardInterrupt

    kept = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
