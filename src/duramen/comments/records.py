"""The comments as the record methods part them: a list of comments is a list like any other.

The elements that show most, and most evenly, in children of one tag are where lists stand (`lists.outline`); the
children of each are parted into the records that are most alike (`lists.partition`). What they know of comments is
nothing, so the dates choose among the lists that they find, and say whether any of them stands (`units.py`). Records
that are runs of siblings are left to `partition.py`: whether a run begins or ends with its date, shapes do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from duramen.comments.partition import Unit
from duramen.comments.place import Place
from duramen.lists.outline import Outline, evenly_filled
from duramen.lists.partition import part

_LISTS: Final = 5
"""Elements of the place that are looked at closely."""


def record_lists(place: Place) -> Iterator[list[Unit]]:
    """The lists in the place of the comments, the one that shows most first, each as its records."""
    blocks = place.blocks
    outline = Outline.of(blocks.tree)
    element_of = {blocks.node[element]: element for element in place.inside}
    around = {blocks.parent[element] for element in place.inside}
    inside = set(element_of) | {blocks.node[element] for element in around if place.first and element >= 0}
    found = 0
    for _, node in evenly_filled(outline):
        if node not in inside:
            continue
        parted = part(outline, node)
        if parted is not None and parted.regularity:
            elements = [element_of[record[0]] for record in parted.records if record[0] in element_of]
            if len(elements) == len(parted.records) == sum(map(len, parted.records)):
                yield [Unit(blocks.start[element], blocks.stop[element], element) for element in elements]
        found += 1
        if found == _LISTS:
            return
