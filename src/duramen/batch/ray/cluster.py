"""Connection to a Ray cluster for the time of a run, and a fault-tolerant map on it.

Ray's usage statistics are switched off.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from duramen.batch.ray.split_tasks import enter_folder
from duramen.errors import InputError, MissingExtraError
from duramen.processes import TaskResult

OBJECT_STORE_BYTES: Final = 200_000_000
"""Shared memory for the objects of a local cluster: splits and results are short."""

_POLL_SECONDS: Final = 1.0
_MAX_RETRIES: Final = 5
_CONNECT_TIMEOUT_SECONDS: Final = 20.0


def import_ray() -> Any:
    """Import `ray`, without usage statistics."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Without this, a thread that uses Ray after the run has left its cluster would start a new one.
    os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"
    # The default of later versions; earlier ones warn about it.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtraError("ray[data]", "ray") from error
    return ray


@contextmanager
def connect(address: str | None, cpus: int | None) -> Iterator[Any]:
    """Connect to the cluster at an address, or start one on this machine that ends with the run.

    A program that is already connected stays so.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield ray
        return
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address is None:
            local = {"num_cpus": cpus, "object_store_memory": OBJECT_STORE_BYTES, "include_dashboard": False}
            ray.init(address="local", **local, **quiet)
        else:
            check_reachable(address)
            ray.init(address=address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        where = f"at {address}" if address else "on this machine"
        lines = str(error).strip().splitlines()
        raise InputError(f"no Ray cluster {where}: {lines[0] if lines else type(error).__name__}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def check_reachable(address: str) -> None:
    """Raise an `OSError` if nothing listens at HOST:PORT. Ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_TIMEOUT_SECONDS).close()


def get_ray_data() -> Any:
    """Return Ray Data without progress bars and messages: the run shows its own."""
    ray = import_ray()
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.enable_operator_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray.data


def run_tasks(
    function: Callable[[Any], Any], tasks: Iterable[Any], jobs: int, seconds: float
) -> Iterator[TaskResult[Any, Any]]:
    """Like `duramen.processes.run_tasks`, on all processors of the cluster; `jobs` is ignored."""
    ray = import_ray()
    max_started = 2 * max(int(ray.cluster_resources().get("CPU", 1)), 1)
    remote = ray.remote(num_cpus=1, max_retries=_MAX_RETRIES)(_run_on_node)
    folder = os.getcwd()
    waiting = iter(tasks)
    started: dict[Any, tuple[Any, float]] = {}
    while True:
        while len(started) < max_started and (task := next(waiting, None)) is not None:
            started[remote.remote(function, folder, task)] = (task, time.monotonic() + seconds)
        if not started:
            return
        ready, _ = ray.wait(list(started), num_returns=1, timeout=_POLL_SECONDS)
        for reference in ready:
            task, _ = started.pop(reference)
            try:
                yield TaskResult(task, ray.get(reference))
            except ray.exceptions.RayError as error:
                yield TaskResult(task, None, _describe_error(error))
        now = time.monotonic()
        for late in [reference for reference, (_, deadline) in started.items() if now > deadline]:
            task, _ = started.pop(late)
            ray.cancel(late, force=True)
            yield TaskResult(task, None, f"no result in {seconds:g} s")


def _run_on_node(function: Callable[[Any], Any], folder: str, task: Any) -> Any:
    enter_folder(folder)
    return function(task)


def _describe_error(error: Exception) -> str:
    cause = getattr(error, "cause", None) or error
    lines = str(cause).strip().splitlines()
    return f"{type(cause).__name__}: {lines[-1] if lines else ''}"
