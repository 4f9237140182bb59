"""Links that say how they are meant: `rel=tag`, `rel="category tag"`, `rel=license`."""

from __future__ import annotations

from typing import Final

from duramen.dom.tree import Tree
from duramen.metadata.claims import Claim, Claims
from duramen.metadata.head import Head
from duramen.metadata.strings import text_of, tidy

REL: Final = "rel"

_LONGEST: Final = 80


def read_relations(head: Head) -> Claims:
    """What the links of the body claim."""
    claims: Claims = {"tag": [], "category": [], "licence": []}
    tree = head.tree
    for node, rel, href in head.related("a"):
        relations = rel.lower().split()
        if "tag" in relations:
            text = text_of(tree, node, _LONGEST + 1).lstrip("#")
            if 0 < len(text) <= _LONGEST:
                claims["category" if "category" in relations else "tag"].append(_claim(text, node))
        if "license" in relations and not _is_in_figure(tree, node):  # which has a licence of its own
            claims["licence"].append(_claim(tidy(href), node))
    return claims


def _is_in_figure(tree: Tree, node: int) -> bool:
    return any(tree.tag[above] == "figure" for above in tree.ancestors(node))


def _claim(value: str, node: int) -> Claim:
    return Claim(value, REL, "", node, False, None, None)
