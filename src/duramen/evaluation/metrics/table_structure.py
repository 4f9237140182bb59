"""Similarity of tables by structure and content, after TEDS (tree-edit-distance-based similarity).

    TEDS(a, b) = 1 − distance(a, b) / max(|a|, |b|)

|a| is the number of nodes of a table: the table itself, its rows and its cells. Inserting or removing a node costs 1;
replacing a cell costs 1 if the spans differ, else 1 − the edit similarity of the texts.

Xu Zhong, Elaheh ShafieiBavani and Antonio Jimeno Yepes, "Image-based table recognition: data, model, and evaluation",
ECCV 2020.

The trees have three levels only, so the distance is computed by two nested alignments: of rows and, for two rows, of
their cells. That differs from the tree edit distance only where a cell moves to another row (a row that was split), for
which the alignment costs more.

The work is bounded. Equal rows at the start and at the end are matched first. If the others are still too many, equal
rows are aligned by RapidFuzz, and in the rows that it replaces each cell is compared with that in the same place. Rows
after the first `MAX_ROWS` count as removed or inserted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from duramen.evaluation.metrics.edit_similarity import edit_similarity, list_edits
from duramen.evaluation.metrics.markdown_parts import Cell, Row, Table, write_table

MAX_ROWS: Final = 5_000
MAX_CELL_PAIRS: Final = 200_000
"""Pairs of cells that may be compared to align all rows of two tables."""
MAX_TABLE_PAIRS: Final = 2_500

T = TypeVar("T")


def tables_similarity(reference: Sequence[Table], tables: Sequence[Table]) -> float:
    """Return the mean similarity of tables that are matched one to one; a table without a match counts as 0."""
    if not reference and not tables:
        return 1.0
    pairs = match_tables(reference, tables)
    return sum(table_similarity(reference[i], tables[j]) for i, j in pairs) / max(len(reference), len(tables))


def match_tables(reference: Sequence[Table], tables: Sequence[Table]) -> list[tuple[int, int]]:
    """Match tables one to one, the most similar texts first; too many tables are matched in their order."""
    if len(reference) * len(tables) > MAX_TABLE_PAIRS:
        return [(i, i) for i in range(min(len(reference), len(tables)))]
    first, second = [write_table(table) for table in reference], [write_table(table) for table in tables]
    candidates = sorted(
        (-edit_similarity(one, other), abs(i - j), i, j)
        for i, one in enumerate(first)
        for j, other in enumerate(second)
    )
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for _, _, i, j in candidates:
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            pairs.append((i, j))
    return pairs


def table_similarity(reference: Table, table: Table) -> float:
    """Return the similarity of two tables, from 0 to 1."""
    size = max(_count_nodes(reference), _count_nodes(table))
    return 1 - _compute_table_distance(reference, table) / size


def _compute_table_distance(reference: Table, table: Table) -> float:
    rest = (*reference[MAX_ROWS:], *table[MAX_ROWS:])
    first, second = _cut_equal_ends(reference[:MAX_ROWS], table[:MAX_ROWS])
    distance = float(sum(map(_count_row_nodes, rest)))
    if sum(map(len, first)) * sum(map(len, second)) <= MAX_CELL_PAIRS:
        return distance + _align(first, second, _count_row_nodes, _compute_row_distance)
    for i, j in list_edits(first, second):
        if i is None or j is None:
            distance += _count_row_nodes(first[i] if i is not None else second[j or 0])
        else:
            distance += sum(map(_compute_cell_distance, first[i], second[j])) + abs(len(first[i]) - len(second[j]))
    return distance


def _compute_row_distance(first: Row, second: Row) -> float:
    return _align(first, second, _count_cell_nodes, _compute_cell_distance)


def _compute_cell_distance(first: Cell, second: Cell) -> float:
    if first[1:] != second[1:]:
        return 1.0
    return 0.0 if first.text == second.text else 1 - edit_similarity(first.text, second.text)


def _align(
    first: Sequence[T], second: Sequence[T], count: Callable[[T], int], compare: Callable[[T, T], float]
) -> float:
    """Return the cost of the cheapest alignment: `count` to insert or remove an item, `compare` to replace it."""
    costs = [0.0]
    sizes = [count(item) for item in second]
    for size in sizes:
        costs.append(costs[-1] + size)
    for item in first:
        size = count(item)
        diagonal, costs[0] = costs[0], costs[0] + size
        for j, other in enumerate(second):
            removed, inserted = costs[j + 1] + size, costs[j] + sizes[j]
            best = removed if removed < inserted else inserted
            if diagonal < best:  # a replacement costs at least 0
                best = min(best, diagonal + compare(item, other))
            diagonal, costs[j + 1] = costs[j + 1], best
    return costs[-1]


def _cut_equal_ends(first: Table, second: Table) -> tuple[Table, Table]:
    """Return the rows between the equal rows at the start and the equal rows at the end."""
    shorter = min(len(first), len(second))
    start = next((i for i in range(shorter) if first[i] != second[i]), shorter)
    end = next((i for i in range(shorter - start) if first[-1 - i] != second[-1 - i]), shorter - start)
    return first[start : len(first) - end], second[start : len(second) - end]


def _count_nodes(table: Table) -> int:
    return 1 + sum(map(_count_row_nodes, table))


def _count_row_nodes(row: Row) -> int:
    return 1 + len(row)


def _count_cell_nodes(cell: Cell) -> int:
    return 1
