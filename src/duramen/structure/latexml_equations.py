"""Join the parts of the equations of LaTeXML.

An equation is a table with the formula in several cells and its number in another one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.structure.tex_source import join_tex

_GROUP_CLASS: Final = "ltx_equationgroup"
_CLASSES: Final = frozenset(("ltx_equation", _GROUP_CLASS, "ltx_eqn_table"))
_NUMBER_CLASS: Final = "ltx_tag"


def join_equations(tree: Tree, marked: Sequence[int], sources: Mapping[int, str]) -> dict[int, str]:
    """Return the TeX of the equations in the marked tables, by their elements.

    `sources` has the TeX of the formulas in the cells.
    """
    found = sorted(sources)
    table_rows = tree.find_all("tr")
    joined: dict[int, str] = {}
    stop = 0
    for table in marked:
        if table < stop or tree.tag[table] not in ("table", "div"):
            continue
        classes = _read_classes(tree, table)
        if classes.isdisjoint(_CLASSES):
            continue
        stop = tree.end[table]
        rows = [table]
        if _GROUP_CLASS in classes:
            rows = table_rows[bisect_left(table_rows, table) : bisect_left(table_rows, stop)]
        for row in rows:
            if tex := _join_equation(tree, row, sources, found):
                joined[row] = tex
    return joined


def _join_equation(tree: Tree, row: int, sources: Mapping[int, str], found: Sequence[int]) -> str:
    """Return the TeX of one equation, with its number; "" without a formula."""
    pieces = []
    number = ""
    has_formula = False
    index = bisect_left(found, row)
    at = row + 1
    while at < tree.end[row]:
        while index < len(found) and found[index] < at:
            index += 1
        if index < len(found) and found[index] == at:
            pieces.append(sources[at])
            has_formula = True
            at = tree.end[at]
            continue
        tag = tree.tag[at]
        if tag == TEXT:
            if text := " ".join(tree.text[at].split()):
                pieces.append(f"\\text{{ {text} }}")
        elif tag == "span" and _NUMBER_CLASS in _read_classes(tree, at):
            number = "".join(tree.text[at + 1 : tree.end[at]]).strip()
            at = tree.end[at]
            continue
        at += 1
    if not has_formula:
        return ""
    tex = join_tex(pieces)
    number = number.removeprefix("(").removesuffix(")")
    if number and not set("\\{}$") & set(number) and "\\tag" not in tex:
        tex += f" \\tag{{{number}}}"
    return tex


def _read_classes(tree: Tree, node: int) -> frozenset[str]:
    return frozenset((tree.attributes[node].get("class") or "").split())
