"""A page as numbers: what a site model keeps of each page that it has seen.

Each block of the page has a row: the hash of its text, the hash of its place, its words, and the log-odds that `auto`
gives it. Longer blocks also have the hashes of a few runs of words, by which texts that are nearly the same are found.
No text of the page is kept. A page with more blocks than `MAX_BLOCKS` is cut to those with the most words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.dom.blocks import Blocks
from duramen.dom.page import Page
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.title import read_title_text
from duramen.wrappers.tag_paths import format_named_step

Hashes = NDArray[np.uint64]
Integers = NDArray[np.int64]

MAX_BLOCKS: Final = 2000
"""Blocks of a page that are kept. Pages have some 300; long threads and tables have thousands."""
MIN_SHINGLED_WORDS, MAX_SHINGLED_WORDS = 8, 64
"""Shorter texts are the same or they are not; longer ones are hardly ever written by the site."""
MIN_SHINGLED_PROBABILITY: Final = 0.1
"""Blocks that are less likely content than this are not, whatever repeats."""
MIN_COPIED_WORDS: Final = 8
"""Shorter blocks do not show whether a page is a copy."""
SHINGLE_WORDS: Final = 4
SHINGLES_PER_BLOCK: Final = 4
"""The smallest hashes of a block's runs of words: a sample that is the same for the same runs on every page."""
MAX_LOG_ODDS: Final = 8.0
FIELDS: Final = ("title", "authors", "published")
"""Metadata fields whose places are kept."""

_find_number = re.compile(r"\d+")
_find_letter = re.compile(r"[^\W\d_]")
_PATH_FACTOR: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1


@dataclass(frozen=True, eq=False)
class PageSketch:
    """Parallel arrays, one item per block."""

    key: int
    """A hash of all texts of the page: the same page has the same key, whatever its URL."""
    title: int
    """A hash of the page's `<title>`; 0 without one."""
    texts: Hashes
    """Hash of each text: lower case, numbers all alike; blocks of links differ from others with the same words.

    0 for a text that is not compared: numbers alone, and listings, whose lines repeat because the language does.
    """
    places: Hashes
    """Hash of the tag path, with ids and classes in tolerant form."""
    words: Integers
    log_odds: Floats
    """As `auto` judges the page alone."""
    shingles: Hashes
    """A row of `SHINGLES_PER_BLOCK` for each block; 0 where a block has fewer."""
    fields: Hashes = field(default_factory=lambda: np.zeros(len(FIELDS), np.uint64))
    """Hash of the place of each of the `FIELDS`; 0 for one that the page does not show, or if they were not read."""

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def text_set(self) -> frozenset[int]:
        return frozenset(self.texts.tolist())

    @cached_property
    def place_set(self) -> frozenset[int]:
        return frozenset(self.places.tolist())

    @cached_property
    def is_likely(self) -> NDArray[np.bool_]:
        """Which blocks are more likely content than not, for `auto` alone."""
        return np.asarray(self.log_odds > 0.0)

    @cached_property
    def likely_texts(self) -> Sequence[tuple[int, int]]:
        """The hash and the words of each longer text that is more likely content than not."""
        longer = np.flatnonzero(self.is_likely & (self.words >= MIN_COPIED_WORDS))
        return list(zip(self.texts[longer].tolist(), self.words[longer].tolist(), strict=True))

    def cut(self) -> PageSketch:
        """Return the sketch with no more than `MAX_BLOCKS` blocks: those with the most words."""
        if len(self) <= MAX_BLOCKS:
            return self
        kept = np.sort(np.argsort(-self.words, kind="stable")[:MAX_BLOCKS])
        names = ("texts", "places", "words", "log_odds", "shingles")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})


def sketch_page(blocks: Blocks, probabilities: Floats) -> PageSketch:
    """Return the sketch of a page with these blocks and the probabilities that `auto` gives them."""
    texts, shingles = _hash_texts(blocks, probabilities)
    places, in_listing = _hash_places(blocks)
    for block in in_listing:
        texts[block] = 0
        shingles[block] = 0
    p = np.clip(probabilities, 1e-6, 1.0 - 1e-6)
    log_odds = np.clip(np.round(np.log(p / (1.0 - p)) * 8.0) / 8.0, -MAX_LOG_ODDS, MAX_LOG_ODDS)
    key = int.from_bytes(blake2b(np.array(texts, np.uint64).tobytes(), digest_size=8).digest(), "little")
    return PageSketch(
        key,
        _hash_long_text(title, False) if (title := read_title_text(blocks.tree)) else 0,
        np.array(texts, np.uint64),
        np.array(places, np.uint64),
        np.array(blocks.words, np.int64),
        log_odds,
        shingles,
    )


def _hash_texts(blocks: Blocks, probabilities: Floats) -> tuple[list[int], Hashes]:
    """Return the hash of each block, and the smallest hashes of its runs of words."""
    texts: list[int] = []
    shingled: dict[int, str] = {}
    doubtful = (probabilities >= MIN_SHINGLED_PROBABILITY).tolist()
    rows = zip(blocks.text, blocks.words, blocks.linked, doubtful, strict=True)
    for block, (text, words, linked, is_doubtful) in enumerate(rows):
        is_link = 2 * linked >= words
        texts.append(_hash_text(text, is_link) if len(text) < 200 else _hash_long_text(text, is_link))
        if is_doubtful and MIN_SHINGLED_WORDS <= words <= MAX_SHINGLED_WORDS and not is_link:
            shingled[block] = text
    shingles = np.zeros((len(texts), SHINGLES_PER_BLOCK), np.uint64)
    if shingled:
        shingles[list(shingled)] = find_shingles(list(shingled.values()))
    return texts, shingles


