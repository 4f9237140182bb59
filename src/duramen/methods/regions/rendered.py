"""The main data region by the area that elements fill on the screen.

Figueiredo, Ferreira and de Assis, "A Rendering-based Method for Selecting the Main Data Region in Web Pages". Every
element with at least `min_children` children of one tag is a candidate. Those that fill too little of the body's area,
height or width are dropped (their equations 1 to 3), then those around another candidate that fills much of them
(equation 4). Of the rest the one with the largest area is taken. From there at most `steps` ancestors are climbed,
up to the first under which there are, elsewhere, children like its own: records may be split over several elements.

Needs boxes, by `duramen.render`; without them nothing is found. What the paper leaves open, and what is done here:

- Equation 4 says "parent", the text around it "prefix of other expression" and "ancestral": any ancestor is meant, and
  with the parent alone few pages come out right. `ancestors=no` is the letter of the equation.
- "Descendants of p similar to children of e", where e is the element chosen and p its ancestor: below p and outside e
  there is another candidate that the filters have left, whose children are on average no farther than `distance` from
  those of e (`regions.two_levels`). So it is in their figure 3: the filters leave two candidates, and their expressions
  are combined to one. If an element that was filtered out may lend its children, a menu makes the page climb.
- An element that is not on the screen has no area. A body without height, all of whose elements float, is measured by
  the root.
- The body is a candidate like any other; it is the answer when no candidate is left.

`without` switches stages off, as in their table IV: area, height, width, parent, climb; joined by + where a name is
given to a command: `rendered-region:without=area+climb`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Box, Tree
from duramen.dom.visibility import text_nodes
from duramen.errors import UsageError
from duramen.methods.regions.similarity import IGNORED, Shape, mean_distance, shape
from duramen.methods.registry import register
from duramen.xpath import positional

STAGES = ("area", "height", "width", "parent", "climb")

NO_RECORDS = frozenset("input textarea select option link script style img td noscript".split())
"""Elements that are no records, whatever their number."""

_MOST_SHAPES = 50
"""Of the records of one element, this many of the commonest shapes are compared."""


@register
@dataclass(frozen=True)
class RenderedRegion:
    name: ClassVar[str] = "rendered-region"
    summary: ClassVar[str] = "the element with repeated children that fills most of the screen; needs boxes"
    paper: ClassVar[str] = "Figueiredo, Ferreira and de Assis, A rendering-based method for the main data region"
    regional: ClassVar[bool] = True

    min_children: int = 3
    area: float = 0.1
    height: float = 0.2
    width: float = 0.3
    parent: float = 0.2
    distance: float = 2.0
    steps: int = 3
    ancestors: bool = True
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if unknown := self.without - {*STAGES}:
            raise UsageError(f"{self.name} has no stage {min(unknown)!r} to do without: it has {', '.join(STAGES)}")

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        if tree.box is None:
            return Content(page, self.name, "the page has no boxes: duramen.render, or --render, gives them")
        if not text_nodes(tree):
            return Content(page, self.name, "the page has no text")
        screen = _Screen(tree, tree.box)
        found = candidates(tree, self.min_children)
        left = self._filtered(screen, found)
        if not left:
            reason = "no element with repeated children fills enough of the screen, so the body is taken"
            return Content(page, self.name, reason, subtree(tree, tree.body))
        areas = screen.area
        best = max(left, key=lambda node: (areas[node], -node))
        others = [areas[node] for node in left if node != best]
        region = best if "climb" in self.without else self._climbed(tree, left, best)
        share = areas[best] / screen.body[0] if screen.body[0] else 0.0
        rank = f"the largest of {len(left)} candidates" if others else "the only candidate left"
        reason = f"{rank}, it fills {share:.0%} of the body"
        if region != best:
            reason = f"there are records like those of {positional(tree, best)} elsewhere in it; {reason}"
        confidence = areas[best] / (areas[best] + max(others, default=0.0)) if areas[best] else 0.0
        return Content(page, self.name, reason, subtree(tree, region), confidence)

    def _filtered(self, screen: _Screen, found: list[int]) -> list[int]:
        """What equations 1 to 4 leave of the candidates."""
        area, height, width = screen.body
        off = self.without
        kept = [
            node
            for node in found
            if ("area" in off or screen.area[node] >= self.area * area)
            and ("height" in off or screen.height(node) >= self.height * height)
            and ("width" in off or screen.width(node) >= self.width * width)
        ]
        if "parent" in off:
            return kept
        inside = _largest_inside(screen, kept, any_depth=self.ancestors)
        return [node for node in kept if inside[node] <= self.parent * screen.area[node]]

    def _climbed(self, tree: Tree, left: list[int], best: int) -> int:
        """The first of the ancestors below which, outside `best`, a candidate left has records like those of `best`."""
        mine = _records(tree, best)
        node = below = best
        for _ in range(self.steps if mine else 0):
            node = tree.parent[below]
            if node < tree.body:
                break
            before = left[bisect_right(left, node) : bisect_left(left, below)]
            after = left[bisect_left(left, tree.end[below]) : bisect_left(left, tree.end[node])]
            for other in (*before, *after):
                theirs = _records(tree, other)
                if theirs and mean_distance(mine, theirs) <= self.distance:
                    return node
            below = node
        return best


def candidates(tree: Tree, least: int) -> list[int]:
    """The elements, from the body down, with at least so many children of one tag that could be records."""
    counts: Counter[tuple[int, str]] = Counter()
    found = set()
    for node in range(tree.body + 1, tree.end[tree.body]):
        tag = tree.tag[node]
        if tag == TEXT or tag in NO_RECORDS:
            continue
        counts[tree.parent[node], tag] += 1
        if counts[tree.parent[node], tag] >= least:
            found.add(tree.parent[node])
    return sorted(found)


class _Screen:
    """Areas, heights and widths of elements, and those of the body, which they are measured by."""

    def __init__(self, tree: Tree, box: list[Box | None]) -> None:
        self.tree = tree
        self._box = box
        self.area = [0.0 if found is None else max(0.0, found[2] * found[3]) for found in box]
        by = tree.body if self.area[tree.body] else 0
        self.body = self.area[by], self.height(by), self.width(by)

    def height(self, node: int) -> float:
        found = self._box[node]
        return 0.0 if found is None else found[3]

    def width(self, node: int) -> float:
        found = self._box[node]
        return 0.0 if found is None else found[2]


def _largest_inside(screen: _Screen, kept: list[int], *, any_depth: bool) -> list[float]:
    """For each node the largest area of a candidate inside it: at any depth, or among its children."""
    parent = screen.tree.parent
    inside = [0.0] * len(parent)
    chosen = set(kept)
    for node in range(len(parent) - 1, 0, -1):
        above = parent[node]
        if node in chosen and screen.area[node] > inside[above]:
            inside[above] = screen.area[node]
        if any_depth and inside[node] > inside[above]:
            inside[above] = inside[node]
    return inside


def _records(tree: Tree, node: int) -> Counter[Shape]:
    """The shapes of the children of a node that could be records, and how many there are of each."""
    if tree.end[node] == node + 1:
        return Counter()
    left_out = NO_RECORDS | IGNORED
    shapes = Counter(
        shape(tree, child)
        for child in tree.children(node)
        if tree.tag[child] != TEXT and tree.tag[child] not in left_out
    )
    return shapes if len(shapes) <= _MOST_SHAPES else Counter(dict(shapes.most_common(_MOST_SHAPES)))
