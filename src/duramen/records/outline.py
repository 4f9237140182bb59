"""What can be seen below each node, as sums: the weight of a subtree is a difference of two of them.

The weight is the number of letters on the screen; a picture weighs as much as a short line, since a tile may be all
picture. Text that a reader does not see weighs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from duramen.tree import TEXT, Tree
from duramen.visibility import invisible

PICTURE = 10
"""What a picture weighs, in letters."""


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

    @classmethod
    def of(cls, tree: Tree) -> Outline:
        return cls(tree, *_sums(tree.tag, tree.text, tree.end, tree.hidden, invisible(tree)))

    def weight(self, node: int) -> int:
        return self.before[self.tree.end[node]] - self.before[node]

    def link_weight(self, node: int) -> int:
        return self.linked[self.tree.end[node]] - self.linked[node]

    def link_count(self, node: int) -> int:
        return self.links[self.tree.end[node]] - self.links[node]


def _sums(
    tags: list[str], texts: list[str], ends: list[int], hidden: frozenset[int], skipped: frozenset[str]
) -> tuple[list[int], list[int], list[int]]:
    count = len(tags)
    before = [0] * (count + 1)
    linked = [0] * (count + 1)
    links = [0] * (count + 1)
    weight = in_links = seen = 0
    link_end = skip_end = -1
    for node in range(count):
        before[node] = weight
        linked[node] = in_links
        links[node] = seen
        if node < skip_end:
            continue
        tag = tags[node]
        if tag == TEXT:
            size = len(texts[node].strip())
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
    return before, linked, links
