"""From the parts of a region to its records: rows of a grid give their cells, what is unlike the rest is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from duramen.lists.odd import without_odd
from duramen.lists.outline import Outline
from duramen.lists.partition import Partition, Record, measure, part, weigh
from duramen.lists.shape import likeness, shape_of
from duramen.tree import TEXT


@dataclass(frozen=True)
class Limits:
    covered: float = 0.75
    nearly_all: float = 0.85
    balance: float = 0.75
    alike: float = 0.55
    linked: float = 0.8
    columns: float = 0.85
    shared: float = 0.3
    rows: int = 60


LIMITS = Limits()


def refine(outline: Outline, partition: Partition) -> Partition:
    """The records of a region, given the best way to part its children."""
    for _ in range(3):
        cells = _cells(outline, partition)
        if cells is None:
            break
        partition = measure(outline, cells, f"{partition.way}, and the cells of each")
    kept = without_odd(outline, partition.records)
    return partition if kept == partition.records else measure(outline, kept, partition.way)


def _cells(outline: Outline, rows: Partition) -> tuple[Record, ...] | None:
    """What the rows hold where each is itself a list of things alike: a grid, or sections; None where they are not."""
    if len(rows.records) > LIMITS.rows:
        return None
    found: list[Sequence[Record]] = []
    for number, row in enumerate(rows.records):
        parts = part(outline, _core(outline, max(row, key=outline.weight)))
        found.append(parts.records if parts else ())
        if number == 2 and not _are_rows(outline, found):
            return None  # three tell: most lists are no grids
    return tuple(cell for row in found for cell in row) if _are_rows(outline, found, rows.weight) else None


def _are_rows(outline: Outline, found: Sequence[Sequence[Record]], weight: int = 0) -> bool:
    """Whether these are the cells of rows, which weigh so much together."""
    several = [cells for cells in found if len(cells) > 1]
    if len(several) < max(2, len(found) - 1):
        return False
    cells = [cell for row in found for cell in row]
    if weigh(outline, cells) < LIMITS.covered * weight:
        return False
    if fmean(_effective(outline, row) / len(row) for row in several) < LIMITS.balance:
        return False
    shapes = [[shape_of(outline, cell) for cell in row[:12]] for row in several]
    alike = [likeness(one, other) for row in shapes for one, other in pairwise(row)]
    across = [
        likeness(one, other) for row, following in pairwise(shapes) for one, other in zip(row, following, strict=False)
    ]
    if fmean(alike) < LIMITS.alike or fmean(alike) < LIMITS.columns * fmean(across):
        return False
    if _lead_to_one(outline, several) > LIMITS.shared:
        return False
    linked = sum(any(outline.link_weight(node) for node in cell) for cell in cells)
    return linked >= LIMITS.linked * len(cells)


def _lead_to_one(outline: Outline, rows: Sequence[Sequence[Record]]) -> float:
    """The share of rows in which cells beside each other lead to the same place: then they are parts of one record.

    Where a link occurs in several rows it leads to none of them: `#`, a login, a script.
    """
    targets = [[_targets(outline, cell) for cell in row[:4]] for row in rows]
    common = Counter(target for row in targets for target in set().union(*row))
    alike = [any(common[target] == 1 for one, other in pairwise(row) for target in one & other) for row in targets]
    return sum(alike) / len(alike)


def _targets(outline: Outline, record: Record) -> set[str]:
    tree = outline.tree
    found = (
        tree.attributes[node].get("href")
        for top in record
        for node in range(top, tree.end[top])
        if tree.tag[node] == "a"
    )
    return {target for target in found if target}


def _core(outline: Outline, node: int) -> int:
    """The highest element from here down of which no one part holds nearly all."""
    while True:
        items = [child for child in outline.tree.children(node) if outline.weight(child)]
        heaviest = max(items, key=outline.weight, default=None)
        if heaviest is None or outline.tree.tag[heaviest] == TEXT:
            return node
        if outline.weight(heaviest) < LIMITS.nearly_all * outline.weight(node):
            return node
        node = heaviest


def _effective(outline: Outline, records: Sequence[Record]) -> float:
    weights = [weigh(outline, [record]) for record in records]
    return sum(weights) ** 2 / max(1, sum(weight**2 for weight in weights))
