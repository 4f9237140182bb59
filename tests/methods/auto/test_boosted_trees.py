"""Ensembles: sums of leaves, the same by the loop, by NumPy and compiled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.pages import trees_of

from duramen.methods.auto.boosted_trees import MAX_UNSURE, MIN_UNSURE, BoostedTrees, classify_again, logistic, rank
from duramen.training.auto.boosting import concatenate

WIDTH = 3
STUMP = (1, 0.5, -1.0, 2.0)

numbers = st.floats(-3, 3).map(lambda number: round(number, 1))
trees = st.recursive(numbers, lambda child: st.tuples(st.integers(0, WIDTH - 1), numbers, child, child), max_leaves=8)
rows = st.lists(st.lists(numbers, min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=9)


def matrix_of(table: list[list[float]]) -> Any:
    return np.array(table, np.float64).reshape(-1, WIDTH).T.copy()


def score(trees: BoostedTrees, table: list[list[float]]) -> list[float]:
    return list(trees.score(matrix_of(table)))


def by_hand(tree: Any, row: list[float]) -> float:
    while isinstance(tree, tuple):
        tree = tree[2] if row[tree[0]] <= tree[1] else tree[3]
    return float(tree)


def test_values_up_to_the_threshold_go_left() -> None:
    assert score(trees_of(STUMP), [[9, 0.4, 9], [9, 0.5, 9], [9, 0.6, 9]]) == [-1.0, -1.0, 2.0]


def test_trees_are_added() -> None:
    assert score(trees_of(STUMP, (0, 0.0, 10.0, 20.0), 0.25), [[1, 1, 0]]) == [22.25]


def test_a_tree_may_be_a_leaf() -> None:
    assert score(trees_of(0.5, -2.0), [[0, 0, 0], [1, 1, 1]]) == [-1.5, -1.5]


def test_rows_scored_together_reach_the_same_leaves_as_alone() -> None:
    trees = trees_of((0, 0.5, (1, 0.5, (2, 0.5, 1.0, 2.0), 3.0), 4.0), STUMP)
    together, apart = [[0.0, 0.0, 0.0]] * 8, [[float(at & 1), float(at >> 1 & 1), float(at >> 2)] for at in range(8)]
    for table in (together, apart, together + apart, apart[:3] + together):
        assert score(trees, table) == [score(trees, [row])[0] for row in table]


def test_the_steps_are_the_depth_of_each_tree() -> None:
    assert trees_of((0, 0.5, (1, 0.5, 1.0, 2.0), 3.0), 4.0, STUMP)._layout.steps.tolist() == [2, 0, 1]


def test_no_trees_score_zero() -> None:
    assert score(trees_of(), [[0, 0, 0]]) == [0.0]
    assert len(trees_of()) == 0
    assert len(trees_of(STUMP, 1.0)) == 2


def test_no_rows_have_no_scores() -> None:
    assert score(trees_of(STUMP), []) == []


def test_rows_may_have_unused_columns() -> None:
    assert score(trees_of((0, 0.0, 1.0, 2.0)), [[0, 5, 5], [1, 5, 5]]) == [1.0, 2.0]


@given(st.lists(trees, max_size=5), rows)
def test_leaves_are_added_in_the_order_of_the_trees(some: list[Any], table: list[list[float]]) -> None:
    expected = []
    for row in table:
        total = 0.0
        for tree in some:
            total += by_hand(tree, row)
        expected.append(total)
    assert score(trees_of(*some), table) == expected


def test_the_logistic_table() -> None:
    assert list(logistic(np.array([0.0]))) == [0.5]
    probabilities = logistic(np.array([-1.0, 1.0, 3.0]))
    assert list(probabilities) == pytest.approx([1 / (1 + math.exp(-x)) for x in (-1, 1, 3)], abs=1e-9)
    assert probabilities[0] + probabilities[1] == pytest.approx(1)


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_the_logistic_never_falls_and_stays_inside(scores: list[float]) -> None:
    probabilities = list(logistic(np.array(sorted(scores))))
    assert probabilities == sorted(probabilities)
    assert all(0 < p < 1 for p in probabilities)


@given(st.floats(-11, 11))
def test_the_table_is_near_the_function(score: float) -> None:
    assert logistic(np.array([score]))[0] == pytest.approx(1 / (1 + math.exp(-score)), abs=0.25 / 64)


def test_only_unsure_rows_are_classified_again() -> None:
    matrix = matrix_of([[0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]])
    again = classify_again(trees_of(STUMP), matrix, np.array([MAX_UNSURE, MIN_UNSURE, 0.09, 0.91]))
    assert list(again) == [*logistic(np.array([-1.0, 2.0])), 0.09, 0.91]


def test_concatenated_trees_have_the_sum_of_their_scores() -> None:
    ensembles = [trees_of(STUMP, 0.5), trees_of((0, 0.0, 10.0, (2, 1.0, 20.0, 30.0))), trees_of(-1.0, STUMP)]
    row = [[1.0, 1.0, 2.0]]
    assert [score(one, row)[0] for one in ensembles] == [2.5, 30.0, 1.0]
    assert score(concatenate(ensembles), row) == [33.5]


def test_the_likeliest_rows_come_first() -> None:
    assert list(rank(np.array([0.1, 0.9, 0.5, 0.9, 0.1]))) == [1, 3, 2, 0, 4]
    assert list(rank(np.zeros(0))) == []
