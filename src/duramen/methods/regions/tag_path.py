"""tag-path: the main data region is the part of the page whose tag paths recur among each other.

Velloso and Dorneles, "Automatic web page segmentation and noise removal for structured extraction using tag path
sequences", JIDM 4(3), 2013: the second baseline of Figueiredo et al. The body is written as the sequence of its tag
paths. Rare paths are ignored until the others fall into parts without a common path. The larger part is kept and split
again, until it cannot be split or would be less than `least` of the page.

The result is a range of elements; `content.node` is the lowest element that contains them all. If nothing can be split
off, that is the body. Text nodes are not part of the sequence: with them, fewer pages come out right.

The authors give the part to MDR, which reads its records. Figueiredo et al. score the part before that; `mdr=yes`
takes the largest data region that MDR finds in it (`mdr.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_visible_texts
from duramen.methods.regions.mdr import find_main_data_region
from duramen.methods.registry import register

MAX_SPLITS: Final = 200
"""A hostile page could be split one element at a time."""


@register
@dataclass(frozen=True)
class TagPath:
    name: ClassVar[str] = "tag-path"
    summary: ClassVar[str] = "the part of the page whose tag paths recur and stand nowhere else"
    paper: ClassVar[str] = "Velloso and Dorneles, JIDM 2013; a baseline of Figueiredo et al."
    regional: ClassVar[bool] = True

    least: float = 0.2
    """Smallest part that is kept, as a share of the elements of the body."""
    mdr: bool = False
    """Apply MDR to the part that is kept, as the authors do to read its records: the region is then its list."""

    def __call__(self, page: Page) -> Content:
        tree = page.tree
        if not find_visible_texts(tree):
            return Content(page, self.name, "the page has no text")
        path_ids = number_tag_paths(tree, tree.body)
        elements, sequence = list(path_ids), list(path_ids.values())
        start, stop = find_main_part(sequence, self.least)
        share = (stop - start) / len(sequence)
        path_count = len(set(sequence[start:stop]))
        reason = f"{stop - start} elements, {share:.0%} of the body's, have {path_count} tag paths that cannot be split"
        spans = (range(elements[start], max(tree.end[element] for element in elements[start:stop])),)
        if self.mdr and (region := find_main_data_region(tree, spans[0])):
            reason = f"{region.repeats} similar runs of {region.size} elements in a row, by MDR; of them {reason}"
            spans = (region.nodes,)
        return Content(page, self.name, reason, spans, 1.0 - share)


def number_tag_paths(tree: Tree, root: int) -> dict[int, int]:
    """An id for the tag path of an element and of each element below it, in document order.

    Two elements have the same id if the tags from the root down to them are the same.
    """
    ids: dict[tuple[int, str], int] = {}
    id_of_node: dict[int, int] = {}
    for node in range(root, tree.end[root]):
        tag = tree.tag[node]
        if tag != TEXT:
            id_of_node[node] = ids.setdefault((id_of_node.get(tree.parent[node], -1), tag), len(ids))
    return id_of_node


def find_main_part(sequence: Sequence[int], least: float) -> tuple[int, int]:
    """Start and end of the part that is left when the sequence is split as often as possible.

    Rare ids are ignored, first those that occur once, then the next rarest, until the others fall into parts without a
    common id. The larger part is kept and split in turn, unless it is less than `least` of the whole.
    """
    start, stop = 0, len(sequence)
    for _ in range(MAX_SPLITS):
        larger = _split(sequence, start, stop)
        if larger is None or larger[1] - larger[0] < least * len(sequence):
            break
        start, stop = larger
    return start, stop


def _split(sequence: Sequence[int], start: int, stop: int) -> tuple[int, int] | None:
    """The largest part at the lowest threshold that gives several parts; None if no threshold does."""
    counts = Counter(sequence[start:stop])
    for threshold in sorted(set(counts.values())):
        frequent = {path_id for path_id in counts if counts[path_id] >= threshold}
        parts = list(_find_parts(sequence, start, stop, frequent))
        if len(parts) > 1:
            return max(parts, key=lambda part: (part[1] - part[0], -part[0]))
    return None


def _find_parts(sequence: Sequence[int], start: int, stop: int, frequent: set[int]) -> Iterator[tuple[int, int]]:
    """The shortest parts without a common frequent id, from their first frequent id to their last."""
    last_position = {path_id: position for position, path_id in enumerate(sequence[start:stop], start)}
    part_start, part_end = -1, -1
    for position in range(start, stop):
        path_id = sequence[position]
        if path_id not in frequent:
            continue
        if part_start < 0:
            part_start = position
        part_end = max(part_end, last_position[path_id])
        if part_end == position:
            yield part_start, position + 1
            part_start = -1
