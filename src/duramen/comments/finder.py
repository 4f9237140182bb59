"""Find the comments of a page: container, segmentation, fields of each comment, checks of the result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import Final

from duramen.comments.comment_fields import CommentFields, FieldReader
from duramen.comments.comment_segmentation import CommentSegment, find_segments
from duramen.comments.container import CommentContainer, find_containers, find_evidence
from duramen.comments.model import Comment
from duramen.comments.threads import is_thread
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.tree import Tree
from duramen.language import words
from duramen.output import write_texts

_MIN_SIGNED_SHARE: Final = 0.6
"""Share of the comments below a heading that must have author and date."""
_MIN_DATED_SHARE: Final = 0.75
"""Share of the comments that must have a date for one without to be none."""
_SEVERAL: Final = 3
_MIN_REMARK_WORDS: Final = 6
_SENTENCE_ENDS: Final = tuple(".!?…。！？")
_match_pingback = re.compile(r"\W*(?:(?:ping|track)backs?\b|reblogged this on\b)", re.IGNORECASE).match
_ELLIPSIS = re.compile(r"\[(?:\.\.\.|…)\]")
_find_word_character = re.compile(r"\w").search
_ITEM_TAGS: Final = frozenset(("li", "dd", "dt"))
_ITEM_SIGN = re.compile(r"\A(?:- |\d+\. |    )")
_find_depth_class = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|nest(?:ed|ing)?)[-_]?(\d{1,2})(?=\s|$)").search


def find_comments(
    tree: Tree, *, posts: Sequence[range] = (), url: str = "", blocks: Blocks | None = None
) -> list[Comment]:
    """Find the reader comments of a page, in document order; empty where there are none.

    The posts of a forum thread are no comments: they are the content. `posts` are the nodes that a method kept on a
    page that it took for a forum; `url` is that of the page; `blocks` are the blocks of the tree, if known.
    """
    evidence = find_evidence(tree)
    if not evidence.has_named_container and not evidence.headings:
        return []
    for container in find_containers(blocks or find_blocks(tree), evidence):
        comments = _check_plausible(_read_comments(container))
        # A heading is weaker evidence than a name: most of what follows it must have author and date.
        signed = sum(1 for comment in comments if comment.author and comment.stamp)
        if comments and (not container.first_block or signed > _MIN_SIGNED_SHARE * len(comments)):
            return [] if is_thread(container, comments, posts, url) else comments
    return []


def _check_plausible(comments: list[Comment]) -> list[Comment]:
    """Return no comments where nobody says anything: names and dates alone are a directory or a list of news."""
    if len(comments) >= _SEVERAL and not any(_is_remark(comment.text) for comment in comments):
        return []
    return comments


def _is_remark(text: str) -> bool:
    """Return whether a text ends like a sentence or has some words."""
    return text.endswith(_SENTENCE_ENDS) or len(words(text)) >= _MIN_REMARK_WORDS


def _read_comments(container: CommentContainer) -> list[Comment]:
    tree = container.blocks.tree
    segments = find_segments(container)
    nodes = [container.blocks.node[segment.element] for segment in segments]
    reader = FieldReader(container, segments)
    fields_of = [reader.read(index) for index in range(len(segments))]
    notices = _find_notices(fields_of)
    candidates = [
        index
        for index, fields in enumerate(fields_of)
        if fields.free_words and (fields.author or fields.date) is not None and index not in notices
    ]
    texts = _write_comment_texts(tree, [(fields_of[index].spans, nodes[index]) for index in candidates])
    levels = _find_levels(tree, nodes, segments)
    language = tree.attributes[0].get("lang")
    seen: set[tuple[str | None, str | None, str]] = set()
    comments: list[Comment] = []
    is_certain = False
    ancestors: list[tuple[int, int]] = []  # level and index of the comments that the next one may reply to
    for index, text in zip(candidates, texts, strict=True):
        fields = fields_of[index]
        key = fields.author, fields.date, text
        # Tabs for "newest" and "best" show the same comments twice.
        if key in seen or _is_machine_made(fields.author, text):
            continue
        seen.add(key)
        is_certain = is_certain or (fields.date or fields.machine_date) is not None or bool(comments)
        while ancestors and ancestors[-1][0] >= levels[index]:
            ancestors.pop()
        parent = ancestors[-1][1] if ancestors else None
        ancestors.append((levels[index], len(comments)))
        comments.append(
            Comment(
                fields.author,
                fields.date,
                text,
                depth=len(ancestors) - 1,
                parent=parent,
                node=nodes[index],
                spans=fields.spans,
                all_spans=fields.all_spans,
                machine_date=fields.machine_date,
                language=language,
            )
        )
    return comments if is_certain else []  # a single text without a date may be anything


def _find_notices(fields_of: Sequence[CommentFields]) -> list[int]:
    """Find the first and the last one if they alone have no date: a legend, or rules for comments."""
    with_text = [index for index, fields in enumerate(fields_of) if fields.free_words]
    dated = [fields_of[index].date is not None for index in with_text]
    if len(dated) <= _SEVERAL or sum(dated) < _MIN_DATED_SHARE * len(dated):
        return []
    return [with_text[end] for end, neighbor in ((0, 1), (-1, -2)) if dated[neighbor] and not dated[end]]


def _is_machine_made(author: str | None, text: str) -> bool:
    """Return whether a blog wrote it: a pingback, a trackback with an excerpt of the other page, a reblog."""
    return any(part is not None and (_match_pingback(part) is not None or _is_excerpt(part)) for part in (text, author))


def _is_excerpt(text: str) -> bool:
    """Return whether a text begins and ends with an ellipsis: "[…] as the oak shows […]", with no word after it."""
    begin = _ELLIPSIS.match(text)
    if begin is None:
        return False
    last = _find_word_character(text[::-1])  # one search from the end; an expression would search from every ellipsis
    return _ELLIPSIS.search(text, max(begin.end(), len(text) - last.start() if last else 0)) is not None


def _write_comment_texts(tree: Tree, comments: Sequence[tuple[Sequence[range], int]]) -> list[str]:
    """Write the text of comments, given by spans and element, without the sign or indentation of their own item."""
    texts = write_texts(tree, [spans for spans, _ in comments])
    return [_strip_item_sign(tree, text, spans, node) for text, (spans, node) in zip(texts, comments, strict=True)]


def _strip_item_sign(tree: Tree, text: str, spans: Sequence[range], node: int) -> str:
    if not spans:
        return text
    holder = tree.common_ancestor(spans[0].start, spans[-1].stop - 1)
    while holder > node and tree.tag[holder] not in _ITEM_TAGS:
        holder = tree.parent[holder]
    if holder <= node or tree.tag[holder] == "dd":
        text = dedent(_ITEM_SIGN.sub(lambda sign: " " * len(sign[0]), text))
    return text.strip()


def _find_levels(tree: Tree, nodes: Sequence[int], segments: Sequence[CommentSegment]) -> list[int]:
    """Return how deep each comment is nested: by the comments around it, or by its class."""
    levels: list[int] = []
    around: list[CommentSegment] = []
    for segment in segments:
        while around and around[-1].stop <= segment.start:
            around.pop()
        levels.append(len(around))
        around.append(segment)
    if any(levels):
        return levels
    classes = tree.attribute_values("class", nodes)
    return [int(match[1]) if value and (match := _find_depth_class(value)) else 0 for value in classes]
