# cython: boundscheck=False, wraparound=False
# Every index is that of a block of the page at hand, whose arrays are as long as the list of the kept.
"""What is asked of the blocks that were kept: how much they are, where they stand, what they repeat."""

from __future__ import annotations

from array import array
from itertools import accumulate, compress
from typing import NamedTuple

from duramen.methods.auto.rows import Features


class Sizes(NamedTuple):
    blocks: int
    """How many were kept,"""
    words: int
    """how many words they have,"""
    of_words: int
    """and how many the page has."""


def sizes(words: array[int], kept: list[bool]) -> Sizes:
    """How much was kept."""
    return Sizes(*_sizes(words, kept)) if kept else Sizes(0, 0, 0)


def bounds(kept: list[bool]) -> tuple[int, int]:
    """The first block that was kept, and the last; −1 where none was."""
    return _bounds(kept)


def runs(kept: list[bool], first: array[int], last: array[int]) -> list[range]:
    """The nodes of kept blocks that follow each other, from the first node of the first to the last of the last."""
    return _runs(kept, first, last) if kept else []


def any_again(words: array[int], kept: list[bool], rows: array[float], width: int, times: int, least: int) -> bool:
    """Whether a kept block of so many words stands on the page more than once: the number `times` of its row says how
    often it does."""
    return _any_again(words, kept, rows, width, times, least) if kept else False


def beside(kept: list[bool], known: Features, column: int) -> list[int]:
    """The blocks that were not kept, whose rows say yes in this column, and beside which one stands that was kept.

    What holds nothing but such blocks, a figure around a listing, stands where it stands; so does what holds nothing
    but blocks that were kept.
    """
    wanted = [known.rows[block * known.width + column] != 0.0 for block in range(len(kept))]
    places = _places(wanted, known)
    of_kept = _places(kept, known)
    taken = {of_kept[owner] for owner in compress(known.owner, kept)}
    missing = [block for block in compress(range(len(kept)), wanted) if not kept[block]]
    return [block for block in missing if places[known.owner[block]] in taken]


def most(numbers: array[float]) -> float:
    """The largest of these numbers, none of which is below 0."""
    return _most(numbers) if len(numbers) else 0.0


def _sizes(words: array[int], kept: list[bool]) -> tuple[int, int, int]:
    blocks = size = total = 0
    for block in range(len(kept)):
        total += words[block]
        if kept[block]:
            size += words[block]
            blocks += 1
    return blocks, size, total


def _bounds(kept: list[bool]) -> tuple[int, int]:
    first, last = 0, len(kept) - 1
    while last >= 0 and not kept[last]:
        last -= 1
    while first < last and not kept[first]:
        first += 1
    return min(first, last), last


def _runs(kept: list[bool], first: array[int], last: array[int]) -> list[range]:
    found = []
    start = -1
    for block in range(len(kept)):
        if kept[block]:
            if start < 0:
                start = block
        elif start >= 0:
            found.append(range(first[start], last[block - 1] + 1))
            start = -1
    if start >= 0:
        found.append(range(first[start], last[len(kept) - 1] + 1))
    return found


def _any_again(words: array[int], kept: list[bool], rows: array[float], width: int, times: int, least: int) -> bool:
    for block in range(len(kept)):
        if words[block] >= least and rows[block * width + times] > 1.0 and kept[block]:
            return True
    return False


def _places(wanted: list[bool], known: Features) -> list[int]:
    """Of each element the one that its text stands in: itself, or, where it holds nothing but the wanted, the nearest
    around it that holds more."""
    others = [0, *accumulate(not is_so for is_so in wanted)]
    found: list[int] = []  # what is around an element comes before it
    for element, around in enumerate(known.parent):
        if others[known.start[element]] != others[known.stop[element]]:
            found.append(element)
        else:
            is_inside = around >= 0 and others[known.start[around]] == others[known.stop[around]]
            found.append(found[around] if is_inside else around)
    return found


def _most(numbers: array[float]) -> float:
    found = 0.0
    for place in range(len(numbers)):
        if numbers[place] > found:
            found = numbers[place]
    return found
