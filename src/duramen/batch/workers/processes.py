"""Start of worker processes, with their environment.

Where the system has a fork server, workers are forked from a process that has loaded everything and runs no threads: a
new worker is ready in a hundredth of a second.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any

from duramen.errors import RunError

_PRELOADED_MODULES = [
    "duramen.batch.workers.worker",
    "duramen.batch.inputs.files",
    "duramen.methods.auto.method",
    "duramen.metadata.metadata",
    "numpy",
]
_ENVIRONMENT = {
    # Numeric libraries would start one thread per core in every worker. They read these when they are loaded.
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    # Without these, glibc keeps the memory of large pages and keeps more with each larger page. It reads them when a
    # process starts.
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "4194304",
}


def start_worker(target: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Start a daemon process that calls `target(connection, *arguments)`; return it with the other connection.

    Raises a `RunError` if the system cannot start a process.
    """
    context = _get_context()
    ours, theirs = context.Pipe()
    process = context.Process(target=target, args=(theirs, *arguments), daemon=True, name="duramen worker")
    with worker_environment(), _delay_signal(signal.SIGINT):
        try:
            process.start()
        except (OSError, EOFError) as error:  # including BrokenPipeError, which elsewhere means a reader has gone
            raise RunError(f"a worker could not be started ({getattr(error, 'strerror', None) or error})") from error
    theirs.close()  # so that the connection closes when the worker dies
    return process, ours


def _get_context() -> ForkServerContext | SpawnContext:
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(_PRELOADED_MODULES)
    return server


@contextmanager
def _delay_signal(signal_number: int) -> Iterator[None]:
    """Block a signal in this thread and in processes started meanwhile.

    Ctrl-C goes to all processes of a terminal, and would end the fork server while it loads.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it is started with the server and unblocks all signals afterwards
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal_number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def worker_environment() -> Iterator[None]:
    """Set the environment variables of workers, except those that the user has set."""
    unset = {name: value for name, value in _ENVIRONMENT.items() if name not in os.environ}
    os.environ.update(unset)
    try:
        yield
    finally:
        for name in unset:
            del os.environ[name]


def count_cores() -> int:
    """Count the processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
