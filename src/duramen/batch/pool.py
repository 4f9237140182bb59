"""Workers in processes of their own, replaced when they hang or die.

A worker reads its piece and writes its shard by itself; between the processes go only short messages. What it is at,
and since when, stands in shared memory. One that has sat over a page for too long is killed; one that has died is
replaced; either way the next goes on with the same piece, behind the rows that are written, and the page that took its
worker along gets an error row: at once if it was out of time, at the second death otherwise, since a worker may also be
killed by something that is not the page's fault.

Processes are forked from a server that has loaded everything and runs no threads, where there is such a thing: a new
worker is there in a hundredth of a second.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess, SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray
from typing import Self

from duramen.batch.place import Place
from duramen.batch.settings import Settings
from duramen.batch.shards import Job, Outcome
from duramen.batch.worker import (
    BYTES,
    EXTRACTS,
    FAILED,
    INDEX,
    PAGES,
    READS,
    SHARE,
    SINCE,
    SLOTS,
    STATE,
    Broken,
    work,
)
from duramen.errors import RunError

_LOADED = [
    "duramen.batch.worker",
    "duramen.batch.sources.files",
    "duramen.methods.auto.method",
    "duramen.metadata.reading",
    "numpy",
]
_SURROUNDINGS = {
    # Numeric libraries would start a thread a core in every worker; they read these when they are loaded.
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    # The C library of Linux keeps what a large page has taken, more with each that is larger, unless it is told how
    # much; it reads these when a process starts.
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "4194304",
}
_DEATHS = 2
"""So often may a worker die over one page, or over reading one, before the page is given up."""
_DEATHS_IN_A_ROW = 5
"""So often may a worker die for no page's sake before the run is given up."""
_FIRST_READ = 3600.0
"""Seconds until the first page of a piece must be there: it may stand at the end of a long packed file."""


@dataclass
class Counts:
    """What the workers have done since the run began."""

    pages: int = 0
    bytes: int = 0
    failed: int = 0
    lost: int = 0
    """Workers that had to be replaced."""
    size: int = 0
    """Of the pieces that are being worked at, what is done."""


@dataclass
class _Worker:
    process: ForkServerProcess | SpawnProcess
    connection: Connection
    slots: list[float]
    job: Job | None = None
    out_of_time: bool = False


