"""The items of microdata and RDFa, in the shape that JSON-LD has, so that what is known of the one serves the other.

An element with `itemscope` or `typeof` is an item. A property belongs to the nearest item around it, or to the item
that names an element around it in its `itemref`; a property that is an item has that as its value. What RDFa says
outside of any item it says of the page. An item inside a work or a product that is none of its properties is only
mentioned there, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from duramen.dom.tree import TEXT, Attributes, Tree
from duramen.metadata.claims import NOWHERE
from duramen.metadata.json_ld import ASKED, Thing, kind_of, things_in
from duramen.metadata.strings import text_of, tidy

MICRODATA: Final = "microdata"
RDFA: Final = "rdfa"

_MOST: Final = 5000
"""Items and properties that are read: no honest page has more."""
_MOST_VALUES: Final = 100
"""Of one property of one item."""
_MOST_INSIDE: Final = 300
"""Nodes of an element that are looked at for links."""
_NAMES: Final = {name.lower(): name for name in ASKED if name[0] != "@"} | {"contenturl": "url"}
_OF_RDFA: Final = {"title": "headline", "subject": "keywords", "rights": "license"}
"""What Dublin Core calls them."""
_PREFIXES: Final = frozenset(("", "schema", "dc", "dct", "dcterms", "cc"))
_VOCABULARIES: Final = ("schema.org/", "purl.org/dc/", "creativecommons.org/ns#")
_ADDRESSES: Final = frozenset("url image thumbnailUrl primaryImageOfPage license mainEntityOfPage".split())
_SAYING: Final = {"time": "datetime", "data": "value", "abbr": "title", "img": "alt"}
"""The attributes of elements that say, where they are there, what others say by their text."""
_WORKS: Final = frozenset("Item Post BlogPost Document".split())
"""Types of SIOC and FOAF, which are not schema.org's."""
_OF_OTHERS: Final = ("comment", "review", "rating", "answer", "offer", "product", "event")
_BY_OTHERS: Final = ("comment", "review")
_CLOSED: Final = frozenset(("article", "forum", "product"))
"""Kinds of items that are what the page is about: others inside them are only mentioned."""


@dataclass(slots=True)
class Item:
    """An item, its properties by the names of schema.org."""

    node: int
    source: str
    outer: Item | None = None
    """The item around it."""
    is_property: bool = False
    """Whether it is a property of that, or of one that refers to it."""
    data: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, value: str | dict[str, Any]) -> None:
        """Give it one more value of a property: as in JSON-LD, several are a list."""
        known = self.data.get(name)
        if known is None:
            if value != "":
                self.data[name] = value
        elif isinstance(known, list):
            known.append(value)
        else:
            self.data[name] = [known, value]

    def has_many(self, name: str) -> bool:
        """Whether it has as many values of a property as are read."""
        known = self.data.get(name)
        return isinstance(known, list) and len(known) >= _MOST_VALUES

    @property
    def is_closed(self) -> bool:
        """Whether what stands in it is said of it, and not of the page."""
        return self.is_property or any(kind_of(name) in _CLOSED for name in self.data.get("@type", []))

    @property
    def things(self) -> list[Thing]:
        """The thing that it is, and what stands in for it: its main entity."""
        if "@type" not in self.data:
            return [Thing("page", "", self.data, self.node)] if self.node == NOWHERE else []
        return things_in(self.data, self.node)


def read_items(tree: Tree, nodes: Sequence[int]) -> list[Item]:
    """The items at the top, of elements that are in order."""
    marked = list(zip(nodes[:_MOST], tree.read_attributes(nodes[:_MOST]), strict=True))
    items = {node: _item(node, own) for node, own in marked if is_item(own)}
    referred = dict(_referred(tree, marked, items))
    told = dict(marked)
    page = Item(NOWHERE, RDFA)
    around: list[tuple[int, Item]] = []  # the items that are open, and where they end
    for node in sorted({*told, *referred}):
        while around and around[-1][0] <= node:
            around.pop()
        if node in referred:
            around.append((tree.end[node], referred[node]))
        own, item = told.get(node, {}), items.get(node)
        outer = around[-1][1] if around else None
        holder = outer or (page if own.get("property") and not own.get("itemprop") else None)
        names = names_of(own)
        if holder and names:
            _add(tree, node, own, names, item, holder)
        if item is not None:
            item.outer = outer
            item.is_property = outer is not None and bool(own.get("itemprop") or own.get("property"))
            around.append((tree.end[node], item))
    for item in items.values():
        if "@type" not in item.data and "headline" in item.data:
            item.data["@type"] = ["CreativeWork"]
    if "headline" in page.data:
        page.data.setdefault("name", page.data["headline"])
    return [item for item in _unmentioned([*items.values(), page]) if item.data and not item.is_property]


def is_item(own: Attributes) -> bool:
    """Whether an element is an item."""
    return "itemscope" in own or "typeof" in own


