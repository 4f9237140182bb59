"""Bylines as bounds of an article: it may begin with the byline before its text, or end with the one after it.

Pasternack and Roth, WWW 2009, section 4.1: an extraction may start at the headline, at the byline, or at the main text,
and end with the main text or with a byline after it; so a page has up to six right extractions. A reference text has
no byline, but a set may name the author. The byline is then the nearest occurrence of the name beside the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from duramen.evaluation.metrics.positions import PlacedWords
from duramen.language import words

MAX_BYLINE_DISTANCE: Final = 30
"""Words between a byline and the text: a date, a place, the name of an agency."""
_INTRODUCTIONS: Final = frozenset({"by", "von", "par", "por", "di", "door", "av"})
_split_names = re.compile(r"\s*(?:[,;|&]|\band\b)\s*").split


def split_authors(author: str | Sequence[str] | None) -> list[tuple[str, ...]]:
    """Return the words of each name.

    >>> split_authors("Jane Doe and J. Roe")
    [('jane', 'doe'), ('j', 'roe')]
    """
    given = [author] if isinstance(author, str) else author or []
    names = (tuple(words(name)) for text in given for name in _split_names(str(text)))
    return [name for name in names if name]


def extend_to_bylines(
    page: Sequence[str], texts: Iterable[PlacedWords], authors: Sequence[tuple[str, ...]]
) -> list[PlacedWords]:
    """Return the placed texts, and each of them extended to the bylines beside its main text.

    The first of the texts is the main text alone.
    """
    texts = list(texts)
    main = texts[0].positions
    if not main or not authors:
        return texts
    first, last = min(main), max(main)
    additions = [frozenset[int]()]
    before = _find_names(page, max(first - MAX_BYLINE_DISTANCE, 0), first, authors)
    if before:
        start = before[-1].start
        start -= start > 0 and page[start - 1] in _INTRODUCTIONS
        additions.append(frozenset(range(start, first)))
    after = _find_names(page, last + 1, min(last + 1 + MAX_BYLINE_DISTANCE, len(page)), authors)
    if after:
        additions += [addition | frozenset(range(last + 1, after[0].stop)) for addition in additions]
    return [
        replace(text, positions=text.positions | addition, others=Counter(text.others))
        for addition in additions
        for text in texts
    ]


def _find_names(page: Sequence[str], start: int, stop: int, authors: Sequence[tuple[str, ...]]) -> list[range]:
    """Return where a name is, from `start` up to `stop`, in order."""
    found = [
        range(position, position + len(name))
        for name in authors
        for position in range(start, stop - len(name) + 1)
        if tuple(page[position : position + len(name)]) == name
    ]
    return sorted(found, key=lambda place: place.start)
