"""Text of an element: its own text with inline formatting, or the text of its whole subtree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.dom.elements import HEADING_TAGS, INLINE_TAGS, SCRIPT_TAGS
from duramen.dom.tree import TEXT, Tree

# Elements that name a kind of value (`time`, `data`) or that pages use as containers (`a`, `span`) are not formatting.
FORMATTING_TAGS: Final = INLINE_TAGS - {"a", "span", "data", "dfn", "label", "rb", "ruby", "samp", "time", "var"} | {
    "br",
    "center",
}
"""Elements that change how text looks and not what it means."""
# Not all of `dom.elements.INVISIBLE_TAGS`: with all of them the tables of 3 in 400 pages get other columns. Which
# of the two sets is better was not scored.
IGNORED_TAGS: Final = SCRIPT_TAGS | {"svg", "select", "option", "textarea", "iframe", "head"}
_LINE_BREAKING_TAGS: Final = HEADING_TAGS | frozenset("p blockquote pre ul ol dl hr br div".split())


def element_text(tree: Tree, node: int, *, whole: bool = False) -> str:
    """The text of an element and of the formatting elements in it, with single spaces.

    With `whole`, the text of the complete subtree; paragraphs and `<br>` start new lines.
    """
    if tree.tag[node] == TEXT:
        return " ".join(tree.text[node].split())
    pieces: list[str] = []
    position, end = node + 1, tree.end[node]
    while position < end:
        tag = tree.tag[position]
        if tag == TEXT:
            pieces.append(tree.text[position])
        elif tag in IGNORED_TAGS:
            position = tree.end[position]
            continue
        elif whole and tag in _LINE_BREAKING_TAGS:
            pieces.append("\n")
        elif tag == "br":
            pieces.append("\n" if whole else " ")
        elif not whole and not is_formatting(tree, position):
            pieces.append(" ")
            position = tree.end[position]
            continue
        position += 1
    if "\n" not in pieces:
        return " ".join("".join(pieces).split())
    lines = (" ".join(line.split()) for line in _join_lines(pieces))
    return "\n".join(line for line in lines if line)


def _join_lines(pieces: Sequence[str]) -> list[str]:
    """Join the pieces between line breaks. A text node that is just "\\n" counts as a line break, too."""
    lines: list[list[str]] = [[]]
    for piece in pieces:
        if piece == "\n":
            lines.append([])
        else:
            lines[-1].append(piece)
    return list(map("".join, lines))


def is_formatting(tree: Tree, node: int) -> bool:
    """True if an element only changes how text looks: `<b>`, but not `<b itemprop="brand">` or `<b class="x">`."""
    if tree.tag[node] not in FORMATTING_TAGS:
        return False
    return not ("itemprop" in tree.attributes[node] or "class" in tree.attributes[node])