@dataclass
class Pool:
    """So many workers, each at one job."""

    number: int
    settings: Settings
    place: Place
    attempt: str = field(default_factory=lambda: os.urandom(4).hex())

    def __post_init__(self) -> None:
        self._context = context()
        self._workers: list[_Worker] = []
        self._again: deque[Job] = deque()
        self._deaths: dict[tuple[int, int, float], int] = {}
        self._past = Counts()
        self._idle_deaths = 0

    def __enter__(self) -> Self:
        self._workers = [self._start() for _ in range(self.number)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()

    @property
    def idle(self) -> int:
        """How many jobs could be begun now."""
        return sum(worker.job is None for worker in self._workers) - len(self._again)

    @property
    def busy(self) -> bool:
        return bool(self._again) or any(worker.job is not None for worker in self._workers)

    def counts(self) -> Counts:
        total = replace(self._past)
        for worker in self._workers:
            total.pages += int(worker.slots[PAGES])
            total.bytes += int(worker.slots[BYTES])
            total.failed += int(worker.slots[FAILED])
            if worker.job is not None:
                total.size += int(worker.slots[SHARE] * worker.job.piece.size)
        return total

    def begin(self, job: Job) -> None:
        """Give a job to a worker that has none."""
        worker = next(worker for worker in self._workers if worker.job is None)
        worker.job, worker.out_of_time = job, False
        worker.slots[SHARE] = 0.0
        with suppress(BrokenPipeError, ConnectionResetError):  # it has died; `finished` will see that
            worker.connection.send(job)

    def no_more(self) -> None:
        """There will be no more jobs: nothing to prepare for that."""

    def finished(self, timeout: float) -> list[Outcome]:
        """Wait for outcomes, for so long at most; look after the workers meanwhile."""
        ready = wait([worker.connection for worker in self._workers], timeout)
        outcomes = []
        for worker in self._workers:
            if worker.connection not in ready:
                continue
            try:
                message = worker.connection.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            if isinstance(message, Broken):
                raise RunError(message.sentence)
            outcomes.append(message)
            worker.job, self._idle_deaths = None, 0
        self._stop_the_late()
        while self._again and any(worker.job is None for worker in self._workers):
            self.begin(self._again.popleft())
        return outcomes

    def _stop_the_late(self) -> None:
        now = time.monotonic()
        for worker in self._workers:
            state = worker.slots[STATE]
            if worker.job is None or worker.out_of_time or state not in (READS, EXTRACTS):
                continue
            limit = self.settings.timeout
            if state == READS and worker.slots[INDEX] == 0:
                limit = max(limit, _FIRST_READ)
            if now - worker.slots[SINCE] > limit:
                worker.out_of_time = True
                worker.process.kill()  # its pipe closes, and it is replaced as if it had died

    def _replace(self, worker: _Worker) -> None:
        """A new worker in the place of one that is gone; its job is to be gone on with."""
        worker.process.join()
        worker.connection.close()
        self._past.lost += 1
        for slot, count in ((PAGES, "pages"), (BYTES, "bytes"), (FAILED, "failed")):
            setattr(self._past, count, getattr(self._past, count) + int(worker.slots[slot]))
        if worker.job is None or worker.slots[STATE] not in (READS, EXTRACTS):
            self._idle_deaths += 1
            if self._idle_deaths >= _DEATHS_IN_A_ROW:
                raise RunError(f"workers die before they have begun ({self._epitaph(worker)})")
        if worker.job is not None:
            self._again.append(self._after_death(worker.job, worker))
        self._workers[self._workers.index(worker)] = self._start()

    def _after_death(self, job: Job, worker: _Worker) -> Job:
        """The job as it is to be gone on with."""
        state, index = worker.slots[STATE], int(worker.slots[INDEX])
        if state not in (READS, EXTRACTS):
            return job
        key = (job.number, index, state)
        self._deaths[key] = self._deaths.get(key, 0) + 1
        if not worker.out_of_time and self._deaths[key] < _DEATHS:
            return job
        if state == EXTRACTS:
            return replace(job, failed={**job.failed, index: self._epitaph(worker)})
        if index not in job.lost:
            return replace(job, lost={**job.lost, index: self._epitaph(worker)})
        return replace(job, unread=index)

    def _epitaph(self, worker: _Worker) -> str:
        if worker.out_of_time:
            return f"timeout: not done in {self.settings.timeout:g} s"
        code = worker.process.exitcode or 0
        if code >= 0:
            return f"crash: the worker ended with status {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"crash: the worker was stopped by {name}"

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        slots = RawArray("d", SLOTS)
        arguments = (theirs, slots, self.settings, self.place, self.attempt)
        process = self._context.Process(target=work, args=arguments, daemon=True, name="duramen worker")
        start(process)
        theirs.close()  # so that the worker's end is closed when it dies
        return _Worker(process, ours, slots)


def context() -> ForkServerContext | SpawnContext:
    """How processes are started."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(_LOADED)
    return server


def start(process: BaseProcess) -> None:
    """Start a worker, in its surroundings; a `RunError` where the system has none to give."""
    with surroundings(), _held_back(signal.SIGINT):
        try:
            process.start()
        except (OSError, EOFError) as error:  # of a pipe, too: no reader of rows has gone away here
            raise RunError(f"a worker could not be started ({getattr(error, 'strerror', None) or error})") from error


@contextmanager
def _held_back(signal_number: int) -> Iterator[None]:
    """A signal comes here a moment later, and never to what is started meanwhile: Ctrl-C goes to all processes of a
    terminal, and would end the server of workers while it loads."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it is started with the server, and lets all signals through behind itself
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal_number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def surroundings() -> Iterator[None]:
    """What workers are to find in their environment, unless somebody has set it otherwise."""
    unset = {name: value for name, value in _SURROUNDINGS.items() if name not in os.environ}
    os.environ.update(unset)
    try:
        yield
    finally:
        for name in unset:
            del os.environ[name]


def cores() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
