# cython: boundscheck=False, wraparound=False
# Every index is a block of the page at hand.
"""The headline: the block that repeats the most of the page's title, where a heading counts twice, and what is no link.

The first `h1` is the name of the site as often as that of the article; the title knows better. The title may hold the
site's name as well; on the page that is mostly a link.
"""

from __future__ import annotations

from array import array

from duramen.auto.blocks import unspaced
from duramen.compiled import faster

LONGEST = 200
"""Characters up to which a block may repeat the title,"""
SHORTEST = 8
"""and from which on it is no chance that the title holds it;"""
SHORTEST_UNSPACED = 4
"""the same for scripts that write no spaces, and a word in two characters."""
_LOWEST = 6
"""The level that a headline has which is no heading."""


@faster
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


@faster
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
