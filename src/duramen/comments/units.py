"""Which elements are the comments: the group of like elements that shares out the dates best.

Every comment has one date. Elements of one tag that share a word of their class, the stem of an id or the element
around them are a group; a group is good if each of its elements holds one date of its own, and bad where one holds
several. The whole list holds all dates in one element; a date's line is one element a date, but what was said stands
elsewhere. Between these, groups are equally good, such as an item and the box in it: the outermost is taken, for
replies stand inside the item and outside the box.

Records that the methods for lists find (`records.py`) are such a group, and the first choice where they share out the
dates as well as any other.

Where comments have no element of their own (`<dt>` and `<dd>`, or paragraphs signed "Posted by"), the elements that
hold the dates part the list into comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from duramen.comments.names import ITEM
from duramen.comments.partition import Unit, between_dates
from duramen.comments.place import Place
from duramen.comments.records import record_lists

_number = re.compile(r"\d+")
_MOST_NAMES: Final = 8
_NEAR_BEST: Final = 0.85
_OWN_ELEMENTS: Final = 0.85
"""Of the dates, the share that must be in elements of one comment each; else the dates part the list."""
_LEAST_DATES: Final = 2
"""One comment is no list."""
_COVERED: Final = 0.5
"""The share of what is said between the first and the last of a group that must stand in its elements."""

Key = tuple[str, str | int]


@dataclass(frozen=True)
class Group:
    """Like elements, and how well they fit the dates."""

    units: list[Unit]
    value: float
    dated: float
    """How many hold one date, whether or not anything is said in them."""
    covers: bool
    named: bool
    depth: float


def find_units(place: Place) -> list[Unit]:
    """The comments, in order; replies may stand in what they reply to."""
    blocks = place.blocks
    known = {element: Unit(blocks.start[element], blocks.stop[element], element) for element in place.inside}
    telling = {
        unit.element
        for unit in known.values()
        if place.stamps[unit.stop] > place.stamps[unit.start] or place.names[unit.element] == ITEM
    }
    # Many names give the same group: a class, another class, the stem of the id.
    distinct = dict.fromkeys(map(tuple, _groups(place).values()))
    groups = [
        _weigh(place, [known[element] for element in elements])
        for elements in distinct
        if not telling.isdisjoint(elements)
    ]
    holders = [group for group in groups if group.covers and group.value > 0]
    most = max((group.value for group in holders), default=0.0)
    marks = max(groups, key=lambda group: (group.dated, -len(group.units), group.depth), default=None)
    units = _records(place, max(most, marks.dated if marks else 0.0))
    if units:
        return units
    if marks is not None and most < _OWN_ELEMENTS * marks.dated:
        units = between_dates(place, [unit.element for unit in marks.units])
        if len(units) > most:
            return units
    near = [group for group in holders if group.value >= _NEAR_BEST * most]
    if not near:
        return []
    named = [group for group in near if group.named]
    if named or len(near[0].units) > 1:
        chosen = min(named or near, key=lambda group: (group.depth, -len(group.units)))
    else:
        chosen = max(near, key=lambda group: group.depth)
    return chosen.units


def _records(place: Place, most: float) -> list[Unit]:
    """The comments as the record methods part them, where these share out the dates as well as any other way does.

    They look one level deep: where replies stand inside what they reply to, or there is one comment, they do not stand.
    """
    if place.stamps[-1] < _LEAST_DATES:
        return []
    lists = (_weigh(place, units) for units in record_lists(place, max(most, _LEAST_DATES)))
    fitting = [found for found in lists if found.covers and found.value >= max(most, _OWN_ELEMENTS * len(found.units))]
    return max(fitting, key=lambda found: found.value).units if fitting else []


def _groups(place: Place) -> dict[Key, list[int]]:
    blocks, tree = place.blocks, place.blocks.tree
    groups: dict[Key, list[int]] = {}
    nodes = [blocks.node[element] for element in place.inside]
    for element, node, own in zip(place.inside, nodes, tree.read_attributes(nodes), strict=True):
        tag = tree.tag[node]
        if tag == "form":  # nobody's words, whatever it is called
            continue
        keys: list[Key] = [(tag, blocks.parent[element])]
        keys += [(tag, _number.sub("#", name)) for name in (own.get("class") or "").split()[:_MOST_NAMES]]
        dates = place.stamps[blocks.stop[element]] - place.stamps[blocks.start[element]]
        if tag == "li" and dates and not own.get("class"):
            keys.append((tag, "any"))  # replies in a list within the item, and no name says that they are alike
        identity = own.get("id")
        if identity and _number.search(identity):
            keys.append((tag, "id=" + _number.sub("#", identity)))
        for key in dict.fromkeys(keys):  # in order: groups that are as good as each other are taken as they come
            groups.setdefault(key, []).append(element)
    return groups


def _weigh(place: Place, units: list[Unit]) -> Group:
    stamps, said, others = (own_sums(units, sums) for sums in (place.stamps, place.said, place.others))
    value = lone = 0.0
    named = 0
    for unit, dates, words, more in zip(units, stamps, said, others, strict=True):
        is_item = place.names[unit.element] == ITEM
        named += is_item
        if dates:
            lone += 1 - 0.5 * (dates - 1)
        if dates and (words or more):
            value += 1 - 0.5 * (dates - 1)
        elif words and is_item:
            value += 0.5
    between = place.said[max(unit.stop for unit in units)] - place.said[units[0].start]
    depth, node = place.blocks.tree.depth, place.blocks.node
    return Group(
        units,
        value,
        lone,
        sum(said) >= _COVERED * between,
        2 * named >= len(units),
        sum(depth[node[unit.element]] for unit in units) / len(units),
    )


def own_sums(units: Sequence[Unit], sums: Sequence[int]) -> list[int]:
    """How much each unit holds that stands in no unit within it."""
    own: list[int] = []
    open_units: list[int] = []
    for index, unit in enumerate(units):
        while open_units and units[open_units[-1]].stop <= unit.start:
            open_units.pop()
        total = sums[unit.stop] - sums[unit.start]
        if open_units:
            own[open_units[-1]] -= total
        own.append(total)
        open_units.append(index)
    return own
