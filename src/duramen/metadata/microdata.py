"""Microdata and RDFa: `itemprop` and `property` on the elements that readers see.

A property belongs to the nearest item around it (`itemscope`, `typeof`). The name of a person counts as an author's
if that item is one; the dates of a comment or of a product's review are not the page's.
"""

from __future__ import annotations

from typing import Final

from duramen.metadata.body import Body
from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.marks import ITEM
from duramen.metadata.strings import text_of, tidy
from duramen.tree import Attributes, Tree

MICRODATA: Final = "microdata"
RDFA: Final = "rdfa"

_FIELDS: Final = {
    "headline": "title",
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
    "keywords": "tag",
    "articlesection": "category",
    "license": "licence",
    "rights": "licence",
    "inlanguage": "language",
    "section": "category",
}
_OF_OTHERS: Final = ("comment", "review", "rating", "answer", "offer", "product")
_LONGEST: Final = 200


def read_microdata(body: Body) -> Claims:
    """What microdata and RDFa claim."""
    claims = no_claims()
    tree = body.tree
    scopes: list[tuple[int, str]] = []  # the items that are open: where they end, and their type
    named_until = 0  # the end of an author whose name has been read
    nodes = body.own(body.marks.telling(ITEM))
    for node, own in zip(nodes, tree.attributes_of(nodes), strict=True):
        while scopes and scopes[-1][0] <= node:
            scopes.pop()
        of = scopes[-1][1] if scopes else ""
        if "itemscope" in own or "typeof" in own:
            of_this = (own.get("itemtype") or own.get("typeof") or "").rstrip("/").rpartition("/")[2].rpartition(":")[2]
            scopes.append((tree.end[node], of_this.lower()))
        said = own.get("itemprop")
        source = MICRODATA if said else RDFA
        said = said or own.get("property")
        if not said or any(other in of for other in _OF_OTHERS):
            continue
        for name in said.lower().split():
            field = _FIELDS.get(name.rpartition("/")[2].rpartition(":")[2])
            if field is None:
                continue
            if field == "author":
                if node >= named_until:
                    claims[field] += [_author(tree, node, own, source)]
                    named_until = tree.end[node]
                continue
            if value := _value(tree, node, own):
                claims[field].append(Claim(value, source, of, node))
    for claim in list(claims["author"]):
        if not claim.value:
            claims["author"].remove(claim)
    return claims


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
