"""Pool of worker processes, which are replaced when they hang or die.

A worker reads its split and writes its shard itself; only short messages pass between the processes. The state of each
worker is in shared memory. A worker that exceeds the time limit of a page is killed, and a dead worker is replaced. The
next worker continues the same split after the rows that are written. The page at fault gets an error row: at once
after a timeout, otherwise at the second death, because a worker may also be killed for reasons that are not the page's.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import deque
from collections.abc import MutableSequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from typing import Self

from duramen.batch.outputs.layout import OutputLayout
from duramen.batch.row import is_out_of_memory, load_method
from duramen.batch.settings import RunSettings, format_bytes
from duramen.batch.workers.shard import ShardResult, SplitJob, make_shard
from duramen.errors import RunError
from duramen.processes import Worker, start_worker, wait_for_messages

IDLE, READING, EXTRACTING, PACKING = 0.0, 1.0, 2.0, 3.0
"""Values of the slot `STATE`."""
STATE, INDEX, SINCE, PAGES, BYTES, FAILED, SHARE = range(7)
"""Slots of the shared memory: state, index of the page, start time, counts, and the share of the split that is done."""
SLOT_COUNT = 7

_MAX_DEATHS_PER_PAGE = 2
"""A page is given up after so many deaths of a worker during its reading or its extraction."""
_MAX_DEATHS_WITHOUT_PAGE = 5
"""The run is given up after so many deaths in a row outside any page."""
_FIRST_PAGE_TIMEOUT_SECONDS = 3600.0
"""For the first page of a split, which may be at the end of a long compressed file."""

_STDOUT, _STDERR = 1, 2
_GC_THRESHOLD_OBJECTS = 20_000
"""New objects before a garbage collection. Pages leave few cycles, and Python's default of 700 collects per page."""


@dataclass
class ProgressCounts:
    """What the workers have done since the run began."""

    pages: int = 0
    bytes: int = 0
    failed: int = 0
    lost: int = 0
    """Workers that had to be replaced."""
    size: int = 0
    """The part that is done of the splits in progress."""


@dataclass(frozen=True)
class WorkerStatus:
    """State of a worker in shared memory: no message per page, and it survives the worker."""

    slots: MutableSequence[float]

    def read(self, index: int) -> None:
        self._set(READING, index)

    def extract(self, index: int, share: float) -> None:
        self._set(EXTRACTING, index)
        self.slots[SHARE] = share

    def page_done(self, size: int, failed: bool) -> None:
        self.slots[PAGES] += 1
        self.slots[BYTES] += size
        self.slots[FAILED] += failed

    def pack(self) -> None:
        self._set(PACKING, 0)

    def idle(self) -> None:
        self.slots[STATE] = IDLE

    def _set(self, state: float, index: int) -> None:
        self.slots[SINCE] = time.monotonic()
        self.slots[INDEX] = index
        self.slots[STATE] = state


@dataclass(frozen=True)
class WorkerFailure:
    """Message of a worker: the run cannot continue, for example because the disk is full."""

    reason: str


@dataclass
class _SplitWorker(Worker):
    slots: list[float]
    job: SplitJob | None = None
    is_out_of_time: bool = False

    @property
    def is_on_page(self) -> bool:
        return self.slots[STATE] in (READING, EXTRACTING)


