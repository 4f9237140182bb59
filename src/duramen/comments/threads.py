"""Forum threads: there the posts are the content of the page, and none of them is a comment on it.

A page may declare this in its URL, with schema.org or in the names of elements around the posts. Otherwise the opening
post decides: its markup is like that of its replies, while an article has other markup than the comments under it.
Where a method takes the page for a forum, there is no article if there is almost no prose before the first comment,
and the comments were kept as content.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from duramen.comments.container import CommentContainer
from duramen.comments.model import Comment
from duramen.dom.class_names import split_words
from duramen.dom.date_forms import has_date
from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import is_forum_url

_THREAD_TYPE: Final = "DiscussionForumPosting"
_FORUM_CLASS_WORDS: Final = frozenset("forum forums phpbb vbulletin postbit discussionboard".split())
_MAX_NAMES_CHARS: Final = 400
_MIN_PROSE_LINE_WORDS: Final = 10
_MIN_ARTICLE_WORDS: Final = 25
"""Words outside links: of a line that may be prose, and of the shortest article."""
_DIGITS = re.compile(r"\d+")


def is_thread(
    container: CommentContainer, comments: Sequence[Comment], posts: Sequence[range] = (), url: str = ""
) -> bool:
    """Return whether the comments are the posts of a thread; `posts` are nodes that a method took for posts."""
    first = comments[0].node
    return (
        is_forum_url(url)
        or is_declared_thread(container.blocks.tree, first)
        or _has_similar_opening_post(container, first)
        or (_are_kept(comments, posts) and _count_prose_before(container, first) < _MIN_ARTICLE_WORDS)
    )


def _are_kept(comments: Sequence[Comment], posts: Sequence[range]) -> bool:
    """Return whether most comments are in the posts; both are in document order."""
    stops = [post.stop for post in posts]
    kept = 0
    for comment in comments:
        index = bisect_right(stops, comment.spans[0].start)
        kept += index < len(posts) and posts[index].start < comment.spans[-1].stop
    return 2 * kept > len(comments)


def _count_prose_before(container: CommentContainer, first: int) -> int:
    blocks = container.blocks
    sizes = (blocks.words[block] - blocks.linked[block] for block in range(len(blocks)) if blocks.last[block] < first)
    return sum(size for size in sizes if size >= _MIN_PROSE_LINE_WORDS)


def is_declared_thread(tree: Tree, node: int) -> bool:
    """Return whether elements around the first comment, or JSON-LD, declare a thread."""
    for element in tree.ancestors_or_self(node):
        attributes = tree.attributes[element]
        if (attributes.get("itemtype") or "").strip().endswith(_THREAD_TYPE):
            return True
        names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        if element > tree.body and len(names) < _MAX_NAMES_CHARS:
            if not _FORUM_CLASS_WORDS.isdisjoint(split_words(names, split_digits=True)):
                return True
    return any(
        tree.end[script] > script + 1 and f'"{_THREAD_TYPE}"' in tree.text[script + 1]
        for script in tree.find_all("script")
    )


def _has_similar_opening_post(container: CommentContainer, first: int) -> bool:
    """Return whether an element before the first comment has its tag and class, and a date and a text as well."""
    blocks, tree = container.blocks, container.blocks.tree
    classes = _read_classes(tree, first)
    if not classes:
        return False
    checked = 0  # blocks before this one were checked: nested elements have them again
    for element, node in enumerate(blocks.node):
        if node >= first:
            break
        if blocks.stop[element] <= checked:
            continue
        if tree.end[node] <= first and tree.tag[node] == tree.tag[first] and _read_classes(tree, node) == classes:
            inside = range(blocks.start[element], blocks.stop[element])
            if len(inside) > 1 and any(_has_date(tree, blocks.first[block], blocks.last[block]) for block in inside):
                return True
            checked = inside.stop
    return False


def _read_classes(tree: Tree, node: int) -> frozenset[str]:
    return frozenset(_DIGITS.sub("#", tree.attributes[node].get("class") or "").split())


def _has_date(tree: Tree, first: int, last: int) -> bool:
    return any(tree.tag[node] == TEXT and has_date(tree.text[node]) for node in range(first, last + 1))
