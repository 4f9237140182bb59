"""The cells of a table as they are laid out: a cell that spans rows or columns stands in each of them."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from duramen.dom.tree import TEXT, Tree

CELLS: Final = frozenset(("td", "th"))
WIDEST: Final = 100
"""Columns that are looked at: a hostile page may have any number."""

Row = dict[int, int]
"""The cell in each column, from 0."""

_KNOWN: WeakKeyDictionary[Tree, dict[int, dict[int, Row]]] = WeakKeyDictionary()


def table_of(tree: Tree, row: int) -> int | None:
    """The table that a row belongs to."""
    return next((above for above in tree.ancestors(row) if tree.tag[above] == "table"), None)


def rows_of(tree: Tree, table: int) -> dict[int, Row]:
    """The rows of a table, each with its cells by column. Looked up once."""
    known = _KNOWN.setdefault(tree, {})
    found = known.get(table)
    if found is None:
        found = known[table] = _read(tree, table)
    return found


def _read(tree: Tree, table: int) -> dict[int, Row]:
    found: dict[int, Row] = {}
    hanging: dict[int, tuple[int, int]] = {}  # column: a cell from above, and how many rows it still reaches
    group, place = -1, table + 1
    while place < tree.end[table]:
        tag = tree.tag[place]
        if tag == "tr":
            if tree.parent[place] != group:
                group, hanging = tree.parent[place], {}  # no cell reaches out of its tbody
            found[place] = _lay(tree, place, hanging)
        # A table within a cell is another table.
        place = tree.end[place] if tag in ("tr", TEXT) else place + 1
    return found


def _lay(tree: Tree, row: int, hanging: dict[int, tuple[int, int]]) -> Row:
    laid: Row = {}
    for column, (cell, left) in list(hanging.items()):
        laid[column] = cell
        if left > 1:
            hanging[column] = cell, left - 1
        else:
            del hanging[column]
    column = 0
    for cell in tree.children(row):
        if tree.tag[cell] not in CELLS:
            continue
        while column in laid:
            column += 1
        rows = span(tree, cell, "rowspan")
        for number in range(column, min(column + span(tree, cell, "colspan"), WIDEST)):
            laid.setdefault(number, cell)
            if rows > 1:
                hanging[number] = cell, rows - 1
    return dict(sorted(laid.items()))


def span(tree: Tree, cell: int, attribute: str) -> int:
    """How many rows or columns a cell takes."""
    said = (tree.attributes[cell].get(attribute) or "").strip()
    return max(1, min(int(said), 1000)) if said.isascii() and said.isdigit() and len(said) < 6 else 1
