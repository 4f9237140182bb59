"""Processing of a split on a node of a cluster.

Each of Ray's workers keeps a pool with one worker process of duramen, so that a page that hangs or crashes costs that
page only, and the rows are the same as on one machine. A shard is written atomically. So a split that Ray processes
twice, because a node was lost or seemed to be, gives the same shard.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from duramen.batch.inputs.io import is_remote
from duramen.batch.inputs.splits import Split
from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.outputs.store import ShardStore, write_anywhere
from duramen.batch.settings import RunSettings
from duramen.batch.workers.pool import WorkerPool
from duramen.batch.workers.shard import ShardResult, SplitJob
from duramen.errors import DuramenError

_POLL_SECONDS = 0.5


@dataclass(frozen=True)
class NodeContext:
    """What every node has to know."""

    settings: RunSettings
    layout: OutputLayout
    folder: str
    """The working folder of the driver: relative names are relative to it."""
    shard_store: ShardStore | None = None
    """Where shards go, if not to the folder of the layout."""


def process_row(row: Mapping[str, Any], context: NodeContext) -> dict[str, str]:
    """Process a row of Ray Data with a split; return a row with its result, or with an error that stops the run."""
    try:
        result = _process(SplitJob(row["number"], load_split(row["split"])), context)
        return {"result": json.dumps(result.as_dict()), "error": ""}
    except (DuramenError, OSError) as error:
        return {"result": "", "error": str(error) or type(error).__name__}


def _process(job: SplitJob, context: NodeContext) -> ShardResult:
    enter_folder(context.folder)
    path = job.split.path
    if path and not is_remote(path) and not os.path.exists(path):
        raise FileNotFoundError(
            f"{os.path.abspath(path)} does not exist on {os.uname().nodename}: name the inputs"
            " by paths that every node of the cluster has"
        )
    pool, layout = _get_pool(context)
    pool.start_job(job)
    while not (results := pool.collect(_POLL_SECONDS)):
        pass
    if context.shard_store is not None:
        shard = layout.shard_path(job.number)
        with shard.open("rb") as file:
            write_anywhere(
                context.shard_store.path(job.number), lambda target: shutil.copyfileobj(file, target, 1 << 20)
            )
        shard.unlink()
    return results[0]


def make_row(job: SplitJob) -> dict[str, Any]:
    """Return a job as a row of Ray Data."""
    return {"number": job.number, "split": json.dumps(job.split.as_dict())}


def load_split(saved: str) -> Split:
    """Load a split from JSON."""
    return Split.from_dict(json.loads(saved))


def enter_folder(folder: str) -> None:
    """Change to the working folder of the driver, if this node has it."""
    if os.path.isdir(folder) and os.getcwd() != folder:
        os.chdir(folder)
        if folder not in sys.path:
            sys.path.insert(0, folder)  # for the user's modules


@lru_cache(maxsize=1)
def _get_pool(context: NodeContext) -> tuple[WorkerPool, OutputLayout]:
    """Return a pool with one worker, kept from split to split, and the layout it writes to."""
    layout = context.layout
    if context.shard_store is not None:
        folder = Path(tempfile.mkdtemp(prefix="duramen-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        layout = replace(layout, run_folder=folder, shard_folder=folder)
    # New processes import the main module again; importing Ray's takes a second.
    vars(sys.modules["__main__"]).pop("__file__", None)
    pool = WorkerPool(1, context.settings, layout)
    pool.__enter__()
    atexit.register(pool.__exit__)
    return pool, layout
