"""Content structure construction: the tree of segments of a page.

Cai, Yu, Wen and Ma, MSR-TR-2003-79, sections 3 and 4.3. The blocks of a round are joined across the separators with the
lowest weight first, until only those with the largest weight are left. Read from above, which gives the same tree:
the blocks are split at the separators with the largest weight, and each part again. The degree of coherence of a joined
segment falls with the weight of the separators in it. A leaf that is less coherent than the permitted degree of
coherence (PDoC) is extracted again in another round.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from duramen.dom.tree import Box
from duramen.methods.vips.screen import Screen
from duramen.methods.vips.separators import find_separators
from duramen.methods.vips.visual_blocks import SIZE_THRESHOLDS, VisualBlock, extract_blocks

MAX_COHERENCE: Final = 10
MAX_ROUNDS: Final = 40
"""Tables inside tables need a round for each table, row and cell."""
MAX_BLOCKS: Final = 4_000
"""Blocks of a round with a structure; more, which no reader can tell apart, stay in one row."""
_MAX_SPLITS: Final = 20
"""Splits inside splits within one round."""


@dataclass
class Segment:
    """A part of the page, with the parts it is divided into."""

    spans: list[range]
    box: Box
    coherence: int
    children: list[Segment] = field(default_factory=list, repr=False)

    def walk(self) -> list[Segment]:
        """Return this segment and all segments below it, in document order."""
        found: list[Segment] = []
        waiting = [self]
        while waiting:
            segment = waiting.pop()
            found.append(segment)
            waiting += reversed(segment.children)
        return found


def segment_page(screen: Screen, permitted: int) -> Segment:
    """Return the tree of segments of a page, down to segments of the permitted degree of coherence."""
    tree = screen.tree
    boxes = [box for node, tag in enumerate(tree.tag) if tag == "hr" and (box := screen.box[node]) is not None]
    rules = sorted(box[1] + box[3] / 2 for box in boxes)
    body = tree.body
    root = Segment([range(body, tree.end[body])], screen.box[body] or (0.0, 0.0, 0.0, 0.0), 1)
    waiting = [(root, body, 0)]
    while waiting:
        segment, node, number = waiting.pop()
        threshold = SIZE_THRESHOLDS[min(number, len(SIZE_THRESHOLDS) - 1)]
        blocks = extract_blocks(screen, node, threshold)
        if not blocks or (len(blocks) == 1 and blocks[0].nodes == segment.spans[0] and number >= len(SIZE_THRESHOLDS)):
            continue
        for leaf, block in _construct(segment, blocks, rules):
            is_element = tree.end[block.nodes.start] == block.nodes.stop
            if block.coherence < permitted and is_element and number < MAX_ROUNDS:
                waiting.append((leaf, block.nodes.start, number + 1))
    return _collapse(root)


def _construct(
    root: Segment, blocks: Sequence[VisualBlock], rules: Sequence[float]
) -> list[tuple[Segment, VisualBlock]]:
    """Build the segments of a round below `root`; return its leaves with their blocks."""
    leaves: list[tuple[Segment, VisualBlock]] = []
    waiting = [(root, list(blocks), 0)]
    while waiting:
        parent, group, depth = waiting.pop()
        parts = _split(group, rules) if depth < _MAX_SPLITS and 1 < len(group) <= MAX_BLOCKS else None
        if parts is None:
            for block in group:
                leaf = Segment([block.nodes], block.box, block.coherence)
                parent.children.append(leaf)
                leaves.append((leaf, block))
            continue
        weight, groups = parts
        parent.coherence = min(parent.coherence, max(1, MAX_COHERENCE - 1 - weight)) if depth else parent.coherence
        for part in groups:
            if len(part) == 1:
                waiting.append((parent, part, _MAX_SPLITS))
                continue
            child = Segment([block.nodes for block in part], _surround(part), MAX_COHERENCE - 1)
            parent.children.append(child)
            waiting.append((child, part, depth + 1))
    return leaves


def _split(blocks: list[VisualBlock], rules: Sequence[float]) -> tuple[int, list[list[VisualBlock]]] | None:
    """Split blocks at the separators with the largest weight; None without separators."""
    separators = [
        separator for across in (True, False) for separator in find_separators(blocks, rules, is_horizontal=across)
    ]
    if not separators:
        return None
    heaviest = max(separators, key=lambda separator: separator.weight)
    cuts = [
        separator.stop
        for separator in separators
        if separator.weight == heaviest.weight and separator.is_horizontal == heaviest.is_horizontal
    ]
    axis = 1 if heaviest.is_horizontal else 0
    groups: list[list[VisualBlock]] = [[] for _ in range(len(cuts) + 1)]
    for block in blocks:
        groups[bisect_right(cuts, block.box[axis])].append(block)
    return heaviest.weight, [group for group in groups if group]


def _surround(blocks: Sequence[VisualBlock]) -> Box:
    left, top = min(block.box[0] for block in blocks), min(block.box[1] for block in blocks)
    right = max(block.box[0] + block.box[2] for block in blocks)
    bottom = max(block.box[1] + block.box[3] for block in blocks)
    return left, top, right - left, bottom - top


def _collapse(root: Segment) -> Segment:
    """Remove segments that only repeat their single child, and put children in document order."""
    for segment in root.walk():
        while len(segment.children) == 1:
            only = segment.children[0]
            segment.spans, segment.coherence, segment.children = only.spans, only.coherence, only.children
        segment.children.sort(key=lambda child: child.spans[0].start)
    return root
