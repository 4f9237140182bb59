"""Posts of forum threads and of pages with questions and answers, each with its author and its date.

A post is an element of a repeated form that holds a date and a part of the text that the method kept. Similar elements
are grouped as for comments (`comment_segmentation`). The groups are compared by their number of posts and by the
share of the kept text that is in them. Where a post has no element of its own, such as one table row with author and
date and another one with the text, the elements with the dates divide the list. An opening post whose markup differs
from its replies is what the method kept before them.

A blog article with its comments has the same form as a thread with such an opening post. So most of the text must be
in the replies, unless the page declares that it is a thread.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final, NamedTuple

from duramen.comments.comment_fields import find_own_blocks
from duramen.comments.comment_segmentation import CommentSegment, divide_by_dates, group_elements
from duramen.comments.container import CommentContainer, describe_container, find_evidence
from duramen.comments.post_fields import PostReader, find_empty_times, find_posting_date
from duramen.comments.threads import is_declared_thread
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.class_names import UNRELATED
from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import Tree
from duramen.dom.tree_queries import find_json_ld_elements
from duramen.dom.urls import is_forum_url
from duramen.output.figures import merge_spans
from duramen.structure.units import find_structure

_QUESTION_TYPES: Final = ("schema.org/QAPage", "schema.org/Question")
_MIN_POSTS: Final = 2
_MIN_REPLIES_SHARE: Final = 0.5
"""Share of the kept words that must be in posts of the same form, where nothing declares a thread."""
_MIN_DECLARED_SHARE: Final = 0.1
"""The same on a page that declares a thread: its opening post may be longer than all replies."""
_NEAR_BEST_SHARE: Final = 0.95
"""Share of the best score from which on a group is as good: then the outermost is taken, which has the author."""
_MAX_DIVIDED_GROUPS: Final = 8
"""Groups of elements with dates that are tried as borders between posts."""
_MIN_OPENING_WORDS: Final = 10
_OPENING_FACTOR: Final = 0.5
"""Weight of the text before the first post of a group, as a share of that of the text in the group."""


@dataclass(frozen=True)
class Post:
    """One post of a thread. Fields that the page does not show are None."""

    author: str | None
    stamp: str | None
    """Date or time as the page shows it."""
    machine_date: str | None
    node: int = field(repr=False)
    """Element that holds the post, or its date where it has no element of its own."""
    spans: tuple[range, ...] = field(repr=False)
    """Node ranges of its text, without author, date, signature and buttons."""
    all_spans: tuple[range, ...] = field(repr=False)
    """Node ranges of the whole post."""


class _PostGroup(NamedTuple):
    """Elements, or parts of a list, that may be the posts."""

    segments: list[CommentSegment]
    score: float
    share: float
    """Share of the kept words that is in segments with a date."""
    depth: float


def find_posts(tree: Tree, spans: Sequence[range], url: str = "") -> list[Post]:
    """Find the posts of a thread, in document order; empty where the page is no thread.

    `spans` are the nodes that a method kept as content; `url` is that of the page.
    """
    blocks = find_blocks(tree)
    kept = list(_count_kept_words(blocks, spans))
    kept_sums = list(accumulate(kept, initial=0))
    prose_sums = list(accumulate(_count_prose_words(blocks, kept), initial=0))
    if not kept_sums[-1]:
        return []
    container = _describe_page(blocks, kept)
    group = _choose_group(container, kept_sums)
    if group is None:
        return []
    first = blocks.node[group.segments[0].element]
    is_declared = is_forum_url(url) or is_declared_thread(tree, first) or _declares_question(tree, first)
    if group.share < (_MIN_DECLARED_SHARE if is_declared else _MIN_REPLIES_SHARE):
        return []
    segments = _widen_segments(blocks, group.segments)
    if opening := _find_opening_post(container, prose_sums, segments[0]):
        segments.insert(0, opening)
    segments = [segment for segment in segments if not _is_title(segment, kept_sums, prose_sums)]
    posts = _read_posts(container, segments, kept)
    return posts if _are_plausible(posts, is_declared) else []


def _is_title(segment: CommentSegment, kept_sums: Sequence[int], prose_sums: Sequence[int]) -> bool:
    """Return whether all that the method kept of a segment are headings: the title of the thread, with its date."""
    start, stop = segment.start, segment.stop
    return kept_sums[stop] > kept_sums[start] and prose_sums[stop] == prose_sums[start]


def _are_plausible(posts: Sequence[Post], is_declared: bool) -> bool:
    """Return whether most posts have a date and, where nothing declares a thread, an author."""
    dated = sum((post.stamp or post.machine_date) is not None for post in posts)
    named = sum(post.author is not None for post in posts)
    return len(posts) >= _MIN_POSTS and 2 * dated > len(posts) and (is_declared or 2 * named > len(posts))


def _declares_question(tree: Tree, node: int) -> bool:
    """Return whether elements around a node, or JSON-LD, declare a question with answers."""
    types = (tree.attributes[element].get("itemtype") or "" for element in tree.ancestors_or_self(node))
    return any(type_.strip().endswith(_QUESTION_TYPES) for type_ in types) or any(
        tree.end[script] > script + 1 and '"QAPage"' in tree.text[script + 1] for script in find_json_ld_elements(tree)
    )


def _count_kept_words(blocks: Blocks, spans: Sequence[range]) -> Iterator[int]:
    """Yield for each block its number of words if the method kept it, else 0."""
    starts = [span.start for span in spans]
    for first, last, words in zip(blocks.first, blocks.last, blocks.words, strict=True):
        index = bisect_right(starts, last) - 1
        yield words if index >= 0 and spans[index].stop > first else 0


def _count_prose_words(blocks: Blocks, kept: Sequence[int]) -> Iterator[int]:
    """Yield for each block its number of words if the method kept it and it is no heading, else 0."""
    for owner, words in zip(blocks.owner, kept, strict=True):
        yield 0 if blocks.tree.tag[blocks.node[owner]] in HEADING_TAGS else words


def _describe_page(blocks: Blocks, kept: Sequence[int]) -> CommentContainer:
    """Describe the whole page as the container of its posts."""
    evidence = find_evidence(blocks.tree)
    classes = [evidence.classes.get(node, UNRELATED) for node in blocks.node]
    elements = [element for element, node in enumerate(blocks.node) if node > blocks.tree.body]
    container = describe_container(blocks, classes, elements)
    has_date = container.has_posting_date[:]
    for block, words in enumerate(blocks.words):
        # A date among words is mentioned in a text only where the method took the line for text.
        if not has_date[block] and not (kept[block] and container.has_mentioned_date[block]):
            has_date[block] = find_posting_date(blocks.text[block], words) is not None
    for block in find_empty_times(blocks):
        has_date[block] = True
    return replace(container, has_posting_date=has_date, date_sums=list(accumulate(has_date, initial=0)))


def _choose_group(container: CommentContainer, kept_sums: Sequence[int]) -> _PostGroup | None:
    blocks, dates = container.blocks, container.date_sums
    groups: list[_PostGroup] = []
    dated: list[tuple[int, list[int]]] = []
    for elements in map(list, dict.fromkeys(map(tuple, group_elements(container).values()))):
        if len(elements) < _MIN_POSTS:
            continue
        count = sum(dates[blocks.stop[element]] > dates[blocks.start[element]] for element in elements)
        if count < _MIN_POSTS:
            continue
        dated.append((count, elements))
        segments = [CommentSegment(blocks.start[element], blocks.stop[element], element) for element in elements]
        groups.append(_rate_group(container, kept_sums, segments))
    dated.sort(key=lambda one: -one[0])
    for _, elements in dated[:_MAX_DIVIDED_GROUPS]:
        with_date = [element for element in elements if dates[blocks.stop[element]] - dates[blocks.start[element]] == 1]
        if segments := divide_by_dates(container, with_date):
            groups.append(_rate_group(container, kept_sums, segments))
    best_score = max((group.score for group in groups), default=0.0)
    if not best_score:
        return None
    near_best = [group for group in groups if group.score >= _NEAR_BEST_SHARE * best_score]
    return min(near_best, key=lambda group: (group.depth, -group.score))


def _rate_group(
    container: CommentContainer, kept_sums: Sequence[int], segments: Sequence[CommentSegment]
) -> _PostGroup:
    """Rate a group by the number of its posts, and by the share of the kept text in them."""
    posts: list[CommentSegment] = []
    words = 0
    for segment, (own_dates, own_words) in zip(segments, _count_own(container, kept_sums, segments), strict=True):
        if own_dates:
            posts.append(segment)
            words += own_words
    share = words / kept_sums[-1]
    with_words = sum(own_words > 0 for own_dates, own_words in _count_own(container, kept_sums, posts) if own_dates)
    depths, node = container.blocks.tree.depth, container.blocks.node
    depth = sum(depths[node[segment.element]] for segment in posts) / max(1, len(posts))
    if with_words < _MIN_POSTS:
        return _PostGroup(posts, 0.0, share, depth)
    # What is kept before the first post may be an opening post of other markup.
    before = kept_sums[posts[0].start]
    count = with_words + (before >= _MIN_OPENING_WORDS)
    return _PostGroup(posts, (share + _OPENING_FACTOR * before / kept_sums[-1]) ** 2 * count, share, depth)


def _count_own(
    container: CommentContainer, kept_sums: Sequence[int], segments: Sequence[CommentSegment]
) -> list[list[int]]:
    """Count the dates and the kept words of each segment outside the segments inside it."""
    date_sums = container.date_sums
    own: list[list[int]] = []
    around: list[tuple[int, list[int]]] = []
    for start, stop, _ in segments:
        counts = [date_sums[stop] - date_sums[start], kept_sums[stop] - kept_sums[start]]
        while around and around[-1][0] <= start:
            around.pop()
        if around:
            outer = around[-1][1]
            outer[0] -= counts[0]
            outer[1] -= counts[1]
        own.append(counts[:])
        around.append((stop, own[-1]))
    return own


def _find_opening_post(
    container: CommentContainer, prose_sums: Sequence[int], first: CommentSegment
) -> CommentSegment | None:
    """Find the opening post in what the method kept before the first reply; None where there is none."""
    blocks, dates = container.blocks, container.date_sums
    around = blocks.parent[first.element]
    while around >= 0:
        start = blocks.start[around]
        if prose_sums[first.start] - prose_sums[start] >= _MIN_OPENING_WORDS and dates[first.start] > dates[start]:
            # Without the head of the page, if the date is not there.
            prose = bisect_right(prose_sums, prose_sums[start]) - 1
            part = blocks.owner[prose]
            while part > around and blocks.parent[part] != around:
                part = blocks.parent[part]
            if part > around and dates[first.start] > dates[blocks.start[part]]:
                start = blocks.start[part]
            return CommentSegment(start, first.start, part)
        around = blocks.parent[around]
    return None


def _widen_segments(blocks: Blocks, segments: Sequence[CommentSegment]) -> list[CommentSegment]:
    """Return the largest elements around the segments that hold no other segment: the author may be beside the text.

    A segment without an element of its own stays as it is.
    """
    tree = blocks.tree
    nodes = sorted(blocks.node[segment.element] for segment in segments)
    widened: list[CommentSegment] = []
    for segment in segments:
        element = segment.element
        if (blocks.start[element], blocks.stop[element]) == (segment.start, segment.stop):
            node = blocks.node[element]
            count = bisect_left(nodes, tree.end[node]) - bisect_left(nodes, node)
            around = blocks.parent[element]
            while around >= 0:
                node = blocks.node[around]
                if bisect_left(nodes, tree.end[node]) - bisect_left(nodes, node) > count:
                    break
                element, around = around, blocks.parent[around]
            segment = CommentSegment(blocks.start[element], blocks.stop[element], element)
        widened.append(segment)
    return widened


def _read_posts(container: CommentContainer, segments: Sequence[CommentSegment], kept: Sequence[int]) -> list[Post]:
    blocks = container.blocks
    nodes = [blocks.node[segment.element] for segment in segments]
    tops = [
        node if blocks.start[segment.element] == segment.start else blocks.tree.parent[node]
        for node, segment in zip(nodes, segments, strict=True)
    ]
    reader = PostReader(blocks, kept, tops, find_own_blocks(container, segments))
    units = _find_units(blocks, kept)
    posts: list[Post] = []
    for index, node in enumerate(nodes):
        fields = reader.read(index)
        if fields.spans:
            spans = _add_units(fields.spans, fields.all_spans, units)
            posts.append(Post(fields.author, fields.stamp, fields.machine_date, node, spans, fields.all_spans))
    return posts


def _find_units(blocks: Blocks, kept: Sequence[int]) -> list[range]:
    """Return the listings, tables and displayed formulas among the kept blocks, in document order."""
    tree = blocks.tree
    kept_blocks = [block for block, words in enumerate(kept) if words]
    structure = find_structure(tree, [range(blocks.first[kept_blocks[0]], blocks.last[kept_blocks[-1]] + 1)])
    nodes = sorted((*structure.code_blocks, *structure.tables, *structure.formulas))
    return [range(node, tree.end[node]) for node in nodes]


def _add_units(spans: tuple[range, ...], all_spans: tuple[range, ...], units: list[range]) -> tuple[range, ...]:
    """Return the text of a post with all of each unit in it: their cells and lines have slots of their own.

    A unit belongs to the text if it is between other parts of it, or holds one. What follows the text may be a
    signature.
    """
    starts = [unit.start for unit in units]
    first, last = max(spans[0].start, all_spans[0].start), spans[-1].stop
    place = max(bisect_left(starts, first) - 1, 0)
    inside = [unit for unit in units[place : bisect_left(starts, last)] if unit.stop > first]
    inside = [unit for unit in inside if unit.start >= all_spans[0].start and unit.stop <= all_spans[-1].stop]
    return tuple(merge_spans([*spans, *inside])) if inside else spans
