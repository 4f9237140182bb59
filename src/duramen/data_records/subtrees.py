"""Weight and structure of subtrees.

The *weight* of a subtree is the number of visible characters in it: the difference of two prefix sums. An image weighs
as much as a short line, because a tile may consist of an image alone. Invisible text weighs nothing.

The *signature* of a record is its structure: the tags at its first levels, counted. A tag counts less the deeper it is,
because deep elements are content (one paragraph more or less) and high ones are the template. A second or third element
of the same tag and level counts less than the first. An element that contains nothing but one other element is a
wrapper and does not add a level. The similarity of two signatures is the sum of the smaller counts over the sum of the
larger counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, islice
from typing import Any, Final, NamedTuple

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_invisible_tags

IMAGE_WEIGHT_CHARS: Final = 10
"""Weight of an image in characters."""

Signature = dict[int, float]
"""Damped count of each tag at each level of a subtree: see `signature_of`."""


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
        if tag_ids[node] == 0:  # a text node
            node += 1
            continue
        end = ends[node]
        whole = weight_sums[end] - weight_sums[node]
        if whole == 0:
            node = end
            continue
        if node + 1 == end or ends[node + 1] == end:  # an image, or a single child, as most elements have
            node += 1
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


# Signatures

NamedSignature = dict[int | str, float]
"""A signature with the class tokens (".token") and attributes ("@name") of the top nodes."""
AnySignature = Mapping[Any, float]

SIGNATURE_LEVELS: Final = 3
MAX_SIGNATURE_NODES: Final = 60
"""Nodes of an element that are counted: the beginnings of records differ enough."""
MAX_SIGNATURE_SIBLINGS: Final = 12
"""Top nodes of a record that are counted."""
MAX_SIGNATURE_NAMES: Final = 100
"""Class tokens, and attributes, of an element that are counted."""
CLASS_TOKEN_COUNT: Final = 0.5
ATTRIBUTE_COUNT: Final = 0.25


def signature_of(weights: SubtreeWeights, record: Sequence[int]) -> Signature:
    """The signature of a record, given by its top nodes. Nodes without weight are ignored."""
    if len(record) == 1:
        return _element_signature(weights, record[0])
    signature: Signature = {}
    for top in record[:MAX_SIGNATURE_SIBLINGS]:
        for key, count in _element_signature(weights, top).items():
            signature[key] = signature.get(key, 0.0) + count
    return signature


def named_signature_of(weights: SubtreeWeights, record: Sequence[int]) -> NamedSignature:
    """The signature with the class tokens and attributes of the top nodes."""
    signature: NamedSignature = dict(signature_of(weights, record).items())
    for top in record[:MAX_SIGNATURE_SIBLINGS]:
        if weights.tag_ids[top]:
            attributes = weights.tree.attributes[top]
            for token in (attributes.get("class") or "").split()[:MAX_SIGNATURE_NAMES]:
                signature["." + token] = CLASS_TOKEN_COUNT
            for name in islice(attributes, MAX_SIGNATURE_NAMES):
                signature["@" + name] = ATTRIBUTE_COUNT
    return signature


def similarity(one: AnySignature, other: AnySignature) -> float:
    """From 0, nothing in common, to 1, the same."""
    smaller = larger = 0.0
    shared = 0
    for key, count in one.items():
        other_count = other.get(key)
        if other_count is None:
            larger += count
            continue
        shared += 1
        if count < other_count:
            smaller += count
            larger += other_count
        else:
            smaller += other_count
            larger += count
    if shared < len(other):
        for key, count in other.items():
            if key not in one:
                larger += count
    return smaller / larger if larger > 0.0 else 1.0


def regularity(weights: SubtreeWeights, records: Sequence[Sequence[int]], minimum: float = 0.0) -> float:
    """The mean similarity of each record to the next; 0 as soon as it is known to be below `minimum`."""
    pair_count = len(records) - 1
    if pair_count < 1:
        return 0.0
    total = 0.0
    pairs_left = pair_count
    previous: Signature | None = None
    for record in records:
        signature = signature_of(weights, record)
        if previous is not None:
            total += similarity(previous, signature)
            pairs_left -= 1
            if total + pairs_left < minimum * pair_count:
                return 0.0
        previous = signature
    return total / pair_count


@dataclass(frozen=True)
class MeanSignature:
    """The mean of many signatures, to which any number of signatures is compared.

    The mean has a key for each name that occurs in one of them. Its sum is computed once, so that a comparison looks at
    the keys of the compared signature alone.
    """

    signature: NamedSignature
    total: float

    @classmethod
    def of(cls, signatures: Sequence[AnySignature]) -> MeanSignature:
        mean = mean_signature(signatures)
        return cls(mean, sum(mean.values()))

    def similarity(self, signature: AnySignature) -> float:
        """The same as `similarity(signature, self.signature)`, except for rounding."""
        smaller = 0.0
        larger = self.total
        mean = self.signature
        for key, count in signature.items():
            mean_count = mean.get(key)
            if mean_count is None:
                larger += count
            elif count < mean_count:
                smaller += count
            else:
                smaller += mean_count
                larger += count - mean_count
        return smaller / larger if larger > 0.0 else 1.0


def mean_signature(signatures: Sequence[AnySignature]) -> NamedSignature:
    mean: NamedSignature = {}
    for signature in signatures:
        for key, count in signature.items():
            mean[key] = mean.get(key, 0.0) + count / len(signatures)
    return mean


def _element_signature(weights: SubtreeWeights, top: int) -> Signature:
    signature = weights.signatures.get(top)
    if signature is None:
        signature = weights.signatures[top] = _count_tags(weights, top)
    return signature


def _count_tags(weights: SubtreeWeights, top: int) -> Signature:
    """Count the tags below a node by level, without recursion: a stack holds the open elements."""
    ends, weight_sums, tag_ids = weights.tree.end, weights.weight_sums, weights.tag_ids
    counts: Signature = {}
    open_elements: list[tuple[int, int, int]] = []  # end, level, weight
    counted = 0
    node, stop = top, ends[top]
    while node < stop:
        while open_elements and node >= open_elements[-1][0]:
            open_elements.pop()
        end = ends[node]
        weight = weight_sums[end] - weight_sums[node]
        if weight == 0:
            node = end
            continue
        level = 0
        if open_elements:
            _, level, parent_weight = open_elements[-1]
            if weight < parent_weight:
                level += 1
        tag_id = tag_ids[node]
        key = tag_id * SIGNATURE_LEVELS + level
        count = counts.get(key, 0.0)
        counts[key] = count + 1.0 / (1 + level) / (1.0 + 2.0 * count)
        counted += 1
        if counted > MAX_SIGNATURE_NODES:
            break
        if level + 1 < SIGNATURE_LEVELS and tag_id != 0:
            open_elements.append((end, level, weight))
            node += 1
        else:
            node = end
    return counts
