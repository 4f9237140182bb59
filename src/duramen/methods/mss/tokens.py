"""Convert a page to a sequence of tokens: tags, words and symbols.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
5.2: non-numeric words are stemmed by Porter's algorithm, every number is "1", a tag that is not common is `<UNKNOWN>`,
and text between script and style tags is discarded. Not in the paper: all invisible words are discarded. Closing tags
are tokens too. In scripts without spaces each character is a word. The *open tag* of a token is the most recent tag
that has not been closed: an opening tag is pushed on a stack, a closing tag pops the stack to its match, so that a void
tag such as `<br>` stays open until its parent is closed.

A token is stored as a 32-bit hash: a model needs no more to look it up, and a page of six thousand tokens is one array.
All tokens of a text node are adjacent and share their node and their open tag, so these are stored once for each
*piece*: a tag, or a text node. `Tokens.find_nodes` converts a block of tokens back to nodes and characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen import language
from duramen.dom.tag_sets import VOID_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_visible_texts

Hashes = NDArray[np.uint32]
Integers = NDArray[np.int64]

KNOWN_TAGS = frozenset(
    "a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button canvas"
    " caption center cite code col colgroup data dd del details dfn dialog div dl dt em embed fieldset"
    " figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe"
    " img input ins kbd label legend li link main map mark menu meta meter nav noscript object ol optgroup"
    " option output p param picture pre progress q rp rt ruby s samp script section select small source span"
    " strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr tt"
    " u ul var video wbr".split()
)
"""The elements of HTML. The paper takes the tags that occur on more than one of its sites, which is nearly the same."""

_DISCARDED_TAGS = frozenset({"script", "style"})


def hash_term(term: str) -> int:
    """Return the 32-bit hash of a token."""
    return crc32(term.encode("utf-8", "replace"))


UNKNOWN_TAG = hash_term("<UNKNOWN>")
UNKNOWN_END = hash_term("</UNKNOWN>")
NUMBER = hash_term("1")
NO_TAG = 0
"""The open tag of a token outside all tags."""

WORD = hash_term("<WORD>")
"""The token that replaces every word in a shape."""

_START_TAGS = {tag: hash_term(f"<{tag}>") for tag in KNOWN_TAGS}
_END_TAGS = {tag: hash_term(f"</{tag}>") for tag in KNOWN_TAGS}


class _WordHashes(dict[str, int]):
    """A cache of words and the hashes of their stems. It is cleared when it is full."""

    MAX_WORDS = 500_000

    def __missing__(self, word: str) -> int:
        if len(self) >= self.MAX_WORDS:
            self.clear()
        term = word.lower()
        self[word] = value = NUMBER if term.isdigit() else hash_term(language.porter_stem(term))
        if not term[0].isalnum() and term[0] != "_":
            _non_word_hashes.add(value)
        return value


_non_word_hashes = {UNKNOWN_TAG, UNKNOWN_END, NUMBER, *_START_TAGS.values(), *_END_TAGS.values()}
"""The hashes of tags, numbers and all symbols seen so far."""
_hash_word = _WordHashes().__getitem__


class TokenBlock(NamedTuple):
    """The nodes of a block of tokens, and the kept characters of its first and last text node."""

    nodes: range
    clips: dict[int, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a tree, and the pieces they belong to."""

    tree: Tree
    terms: Hashes
    """One value for each token."""
    piece_starts: Integers
    """For each piece its first token; then the number of tokens."""
    piece_nodes: Integers
    """For each piece the element of the tag, or the text node."""
    piece_open_tags: Hashes
    """For each piece the open tag of its tokens."""

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def open_tags(self) -> Hashes:
        """The open tag of each token."""
        return np.repeat(self.piece_open_tags, np.diff(self.piece_starts))

    @property
    def open_tag_pairs(self) -> Hashes:
        """For each token a hash of the two most recent tags that have not been closed."""
        tags, stack, pairs = self.tree.tag, [NO_TAG, NO_TAG], list[int]()
        heights: dict[int, int] = {}  # of the stack below each element that is open
        for node in self.piece_nodes.tolist():
            tag = tags[node]
            if node in heights:
                del stack[heights.pop(node) :]
            elif tag != TEXT:
                if tag not in VOID_TAGS:
                    heights[node] = len(stack)
                stack.append(_START_TAGS.get(tag, UNKNOWN_TAG))
            pairs.append(crc32(stack[-2].to_bytes(4), stack[-1]))
        return np.repeat(np.array(pairs, np.uint32), np.diff(self.piece_starts))

    @property
    def is_tag(self) -> NDArray[np.bool_]:
        """For each token True if it is a tag."""
        tags = np.fromiter(
            (self.tree.tag[node] != TEXT for node in self.piece_nodes.tolist()), bool, len(self.piece_nodes)
        )
        return np.repeat(tags, np.diff(self.piece_starts))

    @property
    def shapes(self) -> Hashes:
        """The tokens with all words replaced by one: it does not depend on the language of the page."""
        non_words = np.fromiter(_non_word_hashes, np.uint32, len(_non_word_hashes))
        return np.where(np.isin(self.terms, non_words), self.terms, np.uint32(WORD))

    def find_piece(self, token: int) -> int:
        """Return the piece of a token."""
        return int(np.searchsorted(self.piece_starts, token, side="right")) - 1

    def find_nodes(self, start: int, stop: int) -> TokenBlock | None:
        """Return the text nodes of the tokens from `start` up to `stop`, and the characters of them.

        None if there is no text among these tokens.
        """
        first, last = self.find_piece(start), self.find_piece(stop - 1)
        texts = [piece for piece in range(first, last + 1) if self.tree.tag[int(self.piece_nodes[piece])] == TEXT]
        if not texts:
            return None
        clips: dict[int, tuple[int, int]] = {}
        for piece in {texts[0], texts[-1]}:
            node = int(self.piece_nodes[piece])
            begin, end = int(self.piece_starts[piece]), int(self.piece_starts[piece + 1])
            if start > begin or stop < end:
                clips[node] = _find_characters(self.tree.text[node], max(start - begin, 0), min(stop, end) - begin)
        return TokenBlock(range(int(self.piece_nodes[texts[0]]), int(self.piece_nodes[texts[-1]]) + 1), clips)


