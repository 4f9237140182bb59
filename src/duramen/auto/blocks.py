"""Blocks: runs of text that a reader sees as one piece, and the elements that hold them.

A block is the text under one block-level element between two borders: the beginning or end of a block-level element,
or an empty line made of two `<br>`. Inline elements (links, emphasis) are no borders. Every element that is not inline
covers a contiguous range of blocks, so that what is true of "all that stands below it" is a difference of two sums.

Made in one pass over the tree. Text that a reader does not see is in no block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from duramen.compiled import faster
from duramen.tree import TEXT, Tree
from duramen.visibility import invisible

INLINE = frozenset(
    "a span b i em strong font u s small big sub sup code tt kbd samp var cite abbr acronym time mark q label ins del"
    " bdi bdo wbr img data dfn nobr ruby rt rb strike math button picture source map area".split()
)
"""Elements that do not begin a new line: text in them belongs to the block around."""

_TEXT, _SKIPPED, _INLINE, _LINK, _IMAGE, _BOLD, _BREAK = range(1, 8)
_MEANING = dict.fromkeys(INLINE, _INLINE) | {TEXT: _TEXT, "a": _LINK, "img": _IMAGE, "br": _BREAK}
_MEANING |= dict.fromkeys(("b", "strong"), _BOLD)
"""What a tag means here; one that is not listed begins a block."""

_COMPILED = __name__.startswith("duramen.compiled.")

# Characters of scripts that write no spaces: each counts as a word, as in `language.words`.
_unspaced = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)


@dataclass(eq=False)
class Blocks:
    """Parallel lists: of the blocks, in document order, and of the elements that hold any, in document order too."""

    tree: Tree = field(repr=False)
    first: list[int]
    """The first text node of each block, and the last."""
    last: list[int]
    text: list[str] = field(repr=False)
    """Its text, with single spaces."""
    words: list[int]
    linked: list[int]
    """How many of the words stand in links, and how many are bold."""
    bold: list[int]
    owner: list[int]
    """The element that the block stands in directly: an index of the lists below."""
    node: list[int]
    """Of each element its node in the tree, the element around it (−1 for the root), and its range of blocks."""
    parent: list[int]
    start: list[int]
    stop: list[int]
    images: list[int]
    """How many pictures stand in each element."""

    def __len__(self) -> int:
        return len(self.first)


@faster
def find_blocks(tree: Tree) -> Blocks:
    """The blocks of a page, and the elements that hold them."""
    meaning = _MEANING | dict.fromkeys(invisible(tree), _SKIPPED)
    return Blocks(tree, *_find(tree.tag, tree.text, tree.end, tree.hidden, meaning))


def unspaced(text: str) -> bool:
    """Whether a text has characters of a script that writes no spaces."""
    return not text.isascii() and _unspaced.search(text) is not None


def count_words(text: str, pieces: int) -> int:
    """How many words a text has that white space cuts into so many pieces."""
    if not unspaced(text):
        return pieces
    return len(_unspaced.sub(" x ", text).split())


def _single_spaced(text: str) -> str:
    """A text with single spaces for all its white space, and none around."""
    if _COMPILED:  # most texts are so already, and need not be cut into words
        text = text.strip()
        before = False
        for character in text:
            if not character.isspace():
                before = False
            elif before or character != " ":
                break
            else:
                before = True
        else:
            return text
    return " ".join(text.split())


def _find(
    tags: list[str], texts: list[str], ends: list[int], hidden: frozenset[int], meaning: dict[str, int]
) -> tuple[Any, ...]:
    first: list[int] = []
    last: list[int] = []
    block_texts: list[str] = []
    words: list[int] = []
    linked: list[int] = []
    bold: list[int] = []
    owner: list[int] = []
    nodes: list[int] = []
    above: list[int] = []
    start: list[int] = []
    stop: list[int] = []
    images: list[int] = []
    seen = 0  # pictures
    pieces: list[str] = []  # of the text of the block at hand
    open_elements: list[int] = []  # indexes of elements
    open_ends: list[int] = []  # and the nodes at which they end
    node, count = 0, len(tags)
    element = -1  # the innermost open element
    element_end = count
    link_end = bold_end = -1  # up to which node text is linked, or bold
    border = True
    breaks = 0
    any_hidden = len(hidden) > 0
    while node < count:
        while node >= element_end:
            stop[element] = len(first)
            images[element] = seen - images[element]
            open_elements.pop()
            open_ends.pop()
            if not open_elements:
                element, element_end = -1, count
                break
            element, element_end = open_elements[-1], open_ends[-1]
            border = True
        means = meaning.get(tags[node], 0)
        if means == _TEXT:
            text = _single_spaced(texts[node])
            if text:
                size = count_words(text, text.count(" ") + 1)
                if border:
                    if pieces:
                        block_texts.append(" ".join(pieces))
                    pieces = [text]
                    first.append(node)
                    last.append(node)
                    words.append(size)
                    linked.append(size if node < link_end else 0)
                    bold.append(size if node < bold_end else 0)
                    owner.append(element)
                    border = False
                else:
                    pieces.append(text)
                    last[-1] = node
                    words[-1] += size
                    if node < link_end:
                        linked[-1] += size
                    if node < bold_end:
                        bold[-1] += size
                breaks = 0
        elif means == _SKIPPED or (any_hidden and node in hidden):
            node = ends[node]
            continue
        elif means == 0:
            border = True
            end = ends[node]
            if end > node + 1:
                nodes.append(node)
                above.append(element)
                start.append(len(first))
                stop.append(len(first))
                images.append(seen)
                element, element_end = len(nodes) - 1, end
                open_elements.append(element)
                open_ends.append(end)
        elif means == _LINK:
            if ends[node] > link_end:
                link_end = ends[node]
        elif means == _IMAGE:
            seen += 1
        elif means == _BOLD:
            if ends[node] > bold_end:
                bold_end = ends[node]
        elif means == _BREAK:
            breaks += 1
            if breaks == 2:
                border = True
        node += 1
    while open_elements:
        element = open_elements.pop()
        stop[element] = len(first)
        images[element] = seen - images[element]
    if pieces:
        block_texts.append(" ".join(pieces))
    kept, new = _with_blocks(start, stop)
    above = [new[above[element]] if above[element] >= 0 else -1 for element in kept]
    return (
        first,
        last,
        block_texts,
        words,
        linked,
        bold,
        [new[element] for element in owner],
        [nodes[element] for element in kept],
        above,
        [start[element] for element in kept],
        [stop[element] for element in kept],
        [images[element] for element in kept],
    )


def _with_blocks(start: list[int], stop: list[int]) -> tuple[list[int], list[int]]:
    """The elements that hold a block, and the new number of each element."""
    kept: list[int] = []
    new: list[int] = []
    for element in range(len(start)):
        new.append(len(kept))
        if start[element] < stop[element]:
            kept.append(element)
    return kept, new
