"""Microdata and RDFa: items and properties that attributes of the body declare.

An element with `itemscope` or `typeof` is an item. A property (`itemprop`, `property`) belongs to the nearest item
around it, or to the item that refers to an element around it with `itemref`. There are three readers:

    read_microdata        claims about authors and dates, for scoring; the comments and reviews of others are left out
    read_items            whole items in the form of JSON-LD, for the other fields (`body_markup.py`)
    select_meta_of_page   the `<meta itemprop>` elements that describe the page, not an item inside it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from duramen.dom.images import find_image_url
from duramen.dom.text import clean_text, read_clean_text
from duramen.dom.tree import TEXT, Attributes, Tree
from duramen.dom.tree_queries import NamedValue, find_ancestors
from duramen.metadata.model import NO_NODE, ORGANIZATION, PERSON, Claim, Claims, new_claims
from duramen.metadata.sources.body import ITEM_FLAG, Body
from duramen.metadata.sources.json_ld import PROPERTY_NAMES, SchemaThing, classify_type, find_things

MICRODATA: Final = "microdata"
RDFA: Final = "rdfa"

_FOREIGN_TYPES: Final = ("comment", "review", "rating", "answer", "offer", "product", "event")
_FOREIGN_PROPERTIES: Final = ("comment", "review")


def is_item(attributes: Attributes) -> bool:
    """Return whether an element is an item."""
    return "itemscope" in attributes or "typeof" in attributes


def read_types(attributes: Attributes) -> list[str]:
    """Return the types of an item without their vocabularies: "https://schema.org/Article", "sioc:Post"."""
    types = attributes.get("itemtype") or attributes.get("typeof") or ""
    return [name.rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2] for name in types.split()]


def is_foreign_item(attributes: Attributes) -> bool:
    """Return whether an item is a comment, a review or a product, by its type or as a property of another item."""
    type_name = (read_types(attributes) or [""])[-1].lower()
    if type_name.endswith("article"):
        return False
    properties = (attributes.get("itemprop") or attributes.get("property") or "").lower()
    return any(word in type_name for word in _FOREIGN_TYPES) or any(word in properties for word in _FOREIGN_PROPERTIES)


# Claims about authors and dates

_CLAIM_FIELDS: Final = {
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
_TYPES_WITH_OWN_DATES: Final = frozenset("person organization newsmediaorganization imageobject".split())
"""The dates of such items are not the dates of the page."""
_MAX_CLAIM_CHARS: Final = 200
_MAX_AUTHOR_NODES: Final = 60
"""Nodes of an author's element that are searched for the name."""


def read_microdata(body: Body) -> Claims:
    """Read the claims of microdata and RDFa about authors and dates."""
    claims = new_claims()
    tree = body.tree
    open_items: list[tuple[int, str, bool]] = []  # end, type, is foreign
    author_end = 0  # the end of the last author, whose inner elements are not authors again
    nodes = body.own_flagged(ITEM_FLAG)
    for node, attributes in zip(nodes, tree.read_attributes(nodes), strict=True):
        while open_items and open_items[-1][0] <= node:
            open_items.pop()
        _, item_type, is_foreign = open_items[-1] if open_items else (0, "", False)
        properties = attributes.get("itemprop")
        source = MICRODATA if properties else RDFA
        if is_item(attributes):
            own_type = (read_types(attributes) or [""])[-1].lower()
            is_page = node <= body.headline < tree.end[node] and not open_items
            is_own_foreign = is_foreign or (not is_page and is_foreign_item(attributes))
            open_items.append((tree.end[node], own_type, is_own_foreign))
        if is_foreign:
            continue
        for name in (properties or attributes.get("property") or "").lower().split():
            claimed_field = _CLAIM_FIELDS.get(name.rpartition("/")[2].rpartition(":")[2])
            if claimed_field == "author":
                if node >= author_end:
                    author_end = tree.end[node]
                    if (claim := _author_claim(tree, node, attributes, source)).value:
                        claims["author"].append(claim)
            elif claimed_field and item_type not in _TYPES_WITH_OWN_DATES:
                if value := _read_claim_value(tree, node, attributes):
                    claims[claimed_field].append(Claim(value, source, item_type, node))
    return claims