def tokenize(tree: Tree) -> Tokens:
    """Return the tokens of a page, in one pass."""
    terms: list[int] = []
    piece_starts: list[int] = []
    piece_nodes: list[int] = []
    piece_open_tags: list[int] = []
    tags, texts, ends = tree.tag, tree.text, tree.end
    starts, hash_word, split = _START_TAGS, _hash_word, language.tokens
    visible = set(find_visible_texts(tree))
    unclosed: list[tuple[int, int]] = []  # open elements, each with the height of the stack below it
    stack: list[int] = []
    top = NO_TAG
    node, count, size = 0, len(tree), 0
    close_at = count  # where the innermost unclosed element ends
    while True:
        while node >= close_at and unclosed:
            element, height = unclosed.pop()
            close_at = ends[unclosed[-1][0]] if unclosed else count
            del stack[height:]
            top = stack[-1] if stack else NO_TAG
            piece_starts.append(size)
            piece_nodes.append(element)
            piece_open_tags.append(top)
            terms.append(_END_TAGS.get(tags[element], UNKNOWN_END))
            size += 1
        if node >= count:
            break
        tag = tags[node]
        if tag == TEXT:
            if node in visible:
                piece_starts.append(size)
                piece_nodes.append(node)
                piece_open_tags.append(top)
                terms.extend(map(hash_word, split(texts[node])))
                size = len(terms)
            node += 1
            continue
        top = starts.get(tag, UNKNOWN_TAG)
        piece_starts.append(size)
        piece_nodes.append(node)
        piece_open_tags.append(top)
        terms.append(top)
        size += 1
        if tag not in VOID_TAGS:
            unclosed.append((node, len(stack)))
            close_at = ends[node]
        stack.append(top)
        node = ends[node] if tag in _DISCARDED_TAGS else node + 1
    piece_starts.append(size)
    return Tokens(
        tree,
        np.array(terms, np.uint32),
        np.array(piece_starts, np.int64),
        np.array(piece_nodes, np.int64),
        np.array(piece_open_tags, np.uint32),
    )


def _find_characters(text: str, first: int, stop: int) -> tuple[int, int]:
    """Return where in a text its tokens from `first` up to `stop` begin and end."""
    position = begin = 0
    for index, token in enumerate(language.tokens(text)[:stop]):
        start = text.index(token, position)
        if index == first:
            begin = start
        position = start + len(token)
    return begin, position
