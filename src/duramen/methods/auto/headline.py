# cython: boundscheck=False, wraparound=False
# Every index is a block of the page at hand.
"""The headline: the block that repeats the most of the page's title, where a heading counts twice, and what is no link.

The first `h1` is the name of the site as often as that of the article; the title knows better. The title may hold the
site's name as well; on the page that is mostly a link.
"""

from __future__ import annotations

import re
from array import array

from duramen.dom.blocks import unspaced
from duramen.methods.auto.rows import Features

LONGEST = 200
"""Characters up to which a block may repeat the title,"""
SHORTEST = 8
"""and from which on it is no chance that the title holds it;"""
SHORTEST_UNSPACED = 4
"""the same for scripts that write no spaces, and a word in two characters."""
_LOWEST = 6
"""The level that a headline has which is no heading."""
_word = re.compile(r"[^\W_]+")


def find_headline(
    lower: list[str], title: str, heading: array[int], words: array[int], linked: array[int], titled: array[float]
) -> int:
    """Write down the share of each block that is title; which is the headline, or −1.

    Of each block: its text in lower case, which heading it is, its words, and how many of them are links.
    """
    return _find(lower, title, heading, words, linked, titled) if lower and title else -1


def _find(
    lower: list[str], title: str, heading: array[int], words: array[int], linked: array[int], titled: array[float]
) -> int:
    found = -1
    most = 0
    for block in range(len(lower)):
        text = lower[block]
        length = len(text)
        if length > LONGEST:
            continue
        repeated = 0
        if length >= SHORTEST_UNSPACED and text in title and (length >= SHORTEST or unspaced(text)):
            titled[block] = 1.0
            repeated = length
        elif title in text:
            titled[block] = len(title) / length
            if 2 * len(title) > length:
                repeated = len(title)
        if heading[block]:
            repeated *= 2
        if 2 * linked[block] <= words[block]:
            repeated *= 2
        if repeated > most:
            most, found = repeated, block
    return found


def count_headings(heading: array[int], headline: int, headings: array[int], sections: array[int]) -> None:
    """Write down how many headings there are up to each block, and how many of them rank as high as the headline."""
    _count(heading, headline, headings, sections)


def _count(heading: array[int], headline: int, headings: array[int], sections: array[int]) -> None:
    level = heading[headline] or _LOWEST
    found = as_high = 0
    for block in range(len(heading)):
        if heading[block]:
            found += 1
            if heading[block] <= level:
                as_high += 1
        headings[block] = found
        sections[block] = as_high


def headline_before(count: int, texts: list[str], known: Features, titled: int, links: int) -> int:
    """The headline among so many first blocks, now that the content is known to begin after them; or −1.

    It is what repeats most of the page's title: a heading counts twice, and what is no link; of those alike, the last.
    But a title may be written for search engines, in words of its own. Then it is the last heading of the first level
    that is no link and bears a sign of the title. `titled` and `links` are where a row says how much of the block is
    title, and in links.
    """
    if count < 1:
        return -1
    title, signs = _spoken(known.sayings.title), known.sayings.signs
    return _before(count, texts, title, signs, known.rows, known.width, known.heading, known.words, titled, links)


def _before(
    count: int,
    texts: list[str],
    title: str,
    signs: tuple[str, ...],
    rows: array[float],
    width: int,
    headings: array[int],
    words: array[float],
    titled: int,
    links: int,
) -> int:
    found = named = -1
    most = 0
    for block in range(count):
        share = rows[block * width + titled]
        level = headings[block]
        if (share == 0.0 and level == 0) or words[block] < (2.0 if level else 3.0):
            continue  # a label, as most are that stand before the content
        is_plain = rows[block * width + links] <= 0.5
        text = texts[block]
        repeated = len(text) if share == 1.0 else 0
        if level and not repeated and len(text) <= LONGEST:
            said = _spoken(text.lower())
            if share > 0.5 or (said and said in title):
                repeated = len(text)
            elif level == 1 and is_plain and _bears(text, signs):
                named = block
        if level:
            repeated *= 2
        if is_plain:
            repeated *= 2
        if repeated and repeated >= most:
            most, found = repeated, block
    return named if found < 0 else found


def _spoken(text: str) -> str:
    """The words of a text between spaces, without the marks between them: quotes are straight in titles where they are
    curly on pages. Nothing, where there are no words."""
    words = _word.findall(text)
    return f" {' '.join(words)} " if words else ""


def _bears(text: str, signs: tuple[str, ...]) -> bool:
    said = text.lower()
    return any(sign in said for sign in signs)
