"""Features of a list from the boxes of a rendered page: on screen or not, its width, its share of the area.

Closed menus and hidden tabs have no boxes; side columns are narrow. A list of tiles covers far more of the page than
its few characters suggest, and the paragraphs of an article cover less. The box of an element with floating children
may be empty, so the boxes of the records are used, and not the box of their region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.data_records.segmentation import Record
from duramen.dom.tree import Tree

OFFSCREEN_FACTOR: Final = 0.1
"""Factor for the score of a list without boxes on a page that has boxes."""
NARROW_FACTOR: Final = 0.5
"""Factor for the score of a list of zero width."""
FULL_WIDTH_SHARE: Final = 0.35
"""Share of the page width from which on a list is not in a side column."""
MAX_SAMPLED_RECORDS: Final = 20


def screen_factor(tree: Tree, records: Sequence[Record]) -> float:
    """Factor for the score of a list by its position on the screen; 1 if the page was not rendered."""
    if tree.box is None:
        return 1.0
    boxes = [
        box
        for record in records[:MAX_SAMPLED_RECORDS]
        for top in record
        if (box := tree.box[top]) and box[2] and box[3]
    ]
    if not boxes:
        return OFFSCREEN_FACTOR
    page = tree.box[tree.body]
    if not page or not page[2]:
        return 1.0
    width = max(box[0] + box[2] for box in boxes) - min(box[0] for box in boxes)
    return NARROW_FACTOR + (1 - NARROW_FACTOR) * min(1.0, width / page[2] / FULL_WIDTH_SHARE)


def page_share(tree: Tree, records: Sequence[Record], weight_share: float) -> float:
    """The share of the page that a list takes: the mean of its share of the weight and its share of the area.

    If the page was not rendered, or no record has a box, the share of the weight: some pages are hidden until a script
    has run.
    """
    page = tree.box[tree.body] if tree.box else None
    if not tree.box or not page or not page[2] or not page[3]:
        return weight_share
    boxes = [box for record in records for top in record if (box := tree.box[top])]
    area_share = sum(box[2] * box[3] for box in boxes) / (page[2] * page[3])
    return (weight_share + min(1.0, area_share)) / 2 if area_share else weight_share
