"""Meetings: the lowest element that holds two."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import PAGES, blocks_of, both, made_pages, needs_compiled

from duramen.methods.auto.ancestors import Meetings, meet

#     0
#    / \
#   1   4
#  / \   \
# 2   3   5
PARENT = array("q", (-1, 0, 1, 1, 0, 4))


def test_each_meets_the_other_at_the_lowest_element_that_holds_both() -> None:
    assert list(meet(PARENT, 3).place) == [0, 1, 1, 3, 0, 0]


def test_steps_are_counted_on_both_sides() -> None:
    found = meet(PARENT, 3)
    assert list(found.up) == [0, 0, 1, 0, 1, 2]
    assert list(found.down) == [2, 1, 1, 0, 2, 2]


def test_no_elements_have_no_meetings() -> None:
    assert meet(array("q"), 0) == Meetings(array("q"), array("q"), array("q"))


@st.composite
def trees(draw: st.DrawFn) -> tuple[array[int], int]:
    size = draw(st.integers(1, 30))
    parent = [-1, *(draw(st.integers(0, place - 1)) for place in range(1, size))]
    return array("q", parent), draw(st.integers(0, size - 1))


def above(parent: array[int], element: int) -> list[int]:
    found = [element]
    while parent[found[-1]] >= 0:
        found.append(parent[found[-1]])
    return found


@given(trees())
def test_by_comparing_ancestors_they_are_the_same(tree: tuple[array[int], int]) -> None:
    parent, other = tree
    theirs = above(parent, other)
    for element, (place, up, down) in enumerate(zip(*meet(parent, other), strict=True)):
        own = above(parent, element)
        lowest = next(each for each in own if each in theirs)
        assert (place, up, down) == (lowest, own.index(lowest), theirs.index(lowest))


@pytest.mark.parametrize("html", PAGES)
def test_the_elements_of_a_page_have_one_root(html: str) -> None:
    assert all_meet(html)


@given(made_pages())
def test_so_have_those_of_any_page(html: str) -> None:
    assert all_meet(html)


def all_meet(html: str) -> bool:
    """Every element meets the last: the features rely on it."""
    parent = blocks_of(html).parent
    return -1 not in meet(parent, len(parent) - 1).place


@needs_compiled
@given(trees())
def test_the_twin_finds_the_same(tree: tuple[array[int], int]) -> None:
    pure, twin = both("methods.auto.ancestors.meet")
    assert pure(*tree) == twin(*tree)
