"""Separator detection: the lines between blocks that cross none of them, and how strongly they separate.

Cai, Yu, Wen and Ma, MSR-TR-2003-79, section 4.2. The report starts with one separator as large as the page, and splits,
shrinks or removes it by every block; what is left is the space that no block covers, in the projection on an axis. Here
that space is found by one pass over the sorted blocks. A separator at the border of the page is dropped.

The weight of a separator grows

- with the distance of the blocks on its sides,
- if an `<hr>` is in it,
- if the backgrounds on its sides differ,
- if it is horizontal, with the difference of the fonts, and once more if the font above is the smaller one,

and falls if it is horizontal and the blocks on its sides are alike, both text in one font. The report has these five
heuristics without numbers: the numbers here are ours. Weights are whole numbers, so that rows of equal blocks are
separated by equal lines. Not in the report: blocks that touch have a separator without width, since a page without
margins would otherwise be one block.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from duramen.methods.vips.visual_blocks import VisualBlock

_TOLERANCE: Final = 2.0
"""Blocks may overlap by so many pixels and count as touching."""
_PIXELS_PER_POINT: Final = 8.0
_MAX_DISTANCE_POINTS: Final = 5.0
_RULE_POINTS: Final = 3.0
_BACKGROUND_POINTS: Final = 2.0
_PIXELS_PER_FONT_POINT: Final = 4.0
_MAX_FONT_POINTS: Final = 2.0
_BOLD_POINTS: Final = 1.0
_LARGER_BELOW_POINTS: Final = 1.0
_ALIKE_POINTS: Final = 2.0


@dataclass(frozen=True)
class Separator:
    """A line between blocks: where it begins and ends across its axis, and its weight."""

    is_horizontal: bool
    start: float
    stop: float
    weight: int


def find_separators(blocks: Sequence[VisualBlock], rules: Sequence[float], *, is_horizontal: bool) -> list[Separator]:
    """Return the separators of one direction, in order. `rules` are the positions of `<hr>`, in order."""
    axis = 1 if is_horizontal else 0
    ordered = sorted(blocks, key=lambda block: block.box[axis])
    found: list[Separator] = []
    last = ordered[0]  # of the blocks so far, the one that ends last
    reach = last.box[axis] + last.box[axis + 2]
    for block in ordered[1:]:
        start = block.box[axis]
        if start >= reach - _TOLERANCE:
            weight = _weigh(last, block, start - reach, rules if is_horizontal else (), reach, is_horizontal)
            found.append(Separator(is_horizontal, min(reach, start), start, weight))
        end = start + block.box[axis + 2]
        if end >= reach:
            last, reach = block, end
    return found


def _weigh(
    first: VisualBlock,
    second: VisualBlock,
    distance: float,
    rules: Sequence[float],
    start: float,
    is_horizontal: bool,
) -> int:
    points = min(max(distance, 0.0) / _PIXELS_PER_POINT, _MAX_DISTANCE_POINTS)
    rule = bisect_left(rules, start - _TOLERANCE)
    if rule < len(rules) and rules[rule] <= start + distance + _TOLERANCE:
        points += _RULE_POINTS
    if first.background != second.background:
        points += _BACKGROUND_POINTS
    if is_horizontal:
        difference = second.style.font_size - first.style.font_size
        points += min(abs(difference) / _PIXELS_PER_FONT_POINT, _MAX_FONT_POINTS)
        if first.style.font_weight != second.style.font_weight:
            points += _BOLD_POINTS
        if difference > 0:
            points += _LARGER_BELOW_POINTS
        if first.is_text and second.is_text and first.style[:2] == second.style[:2]:
            points -= _ALIKE_POINTS
    return max(0, round(points))
