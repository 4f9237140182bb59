"""Divide the element that holds the comments into single comments, by the dates in it.

Every comment has one date. Elements of one tag that share a class, the stem of an id or the element around them are a
group; a group is good if each of its elements holds one date of its own, and bad where one holds several. The whole
list holds all dates in one element; the line of a date is one element for each date, but the text is elsewhere.
Between these, several groups are equally good, such as an item and the box in it: the outermost is taken, since
replies are inside the item and outside the box.

A list of comments is a list like any other, so the segmentation of data records (`duramen.data_records`) gives such
groups too: the first choice where their elements hold one date each. Their structure knows nothing of comments, so the
dates decide between them. Records that are runs of siblings are not taken: structure does not tell whether a run
begins or ends with its date.

Where comments have no element of their own, the elements with the dates divide the list:

    <dt>Ann, 3 May 2012</dt> <dd>…</dd> <dt>Ben, 4 May 2012</dt> <dd>…</dd>          the date comes first
    <div>…</div> <p>Posted by Ann, 3 May 2012</p> <div>…</div> <p>Posted by …</p>    the date comes last

The ends of the list tell which of the two it is: what is between two dates is like what follows the last one, or like
what precedes the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from duramen.comments.container import CommentContainer
from duramen.comments.timestamps import SIGNATURE_PREFIXES
from duramen.data_records.record_segmentation import segment as partition_records
from duramen.data_records.subtrees import SubtreeWeights
from duramen.dom.class_names import COMMENT, CONTAINER

_DIGITS = re.compile(r"\d+")
_MAX_CLASSES: Final = 8
_NEAR_BEST_SHARE: Final = 0.85
"""Share of the best score from which on a group is as good."""
_OWN_ELEMENT_SHARE: Final = 0.85
"""Share of the dates that must be in elements of one comment each; else the dates divide the list."""
_MIN_DATES: Final = 2
"""One comment is no list."""
_MIN_COVERED_SHARE: Final = 0.5
"""Share of the words between the first and the last element of a group that must be in its elements."""
_MAX_RECORD_LISTS: Final = 3
"""Elements that are segmented into data records: the innermost that hold the dates."""
_EXTRA_DATE_PENALTY: Final = 0.5
_TEXT_PART: Final = -1

GroupKey = tuple[str, str | int]


class CommentSegment(NamedTuple):
    """One comment: its range of blocks, and its element, or the element of its date."""

    start: int
    stop: int
    element: int


@dataclass(frozen=True)
class SegmentGroup:
    """Similar elements, and how well they fit the dates."""

    segments: list[CommentSegment]
    score: float
    """Number of segments with one date and a text; less for those with several dates."""
    date_score: float
    """The same, with or without a text."""
    covers_text: bool
    is_named: bool
    """Whether at least half of the elements have the name of a comment."""
    depth: float


def find_segments(container: CommentContainer) -> list[CommentSegment]:
    """Find the comments, in document order; replies may be inside the comment they reply to."""
    blocks, dates, classes = container.blocks, container.date_sums, container.classes
    segment_of = {
        element: CommentSegment(blocks.start[element], blocks.stop[element], element) for element in container.elements
    }
    relevant = {
        element
        for element, segment in segment_of.items()
        if dates[segment.stop] > dates[segment.start] or classes[element] == COMMENT
    }
    # Many keys give the same group: a class, another class, the stem of the id.
    distinct = dict.fromkeys(map(tuple, group_elements(container).values()))
    groups = [
        _score_group(container, [segment_of[element] for element in elements])
        for elements in distinct
        if not relevant.isdisjoint(elements)
    ]
    candidates = [group for group in groups if group.covers_text and group.score > 0]
    best_score = max((group.score for group in candidates), default=0.0)
    dated = max(groups, key=lambda group: (group.date_score, -len(group.segments), group.depth), default=None)
    records = _choose_records(container, max(best_score, dated.date_score if dated else 0.0))
    if records:
        return records
    if dated is not None and best_score < _OWN_ELEMENT_SHARE * dated.date_score:
        segments = divide_by_dates(container, [segment.element for segment in dated.segments])
        if len(segments) > best_score:
            return segments
    near_best = [group for group in candidates if group.score >= _NEAR_BEST_SHARE * best_score]
    if not near_best:
        return []
    named = [group for group in near_best if group.is_named]
    if named or len(near_best[0].segments) > 1:
        chosen = min(named or near_best, key=lambda group: (group.depth, -len(group.segments)))
    else:
        chosen = max(near_best, key=lambda group: group.depth)
    return chosen.segments


def _choose_records(container: CommentContainer, best_score: float) -> list[CommentSegment]:
    """Return the list of data records that divides the dates best, if it is as good as any other group.

    Records have one level: nested replies and single comments are not found in this way.
    """
    if container.date_sums[-1] < _MIN_DATES:
        return []
    lists = find_record_lists(container, max(best_score, _MIN_DATES), best_score)
    groups = (_score_group(container, segments) for segments in lists)
    fitting = [
        group
        for group in groups
        if group.covers_text and group.score >= max(best_score, _OWN_ELEMENT_SHARE * len(group.segments))
    ]
    return max(fitting, key=lambda group: group.score).segments if fitting else []


def find_record_lists(
    container: CommentContainer, min_dates: float, min_score: float = 0.0
) -> Iterator[list[CommentSegment]]:
    """Find lists of data records in the container with so many dates; the innermost first.

    Records are children of one element. Elements whose children cannot reach the score are skipped.
    """
    blocks, dates = container.blocks, container.date_sums
    holders = set(container.elements)
    if container.first_block:  # the element around a heading and its comments is not in the container
        holders |= {blocks.parent[element] for element in container.elements if blocks.parent[element] >= 0}
    wide = [element for element in holders if dates[blocks.stop[element]] - dates[blocks.start[element]] >= min_dates]
    innermost = [blocks.node[element] for element in sorted(wide, reverse=True)[:_MAX_RECORD_LISTS]]
    max_scores = _bound_scores(container, innermost)
    holder_nodes = [node for node in innermost if max_scores[node] >= min_score]
    if not holder_nodes:
        return
    element_of = {blocks.node[element]: element for element in container.elements}
    outline = SubtreeWeights.of(blocks.tree)
    for node in holder_nodes:
        partition = partition_records(outline, node)
        if partition is not None and partition.regularity:
            elements = [element_of[record[0]] for record in partition.records if record[0] in element_of]
            if len(elements) == len(partition.records) == sum(map(len, partition.records)):
                yield [CommentSegment(blocks.start[element], blocks.stop[element], element) for element in elements]


def _bound_scores(container: CommentContainer, nodes: Sequence[int]) -> dict[int, float]:
    """Return the highest score that any group of children of each of these nodes can have."""
    blocks, parents = container.blocks, container.blocks.tree.parent
    bounds = dict.fromkeys(nodes, 0.0)
    if not bounds:
        return bounds
    for element in container.elements:
        parent = parents[blocks.node[element]]
        if parent in bounds:
            segment = CommentSegment(blocks.start[element], blocks.stop[element], element)
            bounds[parent] += max(0.0, _score_group(container, [segment]).score)
    return bounds


def group_elements(container: CommentContainer) -> dict[GroupKey, list[int]]:
    """Group similar elements of the container."""
    blocks, tree, dates = container.blocks, container.blocks.tree, container.date_sums
    groups: dict[GroupKey, list[int]] = {}
    stems: dict[tuple[str, str], list[GroupKey]] = {}
    nodes = [blocks.node[element] for element in container.elements]
    for element, node, attributes in zip(container.elements, nodes, tree.read_attributes(nodes), strict=True):
        tag = tree.tag[node]
        if tag == "form":
            continue
        classes, identity = attributes.get("class"), attributes.get("id")
        keys: list[GroupKey] = [(tag, blocks.parent[element])]
        if classes:
            if (tag, classes) not in stems:
                stems[tag, classes] = [(tag, _DIGITS.sub("#", name)) for name in classes.split()[:_MAX_CLASSES]]
            keys += stems[tag, classes]
        elif tag == "li" and dates[blocks.stop[element]] > dates[blocks.start[element]]:
            keys.append((tag, "any"))  # nested replies without classes
        if identity and (stem := _DIGITS.sub("#", identity)) != identity:
            keys.append((tag, "id=" + stem))
        for key in dict.fromkeys(keys):  # the order decides between groups of the same score
            groups.setdefault(key, []).append(element)
    return groups


def _score_group(container: CommentContainer, segments: list[CommentSegment]) -> SegmentGroup:
    """Score a group by what each segment holds outside the segments inside it."""
    date_sums, word_sums, other_sums = container.date_sums, container.word_sums, container.other_sums
    classes = container.classes
    own: list[list[int]] = []  # dates, words and other blocks of each segment
    open_segments: list[tuple[int, list[int]]] = []
    for start, stop, _ in segments:
        dates, words, others = (
            date_sums[stop] - date_sums[start],
            word_sums[stop] - word_sums[start],
            other_sums[stop] - other_sums[start],
        )
        while open_segments and open_segments[-1][0] <= start:
            open_segments.pop()
        if open_segments:
            outer = open_segments[-1][1]
            outer[0] -= dates
            outer[1] -= words
            outer[2] -= others
        sums = [dates, words, others]
        own.append(sums)
        open_segments.append((stop, sums))
    score = date_score = 0.0
    named = all_words = 0
    for (_, _, element), (dates, words, others) in zip(segments, own, strict=True):
        is_comment = classes[element] == COMMENT
        named += is_comment
        all_words += words
        if dates:
            date_score += 1 - _EXTRA_DATE_PENALTY * (dates - 1)
            if words or others:
                score += 1 - _EXTRA_DATE_PENALTY * (dates - 1)
                continue
        if words and is_comment:
            score += 0.5
    words_between = word_sums[max(segment.stop for segment in segments)] - word_sums[segments[0].start]
    depth, node = container.blocks.tree.depth, container.blocks.node
    return SegmentGroup(
        segments,
        score,
        date_score,
        all_words >= _MIN_COVERED_SHARE * words_between,
        2 * named >= len(segments),
        sum(depth[node[segment.element]] for segment in segments) / len(segments),
    )


class _ListPart(NamedTuple):
    """A child of the list: an element, or a block of the list's own text."""

    start: int
    stop: int
    kind: tuple[str, str]
    """Tag and first class."""
    element: int


