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

_FromAbove = tuple[int, GridPlace]  # of a column: the row before which the spanning cell ends, and its place there
_HOLE: Final = GridPlace(None)
_NOTHING_ABOVE: Final = (0, _HOLE)


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
    above: list[_FromAbove] = []
    grid: list[list[GridPlace]] = []
    for number, row in enumerate(rows):
        line: list[GridPlace] = []
        for cell in row:
            _fill_from_above(line, above, number)
            start = len(line)
            line.append(GridPlace(cell))
            line.extend([GridPlace(cell, is_start=False)] * (cell.columns - 1))
            above.extend([_NOTHING_ABOVE] * (len(line) - len(above)))
            if cell.rows > 1:
                width = len(line) - start
                above[start : len(line)] = [(number + cell.rows, GridPlace(cell, is_start=False))] * width
            if len(line) > places_left:
                return None
        _fill_to_end(line, above, number)
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


def _fill_from_above(line: list[GridPlace], above: Sequence[_FromAbove], row: int) -> None:
    """Continue the cells from above, up to the next free place."""
    for column in range(len(line), len(above)):
        stop, place = above[column]
        if stop <= row:
            return
        line.append(place)


def _fill_to_end(line: list[GridPlace], above: Sequence[_FromAbove], row: int) -> None:
    """Continue the cells from above, up to the last of them."""
    last = next((column for column in range(len(above) - 1, len(line) - 1, -1) if above[column][0] > row), -1)
    for column in range(len(line), last + 1):
        stop, place = above[column]
        line.append(place if stop > row else _HOLE)
