"""The comments as the record methods part them: a list of comments is a list like any other.

The dates tell which elements may hold the list; the children of each are parted into the records that are most alike
(`lists.partition`). Shapes know nothing of comments, so the dates say whether any of these lists stands, too
(`units.py`). Records that are runs of siblings are left to `partition.py`: whether a run begins or ends with its date,
shapes do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from duramen.comments.partition import Unit
from duramen.comments.place import Place
from duramen.data_records.outline import Outline
from duramen.data_records.partition import part

_LISTS: Final = 3
"""Elements that are looked at closely: the innermost that hold the dates."""


def record_lists(place: Place, dates: float) -> Iterator[list[Unit]]:
    """The lists in the place of the comments that hold so many dates, each as its records; the innermost first."""
    blocks, stamps = place.blocks, place.stamps
    element_of = {blocks.node[element]: element for element in place.inside}
    holders = set(place.inside)
    if place.first:  # what a heading announces has an element around it that is not in the place
        holders |= {blocks.parent[element] for element in place.inside if blocks.parent[element] >= 0}
    wide = [element for element in holders if stamps[blocks.stop[element]] - stamps[blocks.start[element]] >= dates]
    if not wide:
        return
    outline = Outline.of(blocks.tree)
    for holder in sorted(wide, reverse=True)[:_LISTS]:
        parted = part(outline, blocks.node[holder])
        if parted is not None and parted.regularity:
            elements = [element_of[record[0]] for record in parted.records if record[0] in element_of]
            if len(elements) == len(parted.records) == sum(map(len, parted.records)):
                yield [Unit(blocks.start[element], blocks.stop[element], element) for element in elements]