def divide_by_dates(container: CommentContainer, date_elements: Sequence[int]) -> list[CommentSegment]:
    """Divide lists into comments by these elements, which hold a date each; return the comments in order."""
    parent_of = container.blocks.parent
    dates_of: dict[int, list[int]] = {}
    for element in date_elements:
        dates_of.setdefault(parent_of[element], []).append(element)
    children: dict[int, list[int]] = {parent: [] for parent in dates_of}
    for element, parent in enumerate(parent_of):
        if parent in children:
            children[parent].append(element)
    segments = [
        segment
        for parent, own_dates in dates_of.items()
        if parent >= 0
        for segment in _divide_list(container, _list_parts(container, parent, children[parent]), set(own_dates))
    ]
    return sorted(segments, key=lambda segment: (segment.start, -segment.stop))


def _divide_list(
    container: CommentContainer, parts: Sequence[_ListPart], date_elements: set[int]
) -> list[CommentSegment]:
    dated = [index for index, part in enumerate(parts) if part.element in date_elements]
    if not dated:
        return []
    if len(dated) > 1:
        kinds = {part.kind for first, second in pairwise(dated) for part in parts[first + 1 : second]}
    else:
        kinds = {
            part.kind for part in parts if part.element != _TEXT_PART and container.classes[part.element] >= CONTAINER
        }
    before, after = dated[0], dated[-1]
    while before and _continues(container, parts[before - 1], kinds):
        before -= 1
    while after + 1 < len(parts) and _continues(container, parts[after + 1], kinds):
        after += 1
    word_sums = container.word_sums
    words_before = word_sums[parts[dated[0]].start] - word_sums[parts[before].start]
    words_after = word_sums[parts[after].stop] - word_sums[parts[dated[-1]].stop]
    if words_before and (not words_after or _is_signature(container, parts[dated[0]])):
        starts = [parts[before].start, *(parts[index].stop for index in dated[:-1])]
        stops = [parts[index].stop for index in dated]
    else:
        starts = [parts[index].start for index in dated]
        stops = [*starts[1:], parts[after].stop]
    return [
        CommentSegment(start, stop, parts[index].element)
        for start, stop, index in zip(starts, stops, dated, strict=True)
        if word_sums[stop] > word_sums[start]
    ]


