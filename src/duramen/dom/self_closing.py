"""Pages written as XML and read as HTML: `<iframe src="x"/>` closes nothing there, and the rest of the page is lost.

XHTML, and what XML tools save, closes an empty element with a slash. An HTML parser, as a browser, takes no notice of
the slash: everything after a closed `iframe`, `script` or `title` becomes its text. No author leaves a page like that,
so that where such an element has swallowed much of a page, it was written as XML, and every empty element is written
out. Found on pages that were crawled, parsed and saved again.
"""

from __future__ import annotations

import re

from duramen.dom import lexbor
from duramen.dom.tree import TEXT, VOID, Tree

RAW = frozenset("iframe script style title textarea noembed noframes xmp".split())
"""Elements that hold text alone, up to their closing tag."""

_LEAST = 1000
"""Characters that are worth a closer look, where they are the text of one such element."""
_SPARSE = 500
"""Characters of source to a node: pages have some fifty, and few have more than this."""
_TAGS = 10
"""Closing tags in such a text: a part of a page has many, a script hardly any."""
_SHOWN = 60
"""Characters by which a text is found in the source."""

_EMPTY = re.compile(r"<([a-z][\w:-]*)((?:\s[^<>]*?)?)\s*/>", re.IGNORECASE)


def may_be_swallowed(tree: Tree, size: int) -> bool:
    """Whether much of a page of this size may have become the text of one element. Costs nothing to ask."""
    last = len(tree) - 1
    return size > _SPARSE * len(tree) or (tree.tag[tree.parent[last]] in RAW and len(tree.text[last]) > _LEAST)


def has_swallowed(tree: Tree, source: str | bytes) -> bool:
    """Whether an empty element has made a part of the page its text."""
    return any(
        tree.tag[node] == TEXT
        and tree.tag[tree.parent[node]] in RAW
        and _has_many_tags(tree.text[node])
        and _follows_an_empty_element(tree.text[node], source)
        for node in lexbor.longer(tree.text, _LEAST)
    )


def _has_many_tags(text: str) -> bool:
    at = -1
    for _ in range(_TAGS):  # to look for one character costs a fraction of looking for two, and most scripts have few
        at = text.find("<", at + 1)
        if at < 0:
            return False
    return text.count("</") >= _TAGS


def written_out(html: str) -> str:
    """The page with every empty element closed by a tag of its own."""
    return _EMPTY.sub(_close, html)


def _follows_an_empty_element(text: str, source: str | bytes) -> bool:
    if isinstance(source, str):
        place = source.find(text[:_SHOWN])
        return place > 1 and source.startswith("/>", place - 2)
    place = source.find(text[:_SHOWN].encode())
    return place > 1 and source.startswith(b"/>", place - 2)


def _close(found: re.Match[str]) -> str:
    name, attributes = found.groups()
    return found[0] if name.lower() in VOID else f"<{name}{attributes}></{name}>"
