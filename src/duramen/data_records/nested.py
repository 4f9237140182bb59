"""Records that stand in records: the answers to a comment, below it, and theirs below them.

What is nested has the tag of a record and a class that most records have, and its own part, without what is nested in
it in turn, is like the own part of a record. Each then is the run of its children that hold no other. A list inside a
record whose items are of another kind stays where it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from heapq import nlargest
from itertools import pairwise
from statistics import fmean
from typing import Final

from duramen.data_records.outline import Outline, Shape
from duramen.data_records.partition import Record, weigh
from duramen.data_records.shape import Centre, likeness, shape_of
from duramen.data_records.sisters import tagged

ALIKE: Final = 0.6
"""How like the others the own parts of records with records in them, and of these, must be, on the average."""
RESIDUE: Final = 0.2
"""Of what records show themselves, the most that may stand with what is nested in them: "Show 3 answers"."""

SAME: Final = 0.9
"""How like the records of a list those must be in which it stands."""
DEEP: Final = 3
"""In so many at least: in one or two stands the list of a category."""
_SAMPLE = 12
_LARGEST = 3
"""Records that are looked into first: those in which others stand are larger than the rest."""


def unnested(outline: Outline, records: tuple[Record, ...]) -> tuple[Record, ...] | None:
    """All records, those in others too, each without the others; None where none stands in another."""
    tops = [record[0] for record in records if len(record) == 1 and outline.codes[record[0]]]
    if len(tops) < len(records):
        return None
    inner = _inner(outline, tops)
    if not inner:
        return None
    everyone = sorted({*tops, *inner})
    owns = {top: _own(outline, top, everyone) for top in everyone}
    if not all(owns.values()):
        return None  # a frame around a record is no record
    found = tuple(owns.values())
    shown = weigh(outline, found)
    if sum(map(outline.weight, tops)) - shown > RESIDUE * shown:
        return None
    parents = {top for top, after in pairwise(everyone) if after < outline.tree.end[top]}
    shapes = {top: shape_of(outline, own) for top, own in owns.items()}
    centre = Centre.of([dict(shape.items()) for shape in shapes.values()])
    for part in (parents, inner):
        if fmean(centre.likeness(shapes[top]) for top in part) < ALIKE:
            return None
    return found


def around(outline: Outline, node: int, records: tuple[Record, ...]) -> tuple[Record, ...] | None:
    """The records of a list with those that it stands in, one in the other; None where it stands in few.

    Items that were never closed make such a list: each holds the next, the innermost the rest.
    """
    tree = outline.tree
    first = records[0][0]
    item, box = tree.tag[first], tree.tag[node]
    shape: Shape | None = None
    found: list[Record] = []
    below = node
    for above in tree.ancestors(node):
        if tree.tag[above] == item:
            own = _shown(outline, above, below)
            shape = shape or shape_of(outline, _shown(outline, first))
            if not own or likeness(shape_of(outline, own), shape) < SAME:
                break
            found.append(own)
        elif tree.tag[above] != box:
            break
        below = above
    if len(found) < DEEP or any(len(record) > 1 for record in records):
        return None
    leaves = [_shown(outline, record[0]) for record in records]
    return (*reversed(found), *leaves) if all(leaves) else None


def _shown(outline: Outline, node: int, but: int | None = None) -> Record:
    """The children that show something, but for one."""
    return tuple(child for child in outline.tree.children(node) if outline.weight(child) and child != but)


def _inner(outline: Outline, tops: Sequence[int]) -> list[int]:
    """The elements inside records that have the tag and the name of a record."""
    tree = outline.tree
    sample = tree.attribute_values("class", tops[:_SAMPLE])
    common = Counter(token for value in sample if value for token in set(value.split()))
    names = {token for token, count in common.items() if 2 * count > len(sample)}
    if not names:
        return []
    largest = nlargest(_LARGEST, tops, key=lambda top: tree.end[top] - top)
    return _named(outline, tops, names) if _named(outline, largest, names) else []


def _named(outline: Outline, tops: Sequence[int], names: set[str]) -> list[int]:
    tree = outline.tree
    nodes = [node for top in tops for node in tagged(tree, tree.tag[top], top + 1, tree.end[top])]
    values = tree.attribute_values("class", nodes)
    telling = {value for value in set(values) if value and not names.isdisjoint(value.split())}
    return [node for node, value in zip(nodes, values, strict=True) if value in telling and outline.weight(node)]


def _own(outline: Outline, top: int, everyone: Sequence[int]) -> Record:
    """The children of a record that show something and hold no other record."""
    ends = outline.tree.end

    def holds(child: int) -> bool:
        place = bisect_right(everyone, child - 1)
        return place < len(everyone) and everyone[place] < ends[child]

    return tuple(child for child in outline.tree.children(top) if outline.weight(child) and not holds(child))
