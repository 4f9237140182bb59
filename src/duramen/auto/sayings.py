"""What a page says its content is: title, description, and the text in its JSON-LD.

Search engines are told in the head what a page is about, often in the words of the page itself. A block that stands
there too is likely content. Compared by plain containment, in lower case, in any language.
"""

from __future__ import annotations

from typing import NamedTuple

from duramen.tree import Tree

_DESCRIPTIONS = frozenset(("description", "og:description", "twitter:description"))
_SAID = 40
"""How many characters of the description a block must hold: the rest is often cut off or reworded."""
_SHORTEST = 30
_MOST_DATA = 200_000
"""Characters of JSON-LD that are looked at."""


class Sayings(NamedTuple):
    """In lower case, with single spaces; empty where the page says nothing."""

    title: str = ""
    description: str = ""
    data: str = ""


def read_sayings(tree: Tree) -> Sayings:
    """The sayings of a page."""
    title = description = ""
    tags, attributes = tree.tag, tree.attributes
    for node in range(tree.body):
        tag = tags[node]
        if tag == "title":
            if not title:
                title = _plain("".join(tree.text[node : tree.end[node]]))
        elif tag == "meta":
            own = attributes[node]
            name = own.get("property") or own.get("name")
            if name is None:
                continue
            name = name.lower()
            if name == "og:title":
                title += "\n" + _plain(own.get("content") or "")
            elif not description and name in _DESCRIPTIONS:
                description = _plain(own.get("content") or "")
    return Sayings(title, description[:_SAID] if len(description) >= _SHORTEST else "", _data(tree))


def _data(tree: Tree) -> str:
    found: list[str] = []
    node = -1
    try:
        while True:
            node = tree.tag.index("script", node + 1)
            kind = tree.attributes[node].get("type")
            if kind is not None and "ld+json" in kind:
                found += tree.text[node : tree.end[node]]
    except ValueError:  # no more of them
        pass
    if not found:
        return ""
    text = " ".join(found)[:_MOST_DATA]
    for escape, meant in (("\\n", " "), ("\\r", " "), ("\\t", " "), ('\\"', '"'), ("\\/", "/")):
        text = text.replace(escape, meant)
    return _plain(text)


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()
