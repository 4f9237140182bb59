"""What can be seen below each node, as sums: the weight of a subtree is a difference of two of them.

The weight is the number of letters on the screen; a picture weighs as much as a short line, since a tile may be all
picture. Text that a reader does not see weighs nothing. Beside the sums stand the tags as small numbers. The elements
that have the most to show in children of one tag are where lists are looked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import invisible

PICTURE = 10
"""What a picture weighs, in letters."""

Shape = dict[int, float]
"""How often which tag stands at which level, damped: see `shape`."""

Sums = tuple[list[int], list[int], list[int], list[int], int]

Filled = tuple[float, int, float]
"""Less than 0 by how much an element shows in children of one tag, and how evenly; the element; and the most that any
list of its children can be worth, which is (1 − 1/n)² of all it shows, n the number of children that show something."""


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
    kinds: int
    """How many such numbers there are."""
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

    def letter_count(self, node: int) -> int:
        """The letters of all texts below a node, whether they are seen or not."""
        return self.letters[self.tree.end[node]] - self.letters[node]

    @cached_property
    def letters(self) -> list[int]:
        """Letters before each node; one entry more, for all of them."""
        return list(accumulate((len(text.strip()) for text in self.tree.text), initial=0))


def _outlined(tree: Tree) -> Sums:
    return _sums(tree.tag, tree.text, tree.end, tree.hidden, invisible(tree))


def evenly_filled(outline: Outline) -> list[Filled]:
    """The elements that have children of one tag to show, the best first."""
    tree = outline.tree
    return _evenly_filled(tree.body, tree.end, outline.before, outline.codes, outline.kinds)


def spread(outline: Outline, records: Sequence[Sequence[int]], power: float) -> tuple[int, float, int]:
    """What records weigh together, how many of similar weight that makes, and their links.

    Many of similar weight are (Σ w)² / Σ w², with w the weight to that power. A record is given by its top nodes.
    """
    return _spread(outline.tree.end, outline.before, outline.links, records, power)


def _spread(
    ends: list[int], before: list[int], links: list[int], records: Sequence[Sequence[int]], power: float
) -> tuple[int, float, int]:
    weight = held = 0
    total = squares = 0.0
    for record in records:
        start = record[0]
        stop = ends[record[-1]]
        held += links[stop] - links[start]
        own = before[stop] - before[start]
        weight += own
        damped = own**power
        total += damped
        squares += damped * damped
    return weight, total * total / squares if squares > 0.0 else 1.0, held


def _sums(tags: list[str], texts: list[str], ends: list[int], hidden: frozenset[int], skipped: frozenset[str]) -> Sums:
    count = len(tags)
    before = [0] * (count + 1)
    linked = [0] * (count + 1)
    links = [0] * (count + 1)
    codes = [0] * count
    known = {TEXT: 0}
    weight = in_links = seen = 0
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
            size = len(text)
            if size == 0 or text[0] <= " " or text[size - 1] <= " " or text[0] > "~" or text[size - 1] > "~":
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
    return before, linked, links, codes, len(known)


def _evenly_filled(body: int, ends: list[int], before: list[int], codes: list[int], kinds: int) -> list[Filled]:
    found: list[Filled] = []
    sums, squares = array("q", bytes(8 * kinds)), array("q", bytes(8 * kinds))
    seen: list[int] = []
    stop = ends[body]
    node = body
    while node < stop:
        end = ends[node]
        whole = before[end] - before[node]
        if whole == 0:
            node = end
            continue
        children = 0
        child = node + 1
        while child < end:
            after = ends[child]
            weight = before[after] - before[child]
            if weight > 0:
                children += 1
                code = codes[child]
                if code > 0:
                    if sums[code] == 0:
                        seen.append(code)
                    sums[code] += weight
                    squares[code] += weight * weight
            child = after
        best = 0.0
        for code in seen:
            total = sums[code]
            square = squares[code]
            sums[code] = squares[code] = 0
            if square < total * total:  # more than one
                score = total * (1.0 - square / (total * total)) ** 2
                if score > best:
                    best = score
        seen.clear()
        if best > 0.0:
            found.append((-best, node, whole * (1.0 - 1.0 / children) ** 2))
        node += 1
    found.sort()
    return found
