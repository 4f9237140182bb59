"""How far up elements lend their markup to what is kept in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.dom.tree import Tree
from duramen.output import elements
from duramen.output.elements import BLOCK_TAGS, ROLES

_LENDERS: Final = frozenset(
    (elements.ITEM, elements.QUOTE, elements.TERM, elements.DEFINITION, elements.CAPTION, elements.LEGEND)
)
_AROUND_LENDERS: Final = frozenset(("ul", "ol", "menu", "dir", "dl", "figure"))
_STOPS: Final = BLOCK_TAGS - {"p"}
_TABLE_PARTS: Final = frozenset(("tr", "tbody", "thead", "tfoot"))


def outermost_lender(tree: Tree, spans: Sequence[range]) -> int:
    """The outermost element that lends its markup to the kept nodes.

    That is the lowest one that holds them all, with the inline elements around it; or, where they stand right in an
    item, a quote or their like, that and its list; or the table around rows; or the `pre` that everything is in.
    Higher up, a list or a table is as likely the page's layout as its content. (A paragraph or a heading needs no
    opening: see `blocks.py`.)
    """
    tags, parents = tree.tag, tree.parent
    lowest = tree.common_ancestor(spans[0].start, spans[-1].stop - 1)
    for ancestor in tree.ancestors(lowest):
        if tags[ancestor] == "pre":
            return ancestor
    node = lowest
    if tags[node] in _TABLE_PARTS:
        while node > 0 and tags[node] != "table":
            node = parents[node]
        return node if tags[node] == "table" else lowest
    root = lowest
    while node > 0 and tags[node] not in _STOPS:
        root = node
        node = parents[node]
    if ROLES.get(tags[node], 0) not in _LENDERS:
        return root
    return parents[node] if tags[parents[node]] in _AROUND_LENDERS else node
