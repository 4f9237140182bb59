"""A Ray cluster for the time of a run: joined or started, asked to do things, and left in any case.

Ray's usage statistics are off: what is computed here is nobody else's business.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from duramen.batch.guarded import Done
from duramen.batch.ray_pieces import enter
from duramen.errors import InputError, MissingExtraError

STORE: Final = 200_000_000
"""Bytes of shared memory for a local cluster's objects: pieces and outcomes are short."""

_TICK: Final = 1.0
_RETRIES: Final = 5
_PATIENCE: Final = 20.0


def library() -> Any:
    """The `ray` module, which never reports home."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # No cluster is started in passing, by a thread that still asks for one when the run has left its own.
    os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"
    # As later versions do; until then Ray warns of it.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtraError("ray[data]", "ray") from error
    return ray


@contextmanager
def cluster(address: str | None, cpus: int | None) -> Iterator[Any]:
    """Be part of the cluster at an address, or of one on this machine alone that ends with the run.

    A program that has joined a cluster before stays in it.
    """
    ray = library()
    if ray.is_initialized():
        yield ray
        return
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address is None:
            local = {"num_cpus": cpus, "object_store_memory": STORE, "include_dashboard": False}
            ray.init(address="local", **local, **quiet)
        else:
            knock(address)
            ray.init(address=address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        where = f"at {address}" if address else "on this machine"
        said = str(error).strip().splitlines()
        raise InputError(f"no Ray cluster {where}: {said[0] if said else type(error).__name__}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def knock(address: str) -> None:
    """Raise an `OSError` where nobody answers at HOST:PORT: Ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()


def data() -> Any:
    """Ray Data, quiet: progress and errors are ours to tell, and Ray keeps its own logs."""
    ray = library()
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.enable_operator_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray.data


def each(function: Callable[[Any], Any], tasks: Iterable[Any], jobs: int, seconds: float) -> Iterator[Done[Any, Any]]:
    """As `guarded.each`, on the processors of the cluster, of which there are as many as there are."""
    ray = library()
    at_once = 2 * max(int(ray.cluster_resources().get("CPU", 1)), 1)
    remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(_there)
    folder = os.getcwd()
    waiting = iter(tasks)
    begun: dict[Any, tuple[Any, float]] = {}
    while True:
        while len(begun) < at_once and (task := next(waiting, None)) is not None:
            begun[remote.remote(function, folder, task)] = (task, time.monotonic() + seconds)
        if not begun:
            return
        ready, _ = ray.wait(list(begun), num_returns=1, timeout=_TICK)
        for found in ready:
            task, _ = begun.pop(found)
            try:
                yield Done(task, ray.get(found))
            except ray.exceptions.RayError as error:
                yield Done(task, None, _sentence(error))
        now = time.monotonic()
        for late in [found for found, (_, deadline) in begun.items() if now > deadline]:
            task, _ = begun.pop(late)
            ray.cancel(late, force=True)
            yield Done(task, None, f"no result in {seconds:g} s")


def _there(function: Callable[[Any], Any], folder: str, task: Any) -> Any:
    """A task as it would be done here."""
    enter(folder)
    return function(task)


def _sentence(error: Exception) -> str:
    cause = getattr(error, "cause", None) or error
    lines = str(cause).strip().splitlines()
    return f"{type(cause).__name__}: {lines[-1] if lines else ''}"
