"""Edit distance of records, limited to two levels."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.tree import Tree
from duramen.methods.regions.similarity import TwoLevelTree, edit_distance, mean_distance, two_level_tree

tags = st.sampled_from(["p", "b", "i"])
two_level_trees = st.tuples(tags, st.lists(tags, max_size=4).map(tuple))


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
def test_edit_distance_of_two_level_trees(one: TwoLevelTree, other: TwoLevelTree, expected: int) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == expected


def forest_distance(one: tuple[object, ...], other: tuple[object, ...]) -> int:
    """Compute the edit distance of two ordered forests by its definition. A tree is a tag and the forest below it."""
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


@given(two_level_trees, two_level_trees)
def test_it_equals_the_general_tree_edit_distance(one: TwoLevelTree, other: TwoLevelTree) -> None:
    as_trees = [((root, tuple((tag, ()) for tag in children)),) for root, children in (one, other)]
    assert edit_distance(one, other) == forest_distance(*as_trees)


def test_with_very_many_children_only_their_numbers_are_compared() -> None:
    assert edit_distance(("ul", ("p",) * 5000), ("ul", ("p",) * 4000 + ("b",))) == 1001


def test_text_and_separators_are_ignored() -> None:
    tree = Tree.parse("<div>a<h3>b</h3><p>c<i>d</i></p><br><a>e</a><span>f</span></div>")
    assert two_level_tree(tree, 3) == ("div", ("p", "span"))


def test_the_mean_distance_is_over_all_pairs() -> None:
    these: Counter[TwoLevelTree] = Counter({("p", ()): 2, ("p", ("b",)): 1})
    those: Counter[TwoLevelTree] = Counter({("p", ()): 1, ("p", ("b", "b")): 1})
    assert mean_distance(these, those) == (0 + 0 + 1 + 2 + 2 + 1) / 6
