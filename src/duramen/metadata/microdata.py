"""Microdata and RDFa on the authors and the dates of what readers see: `itemprop` and `property`.

A property belongs to the nearest item around it (`itemscope`, `typeof`). The name of a person counts as an author's
if that item is one; the dates of a comment or of a product's review are not the page's. What they say on other fields
is read from whole items (`items.py`).
"""

from __future__ import annotations

from typing import Final

from duramen.dom.tree import Attributes, Tree
from duramen.metadata.body import Body
from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.items import MICRODATA, RDFA, is_item, is_others, types_of
from duramen.metadata.marks import ITEM
from duramen.metadata.strings import text_of, tidy

_FIELDS: Final = {
    "author": "author",
    "creator": "author",
    "datepublished": "published",
    "datecreated": "published",
    "uploaddate": "published",
    "published_time": "published",
    "issued": "published",
    "created": "published",
    "date": "published",
    "datemodified": "modified",
    "modified": "modified",
}
_UNDATED: Final = frozenset("person organization newsmediaorganization imageobject".split())
"""Items whose dates are not those of the work that they are a part of."""
_LONGEST: Final = 200


def read_microdata(body: Body) -> Claims:
    """What microdata and RDFa claim."""
    claims = no_claims()
    tree = body.tree
    scopes: list[tuple[int, str, bool]] = []  # the items that are open: where they end, their type, are they others'
    named_until = 0  # the end of an author whose name has been read
    nodes = body.own(body.marks.telling(ITEM))
    for node, own in zip(nodes, tree.read_attributes(nodes), strict=True):
        while scopes and scopes[-1][0] <= node:
            scopes.pop()
        _, of, is_left_out = scopes[-1] if scopes else (0, "", False)
        said = own.get("itemprop")
        source = MICRODATA if said else RDFA
        names = [_local(name) for name in (said or own.get("property") or "").lower().split()]
        if is_item(own):
            of_this = (types_of(own) or [""])[-1].lower()
            is_page = node <= body.headline < tree.end[node] and not scopes
            scopes.append((tree.end[node], of_this, is_left_out or (not is_page and is_others(own))))
        if is_left_out:
            continue
        for name in names:
            field = _FIELDS.get(name)
            if field is None:
                continue
            if field == "author":
                if node >= named_until:
                    claims[field] += [claim] if (claim := _author(tree, node, own, source)).value else []
                    named_until = tree.end[node]
                continue
            if of not in _UNDATED and (value := _value(tree, node, own)):
                claims[field].append(Claim(value, source, of, node))
    return claims


def _local(name: str) -> str:
    return name.rpartition("/")[2].rpartition(":")[2]


def _author(tree: Tree, node: int, own: Attributes, source: str) -> Claim:
    """The author that an element names: by the `name` inside it, else by its text."""
    kind = (own.get("itemtype") or own.get("typeof") or "").lower()
    told = "person" if "person" in kind else "organisation" if "organi" in kind else None
    for inner in range(node + 1, min(tree.end[node], node + 60)):
        attributes = tree.attributes[inner]
        names = (attributes.get("itemprop") or attributes.get("property") or "").lower().split()
        if "name" in names or "schema:name" in names:
            if value := _value(tree, inner, attributes):
                return Claim(value, source, "name", inner, is_name=True, kind=told)
    return Claim(_value(tree, node, own), source, "", node, kind=told)


def _value(tree: Tree, node: int, own: Attributes) -> str:
    said = own.get("content") or own.get("datetime")
    return tidy(said) if said else text_of(tree, node, _LONGEST)
