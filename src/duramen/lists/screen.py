"""What the boxes of a rendered page tell of a list: whether it is on the screen at all, and how wide it is.

Menus that open on a touch and tabs that are not shown have no boxes; side columns are narrow. The box of an element
whose children float may be empty, so that the boxes of the records are looked at, not that of their region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.lists.partition import Record
from duramen.tree import Tree

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
