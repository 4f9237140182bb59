"""What the boxes of a rendered page tell of a list: whether it is on the screen at all, how wide, and how large it is.

Menus that open on a touch and tabs that are not shown have no boxes; side columns are narrow. A list of tiles covers
far more of the page than its few letters say, and the paragraphs of an article less. The box of an element whose
children float may be empty, so that the boxes of the records are looked at, not that of their region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.data_records.partition import Record
from duramen.dom.tree import Tree

UNSEEN: Final = 0.1
"""What a list is worth that is not on the screen, of what it would be worth there."""
NARROW: Final = 0.5
"""What a list is worth that has hardly any width."""
WIDE: Final = 0.35
"""Of the width of the page, the share from which on a list is no side column."""
_SAMPLE = 20


def presence(tree: Tree, records: Sequence[Record]) -> float:
    """How much a list is there, from hardly to fully; fully where nothing is known of boxes."""
    if tree.box is None:
        return 1.0
    boxes = [box for record in records[:_SAMPLE] for top in record if (box := tree.box[top]) and box[2] and box[3]]
    if not boxes:
        return UNSEEN
    page = tree.box[tree.body]
    if not page or not page[2]:
        return 1.0
    width = max(box[0] + box[2] for box in boxes) - min(box[0] for box in boxes)
    return NARROW + (1 - NARROW) * min(1.0, width / page[2] / WIDE)


def share(tree: Tree, records: Sequence[Record], letters: float) -> float:
    """Of all that the page shows the share that a list has: the mean of that of the letters and that of the area.

    Only that of the letters where nothing is known of boxes, or no record has one: pages may be hidden until a script
    has run.
    """
    page = tree.box[tree.body] if tree.box else None
    if not tree.box or not page or not page[2] or not page[3]:
        return letters
    boxes = [box for record in records for top in record if (box := tree.box[top])]
    area = sum(box[2] * box[3] for box in boxes) / (page[2] * page[3])
    return (letters + min(1.0, area)) / 2 if area else letters
