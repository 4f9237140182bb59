"""Blocks of text: what stands in one paragraph, heading, item or cell, with how much of it is in links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import invisible
from duramen.language import words
from duramen.output.elements import BLOCK_TAGS
from duramen.wrappers.parts import linked_nodes


class Block(NamedTuple):
    node: int
    """The element that the text stands in."""
    first: int
    """Its first text node, and its last."""
    last: int
    words: int
    linked: int
    """How many of its words are in links."""
    text: str
    """Its words, in lower case."""

    @property
    def is_linked(self) -> bool:
        """Whether half of it or more is in links."""
        return 2 * self.linked >= self.words


def texts_in(tree: Tree, element: int) -> list[int]:
    """The text nodes inside an element that a reader sees: `visibility.text_nodes` for a part of the page."""
    tags, texts, ends, hidden, skipped = tree.tag, tree.text, tree.end, tree.hidden, invisible(tree)
    if any(tags[above] in skipped or above in hidden for above in tree.ancestors(element)):
        return []
    found: list[int] = []
    node, end = element, ends[element]
    while node < end:
        tag = tags[node]
        if tag == TEXT:
            if not texts[node].isspace():
                found.append(node)
        elif tag in skipped or node in hidden:
            node = ends[node]
            continue
        node += 1
    return found


def blocks(tree: Tree, texts: Sequence[int], longest: int | None = None) -> list[Block]:
    """The blocks that some text nodes of a page, in document order, make up.

    Of blocks without links that are longer than `longest` characters the words are not looked at: they are left empty.
    """
    if not texts:
        return []
    tag, parent = tree.tag, tree.parent
    outermost = tree.common_ancestor(texts[0], texts[-1])
    in_link = linked_nodes(tree, range(outermost, tree.end[outermost]))
    if any(tag[above] == "a" for above in tree.ancestors(outermost)):
        in_link.update(texts)
    homes: dict[int, int] = {}  # the block around an element
    found: list[Block] = []
    start, at = 0, -1
    for place, node in enumerate(texts):
        above = parent[node]
        home = homes.get(above)
        if home is None:
            home = above
            while home > 0 and tag[home] not in BLOCK_TAGS:
                home = parent[home]
            homes[above] = home
        if home != at:
            if place:
                _add(found, tree, at, texts[start:place], in_link, longest)
            start, at = place, home
    _add(found, tree, at, texts[start:], in_link, longest)
    return found


def _add(
    found: list[Block], tree: Tree, home: int, nodes: Sequence[int], in_link: set[int], longest: int | None
) -> None:
    """Add the block that these text nodes are, if there is a word in it."""
    text = tree.text
    if longest is not None and in_link.isdisjoint(nodes) and sum(len(text[node]) for node in nodes) > longest:
        found.append(Block(home, nodes[0], nodes[-1], 1, 0, ""))
        return
    held: list[str] = []
    linked = 0
    for node in nodes:
        own = words(text[node])
        held += own
        if node in in_link:
            linked += len(own)
    if held:
        found.append(Block(home, nodes[0], nodes[-1], len(held), linked, " ".join(held)))
