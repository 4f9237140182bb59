"""Two trees of one page are laid on each other, as far as they agree."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from duramen.rendering.snapshot import Shape, lay_over, pair
from duramen.tree import TEXT, Tree


def snapshot(tree: Tree, **changes: Any) -> dict[str, Any]:
    """What Chromium would say of a tree, with a box of its number for each node."""
    strings = sorted({*tree.tag, "::before"})
    nodes = {
        "nodeType": [3 if tag == TEXT else 1 for tag in tree.tag],
        "nodeName": [strings.index(tag) for tag in tree.tag],
        "parentIndex": list(tree.parent),
    }
    layout = {"nodeIndex": list(range(len(tree))), "bounds": [[node, 0, 1, 1] for node in range(len(tree))]}
    return {"documents": [{"nodes": nodes | changes, "layout": layout}], "strings": strings}


def test_trees_that_agree_have_all_their_boxes() -> None:
    tree = Tree.parse("<div><p>a</p><p>b</p></div>")
    box, unplaced = lay_over(snapshot(tree), tree)
    assert unplaced == 0
    assert box == [None if tag == TEXT else (node, 0, 1, 1) for node, tag in enumerate(tree.tag)]


def test_an_element_more_in_one_tree_costs_its_neighbours_nothing() -> None:
    ours = Tree.parse("<ul><li>a</li></ul><p>b</p><table></table>")
    theirs = Tree.parse("<ul><li>a</li></ul><hr><p>b</p><table></table>")
    box, unplaced = lay_over(snapshot(theirs), ours)
    assert unplaced == 0
    assert [box[node] for node, tag in enumerate(ours.tag) if tag in ("ul", "p")] == [(3, 0, 1, 1), (7, 0, 1, 1)]


def test_what_has_no_counterpart_is_counted() -> None:
    ours = Tree.parse("<ul><li>a</li></ul><p>b</p>")
    box, unplaced = lay_over(snapshot(Tree.parse("<ol><li>a</li></ol><p>b</p>")), ours)
    assert unplaced == 2
    assert [box[node] for node, tag in enumerate(ours.tag) if tag in ("ul", "li")] == [None, None]


def test_what_style_adds_is_no_element() -> None:
    tree = Tree.parse("<p>a</p><p>b</p>")
    theirs = snapshot(Tree.parse("<p><i></i>a</p><p>b</p>"), pseudoType={"index": [4], "value": [0]})
    assert lay_over(theirs, tree)[1] == 0


def test_the_box_of_an_element_in_parts_is_around_them() -> None:
    tree = Tree.parse("<b>a</b>")
    theirs = snapshot(tree)
    theirs["documents"][0]["layout"] = {"nodeIndex": [3, 3], "bounds": [[10, 10, 5, 5], [0, 20, 1, 1]]}
    assert lay_over(theirs, tree)[0][3] == (0, 10, 15, 11)


shapes = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 10**6)), max_size=30).map(
    lambda drawn: (
        ["html", *(tag for tag, _ in drawn)],
        [-1, *(parent % (i + 1) for i, (_, parent) in enumerate(drawn))],
    )
)


@given(shapes)
def test_a_tree_is_paired_with_itself(shape: Shape) -> None:
    assert sorted(pair(shape, shape)) == [(i, i) for i in range(len(shape[0]))]


@given(shapes, shapes)
def test_pairs_agree_in_tag_and_parent(ours: Shape, theirs: Shape) -> None:
    pairs = dict(pair(ours, theirs))
    assert len(set(pairs.values())) == len(pairs)
    for our, their in pairs.items():
        assert ours[0][our] == theirs[0][their]
        if our:
            assert pairs[ours[1][our]] == theirs[1][their]
