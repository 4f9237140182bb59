"""How alike two records are in their markup: the tags at their first levels, counted.

A tag counts for less the deeper it stands, since what is deep is content (a paragraph more or less) and what is high is
the template; and a second or third of the same kind says less than the first. What holds one thing only is a wrapper,
and goes no level deeper. Two shapes agree as far as their counts overlap: the sum of the smaller over the larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from duramen.data_records.outline import Outline, Shape

NamedShape = dict[int | str, float]
"""A shape with classes and attributes in it."""

LEVELS = 3
"""How deep a shape looks."""
_MOST = 60
"""How many nodes of an element a shape looks at: records are told apart by their beginnings."""
_LONGEST = 12
"""How many elements of a run a shape looks at."""
_NAMES = 100
"""How many tokens of a class, and how many attributes, a shape has of an element."""


def shape_of(outline: Outline, record: Sequence[int]) -> Shape:
    """The shape of a record, given its top nodes. What weighs nothing is no part of it."""
    return _shape(outline.shapes, outline.tree.end, outline.before, outline.codes, record)


def regularity(outline: Outline, records: Sequence[Sequence[int]], least: float = 0.0) -> float:
    """How like its neighbour a record is, on the average; 0 as soon as that is known to be less than `least`."""
    return _regularity(outline.shapes, outline.tree.end, outline.before, outline.codes, records, least)


def named_shape_of(outline: Outline, record: Sequence[int]) -> NamedShape:
    """The shape with the class and the attributes of the top nodes."""
    found: NamedShape = dict(shape_of(outline, record).items())
    for top in record[:_LONGEST]:
        if outline.codes[top]:
            attributes = outline.tree.attributes[top]
            for token in (attributes.get("class") or "").split()[:_NAMES]:
                found["." + token] = 0.5
            for name in islice(attributes, _NAMES):
                found["@" + name] = 0.25
    return found


@dataclass(frozen=True)
class Centre:
    """What the shapes of a list have in common, to which any number of shapes is compared.

    The centre of many shapes has a key for each name that one of them has. So it is summed once, and a shape is
    compared to it by the keys of the shape alone.
    """

    shape: NamedShape
    whole: float

    @classmethod
    def of(cls, shapes: Sequence[NamedShape]) -> Centre:
        shape = mean_shape(shapes)
        return cls(shape, sum(shape.values()))

    def likeness(self, shape: dict) -> float:  # type: ignore[type-arg]
        """How like the centre a shape is: what `likeness` gives."""
        return _near(shape, self.shape, self.whole)


def mean_shape(shapes: Sequence[NamedShape]) -> NamedShape:
    """What the shapes have in common."""
    found: NamedShape = {}
    for shape in shapes:
        for key, value in shape.items():
            found[key] = found.get(key, 0.0) + value / len(shapes)
    return found


def likeness(one: dict, other: dict) -> float:  # type: ignore[type-arg]
    """From 0, nothing shared, to 1, the same."""
    return _likeness(one, other)


def _near(one: dict, other: dict, whole: float) -> float:  # type: ignore[type-arg]
    return _nearness(one, other, whole)


def _regularity(
    shapes: dict[int, Shape],
    ends: list[int],
    before: list[int],
    codes: list[int],
    records: Sequence[Sequence[int]],
    least: float,
) -> float:
    pairs = len(records) - 1
    if pairs < 1:
        return 0.0
    total = 0.0
    left = pairs
    fellow: Shape | None = None
    for record in records:
        shape = _shape(shapes, ends, before, codes, record)
        if fellow is not None:
            total += _likeness(fellow, shape)
            left -= 1
            if total + left < least * pairs:
                return 0.0
        fellow = shape
    return total / pairs


def _shape(
    shapes: dict[int, Shape], ends: list[int], before: list[int], codes: list[int], record: Sequence[int]
) -> Shape:
    if len(record) == 1:
        return _known(shapes, ends, before, codes, record[0])
    found: Shape = {}
    for top in record[:_LONGEST]:
        for key, value in _known(shapes, ends, before, codes, top).items():
            found[key] = found.get(key, 0.0) + value
    return found


def _known(shapes: dict[int, Shape], ends: list[int], before: list[int], codes: list[int], top: int) -> Shape:
    found = shapes.get(top)
    if found is None:
        found = shapes[top] = _counted(ends, before, codes, top)
    return found


def _counted(ends: list[int], before: list[int], codes: list[int], top: int) -> Shape:
    found: Shape = {}
    open_ends: list[int] = []
    levels: list[int] = []
    weights: list[int] = []
    depth = seen = 0
    node, stop = top, ends[top]
    while node < stop:
        while depth > 0 and node >= open_ends[depth - 1]:
            depth -= 1
            open_ends.pop()
            levels.pop()
            weights.pop()
        end = ends[node]
        weight = before[end] - before[node]
        if weight == 0:
            node = end
            continue
        level = 0
        if depth > 0:
            level = levels[depth - 1]
            if weight < weights[depth - 1]:
                level += 1
        code = codes[node]
        key = code * LEVELS + level
        had = found.get(key, 0.0)
        found[key] = had + 1.0 / (1 + level) / (1.0 + 2.0 * had)
        seen += 1
        if seen > _MOST:
            break
        if level + 1 < LEVELS and code != 0:
            open_ends.append(end)
            levels.append(level)
            weights.append(weight)
            depth += 1
            node += 1
        else:
            node = end
    return found


def _likeness(one: dict, other: dict) -> float:  # type: ignore[type-arg]
    smaller = larger = 0.0
    shared = 0
    for key, value in one.items():
        fellow = other.get(key)
        if fellow is None:
            larger += value
            continue
        shared += 1
        if value < fellow:
            smaller += value
            larger += fellow
        else:
            smaller += fellow
            larger += value
    if shared < len(other):
        for key, value in other.items():
            if key not in one:
                larger += value
    return smaller / larger if larger > 0.0 else 1.0


def _nearness(one: dict, other: dict, whole: float) -> float:  # type: ignore[type-arg]
    smaller = 0.0
    larger = whole
    for key, value in one.items():
        fellow = other.get(key)
        if fellow is None:
            larger += value
        elif value < fellow:
            smaller += value
        else:
            smaller += fellow
            larger += value - fellow
    return smaller / larger if larger > 0.0 else 1.0
