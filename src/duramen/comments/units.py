"""Which elements are the comments: the group of like elements that shares out the dates best.

Every comment has one date. Elements of one tag that share a word of their class, the stem of an id or the element
around them are a group; a group is good if each of its elements holds one date of its own, and bad where one holds
several. The whole list holds all dates in one element; a date's line is one element a date, but what was said stands
elsewhere. Between these, groups are equally good, such as an item and the box in it: the outermost is taken, for
replies stand inside the item and outside the box.

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

_number = re.compile(r"\d+")
_MOST_NAMES: Final = 8
_NEAR_BEST: Final = 0.85
_OWN_ELEMENTS: Final = 0.85
"""Of the dates, the share that must be in elements of one comment each; else the dates part the list."""
_COVERED: Final = 0.5
"""The share of what is said between the first and the last of a group that must stand in its elements."""

Key = tuple[str, str | int]


@dataclass(frozen=True)
class Group:
    """Like elements, and how well they fit the dates."""

    units: list[int]
    value: float
    dated: float
    """How many hold one date, whether or not anything is said in them."""
    covers: bool
    named: bool
    depth: float


def find_units(place: Place) -> list[Unit]:
    """The comments, in order; replies may stand in what they reply to."""
    blocks = place.blocks
    # Many names give the same group: a class, another class, the stem of the id.
    groups = [_weigh(place, list(units)) for units in dict.fromkeys(map(tuple, _groups(place).values()))]
    holders = [group for group in groups if group.covers and group.value > 0]
    most = max((group.value for group in holders), default=0.0)
    marks = max(groups, key=lambda group: (group.dated, -len(group.units), group.depth), default=None)
    if marks is not None and most < _OWN_ELEMENTS * marks.dated:
        units = between_dates(place, marks.units)
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
    return [Unit(blocks.start[unit], blocks.stop[unit], unit) for unit in chosen.units]


def _groups(place: Place) -> dict[Key, list[int]]:
    blocks, tree = place.blocks, place.blocks.tree
    groups: dict[Key, list[int]] = {}
    nodes = [blocks.node[element] for element in place.inside]
    for element, node, own in zip(place.inside, nodes, tree.attributes_of(nodes), strict=True):
        tag = tree.tag[node]
        if tag == "form":  # nobody's words, whatever it is called
            continue
        keys: list[Key] = [(tag, blocks.parent[element])]
        keys += [(tag, _number.sub("#", name)) for name in (own.get("class") or "").split()[:_MOST_NAMES]]
        identity = own.get("id")
        if identity and _number.search(identity):
            keys.append((tag, "id=" + _number.sub("#", identity)))
        for key in dict.fromkeys(keys):  # in order: groups that are as good as each other are taken as they come
            groups.setdefault(key, []).append(element)
    return groups


def _weigh(place: Place, units: list[int]) -> Group:
    blocks = place.blocks
    stamps, said = own_sums(place, units, place.stamps), own_sums(place, units, place.said)
    others = own_sums(place, units, place.others)
    value = lone = 0.0
    named = 0
    for unit, dates, words, more in zip(units, stamps, said, others, strict=True):
        is_item = place.names[unit] == ITEM
        named += is_item
        if dates:
            lone += 1 - 0.5 * (dates - 1)
        if dates and (words or more):
            value += 1 - 0.5 * (dates - 1)
        elif words and is_item:
            value += 0.5
    first, last = blocks.start[units[0]], max(blocks.stop[unit] for unit in units)
    between = place.said[last] - place.said[first]
    depth = blocks.tree.depth
    return Group(
        units,
        value,
        lone,
        sum(said) >= _COVERED * between,
        2 * named >= len(units),
        sum(depth[blocks.node[unit]] for unit in units) / len(units),
    )


def own_sums(place: Place, units: Sequence[int], sums: Sequence[int]) -> list[int]:
    """How much each unit holds that stands in no unit within it."""
    blocks = place.blocks
    own: list[int] = []
    open_units: list[int] = []
    for index, unit in enumerate(units):
        while open_units and blocks.stop[units[open_units[-1]]] <= blocks.start[unit]:
            open_units.pop()
        total = sums[blocks.stop[unit]] - sums[blocks.start[unit]]
        if open_units:
            own[open_units[-1]] -= total
        own.append(total)
        open_units.append(index)
    return own
