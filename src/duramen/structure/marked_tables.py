"""Find tables that are no `table` element: those of LaTeXML and of ARIA roles.

LaTeXML writes a table inside a box as `span` elements with the classes `ltx_tabular`, `ltx_tr` and `ltx_td`, because a
`table` cannot stand in a line of text. Web components write `div` elements with the roles `table`, `row` and `cell`.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.dom.tree import Tree
from duramen.structure.data_tables import MAX_SPAN, DataTable

_TABLE_TAGS: Final = ("div", "span")
_LATEXML_CLASS: Final = "ltx_tabular"
_ARIA_TABLES: Final = frozenset(("table", "grid"))
_ROW: Final = 1
_CELL: Final = 2
_HEADER_CELL: Final = 3
_KIND_OF_ROLE: Final = {
    "row": _ROW,
    "cell": _CELL,
    "gridcell": _CELL,
    "columnheader": _HEADER_CELL,
    "rowheader": _HEADER_CELL,
}
_LATEXML_SPAN = re.compile(r"\bltx_(col|row)span_(\d{1,3})\b")
_MIN_CELLS: Final = 2


def find_marked_tables(tree: Tree, within: range | None = None) -> dict[int, DataTable]:
    """Return the tables of a page that are no `table` element, by their element.

    A table inside another one is part of it.
    """
    nodes = sorted(node for tag in _TABLE_TAGS for node in tree.find_all(tag, within))
    candidates = {node for node, _ in tree.attribute_values_containing(_LATEXML_CLASS, "class", nodes)}
    roles = tree.attribute_values("role", nodes)
    candidates.update(node for node, role in zip(nodes, roles, strict=True) if role and role.lower() in _ARIA_TABLES)
    tables: dict[int, DataTable] = {}
    end = 0
    for node in sorted(candidates):
        if node < end:
            continue
        table = _read_table(tree, node)
        if table is not None:
            tables[node] = table
            end = tree.end[node]
    return tables


def find_marked_spans(tree: Tree, table: DataTable) -> dict[int, tuple[int, int]]:
    """Return columns and rows of the cells that span more than one place."""
    spans = {}
    for cell in (cell for row in table.rows for cell in row):
        attributes = tree.attributes[cell]
        sizes = dict(_LATEXML_SPAN.findall(attributes.get("class") or ""))
        columns, rows = (
            int(value) if value.isascii() and value.isdigit() and len(value) < 5 else 1
            for value in (
                sizes.get("col") or attributes.get("aria-colspan") or "",
                sizes.get("row") or attributes.get("aria-rowspan") or "",
            )
        )
        if (columns, rows) != (1, 1):
            spans[cell] = (min(max(columns, 1), MAX_SPAN), min(max(rows, 1), MAX_SPAN))
    return spans


def _read_table(tree: Tree, table: int) -> DataTable | None:
    """Return the rows of a table; None if it has no row of several cells."""
    is_latexml = _LATEXML_CLASS in (tree.attributes[table].get("class") or "")
    rows: list[list[int]] = []
    headers: set[int] = set()
    node, stop = table + 1, tree.end[table]
    row_end = 0
    while node < stop:
        kind = _find_kind(tree, node, is_latexml=is_latexml)
        if kind == _ROW:
            rows.append([])
            row_end = tree.end[node]
        elif kind and node < row_end:
            rows[-1].append(node)
            if kind == _HEADER_CELL:
                headers.add(node)
            node = tree.end[node]
            continue
        node += 1
    rows = [row for row in rows if row]
    if max(map(len, rows), default=0) < _MIN_CELLS:
        return None
    header_rows = next((at for at, row in enumerate(rows) if not headers.issuperset(row)), len(rows))
    return DataTable(table, [], rows, header_rows, frozenset(headers))


def _find_kind(tree: Tree, node: int, *, is_latexml: bool) -> int:
    attributes = tree.attributes[node]
    if not attributes:
        return 0
    if not is_latexml:
        return _KIND_OF_ROLE.get((attributes.get("role") or "").lower(), 0)
    names = (attributes.get("class") or "").split()
    if "ltx_td" in names:
        return _HEADER_CELL if "ltx_th" in names else _CELL
    return _ROW if "ltx_tr" in names else 0
