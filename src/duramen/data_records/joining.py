"""Fields that stand at different places in different records, and are one.

Templates have variants: a row is `odd` or `even`, the opening post has a box of its own, a member without a picture
gets another frame. So the same element, by tag and name, comes at two places, and never at both in one record. Two such
places are one field if there is an expression that gives just the elements of both.

Or a name stands in a link, and where it is a moderator's in a `span` in that link: then it is the whole text of the
link, in all records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from duramen.data_records.alignment import Place
from duramen.data_records.fitting import fitted
from duramen.data_records.partition import Record
from duramen.data_records.reading import Reader
from duramen.data_records.steps import Path, Step
from duramen.data_records.texts import text_of
from duramen.dom.tree import Tree

_WRITTEN = ("text", "prose")
_VARIANTS = 4
"""Places of one name that others are compared with: templates have few variants, a hostile page any number."""


def joined(reader: Reader, records: Sequence[Record], places: Sequence[Place]) -> list[Place]:
    """The places, with those put together that are one field, where the first of them stood."""
    return _apart(reader, records, _within(reader.tree, places))


def _apart(reader: Reader, records: Sequence[Record], places: Sequence[Place]) -> list[Place]:
    """With those joined that go by the same name and stand in different records."""
    found: list[Place] = []
    known: dict[tuple[str, ...], list[int]] = {}
    for place in places:
        last = place.path[-1] if place.path else None
        if last is None or not last.attribute or place.pick.lines:
            found.append(place)
            continue
        alike = known.setdefault((*_name(last), place.source), [])
        for at in alike[:_VARIANTS]:
            if (both := _both(reader, records, found[at], place)) is not None:
                found[at] = both
                break
        else:
            alike.append(len(found))
            found.append(place)
    return found


def _both(reader: Reader, records: Sequence[Record], one: Place, other: Place) -> Place | None:
    """The place that is both; None where a record has both, or no expression gives just them."""
    if any(mine and yours for mine, yours in zip(one.nodes, other.nodes, strict=True)):
        return None
    nodes = tuple(mine or yours for mine, yours in zip(one.nodes, other.nodes, strict=True))
    place = replace(one, path=_common_end(one.path, other.path), nodes=nodes, listed=one.listed or other.listed)
    field = fitted(reader, records, place, "text")  # the kind plays no part in what is selected
    right = all(tuple(reader.selected(record, field)) == held for record, held in zip(records, nodes, strict=True))
    return place if right else None


def _common_end(one: Path, other: Path) -> Path:
    """The last steps of both paths, from anywhere in the record. The very last is the same, but for its number."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    shared = [
        mine if mine.number == yours.number else replace(mine, number=None)
        for mine, yours in takewhile(lambda pair: _name(pair[0]) == _name(pair[1]), pairs)
    ]
    first, *rest = reversed(shared)
    return replace(first, deep=True), *rest


def _name(step: Step) -> tuple[str, ...]:
    return step.tag, step.attribute, step.name, step.test, step.kind or ""


def _within(tree: Tree, places: Sequence[Place]) -> list[Place]:
    """With those joined of which one holds the other, and nothing else where the other is."""
    written = {
        place.path: number for number, place in enumerate(places) if place.source in _WRITTEN and not place.pick.lines
    }
    found: list[Place | None] = list(places)
    for path, number in written.items():
        around = written.get(path[:-1]) if path else None
        outer = None if around is None else found[around]
        if around is not None and outer is not None and _is_all_of(tree, places[number], outer):
            found[around] = replace(outer, source="prose")
            found[number] = None
    return [place for place in found if place is not None]


def _is_all_of(tree: Tree, inner: Place, outer: Place) -> bool:
    """Whether each record has a text of its own in one of two elements, and those within are all that stands there."""
    for within, around in zip(inner.nodes, outer.nodes, strict=True):
        if len(within) > 1 or len(around) != 1:
            return False
        if within and text_of(tree, within[0], whole=True) != text_of(tree, around[0], whole=True):
            return False
        if not within and not text_of(tree, around[0]):
            return False
    return any(not within for within in inner.nodes)
