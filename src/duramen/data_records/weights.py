"""Weights of subtrees by prefix sums: the weight of a subtree is the difference of two sums.

The weight of a node is the number of visible characters in it. An image weighs as much as a short line, because a tile
may consist of an image alone. Invisible text weighs nothing. Each tag has a small integer id beside the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_invisible_tags

IMAGE_WEIGHT_CHARS: Final = 10
"""Weight of an image in characters."""

Signature = dict[int, float]
"""Damped count of each tag at each level of a subtree: see `similarity.signature_of`."""


@dataclass(frozen=True, eq=False)
class SubtreeWeights:
    """Prefix sums over the nodes in document order: entry `i` is the sum over all nodes before node `i`."""

    tree: Tree = field(repr=False)
    weight_sums: list[int] = field(repr=False)
    link_weight_sums: list[int] = field(repr=False)
    """Weight inside links."""
    link_count_sums: list[int] = field(repr=False)
    tag_ids: list[int] = field(repr=False)
    """An integer for the tag of each node, valid for this page; 0 for text nodes and for invisible nodes."""
    tag_count: int
    """Number of different tag ids."""
    signatures: dict[int, Signature] = field(default_factory=dict, repr=False)
    """Cache of the signatures computed so far, by node."""

    @classmethod
    def of(cls, tree: Tree) -> SubtreeWeights:
        """Compute the sums of a page in one pass."""
        tags, texts, ends, hidden, invisible_tags = (
            tree.tag,
            tree.text,
            tree.end,
            tree.hidden,
            find_invisible_tags(tree),
        )
        node_count = len(tags)
        weight_sums = [0] * (node_count + 1)
        link_weight_sums = [0] * (node_count + 1)
        link_count_sums = [0] * (node_count + 1)
        tag_ids = [0] * node_count
        known_ids = {TEXT: 0}
        weight = link_weight = link_count = 0
        link_end = invisible_end = -1
        for node in range(node_count):
            weight_sums[node] = weight
            link_weight_sums[node] = link_weight
            link_count_sums[node] = link_count
            if node < invisible_end:
                continue
            tag = tags[node]
            tag_id = known_ids.get(tag)
            if tag_id is None:
                tag_id = known_ids[tag] = len(known_ids)
            tag_ids[node] = tag_id
            if tag_id == 0:
                own_weight = len(texts[node].strip())
            elif tag == "img":
                own_weight = IMAGE_WEIGHT_CHARS
            else:
                if tag == "a":
                    link_end = ends[node]
                    link_count += 1
                elif tag in invisible_tags or node in hidden:
                    invisible_end = ends[node]
                continue
            weight += own_weight
            if node < link_end:
                link_weight += own_weight
        weight_sums[node_count] = weight
        link_weight_sums[node_count] = link_weight
        link_count_sums[node_count] = link_count
        return cls(tree, weight_sums, link_weight_sums, link_count_sums, tag_ids, len(known_ids))

    def weight(self, node: int) -> int:
        return self.weight_sums[self.tree.end[node]] - self.weight_sums[node]

    def link_weight(self, node: int) -> int:
        return self.link_weight_sums[self.tree.end[node]] - self.link_weight_sums[node]

    def link_count(self, node: int) -> int:
        return self.link_count_sums[self.tree.end[node]] - self.link_count_sums[node]

    def char_count(self, node: int) -> int:
        """The number of characters of all text nodes in a subtree, visible or not."""
        return self._char_sums[self.tree.end[node]] - self._char_sums[node]

    @property
    def total(self) -> int:
        """The weight of the page."""
        return self.weight_sums[-1]

    @cached_property
    def _char_sums(self) -> list[int]:
        return list(accumulate(map(len, map(str.strip, self.tree.text)), initial=0))


class RecordsMeasure(NamedTuple):
    """Sums over the records of a list."""

    weight: int
    effective_count: float
    """(Σ w)² / Σ w²: the number of records of similar weight, w being the weight to some power."""
    link_count: int


def measure_records(weights: SubtreeWeights, records: Sequence[Sequence[int]], power: float) -> RecordsMeasure:
    """Measure records, each given by its top nodes. `power` is the exponent of the weights in the effective count."""
    ends, weight_sums, link_count_sums = weights.tree.end, weights.weight_sums, weights.link_count_sums
    weight = link_count = 0
    damped_sum = square_sum = 0.0
    for record in records:
        start = record[0]
        stop = ends[record[-1]]
        link_count += link_count_sums[stop] - link_count_sums[start]
        own_weight = weight_sums[stop] - weight_sums[start]
        weight += own_weight
        damped = own_weight**power
        damped_sum += damped
        square_sum += damped * damped
    return RecordsMeasure(weight, damped_sum * damped_sum / square_sum if square_sum > 0.0 else 1.0, link_count)


class RegionCandidate(NamedTuple):
    """An element that may hold a list."""

    score: float
    """Weight of its children of one tag times (1 − 1/N)², N being their effective number."""
    node: int
    max_score: float
    """Upper bound for any list of its children: (1 − 1/n)² of its weight, n being the number of visible children."""


def find_region_candidates(weights: SubtreeWeights) -> list[RegionCandidate]:
    """The elements with several visible children of one tag, the highest score first. Takes one pass over the page."""
    ends, weight_sums, tag_ids = weights.tree.end, weights.weight_sums, weights.tag_ids
    candidates: list[RegionCandidate] = []
    sums, squares = [0] * weights.tag_count, [0] * weights.tag_count
    ids_in_use: list[int] = []
    node = weights.tree.body
    stop = ends[node]
    while node < stop:
        end = ends[node]
        whole = weight_sums[end] - weight_sums[node]
        if whole == 0:
            node = end
            continue
        child_count = 0
        child = node + 1
        while child < end:
            child_end = ends[child]
            weight = weight_sums[child_end] - weight_sums[child]
            if weight > 0:
                child_count += 1
                tag_id = tag_ids[child]
                if tag_id > 0:
                    if sums[tag_id] == 0:
                        ids_in_use.append(tag_id)
                    sums[tag_id] += weight
                    squares[tag_id] += weight * weight
            child = child_end
        best = 0.0
        for tag_id in ids_in_use:
            total = sums[tag_id]
            square = squares[tag_id]
            sums[tag_id] = squares[tag_id] = 0
            if square < total * total:  # more than one child
                best = max(best, total * (1.0 - square / (total * total)) ** 2)
        ids_in_use.clear()
        if best > 0.0:
            candidates.append(RegionCandidate(best, node, whole * (1.0 - 1.0 / child_count) ** 2))
        node += 1
    candidates.sort(key=lambda candidate: (-candidate.score, candidate.node))
    return candidates
