"""The language of a site's pages, where they do not name it.

Stop words tell languages apart: they are half of what is written in one, and few of them are words of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from duramen.dom.tree import Tree
from duramen.language import base, stop_words, words

_LANGUAGES: Final = (
    "en ar bg ca cs da de el es et eu fa fi fr ga hi hr hu hy id it ja ko lt lv nl no pl pt ro ru sk sl sv th tr uk ur"
    " vi zh".split()
)
_READ: Final = 2000
"""Words looked at: the share of stop words among so many is known to a few hundredths."""

_LEAST: Final = 0.2
"""Fewer stop words than this are found in any text now and then."""


def language_of(trees: Sequence[Tree], text_nodes: Sequence[Sequence[int]]) -> str | None:
    """The language that most pages name, or the one whose stop words are most of their text; None for neither."""
    named = Counter(name for tree in trees if (name := base(tree.attributes[0].get("lang"))))
    if named:
        return min(named, key=lambda name: (-named[name], name))
    return likeliest(_longest(trees, text_nodes))


def likeliest(found: Sequence[str]) -> str | None:
    """The language that most of these words are stop words of."""
    counts = Counter(found)
    total = sum(counts.values())
    known = _languages_by_word()
    shares: Counter[str] = Counter()
    for word, count in counts.items():
        for language in known.get(word, ()):
            shares[language] += count
    # Lists are of any length: a word that many list says little, but the right one lists nearly all of the common ones.
    best = max(_LANGUAGES, key=lambda language: shares[language])
    return best if total and shares[best] >= _LEAST * total else None


def _longest(trees: Sequence[Tree], text_nodes: Sequence[Sequence[int]]) -> list[str]:
    """Words from the longest texts of the pages: prose, if there is any."""
    texts = {tree.text[node] for tree, nodes in zip(trees, text_nodes, strict=True) for node in nodes}
    read: list[str] = []
    for text in sorted(texts, key=lambda text: (-len(text), text)):
        if len(read) >= _READ:
            break
        read += words(text[:_READ])
    return read


@cache
def _languages_by_word() -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for language in _LANGUAGES:
        for word in stop_words(language):
            listed.setdefault(word, []).append(language)
    return listed
