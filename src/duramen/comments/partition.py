"""Comments without an element of their own: the elements that hold the dates part the list.

    <dt>Ann, 3 May 2012</dt> <dd>…</dd> <dt>Ben, 4 May 2012</dt> <dd>…</dd>          the date comes first
    <div>…</div> <p>Posted by Ann, 3 May 2012</p> <div>…</div> <p>Posted by …</p>    the date comes last

Which of the two it is, the ends of the list tell: what stands between two dates is like what stands after the last one,
or like what stands before the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from duramen.comments.names import PLACE
from duramen.comments.place import Place
from duramen.comments.stamps import SIGNATURES

_TEXT = -1


class Unit(NamedTuple):
    """One comment: its range of blocks, and the element it is known by."""

    start: int
    stop: int
    element: int


class _Part(NamedTuple):
    """A child of the list: an element, or a block of its own text."""

    start: int
    stop: int
    kind: tuple[str, str]
    element: int


def between_dates(place: Place, marks: Sequence[int]) -> list[Unit]:
    """The comments that these elements, which hold a date each, part from each other; in order."""
    around: dict[int, list[int]] = {}
    for mark in marks:
        around.setdefault(place.blocks.parent[mark], []).append(mark)
    children: dict[int, list[int]] = {parent: [] for parent in around}
    for element, parent in enumerate(place.blocks.parent):
        if parent in children:
            children[parent].append(element)
    units = [
        unit
        for parent, own in around.items()
        if parent >= 0
        for unit in _cut(place, _parts(place, parent, children[parent]), own)
    ]
    return sorted(units, key=lambda unit: (unit.start, -unit.stop))


def _cut(place: Place, parts: Sequence[_Part], marks: list[int]) -> list[Unit]:
    dated = set(marks)
    at = [index for index, part in enumerate(parts) if part.element in dated]
    if not at:
        return []
    if len(at) > 1:
        like = {part.kind for first, second in pairwise(at) for part in parts[first + 1 : second]}
    else:
        like = {part.kind for part in parts if part.element != _TEXT and place.names[part.element] >= PLACE}
    before, after = at[0], at[-1]
    while before and _goes_on(place, parts[before - 1], like):
        before -= 1
    while after + 1 < len(parts) and _goes_on(place, parts[after + 1], like):
        after += 1
    said = place.said
    said_before = said[parts[at[0]].start] - said[parts[before].start]
    said_after = said[parts[after].stop] - said[parts[at[-1]].stop]
    if said_before and (not said_after or _is_signed(place, parts[at[0]])):
        starts = [parts[before].start, *(parts[index].stop for index in at[:-1])]
        stops = [parts[index].stop for index in at]
    else:
        starts = [parts[index].start for index in at]
        stops = [*starts[1:], parts[after].stop]
    return [
        Unit(start, stop, parts[index].element)
        for start, stop, index in zip(starts, stops, at, strict=True)
        if said[stop] > said[start]
    ]


def _parts(place: Place, parent: int, children: Sequence[int]) -> list[_Part]:
    blocks, tree = place.blocks, place.blocks.tree
    parts: list[_Part] = []
    block = max(blocks.start[parent], place.first)
    at = 0
    while block < blocks.stop[parent]:
        if blocks.owner[block] == parent:
            parts.append(_Part(block, block + 1, ("", ""), _TEXT))
            block += 1
            continue
        while at < len(children) and not blocks.start[children[at]] <= block < blocks.stop[children[at]]:
            at += 1
        if at == len(children):
            break
        element = children[at]
        node = blocks.node[element]
        name = (tree.attributes[node].get("class") or "").split()[:1]
        parts.append(_Part(block, blocks.stop[element], (tree.tag[node], name[0] if name else ""), element))
        block = blocks.stop[element]
    return parts


def _goes_on(place: Place, part: _Part, like: set[tuple[str, str]]) -> bool:
    return part.kind in like and not place.left_out[part.start]


def _is_signed(place: Place, part: _Part) -> bool:
    """Whether a line with a date begins as signatures do: with "posted by", in the first words before the name."""
    return place.blocks.text[part.start].lower().startswith(SIGNATURES)
