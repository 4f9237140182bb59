"""What can be seen below each node, as sums: the weight of a subtree is a difference of two of them.

The weight is the number of letters on the screen; a picture weighs as much as a short line, since a tile may be all
picture. Text that a reader does not see weighs nothing. Beside the sums stand the tags as small numbers. The elements
that have the most to show in children of one tag are where lists are looked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from duramen.compiled import faster
from duramen.tree import TEXT, Tree
from duramen.visibility import invisible

PICTURE = 10
"""What a picture weighs, in letters."""

Shape = dict[int, float]
"""How often which tag stands at which level, damped: see `shape`."""


@dataclass(frozen=True, eq=False)
class Outline:
    """Sums over the nodes in document order: entry `i` is what stands before node `i`."""

    tree: Tree = field(repr=False)
    before: list[int] = field(repr=False)
    """Weight."""
    linked: list[int] = field(repr=False)
    """Weight inside links."""
    links: list[int] = field(repr=False)
    """Links."""
    codes: list[int] = field(repr=False)
    """Of each node its tag, as a number that holds for this page; text is 0."""
    shapes: dict[int, Shape] = field(default_factory=dict, repr=False)
    """Shapes of elements that were asked for."""

    @classmethod
    def of(cls, tree: Tree) -> Outline:
        return cls(tree, *_outlined(tree))

    def weight(self, node: int) -> int:
        return self.before[self.tree.end[node]] - self.before[node]

    def link_weight(self, node: int) -> int:
        return self.linked[self.tree.end[node]] - self.linked[node]

    def link_count(self, node: int) -> int:
        return self.links[self.tree.end[node]] - self.links[node]


@faster
def _outlined(tree: Tree) -> tuple[list[int], list[int], list[int], list[int]]:
    return _sums(tree.tag, tree.text, tree.end, tree.hidden, invisible(tree))


@faster
def evenly_filled(outline: Outline) -> list[tuple[float, int]]:
    """The elements that have children of one tag to show, each with how much and how evenly; the best first."""
    tree = outline.tree
    return _evenly_filled(tree.body, tree.end, tree.parent, outline.before, outline.codes)


def _sums(
    tags: list[str], texts: list[str], ends: list[int], hidden: frozenset[int], skipped: frozenset[str]
) -> tuple[list[int], list[int], list[int], list[int]]:
    count = len(tags)
    before = [0] * (count + 1)
    linked = [0] * (count + 1)
    links = [0] * (count + 1)
    codes = [0] * count
    known = {TEXT: 0}
    weight = in_links = seen = size = 0
    link_end = skip_end = -1
    for node in range(count):
        before[node] = weight
        linked[node] = in_links
        links[node] = seen
        if node < skip_end:
            continue
        tag = tags[node]
        code = known.get(tag)
        if code is None:
            code = known[tag] = len(known)
        codes[node] = code
        if code == 0:
            text = texts[node]
            size = len(text.strip())
        elif tag == "img":
            size = PICTURE
        else:
            if tag == "a":
                link_end = ends[node]
                seen += 1
            elif tag in skipped or (hidden and node in hidden):
                skip_end = ends[node]
            continue
        weight += size
        if node < link_end:
            in_links += size
    before[count] = weight
    linked[count] = in_links
    links[count] = seen
    return before, linked, links, codes


def _evenly_filled(
    body: int, ends: list[int], parents: list[int], before: list[int], codes: list[int]
) -> list[tuple[float, int]]:
    wide = 1024  # more tags than a page has
    sums: dict[int, int] = {}
    squares: dict[int, int] = {}
    stop = ends[body]
    node = body + 1
    while node < stop:
        end = ends[node]
        weight = before[end] - before[node]
        if weight == 0:
            node = end
            continue
        code = codes[node]
        if code != 0:
            key = parents[node] * wide + code % wide
            whole = sums.get(key)
            if whole is None:
                sums[key] = weight
                squares[key] = weight * weight
            else:
                sums[key] = whole + weight
                squares[key] += weight * weight
        node += 1
    best: dict[int, float] = {}
    for key, whole in sums.items():
        square = squares[key]
        total = whole
        if square < total * total:  # more than one
            score = total * (1.0 - square / (total * total)) ** 2
            above = key // wide
            if score > best.get(above, 0.0):
                best[above] = score
    return sorted([(-score, above) for above, score in best.items()])
