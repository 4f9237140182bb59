"""Assign the boxes and styles that Chromium measures on a page to the elements of a Tree.

A script visits all elements in document order and records tag, parent, box and style of each. It runs in an isolated
world, which scripts of the page cannot reach. Chromium's `DOMSnapshot.captureSnapshot` gives the same with all
attributes and texts, and takes twice as long.

Both trees are built by the parser of the HTML standard, so the n-th elements correspond and have the same tag and
parent. That is checked. Where it does not hold (a page nested deeper than 512 elements, a tree built by scripts), the
trees are matched from the root down: the children of a matched pair are matched from the front and from the back while
their tags agree; children in between have no box.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from duramen.dom.tree import TEXT, Box, Style, Tree

# The properties of a form or a document can be shadowed by named fields: only methods of the prototypes are safe.
MEASURE = """(() => {
    const elements = Document.prototype.getElementsByTagName.call(document, '*');
    const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get;
    const nameOf = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeName').get;
    const {getBoundingClientRect: boxOf, getClientRects: partsOf, checkVisibility: isShown} = Element.prototype;
    const places = new Map(), tags = [], parents = [], placed = [], sides = [];
    const looks = new Map(), lookOf = [];
    let place = 0;
    for (const element of elements) {
        places.set(element, place);
        tags.push(nameOf.call(element));
        parents.push(places.get(parentOf.call(element)) ?? -1);
        if (isShown.call(element, {contentVisibilityAuto: true})) {  // to measure what is closed would lay it out
            const {x, y, width, height} = boxOf.call(element);
            if (width || height || partsOf.call(element).length) {
                placed.push(place);
                sides.push(x + scrollX, y + scrollY, width, height);
                const style = getComputedStyle(element);
                const look = [style.fontSize, style.fontWeight, style.backgroundColor].join('|');
                if (!looks.has(look)) looks.set(look, looks.size);
                lookOf.push(looks.get(look));
            }
        }
        place++;
    }
    return JSON.stringify({tags: tags.join(' '), parents, placed, sides, looks: [...looks.keys()], lookOf});
})()"""

TreeShape = tuple[list[str], list[int]]
"""Of each element, in document order: its tag, and the index of its parent."""


class Layout(NamedTuple):
    """The box and the style of each node; None for what is not visible."""

    box: list[Box | None]
    style: list[Style | None]
    unplaced: int
    """The number of elements without a counterpart in Chromium's tree."""


def match_layout(measured: str, tree: Tree) -> Layout:
    """Return the boxes and styles of the nodes of a tree."""
    layout = json.loads(measured)
    theirs = layout["tags"].lower().split(" "), layout["parents"]
    elements, ours = _shape(tree)
    sides = [round(side, 2) for side in layout["sides"]]
    boxes: list[Box | None] = [None] * len(theirs[0])
    styles: list[Style | None] = [None] * len(theirs[0])
    looks = [_read_style(look) for look in layout["looks"]]
    placed = zip(layout["placed"], zip(*[iter(sides)] * 4, strict=True), layout["lookOf"], strict=True)
    for place, box, look in placed:
        boxes[place], styles[place] = box, looks[look]
    pairs = [(place, place) for place in range(len(elements))] if ours == theirs else match_trees(ours, theirs)
    matched = Layout([None] * len(tree), [None] * len(tree), len(elements) - len(pairs))
    for our, their in pairs:
        matched.box[elements[our]], matched.style[elements[our]] = boxes[their], styles[their]
    return matched


def _read_style(look: str) -> Style:
    size, weight, background = look.split("|")
    number = float(size.removesuffix("px") or 0)
    is_transparent = background in ("", "transparent") or background.replace(" ", "").endswith(",0)")
    return Style(round(number, 2), int(float(weight or 400)), "" if is_transparent else background)


def match_trees(ours: TreeShape, theirs: TreeShape) -> list[tuple[int, int]]:
    """Return pairs of corresponding elements of two trees, from the root down."""
    if not ours[0] or not theirs[0] or ours[0][0] != theirs[0][0]:
        return []
    our_children, their_children = _children(ours[1]), _children(theirs[1])
    pairs = [(0, 0)]
    for our, their in pairs:  # grows as it is read
        mine, others = our_children[our], their_children[their]
        my_tags, other_tags = [ours[0][i] for i in mine], [theirs[0][i] for i in others]
        front = _count_equal(my_tags, other_tags)
        back = _count_equal(my_tags[front:][::-1], other_tags[front:][::-1])
        pairs += zip(mine[:front], others[:front], strict=True)
        if back:
            pairs += zip(mine[-back:], others[-back:], strict=True)
    return pairs


def _count_equal(first: Sequence[str], second: Sequence[str]) -> int:
    """Count the equal items at the start of two lists."""
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


def _shape(tree: Tree) -> tuple[list[int], TreeShape]:
    elements = [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    place = {node: i for i, node in enumerate(elements)}
    parents = [place.get(tree.parent[node], -1) for node in elements]
    return elements, ([tree.tag[node].lower() for node in elements], parents)
