"""A run on a Ray cluster: the same state on disk and the same rows, with splits processed by Ray Data.

    planning ── splits ── Ray Data ── shards (on a shared disk or in an object store)
                             └── results ── journal

The driver plans, records the results and shows the progress; nodes read splits and write shards themselves. Ray repeats
what was lost with a node. A shard counts, once, when the driver has its result in the journal.
"""

from __future__ import annotations

import json
import os
import queue
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Self

from duramen.batch.inputs import find_input_kind
from duramen.batch.inputs.folder import RUN_FILE
from duramen.batch.inputs.io import get_filesystem, is_remote
from duramen.batch.interfaces import ProgressListener
from duramen.batch.outputs.formats import DEFAULT_SUFFIX, find_suffix
from duramen.batch.outputs.output_paths import ONE_FILE_PER_PAGE, OutputLayout, check_form
from duramen.batch.outputs.store import ShardStore, write_anywhere
from duramen.batch.ray import cluster
from duramen.batch.ray.planning import RayPlanner
from duramen.batch.ray.split_tasks import NodeContext, make_row, process_row
from duramen.batch.run import Run
from duramen.batch.run_store import Report, RunStore
from duramen.batch.sites.lookup import SITE_DATABASE
from duramen.batch.workers.pool import ProgressCounts
from duramen.batch.workers.shard import ShardResult, SplitJob
from duramen.errors import RunError, UsageError
from duramen.files import TEMPORARY_FILES
from duramen.processes import TaskRunner


@dataclass
class RayRun(Run):
    """A run whose splits are processed by a cluster."""

    address: str | None = None
    """Address of the cluster, as `ray.init` takes it; None for one on this machine."""
    shard_store: ShardStore | None = None
    """Where the shards go, if to an object store; the layout then is for the state of the run only."""

    def __call__(self, listener: ProgressListener | None = None, stdout: BinaryIO | None = None) -> Report:
        if self.shard_store is not None and not self.overwrite:
            _refuse_foreign_shards(self.shard_store, self.layout)
        with cluster.connect(self.address, self.jobs or None):
            report = super().__call__(listener, stdout)
        if self.shard_store is not None:
            _remove_leftovers(self.shard_store)
        return report

    def _clear(self) -> None:
        super()._clear()  # first, since shards without the state of a run are refused, and a state without is not
        if self.shard_store is not None:
            filesystem, shards = _list_shards(self.shard_store)
            for path in shards:
                filesystem.rm_file(path)

    def _make_planner(self, store: RunStore, finished: set[int], ahead: int) -> RayPlanner:
        return RayPlanner(store, finished, ahead)

    def _make_executor(self, workers: int) -> RayExecutor:
        settings = self.settings
        if self.shard_store is not None and settings.learn:
            settings = replace(settings, site_models=f"{self.shard_store.folder}/{SITE_DATABASE}")
        return RayExecutor(NodeContext(settings, self.layout, os.getcwd(), self.shard_store))

    def _learn_sites(self, store: RunStore, listener: ProgressListener | None) -> None:
        super()._learn_sites(store, listener)
        if self.shard_store is not None and self.settings.site_models is not None:
            _copy_file(Path(self.settings.site_models), f"{self.shard_store.folder}/{SITE_DATABASE}")

    def _get_shard_store(self) -> ShardStore:
        return self.shard_store or super()._get_shard_store()

    @property
    def _can_read_shards(self) -> bool:
        return self.shard_store is None or self.verify

    @property
    def _run_tasks(self) -> TaskRunner:
        return cluster.run_tasks