def _list_parts(container: CommentContainer, parent: int, children: Sequence[int]) -> list[_ListPart]:
    blocks, tree = container.blocks, container.blocks.tree
    parts: list[_ListPart] = []
    block = max(blocks.start[parent], container.first_block)
    index = 0
    while block < blocks.stop[parent]:
        if blocks.owner[block] == parent:
            parts.append(_ListPart(block, block + 1, ("", ""), _TEXT_PART))
            block += 1
            continue
        while index < len(children) and not blocks.start[children[index]] <= block < blocks.stop[children[index]]:
            index += 1
        if index == len(children):
            break
        element = children[index]
        node = blocks.node[element]
        classes = (tree.attributes[node].get("class") or "").split()[:1]
        parts.append(_ListPart(block, blocks.stop[element], (tree.tag[node], classes[0] if classes else ""), element))
        block = blocks.stop[element]
    return parts


def _continues(container: CommentContainer, part: _ListPart, kinds: set[tuple[str, str]]) -> bool:
    return part.kind in kinds and not container.excluded[part.start]


def _is_signature(container: CommentContainer, part: _ListPart) -> bool:
    """Return whether a line with a date begins like a signature, such as "posted by"."""
    return container.blocks.text[part.start].lower().startswith(SIGNATURE_PREFIXES)
