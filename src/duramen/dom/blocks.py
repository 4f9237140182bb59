# cython: boundscheck=False, wraparound=False
# Every index is a node, an element that is open or a block that was begun.
"""Blocks: runs of text that a reader sees as one piece, and the elements that hold them.

A block is the text under one block-level element between two borders: the beginning or end of a block-level element,
or an empty line made of two `<br>`. Inline elements (links, emphasis) are no borders. Every element that is not inline
covers a contiguous range of blocks, so that what is true of "all that stands below it" is a difference of two sums.

Made in one pass over the tree. Text that a reader does not see is in no block.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from functools import cached_property
from sys import intern

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import INVISIBLE, SCRIPTLESS, invisible

INLINE = frozenset(
    "a span b i em strong font u s small big sub sup code tt kbd samp var cite abbr acronym time mark q label ins del"
    " bdi bdo wbr img data dfn nobr ruby rt rb strike math button picture source map area".split()
)
"""Elements that do not begin a new line: text in them belongs to the block around."""

_TEXT, _SKIPPED, _INLINE, _LINK, _IMAGE, _BOLD, _BREAK = range(1, 8)
_MEANING = dict.fromkeys(INLINE, _INLINE) | {TEXT: _TEXT, "a": _LINK, "img": _IMAGE, "br": _BREAK}
_MEANING |= dict.fromkeys(("b", "strong"), _BOLD)
"""What a tag means here; one that is not listed begins a block."""
# The keys are the very strings that the tree has: then it is enough to compare addresses.
_MEANINGS = {
    skipped: {intern(tag): means for tag, means in (_MEANING | dict.fromkeys(skipped, _SKIPPED)).items()}
    for skipped in (INVISIBLE, SCRIPTLESS)
}

_ZERO = array("q", (0,))
_COMPILED = False

_FIRST_UNSPACED, _LAST_INDIC, _FIRST_KANA = 0x0E00, 0x17FF, 0x3040  # between the last two stand quotes and dashes
# Characters of scripts that write no spaces: each counts as a word, as in `language.words`.
_unspaced = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)


@dataclass(eq=False)
class Blocks:
    """Parallel lists: of the blocks, in document order, and of the elements that hold any, in document order too."""

    tree: Tree = field(repr=False)
    text: list[str] = field(repr=False)
    """The text of each block, with single spaces."""
    first: array[int]
    """Its first text node, and its last."""
    last: array[int]
    words: array[int]
    linked: array[int]
    """How many of the words stand in links, and how many are bold."""
    bold: array[int]
    owner: array[int]
    """The element that the block stands in directly: an index of the lists below."""
    node: array[int]
    """Of each element its node in the tree, the element around it (−1 for the root), and its range of blocks."""
    parent: array[int]
    start: array[int]
    stop: array[int]
    images: array[int]
    """How many pictures stand in each element."""

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def weights(self) -> array[float]:
        """The words of each block, as numbers to reckon with."""
        if not _COMPILED or not len(self):
            return array("d", self.words)
        numbers = array("d", (0.0,)) * len(self)
        _copy(self.words, numbers)
        return numbers


def find_blocks(tree: Tree) -> Blocks:
    """The blocks of a page, and the elements that hold them."""
    meaning = _MEANINGS[invisible(tree)]
    texts: list[str] = []
    # Each is as long as it can become, and cut when all blocks are found.
    most = _count(tree.tag, TEXT)
    first, last, words, linked, bold, owner = [_zeros(most) for _ in range(6)]
    most = len(tree) - most
    node, parent, start, stop, images, ends = [_zeros(most) for _ in range(6)]
    count, kept = _find(
        tree.tag, tree.text, tree.end, tree.hidden, meaning, texts,
        first, last, words, linked, bold, owner,
        node, parent, start, stop, images, ends,
    )  # fmt: skip
    del first[count:], last[count:], words[count:], linked[count:], bold[count:], owner[count:]
    del node[kept:], parent[kept:], start[kept:], stop[kept:], images[kept:]
    return Blocks(tree, texts, first, last, words, linked, bold, owner, node, parent, start, stop, images)


def unspaced(text: str) -> bool:
    """Whether a text has characters of a script that writes no spaces."""
    return not text.isascii() and _unspaced.search(text) is not None


def count_words(text: str, pieces: int) -> int:
    """How many words a text has that white space cuts into so many pieces."""
    if not unspaced(text):
        return pieces
    return len(_unspaced.sub(" x ", text).split())


class _Piece:
    """A text with single spaces for all its white space and none around, and how many words it has."""

    def __init__(self) -> None:
        self.text = ""
        self.words = 0

    def read(self, text: str) -> None:
        if _COMPILED:
            self.look(text)
            return
        self.text = " ".join(text.split())
        self.words = count_words(self.text, self.text.count(" ") + 1) if self.text else 0

    def look(self, text: str) -> None:
        """The same, compiled: most texts have single spaces already, and need not be cut into words."""
        words = start = stop = 0
        is_blank, is_rough, is_single, may_be_unspaced = True, False, True, False
        for at, character in enumerate(text):
            code = ord(character)
            if code <= 32 or code >= 127:
                if character.isspace():
                    is_rough = is_rough or is_blank or code != 32
                    if not is_blank:
                        stop = at
                    is_blank = True
                    continue
                if code >= _FIRST_UNSPACED and (code <= _LAST_INDIC or code >= _FIRST_KANA):
                    may_be_unspaced = True
            if is_blank:
                if not words:
                    start = at
                elif is_rough:
                    is_single = False
                words += 1
                is_blank = is_rough = False
        if not is_blank:
            stop = len(text)
        self.words = words
        if not words:
            self.text = ""
            return
        self.text = text[start:stop]
        if not is_single:
            self.text = " ".join(self.text.split())
        if may_be_unspaced:
            self.words = count_words(self.text, words)


def _find(
    tags: list[str],
    texts: list[str],
    ends: list[int],
    hidden: frozenset[int],
    meaning: dict[str, int],
    block_texts: list[str],
    first: array[int],
    last: array[int],
    words: array[int],
    linked: array[int],
    bold: array[int],
    owner: array[int],
    nodes: array[int],
    above: array[int],
    start: array[int],
    stop: array[int],
    images: array[int],
    element_ends: array[int],
) -> tuple[int, int]:
    """Fill the arrays; how many blocks there are, and how many elements hold any."""
    piece = _Piece()
    block = -1  # the one at hand, and how many elements there are
    elements = 0
    seen = 0  # pictures
    pieces: list[str] = []  # of the text of the block at hand
    node, count = 0, len(tags)
    element = -1  # the innermost open element
    element_end = count
    link_end = bold_end = -1  # up to which node text is linked, or bold
    border = True
    breaks = 0
    blank = other_blank = " "  # the last two texts without a word
    waiting = sorted(hidden)
    place = 0
    next_hidden = waiting[0] if waiting else count
    while node < count:
        while node >= element_end:
            stop[element] = block + 1
            images[element] = seen - images[element]
            element = above[element]
            element_end = element_ends[element] if element >= 0 else count
            border = True
        tag = tags[node]
        means = meaning.get(tag, 0)
        if means == _TEXT:
            text = texts[node]
            if text is blank or text is other_blank:  # a page's indentation is one string wherever it stands
                node += 1
                continue
            piece.read(text)
            size = piece.words
            if not size:
                other_blank, blank = blank, text
            else:
                if border:
                    if pieces:
                        block_texts.append(" ".join(pieces) if len(pieces) > 1 else pieces[0])
                    pieces = [piece.text]
                    block += 1
                    first[block] = node
                    owner[block] = element
                    border = False
                else:
                    pieces.append(piece.text)
                last[block] = node
                words[block] += size
                if node < link_end:
                    linked[block] += size
                if node < bold_end:
                    bold[block] += size
                breaks = 0
        elif means == _SKIPPED or node == next_hidden:
            node = ends[node]
            while next_hidden < node:
                place += 1
                next_hidden = waiting[place] if place < len(waiting) else count
            continue
        elif means == 0:
            border = True
            end = ends[node]
            if end > node + 1:
                nodes[elements] = node
                above[elements] = element
                start[elements] = block + 1
                images[elements] = seen
                element_ends[elements] = element_end = end
                element = elements
                elements += 1
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
    while element >= 0:
        stop[element] = block + 1
        images[element] = seen - images[element]
        element = above[element]
    if pieces:
        block_texts.append(" ".join(pieces))
    # Only elements that hold a block are kept; `element_ends`, of no more use, gives each its new number.
    kept = 0
    for element in range(elements):
        element_ends[element] = kept
        if start[element] <= block and start[element] < stop[element]:
            nodes[kept], start[kept], stop[kept] = nodes[element], start[element], stop[element]
            images[kept] = images[element]
            above[kept] = element_ends[above[element]] if above[element] >= 0 else -1
            kept += 1
    block += 1
    for place in range(block):
        owner[place] = element_ends[owner[place]]
    return block, kept


def _copy(numbers: array[int], found: array[float]) -> None:
    for place in range(len(numbers)):
        found[place] = numbers[place]


def _count(tags: list[str], wanted: str) -> int:
    if not _COMPILED:
        return tags.count(wanted)
    count, length = 0, len(wanted)
    for tag in tags:
        if len(tag) == length and tag == wanted:  # most have another length
            count += 1
    return count


def _zeros(count: int) -> array[int]:
    return _ZERO * count
