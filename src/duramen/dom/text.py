"""The text of an element, read by one walk over its subtree.

Inline elements do not separate words (`<b>W</b>ord` is one word); all other elements do, where they start and where
they end. Elements whose text is not on the screen are left out.
"""

from __future__ import annotations

from duramen.dom.elements import INLINE_TAGS, INVISIBLE_TAGS
from duramen.dom.tree import TEXT, Tree


def read_text(
    tree: Tree,
    node: int = 0,
    *,
    separator: str = " ",
    skipped: frozenset[str] = INVISIBLE_TAGS,
    max_chars: int | None = None,
    separate_ends: bool = True,
) -> str:
    """Return the text below an element as it is in the page, with `separator` between blocks.

    Text nodes after the first `max_chars` characters are not read. Without `separate_ends`, blocks are separated only
    from the text before them.
    """
    tags, texts, ends = tree.tag, tree.text, tree.end
    if tags[node] == TEXT:
        return texts[node]
    pieces: list[str] = []
    open_blocks: list[int] = []  # the ends of the blocks around the current node
    length, at, end = 0, node + 1, ends[node]
    while at < end:
        while open_blocks and at >= open_blocks[-1]:
            open_blocks.pop()
            pieces.append(separator)
        tag = tags[at]
        if tag == TEXT:
            pieces.append(texts[at])
            length += len(texts[at])
            if max_chars is not None and length >= max_chars:
                break
        elif tag in skipped:
            if separate_ends:
                pieces.append(separator)
            at = ends[at]
            continue
        elif tag not in INLINE_TAGS:
            pieces.append(separator)
            if separate_ends:
                open_blocks.append(ends[at])
        at += 1
    return "".join(pieces)
