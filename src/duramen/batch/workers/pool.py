"""Pool of worker processes, which are replaced when they hang or die.

A worker reads its split and writes its shard itself; only short messages pass between the processes. The state of each
worker is in shared memory. A worker that exceeds the time limit of a page is killed, and a dead worker is replaced. The
next worker continues the same split after the rows that are written.

Which page gets an error row:

- after a timeout: the page, at once. The time in which the program was paused does not count.
- after a crash: the page, if it also crashes a new worker, which begins with it.
- after a signal from outside, such as SIGKILL by the out-of-memory killer or by a person: the page, if workers are
  killed on it again while no other page is being processed. A worker that someone has stopped (SIGSTOP) is treated in
  this way, too.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter, deque
from collections.abc import MutableSequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from typing import Self

from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.row import is_out_of_memory, load_method
from duramen.batch.settings import DEFAULT_MEMORY_BYTES, RunSettings, format_bytes
from duramen.batch.workers.shard import ShardResult, SplitJob, make_shard
from duramen.errors import RunError
from duramen.processes import ActiveClock, StopDetector, Worker, is_stopped, start_worker, wait_for_messages

IDLE, READING, EXTRACTING, PACKING = 0.0, 1.0, 2.0, 3.0
"""Values of the slot `STATE`."""
STATE, INDEX, STEPS, PAGES, BYTES, FAILED, SHARE, HELD = range(8)
"""Slots of the shared memory: state, index of the page, number of states so far, counts, the share of the split that is
done, and, written by the pool, whether the worker must wait before its next page."""
SLOT_COUNT = 8

_MAX_CRASHES_PER_PAGE = 2
"""A page is given up after so many crashes of a worker during its reading or its extraction."""
_MAX_KILLS_PER_PAGE = 3
"""The same for workers that were killed from outside; all but the first are killed while other workers wait."""
_MAX_DEATHS_WITHOUT_PAGE = 5
"""The run is given up after so many deaths in a row outside any page."""
_FIRST_PAGE_TIMEOUT_SECONDS = 3600.0
"""For the first page of a split, which may be at the end of a long compressed file."""
_HELD_POLL_SECONDS = 0.02

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
        if self.slots[HELD]:
            self.slots[STATE] = IDLE
            while self.slots[HELD]:
                time.sleep(_HELD_POLL_SECONDS)
        self.slots[STEPS] += 1
        self.slots[INDEX] = index
        self.slots[STATE] = state


@dataclass(frozen=True)
class WorkerFailure:
    """Message of a worker: the run cannot continue, for example because the disk is full."""

    reason: str


_PageKey = tuple[int, int, float]
"""Number of the split, index of the page, and state of the worker."""


@dataclass
class _SplitWorker(Worker):
    slots: list[float]
    job: SplitJob | None = None
    is_out_of_time: bool = False
    was_stopped: bool = False
    """True if the worker was replaced because someone had stopped it."""
    suspect: _PageKey | None = None
    """The page on which a worker was killed before: it is processed while the other workers wait."""
    steps: float = 0.0
    """The slot `STEPS` when it was last seen to change, and the time of that."""
    changed: float = 0.0

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
        self._crashes: Counter[_PageKey] = Counter()
        self._kills: Counter[_PageKey] = Counter()
        self._suspects: dict[int, _PageKey] = {}
        self._clock = ActiveClock()
        self._stop_detector = StopDetector()
        self._counts_of_lost = ProgressCounts()
        self._deaths_without_page = 0
        self._pages_at_death = 0

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
        worker.suspect = self._suspects.pop(job.number, None)
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
        self._end_late_workers()
        while self._retries and any(worker.job is None for worker in self._workers):
            self.start_job(self._retries.popleft())
        self._hold_workers()
        return results

    def _end_late_workers(self) -> None:
        """Kill workers that are late or stopped: their connections close, and `collect` replaces them."""
        now = self._clock.read()
        stopped = self._stop_detector.find([worker.pid for worker in self._workers], now)
        for worker in self._workers:
            if worker.slots[STEPS] != worker.steps:
                worker.steps, worker.changed = worker.slots[STEPS], now
            if worker.is_out_of_time or worker.was_stopped:
                continue
            if worker.pid in stopped:
                worker.was_stopped = True
            elif self._is_late(worker, now):
                worker.is_out_of_time = not is_stopped(worker.pid)
                worker.changed = now  # a worker that is continued soon gets its time again
            if worker.is_out_of_time or worker.was_stopped:
                worker.process.kill()

    def _is_late(self, worker: _SplitWorker, now: float) -> bool:
        if worker.job is None or not worker.is_on_page:
            return False
        limit = self.settings.timeout
        if worker.slots[STATE] == READING and worker.slots[INDEX] == 0:
            limit = max(limit, _FIRST_PAGE_TIMEOUT_SECONDS)
        return now - worker.changed > limit

    def _hold_workers(self) -> None:
        """Let one suspect page be processed while all other workers wait."""
        alone = None
        for worker in self._workers:
            if worker.suspect is not None and _has_passed(worker, worker.suspect):
                worker.suspect = None
            if alone is None and worker.suspect is not None and worker.slots[INDEX] >= worker.suspect[1]:
                alone = worker
        for worker in self._workers:
            worker.slots[HELD] = float(alone is not None and worker is not alone)

    def _replace(self, worker: _SplitWorker) -> None:
        """Start a new worker in place of a dead one, and queue its job again."""
        worker.process.join()  # not killed: its exit status is the reason
        worker.end()
        pages = self.counts().pages
        self._counts_of_lost.lost += 1
        for slot, count in ((PAGES, "pages"), (BYTES, "bytes"), (FAILED, "failed")):
            setattr(self._counts_of_lost, count, getattr(self._counts_of_lost, count) + int(worker.slots[slot]))
        if pages > self._pages_at_death:
            self._pages_at_death, self._deaths_without_page = pages, 0
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
            if worker.suspect is not None:
                self._suspects[job.number] = worker.suspect
            return job
        state, index = worker.slots[STATE], int(worker.slots[INDEX])
        if not self._is_to_blame((job.number, index, state), worker):
            return job
        if state == EXTRACTING:
            return replace(job, failed={**job.failed, index: self._death_reason(worker)})
        if index not in job.unreadable:
            return replace(job, unreadable={**job.unreadable, index: self._death_reason(worker)})
        return replace(job, end_index=index)

    def _is_to_blame(self, page: _PageKey, worker: _SplitWorker) -> bool:
        """Return whether a page is the reason that the worker on it has ended."""
        if worker.is_out_of_time:
            return True
        if not worker.was_stopped and not worker.was_ended_from_outside():
            self._crashes[page] += 1
            return self._crashes[page] >= _MAX_CRASHES_PER_PAGE
        self._kills[page] += 1
        self._suspects[page[0]] = page
        return self._kills[page] >= _MAX_KILLS_PER_PAGE

    def _death_reason(self, worker: _SplitWorker) -> str:
        if worker.is_out_of_time:
            return f"timeout: not done in {self.settings.timeout:g} s"
        return f"crash: the worker {worker.describe_exit()}"

    def _start_worker(self) -> _SplitWorker:
        slots = RawArray("d", SLOT_COUNT)
        process, connection = start_worker(run_worker, slots, self.settings, self.layout, self.attempt)
        return _SplitWorker(process, connection, slots)


def _has_passed(worker: _SplitWorker, page: _PageKey) -> bool:
    """True if the worker has finished its job, or is past this page."""
    number, index, state = page
    if worker.job is None or worker.job.number != number or worker.slots[STATE] == PACKING:
        return True
    return worker.is_on_page and (worker.slots[INDEX], worker.slots[STATE]) > (index, state)


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
        if size == DEFAULT_MEMORY_BYTES:
            size += used  # a module that the user imports may reserve any amount
        if used >= size:
            raise RunError(
                f"it takes {format_bytes(used)} before its first page, and --memory allows {format_bytes(size)}:"
                " allow twice what it takes"
            )
    with suppress(ValueError, OSError):  # a lower limit is already set
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
