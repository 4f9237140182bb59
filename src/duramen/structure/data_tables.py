"""Data tables: which tables of a page hold data, and their rows of cells.

Many tables on the web lay out a page. A table holds data if its author says so (header cells, a caption, a head) or if
its cells are short and fill at least two columns and two rows. A table without a head that holds another table, or one
whose text is nearly all in one long cell, is layout. The decision is made from the tree alone, before anything is kept
or written: the default method keeps or drops a data table as a whole, and the writers put every cell into its own
column.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Final, NamedTuple

from duramen.dom.tag_sets import HEADING_TAGS, SCRIPT_TAGS
from duramen.dom.tree import TEXT, Tree

MAX_SPAN: Final = 1000
"""HTML's limit for `colspan`; `rowspan` is limited by the rows that are there."""
_MAX_SPAN_DIGITS: Final = 8

_LAYOUT_ROLES: Final = frozenset(("presentation", "none"))
_DATA_ROLES: Final = frozenset(("table", "grid"))
_LONG_CELL_CHARS: Final = 400
"""Characters from which on one cell may be an article in a layout table."""
_MAX_CELL_SHARE: Final = 0.6
"""Share of the text of a table that one long cell of a data table may hold."""
_MAX_CELL_SHARE_WITH_HEADERS: Final = 0.85
"""The same where the table has header cells: the row "Description" of a product can be long."""


class DataTable(NamedTuple):
    """One data table: its element, its captions, and the cells of each row, the cells of a row in document order."""

    node: int
    captions: list[int]
    rows: list[list[int]]
    header_rows: int
    """Rows at the top that are headers: those of `thead`, or with header cells only."""
    marked_headers: frozenset[int] = frozenset()
    """Header cells that are no `th`."""


def find_data_tables(tree: Tree, within: range | None = None) -> dict[int, DataTable]:
    """Return the data tables of a page by their element."""
    tables = tree.find_all("table", within)
    if not tables:
        return {}
    chars_before = _count_chars(tree, tables[0], max(tree.end[node] for node in tables))
    data_tables: dict[int, DataTable] = {}
    for place, node in enumerate(tables):
        holds_table = place + 1 < len(tables) and tables[place + 1] < tree.end[node]
        table = _read_table(tree, node)
        is_headed = table is not None and table.header_rows > 0
        if holds_table and not is_headed and _holds_real_table(tree, tables, place):
            continue
        if table is not None and _holds_data(tree, table, chars_before):
            data_tables[node] = table
    return data_tables


def find_spanning_cells(tree: Tree) -> dict[int, tuple[int, int]]:
    """Return columns and rows of the cells that span more than one place. Read at once: most cells span one."""
    cells = array("q", chain(tree.find_all("td"), tree.find_all("th")))
    values, combination_of = tree.attribute_combinations(("colspan", "rowspan"), cells)
    spans = [(_parse_span(columns), _parse_span(rows)) for columns, rows in values]
    return {cells[index]: spans[number] for index, number in enumerate(combination_of) if spans[number] != (1, 1)}


def _parse_span(value: str | None) -> int:
    """Return the value of `colspan` or `rowspan`; 1 where it is missing or no number."""
    value = (value or "").strip()
    if not value.isascii() or not value.isdigit() or len(value) > _MAX_SPAN_DIGITS:
        return 1
    return min(max(int(value), 1), MAX_SPAN)


def _count_chars(tree: Tree, start: int, stop: int) -> dict[int, int]:
    """Return the number of characters of text before each node, without indentation, scripts and styles."""
    tags, texts, parents = tree.tag, tree.text, tree.parent
    lengths = [
        len(texts[node])
        if tags[node] == TEXT and not texts[node].isspace() and tags[parents[node]] not in SCRIPT_TAGS
        else 0
        for node in range(start, stop)
    ]
    return dict(zip(range(start, stop + 1), accumulate(lengths, initial=0), strict=True))


def _holds_real_table(tree: Tree, tables: Sequence[int], place: int) -> bool:
    """Return whether a table holds another one with several cells: then it is layout.

    Only the next table is looked at: it is the first inside, and looking at all of them would be quadratic.
    """
    inner = tables[place + 1]
    cells = 0
    for node in range(inner + 1, tree.end[inner]):
        cells += tree.tag[node] in ("td", "th")
        if cells > 1:
            return True
    return False


def _read_table(tree: Tree, node: int) -> DataTable | None:
    """Read the rows of a table from its element; None if it has no cells.

    A parser puts every cell into a row and every row into a section, so two levels are walked.
    """
    captions: list[int] = []
    rows: list[list[int]] = []
    header_rows = 0
    for section in tree.children(node):
        tag = tree.tag[section]
        if tag == "caption":
            captions.append(section)
        elif tag in ("thead", "tbody", "tfoot"):
            for row in tree.children(section):
                cells = [cell for cell in tree.children(row) if tree.tag[cell] in ("td", "th")]
                if tree.tag[row] != "tr" or not cells:
                    continue
                is_header = tag == "thead" or all(tree.tag[cell] == "th" for cell in cells)
                header_rows += is_header and header_rows == len(rows)
                rows.append(cells)
    return DataTable(node, captions, rows, header_rows) if rows else None


def _holds_data(tree: Tree, table: DataTable, chars_before: Mapping[int, int]) -> bool:
    role = (tree.attributes[table.node].get("role") or "").lower()
    if role in _LAYOUT_ROLES or role in _DATA_ROLES:
        return role in _DATA_ROLES
    cells = [cell for row in table.rows for cell in row]
    chars = {cell: chars_before[tree.end[cell]] - chars_before[cell] for cell in cells}
    total = sum(chars.values())
    # Some comparison tables have a head of empty cells, and their column names in the first row after it.
    has_headers = bool(table.captions) or any(tree.tag[cell] == "th" and chars[cell] for cell in cells)
    has_headers = has_headers or (table.header_rows > 0 and len(table.rows[0]) > 1)
    widest = max(sum(1 for cell in row if chars[cell]) for row in table.rows)
    if widest < 2:
        return has_headers and len(table.rows) > 1 and total > 0 and not _has_long_cell(cells, chars, total, 0.0)
    if has_headers:
        return not _has_long_cell(cells, chars, total, _MAX_CELL_SHARE_WITH_HEADERS)
    if len(table.rows) < 2 or _has_long_cell(cells, chars, total, _MAX_CELL_SHARE):
        return False
    return not any(_holds_section(tree, cell) for cell in cells)


def _has_long_cell(cells: Sequence[int], chars: dict[int, int], total: int, share: float) -> bool:
    longest = max(chars[cell] for cell in cells)
    return longest >= _LONG_CELL_CHARS and longest > share * total


def _holds_section(tree: Tree, cell: int) -> bool:
    """Return whether a cell holds a heading or a form: it is a part of the page, not a value."""
    return any(tree.tag[node] in HEADING_TAGS or tree.tag[node] == "form" for node in range(cell, tree.end[cell]))
