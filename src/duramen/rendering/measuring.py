"""From what Chromium measures on a page to a box for each element of a Tree.

A few lines of JavaScript go over all elements in document order and write down tag, parent and box of each. They run in
a world of their own, which no script of the page can reach, and which is there even where the page has none. Chromium's
`DOMSnapshot.captureSnapshot` says the same among much else, all attributes and texts, and takes twice as long.

Both trees are made by the HTML standard's parser, so the n-th element of the one is the n-th of the other, and has the
same tag and the same parent. That is checked. Where it does not hold (a page nested deeper than 512 elements, a script
that has built what no HTML says), the trees are laid on each other from the root down: the children of a pair are
paired from the front and from the back, as long as their tags agree; what remains in the middle has no box.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from duramen.dom.tree import TEXT, Box, Tree

# A form and the document have fields and pictures for properties, by their names: no method is safe but a prototype's.
MEASURE = """(() => {
    const elements = Document.prototype.getElementsByTagName.call(document, '*');
    const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get;
    const nameOf = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeName').get;
    const {getBoundingClientRect: boxOf, getClientRects: partsOf, checkVisibility: isShown} = Element.prototype;
    const places = new Map(), tags = [], parents = [], placed = [], sides = [];
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
            }
        }
        place++;
    }
    return JSON.stringify({tags: tags.join(' '), parents, placed, sides});
})()"""

Shape = tuple[list[str], list[int]]
"""Of each element, in document order: its tag, and the place of its parent."""


def lay_over(measured: str, tree: Tree) -> tuple[list[Box | None], int]:
    """A box for each node of the tree that has one, and how many elements have no counterpart in Chromium's tree."""
    said = json.loads(measured)
    theirs = said["tags"].lower().split(" "), said["parents"]
    elements, ours = _shape(tree)
    sides = [round(side, 2) for side in said["sides"]]
    boxes: list[Box | None] = [None] * len(theirs[0])
    for place, box in zip(said["placed"], zip(*[iter(sides)] * 4, strict=True), strict=True):
        boxes[place] = box
    found: list[Box | None] = [None] * len(tree)
    if ours == theirs:
        for element, their_box in zip(elements, boxes, strict=True):
            found[element] = their_box
        return found, 0
    pairs = pair(ours, theirs)
    for our, their in pairs:
        found[elements[our]] = boxes[their]
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
