"""Main function of a worker process: it processes one split after another."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import MutableSequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path

from duramen.batch.extract_row import is_out_of_memory, load_method
from duramen.batch.output_layout import OutputLayout
from duramen.batch.settings import RunSettings, format_bytes
from duramen.batch.workers.shard import SplitJob, make_shard
from duramen.errors import RunError

IDLE, READING, EXTRACTING, PACKING = 0.0, 1.0, 2.0, 3.0
"""Values of the slot `STATE`."""
STATE, INDEX, SINCE, PAGES, BYTES, FAILED, SHARE = range(7)
"""Slots of the shared memory: state, index of the page, start time, counts, and the share of the split that is done."""
SLOT_COUNT = 7

_STDOUT, _STDERR = 1, 2
_GC_THRESHOLD_OBJECTS = 20_000
"""New objects before a garbage collection. Pages leave few cycles, and Python's default of 700 collects per page."""


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


def run_worker(
    connection: Connection, slots: MutableSequence[float], settings: RunSettings, layout: OutputLayout, attempt: str
) -> None:
    """Receive jobs, process them, and send back their results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the main process, which ends the workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _exit_with_parent()
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


def _exit_with_parent() -> None:
    """Exit when the main process has ended, even within a page: another run may already work on this output."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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
