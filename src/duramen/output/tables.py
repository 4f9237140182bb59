"""Data tables: which tables hold data, and the grid that their cells make.

Many tables on the web lay out a page. A table holds data if a row of it has two cells or more with content and every
cell is a line of words, a list, or both; all other tables are written as the blocks they hold. A grid that is mostly
holes (`colspan="1000"`) counts as layout too.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from duramen.dom.tree import Tree
from duramen.output import elements
from duramen.output.model import LINE_BLOCK, PARAGRAPH_BLOCK, Container, OutputBlock, OutputCell, OutputTable

_MAX_SPAN: Final = 1000  # HTML's limit for colspan; rowspan is limited by the rows that are there
_MAX_DIGITS: Final = 8
_WORD_KINDS: Final = (LINE_BLOCK, PARAGRAPH_BLOCK)
_MAX_PLACES_PER_CELL: Final = 50  # places of the grid
_FREE_PLACES: Final = 64  # that the grid of any table may have in addition


def find_spanning_cells(tree: Tree) -> dict[int, tuple[int, int]]:
    """Return columns and rows of the cells that span more than one place. Read at once: most cells span one."""
    cells = array("q", chain(tree.find_all("td"), tree.find_all("th")))
    values, combination_of = tree.attribute_combinations(("colspan", "rowspan"), cells)
    spans = [(_parse_span(columns), _parse_span(rows)) for columns, rows in values]
    return {cells[index]: spans[number] for index, number in enumerate(combination_of) if spans[number] != (1, 1)}


def _parse_span(value: str | None) -> int:
    """Return the value of `colspan` or `rowspan`; 1 where it is missing or no number."""
    value = (value or "").strip()
    if not value.isascii() or not value.isdigit() or len(value) > _MAX_DIGITS:
        return 1
    return min(max(int(value), 1), _MAX_SPAN)


class TablePart(NamedTuple):
    """Cell or caption of a table that is being read. Its blocks end where the next part starts."""

    node: int
    first_block: int
    is_header: bool = False
    columns: int = 1
    rows: int = 1


class TableDraft:
    """Table that is being read: the parts of its caption and its cells, by index in the list of blocks."""

    def __init__(self, node: int, container: Container, first_block: int) -> None:
        self.node = node
        self.container = container
        self.first_block = first_block
        self.captions: list[TablePart] = []
        self.rows: list[list[TablePart]] = []

    def build(self, blocks: list[OutputBlock]) -> OutputTable | None:
        """Return the table, or None when it is layout."""
        parts = sorted([*self.captions, *chain.from_iterable(self.rows)])
        if not parts or parts[0].first_block > self.first_block:  # words outside all cells
            return None
        stops = {part.node: after.first_block for part, after in pairwise(parts)}
        stops[parts[-1].node] = len(blocks)
        caption: list[OutputBlock] = []
        for part in self.captions:
            caption += blocks[part.first_block : stops[part.node]]
        if len(caption) > 1:
            return None
        rows: list[list[OutputCell]] = []
        for parts_of_row in self.rows:
            if parts_of_row:
                row = []
                for part in parts_of_row:
                    cell = _build_cell(part, blocks[part.first_block : stops[part.node]], self.container)
                    if cell is None:
                        return None
                    row.append(cell)
                rows.append(row)
        if not any(_count_cells_with_words(row) > 1 for row in rows):
            return None
        grid = build_grid(rows)
        return None if grid is None else OutputTable(caption[0] if caption else None, rows, grid)


def _build_cell(part: TablePart, blocks: Sequence[OutputBlock], container: Container) -> OutputCell | None:
    """Return the cell with these blocks, or None if they are more than a line of words and items of flat lists."""
    words = None
    if blocks and blocks[0].container is container:
        words = blocks[0]
        if words.kind not in _WORD_KINDS:
            return None
        blocks = blocks[1:]
    before: Container | None = None
    for block in blocks:
        item = block.container
        if item.role != elements.ITEM or item.parent is None or item.parent.parent is not container:
            return None
        if item is before:
            return None
        before = item
    return OutputCell(words, blocks, part.is_header, part.columns, part.rows)


def _count_cells_with_words(row: list[OutputCell]) -> int:
    """Count the cells with words. Images do not count: the result must not depend on the option for images."""
    return sum(
        1
        for cell in row
        if (cell.words is not None and _has_words(cell.words)) or any(_has_words(item) for item in cell.items)
    )


def _has_words(block: OutputBlock) -> bool:
    return bool(block.text) or any(run.image_url is None for run in block.runs)


def build_grid(rows: list[list[OutputCell]]) -> list[list[OutputCell | None]] | None:
    """Put every cell at its place; None where cells span so far that the grid is mostly holes."""
    places_left = _MAX_PLACES_PER_CELL * sum(map(len, rows)) + _FREE_PLACES
    spans_nothing = all(cell.columns == 1 and cell.rows == 1 for row in rows for cell in row)
    if spans_nothing and (len(rows) + 1) * max(map(len, rows)) <= places_left:
        return [[*row] for row in rows]
    rows_taken: list[int] = []  # for each column, how many more rows a cell from above takes
    grid: list[list[OutputCell | None]] = []
    for row in rows:
        line: list[OutputCell | None] = []
        for cell in row:
            while len(line) < len(rows_taken) and rows_taken[len(line)]:
                line.append(None)
            start = len(line)
            line.append(cell)
            line.extend([None] * (cell.columns - 1))
            if len(line) > len(rows_taken):
                rows_taken.extend([0] * (len(line) - len(rows_taken)))
            for column in range(start, len(line)):
                rows_taken[column] = cell.rows
            if len(line) > places_left:
                return None
        places_left -= len(rows_taken)
        rows_taken = [count - 1 if count else 0 for count in rows_taken]
        while line and line[-1] is None:
            line.pop()
        grid.append(line)
    return grid
