"""From the parts of a region to its records: rows of a grid give their cells, what is unlike the rest is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from duramen.data_records.adverts import without_adverts
from duramen.data_records.nested import unnested
from duramen.data_records.odd import without_odd
from duramen.data_records.outline import Outline
from duramen.data_records.partition import Partition, Record, measure, part, weigh
from duramen.data_records.shape import NamedShape, likeness, mean_shape, shape_of
from duramen.dom.tree import TEXT


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
_SAMPLE = 12


def refine(outline: Outline, partition: Partition) -> Partition:
    """The records of a region, given the best way to part its children."""
    answers = unnested(outline, partition.records)
    if answers:
        partition = measure(outline, answers, f"{partition.way}, and those in them")
    for _ in range(0 if answers else 3):
        cells = _cells(outline, partition)
        if cells is None:
            break
        partition = measure(outline, cells, f"{partition.way}, and the cells of each")
    kept = without_odd(outline, without_adverts(outline, partition.records))
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
    return _whole(outline, rows, found)


def _whole(outline: Outline, rows: Partition, found: Sequence[Sequence[Record]]) -> tuple[Record, ...] | None:
    """The cells of the rows, where one cell may fill a row, most often the last one; None where they are no rows.

    A row with one cell is so unlike the others that it may have been left out.
    """
    most = max(map(len, found))
    full = [cell for cells in found if len(cells) == most for cell in cells]
    centre = mean_shape([dict(shape_of(outline, cell).items()) for cell in full[:_SAMPLE]])
    filled = [
        cells if len(cells) == most else _lone(outline, row, cells, centre)
        for row, cells in zip(rows.records, found, strict=True)
    ]
    if not _are_rows(outline, filled, rows.weight):
        return None
    tree = outline.tree
    last = tree.end[rows.records[-1][-1]]
    beyond = (child for child in tree.children(tree.parent[rows.records[-1][-1]]) if child >= last)
    following = next((child for child in beyond if outline.weight(child)), None)
    if following is not None and tree.tag[following] == tree.tag[rows.records[0][0]]:
        filled.append(_lone(outline, (following,), (), centre))
    return tuple(cell for cells in filled for cell in cells)


def _lone(outline: Outline, row: Record, cells: Sequence[Record], centre: NamedShape) -> Sequence[Record]:
    """The one cell of a row: more like the cells of other rows than what it stands in, and its own parts, are."""

    def fit(record: Record) -> float:
        return likeness(shape_of(outline, record), centre)

    way = _way_to_core(outline, max(row, key=outline.weight))
    best = max(((node,) for node in way[:_SAMPLE]), key=fit)
    least = max(LIMITS.alike, fmean(map(fit, cells)) if cells else 0.0)
    return (best,) if fit(best) > least else cells


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
    shapes = [[shape_of(outline, cell) for cell in row[:_SAMPLE]] for row in several]
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
    return _way_to_core(outline, node)[-1]


def _way_to_core(outline: Outline, node: int) -> list[int]:
    way = [node]
    while True:
        items = [child for child in outline.tree.children(node) if outline.weight(child)]
        heaviest = max(items, key=outline.weight, default=None)
        if heaviest is None or outline.tree.tag[heaviest] == TEXT:
            return way
        if outline.weight(heaviest) < LIMITS.nearly_all * outline.weight(node):
            return way
        node = heaviest
        way.append(node)


def _effective(outline: Outline, records: Sequence[Record]) -> float:
    weights = [weigh(outline, [record]) for record in records]
    return sum(weights) ** 2 / max(1, sum(weight**2 for weight in weights))
