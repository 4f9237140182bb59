"""Loops over elements: lowest common ancestors, and the best run of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.methods.auto.pages import PAGES, blocks_of, made_pages

from duramen.methods.auto.context_features import _find_best_run
from duramen.methods.auto.features import find_common_ancestors

#     0
#    / \
#   1   4
#  / \   \
# 2   3   5
PARENT = np.array((-1, 0, 1, 1, 0, 4))


def test_the_common_ancestor_is_the_lowest_element_that_holds_both() -> None:
    assert list(find_common_ancestors(PARENT, 3)[0]) == [0, 1, 1, 3, 0, 0]


def test_steps_are_counted_on_both_sides() -> None:
    _, up, down = find_common_ancestors(PARENT, 3)
    assert list(up) == [0, 0, 1, 0, 1, 2]
    assert list(down) == [2, 1, 1, 0, 2, 2]


def test_no_elements_have_no_common_ancestors() -> None:
    assert [len(each) for each in find_common_ancestors(np.zeros(0, np.int64), 0)] == [0, 0, 0]


@st.composite
def trees(draw: st.DrawFn) -> tuple[NDArray[Any], int]:
    size = draw(st.integers(1, 30))
    parent = [-1, *(draw(st.integers(0, place - 1)) for place in range(1, size))]
    return np.array(parent), draw(st.integers(0, size - 1))


def above(parent: NDArray[Any], element: int) -> list[int]:
    ancestors = [element]
    while parent[ancestors[-1]] >= 0:
        ancestors.append(int(parent[ancestors[-1]]))
    return ancestors


@given(trees())
def test_comparing_lists_of_ancestors_finds_the_same(tree: tuple[NDArray[Any], int]) -> None:
    parent, other = tree
    theirs = above(parent, other)
    for element, (place, up, down) in enumerate(zip(*find_common_ancestors(parent, other), strict=True)):
        own = above(parent, element)
        lowest = next(each for each in own if each in theirs)
        assert (place, up, down) == (lowest, own.index(lowest), theirs.index(lowest))


@pytest.mark.parametrize("html", PAGES)
def test_the_elements_of_a_page_have_one_root(html: str) -> None:
    assert all_have_ancestor(html)


@given(made_pages())
def test_the_elements_of_any_page_have_one_root(html: str) -> None:
    assert all_have_ancestor(html)


def all_have_ancestor(html: str) -> bool:
    """Every element meets the last: the features rely on it."""
    parent = np.asarray(blocks_of(html).parent)
    return -1 not in find_common_ancestors(parent, len(parent) - 1)[0]


def test_the_best_run_has_the_largest_sum() -> None:
    words, p = np.array([20.0, 3.0, 20.0, 30.0, 6.0]), np.array([0.9, 0.1, 0.9, 0.1, 0.9])
    assert tuple(_find_best_run(words, p)) == (0, 3)
    assert tuple(_find_best_run(words, p * 0.5)) == (0, 0)
