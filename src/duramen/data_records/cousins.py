"""Lists in several boxes that are one list: results under "Products", "News" and "Customers", a few in each.

A cousin is an element of the same tag at the same depth whose records have the same shape, and which is not much
smaller: under "You may also like" stand fewer. The boxes must be most of what the element around them shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from duramen.data_records.outline import Filled, Outline
from duramen.data_records.partition import Partition, Record, part
from duramen.data_records.shape import likeness, mean_shape, shape_of

ALIKE: Final = 0.8
"""How like each other the records of cousins must be, on the average."""
SMALLER: Final = 0.3
"""Of the weight of the list, the least that its cousin has."""
UNEVEN: Final = 1 / 16
"""What a box of two records is worth, of its weight, where one of them is five times as heavy as the other."""
COVER: Final = 0.75
"""Of what the element around the boxes shows, the share that their records must have."""
_SAMPLE = 8


def cousins(outline: Outline, node: int, partition: Partition, others: Iterable[Filled]) -> list[Record]:
    """The records of the other boxes, in order; none where the list stands alone.

    The others are those that may hold lists, as `evenly_filled` gives them.
    """
    tree = outline.tree
    shape: dict[int | str, float] | None = None
    found: list[Record] = []
    least = SMALLER * partition.weight
    for negative, other, _ in others:
        if -negative < UNEVEN * least:
            break
        if tree.tag[other] != tree.tag[node] or tree.depth[other] != tree.depth[node] or other == node:
            continue
        if outline.weight(other) < least:
            continue
        parted = part(outline, other)
        if not parted or parted.weight < least:
            continue
        shape = shape or _mean(outline, partition)
        # Records that differ among themselves may differ as much from box to box.
        if likeness(_mean(outline, parted), shape) >= ALIKE * (partition.regularity * parted.regularity) ** 0.5:
            found.extend(parted.records)
    if not found:
        return []
    tops = sorted(record[0] for record in (*found, *partition.records))
    around = tree.common_ancestor(tops[0], tops[-1])
    weight = partition.weight + sum(outline.weight(top) for record in found for top in record)
    return sorted(found) if around > tree.body and weight >= COVER * outline.weight(around) else []


def _mean(outline: Outline, partition: Partition) -> dict[int | str, float]:
    return mean_shape([dict(shape_of(outline, record).items()) for record in partition.records[:_SAMPLE]])
