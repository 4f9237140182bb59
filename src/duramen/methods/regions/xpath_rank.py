"""The main data region as the home of the most similar elements that one expression selects.

Trieschnigg, Tjin-Kam-Jet and Hiemstra, "Ranking XPaths for extracting search result records", TR-CTIT-12-08, 2012: the
first baseline of Figueiredo et al., who give its idea and its three parameters. This is written from their account.
Each element on the screen gives two expressions: the tags from the root down to it, and these with its own class. What
an expression selects are records if there are enough of them (`min_nodes`) and they are alike: elements that are less
like the others than `min_similarity` do not count, and the mean similarity of the rest is at least `mean_similarity`.
The expressions are ranked by that mean times what the records fill: of the screen, or of the text where the page has
no boxes.

Two elements are as alike as the tag paths, down to five levels, below them (Dice's coefficient of the two bags).
The region is the lowest element around the records.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import text_nodes
from duramen.methods.regions.path_counts import symbols
from duramen.methods.registry import register

_LEVELS = 5
_COMPARED = 20
"""Of the elements that an expression selects, this many are compared with each other: a sample across all."""


@register
@dataclass(frozen=True)
class XpathRank:
    name: ClassVar[str] = "xpath-rank"
    summary: ClassVar[str] = "the home of the most similar elements that one expression selects"
    paper: ClassVar[str] = "Trieschnigg et al., TR-CTIT-12-08, 2012; a baseline of Figueiredo et al."
    regional: ClassVar[bool] = True

    min_nodes: int = 3
    min_similarity: float = 0.55
    mean_similarity: float = 0.65

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        sizes = _sizes(tree)
        groups = [group for group in _groups(tree, sizes) if len(group) >= max(2, self.min_nodes)]
        best: tuple[float, float, list[int]] | None = None
        profiles = _profiles(tree, {node for group in groups for node in _sample(group)})
        for group in groups:
            similarity, alike = self._alike(group, profiles)
            if len(alike) < self.min_nodes or similarity < self.mean_similarity:
                continue
            rank = similarity * sum(sizes[node] for node in alike)
            if rank and (best is None or rank > best[0]):
                best = rank, similarity, alike
        if best is None:
            return Content(page, self.name, f"no expression selects {self.min_nodes} elements that are alike")
        _, similarity, alike = best
        region = _home(tree, alike)
        what = tree.tag[alike[0]]
        reason = f"{len(alike)} {what} elements of one path are alike ({similarity:.2f}) and fill more than others"
        return Content(page, self.name, reason, subtree(tree, region), similarity)

    def _alike(self, group: list[int], profiles: dict[int, Counter[int]]) -> tuple[float, list[int]]:
        """The mean similarity of the elements that are like the others, and these elements."""
        sample = _sample(group)
        means = {}
        for node in sample:
            others = [_similarity(profiles[node], profiles[other]) for other in sample if other != node]
            means[node] = sum(others) / len(others)
        outliers = {node for node in sample if means[node] < self.min_similarity}
        rest = [means[node] for node in sample if node not in outliers]
        return (sum(rest) / len(rest) if rest else 0.0), [node for node in group if node not in outliers]


def _sizes(tree: Tree) -> list[float]:
    """What each element fills: of the screen where that is known, else of the text."""
    if tree.box is not None:
        return [0.0 if box is None else max(0.0, box[2] * box[3]) for box in tree.box]
    lengths = [0] * len(tree)
    for node in text_nodes(tree):
        lengths[node] = len(tree.text[node])
    before = list(accumulate(lengths, initial=0))
    return [float(before[tree.end[node]] - before[node]) for node in range(len(tree))]


def _groups(tree: Tree, sizes: Sequence[float]) -> Iterator[list[int]]:
    """The elements that each expression selects, of those that fill anything."""
    by_path: defaultdict[int, list[int]] = defaultdict(list)
    by_class: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for node, symbol in symbols(tree, tree.body).items():
        if sizes[node]:
            by_path[symbol].append(node)
            if name := tree.attributes[node].get("class"):
                by_class[symbol, name].append(node)
    yield from by_path.values()
    yield from (group for (symbol, _), group in by_class.items() if len(group) < len(by_path[symbol]))


def _profiles(tree: Tree, nodes: set[int]) -> dict[int, Counter[int]]:
    """Of some elements, the tag paths of what is below them, counted from each of them down."""
    known: dict[tuple[int, str], int] = {}
    found: dict[int, Counter[int]] = {}
    for node in nodes:
        profile = Counter({-1: 1})
        paths = {node: -1}
        below, limit = node + 1, tree.depth[node] + _LEVELS
        while below < tree.end[node]:
            if tree.depth[below] > limit:
                below = tree.end[tree.parent[below]]
                continue
            symbol = known.setdefault((paths[tree.parent[below]], tree.tag[below]), len(known))
            if tree.tag[below] != TEXT:
                paths[below] = symbol
            profile[symbol] += 1
            below += 1
        found[node] = profile
    return found


def _similarity(one: Counter[int], other: Counter[int]) -> float:
    common = sum(min(count, other[path]) for path, count in one.items() if path in other)
    return 2 * common / (one.total() + other.total())


def _sample(group: list[int]) -> list[int]:
    step = max(1, len(group) // _COMPARED)
    return group[::step][:_COMPARED]


def _home(tree: Tree, nodes: list[int]) -> int:
    """The lowest element around all of the elements, which are in document order."""
    node = tree.common_ancestor(nodes[0], nodes[-1])
    return tree.parent[node] if node == nodes[0] else node
