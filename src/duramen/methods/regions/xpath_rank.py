"""xpath-rank: the main data region is the parent of the most similar elements that one XPath selects.

Trieschnigg, Tjin-Kam-Jet and Hiemstra, "Ranking XPaths for extracting search result records", TR-CTIT-12-08, 2012: the
first baseline of Figueiredo et al., who give its idea and its three parameters. This is written from their account.
Each visible element gives two XPaths: the tags from the root down to it, and the same with its class. The elements that
an XPath selects are records if there are enough of them (`min_nodes`) and they are similar: elements whose mean
similarity to the others is below `min_similarity` are dropped, and the mean similarity of the rest must be at least
`mean_similarity`. The XPaths are ranked by that mean times the size of the records: their area on the screen, or the
length of their text if the page was not rendered.

The similarity of two elements is Dice's coefficient of the two bags of tag paths below them, down to five levels. The
region is the lowest element around the records.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Final

from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_visible_texts
from duramen.methods.regions.tag_path import number_tag_paths
from duramen.methods.registry import register

PROFILE_LEVELS: Final = 5
"""Depth to which the tag paths below an element are counted."""
MAX_COMPARED_NODES: Final = 20
"""Elements of an XPath that are compared with each other: a sample across all."""

PathCounts = Counter[int]
"""How often each tag path occurs below an element."""


@register
@dataclass(frozen=True)
class XpathRank:
    name: ClassVar[str] = "xpath-rank"
    summary: ClassVar[str] = "the home of the most similar elements that one XPath selects"
    paper: ClassVar[str] = "Trieschnigg et al., TR-CTIT-12-08, 2012; a baseline of Figueiredo et al."
    regional: ClassVar[bool] = True

    min_nodes: int = 3
    min_similarity: float = 0.55
    mean_similarity: float = 0.65

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        sizes = _measure_sizes(tree)
        groups = [group for group in _group_by_xpath(tree, sizes) if len(group) >= max(2, self.min_nodes)]
        profiles = _count_paths(tree, {node for group in groups for node in _sample(group)})
        best: tuple[float, float, list[int]] | None = None
        for group in groups:
            similarity, records = self._drop_outliers(group, profiles)
            if len(records) < self.min_nodes or similarity < self.mean_similarity:
                continue
            rank = similarity * sum(sizes[node] for node in records)
            if rank and (best is None or rank > best[0]):
                best = rank, similarity, records
        if best is None:
            return Content(page, self.name, f"no XPath selects {self.min_nodes} elements that are similar")
        _, similarity, records = best
        region = _lowest_element_around(tree, records)
        tag = tree.tag[records[0]]
        reason = f"{len(records)} {tag} elements of one path are similar ({similarity:.2f}) and fill more than others"
        return Content(page, self.name, reason, subtree(tree, region), similarity)

    def _drop_outliers(self, group: list[int], profiles: dict[int, PathCounts]) -> tuple[float, list[int]]:
        """The mean similarity of the elements that are similar to the others, and these elements."""
        sample = _sample(group)
        means = {}
        for node in sample:
            others = [_similarity(profiles[node], profiles[other]) for other in sample if other != node]
            means[node] = sum(others) / len(others)
        outliers = {node for node in sample if means[node] < self.min_similarity}
        rest = [means[node] for node in sample if node not in outliers]
        return (sum(rest) / len(rest) if rest else 0.0), [node for node in group if node not in outliers]


def _measure_sizes(tree: Tree) -> list[float]:
    """The size of each element: its area if the page was rendered, else the length of its text."""
    if tree.box is not None:
        return [0.0 if box is None else max(0.0, box[2] * box[3]) for box in tree.box]
    lengths = [0] * len(tree)
    for node in find_visible_texts(tree):
        lengths[node] = len(tree.text[node])
    sums = list(accumulate(lengths, initial=0))
    return [float(sums[tree.end[node]] - sums[node]) for node in range(len(tree))]


def _group_by_xpath(tree: Tree, sizes: Sequence[float]) -> Iterator[list[int]]:
    """The elements that each XPath selects, without elements of size 0."""
    by_path: defaultdict[int, list[int]] = defaultdict(list)
    by_class: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for node, path_id in number_tag_paths(tree, tree.body).items():
        if sizes[node]:
            by_path[path_id].append(node)
            if name := tree.attributes[node].get("class"):
                by_class[path_id, name].append(node)
    yield from by_path.values()
    yield from (group for (path_id, _), group in by_class.items() if len(group) < len(by_path[path_id]))


def _count_paths(tree: Tree, nodes: set[int]) -> dict[int, PathCounts]:
    """The tag paths below each of the elements, relative to it, counted."""
    ids: dict[tuple[int, str], int] = {}
    counts_of_node: dict[int, PathCounts] = {}
    for node in nodes:
        counts = Counter({-1: 1})
        path_ids = {node: -1}
        below, max_depth = node + 1, tree.depth[node] + PROFILE_LEVELS
        while below < tree.end[node]:
            if tree.depth[below] > max_depth:
                below = tree.end[tree.parent[below]]
                continue
            path_id = ids.setdefault((path_ids[tree.parent[below]], tree.tag[below]), len(ids))
            if tree.tag[below] != TEXT:
                path_ids[below] = path_id
            counts[path_id] += 1
            below += 1
        counts_of_node[node] = counts
    return counts_of_node


def _similarity(one: PathCounts, other: PathCounts) -> float:
    """Dice's coefficient of two bags of tag paths."""
    common = sum(min(count, other[path]) for path, count in one.items() if path in other)
    return 2 * common / (one.total() + other.total())


def _sample(group: list[int]) -> list[int]:
    step = max(1, len(group) // MAX_COMPARED_NODES)
    return group[::step][:MAX_COMPARED_NODES]


def _lowest_element_around(tree: Tree, nodes: list[int]) -> int:
    """The lowest element around all of the elements, which are in document order."""
    node = tree.common_ancestor(nodes[0], nodes[-1])
    return tree.parent[node] if node == nodes[0] else node
