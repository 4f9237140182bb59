"""Is it a thread? In a forum the posts are the page, and none of them is a comment on it.

A page may say so itself, in its address, in the words of schema.org or in the names of the elements around the posts.
Otherwise the
opening post tells: it is made like the replies to it, while an article is not made like the comments under it. And
where a method takes the page for a forum, there is no article if next to nothing is said before the first comment, and
that was kept as content.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from duramen.comments.comment import Comment
from duramen.comments.names import words_of
from duramen.comments.place import Place
from duramen.comments.stamps import is_stamp
from duramen.dom.tree import TEXT, Tree

_THREAD: Final = "DiscussionForumPosting"
_FORUMS: Final = frozenset("forum forums phpbb vbulletin postbit discussionboard".split())
"""Words in the names of elements around the posts of a forum."""
_HOSTS: Final = frozenset(
    "forum forums community communities discuss discussions board boards bbs reddit lemmy".split()
)
_FOLDERS: Final = frozenset(
    "forum forums thread threads topic topics viewtopic showthread discussion discussions".split()
)
"""Words in the addresses of threads: of the host, and of the path."""
_LONGEST: Final = 400
_number = re.compile(r"\d+")


_SENTENCE: Final = 10
_ARTICLE: Final = 25
"""Words outside links: of a line that may be prose, and of the least article."""


def is_thread(place: Place, comments: Sequence[Comment], posts: Sequence[range] = (), address: str = "") -> bool:
    """Whether what looks like comments are the posts of a thread; `posts` are the nodes that were taken for posts."""
    first = comments[0].node
    return (
        is_forum_address(address)
        or _is_called_so(place.blocks.tree, first)
        or _opens_alike(place, first)
        or (_are_kept(comments, posts) and _prose_before(place, first) < _ARTICLE)
    )


def is_forum_address(address: str) -> bool:
    """Whether an address says that a thread of a forum is to be found there."""
    try:
        parts = urlsplit(address.lower())
        labels = (parts.hostname or "").split(".")[:-1]
    except ValueError:  # a bracket out of place: no address
        return False
    if any(label in _HOSTS or label.endswith(("forum", "forums")) for label in labels):
        return True
    return not _FOLDERS.isdisjoint(folder.partition(".")[0] for folder in parts.path.split("/"))


def _are_kept(comments: Sequence[Comment], posts: Sequence[range]) -> bool:
    """Whether most comments stand in what was kept; both are in document order."""
    stops = [post.stop for post in posts]
    kept = 0
    for comment in comments:
        place = bisect_right(stops, comment.spans[0].start)
        kept += place < len(posts) and posts[place].start < comment.spans[-1].stop
    return 2 * kept > len(comments)


def _prose_before(place: Place, first: int) -> int:
    blocks = place.blocks
    sizes = (blocks.words[block] - blocks.linked[block] for block in range(len(blocks)) if blocks.last[block] < first)
    return sum(size for size in sizes if size >= _SENTENCE)


def _is_called_so(tree: Tree, node: int) -> bool:
    for around in (node, *tree.ancestors(node)):
        own = tree.attributes[around]
        if (own.get("itemtype") or "").strip().endswith(_THREAD):
            return True
        called = f"{own.get('class') or ''} {own.get('id') or ''}"
        if around > tree.body and len(called) < _LONGEST and not _FORUMS.isdisjoint(words_of(called)):
            return True
    script = -1
    for _ in range(tree.tag.count("script")):
        script = tree.tag.index("script", script + 1)
        if tree.end[script] > script + 1 and f'"{_THREAD}"' in tree.text[script + 1]:
            return True
    return False


def _opens_alike(place: Place, first: int) -> bool:
    """Whether an element before the first comment has its tag and its class, and a date and a text as it does."""
    blocks, tree = place.blocks, place.blocks.tree
    kind = _kind(tree, first)
    if not kind:
        return False
    past = 0  # blocks before this one were looked at: elements in each other have them again
    for element, node in enumerate(blocks.node):
        if node >= first:
            break
        if blocks.stop[element] <= past:
            continue
        if tree.end[node] <= first and tree.tag[node] == tree.tag[first] and _kind(tree, node) == kind:
            inside = range(blocks.start[element], blocks.stop[element])
            if len(inside) > 1 and any(_is_dated(tree, blocks.first[block], blocks.last[block]) for block in inside):
                return True
            past = inside.stop
    return False


def _kind(tree: Tree, node: int) -> frozenset[str]:
    return frozenset(_number.sub("#", tree.attributes[node].get("class") or "").split())


def _is_dated(tree: Tree, first: int, last: int) -> bool:
    return any(tree.tag[node] == TEXT and is_stamp(tree.text[node]) for node in range(first, last + 1))
