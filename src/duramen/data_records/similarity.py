"""Structural similarity of records: the tags at their first levels, counted.

A tag counts less the deeper it is, because deep elements are content (one paragraph more or less) and high ones are the
template. A second or third element of the same tag and level counts less than the first. An element that contains
nothing but one other element is a wrapper and does not add a level. The similarity of two signatures is the sum of the
smaller counts over the sum of the larger counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from duramen.data_records.weights import Signature, SubtreeWeights

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
