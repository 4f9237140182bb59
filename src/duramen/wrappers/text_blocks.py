"""Text blocks: the text of one paragraph, heading, list item or cell, with the share of it that is in links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duramen.dom.elements import BLOCK_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_invisible_tags
from duramen.language import words


class TextBlock(NamedTuple):
    """Neighboring text nodes with the same nearest block element around them."""

    node: int
    """The block element."""
    first: int
    """The first text node."""
    last: int
    """The last text node."""
    words: int
    """The number of words."""
    linked_words: int
    """The number of words in links."""
    text: str
    """The words in lower case, separated by spaces."""

    @property
    def is_mostly_links(self) -> bool:
        """True if at least half of the words are in links."""
        return 2 * self.linked_words >= self.words


def find_text_nodes(tree: Tree, element: int) -> list[int]:
    """Return the visible text nodes inside an element: `visibility.text_nodes` for a part of the page."""
    tags, texts, ends, hidden, skipped = tree.tag, tree.text, tree.end, tree.hidden, find_invisible_tags(tree)
    if any(tags[above] in skipped or above in hidden for above in tree.ancestors(element)):
        return []
    nodes: list[int] = []
    node, end = element, ends[element]
    while node < end:
        tag = tags[node]
        if tag == TEXT:
            if not texts[node].isspace():
                nodes.append(node)
        elif tag in skipped or node in hidden:
            node = ends[node]
            continue
        node += 1
    return nodes


def find_text_blocks(tree: Tree, text_nodes: Sequence[int], max_chars: int | None = None) -> list[TextBlock]:
    """Return the blocks of some text nodes of a page, given in document order.

    Blocks without links that are longer than `max_chars` characters are not split into words: they have one word and
    an empty text.
    """
    if not text_nodes:
        return []
    tag, parent = tree.tag, tree.parent
    outermost = tree.common_ancestor(text_nodes[0], text_nodes[-1])
    in_link = _find_linked_nodes(tree, range(outermost, tree.end[outermost]))
    if any(tag[above] == "a" for above in tree.ancestors(outermost)):
        in_link.update(text_nodes)
    block_elements: dict[int, int] = {}  # the block element around each parent of a text node
    blocks: list[TextBlock] = []
    start, current = 0, -1
    for index, node in enumerate(text_nodes):
        above = parent[node]
        element = block_elements.get(above)
        if element is None:
            element = above
            while element > 0 and tag[element] not in BLOCK_TAGS:
                element = parent[element]
            block_elements[above] = element
        if element != current:
            if index:
                _append_block(blocks, tree, current, text_nodes[start:index], in_link, max_chars)
            start, current = index, element
    _append_block(blocks, tree, current, text_nodes[start:], in_link, max_chars)
    return blocks


def _append_block(
    blocks: list[TextBlock],
    tree: Tree,
    element: int,
    nodes: Sequence[int],
    in_link: set[int],
    max_chars: int | None,
) -> None:
    """Append the block of these text nodes if it has a word."""
    text = tree.text
    if max_chars is not None and in_link.isdisjoint(nodes) and sum(len(text[node]) for node in nodes) > max_chars:
        blocks.append(TextBlock(element, nodes[0], nodes[-1], 1, 0, ""))
        return
    block_words: list[str] = []
    linked_words = 0
    for node in nodes:
        node_words = words(text[node])
        block_words += node_words
        if node in in_link:
            linked_words += len(node_words)
    if block_words:
        blocks.append(TextBlock(element, nodes[0], nodes[-1], len(block_words), linked_words, " ".join(block_words)))


def _find_linked_nodes(tree: Tree, span: range) -> set[int]:
    """Return the nodes inside links, for a span that does not start inside a link."""
    linked: set[int] = set()
    tags = tree.tag[span.start : span.stop]
    node = -1
    for _ in range(tags.count("a")):
        node = tags.index("a", node + 1)
        linked.update(range(span.start + node, tree.end[span.start + node]))
    return linked
