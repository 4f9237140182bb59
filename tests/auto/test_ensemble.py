"""Ensembles: sums of leaves, the same by the loop, by NumPy and compiled."""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from written import both, ensemble_of, needs_twins

from duramen.auto.ensemble import Ensemble, _add, _add_all, sums

WIDTH = 3
STUMP = (1, 0.5, -1.0, 2.0)

numbers = st.floats(-3, 3).map(lambda number: round(number, 1))
trees = st.recursive(numbers, lambda child: st.tuples(st.integers(0, WIDTH - 1), numbers, child, child), max_leaves=8)
rows = st.lists(st.lists(numbers, min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=6)


def flat(table: list[list[float]]) -> array[float]:
    return array("d", [number for row in table for number in row])


def by_loop(ensemble: Ensemble, data: array[float], width: int = WIDTH) -> array[float]:
    out = array("d", bytes(8 * (len(data) // width)))
    _add(data, width, *(getattr(ensemble, part) for part in "root feature threshold left right value".split()), out)
    return out


def by_hand(tree: Any, row: list[float]) -> float:
    while isinstance(tree, tuple):
        tree = tree[2] if row[tree[0]] <= tree[1] else tree[3]
    return float(tree)


def test_what_is_not_larger_goes_left() -> None:
    assert list(sums(ensemble_of(STUMP), flat([[9, 0.4, 9], [9, 0.5, 9], [9, 0.6, 9]]), WIDTH)) == [-1.0, -1.0, 2.0]


def test_trees_are_added() -> None:
    assert list(sums(ensemble_of(STUMP, (0, 0.0, 10.0, 20.0), 0.25), flat([[1, 1, 0]]), WIDTH)) == [22.25]


def test_a_tree_may_be_a_leaf() -> None:
    ensemble = ensemble_of(0.5, -2.0)
    data = flat([[0, 0, 0], [1, 1, 1]])
    assert list(_add_all(ensemble, data, WIDTH)) == list(by_loop(ensemble, data)) == [-1.5, -1.5]
    assert list(sums(ensemble, data, WIDTH)) == [-1.5, -1.5]


def test_no_trees_say_nothing() -> None:
    assert list(sums(ensemble_of(), flat([[0, 0, 0]]), WIDTH)) == [0.0]
    assert len(ensemble_of()) == 0
    assert len(ensemble_of(STUMP, 1.0)) == 2


def test_no_rows_have_no_scores() -> None:
    assert list(sums(ensemble_of(STUMP), array("d"), WIDTH)) == []


def test_rows_may_be_wider_than_what_is_asked() -> None:
    assert list(sums(ensemble_of((0, 0.0, 1.0, 2.0)), flat([[0, 5, 5], [1, 5, 5]]), WIDTH)) == [1.0, 2.0]


@given(st.lists(trees, max_size=5), rows)
def test_the_loop_and_numpy_agree_to_the_last_bit(some: list[Any], table: list[list[float]]) -> None:
    ensemble, data = ensemble_of(*some), flat(table)
    expected = []
    for row in table:
        total = 0.0
        for tree in some:
            total += by_hand(tree, row)
        expected.append(total)
    assert list(by_loop(ensemble, data)) == list(_add_all(ensemble, data, WIDTH)) == expected


@needs_twins
@given(st.lists(trees, max_size=5), rows)
def test_the_twin_agrees_to_the_last_bit(some: list[Any], table: list[list[float]]) -> None:
    pure, twin = (function(ensemble_of(*some), flat(table), WIDTH) for function in both("ensemble.sums"))
    assert pure == twin
