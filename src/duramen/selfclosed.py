"""Pages written as XML and read as HTML: `<iframe src="x"/>` closes nothing there, and the rest of the page is lost.

XHTML, and what XML tools save, closes an empty element with a slash. An HTML parser, as a browser, takes no notice of
the slash: everything after a closed `iframe`, `script` or `title` becomes its text. No author leaves a page like that,
so that where such an element has swallowed much of a page, it was written as XML, and every empty element is written
out. Found on pages that were crawled, parsed and saved again.
"""

from __future__ import annotations

import re

from duramen.tree import TEXT, VOID, Tree

RAW = frozenset("iframe script style title textarea noembed noframes xmp".split())
"""Elements that hold text alone, up to their closing tag."""

_LEAST = 1000
"""Characters, at the end of a page, that are worth a closer look."""
_SPARSE = 500
"""Characters of source to a node: pages have some fifty, and few have more than this."""

_RAW = re.compile(rf"<(?:{'|'.join(sorted(RAW))})(?:\s[^<>]*)?/>", re.IGNORECASE)
_EMPTY = re.compile(r"<([a-z][\w:-]*)((?:\s[^<>]*?)?)\s*/>", re.IGNORECASE)


def may_be_swallowed(tree: Tree, size: int) -> bool:
    """Whether much of a page of this size may have become the text of one element. Costs nothing to ask."""
    last = len(tree) - 1
    if tree.tag[last] == TEXT and tree.tag[tree.parent[last]] in RAW and len(tree.text[last]) > _LEAST:
        return True
    return size > _SPARSE * len(tree)


def written_out(html: str) -> str | None:
    """The page with every empty element closed by a tag of its own; None where nothing was swallowed."""
    if _RAW.search(html) is None:
        return None
    return _EMPTY.sub(_close, html)


def _close(found: re.Match[str]) -> str:
    name, attributes = found.groups()
    return found[0] if name.lower() in VOID else f"<{name}{attributes}></{name}>"
