"""Links that say how they are meant: `rel=tag`, `rel="category tag"`, `rel=license`."""

from __future__ import annotations

from typing import Final

from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.strings import text_of, tidy
from duramen.metadata.tags import places
from duramen.tree import Tree

REL: Final = "rel"

_LONGEST: Final = 80


def read_relations(tree: Tree) -> Claims:
    """What the links of the body claim."""
    claims = no_claims()
    nodes = places(tree.tag, "a")
    for node, rel in zip(nodes, tree.values_of("rel", nodes), strict=True):
        if not rel:
            continue
        relations = rel.lower().split()
        if "tag" in relations:
            text = text_of(tree, node, _LONGEST + 1).lstrip("#")
            if 0 < len(text) <= _LONGEST:
                claims["category" if "category" in relations else "tag"].append(Claim(text, REL, "", node))
        if "license" in relations and (address := tree.attributes[node].get("href")):
            claims["licence"].append(Claim(tidy(address), REL, "", node))
    return claims