def _author_claim(tree: Tree, node: int, attributes: Attributes, source: str) -> Claim:
    """Return the author that an element names, by the `name` property inside it, else by its text."""
    types = (attributes.get("itemtype") or attributes.get("typeof") or "").lower()
    author_kind = PERSON if "person" in types else ORGANIZATION if "organi" in types else None
    for inner in range(node + 1, min(tree.end[node], node + _MAX_AUTHOR_NODES)):
        inner_attributes = tree.attributes[inner]
        names = (inner_attributes.get("itemprop") or inner_attributes.get("property") or "").lower().split()
        if "name" in names or "schema:name" in names:
            if value := _read_claim_value(tree, inner, inner_attributes):
                return Claim(value, source, "name", inner, is_name=True, author_kind=author_kind)
    return Claim(_read_claim_value(tree, node, attributes), source, "", node, author_kind=author_kind)


def _read_claim_value(tree: Tree, node: int, attributes: Attributes) -> str:
    value = attributes.get("content") or attributes.get("datetime")
    return clean_text(value) if value else read_clean_text(tree, node, _MAX_CLAIM_CHARS)


# Whole items, in the form of JSON-LD

_MAX_ELEMENTS: Final = 5000
"""Items and properties that are read: no ordinary page has more."""
_MAX_VALUES: Final = 100
"""Values of one property of one item."""
_MAX_LINK_NODES: Final = 300
"""Nodes of an element that are searched for links."""
_MAX_PICTURE_NODES: Final = 8
_PROPERTIES: Final = {name.lower(): name for name in PROPERTY_NAMES if name[0] != "@"} | {"contenturl": "url"}
_DUBLIN_CORE_PROPERTIES: Final = {"title": "headline", "subject": "keywords", "rights": "license"}
_RDFA_PREFIXES: Final = frozenset(("", "schema", "dc", "dct", "dcterms", "cc"))
_RDFA_VOCABULARIES: Final = ("schema.org/", "purl.org/dc/", "creativecommons.org/ns#")
_URL_PROPERTIES: Final = frozenset("url image thumbnailUrl primaryImageOfPage license mainEntityOfPage".split())
_VALUE_ATTRIBUTES: Final = {"time": "datetime", "data": "value", "abbr": "title", "img": "alt"}
"""Attributes that hold the value of these elements, if they are there; other elements hold it as text."""
_OTHER_WORK_TYPES: Final = frozenset("Item Post BlogPost Document".split())
"""Types of SIOC and FOAF for written works."""
_SUBJECT_KINDS: Final = frozenset(("article", "forum", "product"))
"""Kinds of items that the page is about. Items inside them that are not their properties are only mentioned."""


@dataclass(slots=True)
class MarkupItem:
    """An item of microdata, RDFa or a microformat, with its properties under their schema.org names."""

    node: int
    source: str
    outer: MarkupItem | None = None
    """The item around it."""
    is_property: bool = False
    """True if it is a property of the outer item, or of one that refers to it."""
    data: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, value: str | dict[str, Any]) -> None:
        """Add a value of a property. As in JSON-LD, several values are a list."""
        present = self.data.get(name)
        if present is None:
            if value != "":
                self.data[name] = value
        elif isinstance(present, list):
            present.append(value)
        else:
            self.data[name] = [present, value]

    def is_full(self, name: str) -> bool:
        """Return whether the maximum number of values of a property is reached."""
        present = self.data.get(name)
        return isinstance(present, list) and len(present) >= _MAX_VALUES

    @property
    def is_subject(self) -> bool:
        """True if items inside describe this item, not the page."""
        return self.is_property or any(classify_type(name) in _SUBJECT_KINDS for name in self.data.get("@type", []))

    @property
    def things(self) -> list[SchemaThing]:
        """The thing that this item is, and its main entities."""
        if "@type" not in self.data:
            return [SchemaThing("page", "", self.data, self.node)] if self.node == NO_NODE else []
        return find_things(self.data, self.node)


