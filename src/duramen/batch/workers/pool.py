"""Pool of worker processes, which are replaced when they hang or die.

A worker reads its split and writes its shard itself; only short messages pass between the processes. The state of each
worker is in shared memory. A worker that exceeds the time limit of a page is killed, and a dead worker is replaced. The
next worker continues the same split after the rows that are written. The page at fault gets an error row: at once
after a timeout, otherwise at the second death, because a worker may also be killed for reasons that are not the page's.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray
from typing import Self

from duramen.batch.output_layout import OutputLayout
from duramen.batch.settings import RunSettings
from duramen.batch.workers.processes import start_worker
from duramen.batch.workers.shard import ShardResult, SplitJob
from duramen.batch.workers.worker import (
    BYTES,
    EXTRACTING,
    FAILED,
    INDEX,
    PAGES,
    READING,
    SHARE,
    SINCE,
    SLOT_COUNT,
    STATE,
    WorkerFailure,
    run_worker,
)
from duramen.errors import RunError

_MAX_DEATHS_PER_PAGE = 2
"""A page is given up after so many deaths of a worker during its reading or its extraction."""
_MAX_DEATHS_WITHOUT_PAGE = 5
"""The run is given up after so many deaths in a row outside any page."""
_FIRST_PAGE_TIMEOUT_SECONDS = 3600.0
"""For the first page of a split, which may be at the end of a long compressed file."""


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


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
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
        self._workers: list[_Worker] = []
        self._retries: deque[SplitJob] = deque()
        self._deaths: dict[tuple[int, int, float], int] = {}
        self._counts_of_lost = ProgressCounts()
        self._deaths_without_page = 0

    def __enter__(self) -> Self:
        self._workers = [self._start_worker() for _ in range(self.number)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()

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
        with suppress(BrokenPipeError, ConnectionResetError):  # it has died; `collect` will notice
            worker.connection.send(job)

    def close(self) -> None:
        """Nothing to do when there are no more jobs."""

    def collect(self, timeout: float) -> list[ShardResult]:
        """Wait at most `timeout` seconds for results; kill late workers and replace dead ones."""
        ready = wait([worker.connection for worker in self._workers], timeout)
        results = []
        for worker in self._workers:
            if worker.connection not in ready:
                continue
            try:
                message = worker.connection.recv()
            except (EOFError, OSError):
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

    def _replace(self, worker: _Worker) -> None:
        """Start a new worker in place of a dead one, and queue its job again."""
        worker.process.join()
        worker.connection.close()
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

    def _job_after_death(self, job: SplitJob, worker: _Worker) -> SplitJob:
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

    def _death_reason(self, worker: _Worker) -> str:
        if worker.is_out_of_time:
            return f"timeout: not done in {self.settings.timeout:g} s"
        code = worker.process.exitcode or 0
        if code >= 0:
            return f"crash: the worker ended with status {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"crash: the worker was stopped by {name}"

    def _start_worker(self) -> _Worker:
        slots = RawArray("d", SLOT_COUNT)
        process, connection = start_worker(run_worker, slots, self.settings, self.layout, self.attempt)
        return _Worker(process, connection, slots)
