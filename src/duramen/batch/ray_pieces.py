"""A piece on a node of a cluster: done as on a single machine, then put where all see it.

Each of Ray's workers keeps a pool of one worker of ours, so that a page that hangs or crashes costs that page here as
well, and rows are the same. A shard is written aside and gets its name in one step. So a piece that Ray does again,
because a node was lost or was thought to be, ends as the same shard, whoever comes last.
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

from duramen.batch.item import Piece
from duramen.batch.opening import is_elsewhere
from duramen.batch.place import Place
from duramen.batch.pool import Pool
from duramen.batch.settings import Settings
from duramen.batch.shards import Job, Outcome
from duramen.batch.shelf import Shelf, put
from duramen.errors import DuramenError

_TICK = 0.5


@dataclass(frozen=True)
class Order:
    """What every node has to know."""

    settings: Settings
    place: Place
    folder: str
    """The working folder of whoever gave the order: relative names are meant from there."""
    shelf: Shelf | None = None
    """Where shards go, if that is not the place."""


def do(row: Mapping[str, Any], order: Order) -> dict[str, str]:
    """A row of Ray Data with a piece; one with its outcome back, or with a sentence that stops the run."""
    try:
        return {"outcome": json.dumps(_do(Job(row["number"], read_piece(row["piece"])), order).as_dict()), "broken": ""}
    except (DuramenError, OSError) as error:
        return {"outcome": "", "broken": str(error) or type(error).__name__}


def _do(job: Job, order: Order) -> Outcome:
    enter(order.folder)
    path = job.piece.path
    if path and not is_elsewhere(path) and not os.path.exists(path):
        raise FileNotFoundError(
            f"{os.path.abspath(path)} is not to be seen from {os.uname().nodename}: name the inputs"
            " by paths that every node of the cluster sees"
        )
    pool, place = _pool(order)
    pool.begin(job)
    while not (outcomes := pool.finished(_TICK)):
        pass
    if order.shelf is not None:
        shard = place.shard(job.number)
        with shard.open("rb") as file:
            put(order.shelf.path(job.number), lambda target: shutil.copyfileobj(file, target, 1 << 20))
        shard.unlink()
    return outcomes[0]


def piece_row(job: Job) -> dict[str, Any]:
    """A job as Ray Data carries it."""
    return {"number": job.number, "piece": json.dumps(job.piece.as_dict())}


def read_piece(saved: str) -> Piece:
    """A piece as it was carried."""
    return Piece.from_dict(json.loads(saved))


def enter(folder: str) -> None:
    """Be where the order was given, as far as this node has such a place."""
    if os.path.isdir(folder) and os.getcwd() != folder:
        os.chdir(folder)
        if folder not in sys.path:
            sys.path.insert(0, folder)  # for methods of one's own


@lru_cache(maxsize=1)
def _pool(order: Order) -> tuple[Pool, Place]:
    """One worker, kept from piece to piece, and where it writes."""
    place = order.place
    if order.shelf is not None:
        folder = Path(tempfile.mkdtemp(prefix="duramen-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        place = replace(place, work=folder, shards=folder)
    # Processes are told to import the main module again, and Ray's own is a second's work.
    vars(sys.modules["__main__"]).pop("__file__", None)
    pool = Pool(1, order.settings, place)
    pool.__enter__()
    atexit.register(pool.__exit__)
    return pool, place
