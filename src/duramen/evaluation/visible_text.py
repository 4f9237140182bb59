"""The visible text of a whole page: everything that a reader can see, main content or not.

Words by position are found in it, and the HTML output of peers is read with it. Inline elements do not separate words
(`<b>W</b>ord` is one word); all other elements do.
"""

from __future__ import annotations

from duramen.dom.elements import INLINE_TAGS, INVISIBLE_TAGS
from duramen.dom.tree import TEXT, Tree


def visible_text(tree: Tree) -> str:
    """Return the visible text of a page."""
    pieces: list[str] = []
    open_blocks: list[int] = []  # the ends of the blocks that contain the current node
    node = 0
    while node < len(tree):
        while open_blocks and node >= open_blocks[-1]:
            open_blocks.pop()
            pieces.append("\n")
        tag = tree.tag[node]
        if tag == TEXT:
            pieces.append(tree.text[node])
        elif tag in INVISIBLE_TAGS:
            pieces.append("\n")
            node = tree.end[node]
            continue
        elif tag not in INLINE_TAGS:
            pieces.append("\n")
            open_blocks.append(tree.end[node])
        node += 1
    return "".join(pieces)
