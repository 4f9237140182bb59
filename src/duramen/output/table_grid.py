"""Tables as they are built: the blocks of each cell, and the grid that the cells make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from duramen.dom.tree import Tree
from duramen.output.model import RULE_BLOCK, Container, GridPlace, OutputBlock, OutputCell, OutputTable
from duramen.structure.data_tables import DataTable

_MAX_PLACES_PER_CELL: Final = 10  # places of the grid
_FREE_PLACES: Final = 64  # that the grid of any table may have in addition

_MAX_REPEATED_CHARS: Final = 200  # of a cell over several rows or columns
_MAX_REPETITIONS: Final = 4  # times the characters of a table
_FREE_CHARS: Final = 10_000  # that the repetitions in any table may have in addition


class TableDraft:
    """Table that is being read: where the blocks of each cell and caption start in the list of blocks."""

    def __init__(self, table: DataTable, container: Container, first_block: int) -> None:
        self.table = table
        self.container = container
        self.first_block = first_block
        self.parts = {*table.captions, *(cell for row in table.rows for cell in row)}
        self.starts: dict[int, int] = {}

    def build(
        self, blocks: Sequence[OutputBlock], tree: Tree, spans: Mapping[int, tuple[int, int]]
    ) -> OutputTable | None:
        """Return the table; None if fewer than two of its cells were kept, or if its grid is mostly holes.

        A cell that was not kept leaves its place empty, so that no other moves into its column.
        """
        starts = sorted(self.starts.items(), key=lambda item: item[1])
        if not starts or starts[0][1] > self.first_block:  # words outside all cells
            return None
        parts = {node: blocks[start:stop] for (node, start), (_, stop) in pairwise([*starts, (-1, len(blocks))])}
        rows = []
        header_rows = 0
        for number, cells in enumerate(self.table.rows):
            row = [
                OutputCell(
                    parts.get(cell, ()),
                    tree.tag[cell] == "th" or cell in self.table.marked_headers,
                    *spans.get(cell, (1, 1)),
                )
                for cell in cells
            ]
            if any(cell.blocks or cell.rows > 1 for cell in row):
                header_rows += number < self.table.header_rows
                rows.append(row)
        if sum(1 for row in rows for cell in row if any(block.kind != RULE_BLOCK for block in cell.blocks)) < 2:
            return None
        grid = build_grid(rows)
        if grid is None:
            return None
        caption = [block for node in self.table.captions for block in parts.get(node, ())]
        return OutputTable(caption, rows, grid, header_rows)


def build_grid(rows: list[list[OutputCell]]) -> list[list[GridPlace]] | None:
    """Put every cell at its place; None where cells span so far that the grid is mostly holes."""
    places_left = _MAX_PLACES_PER_CELL * sum(map(len, rows)) + _FREE_PLACES
    spans_nothing = all(cell.columns == 1 and cell.rows == 1 for row in rows for cell in row)
    if spans_nothing and (len(rows) + 1) * max(map(len, rows)) <= places_left:
        return [[GridPlace(cell) for cell in row] for row in rows]
    above: list[tuple[int, OutputCell] | None] = []  # for each column: the rows left of a cell from above, the cell
    grid: list[list[GridPlace]] = []
    for row in rows:
        line: list[GridPlace] = []
        taken = above
        above = [None] * len(taken)
        for cell in row:
            _fill_from_above(line, taken, above, until=len(taken))
            start = len(line)
            line.append(GridPlace(cell))
            line.extend([GridPlace(cell, is_start=False)] * (cell.columns - 1))
            above.extend([None] * (len(line) - len(above)))
            if cell.rows > 1:
                for column in range(start, len(line)):
                    above[column] = (cell.rows - 1, cell)
            if len(line) > places_left:
                return None
        _fill_from_above(line, taken, above, until=len(taken), to_end=True)
        places_left -= max(len(above), 1)
        if places_left < 0:
            return None
        grid.append(line)
    return grid


def write_grid(
    grid: Sequence[Sequence[GridPlace]], write_cell: Callable[[OutputCell], str], *, repeated: bool = True
) -> list[list[str]]:
    """Write every place of a grid, for formats without spans: if `repeated`, a cell is written at each of its places.

    A cell that is a whole row is the heading of the rows below it, and stands once. So does a long one, and every cell
    when the repetitions have several times the characters of the table.
    """
    texts: dict[int, str] = {}  # of cells over several places, by identity
    chars = repeated_chars = 0
    rows = []
    for row in grid:
        is_heading = len(row) > 1 and all(place.cell is row[0].cell for place in row)
        line = []
        for cell, is_start in row:
            if cell is None or not (is_start or (repeated and not is_heading)):
                line.append("")
                continue
            text = texts.get(id(cell))
            if text is None:
                text = write_cell(cell)
                chars += len(text)
                if cell.columns > 1 or cell.rows > 1:
                    texts[id(cell)] = text
            if not is_start:
                repeated_chars += len(text)
                if len(text) > _MAX_REPEATED_CHARS or repeated_chars > _MAX_REPETITIONS * chars + _FREE_CHARS:
                    text = ""
            line.append(text)
        rows.append(line)
    return rows


def _fill_from_above(
    line: list[GridPlace],
    taken: Sequence[tuple[int, OutputCell] | None],
    above: list[tuple[int, OutputCell] | None],
    *,
    until: int,
    to_end: bool = False,
) -> None:
    """Continue the cells from above, up to the next free place, or to the last of them."""
    last = max((column for column in range(len(line), until) if taken[column]), default=-1) if to_end else until - 1
    while len(line) <= last:
        column = len(line)
        spanning = taken[column]
        if spanning is None:
            if not to_end:
                return
            line.append(GridPlace(None))
            continue
        rows_left, cell = spanning
        if rows_left > 1:
            above[column] = (rows_left - 1, cell)
        line.append(GridPlace(cell, is_start=False))