def read_items(tree: Tree, nodes: Sequence[int]) -> list[MarkupItem]:
    """Read the items that are not inside others, from elements in document order.

    RDFa properties outside of any item describe the page. An item inside a work or a product that is not one of its
    properties is only mentioned there, and is left out.
    """
    nodes = nodes[:_MAX_ELEMENTS]
    attributes_of = dict(zip(nodes, tree.read_attributes(nodes), strict=True))
    items = {node: _new_item(node, attributes) for node, attributes in attributes_of.items() if is_item(attributes)}
    referred = dict(_find_referred(tree, attributes_of, items))
    page = MarkupItem(NO_NODE, RDFA)
    open_items: list[tuple[int, MarkupItem]] = []  # end, item
    for node in sorted({*attributes_of, *referred}):
        while open_items and open_items[-1][0] <= node:
            open_items.pop()
        if node in referred:
            open_items.append((tree.end[node], referred[node]))
        attributes, item = attributes_of.get(node, {}), items.get(node)
        outer = open_items[-1][1] if open_items else None
        owner = outer or (page if attributes.get("property") and not attributes.get("itemprop") else None)
        names = _read_property_names(attributes)
        if owner and names:
            _add_property(tree, node, attributes, names, item, owner)
        if item is not None:
            item.outer = outer
            item.is_property = outer is not None and bool(attributes.get("itemprop") or attributes.get("property"))
            open_items.append((tree.end[node], item))
    for item in items.values():
        if "@type" not in item.data and "headline" in item.data:
            item.data["@type"] = ["CreativeWork"]
    if "headline" in page.data:
        page.data.setdefault("name", page.data["headline"])
    return [item for item in _drop_mentioned([*items.values(), page]) if item.data and not item.is_property]


def read_property_value(tree: Tree, node: int, attributes: Attributes, name: str) -> str:
    """Return the value that an element gives to a property of schema.org."""
    value = attributes.get("content")
    if value is None and name in _URL_PROPERTIES:
        value = attributes.get("href") or find_image_url(attributes, None) or attributes.get("resource")
        value = value or _find_only_image(tree, node)
    if value is None:
        value = attributes.get(_VALUE_ATTRIBUTES.get(tree.tag[node], ""))
    return read_clean_text(tree, node) if value is None else clean_text(value)


def _read_property_names(attributes: Attributes) -> list[str]:
    """Return the schema.org names of an element's properties, those that are needed."""
    if itemprop := attributes.get("itemprop"):
        names = [name.rpartition("/")[2].rpartition("#")[2].lower() for name in itemprop.split()]
        properties = [_PROPERTIES[name] for name in names if name in _PROPERTIES]
        if "articlebody" in names:  # the whole text is not a description
            properties = [name for name in properties if name != "description"]
        return properties
    if "about" in attributes and "typeof" not in attributes:  # it describes something else
        return []
    names = [_rdfa_local_name(name) for name in (attributes.get("property") or "").split()]
    properties = [_DUBLIN_CORE_PROPERTIES.get(name) or _PROPERTIES.get(name, "") for name in names]
    return [name for name in properties if name]


def _rdfa_local_name(name: str) -> str:
    """Return a property in lower case without its vocabulary, if that is a known one; else ''."""
    name = name.lower()
    for vocabulary in _RDFA_VOCABULARIES:
        if vocabulary in name:
            return name.rpartition(vocabulary)[2].rpartition("/")[2]
    prefix, _, local = name.rpartition(":")
    return local if prefix in _RDFA_PREFIXES else ""


def _find_only_image(tree: Tree, node: int) -> str | None:
    """Return the URL of the only image inside a small element."""
    inside = range(node + 1, min(tree.end[node], node + 1 + _MAX_PICTURE_NODES))
    images = [inner for inner in inside if tree.tag[inner] == "img"]
    return find_image_url(tree.attributes[images[0]], None) if len(images) == 1 else None


def _new_item(node: int, attributes: Attributes) -> MarkupItem:
    item = MarkupItem(node, MICRODATA if "itemscope" in attributes else RDFA)
    if types := ["CreativeWork" if name in _OTHER_WORK_TYPES else name for name in read_types(attributes)]:
        item.data["@type"] = types
    if url := attributes.get("itemid") or attributes.get("resource") or attributes.get("about"):
        item.data["@id"] = url
    return item


def _add_property(
    tree: Tree, node: int, attributes: Attributes, names: list[str], item: MarkupItem | None, owner: MarkupItem
) -> None:
    for name in names:
        if owner.is_full(name):
            continue
        if item is not None:
            owner.add(name, item.data)
        elif name == "keywords" and len(links := _find_links(tree, node)) > 1:  # no commas between them
            for link in links:
                owner.add(name, read_clean_text(tree, link))
        elif (value := read_property_value(tree, node, attributes, name)) and name == "publisher":
            owner.add(name, {"name": value})
        else:
            owner.add(name, value)


def _find_links(tree: Tree, node: int) -> list[int]:
    inside = range(node + 1, min(tree.end[node], node + _MAX_LINK_NODES))
    return [inner for inner in inside if tree.tag[inner] == "a"]


