"""The place of the comments: which elements of a page stand in it, and where in it there are dates and words.

An element stands in the place if it, or one around it, is called so (`names.py`) and does not hold the page's first
heading: what is around the article is not the place of its comments, whatever it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from duramen.comments import names
from duramen.comments.dates import posting_dates
from duramen.comments.signs import Signs, first_heading
from duramen.comments.stamps import MOST_WORDS
from duramen.dom.blocks import Blocks

_FORM: Final = "form"
_TYPED: Final = "textarea"


@dataclass(frozen=True, eq=False)
class Place:
    """Of the elements that hold blocks, and of the blocks, what the search for comments needs."""

    blocks: Blocks
    names: list[int] = field(repr=False)
    """What each element is called."""
    inside: list[int]
    """The elements in the place, in order."""
    stamped: list[bool] = field(repr=False)
    """Whether a block in the place holds a date that a comment was posted under, or one that somebody speaks of."""
    spoken: list[bool] = field(repr=False)
    left_out: list[bool] = field(repr=False)
    """Whether a block stands in the form for the next comment, or in what other pages say."""
    stamps: list[int] = field(repr=False)
    """How many blocks before each hold a date; and how many words were said before it."""
    said: list[int] = field(repr=False)
    others: list[int] = field(repr=False)
    """How many blocks before each hold no date, outside the form."""
    first: int = 0
    """The block that the place begins with: 0 where elements alone bound it."""


def find_places(blocks: Blocks, signs: Signs) -> Iterator[Place]:
    """Where the comments may be: what is called so; then what a heading announces, from the last heading up."""
    verdicts = [signs.named.get(node, names.NOTHING) for node in blocks.node]
    if signs.promising:
        inside = _inside(blocks, verdicts)
        if inside:
            yield describe(blocks, verdicts, inside)
    if signs.headings:
        announcing = set(signs.headings)
        for element in reversed(range(len(verdicts))):
            if blocks.node[element] in announcing and (place := _after(blocks, verdicts, element)):
                yield place


def _after(blocks: Blocks, verdicts: list[int], heading: int) -> Place | None:
    """What follows a heading in the element around it, or, where it ends there, in the one around that.

    Pages whose comments bear no name still tell their readers where they begin.
    """
    start = blocks.stop[heading]
    around = blocks.parent[heading]
    while around >= 0 and blocks.stop[around] == start:
        around = blocks.parent[around]
    if around < 0:
        return None
    stop = blocks.stop[around]
    inside = [
        element
        for element in range(heading + 1, len(verdicts))
        if start <= blocks.start[element] < blocks.stop[element] <= stop
    ]
    return describe(blocks, verdicts, inside, range(start, stop))


def describe(blocks: Blocks, verdicts: list[int], inside: list[int], extent: range | None = None) -> Place:
    """The place that is made of these elements, or of these blocks with all elements in them."""
    count = len(blocks)
    within = [False] * count
    if extent is not None:
        within[extent.start : extent.stop] = [True] * len(extent)
    for element in inside:
        if not within[blocks.start[element]] or not within[blocks.stop[element] - 1]:
            within[blocks.start[element] : blocks.stop[element]] = [True] * (
                blocks.stop[element] - blocks.start[element]
            )
    left_out = _left_out(blocks, verdicts, inside)
    open_blocks = [inside and not out for inside, out in zip(within, left_out, strict=True)]
    stamped, spoken = posting_dates(blocks, verdicts, open_blocks)
    said = [
        0
        if left_out[block] or not within[block]
        else max(0, blocks.words[block] - blocks.linked[block] - (MOST_WORDS if stamped[block] else 0))
        for block in range(count)
    ]
    return Place(
        blocks,
        verdicts,
        inside,
        stamped,
        spoken,
        left_out,
        list(accumulate(map(int, stamped), initial=0)),
        list(accumulate(said, initial=0)),
        list(accumulate((not left_out[block] and not stamped[block] for block in range(count)), initial=0)),
        extent.start if extent is not None else 0,
    )


def _inside(blocks: Blocks, verdicts: list[int]) -> list[int]:
    tree = blocks.tree
    heading = first_heading(tree)
    known: list[int] = []
    found: list[int] = []
    for element, verdict in enumerate(verdicts):
        around = blocks.parent[element]
        state = known[around] if around >= 0 else names.NOTHING
        if state != names.ELSEWHERE:
            if verdict == names.ELSEWHERE:
                state = verdict
            elif verdict and not blocks.node[element] <= heading < tree.end[blocks.node[element]]:
                state = names.PLACE
        known.append(state)
        if state == names.PLACE:
            found.append(element)
    return found


def _left_out(blocks: Blocks, verdicts: list[int], inside: list[int]) -> list[bool]:
    """The blocks of forms in which something is typed, and of comments that are not of this page."""
    tree = blocks.tree
    found = [False] * len(blocks)
    elements = [element for element, verdict in enumerate(verdicts) if verdict == names.ELSEWHERE]
    for element in inside:
        node = blocks.node[element]
        if tree.tag[node] == _FORM and _TYPED in tree.tag[node : tree.end[node]]:
            elements.append(element)
    for element in elements:
        start, stop = blocks.start[element], blocks.stop[element]
        found[start:stop] = [True] * (stop - start)
    return found
