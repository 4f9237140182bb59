"""Fault-tolerant map: a function over many tasks, in processes that may hang or die.

For work that is not page by page. Pages have `duramen.batch.workers.pool`, which can continue within a split.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from duramen.batch.workers.processes import start_worker

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class TaskResult(Generic[Task, Result]):
    """A task with its result, or with an error."""

    task: Task
    result: Result | None
    error: str | None = None


TaskRunner = Callable[[Callable[[Any], Any], Iterable[Any], int, float], Iterator[TaskResult[Any, Any]]]
"""Runs a function over tasks: `run_tasks`, or its counterpart on a cluster."""


@dataclass
class _TaskWorker:
    process: BaseProcess
    connection: Connection
    task: Any = None
    deadline: float = 0.0

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


def run_tasks(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, seconds: float
) -> Iterator[TaskResult[Task, Result]]:
    """Run a function over tasks in `jobs` processes and give the results in the order of completion.

    The function and the tasks must be picklable. At most `jobs` tasks are taken at a time. A task that takes longer
    than `seconds`, raises, or kills its process gives a result with an error.
    """
    waiting = iter(tasks)
    idle: list[_TaskWorker] = []
    busy: list[_TaskWorker] = []
    try:
        while True:
            while len(busy) < jobs and (task := next(waiting, None)) is not None:
                worker = idle.pop() if idle else _TaskWorker(*start_worker(_run_worker, function))
                worker.task, worker.deadline = task, time.monotonic() + seconds
                busy.append(worker)
                with suppress(BrokenPipeError, ConnectionResetError):  # it has died; its connection will show it
                    worker.connection.send(task)
            if not busy:
                return
            timeout = max(min(worker.deadline for worker in busy) - time.monotonic(), 0.0)
            ready = wait([worker.connection for worker in busy], timeout=timeout)
            for worker in list(busy):
                if worker.connection in ready or time.monotonic() >= worker.deadline:
                    busy.remove(worker)
                    result = _receive(worker, seconds)
                    if worker.connection.closed:
                        worker.process.join()
                    else:
                        idle.append(worker)
                    yield result
    finally:
        for worker in idle + busy:
            worker.end()


def _receive(worker: _TaskWorker, seconds: float) -> TaskResult[Any, Any]:
    """Receive the result of a worker; end a worker that is late or dead."""
    if not worker.connection.poll():
        worker.end()
        return TaskResult(worker.task, None, f"no result in {seconds:g} s")
    try:
        result, error = worker.connection.recv()
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode
        worker.end()
        return TaskResult(worker.task, None, f"its process died (exit status {code})")
    return TaskResult(worker.task, result, error)


def _run_worker(connection: Connection, function: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the main process
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
