"""Parts of a page that are told by what they are called: links, comments, captions.

That comments bear the word in their id or class is the paper's own remark (Oita and Senellart, FOREST, section 4,
"Challenges"); so do captions that are not a `figcaption`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from duramen.dom.tree import TEXT, Tree
from duramen.wrappers.steps import step_of

_find_comments = re.compile(r"[ck]omm?ent|disqus", re.IGNORECASE).search
_find_caption = re.compile(r"figcaption|caption", re.IGNORECASE).search


@dataclass(frozen=True)
class Parts:
    """What of a page is kept beside the body of its article."""

    headline: bool = True
    leads: bool = True
    """What stands between the headline and the body and speaks of the same things: a subtitle, a summary."""
    captions: bool = False
    comments: bool = False
    repeats: bool = False
    """What is the same on other pages, and lists of links: share bars, related stories."""


BODY = Parts(headline=False, leads=False, captions=True, comments=True, repeats=True)
"""The region as it stands, which is all that the paper extracts."""


@lru_cache(maxsize=1 << 12)
def is_comments(path: str) -> bool:
    """Whether an element, given by its step or a path to it, is called a place for comments."""
    return _find_comments(path.rpartition("/")[2]) is not None


@lru_cache(maxsize=1 << 12)
def is_caption(path: str) -> bool:
    """Whether an element, given by its step or a path to it, is a caption or is called one."""
    return _find_caption(path.rpartition("/")[2]) is not None


def linked_nodes(tree: Tree, span: range) -> set[int]:
    """The nodes inside links, among those of a span that starts with no link open."""
    found: set[int] = set()
    tags = tree.tag[span.start : span.stop]
    node = -1
    for _ in range(tags.count("a")):
        node = tags.index("a", node + 1)
        found.update(range(span.start + node, tree.end[span.start + node]))
    return found


def comment_nodes(tree: Tree) -> frozenset[int]:
    """The text nodes inside what is called comments, unless that is most of the page: then it is no such thing."""
    found: list[int] = []
    node, count, tag, attributes = tree.body + 1, len(tree), tree.tag, tree.attributes
    while node < count:
        if tag[node] != TEXT and is_comments(step_of("", attributes[node])):
            found += [below for below in range(node, tree.end[node]) if tag[below] == TEXT]
            node = tree.end[node]
        else:
            node += 1
    if 2 * sum(len(tree.text[node].strip()) for node in found) > _length(tree):
        return frozenset()
    return frozenset(found)


def _length(tree: Tree) -> int:
    return sum(len(text.strip()) for text in tree.text[tree.body :])
