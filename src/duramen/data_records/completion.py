"""Completion: find records of a list outside the element that holds most of them.

Five cases, each with its own function:

- `find_variant_records`: children of the same element with a different tag but the same structure.
- `find_split_lists`: one list in several boxes, such as search results under "Products", "News" and "Customers".
- `find_continuation`: records in another container, such as three results above a banner and the rest below it. They
  have the same tag, depth, class and structure, and are adjacent. A heading in between starts another list
  ("Customers also bought").
- `find_first_post`: the first post of a thread, in a container of its own before the replies.
- `find_enclosing_records`: list items that were never closed, so that each contains the next.

`split_nested_replies` makes separate records of comments and of the replies inside them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from duramen.data_records.record_segmentation import Record, Segmentation, segment, total_weight
from duramen.data_records.subtrees import (
    MeanSignature,
    NamedSignature,
    RegionCandidate,
    Signature,
    SubtreeWeights,
    mean_signature,
    named_signature_of,
    signature_of,
    similarity,
)
from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT, Tree

# Weights are multiples of the median weight of the records, unless stated otherwise.

MIN_CONTINUATION_SIMILARITY: Final = 0.8
"""Similarity of a continuation record to one of the records of the list."""
MIN_CLASSLESS_SIMILARITY: Final = 0.97
"""Similarity to the mean of the records, as a multiple of their median similarity, where most have no common class."""
MIN_COMMON_CLASS_COUNT: Final = 0.25
"""Mean count of a class token in signatures from which on records have it in common: half of them have it."""
MIN_VARIANT_SIMILARITY: Final = 0.7
"""Similarity of a record with a different tag; the tag alone makes them differ."""
MIN_ADDED_WEIGHT: Final = 0.2
"""Lightest record that is added to a list."""
MAX_CONTINUATION_GAP: Final = 1.0
"""Most weight between a list and its continuation."""
MAX_SAMPLED_RECORDS: Final = 12

MIN_BOX_SIMILARITY: Final = 0.8
"""Similarity of the mean records of two boxes, as a multiple of the regularity inside the boxes."""
MIN_BOX_WEIGHT_SHARE: Final = 0.3
"""Lightest box as a share of the weight of the list: boxes such as "You may also like" are lighter."""
UNEVEN_BOX_FACTOR: Final = 1 / 16
"""Score of a box of two records as a share of its weight, if one of them is five times as heavy as the other."""
MIN_BOXES_COVERAGE: Final = 0.75
"""Share of the element around the boxes that the records in them must have."""
MAX_SAMPLED_BOX_RECORDS: Final = 8

MIN_SHARED_CLASSES: Final = 0.7
"""Share of the classes common to all replies that the first post must contain."""
MIN_COMMON_CLASSES: Final = 6
"""Number of common classes that is enough to recognize the first post."""
FEW_COMMON_CLASSES: Final = 2
"""So few are enough if the first post contains all of them and is similar to a reply."""
MIN_FIRST_POST_SIMILARITY: Final = 0.8
MAX_FIRST_POST_GAP: Final = 2.0
"""Most weight between the first post and the replies."""
MIN_FIRST_POST_WEIGHT: Final = 0.3
MAX_FIRST_POST_DISTANCE: Final = 40.0
"""Weight before the replies in which the first post is looked for."""
MAX_SAMPLED_REPLIES: Final = 4
MAX_CLASS_NODES: Final = 150
"""Nodes of an element whose classes are read."""

MIN_NESTED_SIMILARITY: Final = 0.6
"""Mean similarity of comments that contain replies, and of replies, to all comments, each without what it contains."""
MAX_RESIDUE_SHARE: Final = 0.2
"""Weight lost when replies are split off ("Show 3 answers"), as a share of the weight of the records."""
MAX_SAMPLED_COMMENTS: Final = 12
MAX_PROBED_COMMENTS: Final = 3
"""Largest records that are searched first: comments with replies are larger than others."""
MIN_ENCLOSING_SIMILARITY: Final = 0.9
"""Similarity of an enclosing record to a record of the list."""
MIN_ENCLOSING_RECORDS: Final = 3
"""With fewer, the enclosing elements are the category of the list."""


# Continuation and variants


def find_continuation(weights: SubtreeWeights, records: Sequence[Record]) -> list[Record]:
    """Records of the same list before and after the given ones, in document order."""
    tree = weights.tree
    if len(records[0]) > 1:
        return []
    first, last = records[0][0], records[-1][-1]
    nodes = _find_tag(tree, tree.tag[first], 0, len(tree))
    before, after = bisect_left(nodes, first), bisect_left(nodes, tree.end[last])
    depths = tree.depth
    depth = depths[first]
    profile = _RecordProfile(weights, records)
    following = [node for node in nodes[after:] if depths[node] == depth]
    preceding = [node for node in reversed(nodes[:before]) if depths[node] == depth]
    return sorted(
        [
            *_take_adjacent(weights, preceding, first, profile, backward=True),
            *_take_adjacent(weights, following, last, profile),
        ]
    )


def find_variant_records(weights: SubtreeWeights, node: int, records: Sequence[Record]) -> list[Record]:
    """Children of the list element that are records with a different tag: a second hit of a site in a blockquote."""
    tree = weights.tree
    own = {record[0] for record in records if len(record) == 1 and tree.parent[record[0]] == node}
    if len(own) < len(records):
        return []
    profile = _RecordProfile(weights, records)
    others = (child for child in tree.children(node) if weights.tag_ids[child] and child not in own)
    return [(other,) for other in others if profile.has_same_structure(other)]


@dataclass(frozen=True)
class _RecordProfile:
    """What the records of a list have in common. Signatures are computed on first use."""

    weights: SubtreeWeights
    records: Sequence[Record]

    @cached_property
    def weight(self) -> float:
        return median(self.weights.weight(record[0]) for record in self.records)

    @cached_property
    def _signatures(self) -> list[NamedSignature]:
        return [named_signature_of(self.weights, record) for record in self.records[:MAX_SAMPLED_RECORDS]]

    @cached_property
    def _mean(self) -> NamedSignature:
        return mean_signature(self._signatures)

    @cached_property
    def _min_mean_similarity(self) -> float:
        """Similarity to the mean required where most records have no common class; 0 where they have one."""
        has_common_class = any(
            isinstance(key, str) and key.startswith(".") and count >= MIN_COMMON_CLASS_COUNT
            for key, count in self._mean.items()
        )
        if has_common_class:
            return 0.0
        return MIN_CLASSLESS_SIMILARITY * median(similarity(signature, self._mean) for signature in self._signatures)

    def has_same_structure(self, node: int) -> bool:
        """True if an element has the structure of a record, whatever its tag and its class."""
        if self.weights.weight(node) < MIN_ADDED_WEIGHT * self.weight:
            return False
        signature = signature_of(self.weights, (node,))
        sample = (signature_of(self.weights, record) for record in self.records[:MAX_SAMPLED_RECORDS])
        return any(similarity(signature, other) >= MIN_VARIANT_SIMILARITY for other in sample)

    def matches(self, node: int) -> bool:
        """True if an element of the same tag is a record of the list."""
        signature = named_signature_of(self.weights, (node,))
        if self._min_mean_similarity:
            return similarity(signature, self._mean) >= self._min_mean_similarity
        return any(similarity(signature, other) >= MIN_CONTINUATION_SIMILARITY for other in self._signatures)


def _take_adjacent(
    weights: SubtreeWeights, nodes: Sequence[int], edge: int, profile: _RecordProfile, *, backward: bool = False
) -> list[Record]:
    """The records among the nodes on one side of the list, as long as each is adjacent to the one before."""
    tree = weights.tree
    records: list[Record] = []
    for node in nodes:
        gap = range(tree.end[node], edge) if backward else range(tree.end[edge], node)
        if not gap and gap.start > gap.stop:  # one contains the other
            continue
        if weights.weight_sums[gap.stop] - weights.weight_sums[gap.start] > MAX_CONTINUATION_GAP * profile.weight:
            break
        if weights.weight(node) < MIN_ADDED_WEIGHT * profile.weight or not profile.matches(node):
            continue
        if any(tree.tag[between] in HEADING_TAGS and weights.weight(between) for between in gap):
            break
        records.append((node,))
        edge = node
    return records


def _find_tag(tree: Tree, tag: str, start: int, stop: int) -> list[int]:
    """The elements of a tag in a range of nodes. `list.index` finds the next one fast."""
    nodes: list[int] = []
    position = start - 1
    try:
        while True:
            position = tree.tag.index(tag, position + 1, stop)
            nodes.append(position)
    except ValueError:  # no more of them
        return nodes


# Lists in several boxes


def find_split_lists(
    weights: SubtreeWeights, node: int, segmentation: Segmentation, candidates: Iterable[RegionCandidate]
) -> list[Record]:
    """The records of the other boxes of a list, in document order; none if the list is in one box.

    Another box has the same tag and depth, similar records, and is not much lighter. All boxes together must be most of
    the element around them. `candidates` come from `find_region_candidates`.
    """
    tree = weights.tree
    mean: NamedSignature | None = None
    records: list[Record] = []
    min_weight = MIN_BOX_WEIGHT_SHARE * segmentation.weight
    for candidate in candidates:
        if candidate.score < UNEVEN_BOX_FACTOR * min_weight:
            break
        other = candidate.node
        if tree.tag[other] != tree.tag[node] or tree.depth[other] != tree.depth[node] or other == node:
            continue
        if weights.weight(other) < min_weight:
            continue
        box = segment(weights, other)
        if not box or box.weight < min_weight:
            continue
        mean = mean or _mean_of_sample(weights, segmentation)
        # Records that differ inside a box may differ as much from box to box.
        required = MIN_BOX_SIMILARITY * (segmentation.regularity * box.regularity) ** 0.5
        if similarity(_mean_of_sample(weights, box), mean) >= required:
            records.extend(box.records)
    if not records:
        return []
    tops = sorted(record[0] for record in (*records, *segmentation.records))
    around = tree.common_ancestor(tops[0], tops[-1])
    weight = segmentation.weight + total_weight(weights, records)
    return sorted(records) if around > tree.body and weight >= MIN_BOXES_COVERAGE * weights.weight(around) else []


def _mean_of_sample(weights: SubtreeWeights, segmentation: Segmentation) -> NamedSignature:
    return mean_signature([signature_of(weights, record) for record in segmentation.records[:MAX_SAMPLED_BOX_RECORDS]])


# The first post of a thread


def find_first_post(weights: SubtreeWeights, records: Sequence[Record]) -> Record | None:
    """The first post of a thread: the smallest element before the replies with most of their common classes.

    Common classes are those that occur in every reply of a sample (`author`, `avatar`, `posted`, `message`).
    """
    tree, weight_sums = weights.tree, weights.weight_sums
    sample = records[:MAX_SAMPLED_REPLIES]
    reply_classes = _record_classes(weights, records[0])
    if len(reply_classes) < FEW_COMMON_CLASSES:
        return None
    usual_weight = median(total_weight(weights, [record]) for record in sample)
    min_weight = MIN_FIRST_POST_WEIGHT * usual_weight
    common: set[str] | None = None
    first = records[0][0]
    node = first - 1
    while node > tree.body and weight_sums[first] - weight_sums[node] <= MAX_FIRST_POST_DISTANCE * usual_weight:
        block = _largest_element_before(tree, node, first)
        if block is not None and weights.weight(block) >= min_weight:
            classes = _subtree_classes(tree, block)
            # An element that shares fewer classes with one reply cannot contain enough common classes.
            if len(classes & reply_classes) >= min(FEW_COMMON_CLASSES, MIN_SHARED_CLASSES * MIN_COMMON_CLASSES):
                common = _common_classes(weights, sample) if common is None else common
                if not common:
                    return None
                if len(common) >= MIN_COMMON_CLASSES:
                    if len(common & classes) >= MIN_SHARED_CLASSES * len(common):
                        return (_innermost_with_classes(weights, block, common, min_weight),)
                elif common <= classes:
                    post = _innermost_with_classes(weights, block, common, min_weight)
                    like_reply = similarity(signature_of(weights, (post,)), signature_of(weights, records[0]))
                    return (post,) if like_reply >= MIN_FIRST_POST_SIMILARITY else None
            if weight_sums[first] - weight_sums[block] > MAX_FIRST_POST_GAP * usual_weight:
                return None
        node = node - 1 if block is None else block - 1
    return None


def _common_classes(weights: SubtreeWeights, sample: Sequence[Record]) -> set[str]:
    """The classes that occur in all of these records; empty if they are too few.

    If they are few, the classes of the top nodes are excluded: a first post often has a class of its own.
    """
    common = set.intersection(*(_record_classes(weights, record) for record in sample))
    if len(common) < MIN_COMMON_CLASSES and len(sample[0]) == 1:
        common -= _subtree_classes(weights.tree, sample[0][0], 1)
    return common if len(common) >= FEW_COMMON_CLASSES else set()


def _record_classes(weights: SubtreeWeights, record: Record) -> set[str]:
    return {name for top in record for name in _subtree_classes(weights.tree, top)}


def _largest_element_before(tree: Tree, node: int, first: int) -> int | None:
    """The largest element around a node that ends before the records; None if that is a text node."""
    while tree.end[tree.parent[node]] <= first:
        node = tree.parent[node]
    return None if tree.tag[node] == TEXT or tree.end[node] > first else node


def _innermost_with_classes(weights: SubtreeWeights, node: int, common: set[str], min_weight: float) -> int:
    """The smallest element of a subtree with all common classes that the subtree has."""
    required = common & _subtree_classes(weights.tree, node)
    while True:
        inner = next(
            (
                child
                for child in weights.tree.children(node)
                if weights.weight(child) >= min_weight and required <= _subtree_classes(weights.tree, child)
            ),
            None,
        )
        if inner is None:
            return node
        node = inner


def _subtree_classes(tree: Tree, top: int, max_nodes: int = MAX_CLASS_NODES) -> set[str]:
    """The classes in a subtree, each with the tag of its element: "span.author"."""
    tags = tree.tag
    elements = [node for node in range(top, min(tree.end[top], top + max_nodes)) if tags[node] != TEXT]
    return {
        f"{tags[node]}.{token}"
        for node, value in zip(elements, tree.attribute_values("class", elements), strict=True)
        if value
        for token in value.split()
    }


# Records inside records


def split_nested_replies(weights: SubtreeWeights, records: tuple[Record, ...]) -> tuple[Record, ...] | None:
    """Comments and the replies inside them as separate records; None if no record contains another.

    A reply has the tag of a record and a class that most records have. Each record becomes the run of its children that
    contain no other record; these runs must be similar. A list of another kind inside a record stays in it.
    """
    tops = [record[0] for record in records if len(record) == 1 and weights.tag_ids[record[0]]]
    if len(tops) < len(records):
        return None
    replies = _find_replies(weights, tops)
    if not replies:
        return None
    comments = sorted({*tops, *replies})
    own_parts = {top: _children_without_records(weights, top, comments) for top in comments}
    if not all(own_parts.values()):
        return None  # a wrapper around a record is no record
    split = tuple(own_parts.values())
    weight = total_weight(weights, split)
    if sum(map(weights.weight, tops)) - weight > MAX_RESIDUE_SHARE * weight:
        return None
    with_replies = {top for top, following in pairwise(comments) if following < weights.tree.end[top]}
    signatures = {top: signature_of(weights, own) for top, own in own_parts.items()}
    mean = MeanSignature.of(list(signatures.values()))
    for group in (with_replies, replies):
        if fmean(mean.similarity(signatures[top]) for top in group) < MIN_NESTED_SIMILARITY:
            return None
    return split


def find_enclosing_records(
    weights: SubtreeWeights, node: int, records: tuple[Record, ...]
) -> tuple[Record, ...] | None:
    """The records of a list with those that contain it, one inside the other; None if these are few.

    Items that were never closed make such a list: each contains the next, and the innermost contains the rest.
    """
    tree = weights.tree
    first = records[0][0]
    item_tag, list_tag = tree.tag[first], tree.tag[node]
    signature: Signature | None = None
    enclosing: list[Record] = []
    below = node
    for above in tree.ancestors(node):
        if tree.tag[above] == item_tag:
            own = _weighted_children(weights, above, below)
            signature = signature or signature_of(weights, _weighted_children(weights, first))
            if not own or similarity(signature_of(weights, own), signature) < MIN_ENCLOSING_SIMILARITY:
                break
            enclosing.append(own)
        elif tree.tag[above] != list_tag:
            break
        below = above
    if len(enclosing) < MIN_ENCLOSING_RECORDS or any(len(record) > 1 for record in records):
        return None
    innermost = [_weighted_children(weights, record[0]) for record in records]
    return (*reversed(enclosing), *innermost) if all(innermost) else None


def _weighted_children(weights: SubtreeWeights, node: int, excluded: int | None = None) -> Record:
    """The children that have weight, except one."""
    return tuple(child for child in weights.tree.children(node) if weights.weight(child) and child != excluded)


def _find_replies(weights: SubtreeWeights, tops: Sequence[int]) -> list[int]:
    """The elements inside records that have the tag of a record and a class that most records have."""
    tree = weights.tree
    sample = tree.attribute_values("class", tops[:MAX_SAMPLED_COMMENTS])
    counts = Counter(token for value in sample if value for token in set(value.split()))
    common = {token for token, count in counts.items() if 2 * count > len(sample)}
    if not common:
        return []
    largest = nlargest(MAX_PROBED_COMMENTS, tops, key=lambda top: tree.end[top] - top)
    return _find_with_class(weights, tops, common) if _find_with_class(weights, largest, common) else []


def _find_with_class(weights: SubtreeWeights, tops: Sequence[int], tokens: set[str]) -> list[int]:
    tree = weights.tree
    nodes = [node for top in tops for node in _find_tag(tree, tree.tag[top], top + 1, tree.end[top])]
    values = tree.attribute_values("class", nodes)
    matching = {value for value in set(values) if value and not tokens.isdisjoint(value.split())}
    return [node for node, value in zip(nodes, values, strict=True) if value in matching and weights.weight(node)]


def _children_without_records(weights: SubtreeWeights, top: int, records: Sequence[int]) -> Record:
    """The children of a record that have weight and contain no other record."""
    ends = weights.tree.end

    def contains_record(child: int) -> bool:
        position = bisect_right(records, child - 1)
        return position < len(records) and records[position] < ends[child]

    return tuple(child for child in weights.tree.children(top) if weights.weight(child) and not contains_record(child))
