"""Maximum subsequences against brute force."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.methods.mss.subsequence import (
    Subsequence,
    best_subsequences,
    maximal_subsequences,
    maximum_subsequence,
    maximum_subsequence_of_array,
)

numbers = st.lists(st.integers(-5, 5), max_size=14)


def all_runs(scores: list[int]) -> list[Subsequence]:
    ends = range(len(scores) + 1)
    return [Subsequence(i, j, sum(scores[i:j])) for i in ends for j in ends if i < j]


def maximal_by_definition(scores: list[int], offset: int = 0) -> list[Subsequence]:
    """The best run (of equals the shortest, of those the first), then the same on either side of it."""
    runs = [run for run in all_runs(scores) if run.value > 0]
    if not runs:
        return []
    best = min(runs, key=lambda run: (-run.value, run.stop - run.start, run.start))
    left = maximal_by_definition(scores[: best.start], offset)
    right = maximal_by_definition(scores[best.stop :], offset + best.stop)
    return [*left, Subsequence(best.start + offset, best.stop + offset, best.value), *right]


@given(numbers)
def test_the_maximum_is_the_largest_of_all_runs(scores: list[int]) -> None:
    result = maximum_subsequence(scores)
    best = max((run.value for run in all_runs(scores)), default=0)
    assert (result.value if result else 0) == max(best, 0)
    if result:
        assert sum(scores[result.start : result.stop]) == result.value


@given(numbers)
def test_arrays_give_the_same_run(scores: list[int]) -> None:
    assert maximum_subsequence_of_array(np.array(scores, float)) == maximum_subsequence(scores)


@pytest.mark.parametrize("scores", [[], [-1], [-3, -1, -2], [0, 0]])
def test_without_a_positive_number_there_is_no_run(scores: list[int]) -> None:
    assert maximum_subsequence(scores) is None
    assert maximum_subsequence_of_array(np.array(scores, float)) is None
    assert maximal_subsequences(scores) == []


def test_the_example_of_ruzzo_and_tompa() -> None:
    assert maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5]) == [
        Subsequence(0, 1, 4),
        Subsequence(2, 3, 3),
        Subsequence(4, 11, 7),
    ]


@given(numbers)
def test_maximal_runs_have_the_sums_of_their_definition(scores: list[int]) -> None:
    result, expected = maximal_subsequences(scores), maximal_by_definition(scores)
    assert [run.value for run in result] == [run.value for run in expected]
    assert all(run.value == sum(scores[run.start : run.stop]) for run in result)
    assert all(one.stop <= other.start for one, other in pairwise(result))


@given(numbers, st.integers(0, 5))
def test_the_k_best_runs_are_ordered_by_sum(scores: list[int], k: int) -> None:
    values = sorted((run.value for run in maximal_by_definition(scores)), reverse=True)
    assert [run.value for run in best_subsequences(scores, k)] == values[:k]


@pytest.mark.parametrize("scores", [[1, -1] * 200_000, [2, -1] * 200_000, [1] * 200_000 + [-1] * 200_000])
def test_long_sequences_take_linear_time(scores: list[int]) -> None:
    best = best_subsequences(scores, 1)[0]
    result = maximum_subsequence(scores)
    assert result is not None
    assert best.value == result.value


def test_falling_sequences_take_linear_time() -> None:
    scores = [score for step in range(200_000) for score in (1, -2)]
    assert len(maximal_subsequences(scores)) == 200_000