@dataclass
class WorkerPool:
    """A fixed number of workers, each with one job at a time."""

    number: int
    settings: RunSettings
    layout: OutputLayout
    attempt: str = field(default_factory=lambda: os.urandom(4).hex())

    def __post_init__(self) -> None:
        self._workers: list[_SplitWorker] = []
        self._retries: deque[SplitJob] = deque()
        self._deaths: dict[tuple[int, int, float], int] = {}
        self._counts_of_lost = ProgressCounts()
        self._deaths_without_page = 0

    def __enter__(self) -> Self:
        self._workers = [self._start_worker() for _ in range(self.number)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()  # all of them before the first is waited for
        for worker in self._workers:
            worker.end()

    @property
    def idle(self) -> int:
        """How many jobs can be started now."""
        return sum(worker.job is None for worker in self._workers) - len(self._retries)

    @property
    def busy(self) -> bool:
        return bool(self._retries) or any(worker.job is not None for worker in self._workers)

    def counts(self) -> ProgressCounts:
        total = replace(self._counts_of_lost)
        for worker in self._workers:
            total.pages += int(worker.slots[PAGES])
            total.bytes += int(worker.slots[BYTES])
            total.failed += int(worker.slots[FAILED])
            if worker.job is not None:
                total.size += int(worker.slots[SHARE] * worker.job.split.size)
        return total

    def start_job(self, job: SplitJob) -> None:
        """Give a job to an idle worker."""
        worker = next(worker for worker in self._workers if worker.job is None)
        worker.job, worker.is_out_of_time = job, False
        worker.slots[SHARE] = 0.0
        worker.send(job)

    def close(self) -> None:
        """Nothing to do when there are no more jobs."""

    def collect(self, timeout: float) -> list[ShardResult]:
        """Wait at most `timeout` seconds for results; kill late workers and replace dead ones."""
        ready = wait_for_messages(self._workers, timeout)
        results = []
        for worker in [self._workers[index] for index in sorted(ready)]:
            try:
                message = worker.receive()
            except EOFError:
                self._replace(worker)
                continue
            if isinstance(message, WorkerFailure):
                raise RunError(message.reason)
            results.append(message)
            worker.job, self._deaths_without_page = None, 0
        self._kill_late_workers()
        while self._retries and any(worker.job is None for worker in self._workers):
            self.start_job(self._retries.popleft())
        return results

    def _kill_late_workers(self) -> None:
        now = time.monotonic()
        for worker in self._workers:
            if worker.job is None or worker.is_out_of_time or not worker.is_on_page:
                continue
            limit = self.settings.timeout
            if worker.slots[STATE] == READING and worker.slots[INDEX] == 0:
                limit = max(limit, _FIRST_PAGE_TIMEOUT_SECONDS)
            if now - worker.slots[SINCE] > limit:
                worker.is_out_of_time = True
                worker.process.kill()  # its connection closes, and `collect` replaces it like a dead worker

    def _replace(self, worker: _SplitWorker) -> None:
        """Start a new worker in place of a dead one, and queue its job again."""
        worker.process.join()  # not killed: its exit status is the reason
        worker.end()
        self._counts_of_lost.lost += 1
        for slot, count in ((PAGES, "pages"), (BYTES, "bytes"), (FAILED, "failed")):
            setattr(self._counts_of_lost, count, getattr(self._counts_of_lost, count) + int(worker.slots[slot]))
        if worker.job is None or not worker.is_on_page:
            self._deaths_without_page += 1
            if self._deaths_without_page >= _MAX_DEATHS_WITHOUT_PAGE:
                raise RunError(f"workers die before their first page ({self._death_reason(worker)})")
        if worker.job is not None:
            self._retries.append(self._job_after_death(worker.job, worker))
        self._workers[self._workers.index(worker)] = self._start_worker()

    def _job_after_death(self, job: SplitJob, worker: _SplitWorker) -> SplitJob:
        """Return the job for the next worker, without the page if that is at fault."""
        if not worker.is_on_page:
            return job
        state, index = worker.slots[STATE], int(worker.slots[INDEX])
        key = (job.number, index, state)
        self._deaths[key] = self._deaths.get(key, 0) + 1
        if not worker.is_out_of_time and self._deaths[key] < _MAX_DEATHS_PER_PAGE:
            return job
        if state == EXTRACTING:
            return replace(job, failed={**job.failed, index: self._death_reason(worker)})
        if index not in job.unreadable:
            return replace(job, unreadable={**job.unreadable, index: self._death_reason(worker)})
        return replace(job, end_index=index)

    def _death_reason(self, worker: _SplitWorker) -> str:
        if worker.is_out_of_time:
            return f"timeout: not done in {self.settings.timeout:g} s"
        return f"crash: the worker {worker.describe_exit()}"

    def _start_worker(self) -> _SplitWorker:
        slots = RawArray("d", SLOT_COUNT)
        process, connection = start_worker(run_worker, slots, self.settings, self.layout, self.attempt)
        return _SplitWorker(process, connection, slots)


def run_worker(
    connection: Connection, slots: MutableSequence[float], settings: RunSettings, layout: OutputLayout, attempt: str
) -> None:
    """Receive jobs, process them, and send back their results."""
    _redirect_stdout()
    status = WorkerStatus(slots)
    try:
        load_method(settings)
        if settings.memory is not None:
            _limit_memory(settings.memory)  # after loading: the limit is for pages
    except Exception as error:
        reason = str(error) if isinstance(error, RunError) else f"{type(error).__name__} {error}".rstrip()
        connection.send(WorkerFailure(f"a worker could not begin: {reason}"))
        return
    gc.freeze()  # loaded objects stay: no collection has to visit them
    gc.set_threshold(_GC_THRESHOLD_OBJECTS)
    while True:
        try:
            job: SplitJob = connection.recv()
        except (EOFError, OSError):
            return
        result = _process(job, settings, layout, attempt, status)
        status.idle()  # not if the process ends before: then the state must still name the page
        connection.send(result)


def _process(job: SplitJob, settings: RunSettings, layout: OutputLayout, attempt: str, status: WorkerStatus) -> object:
    try:
        return make_shard(job, settings, layout, attempt, status)
    except Exception as error:
        if is_out_of_memory(error):
            return WorkerFailure("a worker has too little memory to write its rows: allow it more with --memory")
        if isinstance(error, OSError):
            return WorkerFailure(f"{error.filename or layout.shard_folder}: {error.strerror or error}")
        return WorkerFailure(f"unexpected {type(error).__name__}: {error}")


def _redirect_stdout() -> None:
    """Send what a method prints to standard error, because rows may go to standard output."""
    sys.stdout = sys.stderr
    try:
        os.dup2(_STDERR, _STDOUT)  # for output that does not come from Python
    except OSError:  # standard error is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(FileNotFoundError):  # /proc exists on Linux only
        used = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
        if used >= size:
            raise RunError(
                f"it takes {format_bytes(used)} before its first page, and --memory allows {format_bytes(size)}:"
                " allow twice what it takes"
            )
    with suppress(ValueError, OSError):  # a lower limit is already set
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
