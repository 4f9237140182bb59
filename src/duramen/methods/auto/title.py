"""What a page says it is about: its title, in words that its content uses again.

The title of an article is its headline, or holds it, in the words of the page itself. Compared by plain containment, in
lower case, in any language.

The words of the title are also *signs*: of the blocks of an article many speak of what its title speaks of; teasers
speak of other things. A sign is the beginning of a word, so that its other forms bear it too; where no spaces are
written, every two characters are one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from duramen.dom import lexbor
from duramen.dom.blocks import unspaced
from duramen.dom.tree import Tree

_LONGEST_TITLE = 1000
"""Characters that are read of it: blocks are looked for in it, on hostile pages very many."""
_MOST_SIGNS = 12
_SHORTEST, _LONGEST = 4, 6
"""Letters that a word must have to be a sign, and how many of them count."""
_word = re.compile(r"[^\W\d_]+")


class Sayings(NamedTuple):
    """In lower case; empty where the page says nothing."""

    title: str = ""
    """With single spaces."""
    signs: tuple[str, ...] = ()


def read_sayings(tree: Tree) -> Sayings:
    """The sayings of a page."""
    title = _title(tree)
    return Sayings(title, _signs(title))


def _title(tree: Tree) -> str:
    """The title; without one, the title for social media."""
    tags = tree.tag[: tree.body]
    for node in lexbor.places(tags, "title"):
        title = _plain("".join(tree.text[node : tree.end[node]]))
        if title:
            return title
    for node in lexbor.places(tags, "meta"):
        if tree.attributes[node].get("property") == "og:title":
            return _plain(tree.attributes[node].get("content") or "")
    return ""


def _signs(text: str) -> tuple[str, ...]:
    """The first signs in a text, each once."""
    found: dict[str, None] = {}
    for word in _word.findall(text):
        if unspaced(word):
            found.update(dict.fromkeys(word[at : at + 2] for at in range(len(word) - 1)))
        elif len(word) >= _SHORTEST:
            found[word[:_LONGEST]] = None
        if len(found) >= _MOST_SIGNS:
            break
    return tuple(found)[:_MOST_SIGNS]


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()[:_LONGEST_TITLE]
