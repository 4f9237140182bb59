"""Cells of an HTML table by row and column: a cell that spans rows or columns is in each of them.

A hostile table spans far more places than it has cells: a thousand rows with `rowspan=65534` would fill a million. So
the places that cells span, besides their own, are limited by the number of cells; beyond that, spans are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

from duramen.data_records.record_segmentation import Record
from duramen.data_records.subtrees import SubtreeWeights
from duramen.data_records.values import element_text
from duramen.dom.tag_sets import TABLE_CELL_TAGS
from duramen.dom.tree import TEXT, Tree

MAX_GRID_COLUMNS: Final = 100
"""A hostile page may have any number of columns."""
MAX_SPAN: Final = 1000
SPANNED_PLACES_PER_CELL, FREE_SPANNED_PLACES = 2, 200
"""Places that cells may span besides their own: so many for each cell of the table, and so many for any table."""

GridRow = dict[int, int]
"""The cell in each column, from 0."""

_GRIDS: WeakKeyDictionary[Tree, dict[int, _Grid]] = WeakKeyDictionary()


@dataclass
class _Grid:
    """The rows of a table that are laid out so far."""

    places_left: int
    """Places that cells may still span besides their own."""
    rows: dict[int, GridRow] = field(default_factory=dict)
    is_cut: bool = False
    """Whether spans were ignored, because there were too many."""
    has_more_columns: bool = False
    """Whether there are cells beyond `MAX_GRID_COLUMNS`."""

    def spend(self, places: int) -> bool:
        """Take places from those left; return False, from then on, if they are not enough."""
        self.places_left -= places
        self.is_cut = self.is_cut or self.places_left < 0
        return not self.is_cut


def find_table(tree: Tree, row: int) -> int | None:
    """The table that a row belongs to."""
    return next((above for above in tree.ancestors(row) if tree.tag[above] == "table"), None)


def read_grid(tree: Tree, table: int) -> dict[int, GridRow]:
    """The rows of a table, each with its cells by column. Computed once for each table."""
    return _find_grid(tree, table).rows


def ignores_spans(tree: Tree, table: int) -> bool:
    """True if spans of a table were ignored, because they are far more than its cells."""
    return _find_grid(tree, table).is_cut


def has_more_columns(tree: Tree, table: int) -> bool:
    """True if a table has more columns than `MAX_GRID_COLUMNS`: the others are not read."""
    return _find_grid(tree, table).has_more_columns


def _find_grid(tree: Tree, table: int) -> _Grid:
    grids = _GRIDS.setdefault(tree, {})
    grid = grids.get(table)
    if grid is None:
        grid = grids[table] = _lay_out_table(tree, table)
    return grid


def _lay_out_table(tree: Tree, table: int) -> _Grid:
    cell_count = sum(tag in TABLE_CELL_TAGS for tag in tree.tag[table : tree.end[table]])
    grid = _Grid(SPANNED_PLACES_PER_CELL * cell_count + FREE_SPANNED_PLACES)
    _lay_out_rows(tree, table, grid)
    if grid.is_cut:  # the rows laid out so far have spans, the others have none
        _lay_out_rows(tree, table, grid)
    return grid


def _lay_out_rows(tree: Tree, table: int, grid: _Grid) -> None:
    spanning: dict[int, tuple[int, int]] = {}  # column: a cell of a row above, and the number of rows it still spans
    group, node = -1, table + 1
    while node < tree.end[table]:
        tag = tree.tag[node]
        if tag == "tr":
            if tree.parent[node] != group or not grid.spend(len(spanning)):
                group, spanning = tree.parent[node], {}  # no cell spans beyond its tbody
            grid.rows[node] = _lay_out_row(tree, node, spanning, grid)
        # A table inside a cell is another table.
        node = tree.end[node] if tag in ("tr", TEXT) else node + 1


def _lay_out_row(tree: Tree, row: int, spanning: dict[int, tuple[int, int]], grid: _Grid) -> GridRow:
    cells: GridRow = {}
    for column, (cell, rows_left) in list(spanning.items()):
        cells[column] = cell
        if rows_left > 1:
            spanning[column] = cell, rows_left - 1
        else:
            del spanning[column]
    column = 0
    for cell in tree.children(row):
        if tree.tag[cell] not in TABLE_CELL_TAGS:
            continue
        while column in cells:
            column += 1
        if column >= MAX_GRID_COLUMNS:
            grid.has_more_columns = True
            break
        width = min(read_span(tree, cell, "colspan"), max(1, MAX_GRID_COLUMNS - column))
        if not grid.spend(width - 1):
            width = 1
        rows = 1 if grid.is_cut else read_span(tree, cell, "rowspan")
        for spanned in range(column, min(column + width, MAX_GRID_COLUMNS)):
            cells.setdefault(spanned, cell)
            if rows > 1:
                spanning[spanned] = cell, rows - 1
    return dict(sorted(cells.items()))


def read_span(tree: Tree, cell: int, attribute: str) -> int:
    """The number of rows or columns that a cell spans."""
    value = (tree.attributes[cell].get(attribute) or "").strip()
    return max(1, min(int(value), MAX_SPAN)) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def find_header_row(weights: SubtreeWeights, records: Sequence[Record]) -> GridRow:
    """The header cells above the records of an HTML table, by column; empty if there are none."""
    tree = weights.tree
    first = records[0][0]
    table = find_table(tree, first) if tree.tag[first] == "tr" else None
    if table is None:
        return {}
    header: GridRow = {}
    grid = read_grid(tree, table)
    width = len(grid.get(first, {}))
    for node, row in grid.items():
        if node >= first:
            break
        cells = [child for child in tree.children(node) if tree.tag[child] in TABLE_CELL_TAGS]
        is_header = any(tree.tag[cell] == "th" for cell in cells) or (
            len(row) == len(cells) == width and not weights.link_count(node)
        )
        if is_header and sum(bool(element_text(tree, cell, whole=True)) for cell in cells) > 1:
            header = row
    return header


def find_header(tree: Tree, records: Sequence[Record], members: Sequence[Sequence[int]], header: GridRow) -> str:
    """The text of the header cell above a field; it must span the same columns as the cell of the field."""
    if not header:
        return ""
    for record, nodes in zip(records, members, strict=True):
        if not nodes:
            continue
        table = find_table(tree, record[0])
        row = next((top for top in reversed(record) if top <= nodes[0]), None)
        cells = {} if table is None or row is None else read_grid(tree, table).get(row, {})
        columns = [column for column, cell in cells.items() if cell <= nodes[0] < tree.end[cell]]
        above = {header.get(column) for column in columns}
        header_cell = above.pop() if len(above) == 1 else None
        if header_cell is None or [column for column, cell in header.items() if cell == header_cell] != columns:
            return ""
        return element_text(tree, header_cell, whole=True)
    return ""
