"""The entries of hAtom and h-entry, in the shape that JSON-LD has (see `items.py`).

A property belongs to the nearest root around it: the name and the photo in an `h-card` are those of the author, and
what stands in an `h-cite` is said of the page that is cited. An entry inside another is a part of it, a comment or a
repost, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.metadata.items import Item, value_of

HATOM: Final = "hatom"
H_ENTRY: Final = "h-entry"

_ROOTS: Final = frozenset(
    "h-entry h-card h-cite h-adr h-geo h-event h-feed h-item h-listing h-product h-recipe h-resume h-review"
    " hentry vcard vevent hproduct hreview hrecipe".split()
)
_ENTRIES: Final = frozenset(("h-entry", "hentry"))
_OF_H_ENTRY: Final = {
    "p-name": "headline",
    "p-summary": "description",
    "p-category": "keywords",
    "u-featured": "image",
    "u-photo": "image",
    "u-url": "url",
    "u-uid": "url",
}
_OF_HATOM: Final = {"entry-title": "headline", "entry-summary": "description"}
_OF_NO_POST: Final = frozenset(("page", "type-page"))
"""What WordPress calls a page that is none of its posts."""
_MOST: Final = 5000
"""Elements with a class that are looked at."""


def roots_of(tree: Tree, nodes: Sequence[int]) -> dict[int, list[str]]:
    """Of elements that are in order the entries that stand in no other, each with its classes."""
    found: dict[int, list[str]] = {}
    until = 0
    for node, said in zip(nodes, tree.attribute_values("class", nodes), strict=True):
        if node >= until and is_entry(said):
            found[node] = (said or "").split()
            until = tree.end[node]
    return found


def is_entry(classes: str | None) -> bool:
    """Whether an element with these classes is an entry."""
    return classes is not None and not _ENTRIES.isdisjoint(classes.split())


def read_entries(tree: Tree, roots: dict[int, list[str]]) -> list[Item]:
    """The entries at these roots."""
    found = []
    left = _MOST
    for node, names in roots.items():
        if left <= 0:
            break
        entry = Item(node, H_ENTRY if "h-entry" in names else HATOM)
        if entry.source == H_ENTRY or _OF_NO_POST.isdisjoint(names):
            entry.data["@type"] = "BlogPosting"
        left -= _fill(tree, entry, left)
        found.append(entry)
    return found


def _fill(tree: Tree, entry: Item, most: int) -> int:
    """Read the properties of an entry; gives how many elements were looked at."""
    known = _OF_H_ENTRY if entry.source == H_ENTRY else _OF_HATOM
    inside = [node for node in range(entry.node + 1, tree.end[entry.node]) if tree.tag[node] != TEXT]
    told = zip(inside, tree.attribute_values("class", inside), tree.attribute_values("rel", inside), strict=True)
    named = [(node, (names or "").split(), (rel or "").split()) for node, names, rel in told if names or rel][:most]
    until = 0  # the end of a root inside
    for node, names, rel in named:
        if node < until:
            continue
        if not _ROOTS.isdisjoint(names):
            until = tree.end[node]
            continue
        wanted = [known[name] for name in names if name in known]
        if "bookmark" in rel and entry.source == HATOM:
            wanted.append("url")
        for name in wanted:
            if not entry.has_many(name):
                entry.add(name, value_of(tree, node, tree.attributes[node], name))
    return len(named)
