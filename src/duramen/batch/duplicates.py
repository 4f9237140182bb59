"""Duplicates: rows that say what an earlier row has said are marked with its name, and none is dropped.

When all shards are there their texts become fingerprints, these become clusters, and shards with duplicates are written
anew with the column `duplicate_of` filled in. The first row of a cluster, in the order of the input, is the one that
stays unmarked. The marks follow from the texts and the order of the input alone, so that a run that is killed
meanwhile starts the marking again and ends with the same; nothing is kept when it is done.

*Exact*: the same text, white space aside. *Near*: texts that share `ALIKE` of their runs of five words, and those that
are linked by such. Rows without a text are no duplicates.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from duramen.batch import fingerprints
from duramen.batch.clusters import join, pairs, settle
from duramen.batch.guarded import Done, Each, each
from duramen.batch.shelf import Shelf
from duramen.errors import InputError, UsageError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

EXACT, NEAR = "exact", "near"
KINDS: Final = (EXACT, NEAR)

ALIKE: Final = 0.8
"""The share of runs that near duplicates have in common, as MinHash estimates it."""

_AT_ONCE: Final = 256
_PATIENCE: Final = 3600.0


@dataclass(frozen=True)
class Marked:
    """What was found."""

    rows: int
    duplicates: int


@dataclass(frozen=True)
class Reading:
    """A shard to be fingerprinted."""

    shelf: Shelf
    number: int
    kind: str


@dataclass(frozen=True)
class Read:
    """A shard's rows: their names, their fingerprints, and whether some bear a mark already."""

    ids: list[str]
    found: npt.NDArray[Any]
    marked: bool


@dataclass(frozen=True)
class Writing:
    """A shard to be written with these marks, by the place of the row in it."""

    shelf: Shelf
    number: int
    marks: Mapping[int, str] = field(default_factory=dict)


def check(kind: str) -> None:
    """Say before the run what marking would need."""
    if kind not in KINDS:
        raise UsageError(f"unknown kind of duplicates {kind!r}: choose one of {', '.join(KINDS)}")
    if kind == NEAR:
        fingerprints.near([])


def mark(shelf: Shelf, rows: Mapping[int, int], kind: str, work: Path, jobs: int, run: Each = each) -> Marked:
    """Mark the duplicates in all shards; `rows` says how many each has. `work` is a folder for what must not be in
    memory: for near duplicates 640 bytes a row."""
    import numpy as np

    numbers = sorted(rows)
    starts = dict(zip(numbers, accumulate((rows[number] for number in numbers), initial=0), strict=False))
    total = sum(rows.values())
    folder = work / "duplicates"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        table = _Table(folder, kind, total)
        before = set()
        for done in run(read, (Reading(shelf, number, kind) for number in numbers), jobs, _PATIENCE):
            number, found = done.task.number, _sound(done)
            if len(found.ids) != rows[number]:
                raise InputError(f"{shelf.path(number)} has {len(found.ids)} rows where {rows[number]} were written")
            table.put(starts[number], found.found)
            (folder / f"{number}.json").write_text(json.dumps(found.ids), "utf-8")
            if found.marked:
                before.add(number)
        first = np.arange(total, dtype=np.int64)
        for one, other in table.pairs():
            join(first, one, other)
        settle(first)
        names = _Names(folder, numbers, starts)
        tasks = _writings(shelf, numbers, rows, starts, first, names, before)
        for done in run(write, tasks, jobs, _PATIENCE):
            _sound(done)
        return Marked(total, int((first != np.arange(total)).sum()))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read(task: Reading) -> Read:
    """The fingerprints of a shard's rows."""
    import numpy as np

    make = fingerprints.exact if task.kind == EXACT else fingerprints.near
    ids: list[str] = []
    parts: list[npt.NDArray[Any]] = [make([])]
    marked = False
    rows = task.shelf.rows(task.number)
    while some := list(islice(rows, _AT_ONCE)):
        ids += [f"{row['source']}#{row['position']}" for row in some]
        parts.append(make([task.shelf.text(row) for row in some]))
        marked = marked or any(row.get("duplicate_of") is not None for row in some)
    return Read(ids, np.concatenate(parts), marked)


