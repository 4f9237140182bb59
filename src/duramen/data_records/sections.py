"""Sections: records under several headings, such as the staff of each department or the results of each kind.

Often the sections are the most regular list of a page, and are found first. They are split into their records if all of
this is true:

- Each section begins with a short heading, and most of the rest is a list, in the same place in each section.
- The records of different sections are about as similar as those of one section, and they have links.

A record with a list of its own, such as a product with its features, is no section: the items of that list are short,
or have no links, or much of the record is outside the list.

The section of a record is the text of the heading. For a list in one element with headings between the records, it is
the last heading before the record, inside the element around all records.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final

from duramen.data_records.record_segmentation import Record, Segmentation, segment, total_weight
from duramen.data_records.subtrees import SubtreeWeights, mean_signature, signature_of, similarity
from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import TEXT

MAX_SECTIONS: Final = 100
MAX_SECTION_LEVELS: Final = 20
"""Levels below a section where its records are looked for. Each is searched from the section on."""
MIN_LIST_SHARE: Final = 0.6
"""Share of the weight of all sections that the records in them must have."""
MIN_CORE_SHARE: Final = 0.5
"""The records of a section are the children of an element that has this share of its parent, and so on upwards."""
MAX_HEADING_CHARS: Final = 120
MIN_ITEMS_PER_SECTION: Final = 1.5
MIN_ITEM_CHARS: Final = 15
"""Mean weight of records: links to the sizes or the colors of a product are shorter."""
MIN_LINKED_ITEMS: Final = 0.8
MIN_ITEM_SIMILARITY: Final = 0.55
"""Mean similarity of adjacent records."""
MIN_ROW_TO_COLUMN_SIMILARITY: Final = 0.85
"""Similarity of records of a section over that of records in the same place of two sections: parts of a record are
similar to the same parts of other records only."""
MIN_SECTION_SIMILARITY: Final = 0.6
"""Similarity of the mean record of a section to that of all sections; records inside a section differ, too."""
MIN_HEADED_SECTIONS: Final = 0.8
MAX_SAMPLED_ITEMS: Final = 8
MAX_ROWS_TO_ONE_TARGET: Final = 0.3
"""Share of the rows in which adjacent cells link to the same URL: such cells are parts of one record."""
MAX_LINKED_CELLS: Final = 4
"""Cells of a row whose link targets are compared."""
_CELL_TAGS: Final = frozenset(("td", "th"))


@dataclass(frozen=True)
class SplitSections:
    """The records of all sections, and the first node of each section."""

    records: tuple[Record, ...]
    starts: tuple[int, ...]


def split_sections(weights: SubtreeWeights, sections: Segmentation) -> SplitSections | None:
    """The records of the sections; None if these are no sections."""
    tops = sections.records
    if not 2 <= len(tops) <= MAX_SECTIONS or weights.tree.tag[tops[0][0]] == "tr":
        return None
    heaviest = max(tops, key=lambda record: total_weight(weights, [record]))
    path = _path_to_text(weights, heaviest)
    for length in range(len(path) + 1):
        if _are_records(weights, _find_items(weights, heaviest, path[:length]), 1):
            found = _split_at(weights, tops, path[:length])
            if found:
                return found
    return None


def _split_at(weights: SubtreeWeights, tops: Sequence[Record], path: Sequence[str]) -> SplitSections | None:
    """The records of the sections, if they are the children of the element at the end of a path in each section."""
    filled: list[tuple[Record, Sequence[Record]]] = []
    headed = 0
    for number, record in enumerate(tops):
        if headed + len(tops) - number < MIN_HEADED_SECTIONS**2 * len(tops):
            return None  # too few sections have both items and a heading, whatever the others have
        if items := _find_items(weights, record, path):
            filled.append((record, items))
            headed += 0 < _heading_weight(weights, record, items[0]) <= MAX_HEADING_CHARS
    if len(filled) < max(2, MIN_HEADED_SECTIONS * len(tops)) or headed < MIN_HEADED_SECTIONS * len(filled):
        return None
    items = [item for _, items in filled for item in items]
    if not _are_records(weights, items, len(filled)):
        return None
    if total_weight(weights, items) < MIN_LIST_SHARE * total_weight(weights, tops):
        return None
    several = [items for _, items in filled if len(items) > 1]
    if len(several) < 2 or not _are_alike(weights, several) or have_one_target_per_row(weights, several):
        return None
    if do_headings_link_to_items(weights, filled):
        return None
    return SplitSections(tuple(items), tuple(record[0] for record, _ in filled))


def find_headings(weights: SubtreeWeights, records: Sequence[Record], starts: Sequence[int]) -> list[str]:
    """The section of each record, in document order; empty if the records have no sections.

    `starts` are the first nodes of the sections, if they are known; else headings between the records are looked for.
    """
    tree = weights.tree
    if starts:
        first_records: dict[int, int] = {}
        places = [bisect_right(starts, record[0]) - 1 for record in records]
        for place, record in zip(places, records, strict=True):
            first_records.setdefault(place, record[0])
        texts = {
            place: _heading_text(weights, starts[place], first) if place >= 0 else ""
            for place, first in first_records.items()
        }
        return [texts[place] for place in places]
    headings: list[str] = []
    current = ""
    gap_start = tree.common_ancestor(records[0][0], records[-1][-1])
    for record in records:
        gap = range(gap_start, record[0])
        nodes = [node for node in gap if tree.tag[node] in HEADING_TAGS and weights.weight(node)]
        if nodes:
            current = _visible_text(weights, nodes[-1], tree.end[nodes[-1]])
        headings.append(current)
        gap_start = tree.end[record[-1]]
    return headings if len(set(filter(None, headings))) > 1 else []  # one heading may be above something else


def _path_to_text(weights: SubtreeWeights, section: Record) -> list[str]:
    """The tags from the heaviest top node of a section downwards, as long as one child has most of the weight."""
    node = max(section, key=weights.weight)
    path: list[str] = []
    while len(path) < MAX_SECTION_LEVELS:
        heaviest = max(weights.tree.children(node), key=weights.weight, default=None)
        if heaviest is None or weights.tree.tag[heaviest] == TEXT:
            return path
        if weights.weight(heaviest) < MIN_CORE_SHARE * weights.weight(node):
            return path
        path.append(weights.tree.tag[heaviest])
        node = heaviest
    return path


def _find_items(weights: SubtreeWeights, section: Record, path: Sequence[str]) -> Sequence[Record]:
    """The records of a section, which are the children of the element at the end of a path; none if there is none."""
    tree = weights.tree
    node = max(section, key=weights.weight)
    for tag in path:
        children = [child for child in tree.children(node) if tree.tag[child] == tag]
        if not children:
            return ()
        node = max(children, key=weights.weight)
    found = segment(weights, node)
    if found is not None:
        return _drop_heading(weights, found.records)
    elements = [child for child in tree.children(node) if weights.tag_ids[child] and weights.weight(child)]
    return [(elements[0],)] if len(elements) == 1 else ()


def _drop_heading(weights: SubtreeWeights, items: Sequence[Record]) -> Sequence[Record]:
    """The items without the first, if it has no links and all others have."""
    has_links = [any(map(weights.link_count, item)) for item in items]
    return items[1:] if len(items) > 1 and not has_links[0] and all(has_links[1:]) else items


def _are_records(weights: SubtreeWeights, items: Sequence[Record], section_count: int) -> bool:
    """True if the items of all sections are long enough, and most have links."""
    if len(items) < MIN_ITEMS_PER_SECTION * section_count or weights.tree.tag[items[0][0]] in _CELL_TAGS:
        return False
    if total_weight(weights, items) < MIN_ITEM_CHARS * len(items):
        return False
    return sum(any(map(weights.link_count, item)) for item in items) >= MIN_LINKED_ITEMS * len(items)


def _are_alike(weights: SubtreeWeights, items_of: Sequence[Sequence[Record]]) -> bool:
    """True if the items of the sections are similar to each other, in a section and between sections."""
    signatures = [[signature_of(weights, item) for item in items[:MAX_SAMPLED_ITEMS]] for items in items_of]
    similarities = [similarity(one, other) for section in signatures for one, other in pairwise(section)]
    in_columns = [
        similarity(one, other)
        for section, following in pairwise(signatures)
        for one, other in zip(section, following, strict=False)
    ]
    if fmean(similarities) < max(MIN_ITEM_SIMILARITY, MIN_ROW_TO_COLUMN_SIMILARITY * fmean(in_columns)):
        return False
    means = [mean_signature(section) for section in signatures]
    overall = mean_signature(means)
    return fmean(similarity(mean, overall) for mean in means) >= MIN_SECTION_SIMILARITY


def have_one_target_per_row(weights: SubtreeWeights, rows: Sequence[Sequence[Record]]) -> bool:
    """True if adjacent cells link to the same URL in many rows: then they are parts of one record.

    Links that occur in several rows (`#`, a login, a script) do not count.
    """
    targets = [[_link_targets(weights, cell) for cell in row[:MAX_LINKED_CELLS]] for row in rows]
    row_counts = Counter(target for row in targets for target in set().union(*row))
    to_one = [any(row_counts[target] == 1 for one, other in pairwise(row) for target in one & other) for row in targets]
    return sum(to_one) > MAX_ROWS_TO_ONE_TARGET * len(to_one)


def do_headings_link_to_items(weights: SubtreeWeights, sections: Sequence[tuple[Record, Sequence[Record]]]) -> bool:
    """True if the heading of many sections has the link of one of their items: title and "Read more" of one record."""
    same = 0
    for section, items in sections:
        tree, start = weights.tree, section[0]
        heading = {tree.attributes[node].get("href") for node in range(start, items[0][0]) if tree.tag[node] == "a"} - {
            None,
            "",
            "#",
        }
        same += bool(heading) and any(heading & _link_targets(weights, item) for item in items[:MAX_LINKED_CELLS])
    return same > MAX_ROWS_TO_ONE_TARGET * len(sections)


def _link_targets(weights: SubtreeWeights, record: Record) -> set[str]:
    tree = weights.tree
    targets = (
        tree.attributes[node].get("href")
        for top in record
        for node in range(top, tree.end[top])
        if tree.tag[node] == "a"
    )
    return {target for target in targets if target}


def _heading_weight(weights: SubtreeWeights, section: Record, item: Record) -> int:
    return weights.weight_sums[item[0]] - weights.weight_sums[section[0]]


def _heading_text(weights: SubtreeWeights, start: int, stop: int) -> str:
    """The first heading in a range of nodes; without one, its text."""
    tree = weights.tree
    for node in range(start, stop):
        if tree.tag[node] in HEADING_TAGS and weights.weight(node):
            return _visible_text(weights, node, min(stop, tree.end[node]))
    return _visible_text(weights, start, stop)


def _visible_text(weights: SubtreeWeights, start: int, stop: int) -> str:
    tree, sums = weights.tree, weights.weight_sums
    texts = [tree.text[node] for node in range(start, stop) if tree.tag[node] == TEXT and sums[node + 1] > sums[node]]
    return " ".join(" ".join(texts).split())
