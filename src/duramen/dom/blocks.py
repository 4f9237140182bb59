# cython: boundscheck=False, wraparound=False
"""Split a page into blocks of text, and list the elements that hold them.

A block is the text under one block-level element between two borders: the start or end of a block-level element, or an
empty line made of two `<br>`. Inline elements (links, emphasis) are no borders. Every element that is not inline covers
a contiguous range of blocks, so that a sum over "all text below an element" is a difference of two prefix sums.

One pass over the tree. Text that a reader does not see is in no block.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from functools import lru_cache
from sys import intern

from duramen.dom.tag_sets import BLOCK_TAGS, INLINE_TAGS, INVISIBLE_TAGS, KNOWN_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_invisible_tags

# `rt` is read with the word above which it stands; the others have no text of their own, or text within a line.
INLINE = INLINE_TAGS | frozenset("rt img math button picture source map area".split())
"""Elements that do not start a new line: their text belongs to the block around them."""

# What a tag does to blocks; a tag that is not listed starts a block (0).
_TEXT, _SKIPPED, _INLINE, _LINK, _IMAGE, _BOLD, _BREAK = range(1, 8)
_ROLES = dict.fromkeys(INLINE, _INLINE) | {TEXT: _TEXT, "a": _LINK, "img": _IMAGE, "br": _BREAK}
_ROLES |= dict.fromkeys(("b", "strong"), _BOLD)
# The keys are interned, as the tags of a tree are: a lookup compares addresses.
_ROLES_BY_SKIPPED_TAGS = {
    skipped: {intern(tag): role for tag, role in (_ROLES | dict.fromkeys(skipped, _SKIPPED)).items()}
    for skipped in (INVISIBLE_TAGS, INVISIBLE_TAGS - {"noscript"})
}

# Characters of scripts without spaces between words: each counts as a word, as in `language.words`.
_unspaced = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)


@dataclass(eq=False)
class Blocks:
    """Parallel lists: one item per block, and one per element that holds blocks, both in document order."""

    tree: Tree = field(repr=False)
    text: list[str] = field(repr=False)
    """Text of each block, with single spaces."""
    first: array[int]
    """First text node of each block."""
    last: array[int]
    """Last text node of each block."""
    words: array[int]
    linked: array[int]
    """Words inside links."""
    bold: array[int]
    """Words in bold type."""
    owner: array[int]
    """The element that directly holds the block: an index into the lists below."""
    node: array[int]
    """Node of each element in the tree."""
    parent: array[int]
    """The element around each element; −1 for the root."""
    start: array[int]
    """First block of each element."""
    stop: array[int]
    """End of its range of blocks."""
    images: array[int]
    """Number of images in each element."""

    def __len__(self) -> int:
        return len(self.first)


# The comment search needs the blocks of the page that the extractor has just split: 0.3 ms on a mean page.
@lru_cache(maxsize=1)
def find_blocks(tree: Tree) -> Blocks:
    """Return the blocks of a page and the elements that hold them."""
    texts: list[str] = []
    # Every array is as long as it can become, and cut when the blocks are known.
    first, last, words, linked, bold, owner, node, parent, start, stop, images, end = [
        array("q", (0,)) * len(tree) for _ in range(12)
    ]
    block_count, element_count = _fill(
        tree.tag, tree.text, tree.end, tree.hidden, _find_roles(tree), texts,
        first, last, words, linked, bold, owner,
        node, parent, start, stop, images, end,
    )  # fmt: skip
    for of_blocks in (first, last, words, linked, bold, owner):
        del of_blocks[block_count:]
    for of_elements in (node, parent, start, stop, images):
        del of_elements[element_count:]
    return Blocks(tree, texts, first, last, words, linked, bold, owner, node, parent, start, stop, images)


def _find_roles(tree: Tree) -> dict[str, int]:
    """Return the role of each tag on this page.

    Browsers show elements they do not know (`<x-tooltip>`, the parts of a formula) within the line. So they are inline
    here, unless blocks are inside: then they are boxes of a component.
    """
    roles = _ROLES_BY_SKIPPED_TAGS[find_invisible_tags(tree)]
    inline = [tag for tag in tree.tags_used - KNOWN_TAGS if not _holds_blocks(tree, tag)]
    return roles | dict.fromkeys(inline, _INLINE) if inline else roles


def _holds_blocks(tree: Tree, tag: str) -> bool:
    """Return whether an element of a tag holds a block-level element."""
    end = 0
    for node in tree.find_all(tag):
        if node >= end:  # not inside the one before, which was looked through
            end = tree.end[node]
            if not BLOCK_TAGS.isdisjoint(tree.tag[node + 1 : end]):
                return True
    return False


def has_unspaced_script(text: str) -> bool:
    """Return whether a text has characters of a script that writes no spaces between words."""
    if text.isascii():
        return False
    for character in text:
        if "\u0e00" <= character < "\u2000" or character >= "\u3040":  # no Latin letter and no punctuation
            return _unspaced.search(text) is not None
    return False


def count_words(text: str, pieces: int) -> int:
    """Count the words of a text that white space splits into so many pieces."""
    if not has_unspaced_script(text):
        return pieces
    return len(_unspaced.sub(" x ", text).split())


def count_spaced_words(text: str) -> int:
    """Count the words of a text with one space between them and no other white space; 0 for any other text."""
    words = 1
    after_space = True
    for character in text:
        if character == " ":
            if after_space:
                return 0
            words += 1
            after_space = True
        elif character.isspace():
            return 0
        else:
            after_space = False
    return 0 if after_space else words


def _fill(
    tags: list[str],
    texts: list[str],
    ends: list[int],
    hidden: frozenset[int],
    roles: dict[str, int],
    block_texts: list[str],
    first: array[int],
    last: array[int],
    words: array[int],
    linked: array[int],
    bold: array[int],
    owner: array[int],
    nodes: array[int],
    parents: array[int],
    start: array[int],
    stop: array[int],
    images: array[int],
    element_ends: array[int],
) -> tuple[int, int]:
    """Fill the arrays; return the number of blocks, and of elements that hold any."""
    block = -1  # the current block
    elements = 0
    image_count = 0
    pieces: list[str] = []  # texts of the current block
    node, count = 0, len(tags)
    element = -1  # the innermost open element
    element_end = count
    link_end = bold_end = -1  # the node at which the current link, or bold text, ends
    at_border = True
    breaks = 0
    blank = other_blank = " "  # the last two texts without a word
    hidden_nodes = sorted(hidden)
    hidden_place = 0
    next_hidden = hidden_nodes[0] if hidden_nodes else count
    while node < count:
        while node >= element_end:
            stop[element] = block + 1
            images[element] = image_count - images[element]
            element = parents[element]
            element_end = element_ends[element] if element >= 0 else count
            at_border = True
        role = roles.get(tags[node], 0)
        if role == _TEXT:
            text = texts[node]
            if text is blank or text is other_blank:  # indentation is one string wherever it occurs: 4 % of the time
                node += 1
                continue
            stripped = text.strip()
            if not stripped:
                other_blank, blank = blank, text
            else:
                size = count_spaced_words(stripped)
                if not size:
                    split = stripped.split()
                    stripped, size = " ".join(split), len(split)
                if not stripped.isascii():
                    size = count_words(stripped, size)
                if at_border:
                    if pieces:
                        block_texts.append(" ".join(pieces))
                    pieces = [stripped]
                    block += 1
                    first[block] = node
                    owner[block] = element
                    at_border = False
                else:
                    pieces.append(stripped)
                last[block] = node
                words[block] += size
                if node < link_end:
                    linked[block] += size
                if node < bold_end:
                    bold[block] += size
                breaks = 0
        elif role == _SKIPPED or node == next_hidden:
            node = ends[node]
            while next_hidden < node:
                hidden_place += 1
                next_hidden = hidden_nodes[hidden_place] if hidden_place < len(hidden_nodes) else count
            continue
        elif role == 0:
            at_border = True
            end = ends[node]
            if end > node + 1:
                nodes[elements] = node
                parents[elements] = element
                start[elements] = block + 1
                images[elements] = image_count
                element_ends[elements] = element_end = end
                element = elements
                elements += 1
        elif role == _LINK:
            end = ends[node]
            link_end = max(link_end, end)
        elif role == _IMAGE:
            image_count += 1
        elif role == _BOLD:
            end = ends[node]
            bold_end = max(bold_end, end)
        elif role == _BREAK:
            breaks += 1
            if breaks == 2:
                at_border = True
        node += 1
    while element >= 0:
        stop[element] = block + 1
        images[element] = image_count - images[element]
        element = parents[element]
    if pieces:
        block_texts.append(" ".join(pieces))
    # Keep only elements that hold a block. `element_ends` is no longer needed: it gets the new numbers.
    kept = 0
    for element in range(elements):
        element_ends[element] = kept
        if start[element] <= block and start[element] < stop[element]:
            nodes[kept], start[kept], stop[kept] = nodes[element], start[element], stop[element]
            images[kept] = images[element]
            parents[kept] = element_ends[parents[element]] if parents[element] >= 0 else -1
            kept += 1
    block += 1
    for place in range(block):
        owner[place] = element_ends[owner[place]]
    return block, kept
