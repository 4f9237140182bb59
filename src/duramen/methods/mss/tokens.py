"""A page as a sequence of tokens: tags, words and symbols.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
5.2: non-numeric words are stemmed by Porter's algorithm, every number is "1", a tag that is not common is `<UNKNOWN>`,
and what stands between script and style tags is discarded; we discard all words that a reader does not see. Closing
tags are tokens too. In scripts without spaces each
character is a word. The *open tag* of a token is the most recent tag that has not been closed: an opening tag goes on a
stack, a closing one unwinds it to its match, so that a void tag such as `<br>` stays open until its parent is closed.

A token is kept as a 32-bit hash: hashes are all that a model needs to look things up, and a page of six thousand tokens
is then one array. All tokens of a text node lie side by side and share their node and their open tag, so these are kept
once for each *piece*: a tag, or a text node. `Tokens.block` goes back from a block of tokens to nodes and characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen import language
from duramen.dom.tree import TEXT, VOID, Tree
from duramen.dom.visibility import text_nodes

Hashes = NDArray[np.uint32]
Integers = NDArray[np.int64]

COMMON = frozenset(
    "a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button canvas"
    " caption center cite code col colgroup data dd del details dfn dialog div dl dt em embed fieldset"
    " figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe"
    " img input ins kbd label legend li link main map mark menu meta meter nav noscript object ol optgroup"
    " option output p param picture pre progress q rp rt ruby s samp script section select small source span"
    " strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr tt"
    " u ul var video wbr".split()
)
"""The elements of HTML. The paper takes the tags that occur on more than one of its sites, which comes to the same."""

_DISCARDED = frozenset({"script", "style"})


def hash_of(term: str) -> int:
    """The 32 bits that stand for a token."""
    return crc32(term.encode("utf-8", "replace"))


UNKNOWN_TAG = hash_of("<UNKNOWN>")
UNKNOWN_END = hash_of("</UNKNOWN>")
NUMBER = hash_of("1")
NO_TAG = 0
"""The open tag where none is open."""

WORD = hash_of("<WORD>")
"""What every word is in the shape of a page."""

_START_TAGS = {tag: hash_of(f"<{tag}>") for tag in COMMON}
_END_TAGS = {tag: hash_of(f"</{tag}>") for tag in COMMON}


class _WordHashes(dict[str, int]):
    """Words as they stand on pages, and the hashes of their stems. Emptied when it has grown large."""

    MOST = 500_000

    def __missing__(self, word: str) -> int:
        if len(self) >= self.MOST:
            self.clear()
        term = word.lower()
        self[word] = found = NUMBER if term.isdigit() else hash_of(language.porter(term))
        if not term[0].isalnum() and term[0] != "_":
            _not_words.add(found)
        return found


_not_words = {UNKNOWN_TAG, UNKNOWN_END, NUMBER, *_START_TAGS.values(), *_END_TAGS.values()}
"""The hashes of tags, numbers and all symbols met so far."""
_hash_word = _WordHashes().__getitem__


class Block(NamedTuple):
    """The nodes from the first token of a block to its last, and the characters kept of the text nodes at its ends."""

    nodes: range
    clips: dict[int, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a tree, and the pieces they come in."""

    tree: Tree
    terms: Hashes
    """One a token."""
    firsts: Integers
    """One a piece: its first token. One more at the end: how many tokens there are."""
    nodes: Integers
    """One a piece: the element of the tag, or the text node."""
    piece_tags: Hashes
    """One a piece: the open tag of its tokens."""

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def open_tags(self) -> Hashes:
        """The open tag of each token."""
        return np.repeat(self.piece_tags, np.diff(self.firsts))

    @property
    def is_tag(self) -> NDArray[np.bool_]:
        """Whether each token is a tag."""
        tags = np.fromiter((self.tree.tag[node] != TEXT for node in self.nodes.tolist()), bool, len(self.nodes))
        return np.repeat(tags, np.diff(self.firsts))

    @property
    def shapes(self) -> Hashes:
        """The tokens with all words made alike: what is left of a page whose language nobody knows."""
        known = np.fromiter(_not_words, np.uint32, len(_not_words))
        return np.where(np.isin(self.terms, known), self.terms, np.uint32(WORD))

    def piece(self, token: int) -> int:
        """The piece that a token belongs to."""
        return int(np.searchsorted(self.firsts, token, side="right")) - 1

    def block(self, start: int, stop: int) -> Block | None:
        """Back to the tree: the text nodes, and the characters of them, that tokens `start` to `stop` came from.

        None when there is no text among these tokens.
        """
        first, last = self.piece(start), self.piece(stop - 1)
        texts = [piece for piece in range(first, last + 1) if self.tree.tag[int(self.nodes[piece])] == TEXT]
        if not texts:
            return None
        clips: dict[int, tuple[int, int]] = {}
        for piece in {texts[0], texts[-1]}:
            node = int(self.nodes[piece])
            begin, end = int(self.firsts[piece]), int(self.firsts[piece + 1])
            if start > begin or stop < end:
                clips[node] = _characters(self.tree.text[node], max(start - begin, 0), min(stop, end) - begin)
        return Block(range(int(self.nodes[texts[0]]), int(self.nodes[texts[-1]]) + 1), clips)


def tokenize(tree: Tree) -> Tokens:
    """The tokens of a page, in one pass."""
    terms: list[int] = []
    firsts: list[int] = []
    nodes: list[int] = []
    piece_tags: list[int] = []
    tags, texts, ends = tree.tag, tree.text, tree.end
    starts, hash_word, split = _START_TAGS, _hash_word, language.tokens
    visible = set(text_nodes(tree))
    unclosed: list[tuple[int, int]] = []  # the elements to be closed, each with the height of the stack below it
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
            firsts.append(size)
            nodes.append(element)
            piece_tags.append(top)
            terms.append(_END_TAGS.get(tags[element], UNKNOWN_END))
            size += 1
        if node >= count:
            break
        tag = tags[node]
        if tag == TEXT:
            if node in visible:
                firsts.append(size)
                nodes.append(node)
                piece_tags.append(top)
                terms.extend(map(hash_word, split(texts[node])))
                size = len(terms)
            node += 1
            continue
        top = starts.get(tag, UNKNOWN_TAG)
        firsts.append(size)
        nodes.append(node)
        piece_tags.append(top)
        terms.append(top)
        size += 1
        if tag not in VOID:
            unclosed.append((node, len(stack)))
            close_at = ends[node]
        stack.append(top)
        node = ends[node] if tag in _DISCARDED else node + 1
    firsts.append(size)
    return Tokens(
        tree,
        np.array(terms, np.uint32),
        np.array(firsts, np.int64),
        np.array(nodes, np.int64),
        np.array(piece_tags, np.uint32),
    )


def _characters(text: str, first: int, stop: int) -> tuple[int, int]:
    """Where in a text its tokens `first` to `stop` stand."""
    position = begin = 0
    for index, token in enumerate(language.tokens(text)[:stop]):
        found = text.index(token, position)
        if index == first:
            begin = found
        position = found + len(token)
    return begin, position
