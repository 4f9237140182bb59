"""Records of a list that goes on in another container: the first three results above the fold, the rest below."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from duramen.records.outline import Outline
from duramen.records.partition import Record
from duramen.records.shape import Shape, likeness, shape_of

ALIKE, NAMELESS = 0.8, 0.97
"""How like the list's own records a sister must be; more so where records have no class by which to know them."""
LIGHT = 0.2
"""Of the usual weight of a record, the least that a sister has."""
GAP = 1.0
"""Of the usual weight of a record, the most that may stand between a list and its going on."""
_MOST = 400
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def sisters(outline: Outline, node: int, records: Sequence[Record]) -> list[Record]:
    """Elements outside the list's own element that are records of the same list, in order."""
    tree = outline.tree
    if any(len(record) > 1 for record in records):
        return []
    sample = [shape_of(tree, record, outline.before, named=True) for record in records[:20]]
    centre: Shape = {}
    for shape in sample:
        for key, value in shape.items():
            centre[key] = centre.get(key, 0.0) + value / len(sample)
    usual = median(likeness(shape, centre) for shape in sample)
    heavy = median(outline.weight(record[0]) for record in records)
    tag, depth = tree.tag[records[0][0]], tree.depth[records[0][0]]
    needed = ALIKE if any(key[1].startswith(".") and value >= 0.3 for key, value in centre.items()) else NAMELESS
    start, end = node, tree.end[node]
    places = [
        place
        for place, name in enumerate(tree.tag)
        if name == tag and tree.depth[place] == depth and not start <= place < end and outline.weight(place)
    ][:_MOST]
    fit = [
        place
        for place in places
        if outline.weight(place) >= LIGHT * heavy
        and likeness(shape_of(tree, (place,), outline.before, named=True), centre) >= needed * usual
    ]
    first, last = records[0][0], tree.end[records[-1][0]]
    found: list[int] = []
    for place in (place for place in fit if place >= end):
        if not _goes_on(outline, last, place, heavy):
            break
        found.append(place)
        last = tree.end[place]
    for place in (place for place in reversed(fit) if place < start):
        if not _goes_on(outline, tree.end[place], first, heavy):
            break
        found.append(place)
        first = place
    return [(place,) for place in sorted(found)]


def _goes_on(outline: Outline, end: int, start: int, heavy: float) -> bool:
    """Whether little stands between, and no heading."""
    if outline.before[start] - outline.before[end] > GAP * heavy:
        return False
    tree = outline.tree
    return not any(tree.tag[node] in _HEADINGS and outline.weight(node) for node in range(end, start))
