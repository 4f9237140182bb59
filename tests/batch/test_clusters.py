"""Groups of equal keys become clusters, and the first row of a cluster is what the others duplicate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from duramen.batch.dedup.clusters import find_pairs, flatten, unite

Keys = st.lists(st.integers(0, 6), max_size=40)


def found(columns: list[list[int]], part: int) -> list[int]:
    first = np.arange(len(columns[0]) if columns else 0, dtype=np.int64)
    for column in columns:
        for one, other in find_pairs(np.array(column, dtype=np.uint64), part_keys=part):
            unite(first, one, other)
    flatten(first)
    return [int(row) for row in first]


def wanted(columns: list[list[int]]) -> list[int]:
    """The same by hand: rows that share a key are joined until nothing changes."""
    first = list(range(len(columns[0]) if columns else 0))
    changed = True
    while changed:
        changed = False
        for column in columns:
            for one, key in enumerate(column):
                for other in range(one):
                    if key and column[other] == key and first[one] != first[other]:
                        first[one] = first[other] = min(first[one], first[other])
                        changed = True
    return first


@given(st.integers(0, 25).flatmap(lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), max_size=3)))
def test_rows_with_a_common_key_form_a_cluster(columns: list[list[int]]) -> None:
    assert found(columns, part=1000) == wanted(columns)


@given(Keys)
def test_sorting_in_parts_changes_nothing(keys: list[int]) -> None:
    assert found([keys], part=3) == found([keys], part=1000)


@given(Keys, Keys)
def test_the_order_of_the_columns_changes_nothing(one: list[int], other: list[int]) -> None:
    size = min(len(one), len(other))
    one, other = one[:size], other[:size]
    assert found([one, other], part=4) == found([other, one], part=4)


def test_dissimilar_rows_with_a_common_key_are_not_joined() -> None:
    group = np.array([0, 0, 1, 1, 0], dtype=np.int64)

    def alike(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        return group[one] == group[other]

    first = np.arange(5, dtype=np.int64)
    for one, other in find_pairs(np.full(5, 7, dtype=np.uint64), alike):
        unite(first, one, other)
    flatten(first)
    assert list(first) == [0, 0, 2, 2, 0]


def test_a_key_of_thousands_of_dissimilar_rows_takes_limited_time() -> None:
    nothing = list(find_pairs(np.full(5000, 7, dtype=np.uint64), lambda one, other: np.zeros(len(one), dtype=bool)))
    assert not any(len(one) for one, _ in nothing)