def is_others(own: Attributes) -> bool:
    """Whether an item is by its type, or as what it is held, what somebody else wrote, or a ware."""
    of = (types_of(own) or [""])[-1].lower()
    if of.endswith("article"):
        return False
    names = (own.get("itemprop") or own.get("property") or "").lower()
    return _names_one(of, _OF_OTHERS) or _names_one(names, _BY_OTHERS)


def _names_one(said: str, words: tuple[str, ...]) -> bool:
    return any(word in said for word in words)


def types_of(own: Attributes) -> list[str]:
    """The types of an item, without where they come from: "https://schema.org/Article", "sioc:Post"."""
    said = own.get("itemtype") or own.get("typeof") or ""
    return [name.rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2] for name in said.split()]


def names_of(own: Attributes) -> list[str]:
    """What an element's properties are called in schema.org, those that are asked for."""
    if said := own.get("itemprop"):
        names = [name.rpartition("/")[2].rpartition("#")[2].lower() for name in said.split()]
        found = [_NAMES[name] for name in names if name in _NAMES]
        return found if "articlebody" not in names else [name for name in found if name != "description"]  # all of it
    if "about" in own and "typeof" not in own:  # it is said of something else
        return []
    local = [name for one in (own.get("property") or "").split() if (name := _of_known_vocabulary(one))]
    return [known for name in local if (known := _OF_RDFA.get(name) or _NAMES.get(name))]


def value_of(tree: Tree, node: int, own: Attributes, name: str) -> str:
    """What an element says as the value of a property."""
    said = own.get("content")
    if said is None and name in _ADDRESSES:
        said = own.get("href") or _source(own) or own.get("resource") or _picture_in(tree, node)
    if said is None:
        said = own.get(_SAYING.get(tree.tag[node], ""))
    return text_of(tree, node) if said is None else tidy(said)


def _source(own: Attributes) -> str | None:
    """The address of a picture; one that is fetched late has another in its place."""
    said = own.get("src")
    return own.get("data-src") or said if said is None or said.startswith("data:") else said


def _picture_in(tree: Tree, node: int) -> str | None:
    """The address of the only image in an element that has no other words."""
    inside = [inner for inner in range(node + 1, min(tree.end[node], node + 9)) if tree.tag[inner] != TEXT]
    pictures = [inner for inner in inside if tree.tag[inner] == "img"]
    return _source(tree.attributes[pictures[0]]) if len(pictures) == 1 else None


def _of_known_vocabulary(name: str) -> str:
    """A property's own name in lower case, if it is one of a vocabulary that is read; else ''."""
    name = name.lower()
    for vocabulary in _VOCABULARIES:
        if vocabulary in name:
            return name.rpartition(vocabulary)[2].rpartition("/")[2]
    prefix, _, local = name.rpartition(":")
    return local if prefix in _PREFIXES else ""


def _item(node: int, own: Attributes) -> Item:
    found = Item(node, MICRODATA if "itemscope" in own else RDFA)
    if types := ["CreativeWork" if name in _WORKS else name for name in types_of(own)]:
        found.data["@type"] = types
    if address := own.get("itemid") or own.get("resource") or own.get("about"):
        found.data["@id"] = address
    return found


def _add(tree: Tree, node: int, own: Attributes, names: list[str], item: Item | None, holder: Item) -> None:
    for name in names:
        if holder.has_many(name):
            continue
        if item is not None:
            holder.add(name, item.data)
        elif name == "keywords" and len(links := _links_in(tree, node)) > 1:  # nothing else parts them
            for link in links:
                holder.add(name, text_of(tree, link))
        elif (value := value_of(tree, node, own, name)) and name == "publisher":
            holder.add(name, {"name": value})
        else:
            holder.add(name, value)


def _links_in(tree: Tree, node: int) -> list[int]:
    inside = range(node + 1, min(tree.end[node], node + _MOST_INSIDE))
    return [inner for inner in inside if tree.tag[inner] == "a"]


def _unmentioned(items: Sequence[Item]) -> list[Item]:
    """The items that stand in no other that is what the page is about, nor in one that is left out for that."""
    mentioned: dict[int, bool] = {}
    for item in items:
        way: list[Item] = []
        outer: Item | None = item
        while outer is not None and outer.node not in mentioned:
            mentioned[outer.node] = False  # references may lead round in a ring: it ends where it began
            way.append(outer)
            outer = outer.outer
        is_inside = outer is not None and (outer.is_closed or mentioned[outer.node])
        for each in reversed(way):
            mentioned[each.node] = is_inside
            is_inside = is_inside or each.is_closed
    return [item for item in items if not mentioned[item.node]]


def _referred(
    tree: Tree, marked: Sequence[tuple[int, Attributes]], items: dict[int, Item]
) -> Iterator[tuple[int, Item]]:
    """The elements that items refer to, each with the first that does."""
    wanted: dict[str, Item] = {}
    for node, own in marked:
        for referred in (own.get("itemref") or "").split() if node in items else ():
            wanted.setdefault(referred, items[node])
    if not wanted:
        return
    elements = [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    for node, name in zip(elements, tree.attribute_values("id", elements), strict=True):
        item = wanted.pop(name, None) if name else None
        if item is not None and not node <= item.node < tree.end[node]:
            yield node, item
