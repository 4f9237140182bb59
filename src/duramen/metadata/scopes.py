"""Which `<meta itemprop=…>` speak of the page: those in the body belong to the item around them (see `items.py`).

A person's description and a comment's date are not the page's, nor is anything of the several works on a list.
"""

from __future__ import annotations

from typing import Final

from duramen.dom.lexbor import Remark
from duramen.dom.tree import Tree
from duramen.metadata.json_ld import kind_of

_MAIN: Final = frozenset(("mainentity", "mainentityofpage"))
_OTHERS: Final = frozenset(("Review", "Product"))
"""Kinds of works and wares that pages hold besides what they are about."""
_NOT_OTHERS: Final = frozenset(("Blog", "CollectionPage"))


def of_page(tree: Tree, told: list[Remark]) -> list[Remark]:
    """Of what `<meta>` elements say, in order, that which is said of the page."""
    nodes = [node for node, _, _ in told if node > tree.body]
    inside = [node for node, said in zip(nodes, tree.attribute_values("itemprop", nodes), strict=True) if said]
    if not inside:
        return told
    scopes = _scopes(tree, inside)
    works = {scopes[node] for node in inside} - {0, -1}
    left_out = {node for node in inside if scopes[node] < 0 or (scopes[node] and len(works) > 1)}
    return [one for one in told if one[0] not in left_out] if left_out else told


def _scopes(tree: Tree, nodes: list[int]) -> dict[int, int]:
    """Of each element the item that it is said of, by its node: 0 for the page, −1 for something that is part of it."""
    parents, body = tree.parent, tree.body
    above_all = tree.ancestors_of_all(nodes)
    types, names = tree.attribute_values("itemtype", above_all), tree.attribute_values("itemprop", above_all)
    found = {body: 0}
    for node, of, name in zip(above_all, types, names, strict=True):
        outer = found.get(parents[node], 0)
        is_scope = bool(of) or (bool(name) and "itemscope" in tree.attributes[node])
        found[node] = _scope(node, of or "", name or "", outer) if is_scope else outer
    return found | {node: found.get(parents[node], 0) for node in nodes}


def _scope(node: int, of: str, name: str, outer: int) -> int:
    if outer < 0 or (outer and name):  # a property of another item, unless that says it is the page's own
        return node if outer > 0 and not _MAIN.isdisjoint(name.lower().split()) else -1
    types = [one.rstrip("/").rpartition("/")[2] for one in of.split()]
    kinds = {kind_of(one) for one in types if one not in _NOT_OTHERS}
    if not _OTHERS.isdisjoint(types):
        return -1
    return 0 if not kinds or kinds & {"page", "site"} else node if kinds - {""} else -1
