"""Worker processes that are replaced when they hang or die, and a map over tasks.

`run_tasks` runs a function over tasks. A `Worker` is one process with a connection to it, for a pool with needs of its
own, such as `duramen.batch.workers.pool`. All workers ignore Ctrl-C, which the main process handles, and exit when the
main process has ended.

Where the system has a fork server, workers are forked from a process that has loaded the default method and runs no
threads: a new worker is ready in a hundredth of a second. The main process waits for the fork server when a worker
starts or ends. So a thread continues (SIGCONT) a fork server that someone has stopped (SIGSTOP).

Deadlines are measured by an `ActiveClock`, which does not count the time in which the whole program was paused.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

from duramen.errors import RunError

Task = TypeVar("Task")
Result = TypeVar("Result")

MAX_STOPPED_SECONDS = 5.0
"""A process that is stopped for longer while the main process runs is replaced, or continued if it is the fork server.
Ctrl-Z and `docker pause` stop and continue all processes at about the same time."""

_MAX_TICK_SECONDS = 1.0
"""The most that an `ActiveClock` advances between two readings."""
_TASK_POLL_SECONDS = 0.5
_WATCH_SECONDS = 1.0
_MAX_START_ATTEMPTS = 3
_MAX_KILLS_PER_TASK = 3
"""A task gives an error after so many processes that were killed from outside."""

_FAULT_SIGNALS = {
    getattr(signal, name).value
    for name in ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP", "SIGXCPU", "SIGXFSZ")
    if hasattr(signal, name)
}
"""Signals that a process gets for what it does itself."""
_UNKNOWN_STATUS = 255
"""What `multiprocessing` reports if the fork server, which knows the status, has been killed."""

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


class ActiveClock:
    """A clock of the seconds in which this process was running, if it is read about every second.

    The clock stands still while the process is stopped (Ctrl-Z, SIGSTOP, a paused container or virtual machine).
    """

    def __init__(self) -> None:
        self._seconds = 0.0
        self._last = time.monotonic()

    def read(self) -> float:
        """Return the seconds since the clock was made."""
        now = time.monotonic()
        self._seconds += min(now - self._last, _MAX_TICK_SECONDS)
        self._last = now
        return self._seconds


class StopDetector:
    """Notices a process that stays stopped (SIGSTOP) while this process runs."""

    def __init__(self) -> None:
        self._stopped_since: dict[int, float] = {}
        self._checked = 0.0

    def find(self, pids: Iterable[int], now: float) -> set[int]:
        """Return those of the processes that are stopped for too long; `now` is the time of an `ActiveClock`."""
        if now - self._checked < _WATCH_SECONDS:
            return set()
        self._checked = now
        before = self._stopped_since
        self._stopped_since = {pid: before.get(pid, now) for pid in pids if is_stopped(pid)}
        return {pid for pid, since in self._stopped_since.items() if now - since >= MAX_STOPPED_SECONDS}


@dataclass
class Worker:
    """A worker process and the connection to it, which closes when the process dies."""

    process: BaseProcess
    connection: Connection

    @property
    def pid(self) -> int:
        return self.process.pid or 0

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

    def was_ended_from_outside(self) -> bool:
        """True if the process may have been ended by someone else: by a signal that no fault of its own raises."""
        self.process.join()
        code = self.process.exitcode or 0
        return code == _UNKNOWN_STATUS or (code < 0 and -code not in _FAULT_SIGNALS)

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
    kills: int = 0
    """How often the process of this task was killed from outside before."""


def wait_for_messages(workers: Sequence[Worker], timeout: float) -> set[int]:
    """Wait for messages; return the indexes of the workers that have sent one or have died."""
    ready = wait([worker.connection for worker in workers], timeout)
    return {index for index, worker in enumerate(workers) if worker.connection in ready}


def run_tasks(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, seconds: float
) -> Iterator[TaskResult[Task, Result]]:
    """Run a function over tasks in `jobs` processes and give the results in the order of completion.

    The function and the tasks must be picklable; the function is sent to each process once. At most `jobs` tasks are
    taken at a time. A task that takes longer than `seconds`, raises, or crashes its process gives a result with an
    error. If the process is killed from outside, the task is tried again.
    """
    waiting = iter(tasks)
    idle: list[_TaskWorker] = []
    busy: list[_TaskWorker] = []
    clock, detector = ActiveClock(), StopDetector()

    def start_task(task: Task, kills: int = 0) -> None:
        worker = idle.pop() if idle else _TaskWorker(*start_worker(_run_function, function))
        worker.task, worker.deadline, worker.kills = task, clock.read() + seconds, kills
        busy.append(worker)
        worker.send(task)

    try:
        while True:
            while len(busy) < jobs and (task := next(waiting, None)) is not None:
                start_task(task)
            if not busy:
                return
            ready = wait_for_messages(busy, _TASK_POLL_SECONDS)
            now = clock.read()
            stopped = detector.find([worker.pid for worker in busy], now)
            for index, worker in enumerate(list(busy)):
                if index in ready or now >= worker.deadline:
                    busy.remove(worker)
                    result = _receive_result(worker, seconds)
                    if not worker.connection.closed:
                        idle.append(worker)
                    if result is None:
                        start_task(worker.task, worker.kills + 1)
                    else:
                        yield result
                elif worker.pid in stopped:
                    worker.process.kill()  # its connection closes, and its task is started again
    finally:
        for worker in idle + busy:
            worker.end()


def _receive_result(worker: _TaskWorker, seconds: float) -> TaskResult[Any, Any] | None:
    """Receive the result of a worker; end a worker that is late or dead. None if the task must be tried again."""
    if not worker.connection.poll():
        worker.end()
        return TaskResult(worker.task, None, f"no result in {seconds:g} s")
    try:
        result, error = worker.receive()
    except EOFError:
        reason = worker.describe_exit()
        worker.end()
        if worker.was_ended_from_outside() and worker.kills + 1 < _MAX_KILLS_PER_TASK:
            return None
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
    _watch_helpers()  # first, because `start` waits for the fork server
    for attempt in range(_MAX_START_ATTEMPTS):
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_run_target, args=(target, theirs, *arguments), daemon=True, name="duramen worker"
        )
        with worker_environment(), _delay_signal(signal.SIGINT):
            try:
                process.start()
            except (OSError, EOFError) as error:  # including BrokenPipeError, which elsewhere means a reader has gone
                ours.close()
                # A fork server that was killed meanwhile closes its connection. The next attempt starts another one.
                if attempt + 1 < _MAX_START_ATTEMPTS and isinstance(error, EOFError | ConnectionError):
                    continue
                reason = getattr(error, "strerror", None) or error
                raise RunError(f"a worker could not be started ({reason})") from error
            finally:
                theirs.close()  # so that the connection closes when the worker dies
        return process, ours
    raise AssertionError("not reached")


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


def is_stopped(pid: int) -> bool:
    """True if a process is stopped by a signal such as SIGSTOP; False if that is unknown."""
    try:
        # The name of the program is in parentheses, and may contain some.
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        if sys.platform in ("linux", "win32"):  # the process has ended
            return False
        done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False)
        state = done.stdout.strip()[:1]
    return state == b"T"


_watcher_lock = threading.Lock()
_watcher_pid: int | None = None
"""The process that has started the thread of `_watch_helpers`: a fork has no threads."""


def _watch_helpers() -> None:
    """Start, once, a thread that continues the processes of `multiprocessing` that someone has stopped.

    Without it, the main process would wait forever for a stopped fork server.
    """
    global _watcher_pid
    if not hasattr(signal, "SIGCONT"):  # Windows
        return

    def watch() -> None:
        clock, detector = ActiveClock(), StopDetector()
        while True:
            time.sleep(_WATCH_SECONDS)
            for pid in detector.find(_find_helpers(), clock.read()):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    with _watcher_lock:
        if _watcher_pid != os.getpid():
            _watcher_pid = os.getpid()
            threading.Thread(target=watch, name="duramen watcher", daemon=True).start()


def _find_helpers() -> list[int]:
    """Return the fork server and the resource tracker, which `multiprocessing` does not name in public."""
    from multiprocessing import forkserver, resource_tracker

    server = getattr(forkserver._forkserver, "_forkserver_pid", None)
    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
    return [pid for pid in (server, tracker) if pid]


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
