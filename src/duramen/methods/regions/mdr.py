"""MDR: find the data regions of a subtree by comparing the tag strings of adjacent siblings.

Liu, Grossman and Zhai, "Mining data records in web pages", KDD 2003. A *generalized node* is 1 to `MAX_SIZE` adjacent
siblings. Adjacent generalized nodes of one size are compared by the edit distance of their tag strings, divided by the
mean of their lengths; a run of them with distances of at most `threshold` is a *data region*. Velloso and Dorneles
(JIDM 2013) apply it to what their segmentation by tag paths leaves of a page: `tag-path:mdr=yes`.

MDR has no main region; here it is the one with the most tags. Tag strings are cut at `MAX_TAGS` tags, and the distances
of different strings are computed at most `MAX_DISTANCES` times, so that no page takes long; after that only equal
strings are similar. Records that are not adjacent (section 3.3 of their paper) are left out: they are no matter of the
region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Tree

MAX_SIZE: Final = 4
MAX_TAGS: Final = 60
MAX_DISTANCES: Final = 3_000
DEFAULT_THRESHOLD: Final = 0.3
"""Their value."""

TagString = tuple[str, ...]


class DataRegion(NamedTuple):
    """Adjacent siblings that are a run of similar generalized nodes."""

    parent: int
    nodes: range
    """From the first sibling to the end of the last."""
    size: int
    """Siblings in each generalized node."""
    repeats: int
    """The number of generalized nodes."""


def find_main_data_region(tree: Tree, nodes: range, threshold: float = DEFAULT_THRESHOLD) -> DataRegion | None:
    """Return the data region with the most nodes among these nodes; None if there is none."""
    comparer = _Comparer(threshold)
    children: dict[int, list[int]] = {}
    for node in nodes:
        if tree.tag[node] != TEXT:
            children.setdefault(tree.parent[node], []).append(node)
    best: DataRegion | None = None
    for parent, siblings in children.items():
        if len(siblings) < 2:
            continue
        strings = [_read_tag_string(tree, node) for node in siblings]
        for size in range(1, min(MAX_SIZE, len(siblings) // 2) + 1):
            for first in range(size):
                for start, count in comparer.find_runs(strings, first, size):
                    last = siblings[start + count * size - 1]
                    region = DataRegion(parent, range(siblings[start], tree.end[last]), size, count)
                    if best is None or len(region.nodes) > len(best.nodes):
                        best = region
    return best


def _read_tag_string(tree: Tree, node: int) -> TagString:
    tags: list[str] = []
    for below in range(node, tree.end[node]):
        if tree.tag[below] != TEXT:
            tags.append(tree.tag[below])
            if len(tags) == MAX_TAGS:
                break
    return tuple(tags)


@dataclass
class _Comparer:
    threshold: float
    _known: dict[tuple[TagString, TagString], bool] = field(default_factory=dict)

    def find_runs(self, strings: Sequence[TagString], first: int, size: int) -> list[tuple[int, int]]:
        """Return the runs of similar generalized nodes: the first sibling, and the number of nodes."""
        runs: list[tuple[int, int]] = []
        starts = range(first, len(strings) - size + 1, size)
        joined = [sum(strings[start : start + size], ())[:MAX_TAGS] for start in starts]
        count = 1
        for place in range(1, len(joined) + 1):
            if place < len(joined) and self.is_similar(joined[place - 1], joined[place]):
                count += 1
                continue
            if count > 1:
                runs.append((starts[place - count], count))
            count = 1
        return runs

    def is_similar(self, first: TagString, second: TagString) -> bool:
        if first == second:
            return True
        mean = (len(first) + len(second)) / 2
        if abs(len(first) - len(second)) > self.threshold * mean or len(self._known) >= MAX_DISTANCES:
            return False
        key = first, second
        if key not in self._known:
            self._known[key] = compute_edit_distance(first, second) <= self.threshold * mean
        return self._known[key]


def compute_edit_distance(first: TagString, second: TagString) -> int:
    """Return the number of insertions, deletions and substitutions between two tag strings."""
    row = list(range(len(second) + 1))
    for number, tag in enumerate(first, 1):
        previous, row[0] = row[0], number
        for place, other in enumerate(second, 1):
            previous, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, previous + (tag != other)),
            )
    return row[-1]
