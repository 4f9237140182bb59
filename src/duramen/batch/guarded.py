"""A function over many tasks, in processes that may hang or die: that costs the task only.

For work that is not page by page; what a run does with pages has its own pool, which goes on inside a piece.
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

from duramen.batch.pool import context, start

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Done(Generic[Task, Result]):
    """A task with its result, or with what went wrong."""

    task: Task
    result: Result | None
    error: str | None = None


Each = Callable[[Callable[[Any], Any], Iterable[Any], int, float], Iterator[Done[Any, Any]]]
"""What runs a function over tasks: `each`, or a cluster's."""


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    task: Any = None
    deadline: float = 0.0

    @classmethod
    def begin(cls, function: Callable[[Any], Any]) -> _Worker:
        processes = context()
        pipe, other = processes.Pipe()
        process = processes.Process(target=_work, args=(other, function), daemon=True, name="duramen worker")
        start(process)
        other.close()
        return cls(process, pipe)

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


def each(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, seconds: float
) -> Iterator[Done[Task, Result]]:
    """The tasks with their results, in the order in which they are done; no more are in hand than there are `jobs`.

    `function` is one of a module, and it and the tasks can be pickled. A task that takes longer than `seconds`, whose
    process dies, or that raises comes back with an error.
    """
    waiting = iter(tasks)
    idle: list[_Worker] = []
    busy: list[_Worker] = []
    try:
        while True:
            while len(busy) < jobs and (task := next(waiting, None)) is not None:
                worker = idle.pop() if idle else _Worker.begin(function)
                worker.task, worker.deadline = task, time.monotonic() + seconds
                busy.append(worker)
                with suppress(BrokenPipeError, ConnectionResetError):  # it has died: its pipe will say so
                    worker.pipe.send(task)
            if not busy:
                return
            patience = max(min(worker.deadline for worker in busy) - time.monotonic(), 0.0)
            heard = wait([worker.pipe for worker in busy], timeout=patience)
            for worker in list(busy):
                if worker.pipe in heard or time.monotonic() >= worker.deadline:
                    busy.remove(worker)
                    done = _heard(worker, seconds)
                    if worker.pipe.closed:
                        worker.process.join()
                    else:
                        idle.append(worker)
                    yield done
    finally:
        for worker in idle + busy:
            worker.end()


def _heard(worker: _Worker, seconds: float) -> Done[Any, Any]:
    """What a worker has said; one that has said nothing is ended."""
    if not worker.pipe.poll():
        worker.end()
        return Done(worker.task, None, f"no result in {seconds:g} s")
    try:
        result, error = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode
        worker.end()
        return Done(worker.task, None, f"its process died (exit status {code})")
    return Done(worker.task, result, error)


def _work(pipe: Connection, function: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        answer: tuple[object, str | None]
        try:
            answer = (function(task), None)
        except Exception as error:  # handed over, not swallowed
            answer = (None, f"{type(error).__name__}: {error}")
        pipe.send(answer)