@dataclass
class RayExecutor:
    """Takes all jobs, then gives them to Ray Data, and collects the results."""

    context: NodeContext
    _jobs: list[SplitJob] = field(default_factory=list)
    _left: int = 0
    _counts: ProgressCounts = field(default_factory=ProgressCounts)
    _results: queue.Queue[ShardResult | BaseException] = field(default_factory=queue.Queue)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # The thread may wait for a split. It ends when the run leaves the cluster, or at the next result.
        self._stopped.set()

    @property
    def idle(self) -> int:
        """Any number of jobs can be added until the cluster starts."""
        return 0 if self._thread is not None else 1

    @property
    def busy(self) -> bool:
        return self._left > 0

    def counts(self) -> ProgressCounts:
        return self._counts

    def start_job(self, job: SplitJob) -> None:
        self._jobs.append(job)
        self._left += 1

    def close(self) -> None:
        """Start the cluster: all jobs are known."""
        if self._jobs:
            self._thread = threading.Thread(target=self._run, name="duramen ray", daemon=True)
            self._thread.start()

    def collect(self, timeout: float) -> list[ShardResult]:
        """Wait at most `timeout` seconds for results."""
        results: list[ShardResult] = []
        with suppress(queue.Empty):
            while True:
                result = self._results.get(timeout=0 if results else timeout)
                if isinstance(result, BaseException):
                    raise result
                self._count(result)
                results.append(result)
        return results

    def _count(self, result: ShardResult) -> None:
        self._left -= 1
        self._counts.pages += result.rows
        self._counts.bytes += result.bytes
        self._counts.failed += sum(result.errors.values())
        shard = self.context.layout.shard_path(result.number)
        if self.context.shard_store is None and not shard.exists():
            raise RunError(
                f"{shard.absolute()} was written to the local disk of a node: give an output (-o) that every node"
                " can reach, or one such as s3://bucket/folder"
            )

    def _run(self) -> None:
        try:
            for row in self._process_rows():
                if self._stopped.is_set():
                    return
                if row["error"]:
                    raise RunError(row["error"])
                self._results.put(ShardResult.from_dict(json.loads(row["result"])))
        except BaseException as error:  # raised again in the thread of the run
            is_known = isinstance(error, RunError)
            self._results.put(error if is_known else RunError(f"Ray gave up: {_describe_error(error)}"))

    def _process_rows(self) -> Iterator[dict[str, Any]]:
        # One block per split, so that no more than a split is lost with a node and repeated.
        rows = cluster.get_ray_data().from_items(
            [make_row(job) for job in self._jobs], override_num_blocks=len(self._jobs)
        )
        rows = rows.map(process_row, fn_kwargs={"context": self.context}, num_cpus=1)
        yield from rows.iter_rows()


def expand_remote_inputs(inputs: Iterable[str]) -> list[str]:
    """Expand patterns (s3://bucket/crawl/*.warc.gz) and folders (s3://bucket/crawl/) of object stores, sorted."""
    expanded: list[str] = []
    for name in inputs:
        if not is_remote(name) or find_input_kind(name) == "addresses" or not re.search(r"[*?\[]|/$", name):
            expanded.append(name)
            continue
        filesystem, path = get_filesystem(name)
        paths = filesystem.find(path) if name.endswith("/") else filesystem.glob(path)
        wanted = [one for one in paths if find_input_kind(one) != "files" or _is_page(one)]
        if not wanted:
            raise UsageError(f"{name}: there are no pages and no WARCs, JSON Lines or Parquet files")
        expanded += sorted(filesystem.unstrip_protocol(one) for one in wanted)
    return expanded


def choose_remote_layout(out: str, form: str | None) -> tuple[OutputLayout, ShardStore]:
    """Choose the local layout for the state of a run and the store of its shards, for an output in an object store."""
    if find_suffix(out) is not None:
        raise UsageError(f"{out}: in an object store a run writes a folder of shards: leave out the suffix")
    if form == ONE_FILE_PER_PAGE:
        raise UsageError("one file per page is not possible in an object store: a run writes a folder of shards there")
    check_form(form)
    get_filesystem(out)  # report a missing library now
    folder = out.rstrip("/")
    suffix = f".{form}" if form else DEFAULT_SUFFIX
    run_folder = Path(f"{folder.rpartition('/')[2]}.run")
    return OutputLayout(out, suffix, run_folder, run_folder), ShardStore(folder, suffix)


def _list_shards(store: ShardStore) -> tuple[Any, list[str]]:
    """Return the file system of a store and its shards, of any format."""
    filesystem, name = get_filesystem(store.folder)
    return filesystem, [path for path in filesystem.glob(f"{name}/part-*") if find_suffix(path) is not None]


def _refuse_foreign_shards(store: ShardStore, layout: OutputLayout) -> None:
    """Raise a `UsageError` if the store holds shards of another run."""
    if _list_shards(store)[1] and not (layout.run_folder / RUN_FILE).exists():
        raise UsageError(
            f"{store.folder} holds shards, but {layout.run_folder}, the state of their run, is not here:"
            " resume it where it was started, choose another output (-o), or use --overwrite"
        )


def _remove_leftovers(store: ShardStore) -> None:
    """Remove unfinished files of nodes that were lost from the store."""
    filesystem, name = get_filesystem(store.folder)
    for path in filesystem.glob(f"{name}/{TEMPORARY_FILES}"):
        filesystem.rm_file(path)


def _is_page(name: str) -> bool:
    return re.search(r"\.x?html?(\.gz)?$", name, re.IGNORECASE) is not None


def _copy_file(source: Path, target: str) -> None:
    data = source.read_bytes()
    write_anywhere(target, lambda file: file.write(data))


def _describe_error(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[-1] if lines else ''}"
