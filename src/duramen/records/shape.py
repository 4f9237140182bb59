"""How alike two records are in their markup: the tags at their first levels, counted.

A tag counts for less the deeper it stands, since what is deep is content (a paragraph more or less) and what is high is
the template. Two shapes agree as far as their counts overlap: the sum of the smaller over the sum of the larger.
"""

from __future__ import annotations

from collections.abc import Sequence

from duramen.tree import TEXT, Tree

LEVELS = 3
"""How deep a shape looks."""

_MOST = 60
"""How many nodes a shape looks at: records are told apart by their beginnings."""

Shape = dict[tuple[int, str], float]


def shape_of(tree: Tree, nodes: Sequence[int], before: Sequence[int], *, named: bool = False) -> Shape:
    """The shape of a record, given its top nodes. What weighs nothing is no part of it."""
    tags, ends = tree.tag, tree.end
    found: Shape = {}
    seen = 0
    open_ends: list[int] = []
    levels: list[int] = []
    weights: list[int] = []
    for top in nodes:
        node, stop = top, ends[top]
        open_ends.clear()
        levels.clear()
        weights.clear()
        if named and tags[top] != TEXT:
            attributes = tree.attributes[top]
            for token in (attributes.get("class") or "").split():
                found[0, "." + token] = 0.5
            for name in attributes:
                found[0, "@" + name] = 0.25
        while node < stop:
            while open_ends and node >= open_ends[-1]:
                open_ends.pop()
                levels.pop()
                weights.pop()
            end = ends[node]
            weight = before[end] - before[node]
            if not weight:
                node = end
                continue
            # What holds one thing only is a wrapper, and goes no level deeper.
            level = 0 if not levels else levels[-1] + (weight < weights[-1])
            key = (level, tags[node])
            had = found.get(key, 0.0)
            # A second and a third of the same kind say less than the first.
            found[key] = had + 1.0 / (1 + level) / (1.0 + 2.0 * had)
            seen += 1
            if seen > _MOST:
                return found
            if level + 1 < LEVELS and tags[node] != TEXT:
                open_ends.append(end)
                levels.append(level)
                weights.append(weight)
                node += 1
            else:
                node = end
    return found


def likeness(one: Shape, other: Shape) -> float:
    """From 0, nothing shared, to 1, the same."""
    smaller = larger = 0.0
    for key, value in one.items():
        fellow = other.get(key, 0.0)
        if value < fellow:
            smaller += value
            larger += fellow
        else:
            smaller += fellow
            larger += value
    larger += sum(value for key, value in other.items() if key not in one)
    return smaller / larger if larger else 1.0
