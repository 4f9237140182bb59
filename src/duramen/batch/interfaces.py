"""Interfaces of a run: the listener that receives its progress, and the executor that processes its splits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self

from duramen.batch.workers.pool import ProgressCounts
from duramen.batch.workers.shard import ShardResult, SplitJob


class ProgressListener(Protocol):
    """Receives the progress of a run."""

    def start(self, total: int | None, size: int, rows: int) -> None:
        """Called first, with the size of the input, if known, and the size and rows done by an earlier run."""

    def update(self, counts: ProgressCounts, size: int) -> None:
        """Called often, with the pages of this run so far and the size of all that is done."""

    def log(self, message: str) -> None:
        """Called with a message on what the run does before and after its rows."""


class SplitExecutor(Protocol):
    """Processes splits: the processes of `WorkerPool`, or a cluster."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    @property
    def idle(self) -> int:
        """How many jobs can be started now."""

    @property
    def busy(self) -> bool: ...
    def counts(self) -> ProgressCounts: ...
    def start_job(self, job: SplitJob) -> None: ...
    def close(self) -> None:
        """Called when there will be no more jobs."""

    def collect(self, timeout: float) -> list[ShardResult]:
        """Wait at most `timeout` seconds for results."""


def get_logger(listener: ProgressListener | None) -> Callable[[str], None]:
    """Return the function that receives the messages of a run."""
    return listener.log if listener is not None else lambda message: None
