"""What runs in a worker process: one piece after the other, until nobody wants more."""

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

from duramen.batch.amounts import in_words
from duramen.batch.place import Place
from duramen.batch.settings import Settings
from duramen.batch.shards import Job, make_shard
from duramen.batch.work import is_lack_of_memory, method_of
from duramen.errors import RunError

IDLE, READS, EXTRACTS, PACKS = 0.0, 1.0, 2.0, 3.0
STATE, INDEX, SINCE, PAGES, BYTES, FAILED, SHARE = range(7)
SLOTS = 7

_STDOUT, _STDERR = 1, 2
_COLLECTED_AFTER = 20_000
"""New objects before a collection: pages leave few cycles behind, and Python's own 700 is one collection a page."""


@dataclass(frozen=True)
class Pulse:
    """What a worker is at, in memory that the run's own process sees: no message a page, and nothing to lose."""

    slots: MutableSequence[float]

    def read(self, index: int) -> None:
        self._set(READS, index)

    def extract(self, index: int, share: float) -> None:
        self._set(EXTRACTS, index)
        self.slots[SHARE] = share

    def done(self, size: int, failed: bool) -> None:
        self.slots[PAGES] += 1
        self.slots[BYTES] += size
        self.slots[FAILED] += failed

    def pack(self) -> None:
        self._set(PACKS, 0)

    def idle(self) -> None:
        self.slots[STATE] = IDLE

    def _set(self, state: float, index: int) -> None:
        self.slots[SINCE] = time.monotonic()
        self.slots[INDEX] = index
        self.slots[STATE] = state


@dataclass(frozen=True)
class Broken:
    """The run cannot go on: the disk is full, a library is missing. Says why in a sentence."""

    sentence: str


def work(connection: Connection, slots: MutableSequence[float], settings: Settings, place: Place, attempt: str) -> None:
    """Do the jobs that come, and send back what became of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which tells us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _leave_with_parent()
    _print_elsewhere()
    pulse = Pulse(slots)
    try:
        method_of(settings)
        if settings.memory is not None:
            _limit_memory(settings.memory)  # when everything is loaded: it is for the pages
    except Exception as error:
        what = str(error) if isinstance(error, RunError) else f"{type(error).__name__} {error}".rstrip()
        connection.send(Broken(f"a worker could not begin: {what}"))
        return
    gc.freeze()  # what is loaded stays: no collection need look at it again
    gc.set_threshold(_COLLECTED_AFTER)
    while True:
        try:
            job: Job = connection.recv()
        except (EOFError, OSError):
            return
        done = _do(job, settings, place, attempt, pulse)
        pulse.idle()  # not where the process ends in between: the page that it sat over is to be known
        connection.send(done)


def _do(job: Job, settings: Settings, place: Place, attempt: str, pulse: Pulse) -> object:
    try:
        return make_shard(job, settings, place, attempt, pulse)
    except Exception as error:
        if is_lack_of_memory(error):
            return Broken("a worker has too little memory to write its rows: allow it more with --memory")
        if isinstance(error, OSError):
            return Broken(f"{error.filename or place.shards}: {error.strerror or error}")
        return Broken(f"unexpected {type(error).__name__}: {error}")


def _leave_with_parent() -> None:
    """Go when the run's own process has gone, even in the middle of a page: another may be at work here by now."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _print_elsewhere() -> None:
    """What a method prints goes to standard error: on standard output there may be rows."""
    sys.stdout = sys.stderr
    try:
        os.dup2(_STDERR, _STDOUT)  # for what is not printed by Python
    except OSError:  # it is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(FileNotFoundError):  # Linux alone has it
        taken = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
        if taken >= size:
            raise RunError(
                f"it takes {in_words(taken)} before its first page, and --memory allows it {in_words(size)}: twice what"
                " it takes leaves room for pages"
            )
    with suppress(ValueError, OSError):  # a lower limit is set already
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
