"""The title of a page: its text, its words, and the headline that repeats it.

The title of an article is its headline, or contains it. Both are compared in lower case by plain containment, in any
language. Words of the title are matched by prefix, a cheap stemmer: blocks of the article contain many of them, teasers
few.

The headline is the block that repeats most of the title; a heading counts twice, and so does text that is no link. The
first `h1` is the name of the site as often as that of the article. The title may contain the site's name too, but on
the page that is mostly a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.dom.blocks import has_unspaced_script
from duramen.dom.tree import Tree

MAX_TITLE_CHARS = 1000
"""Blocks are searched in the title, on hostile pages very many."""
MAX_PREFIXES = 12
MIN_WORD_CHARS, MAX_PREFIX_CHARS = 4, 6
"""Letters that a title word must have, and that its prefix has."""
MAX_HEADLINE_CHARS = 200
MIN_HEADLINE_CHARS, MIN_UNSPACED_HEADLINE_CHARS = 8, 4
"""A shorter text may be part of the title by chance; scripts without spaces write a word in two characters."""
LOWEST_HEADING_LEVEL = 6
"""Level of a headline that is no heading."""
_letters = re.compile(r"[^\W\d_]+")
_word = re.compile(r"[^\W_]+")


class PageTitle(NamedTuple):
    """In lower case; empty for a page without title."""

    text: str = ""
    """With single spaces."""
    prefixes: tuple[str, ...] = ()
    """Prefixes of its long words; in scripts without spaces every two characters."""


def read_title(tree: Tree) -> PageTitle:
    """Return the title of a page: that of `<title>`, else that of `og:title`."""
    text = read_title_text(tree)
    return PageTitle(text, _list_prefixes(text))


def read_title_text(tree: Tree) -> str:
    """Return the text of the title in lower case, with single spaces."""
    for node in _find_in_head(tree, "title"):
        title = _normalize("".join(tree.text[node : tree.end[node]]))
        if title:
            return title
    for node in _find_in_head(tree, "meta"):
        if tree.attributes[node].get("property") == "og:title":
            return _normalize(tree.attributes[node].get("content") or "")
    return ""


def _find_in_head(tree: Tree, tag: str) -> list[int]:
    return [node for node in tree.find_all(tag) if node < tree.body]


def _normalize(text: str) -> str:
    return " ".join(text.split()).lower()[:MAX_TITLE_CHARS]


def _list_prefixes(title: str) -> tuple[str, ...]:
    prefixes: dict[str, None] = {}
    for word in _letters.findall(title):
        if has_unspaced_script(word):
            prefixes.update(dict.fromkeys(word[at : at + 2] for at in range(len(word) - 1)))
        elif len(word) >= MIN_WORD_CHARS:
            prefixes[word[:MAX_PREFIX_CHARS]] = None
        if len(prefixes) >= MAX_PREFIXES:
            break
    return tuple(prefixes)[:MAX_PREFIXES]


def find_headline(
    candidates: Iterable[int],
    lower: Sequence[str],
    title: str,
    heading: Sequence[int] | NDArray[np.int64],
    words: Sequence[int],
    linked: Sequence[int],
    title_share: NDArray[np.float64],
) -> int:
    """Return the block that is the headline, or −1, and fill in the share of each block that is title.

    The candidates are the blocks of at most `MAX_HEADLINE_CHARS` that are part of the title or contain it. Of each
    block: its text in lower case, its heading level or 0, its words, and its words in links.
    """
    headline, most = -1, 0
    for block in candidates:
        text = lower[block]
        chars = len(text)
        repeated = 0
        if text in title and (
            chars >= MIN_HEADLINE_CHARS or (chars >= MIN_UNSPACED_HEADLINE_CHARS and has_unspaced_script(text))
        ):
            title_share[block] = 1.0
            repeated = chars
        elif title in text:
            title_share[block] = len(title) / chars
            repeated = len(title) if 2 * len(title) > chars else 0
        repeated *= (2 if heading[block] else 1) * (2 if 2 * linked[block] <= words[block] else 1)
        if repeated > most:
            most, headline = repeated, block
    return headline


def find_headline_before(
    stop: int,
    texts: Sequence[str],
    title: PageTitle,
    title_share: NDArray[np.float64],
    link_share: NDArray[np.float64],
    heading: NDArray[np.int64],
    words: NDArray[np.float64],
) -> int:
    """Return the headline among the first `stop` blocks, now that the start of the content is known, or −1.

    It is what repeats most of the title, as in `find_headline`; of equals, the last. When the title has other words
    (it may be written for search engines), it is the last `h1` that is no link and contains a prefix of a title word.
    """
    share, level = title_share[:stop], heading[:stop]
    candidates = ((share != 0.0) | (level != 0)) & (words[:stop] >= np.where(level != 0, 2.0, 3.0))
    title_words = _spaced_words(title.text)
    headline = other_h1 = -1
    most = 0
    for block in candidates.nonzero()[0].tolist():
        text = texts[block]
        is_plain = link_share[block] <= 0.5
        is_heading = level[block] != 0
        repeated = len(text) if share[block] == 1.0 else 0
        if is_heading and not repeated and len(text) <= MAX_HEADLINE_CHARS:
            lower = text.lower()
            own_words = _spaced_words(lower)
            if share[block] > 0.5 or (own_words and own_words in title_words):
                repeated = len(text)
            elif level[block] == 1 and is_plain and any(prefix in lower for prefix in title.prefixes):
                other_h1 = block
        repeated *= (2 if is_heading else 1) * (2 if is_plain else 1)
        if repeated and repeated >= most:
            most, headline = repeated, block
    return other_h1 if headline < 0 else headline


def _spaced_words(text: str) -> str:
    """Return the words of a text with spaces around each: titles have straight quotes where pages have curly ones."""
    words = _word.findall(text)
    return f" {' '.join(words)} " if words else ""