def _hash_long_text(text: str, is_link: bool) -> int:
    if _find_letter.search(text) is None:
        return 0
    normal = _find_number.sub("0", text.casefold())
    digest = blake2b(normal.encode("utf-8", "surrogatepass"), digest_size=8, salt=b"link" if is_link else b"").digest()
    return int.from_bytes(digest, "little")


_hash_text = lru_cache(maxsize=1 << 14)(_hash_long_text)  # menus of a site are hashed once


@lru_cache(maxsize=1 << 15)
def _hash_word(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass"))


def find_shingles(texts: Sequence[str]) -> Hashes:
    """Return the smallest hashes of the runs of words of each text.

    Each text has a row, which is padded with zeros.
    """
    words: list[int] = []
    ends = []
    for text in texts:
        pieces = _find_number.sub("0", text.casefold()).split()
        if len(pieces) < SHINGLE_WORDS:  # a script without spaces: runs of characters
            pieces = list(text)
        words += map(_hash_word, pieces)
        ends.append(len(words))
    runs = np.zeros(len(words), np.uint64)
    hashes = np.array(words, np.uint64)
    for shift in range(SHINGLE_WORDS):  # the sums wrap around, and their upper half is well mixed
        runs[: len(words) - shift] = (runs[: len(words) - shift] ^ hashes[shift:]) * np.uint64(_PATH_FACTOR)
    runs >>= np.uint64(32)
    owner = np.repeat(np.arange(len(texts)), np.diff(ends, prepend=0))
    is_run = np.arange(len(words)) + SHINGLE_WORDS <= np.array(ends)[owner]
    order = np.lexsort((runs, owner))
    order = order[is_run[order]]
    runs, owner = runs[order], owner[order]
    is_new = np.ones(len(runs), bool)
    is_new[1:] = (runs[1:] != runs[:-1]) | (owner[1:] != owner[:-1])
    runs, owner = runs[is_new], owner[is_new]
    rank = np.arange(len(runs)) - np.searchsorted(owner, owner)
    smallest = np.zeros((len(texts), SHINGLES_PER_BLOCK), np.uint64)
    is_small = rank < SHINGLES_PER_BLOCK
    smallest[owner[is_small], rank[is_small]] = runs[is_small]
    return smallest


def find_field_places(page: Page, blocks: Blocks, places: Hashes) -> Hashes:
    """Return the places of the blocks that show the `FIELDS` of a page.

    A field that the page does not show has the place 0.
    """
    from duramen.wrappers.metadata_fields import find_field_elements  # only where pages are learned from

    found = np.zeros(len(FIELDS), np.uint64)
    if not len(blocks):
        return found
    elements = find_field_elements(page)
    first, end = np.asarray(blocks.first), page.tree.end
    for index, name in enumerate(FIELDS):
        if (node := elements.get(name)) is not None:
            # The element holds the start of a block, or stands inside of one.
            after = int(np.searchsorted(first, node))
            at = after if after < len(first) and first[after] < end[node] else max(after - 1, 0)
            found[index] = places[at]
    return found


def find_places(blocks: Blocks) -> frozenset[int]:
    """Return the hashes of the places at which a page has text."""
    return frozenset(_hash_places(blocks)[0])


def _hash_places(blocks: Blocks) -> tuple[list[int], list[int]]:
    """Return the hash of the tag path of the element that holds each block, and the blocks that are in listings."""
    tree = blocks.tree
    nodes = blocks.node.tolist()
    names, name_of = tree.attribute_combinations(("id", "class"), nodes)
    tags = tree.tag
    steps: dict[tuple[str, int], int] = {}
    hashes: list[int] = []
    in_listing = bytearray(len(nodes))
    for at, (node, name, parent) in enumerate(zip(nodes, name_of, blocks.parent, strict=True)):
        in_listing[at] = tags[node] == "pre" or (parent >= 0 and in_listing[parent])
        key = tags[node], name if parent > 0 else -1
        step = steps.get(key)
        if step is None:
            # The classes of a body often differ from page to page, so the step of a body is its tag alone.
            identifier, classes = names[name] if parent > 0 else (None, None)
            step = steps[key] = _hash_step(key[0], identifier, classes)
        above = hashes[parent] if parent >= 0 else 0
        hashes.append(((above ^ step) * _PATH_FACTOR + 1) & _MASK)
    listings = [block for block, owner in enumerate(blocks.owner) if in_listing[owner]] if any(in_listing) else []
    return [hashes[owner] for owner in blocks.owner], listings


@lru_cache(maxsize=1 << 14)
def _hash_step(tag: str, identifier: Any, classes: Any) -> int:
    step = format_named_step(tag, identifier, classes)
    digest = blake2b(step.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
