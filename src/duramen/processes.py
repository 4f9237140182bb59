"""Worker processes that are replaced when they hang or die, and a map over tasks.

`run_tasks` runs a function over tasks. A `Worker` is one process with a connection to it, for a pool with needs of its
own, such as `duramen.batch.workers.pool`. All workers ignore Ctrl-C, which the main process handles, and exit when the
main process has ended.

Where the system has a fork server, workers are forked from a process that has loaded the default method and runs no
threads: a new worker is ready in a hundredth of a second.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from duramen.errors import RunError

Task = TypeVar("Task")
Result = TypeVar("Result")

_PRELOADED_MODULES = ("duramen.methods.auto.method", "duramen.metadata.metadata", "numpy")
_ENVIRONMENT = {
    # Numeric libraries would start one thread per core in every worker. They read these when they are loaded.
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    # Without these, glibc keeps the memory of large pages and keeps more with each larger page. It reads them when a
    # process starts.
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "4194304",
}


@dataclass(frozen=True)
class TaskResult(Generic[Task, Result]):
    """A task with its result, or with an error."""

    task: Task
    result: Result | None
    error: str | None = None


TaskRunner = Callable[[Callable[[Any], Any], Iterable[Any], int, float], Iterator[TaskResult[Any, Any]]]
"""Runs a function over tasks: `run_tasks`, or its counterpart on a cluster."""


@dataclass
class Worker:
    """A worker process and the connection to it, which closes when the process dies."""

    process: BaseProcess
    connection: Connection

    def send(self, message: object) -> None:
        """Send a message. If the worker has died, nothing happens here: `receive` raises."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(message)

    def receive(self) -> Any:
        """Receive a message. Raises an `EOFError` if the worker has died."""
        try:
            return self.connection.recv()
        except OSError as error:
            raise EOFError("the worker has died") from error

    def end(self) -> None:
        """Kill the process, if it is alive, and wait until it has ended."""
        self.connection.close()
        self.process.kill()
        self.process.join()

    def describe_exit(self) -> str:
        """Describe how the process ended: "ended with status 1", "was stopped by SIGKILL"."""
        self.process.join()
        code = self.process.exitcode or 0
        if code >= 0:
            return f"ended with status {code}"
        try:
            return f"was stopped by {signal.Signals(-code).name}"
        except ValueError:
            return f"was stopped by signal {-code}"


@dataclass
class _TaskWorker(Worker):
    task: Any = None
    deadline: float = 0.0


def wait_for_messages(workers: Sequence[Worker], timeout: float) -> set[int]:
    """Wait for messages; return the indexes of the workers that have sent one or have died."""
    ready = wait([worker.connection for worker in workers], timeout)
    return {index for index, worker in enumerate(workers) if worker.connection in ready}


def run_tasks(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, seconds: float
) -> Iterator[TaskResult[Task, Result]]:
    """Run a function over tasks in `jobs` processes and give the results in the order of completion.

    The function and the tasks must be picklable; the function is sent to each process once. At most `jobs` tasks are
    taken at a time. A task that takes longer than `seconds`, raises, or kills its process gives a result with an error.
    """
    waiting = iter(tasks)
    idle: list[_TaskWorker] = []
    busy: list[_TaskWorker] = []
    try:
        while True:
            while len(busy) < jobs and (task := next(waiting, None)) is not None:
                worker = idle.pop() if idle else _TaskWorker(*start_worker(_run_function, function))
                worker.task, worker.deadline = task, time.monotonic() + seconds
                busy.append(worker)
                worker.send(task)
            if not busy:
                return
            timeout = max(min(worker.deadline for worker in busy) - time.monotonic(), 0.0)
            ready = wait_for_messages(busy, timeout)
            for index, worker in enumerate(list(busy)):
                if index in ready or time.monotonic() >= worker.deadline:
                    busy.remove(worker)
                    result = _receive_result(worker, seconds)
                    if not worker.connection.closed:
                        idle.append(worker)
                    yield result
    finally:
        for worker in idle + busy:
            worker.end()


def _receive_result(worker: _TaskWorker, seconds: float) -> TaskResult[Any, Any]:
    """Receive the result of a worker; end a worker that is late or dead."""
    if not worker.connection.poll():
        worker.end()
        return TaskResult(worker.task, None, f"no result in {seconds:g} s")
    try:
        result, error = worker.receive()
    except EOFError:
        reason = worker.describe_exit()
        worker.end()
        return TaskResult(worker.task, None, f"its process {reason}")
    return TaskResult(worker.task, result, error)


def _run_function(connection: Connection, function: Callable[[Any], Any]) -> None:
    """Main function of a worker of `run_tasks`."""
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[object, str | None]
        try:
            answer = (function(task), None)
        except Exception as error:  # passed on as the error of the task
            answer = (None, f"{type(error).__name__}: {error}")
        connection.send(answer)


def start_worker(target: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Start a daemon process that calls `target(connection, *arguments)`; return it with the other connection.

    Raises a `RunError` if the system cannot start a process.
    """
    context = _get_context(target)
    ours, theirs = context.Pipe()
    process = context.Process(target=_run_target, args=(target, theirs, *arguments), daemon=True, name="duramen worker")
    with worker_environment(), _delay_signal(signal.SIGINT):
        try:
            process.start()
        except (OSError, EOFError) as error:  # including BrokenPipeError, which elsewhere means a reader has gone
            raise RunError(f"a worker could not be started ({getattr(error, 'strerror', None) or error})") from error
    theirs.close()  # so that the connection closes when the worker dies
    return process, ours


def _run_target(target: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the main process, which ends the workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _exit_with_parent()
    target(*arguments)


def _exit_with_parent() -> None:
    """Exit when the main process has ended, even within a task: another process may already repeat the work."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _get_context(target: Callable[..., None]) -> ForkServerContext | SpawnContext:
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([*_PRELOADED_MODULES, target.__module__])  # of use before the server has started
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
