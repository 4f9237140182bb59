"""Refinement: from the candidate records of a region to its final records.

Replies inside comments become records, rows of tiles are split into their tiles, and advertisements and outliers are
dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Final

from duramen.data_records.completion import split_nested_replies
from duramen.data_records.outliers import drop_adverts, drop_outliers
from duramen.data_records.segmentation import Record, Segmentation, make_segmentation, segment, total_weight
from duramen.data_records.similarity import NamedSignature, mean_signature, signature_of, similarity
from duramen.data_records.weights import SubtreeWeights
from duramen.dom.tree import TEXT

MAX_GRID_LEVELS: Final = 3
"""How often rows are split into tiles, and tiles again."""
MAX_GRID_ROWS: Final = 60
"""Longer lists are not grids of tiles, and are not tried."""
MIN_TILE_COVERAGE: Final = 0.75
"""Share of the weight of the rows that the tiles must have."""
MIN_TILE_BALANCE: Final = 0.75
"""Effective number of tiles in a row over their number: tiles of a row have similar weights."""
MIN_TILE_SIMILARITY: Final = 0.55
"""Mean similarity of adjacent tiles in a row."""
MIN_ROW_TO_COLUMN_SIMILARITY: Final = 0.85
"""Similarity of tiles in a row over similarity in a column: the cells of a data table are similar in columns only."""
MIN_LINKED_TILES: Final = 0.8
"""Share of the tiles that must contain a link."""
MAX_ROWS_TO_ONE_TARGET: Final = 0.3
"""Share of the rows in which adjacent cells link to the same URL: such cells are parts of one record."""
WRAPPER_WEIGHT_SHARE: Final = 0.85
"""An element with a child of this share of its weight is a wrapper around the child."""
MAX_SAMPLED_TILES: Final = 12
MAX_LINKED_CELLS: Final = 4
"""Cells of a row whose link targets are compared."""
PROBED_ROWS: Final = 3
"""Rows after which the attempt stops if they are no rows of tiles: most lists are none."""


def refine(weights: SubtreeWeights, candidates: Segmentation) -> Segmentation:
    """The final records of a region, given its candidate records."""
    refined = candidates
    with_replies = split_nested_replies(weights, candidates.records)
    if with_replies:
        refined = make_segmentation(weights, with_replies, f"{candidates.description}, and those inside them")
    for _ in range(0 if with_replies else MAX_GRID_LEVELS):
        tiles = _split_rows_into_tiles(weights, refined)
        if tiles is None:
            break
        refined = make_segmentation(weights, tiles, f"{refined.description}, and the cells of each")
    kept = drop_outliers(weights, drop_adverts(weights, refined.records))
    return refined if kept == refined.records else make_segmentation(weights, kept, refined.description)


def _split_rows_into_tiles(weights: SubtreeWeights, rows: Segmentation) -> tuple[Record, ...] | None:
    """The tiles of all rows, where each row is a list of similar tiles, or a section; None where they are not."""
    if len(rows.records) > MAX_GRID_ROWS:
        return None
    tiles_by_row: list[Sequence[Record]] = []
    for row in rows.records:
        tiles = segment(weights, _path_to_core(weights, max(row, key=weights.weight))[-1])
        tiles_by_row.append(tiles.records if tiles else ())
        if len(tiles_by_row) == PROBED_ROWS and not _are_tile_rows(weights, tiles_by_row):
            return None
    return _complete_tiles(weights, rows, tiles_by_row)


def _complete_tiles(
    weights: SubtreeWeights, rows: Segmentation, tiles_by_row: Sequence[Sequence[Record]]
) -> tuple[Record, ...] | None:
    """All tiles, with those of rows that have a single tile; None if the rows are no rows of tiles.

    Most often the last row has a single tile. It differs so much from the others that it may not be among the rows.
    """
    most = max(map(len, tiles_by_row))
    full_row_tiles = [tile for tiles in tiles_by_row if len(tiles) == most for tile in tiles]
    mean = mean_signature([signature_of(weights, tile) for tile in full_row_tiles[:MAX_SAMPLED_TILES]])
    completed = [
        tiles if len(tiles) == most else _find_single_tile(weights, row, tiles, mean)
        for row, tiles in zip(rows.records, tiles_by_row, strict=True)
    ]
    if not _are_tile_rows(weights, completed, rows.weight):
        return None
    tree = weights.tree
    last = rows.records[-1][-1]
    following = (child for child in tree.children(tree.parent[last]) if child >= tree.end[last])
    next_row = next((child for child in following if weights.weight(child)), None)
    if next_row is not None and tree.tag[next_row] == tree.tag[rows.records[0][0]]:
        completed.append(_find_single_tile(weights, (next_row,), (), mean))
    return tuple(tile for tiles in completed for tile in tiles)


def _find_single_tile(
    weights: SubtreeWeights, row: Record, tiles: Sequence[Record], mean: NamedSignature
) -> Sequence[Record]:
    """The single tile of a row, if it is more similar to the tiles of other rows than its own parts are."""

    def fit(record: Record) -> float:
        return similarity(signature_of(weights, record), mean)

    path = _path_to_core(weights, max(row, key=weights.weight))
    best = max(((node,) for node in path[:MAX_SAMPLED_TILES]), key=fit)
    minimum = max(MIN_TILE_SIMILARITY, fmean(map(fit, tiles)) if tiles else 0.0)
    return (best,) if fit(best) > minimum else tiles


def _are_tile_rows(weights: SubtreeWeights, tiles_by_row: Sequence[Sequence[Record]], row_weight: int = 0) -> bool:
    """True if these are tiles of rows that weigh `row_weight` in total."""
    several = [tiles for tiles in tiles_by_row if len(tiles) > 1]
    if len(several) < max(2, len(tiles_by_row) - 1):
        return False
    all_tiles = [tile for tiles in tiles_by_row for tile in tiles]
    if total_weight(weights, all_tiles) < MIN_TILE_COVERAGE * row_weight:
        return False
    if fmean(_effective_count(weights, tiles) / len(tiles) for tiles in several) < MIN_TILE_BALANCE:
        return False
    signatures = [[signature_of(weights, tile) for tile in tiles[:MAX_SAMPLED_TILES]] for tiles in several]
    in_rows = fmean([similarity(one, other) for row in signatures for one, other in pairwise(row)])
    in_columns = fmean(
        [
            similarity(one, other)
            for row, next_row in pairwise(signatures)
            for one, other in zip(row, next_row, strict=False)
        ]
    )
    if in_rows < MIN_TILE_SIMILARITY or in_rows < MIN_ROW_TO_COLUMN_SIMILARITY * in_columns:
        return False
    if _share_of_rows_to_one_target(weights, several) > MAX_ROWS_TO_ONE_TARGET:
        return False
    linked = sum(any(weights.link_weight(node) for node in tile) for tile in all_tiles)
    return linked >= MIN_LINKED_TILES * len(all_tiles)


def _share_of_rows_to_one_target(weights: SubtreeWeights, rows: Sequence[Sequence[Record]]) -> float:
    """The share of rows in which adjacent cells link to the same URL.

    Links that occur in several rows (`#`, a login, a script) do not count.
    """
    targets = [[_link_targets(weights, cell) for cell in row[:MAX_LINKED_CELLS]] for row in rows]
    row_counts = Counter(target for row in targets for target in set().union(*row))
    to_one = [any(row_counts[target] == 1 for one, other in pairwise(row) for target in one & other) for row in targets]
    return sum(to_one) / len(to_one)


def _link_targets(weights: SubtreeWeights, record: Record) -> set[str]:
    tree = weights.tree
    targets = (
        tree.attributes[node].get("href")
        for top in record
        for node in range(top, tree.end[top])
        if tree.tag[node] == "a"
    )
    return {target for target in targets if target}


def _path_to_core(weights: SubtreeWeights, node: int) -> list[int]:
    """The wrappers from an element down to the first element that is no wrapper, which is the last one."""
    path = [node]
    while True:
        children = [child for child in weights.tree.children(node) if weights.weight(child)]
        heaviest = max(children, key=weights.weight, default=None)
        if heaviest is None or weights.tree.tag[heaviest] == TEXT:
            return path
        if weights.weight(heaviest) < WRAPPER_WEIGHT_SHARE * weights.weight(node):
            return path
        node = heaviest
        path.append(node)


def _effective_count(weights: SubtreeWeights, records: Sequence[Record]) -> float:
    record_weights = [total_weight(weights, [record]) for record in records]
    return sum(record_weights) ** 2 / max(1, sum(weight**2 for weight in record_weights))
