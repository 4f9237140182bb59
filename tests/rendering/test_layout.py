"""Two trees of one page are laid on each other, as far as they agree."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.tree import TEXT, Style, Tree
from duramen.rendering.layout import TreeShape, match_layout, match_trees


def measured(tree: Tree) -> str:
    """What Chromium would say of a tree, with a box of its number for each element."""
    elements = [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    return json.dumps(
        {
            "tags": " ".join(tree.tag[node].upper() for node in elements),
            "parents": [elements.index(tree.parent[node]) if node else -1 for node in elements],
            "placed": list(range(len(elements))),
            "sides": [side for node in elements for side in (node, 0, 1, 1)],
            "looks": ["16px|400|rgba(0, 0, 0, 0)", "32px|700|rgb(1, 2, 3)"],
            "lookOf": [number % 2 for number in range(len(elements))],
        }
    )


def test_trees_that_agree_have_all_their_boxes() -> None:
    tree = Tree.parse("<div><p>a</p><p>b</p></div>")
    box, style, unplaced = match_layout(measured(tree), tree)
    assert unplaced == 0
    assert box == [None if tag == TEXT else (node, 0, 1, 1) for node, tag in enumerate(tree.tag)]
    assert style[:4] == [Style(16.0, 400, ""), Style(32.0, 700, "rgb(1, 2, 3)")] * 2


def test_an_element_more_in_one_tree_costs_its_neighbours_nothing() -> None:
    ours = Tree.parse("<ul><li>a</li></ul><p>b</p><table></table>")
    theirs = Tree.parse("<ul><li>a</li></ul><hr><p>b</p><table></table>")
    box, _, unplaced = match_layout(measured(theirs), ours)
    assert unplaced == 0
    assert [box[node] for node, tag in enumerate(ours.tag) if tag in ("ul", "p")] == [(3, 0, 1, 1), (7, 0, 1, 1)]


def test_nodes_without_counterpart_are_counted() -> None:
    ours = Tree.parse("<ul><li>a</li></ul><p>b</p>")
    box, _, unplaced = match_layout(measured(Tree.parse("<ol><li>a</li></ol><p>b</p>")), ours)
    assert unplaced == 2
    assert [box[node] for node, tag in enumerate(ours.tag) if tag in ("ul", "li")] == [None, None]


def test_elements_off_the_screen_have_no_box() -> None:
    tree = Tree.parse("<p>a</p>")
    box, _, unplaced = match_layout(
        json.dumps(json.loads(measured(tree)) | {"placed": [3], "sides": [1, 2.345678, 3, 4], "lookOf": [1]}), tree
    )
    assert (box[:4], unplaced) == ([None, None, None, (1, 2.35, 3, 4)], 0)


shapes = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 10**6)), max_size=30).map(
    lambda drawn: (
        ["html", *(tag for tag, _ in drawn)],
        [-1, *(parent % (i + 1) for i, (_, parent) in enumerate(drawn))],
    )
)


@given(shapes)
def test_a_tree_is_paired_with_itself(shape: TreeShape) -> None:
    assert sorted(match_trees(shape, shape)) == [(i, i) for i in range(len(shape[0]))]


@given(shapes, shapes)
def test_pairs_agree_in_tag_and_parent(ours: TreeShape, theirs: TreeShape) -> None:
    pairs = dict(match_trees(ours, theirs))
    assert len(set(pairs.values())) == len(pairs)
    for our, their in pairs.items():
        assert ours[0][our] == theirs[0][their]
        if our:
            assert pairs[ours[1][our]] == theirs[1][their]
