"""Clusters of rows with equal keys.

Rows are numbered in the order of the input. Each has one or more keys (`duramen.batch.dedup.fingerprints`). Rows with
an equal key form a group if the comparison with the first of the group confirms it; for near duplicates it compares
signatures. Groups that share a row form one cluster, and the other rows of a cluster duplicate its first. The result
depends only on the texts and the order of the input.

Keys and signatures are in files. A column of keys is sorted in parts, by the last bits of the keys, so that each part
fits into memory. In memory for the whole time are 8 bytes per row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    RowNumbers = npt.NDArray[np.int64]
    Keys = npt.NDArray[np.uint64]
    SimilarityTest = Callable[[RowNumbers, RowNumbers], npt.NDArray[np.bool_]]
    """Compares the rows of two arrays, pair by pair."""

PART_KEYS: Final = 1 << 22
"""Keys that are sorted at a time: about 200 MB."""

_CHUNK_ROWS: Final = 1 << 20
_MAX_ROUNDS: Final = 64
"""How often the rows of a group that differ from its first are compared among themselves.

Rows with an equal key and different texts are rare. The limit keeps an input made to have thousands of them linear.
"""


def find_pairs(
    keys: Keys, is_similar: SimilarityTest | None = None, part_keys: int = PART_KEYS
) -> Iterator[tuple[RowNumbers, RowNumbers]]:
    """Give pairs of rows with equal keys: each row of a group, as second, with the first row of the group.

    Key 0 means no key. With `is_similar`, pairs that fail the test are left out.
    """
    import numpy as np

    parts = -(-len(keys) // part_keys)
    for number in range(parts):
        rows = _find_rows_of_part(keys, number, parts)
        order = np.argsort(keys[rows], kind="stable")
        rows = rows[order]  # by key, and within a key in the order of the input
        values = keys[rows]
        for _ in range(_MAX_ROUNDS):
            leaders = _find_leaders(values)
            others = np.flatnonzero(leaders != np.arange(len(rows)))
            if not len(others):
                break
            first, second = rows[leaders[others]], rows[others]
            if is_similar is None:
                yield first, second
                break
            similar = is_similar(first, second)
            yield first[similar], second[similar]
            rows, values = second[~similar], values[others[~similar]]


def unite(parents: RowNumbers, one: RowNumbers, other: RowNumbers) -> None:
    """Unite the clusters of each pair (union-find). The parent of a row is an earlier row of its cluster, or itself."""
    import numpy as np

    while len(one):
        one, other = _find_roots(parents, one), _find_roots(parents, other)
        is_apart = one != other
        one, other = one[is_apart], other[is_apart]
        np.minimum.at(parents, np.maximum(one, other), np.minimum(one, other))


def flatten(parents: RowNumbers) -> None:
    """Make the first row of its cluster the parent of each row, after all pairs have been united."""
    for start in range(0, len(parents), _CHUNK_ROWS):
        chunk = parents[start : start + _CHUNK_ROWS]
        chunk[:] = _find_roots(parents, chunk)


def _find_roots(parents: RowNumbers, rows: RowNumbers) -> RowNumbers:
    import numpy as np

    while True:
        above = parents[rows]
        if np.array_equal(above, rows):
            return rows
        rows = above


def _find_leaders(values: Keys) -> RowNumbers:
    """Return for each of the sorted keys the index of the first equal one."""
    import numpy as np

    is_start = np.ones(len(values), dtype=bool)
    is_start[1:] = values[1:] != values[:-1]
    leaders: RowNumbers = np.flatnonzero(is_start)[np.cumsum(is_start) - 1]
    return leaders


def _find_rows_of_part(keys: Keys, number: int, parts: int) -> RowNumbers:
    import numpy as np

    rows = []
    for start in range(0, len(keys), _CHUNK_ROWS):
        chunk = keys[start : start + _CHUNK_ROWS]
        is_in_part = (chunk % np.uint64(parts) == number) & (chunk != 0)
        rows.append(np.flatnonzero(is_in_part) + start)
    return np.concatenate(rows) if rows else np.empty(0, dtype=np.int64)
