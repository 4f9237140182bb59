"""rendered-region: find the main data region by the area that elements fill on the screen.

Figueiredo, Ferreira and de Assis, "A Rendering-based Method for Selecting the Main Data Region in Web Pages". Every
element with at least `min_children` children of one tag is a candidate. Candidates that fill too little of the body's
area, height or width are dropped (their equations 1 to 3), then those around another candidate that fills much of them
(equation 4). Of the rest the one with the largest area is taken. From there at most `steps` ancestors are climbed,
up to the first under which there are, elsewhere, children similar to its own: records may be split over several
elements.

The method needs boxes, by `duramen.render`; without them the content is empty. What the paper leaves open, and what is
done here:

- Equation 4 says "parent", the text around it "prefix of other expression" and "ancestral": any ancestor is meant, and
  with the parent alone few pages come out right. `ancestors=no` is the letter of the equation.
- "Descendants of p similar to children of e", where e is the chosen element and p its ancestor: below p and outside e
  there is another candidate that the filters have left, whose children have a mean distance of at most `distance` from
  those of e (`similarity`). So it is in their figure 3: the filters leave two candidates, and their expressions are
  combined to one. If the children of dropped candidates counted, too, a menu would make the method climb.
- An element that is not on the screen has no area. A body without height, all of whose children float, is replaced by
  the root element for the measurements.
- The body is a candidate like any other; it is the answer when no candidate is left.

`without` switches stages off, as in their table IV: area, height, width, parent, climb; joined by + where a name is
given to a command: `rendered-region:without=area+climb`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Final

from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Box, Tree
from duramen.dom.visibility import find_visible_texts
from duramen.errors import UsageError
from duramen.methods.regions.similarity import IGNORED_TAGS, TwoLevelTree, mean_distance, two_level_tree
from duramen.methods.registry import register
from duramen.xpath import make_positional_xpath

STAGES: Final = ("area", "height", "width", "parent", "climb")
NO_RECORD_TAGS: Final = frozenset("input textarea select option link script style img td noscript".split())
"""Elements that are no records, whatever their number."""
MAX_COMPARED_TREES: Final = 50
"""Different trees among the records of one element that are compared, the most common ones."""


@register
@dataclass(frozen=True)
class RenderedRegion:
    name: ClassVar[str] = "rendered-region"
    summary: ClassVar[str] = "the element with repeated children that fills most of the screen; needs boxes"
    paper: ClassVar[str] = "Figueiredo, Ferreira and de Assis, A rendering-based method for the main data region"
    regional: ClassVar[bool] = True

    min_children: int = 3
    """Children of one tag that make an element a candidate (#min in the paper)."""
    area: float = 0.1
    """Least share of the area of the body."""
    height: float = 0.2
    """Least share of the height of the body."""
    width: float = 0.3
    """Least share of the width of the body."""
    parent: float = 0.2
    """Share of its area from which on a candidate inside another replaces it."""
    distance: float = 2.0
    """Largest mean edit distance of similar records (δmax in the paper)."""
    steps: int = 3
    """Ancestors that are climbed at most."""
    ancestors: bool = True
    """Whether equation 4 holds for all ancestors, and not for the parent alone."""
    without: frozenset[str] = frozenset()
    """Stages that are switched off."""

    def __post_init__(self) -> None:
        if unknown := self.without - {*STAGES}:
            raise UsageError(f"{self.name} has no stage {min(unknown)!r} to switch off: it has {', '.join(STAGES)}")

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        if tree.box is None:
            return Content(page, self.name, "the page has no boxes: use duramen.render, or the option --render")
        if not find_visible_texts(tree):
            return Content(page, self.name, "the page has no text")
        screen = _Screen(tree, tree.box)
        candidates = self._filter(screen, find_candidates(tree, self.min_children))
        if not candidates:
            reason = "no element with repeated children fills enough of the screen, so the body is taken"
            return Content(page, self.name, reason, subtree(tree, tree.body))
        areas = screen.areas
        best = max(candidates, key=lambda node: (areas[node], -node))
        other_areas = [areas[node] for node in candidates if node != best]
        region = best if "climb" in self.without else self._climb(tree, candidates, best)
        share = areas[best] / screen.body_area if screen.body_area else 0.0
        rank = f"the largest of {len(candidates)} candidates" if other_areas else "the only candidate left"
        reason = f"{rank}, it fills {share:.0%} of the body"
        if region != best:
            reason = f"there are records like those of {make_positional_xpath(tree, best)} elsewhere in it; {reason}"
        confidence = areas[best] / (areas[best] + max(other_areas, default=0.0)) if areas[best] else 0.0
        return Content(page, self.name, reason, subtree(tree, region), confidence)

    def _filter(self, screen: _Screen, candidates: list[int]) -> list[int]:
        """The candidates that equations 1 to 4 leave."""
        off = self.without
        kept = [
            node
            for node in candidates
            if ("area" in off or screen.areas[node] >= self.area * screen.body_area)
            and ("height" in off or screen.height(node) >= self.height * screen.body_height)
            and ("width" in off or screen.width(node) >= self.width * screen.body_width)
        ]
        if "parent" in off:
            return kept
        inner_areas = _find_largest_inside(screen, kept, any_depth=self.ancestors)
        return [node for node in kept if inner_areas[node] <= self.parent * screen.areas[node]]

    def _climb(self, tree: Tree, candidates: list[int], best: int) -> int:
        """The first ancestor with a candidate outside `best` that has similar records; `best` if there is none."""
        records = _count_record_trees(tree, best)
        node = below = best
        for _ in range(self.steps if records else 0):
            node = tree.parent[below]
            if node < tree.body:
                break
            before = candidates[bisect_right(candidates, node) : bisect_left(candidates, below)]
            after = candidates[bisect_left(candidates, tree.end[below]) : bisect_left(candidates, tree.end[node])]
            for other in (*before, *after):
                other_records = _count_record_trees(tree, other)
                if other_records and mean_distance(records, other_records) <= self.distance:
                    return node
            below = node
        return best


def find_candidates(tree: Tree, min_children: int) -> list[int]:
    """The elements, from the body down, with enough children of one tag that could be records."""
    counts: Counter[tuple[int, str]] = Counter()
    candidates = set()
    for node in range(tree.body + 1, tree.end[tree.body]):
        tag = tree.tag[node]
        if tag == TEXT or tag in NO_RECORD_TAGS:
            continue
        counts[tree.parent[node], tag] += 1
        if counts[tree.parent[node], tag] >= min_children:
            candidates.add(tree.parent[node])
    return sorted(candidates)


class _Screen:
    """Areas, heights and widths of the elements and of the body."""

    def __init__(self, tree: Tree, boxes: list[Box | None]) -> None:
        self.tree = tree
        self._boxes = boxes
        self.areas = [0.0 if box is None else max(0.0, box[2] * box[3]) for box in boxes]
        body = tree.body if self.areas[tree.body] else 0
        self.body_area, self.body_height, self.body_width = self.areas[body], self.height(body), self.width(body)

    def height(self, node: int) -> float:
        box = self._boxes[node]
        return 0.0 if box is None else box[3]

    def width(self, node: int) -> float:
        box = self._boxes[node]
        return 0.0 if box is None else box[2]


def _find_largest_inside(screen: _Screen, candidates: list[int], *, any_depth: bool) -> list[float]:
    """For each node the largest area of a candidate inside it: at any depth, or among its children."""
    parents = screen.tree.parent
    largest = [0.0] * len(parents)
    chosen = set(candidates)
    for node in range(len(parents) - 1, 0, -1):
        above = parents[node]
        if node in chosen and screen.areas[node] > largest[above]:
            largest[above] = screen.areas[node]
        if any_depth and largest[node] > largest[above]:
            largest[above] = largest[node]
    return largest


def _count_record_trees(tree: Tree, node: int) -> Counter[TwoLevelTree]:
    """The children of a node that could be records, as the number of records of each two-level tree."""
    if tree.end[node] == node + 1:
        return Counter()
    excluded = NO_RECORD_TAGS | IGNORED_TAGS
    trees = Counter(
        two_level_tree(tree, child)
        for child in tree.children(node)
        if tree.tag[child] != TEXT and tree.tag[child] not in excluded
    )
    return trees if len(trees) <= MAX_COMPARED_TREES else Counter(dict(trees.most_common(MAX_COMPARED_TREES)))
