"""From Chromium's snapshot of a page to a box for each element of a Tree.

Both trees are made by the HTML standard's parser, so the n-th element of the one is the n-th of the other, and has the
same tag and the same parent. That is checked. Where it does not hold (a page nested deeper than 512 elements, a script
that has built what no HTML says), the trees are laid on each other from the root down: the children of a pair are
paired from the front and from the back, as long as their tags agree; what remains in the middle has no box.
"""

from __future__ import annotations

from collections.abc import Sequence

from duramen.rendering.pipe import Message
from duramen.tree import TEXT, Box, Tree

_ELEMENT = 1

Shape = tuple[list[str], list[int]]
"""Of each element, in document order: its tag, and the place of its parent."""


def lay_over(snapshot: Message, tree: Tree) -> tuple[list[Box | None], int]:
    """A box for each node of the tree that has one, and how many elements have no counterpart in the snapshot."""
    document = snapshot["documents"][0]
    nodes, theirs = _elements(document["nodes"], snapshot["strings"])
    elements, ours = _shape(tree)
    bounds = _bounds(document["layout"])
    found: list[Box | None] = [None] * len(tree)
    if ours == theirs:
        for element, node in zip(elements, nodes, strict=True):
            found[element] = bounds.get(node)
        return found, 0
    pairs = pair(ours, theirs)
    for our, their in pairs:
        found[elements[our]] = bounds.get(nodes[their])
    return found, len(elements) - len(pairs)


def pair(ours: Shape, theirs: Shape) -> list[tuple[int, int]]:
    """The places of elements that stand at the same place in two trees, from the root down."""
    if not ours[0] or not theirs[0] or ours[0][0] != theirs[0][0]:
        return []
    our_children, their_children = _children(ours[1]), _children(theirs[1])
    pairs = [(0, 0)]
    for our, their in pairs:  # grows as it is read
        mine, others = our_children[our], their_children[their]
        my_tags, other_tags = [ours[0][i] for i in mine], [theirs[0][i] for i in others]
        front = _agreeing(my_tags, other_tags)
        back = _agreeing(my_tags[front:][::-1], other_tags[front:][::-1])
        pairs += zip(mine[:front], others[:front], strict=True)
        if back:
            pairs += zip(mine[-back:], others[-back:], strict=True)
    return pairs


def _agreeing(first: Sequence[str], second: Sequence[str]) -> int:
    """How many of the first words of two lists are the same."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _children(parents: list[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in parents]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    return children


def _shape(tree: Tree) -> tuple[list[int], Shape]:
    elements = [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    place = {node: i for i, node in enumerate(elements)}
    parents = [place.get(tree.parent[node], -1) for node in elements]
    return elements, ([tree.tag[node].lower() for node in elements], parents)


def _elements(nodes: Message, strings: list[str]) -> tuple[list[int], Shape]:
    """The snapshot's elements as they stand in HTML: no comments, nothing that style or a shadow tree has added."""
    added = {*nodes.get("pseudoType", {}).get("index", ()), *nodes.get("shadowRootType", {}).get("index", ())}
    kinds, names, above = nodes["nodeType"], nodes["nodeName"], nodes["parentIndex"]
    place: dict[int, int] = {}
    found: list[int] = []
    tags: list[str] = []
    parents: list[int] = []
    for node, kind in enumerate(kinds):
        parent = above[node]
        if kind != _ELEMENT or node in added:
            continue
        if found and parent not in place:  # in a shadow tree, or in the inert contents of a template
            continue
        place[node] = len(found)
        found.append(node)
        tags.append(strings[names[node]].lower())
        parents.append(place.get(parent, -1))
    return found, (tags, parents)


def _bounds(layout: Message) -> dict[int, Box]:
    """The box of each node that is laid out; around all its parts where it has several."""
    found: dict[int, Box] = {}
    for node, (x, y, width, height) in zip(layout["nodeIndex"], layout["bounds"], strict=True):
        box = (round(x, 2), round(y, 2), round(width, 2), round(height, 2))
        known = found.get(node)
        found[node] = box if known is None else _around(known, box)
    return found


def _around(one: Box, other: Box) -> Box:
    x, y = min(one[0], other[0]), min(one[1], other[1])
    right, bottom = max(one[0] + one[2], other[0] + other[2]), max(one[1] + one[3], other[1] + other[3])
    return x, y, right - x, bottom - y
