"""Records of a list that goes on in another container: the first three results above the fold, the rest below.

A sister is an element of the same tag, at the same depth, of the same shape and class, with little between it and the
list, and no heading: under a heading of its own stands another list ("Customers also bought").

A stray stands among the records of a list in another tag.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Final

from duramen.data_records.outline import Outline
from duramen.data_records.partition import Record
from duramen.data_records.shape import NamedShape, likeness, mean_shape, named_shape_of, shape_of
from duramen.dom.tree import Tree

ALIKE, NAMELESS = 0.8, 0.97
"""How like one of the list's own records a sister must be; where records have no class by which to know them, how like
what all of them have in common."""
MADE_ALIKE: Final = 0.7
"""How like a record a stranger in another tag must be: the tag itself makes them differ."""
LIGHT: Final = 0.2
"""Of the usual weight of a record, the least that a sister has."""
GAP: Final = 1.0
"""Of the usual weight of a record, the most that may stand between a list and its going on."""
_SAMPLE = 12
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def sisters(outline: Outline, records: Sequence[Record]) -> list[Record]:
    """Elements before and after the records that are records of the same list, in order."""
    tree = outline.tree
    if len(records[0]) > 1:
        return []
    first, last = records[0][0], records[-1][-1]
    places = tagged(tree, tree.tag[first], 0, len(tree))
    before, after = bisect_left(places, first), bisect_left(places, tree.end[last])
    depth = tree.depth
    level = depth[first]
    family = _Family(outline, records)
    found = _following(outline, [place for place in places[after:] if depth[place] == level], last, family)
    elder = [place for place in reversed(places[:before]) if depth[place] == level]
    return sorted([*_following(outline, elder, first, family, back=True), *found])


def strays(outline: Outline, node: int, records: Sequence[Record]) -> list[Record]:
    """Children of the list's own element that are records in another tag: the second hit of a site, set in a quote."""
    tree = outline.tree
    own = {record[0] for record in records if len(record) == 1 and tree.parent[record[0]] == node}
    if len(own) < len(records):
        return []
    family = _Family(outline, records)
    others = (child for child in tree.children(node) if outline.codes[child] and child not in own)
    return [(other,) for other in others if family.resembles(other)]


@dataclass(frozen=True)
class _Family:
    """What the records of a list have in common. The shapes are counted when the first stranger is looked at."""

    outline: Outline
    records: Sequence[Record]

    @cached_property
    def weight(self) -> float:
        return median(self.outline.weight(record[0]) for record in self.records)

    @cached_property
    def _shapes(self) -> list[NamedShape]:
        return [named_shape_of(self.outline, record) for record in self.records[:_SAMPLE]]

    @cached_property
    def _centre(self) -> NamedShape:
        return mean_shape(self._shapes)

    @cached_property
    def _nameless(self) -> float:
        """How like the centre a stranger must be where most records have no class in common; 0 where they have."""
        if any(isinstance(key, str) and key.startswith(".") and value >= 0.25 for key, value in self._centre.items()):
            return 0.0
        return NAMELESS * median(likeness(shape, self._centre) for shape in self._shapes)

    def resembles(self, place: int) -> bool:
        """Whether a stranger is made like one of the records, whatever its tag and its class are."""
        if self.outline.weight(place) < LIGHT * self.weight:
            return False
        shape = shape_of(self.outline, (place,))
        sample = (shape_of(self.outline, record) for record in self.records[:_SAMPLE])
        return any(likeness(shape, one) >= MADE_ALIKE for one in sample)

    def has(self, place: int) -> bool:
        """Whether a stranger of the same tag is a record."""
        shape = named_shape_of(self.outline, (place,))
        if self._nameless:
            return likeness(shape, self._centre) >= self._nameless
        return any(likeness(shape, one) >= ALIKE for one in self._shapes)


def _following(
    outline: Outline, places: Sequence[int], edge: int, family: _Family, *, back: bool = False
) -> list[Record]:
    """The sisters on one side, as far as one follows the other."""
    ends = outline.tree.end
    found: list[Record] = []
    for place in places:
        gap = range(ends[place], edge) if back else range(ends[edge], place)
        if not gap and gap.start > gap.stop:  # holds the list, or is held by it
            continue
        if outline.before[gap.stop] - outline.before[gap.start] > GAP * family.weight:
            break
        if outline.weight(place) < LIGHT * family.weight or not family.has(place):
            continue
        if any(outline.tree.tag[node] in _HEADINGS and outline.weight(node) for node in gap):
            break
        found.append((place,))
        edge = place
    return found


def tagged(tree: Tree, tag: str, start: int, stop: int) -> list[int]:
    """The elements of a tag, from one node to another. `index` looks for the next one in C."""
    found: list[int] = []
    place = start - 1
    try:
        while True:
            place = tree.tag.index(tag, place + 1, stop)
            found.append(place)
    except ValueError:  # no more of them
        return found
