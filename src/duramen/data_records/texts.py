"""The text of an element: its own, with the formatting in it, or all that it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.dom.tree import TEXT, Tree

FORMATTING: Final = frozenset(
    "b strong i em font u s small big sub sup tt code kbd mark wbr br nobr abbr acronym cite q ins del strike bdi bdo"
    " center".split()
)
"""Elements that change how text looks and not what it is."""
_LINES: Final = frozenset("p blockquote pre h1 h2 h3 h4 h5 h6 ul ol dl hr br div".split())
UNSEEN: Final = frozenset(
    ("script", "style", "noscript", "template", "svg", "select", "option", "textarea", "iframe", "head")
)


def text_of(tree: Tree, node: int, *, whole: bool = False) -> str:
    """The text of an element and the formatting in it, with single spaces.

    The `whole` text is that of all elements in it, with paragraphs and broken lines on lines of their own.
    """
    pieces: list[str] = []
    position, end = node, tree.end[node]
    if tree.tag[node] == TEXT:
        return " ".join(tree.text[node].split())
    position += 1
    while position < end:
        tag = tree.tag[position]
        if tag == TEXT:
            pieces.append(tree.text[position])
        elif tag in UNSEEN:
            position = tree.end[position]
            continue
        elif whole and tag in _LINES:
            pieces.append("\n")
        elif tag == "br":
            pieces.append("\n" if whole else " ")
        elif not whole and not is_formatting(tree, position):
            pieces.append(" ")
            position = tree.end[position]
            continue
        position += 1
    lines = (" ".join(line.split()) for line in _unwrapped(pieces))
    return "\n".join(line for line in lines if line)


def _unwrapped(pieces: Sequence[str]) -> list[str]:
    """Lines: those of the source are no lines of the page."""
    lines: list[list[str]] = [[]]
    for piece in pieces:
        if piece == "\n":
            lines.append([])
        else:
            lines[-1].append(piece)
    return list(map("".join, lines))


def is_formatting(tree: Tree, node: int) -> bool:
    """Whether an element only changes how text looks: `<b>`, but not `<b itemprop="brand">`."""
    if tree.tag[node] not in FORMATTING:
        return False
    return not ("itemprop" in tree.attributes[node] or "class" in tree.attributes[node])
