"""Mark each duplicate row with the identifier of the earlier row that it repeats. No row is dropped.

When all shards are finished, their texts become fingerprints, the fingerprints become clusters, and shards with
duplicates are rewritten with the column `duplicate_of`. The first row of a cluster, in the order of the input, stays
unmarked. The marks depend only on the texts and the order of the input, so a run that is killed meanwhile starts
marking again with the same result; nothing is kept afterwards.

*Exact*: equal texts apart from white space. *Near*: texts that share `MIN_NEAR_SIMILARITY` of their runs of five words,
and texts linked by such pairs. Rows without text are not duplicates.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from duramen.batch.dedup import fingerprints
from duramen.batch.dedup.clusters import find_pairs, flatten, unite
from duramen.batch.outputs.checksums import FileDigest
from duramen.batch.outputs.store import ShardStore
from duramen.errors import InputError, UsageError
from duramen.processes import TaskResult, TaskRunner, run_tasks

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

EXACT, NEAR = "exact", "near"
KINDS: Final = (EXACT, NEAR)

MIN_NEAR_SIMILARITY: Final = 0.8
"""The share of runs that near duplicates have in common, as MinHash estimates it."""

_BATCH_ROWS: Final = 256
_COMPARED_PAIRS: Final = 1 << 16
_TASK_TIMEOUT_SECONDS: Final = 3600.0


@dataclass(frozen=True)
class DuplicateCounts:
    """The number of all rows and of those marked as duplicates."""

    rows: int
    duplicates: int


@dataclass(frozen=True)
class FingerprintTask:
    """A shard to fingerprint."""

    store: ShardStore
    number: int
    kind: str


@dataclass(frozen=True)
class ShardFingerprints:
    """The identifiers and fingerprints of a shard's rows."""

    ids: list[str]
    values: npt.NDArray[Any]
    is_marked: bool
    """True if rows are marked already, by a run that was killed."""


@dataclass(frozen=True)
class RewriteTask:
    """A shard to rewrite with these marks, by the index of the row."""

    store: ShardStore
    number: int
    marks: Mapping[int, str] = field(default_factory=dict)


def check_kind(kind: str) -> None:
    """Raise an error, before the run, if the kind is unknown or its library is missing."""
    if kind not in KINDS:
        raise UsageError(f"unknown kind of duplicates {kind!r}: choose one of {', '.join(KINDS)}")
    if kind == NEAR:
        fingerprints.make_signatures([])


def mark_duplicates(
    store: ShardStore,
    row_counts: Mapping[int, int],
    kind: str,
    run_folder: Path,
    jobs: int,
    run_tasks: TaskRunner = run_tasks,
    record: Callable[[int, FileDigest], None] = lambda number, digest: None,
) -> DuplicateCounts:
    """Mark the duplicates in all shards; `row_counts` has the number of rows of each shard.

    `record` is called with the number and the new digest of each shard that is rewritten. `run_folder` receives
    temporary files: for near duplicates 640 bytes per row.
    """
    import numpy as np

    numbers = sorted(row_counts)
    starts = dict(zip(numbers, accumulate((row_counts[number] for number in numbers), initial=0), strict=False))
    total = sum(row_counts.values())
    folder = run_folder / "duplicates"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        table = _FingerprintTable(folder, kind, total)
        marked_shards = set()
        tasks = (FingerprintTask(store, number, kind) for number in numbers)
        for task_result in run_tasks(fingerprint_shard, tasks, jobs, _TASK_TIMEOUT_SECONDS):
            number, shard = task_result.task.number, _check_result(task_result)
            if len(shard.ids) != row_counts[number]:
                raise InputError(
                    f"{store.path(number)} has {len(shard.ids)} rows, but {row_counts[number]} were written"
                )
            table.put(starts[number], shard.values)
            (folder / f"{number}.json").write_text(json.dumps(shard.ids), "utf-8")
            if shard.is_marked:
                marked_shards.add(number)
        parents = np.arange(total, dtype=np.int64)
        for one, other in table.find_pairs():
            unite(parents, one, other)
        flatten(parents)
        row_ids = _RowIds(folder, numbers, starts)
        rewrites = _make_rewrite_tasks(store, numbers, row_counts, starts, parents, row_ids, marked_shards)
        for task_result in run_tasks(rewrite_shard, rewrites, jobs, _TASK_TIMEOUT_SECONDS):
            record(task_result.task.number, _check_result(task_result))
        return DuplicateCounts(total, int((parents != np.arange(total)).sum()))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fingerprint_shard(task: FingerprintTask) -> ShardFingerprints:
    """Compute the fingerprints of a shard's rows."""
    import numpy as np

    make = fingerprints.hash_texts if task.kind == EXACT else fingerprints.make_signatures
    ids: list[str] = []
    parts: list[npt.NDArray[Any]] = [make([])]
    is_marked = False
    rows = task.store.read_rows(task.number)
    while batch := list(islice(rows, _BATCH_ROWS)):
        ids += [f"{row['source']}#{row['position']}" for row in batch]
        parts.append(make([task.store.read_text(row) for row in batch]))
        is_marked = is_marked or any(row.get("duplicate_of") is not None for row in batch)
    return ShardFingerprints(ids, np.concatenate(parts), is_marked)