def _drop_mentioned(items: Sequence[MarkupItem]) -> list[MarkupItem]:
    """Drop the items that are inside a subject of the page, or inside a dropped item."""
    is_mentioned: dict[int, bool] = {}
    for item in items:
        path: list[MarkupItem] = []
        outer: MarkupItem | None = item
        while outer is not None and outer.node not in is_mentioned:
            is_mentioned[outer.node] = False  # items may refer to each other in a circle, which ends here
            path.append(outer)
            outer = outer.outer
        is_inside = outer is not None and (outer.is_subject or is_mentioned[outer.node])
        for each in reversed(path):
            is_mentioned[each.node] = is_inside
            is_inside = is_inside or each.is_subject
    return [item for item in items if not is_mentioned[item.node]]


def _find_referred(
    tree: Tree, attributes_of: dict[int, Attributes], items: dict[int, MarkupItem]
) -> Iterator[tuple[int, MarkupItem]]:
    """Find the elements that items refer to with `itemref`, each with the first item that does."""
    wanted: dict[str, MarkupItem] = {}
    for node, item in items.items():
        for element_id in (attributes_of[node].get("itemref") or "").split():
            wanted.setdefault(element_id, item)
    if not wanted:
        return
    elements = [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    for node, own_id in zip(elements, tree.attribute_values("id", elements), strict=True):
        referring = wanted.pop(own_id, None) if own_id else None
        if referring is not None and not node <= referring.node < tree.end[node]:
            yield node, referring


# `<meta itemprop>` elements

_MAIN_ENTITY_PROPERTIES: Final = frozenset(("mainentity", "mainentityofpage"))
_SECONDARY_TYPES: Final = frozenset(("Review", "Product"))
"""Types that are often on a page without being its subject."""
_CONTAINER_TYPES: Final = frozenset(("Blog", "CollectionPage"))
_PAGE_SCOPE: Final = 0
_FOREIGN_SCOPE: Final = -1


def select_meta_of_page(tree: Tree, elements: list[NamedValue]) -> list[NamedValue]:
    """Select the `<meta>` elements, in document order, that describe the page.

    A `<meta itemprop>` in the body describes the item around it. The description of a person or the date of a comment
    is not the page's, nor is any property of several works in a list.
    """
    nodes = [node for node, _, _ in elements if node > tree.body]
    in_items = [node for node, name in zip(nodes, tree.attribute_values("itemprop", nodes), strict=True) if name]
    if not in_items:
        return elements
    scopes = _find_scopes(tree, in_items)
    works = {scopes[node] for node in in_items} - {_PAGE_SCOPE, _FOREIGN_SCOPE}
    dropped = {
        node for node in in_items if scopes[node] == _FOREIGN_SCOPE or (scopes[node] != _PAGE_SCOPE and len(works) > 1)
    }
    return [element for element in elements if element[0] not in dropped]


def _find_scopes(tree: Tree, nodes: list[int]) -> dict[int, int]:
    """Return what each element describes: the node of an item, the page, or a foreign item."""
    parents = tree.parent
    ancestors = find_ancestors(tree, nodes)
    types, names = tree.attribute_values("itemtype", ancestors), tree.attribute_values("itemprop", ancestors)
    scopes = {tree.body: _PAGE_SCOPE}
    for node, itemtype, itemprop in zip(ancestors, types, names, strict=True):
        outer = scopes.get(parents[node], _PAGE_SCOPE)
        has_scope = bool(itemtype) or (bool(itemprop) and "itemscope" in tree.attributes[node])
        scopes[node] = _scope_of_item(node, itemtype or "", itemprop or "", outer) if has_scope else outer
    return scopes | {node: scopes.get(parents[node], _PAGE_SCOPE) for node in nodes}


def _scope_of_item(node: int, itemtype: str, itemprop: str, outer: int) -> int:
    if outer < 0 or (outer and itemprop):  # a property of another item, unless it is that item's main entity
        is_main = outer > 0 and not _MAIN_ENTITY_PROPERTIES.isdisjoint(itemprop.lower().split())
        return node if is_main else _FOREIGN_SCOPE
    types = [name.rstrip("/").rpartition("/")[2] for name in itemtype.split()]
    if not _SECONDARY_TYPES.isdisjoint(types):
        return _FOREIGN_SCOPE
    kinds = {classify_type(name) for name in types if name not in _CONTAINER_TYPES}
    if not kinds or kinds & {"page", "site"}:
        return _PAGE_SCOPE
    return node if kinds - {""} else _FOREIGN_SCOPE
