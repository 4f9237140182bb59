"""Which rows say the same: groups of equal keys, checked, and joined.

Rows are numbered in the order of the input. Each has one or several keys (`fingerprints.py`); rows with a key in
common are of one group if the first of the group says so: for near duplicates signatures are compared. Groups that
share a row are one cluster, and the first row of a cluster is what the others duplicate. All of that is settled by the
texts and their order in the input: not by who computed what, nor when.

Keys and signatures lie in files. A column of keys is sorted in parts, by the keys' last bits, so that a part fits into
memory; what stays in memory for the whole time is 8 bytes a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]
    Keys = npt.NDArray[np.uint64]
    Alike = Callable[[Numbers, Numbers], npt.NDArray[np.bool_]]
    """Whether the rows of one array are like those of the other, pair by pair."""

PART: Final = 1 << 22
"""Keys that are sorted at once: some 200 MB."""

_CHUNK: Final = 1 << 20
_ROUNDS: Final = 64
"""How often those of a group that are unlike its first are compared with the next of them.

Rows that share a key and are unlike are rare; a page made to have thousands of them must not make it quadratic.
"""


def pairs(keys: Keys, alike: Alike | None = None, part: int = PART) -> Iterator[tuple[Numbers, Numbers]]:
    """Pairs of rows with the same key, the earlier row first, every row of a group with the group's first.

    Key 0 is no key. With `alike`, pairs that are not are left out.
    """
    import numpy as np

    parts = -(-len(keys) // part)
    for number in range(parts):
        rows = _of_part(keys, number, parts)
        order = np.argsort(keys[rows], kind="stable")
        rows = rows[order]  # by key, and of one key in the order of the input
        values = keys[rows]
        for _ in range(_ROUNDS):
            leader = _leaders(values)
            later = np.flatnonzero(leader != np.arange(len(rows)))
            if not len(later):
                break
            first, second = rows[leader[later]], rows[later]
            if alike is None:
                yield first, second
                break
            same = alike(first, second)
            yield first[same], second[same]
            rows, values = second[~same], values[later[~same]]


def join(first: Numbers, one: Numbers, other: Numbers) -> None:
    """Make one cluster of each pair, in `first`: for each row the first of its cluster, or a row nearer to it."""
    import numpy as np

    while len(one):
        one, other = _roots(first, one), _roots(first, other)
        apart = one != other
        one, other = one[apart], other[apart]
        np.minimum.at(first, np.maximum(one, other), np.minimum(one, other))


def settle(first: Numbers) -> None:
    """After all pairs have been joined: each row points to the first of its cluster."""
    for start in range(0, len(first), _CHUNK):
        chunk = first[start : start + _CHUNK]
        chunk[:] = _roots(first, chunk)


def _roots(first: Numbers, rows: Numbers) -> Numbers:
    import numpy as np

    while True:
        further = first[rows]
        if np.array_equal(further, rows):
            return rows
        rows = further


def _leaders(values: Keys) -> Numbers:
    """For each of the sorted keys the place of the first that is equal."""
    import numpy as np

    starts = np.ones(len(values), dtype=bool)
    starts[1:] = values[1:] != values[:-1]
    places: Numbers = np.flatnonzero(starts)[np.cumsum(starts) - 1]
    return places


def _of_part(keys: Keys, number: int, parts: int) -> Numbers:
    """The rows whose keys are of one part."""
    import numpy as np

    found = []
    for start in range(0, len(keys), _CHUNK):
        chunk = keys[start : start + _CHUNK]
        mine = (chunk % np.uint64(parts) == number) & (chunk != 0)
        found.append(np.flatnonzero(mine) + start)
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)
