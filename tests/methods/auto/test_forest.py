"""Ensembles: sums of leaves, the same by the loop, by NumPy and compiled."""

from __future__ import annotations

import math
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import both, ensemble_of, needs_compiled

from duramen.methods.auto.forest import (
    _STRIDE,
    LIKELY,
    UNLIKELY,
    Ensemble,
    _add,
    _add_all,
    joined,
    logistic,
    ranked,
    reconsider,
    sums,
    totals,
)

WIDTH = 3
STUMP = (1, 0.5, -1.0, 2.0)

numbers = st.floats(-3, 3).map(lambda number: round(number, 1))
trees = st.recursive(numbers, lambda child: st.tuples(st.integers(0, WIDTH - 1), numbers, child, child), max_leaves=8)
rows = st.lists(st.lists(numbers, min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=9)


def flat(table: list[list[float]]) -> array[float]:
    return array("d", [number for row in table for number in row])


def by_loop(ensemble: Ensemble, data: array[float], width: int = WIDTH) -> array[float]:
    out = array("d", bytes(8 * (len(data) // width)))
    walk, near = ensemble.walk, array("d", bytes(8 * _STRIDE * ensemble.walk.reach))
    nodes = walk.column, walk.threshold, walk.child, walk.value, walk.height
    _add(data, width, every_row(data, width), near, *nodes, walk.trees, out)
    return out


def by_numpy(ensemble: Ensemble, data: array[float], width: int = WIDTH) -> array[float]:
    return _add_all(ensemble.walk, data, width, every_row(data, width))


def every_row(data: array[float], width: int) -> array[int]:
    return array("q", range(len(data) // width))


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
    assert list(by_numpy(ensemble, data)) == list(by_loop(ensemble, data)) == [-1.5, -1.5]
    assert list(sums(ensemble, data, WIDTH)) == [-1.5, -1.5]


def test_rows_that_go_the_same_way_and_rows_that_part_have_the_leaves_that_they_reach_alone() -> None:
    ensemble = ensemble_of((0, 0.5, (1, 0.5, (2, 0.5, 1.0, 2.0), 3.0), 4.0), STUMP)
    together, apart = [[0.0, 0.0, 0.0]] * 8, [[float(at & 1), float(at >> 1 & 1), float(at >> 2)] for at in range(8)]
    for table in (together, apart, together + apart, apart[:3] + together):
        alone = [value for row in table for value in sums(ensemble, flat([row]), WIDTH)]
        assert list(sums(ensemble, flat(table), WIDTH)) == list(by_loop(ensemble, flat(table))) == alone


def test_a_node_knows_how_far_down_its_farthest_leaf_is() -> None:
    walk = ensemble_of((0, 0.5, (1, 0.5, 1.0, 2.0), 3.0), 4.0).walk
    assert (list(walk.height), walk.steps) == ([2, 0, 1, 0, 0, 0], 2)


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
    assert list(by_loop(ensemble, data)) == list(by_numpy(ensemble, data)) == expected


@needs_compiled
@given(st.lists(trees, max_size=5), rows)
def test_the_twin_agrees_to_the_last_bit(some: list[Any], table: list[list[float]]) -> None:
    pure, twin = (function(ensemble_of(*some), flat(table), WIDTH) for function in both("methods.auto.forest.sums"))
    assert pure == twin


def test_the_logistic_table() -> None:
    assert list(logistic(array("d", [0.0]))) == [0.5]
    found = logistic(array("d", [-1.0, 1.0, 3.0]))
    assert list(found) == pytest.approx([1 / (1 + math.exp(-x)) for x in (-1, 1, 3)], abs=1e-9)
    assert found[0] + found[1] == pytest.approx(1)


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_the_logistic_never_falls_and_stays_inside(scores: list[float]) -> None:
    found = list(logistic(array("d", sorted(scores))))
    assert found == sorted(found)
    assert all(0 < p < 1 for p in found)


@given(st.floats(-11, 11))
def test_the_table_is_near_the_function(score: float) -> None:
    assert logistic(array("d", [score]))[0] == pytest.approx(1 / (1 + math.exp(-score)), abs=0.25 / 64)


def test_only_rows_in_doubt_are_reconsidered() -> None:
    data = flat([[0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]])
    found = reconsider(ensemble_of(STUMP), data, WIDTH, array("d", [LIKELY, UNLIKELY, 0.09, 0.91]))
    assert list(found) == [*logistic(array("d", [-1.0, 2.0])), 0.09, 0.91]


@needs_compiled
@given(st.lists(trees, max_size=5), rows)
def test_the_twin_reconsiders_alike(some: list[Any], table: list[list[float]]) -> None:
    first = array("d", [(number % 3) / 50 for number in range(len(table))])
    pure, twin = (
        function(ensemble_of(*some), flat(table), WIDTH, first) for function in both("methods.auto.forest.reconsider")
    )
    assert pure == twin


def test_ensembles_joined_say_each_what_it_said_alone() -> None:
    ensembles = [ensemble_of(STUMP, 0.5), ensemble_of((0, 0.0, 10.0, (2, 1.0, 20.0, 30.0))), ensemble_of(-1.0, STUMP)]
    row = flat([[1, 1, 2]])
    sizes = array("q", map(len, ensembles))
    assert totals(joined(ensembles), row, sizes) == [sums(one, row, WIDTH)[0] for one in ensembles] == [2.5, 30.0, 1.0]


@needs_compiled
@given(st.lists(trees, min_size=1, max_size=11), st.lists(numbers, min_size=WIDTH, max_size=WIDTH))
def test_the_totals_are_the_sums_to_the_last_bit(some: list[Any], row: list[float]) -> None:
    ensemble = ensemble_of(*some)
    data = array("d", row)
    for function in both("methods.auto.forest.totals"):
        assert function(ensemble, data, array("q", [len(some)])) == [sums(ensemble, data, WIDTH)[0]]


def test_the_likeliest_rows_come_first() -> None:
    assert list(ranked(array("d", [0.1, 0.9, 0.5, 0.9, 0.1]))) == [1, 3, 2, 0, 4]
    assert list(ranked(array("d"))) == []


@needs_compiled
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=40))
def test_the_twin_ranks_alike(probabilities: list[float]) -> None:
    first, second = (function(array("d", probabilities)) for function in both("methods.auto.forest.ranked"))
    assert first == second
