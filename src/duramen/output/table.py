"""Tables of data: which tables are one, and the grid that their cells make.

Many tables of the web lay out a page. A table holds data when a row of it has two cells or more with something in
them and every cell is a line of words, a list, or both; all others are written as the blocks they hold. A grid that
is mostly holes (`colspan="1000"`) counts as laid out too.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final, NamedTuple

from duramen.output import elements, model
from duramen.output.model import Block, Cell, Container, Table
from duramen.tree import Attributes

_WIDEST: Final = 1000  # what HTML allows of colspan; rowspan is bounded by the rows that are there
_HOLES: Final = 50  # places in the grid for each cell, at the most


def span(attributes: Attributes, name: str) -> int:
    """The value of `colspan` or `rowspan`; 1 where it is missing or makes no sense."""
    value = (attributes.get(name) or "").strip()
    return min(max(int(value), 1), _WIDEST) if value.isascii() and value.isdigit() and len(value) < 9 else 1


class Part(NamedTuple):
    """A cell or a caption while the table is read; its blocks go up to where the next part starts."""

    node: int
    start: int
    header: bool = False
    columns: int = 1
    rows: int = 1


class Draft:
    """A table while it is read: which blocks its caption and its cells hold, by their place in the list of blocks."""

    def __init__(self, node: int, container: Container, start: int) -> None:
        self.node = node
        self.container = container
        self.start = start
        self.captions: list[Part] = []
        self.rows: list[list[Part]] = []

    def table(self, blocks: list[Block]) -> Table | None:
        """The table, or None when it lays out a page."""
        parts = sorted((*self.captions, *(part for row in self.rows for part in row)))
        if not parts or parts[0].start > self.start:  # words outside all cells
            return None
        stops = {part.node: after.start for part, after in itertools.pairwise(parts)}
        stops[parts[-1].node] = len(blocks)
        captions = [block for part in self.captions for block in blocks[part.start : stops[part.node]]]
        if len(captions) > 1:
            return None
        rows: list[list[Cell]] = []
        for row in self.rows:
            cells = []
            for part in row:
                cell = self._cell(part, blocks[part.start : stops[part.node]])
                if cell is None:
                    return None
                cells.append(cell)
            if cells:
                rows.append(cells)
        if not any(sum(map(_speaks, row)) > 1 for row in rows):
            return None
        grid = _grid(rows)
        return None if grid is None else Table(captions[0] if captions else None, rows, grid)

    def _cell(self, part: Part, blocks: Sequence[Block]) -> Cell | None:
        """The cell, or None if it holds more than a line of words and then items of flat lists."""
        words = None
        if blocks and blocks[0].container is self.container:
            words, *blocks = blocks
            if words.kind not in (model.LINE, model.PARAGRAPH):
                return None
        before: Container | None = None
        for block in blocks:
            item = block.container
            if item.role != elements.ITEM or item.parent is None or item.parent.parent is not self.container:
                return None
            if item is before:
                return None
            before = item
        return Cell(words, blocks, part.header, part.columns, part.rows)


def _speaks(cell: Cell) -> bool:
    """Are there words in the cell? Images do not count: a table must be one whether or not they are asked for."""
    return any(block.text or any(run.source is None for run in block.runs) for _, block in cell.blocks())


def _grid(rows: list[list[Cell]]) -> list[list[Cell | None]] | None:
    """Every cell at its place. None where cells span so far that the grid is mostly holes."""
    room = _HOLES * sum(len(row) for row in rows) + 64
    held: list[int] = []  # how many rows each column is still taken, by a cell further up
    grid: list[list[Cell | None]] = []
    for row in rows:
        line: list[Cell | None] = []
        for cell in row:
            while len(line) < len(held) and held[len(line)]:
                line.append(None)
            start = len(line)
            line.append(cell)
            line.extend([None] * (cell.columns - 1))
            if len(line) > len(held):
                held.extend([0] * (len(line) - len(held)))
            for column in range(start, len(line)):
                held[column] = cell.rows
            if len(line) > room:
                return None
        room -= len(held)
        held = [rows_left - 1 if rows_left else 0 for rows_left in held]
        while line and line[-1] is None:
            line.pop()
        grid.append(line)
    return grid