def write(task: Writing) -> None:
    """The shard anew, with its marks."""
    rows = enumerate(task.shelf.rows(task.number))
    task.shelf.replace(task.number, ({**row, "duplicate_of": task.marks.get(place)} for place, row in rows))


class _Table:
    """Fingerprints of all rows in files, a column of keys each."""

    def __init__(self, folder: Path, kind: str, rows: int) -> None:
        import numpy as np

        self._kind = kind
        self._rows = rows
        width = 2 if kind == EXACT else fingerprints.BANDS
        self._columns: list[npt.NDArray[np.uint64]] = [
            _array(folder / f"keys-{column}", np.uint64, (rows,)) for column in range(width)
        ]
        self._signatures: npt.NDArray[np.uint32] | None = None
        if kind == NEAR:
            self._signatures = _array(folder / "signatures", np.uint32, (rows, fingerprints.SIZE))

    def put(self, start: int, found: npt.NDArray[Any]) -> None:
        stop = start + len(found)
        keys = found
        if self._signatures is not None:
            self._signatures[start:stop] = found
            keys = fingerprints.bands(found)
        for place, column in enumerate(self._columns):
            column[start:stop] = keys[:, place]

    def pairs(self) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Pairs of rows that say the same."""
        if self._kind == EXACT:
            yield from pairs(self._columns[0], self._equal)
            return
        for column in self._columns:
            yield from pairs(column, self._alike)

    def _equal(self, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        same: npt.NDArray[np.bool_] = self._columns[1][one] == self._columns[1][other]
        return same

    def _alike(self, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        import numpy as np

        assert self._signatures is not None
        found = np.empty(len(one), dtype=bool)
        for start in range(0, len(one), 1 << 16):
            part = slice(start, start + (1 << 16))
            same = (self._signatures[one[part]] == self._signatures[other[part]]).sum(axis=1)
            found[part] = same >= ALIKE * fingerprints.SIZE
        return found


class _Names:
    """The names of rows by their numbers, read shard by shard."""

    def __init__(self, folder: Path, numbers: list[int], starts: Mapping[int, int]) -> None:
        import numpy as np

        self._folder = folder
        self._numbers = numbers
        self._starts = np.array([starts[number] for number in numbers], dtype=np.int64)
        self._ids = lru_cache(maxsize=64)(self._load)

    def of(self, row: int) -> str:
        import numpy as np

        at = int(np.searchsorted(self._starts, row, side="right")) - 1
        return self._ids(self._numbers[at])[row - int(self._starts[at])]

    def _load(self, number: int) -> list[str]:
        ids: list[str] = json.loads((self._folder / f"{number}.json").read_text("utf-8"))
        return ids


def _writings(
    shelf: Shelf,
    numbers: list[int],
    rows: Mapping[int, int],
    starts: Mapping[int, int],
    first: npt.NDArray[np.int64],
    names: _Names,
    before: set[int],
) -> Iterator[Writing]:
    """The shards that have duplicates, or have had some."""
    for number in numbers:
        start = starts[number]
        roots = enumerate(first[start : start + rows[number]].tolist())
        marks = {place: names.of(root) for place, root in roots if root != start + place}
        if marks or number in before:
            yield Writing(shelf, number, marks)


def _array(path: Path, dtype: Any, shape: tuple[int, ...]) -> Any:
    """An array in a file, for which there is room; in memory where there is nothing to hold, which cannot be mapped."""
    import numpy as np

    if not shape[0]:
        return np.empty(shape, dtype=dtype)
    with path.open("wb") as file:
        size = np.dtype(dtype).itemsize * math.prod(shape)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)  # a disk that is full later would end the process
        else:
            file.truncate(size)
    return np.memmap(path, dtype=dtype, mode="r+", shape=shape)


def _sound(done: Done[Any, Any]) -> Any:
    if done.error is not None:
        raise InputError(f"{done.task.shelf.path(done.task.number)}: {done.error}")
    return done.result
