"""Tables of data: which tables are one, and the grid that their cells make.

Many tables of the web lay out a page. A table holds data when a row of it has two cells or more with something in
them and every cell is a line of words, a list, or both; all others are written as the blocks they hold. A grid that
is mostly holes (`colspan="1000"`) counts as laid out too.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from duramen.dom import lexbor
from duramen.dom.tree import Tree
from duramen.output import elements, model
from duramen.output.model import Block, Cell, Container, Table

_WIDEST: Final = 1000  # what HTML allows of colspan; rowspan is bounded by the rows that are there
_OF_WORDS: Final = (model.LINE, model.PARAGRAPH)
_HOLES: Final = 50  # places in the grid for each cell, at the most


def spanning(tree: Tree) -> dict[int, tuple[int, int]]:
    """The cells of a page that span more than one place: how many columns, and how many rows. Read at once, since most
    cells say nothing of it."""
    cells = array("q", chain.from_iterable(lexbor.places_of(tree.tag, ("td", "th")).values()))
    values, which = tree.attribute_combinations(("colspan", "rowspan"), cells)
    spans = [(_span(columns), _span(rows)) for columns, rows in values]
    return {cells[place]: spans[number] for place, number in enumerate(which) if spans[number] != (1, 1)}


def _span(value: str | None) -> int:
    """The value of `colspan` or `rowspan`; 1 where it is missing or makes no sense."""
    value = (value or "").strip()
    return min(max(int(value), 1), _WIDEST) if value.isascii() and value.isdigit() and len(value) < 9 else 1


_new = tuple.__new__


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
        return made_of(self.captions, self.rows, self.container, self.start, blocks)


def made_of(
    captions: list[Part], rows: list[list[Part]], container: Container, start: int, blocks: list[Block]
) -> Table | None:
    """The table in this container whose blocks begin at `start`, or None when it lays out a page."""
    return _made_of(captions, rows, container, start, blocks)


def _made_of(
    captions: list[Part], rows: list[list[Part]], container: Container, start: int, blocks: list[Block]
) -> Table | None:
    parts = sorted([*captions, *chain.from_iterable(rows)])
    if not parts or parts[0].start > start:  # words outside all cells
        return None
    stops = {part.node: after.start for part, after in pairwise(parts)}
    stops[parts[-1].node] = len(blocks)
    caption: list[Block] = []
    for part in captions:
        caption += blocks[part.start : stops[part.node]]
    if len(caption) > 1:
        return None
    cells: list[list[Cell]] = []
    for row in rows:
        if row:
            line = []
            for part in row:
                cell = _cell(part, blocks, part.start, stops[part.node], container)
                if cell is None:
                    return None
                line.append(cell)
            cells.append(line)
    if not _any_row_speaks(cells):
        return None
    grid = _grid(cells)
    return None if grid is None else Table(caption[0] if caption else None, cells, grid)


def _cell(part: Part, blocks: list[Block], start: int, stop: int, container: Container) -> Cell | None:
    """The cell of these blocks, or None if they are more than a line of words and then items of flat lists."""
    words = None
    if start < stop and blocks[start].container is container:
        words = blocks[start]
        if words.kind not in _OF_WORDS:
            return None
        start += 1
    items: Sequence[Block] = ()
    if start < stop:
        items = blocks[start:stop]
        before: Container | None = None
        for block in items:
            item = block.container
            if item.role != elements.ITEM or item.parent is None or item.parent.parent is not container:
                return None
            if item is before:
                return None
            before = item
    return _new(Cell, (words, items, part.header, part.columns, part.rows))  # as `Cell(...)` does, without a call


def _any_row_speaks(rows: list[list[Cell]]) -> bool:
    """Whether a row has two cells with words in them."""
    for row in rows:
        count = 0
        for cell in row:
            if _speaks(cell):
                count += 1
                if count > 1:
                    return True
    return False


def _speaks(cell: Cell) -> bool:
    """Are there words in the cell? Images do not count: a table must be one whether or not they are asked for."""
    return any(block.text or any(run.source is None for run in block.runs) for _, block in cell.blocks())


def _are_plain(rows: list[list[Cell]]) -> bool:
    """Whether no cell takes more than one place."""
    for row in rows:
        for cell in row:
            if cell.columns != 1 or cell.rows != 1:
                return False
    return True


def _grid(rows: list[list[Cell]]) -> list[list[Cell | None]] | None:
    """Every cell at its place. None where cells span so far that the grid is mostly holes."""
    room = _HOLES * sum(map(len, rows)) + 64
    if (len(rows) + 1) * max(map(len, rows)) <= room and _are_plain(rows):
        return [[*row] for row in rows]  # as most tables are: the rows are the grid
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