def rewrite_shard(task: RewriteTask) -> FileDigest:
    """Write a shard again with its marks."""
    rows = enumerate(task.store.read_rows(task.number))
    return task.store.replace(task.number, ({**row, "duplicate_of": task.marks.get(index)} for index, row in rows))


class _FingerprintTable:
    """Fingerprints of all rows in files: columns of keys and, for near duplicates, the signatures."""

    def __init__(self, folder: Path, kind: str, rows: int) -> None:
        import numpy as np

        self._kind = kind
        width = 2 if kind == EXACT else fingerprints.BANDS
        self._columns: list[npt.NDArray[np.uint64]] = [
            _map_array(folder / f"keys-{column}", np.uint64, (rows,)) for column in range(width)
        ]
        self._signatures: npt.NDArray[np.uint32] | None = None
        if kind == NEAR:
            self._signatures = _map_array(folder / "signatures", np.uint32, (rows, fingerprints.SIGNATURE_HASHES))

    def put(self, start: int, values: npt.NDArray[Any]) -> None:
        stop = start + len(values)
        keys = values
        if self._signatures is not None:
            self._signatures[start:stop] = values
            keys = fingerprints.make_band_keys(values)
        for index, column in enumerate(self._columns):
            column[start:stop] = keys[:, index]

    def find_pairs(self) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Give pairs of rows with equal or similar texts."""
        if self._kind == EXACT:
            yield from find_pairs(self._columns[0], self._is_equal)
            return
        for column in self._columns:
            yield from find_pairs(column, self._is_near)

    def _is_equal(self, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        equal: npt.NDArray[np.bool_] = self._columns[1][one] == self._columns[1][other]
        return equal

    def _is_near(self, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        import numpy as np

        assert self._signatures is not None
        near = np.empty(len(one), dtype=bool)
        for start in range(0, len(one), _COMPARED_PAIRS):
            part = slice(start, start + _COMPARED_PAIRS)
            equal = (self._signatures[one[part]] == self._signatures[other[part]]).sum(axis=1)
            near[part] = equal >= MIN_NEAR_SIMILARITY * fingerprints.SIGNATURE_HASHES
        return near


class _RowIds:
    """Identifiers of rows by their numbers, loaded shard by shard."""

    def __init__(self, folder: Path, numbers: list[int], starts: Mapping[int, int]) -> None:
        import numpy as np

        self._folder = folder
        self._numbers = numbers
        self._starts = np.array([starts[number] for number in numbers], dtype=np.int64)
        self._load_cached = lru_cache(maxsize=64)(self._load)

    def __getitem__(self, row: int) -> str:
        import numpy as np

        index = int(np.searchsorted(self._starts, row, side="right")) - 1
        return self._load_cached(self._numbers[index])[row - int(self._starts[index])]

    def _load(self, number: int) -> list[str]:
        ids: list[str] = json.loads((self._folder / f"{number}.json").read_text("utf-8"))
        return ids


def _make_rewrite_tasks(
    store: ShardStore,
    numbers: list[int],
    row_counts: Mapping[int, int],
    starts: Mapping[int, int],
    parents: npt.NDArray[np.int64],
    row_ids: _RowIds,
    marked_shards: set[int],
) -> Iterator[RewriteTask]:
    """Give a task for each shard that has duplicates, or old marks."""
    for number in numbers:
        start = starts[number]
        roots = enumerate(parents[start : start + row_counts[number]].tolist())
        marks = {index: row_ids[root] for index, root in roots if root != start + index}
        if marks or number in marked_shards:
            yield RewriteTask(store, number, marks)


def _map_array(path: Path, dtype: Any, shape: tuple[int, ...]) -> Any:
    """Make an array in a file with reserved space; in memory if it is empty, since an empty file cannot be mapped."""
    import numpy as np

    if not shape[0]:
        return np.empty(shape, dtype=dtype)
    with path.open("wb") as file:
        size = np.dtype(dtype).itemsize * math.prod(shape)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)  # a disk that becomes full later would end the process
        else:
            file.truncate(size)
    return np.memmap(path, dtype=dtype, mode="r+", shape=shape)


def _check_result(task_result: TaskResult[Any, Any]) -> Any:
    if task_result.error is not None:
        raise InputError(f"{task_result.task.store.path(task_result.task.number)}: {task_result.error}")
    return task_result.result
