"""The distance of records is the edit distance of their trees, cut to two levels."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.tree import Tree
from duramen.methods.regions.similarity import Shape, distance, mean_distance, shape

tags = st.sampled_from(["p", "b", "i"])
shapes = st.tuples(tags, st.lists(tags, max_size=4).map(tuple))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("li", ("p", "b")), ("li", ("p", "b")), 0),
        (("li", ("p", "b")), ("li", ("p",)), 1),
        (("li", ("p", "b")), ("li", ("b", "p")), 2),
        (("li", ("p",)), ("li", ("b",)), 2),  # a rename would cost 3
        (("li", ("p",)), ("dd", ("p",)), 2),
        (("li", ()), ("ul", ("li",)), 1),  # the root of one is a child of the other
        (("li", ()), ("dd", ("b", "b")), 4),
    ],
)
def test_distance(one: Shape, other: Shape, expected: int) -> None:
    assert distance(one, other) == distance(other, one) == expected


def forest_distance(one: tuple[object, ...], other: tuple[object, ...]) -> int:
    """The edit distance of two ordered forests by its definition; a tree is its tag and the forest below it."""
    if not one or not other:
        return sum(size(tree) for tree in (*one, *other))
    (tag, below), (other_tag, other_below) = one[-1], other[-1]  # type: ignore[misc]
    return min(
        forest_distance((*one[:-1], *below), other) + 1,
        forest_distance(one, (*other[:-1], *other_below)) + 1,
        forest_distance(one[:-1], other[:-1]) + forest_distance(below, other_below) + 3 * (tag != other_tag),
    )


def size(tree: object) -> int:
    _, below = tree  # type: ignore[misc]
    return 1 + sum(map(size, below))


@given(shapes, shapes)
def test_it_is_the_edit_distance_of_the_two_trees(one: Shape, other: Shape) -> None:
    as_trees = [((root, tuple((tag, ()) for tag in children)),) for root, children in (one, other)]
    assert distance(one, other) == forest_distance(*as_trees)


def test_of_very_many_children_the_numbers_are_compared() -> None:
    assert distance(("ul", ("p",) * 5000), ("ul", ("p",) * 4000 + ("b",))) == 1001


def test_a_shape_is_without_texts_and_what_parts_records() -> None:
    tree = Tree.parse("<div>a<h3>b</h3><p>c<i>d</i></p><br><a>e</a><span>f</span></div>")
    assert shape(tree, 3) == ("div", ("p", "span"))


def test_the_mean_is_over_all_pairs() -> None:
    these: Counter[Shape] = Counter({("p", ()): 2, ("p", ("b",)): 1})
    those: Counter[Shape] = Counter({("p", ()): 1, ("p", ("b", "b")): 1})
    assert mean_distance(these, those) == (0 + 0 + 1 + 2 + 2 + 1) / 6
