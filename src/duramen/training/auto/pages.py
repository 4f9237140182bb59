"""What is kept of a labelled page: its features, the words of each block and how many of them the gold has.

The words of the page's blocks are laid beside those of the gold text (`evaluation.metrics.positions`): a block's label
is the share of its words that are part of the gold. Of the tree no more is kept than the names of its elements.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen import language
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.tree import Tree
from duramen.evaluation.metrics.positions import PageWords
from duramen.methods.auto import class_scores as hints
from duramen.methods.auto import columns, features
from duramen.methods.auto.class_scores import Dictionary
from duramen.methods.auto.columns import HINTS, NAMES
from duramen.methods.auto.page_type import read_facts
from duramen.methods.auto.path_weights import weigh
from duramen.methods.auto.title import Sayings

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

_HINTS_AT, _WAY = NAMES.index("own"), NAMES.index("way")
_WEIGHTLESS = array("q")
FEWEST_FOUND = 0.5
"""Share of the gold's words that must stand on the page: of a page drawn by scripts nothing can be learnt."""

Labels = dict[int, tuple[int, int]]
"""For the first text node of a block: how many of its words the gold has, and how many there are."""


@dataclass(eq=False)
class LabelledPage:
    """A page to learn from, or to be scored on."""

    site: str
    article: bool
    """Whether it is read as an article."""
    kind: str
    """The type of page."""
    rows: Floats = field(repr=False)
    words: Integers = field(repr=False)
    """Of each block the words, as the gold counts them, and how many of these the gold has."""
    hits: Integers = field(repr=False)
    gold: int
    tags: list[str] = field(repr=False)
    """Of each element: its tag, its names, the element around, and its range of blocks."""
    names: list[list[str]] = field(repr=False)
    parent: array[int] = field(repr=False)
    start: array[int] = field(repr=False)
    stop: array[int] = field(repr=False)
    owner: array[int] = field(repr=False)
    kinds: Integers = field(repr=False)
    circles: Integers = field(repr=False)
    share: float = 1.0
    """How much it counts beside other pages."""
    voice: int | None = None
    """The voice that learns from it; None for what all learn from."""
    facts: array[float] = field(default_factory=lambda: array("d"), repr=False)
    """What it says it is."""

    def fold(self, folds: int) -> int:
        """The part of the sites that the page is in."""
        return fold_of(self.site, folds)

    @property
    def is_whole(self) -> bool:
        """Whether it is a page as it was found, and no variant of one."""
        return self.voice is None

    @property
    def usable(self) -> bool:
        return self.gold > 0 and int(self.hits.sum()) >= FEWEST_FOUND * self.gold

    @property
    def labels(self) -> Floats:
        return (self.hits / np.maximum(self.words, 1)).astype(np.float32)

    def set_names(self, dictionary: Dictionary, weights: array[int] = _WEIGHTLESS) -> None:
        """Write what a dictionary says of the names of elements into the rows: as `features.describe` does."""
        self._set_scores(dictionary)
        self.rows[:, _WAY] = np.frombuffer(self._weigh(dictionary, weights))[np.array(self.owner)]

    def _weigh(self, dictionary: Dictionary, weights: array[int]) -> array[float]:
        which: dict[tuple[str, ...], int] = {}
        ends, words = array("q", (0,)), array("q")
        numbers = array("q")
        for names in self.names:
            key = tuple(names)
            if key not in which:
                which[key] = len(which)
                found = hints.numbers_of([word for name in names for word in hints.words(name)], dictionary)
                words.extend([number for number in found if number >= 0])
                ends.append(len(words))
            numbers.append(which[key])
        tags = array("q", hints.numbers_of([f"<{tag}>" for tag in self.tags], dictionary))
        return weigh(self.parent, tags, numbers, ends, words, weights)

    def _set_scores(self, dictionary: Dictionary) -> None:
        known: dict[tuple[str, ...], hints.Score] = {}
        found: list[tuple[float, ...]] = []
        for element, names in enumerate(self.names):
            key = tuple(names)
            if key not in known:
                known[key] = hints.score(names, dictionary)
            mean, lowest, highest, named = known[key]
            tag = dictionary.get(f"<{self.tags[element]}>", 0)
            above = self.parent[element]
            if above < 0:
                first = mean, mean, min(lowest, tag), max(highest, tag), mean + 0.5 * tag
                found.append((*first, 0.0, 0.0, 0.0, tag, lowest))
                continue
            own, near, low, high, total, around, further, _, _, low_word = found[above]
            found.append(
                (
                    *(mean, mean if named else near, min(low, lowest, tag), max(high, highest, tag)),
                    *(total + mean + 0.5 * tag, own, around, further, tag, min(low_word, lowest)),
                )
            )
        self.rows[:, _HINTS_AT : _HINTS_AT + HINTS] = [found[owner] for owner in self.owner]

    def forget_names(self) -> None:
        """As if no element had a name: such pages there are, too."""
        self.rows[:, _HINTS_AT : _WAY + 1] = 0.0


def fold_of(site: str, folds: int) -> int:
    """The part of the sites that a site is in: the same on every run."""
    return crc32(site.encode()) % folds


def label(blocks: Blocks, gold: list[str]) -> Labels:
    """The labels of the blocks of a page."""
    each = [language.words(text) for text in blocks.text]
    placed = PageWords([word for words in each for word in words]).place(gold).positions
    found: Labels = {}
    at = 0
    for first, words in zip(blocks.first, each, strict=True):
        found[first] = sum(1 for place in range(at, at + len(words)) if place in placed), len(words)
        at += len(words)
    return found


def labelled(
    tree: Tree,
    sayings: Sayings,
    labels: Labels,
    gold: int,
    *,
    site: str,
    article: bool,
    kind: str,
    share: float = 1.0,
    voice: int | None = None,
    address: str | None = None,
) -> LabelledPage:
    """What is kept of a page whose blocks have these labels; a block without one is no content."""
    blocks = find_blocks(tree)
    known = features.describe(blocks, {}, sayings)
    pairs = [
        labels.get(first) or (0, language.count_words(text))
        for first, text in zip(blocks.first, blocks.text, strict=True)
    ]
    whole = [
        hints.names(own) if tree.tag[node] not in ("html", "body") else []
        for node, own in zip(blocks.node, tree.read_attributes(blocks.node), strict=True)
    ]
    return LabelledPage(
        site=site,
        article=article,
        kind=kind,
        rows=np.frombuffer(known.rows, np.float64).reshape(len(blocks), -1).astype(np.float32),
        hits=np.array([hit for hit, _ in pairs], np.int64),
        words=np.array([size for _, size in pairs], np.int64),
        gold=gold,
        tags=[tree.tag[node] for node in blocks.node],
        names=whole,
        parent=blocks.parent,
        start=blocks.start,
        stop=blocks.stop,
        owner=blocks.owner,
        kinds=np.array(known.kind, np.int64),
        circles=np.array(known.circles, np.int64).reshape(-1, columns.CIRCLES),
        share=share,
        voice=voice,
        facts=read_facts(tree, known.currencies, address),
    )
