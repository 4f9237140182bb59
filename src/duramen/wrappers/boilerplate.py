"""Blocks of text in a region, and which of them are boilerplate.

Boilerplate is text that belongs to the site and not to the article.

Two properties mark boilerplate: it is the same on other pages, or it is a list of links. Neither is proof alone:
headings such as "Summary" occur in many articles, and an article may link a whole line. So blocks are counted by their
box path, and a path is judged as in the paper's J, by the end of the confidence interval that is against the verdict.
A block is *fresh* if it differs from all blocks of other pages and is not mostly links. A path is boilerplate if less
than half of its words are fresh even at the upper end; it is content if more than half are at the lower end. In
between, the path of the element above decides.

- A block that is mostly links is dropped if its path is boilerplate.
- Any other block is dropped only if the same words were seen on another page and its path is boilerplate when only
  such blocks are counted; or if its words were seen on most pages, once on each. New words are never boilerplate: one
  page of ten may have a list where the others have lines of the site.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import sqrt
from typing import NamedTuple

from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree
from duramen.language import words
from duramen.wrappers.tag_paths import BoxPaths


class TextBlock(NamedTuple):
    """A block of text of a page (`dom.blocks`), or the part of it that stands in a region."""

    node: int
    """The element that holds the block."""
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


def find_text_blocks(tree: Tree, region: int = 0, max_chars: int | None = None) -> list[TextBlock]:
    """Return the blocks of a page inside an element.

    Blocks without links that are longer than `max_chars` characters are not split into words: their text is empty.
    """
    blocks = find_blocks(tree)
    end = tree.end[region]
    found = []
    for block in range(bisect_left(blocks.last, region), bisect_left(blocks.first, end)):
        text, linked_words = blocks.text[block], blocks.linked[block]
        is_compared = max_chars is None or linked_words or len(text) <= max_chars
        compared_text = " ".join(words(text)) if is_compared else ""
        if compared_text or not is_compared:
            found.append(
                TextBlock(
                    blocks.node[blocks.owner[block]],
                    max(blocks.first[block], region),
                    min(blocks.last[block], end - 1),
                    blocks.words[block],
                    linked_words,
                    compared_text,
                )
            )
    return found


@dataclass
class BlockCounts:
    """Counts of the blocks of one box path: all blocks, then only those that are not mostly links (`plain`)."""

    blocks: int = 0
    words: int = 0
    fresh_words: int = 0
    plain_blocks: int = 0
    plain_words: int = 0
    plain_fresh_words: int = 0

    def add(self, words: int, is_fresh: bool, is_mostly_links: bool) -> None:
        self.blocks += 1
        self.words += words
        if not is_mostly_links:
            self.plain_blocks += 1
            self.plain_words += words
            if is_fresh:
                self.fresh_words += words
                self.plain_fresh_words += words

    def plus(self, other: BlockCounts) -> BlockCounts:
        return BlockCounts(*(mine + yours for mine, yours in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def as_tuple(self) -> tuple[int, int, int, int, int, int]:
        return (
            self.blocks,
            self.words,
            self.fresh_words,
            self.plain_blocks,
            self.plain_words,
            self.plain_fresh_words,
        )

    def is_boilerplate(self, is_mostly_links: bool) -> bool | None:
        """Judge a block of this path, which is mostly links or not; None if the sample is too small."""
        blocks, words, fresh_words = self.as_tuple()[:3] if is_mostly_links else self.as_tuple()[3:]
        if not words:
            return None
        # The words of one block are not independent: there are as many observations as blocks.
        lower, upper = confidence_interval(fresh_words / words * blocks, blocks)
        return True if upper < 0.5 else False if lower > 0.5 else None


def confidence_interval(x: float, n: float) -> tuple[float, float]:
    """Return the share x / n minus and plus one standard deviation: the paper's equation (1)."""
    if n <= 0:
        return 0.0, 1.0
    middle, deviation = (x + 0.5) / (n + 1), sqrt((x + 0.5) * (n - x + 0.5) / n) / (n + 1)
    return max(0.0, middle - deviation), min(1.0, middle + deviation)


@dataclass(frozen=True)
class Boilerplate:
    """Counts of the blocks inside the regions of a sample."""

    pages: int = 0
    paths: Mapping[str, BlockCounts] = field(default_factory=dict, repr=False)
    """The counts of each box path."""
    texts: Mapping[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    """Repeated texts: the number of pages that have the text, and the number that have it exactly once."""

    @cached_property
    def max_repeated_chars(self) -> int:
        """The length in characters above which a block cannot be a repeated text.

        It is twice the length of the longest repeated text. Repeated texts are stored without punctuation and with
        single spaces; these are hardly ever more than half of a text.
        """
        return 2 * max(map(len, self.texts), default=0)

    def plus(self, other: Boilerplate) -> Boilerplate:
        """Add the counts of two samples. A text that occurs once in each is not counted: that needs the pages."""
        paths = dict(self.paths)
        for path, counts in other.paths.items():
            paths[path] = paths[path].plus(counts) if path in paths else counts
        texts = dict(self.texts)
        for text, (pages, once) in other.texts.items():
            before = texts.get(text, (0, 0))
            texts[text] = before[0] + pages, before[1] + once
        return Boilerplate(self.pages + other.pages, paths, texts)

    def find_boilerplate(self, blocks: Iterable[TextBlock], paths: BoxPaths) -> list[TextBlock]:
        """Return the blocks of a region that are boilerplate."""
        verdicts: dict[tuple[str, bool], bool | None] = {}
        boilerplate = []
        for block in blocks:
            is_mostly_links, repeated = block.is_mostly_links, self.texts.get(block.text)
            if self._is_on_most_pages(repeated) or (
                (is_mostly_links or repeated) and self._judge_by_path(block.node, is_mostly_links, paths, verdicts)
            ):
                boilerplate.append(block)
        return boilerplate

    def _is_on_most_pages(self, repeated: tuple[int, int] | None) -> bool:
        """True if a text occurs on most pages, once on each."""
        if repeated is None or self.pages < 2:
            return False
        once = min(repeated[1], self.pages)  # a file may say anything
        return confidence_interval(once, self.pages)[0] > 0.5

    def _judge_by_path(
        self, node: int, is_mostly_links: bool, paths: BoxPaths, verdicts: dict[tuple[str, bool], bool | None]
    ) -> bool:
        for element in paths.elements_around(node):
            key = paths[element], is_mostly_links
            if key not in verdicts:
                counts = self.paths.get(key[0])
                verdicts[key] = counts.is_boilerplate(is_mostly_links) if counts else None
            verdict = verdicts[key]
            if verdict is not None:
                return verdict
        return False


RegionBlocks = tuple[Tree, int, Sequence[TextBlock]]
"""A region of a page: its tree, its element, and the blocks in it."""


def count_blocks(regions: Sequence[RegionBlocks], page_blocks: Sequence[Sequence[TextBlock]]) -> Boilerplate:
    """Count the blocks of the regions of a sample; `page_blocks` are all blocks of each page of the sample."""
    # A summary of the article may stand in links on other pages and is still not boilerplate: blocks that are mostly
    # links are compared only with such blocks.
    pages_with = Counter(
        key for blocks in page_blocks for key in {(block.text, block.is_mostly_links) for block in blocks}
    )
    paths: dict[str, BlockCounts] = {}
    repeated: dict[int, Counter[str]] = {}  # by page: a page may have several regions
    for tree, region, blocks in regions:
        box_paths = BoxPaths(tree, region)
        repeated.setdefault(id(tree), Counter()).update(
            block.text for block in blocks if pages_with[block.text, block.is_mostly_links] > 1
        )
        counts: dict[int, BlockCounts] = {}
        for block in blocks:
            words = sum(not word.isdigit() for word in block.text.split())
            if words and block.node > region:  # page and line numbers are the same on all sites
                is_fresh = pages_with[block.text, block.is_mostly_links] < 2
                counts.setdefault(block.node, BlockCounts()).add(words, is_fresh, block.is_mostly_links)
        _add_to_ancestors(tree, region, counts)
        for path, own in _sum_by_path(tree, box_paths, counts):
            paths[path] = paths[path].plus(own) if path in paths else own
    texts: dict[str, tuple[int, int]] = {}
    for of_page in repeated.values():
        for text, count in of_page.items():
            pages, once = texts.get(text, (0, 0))
            texts[text] = pages + 1, once + (count == 1)
    return Boilerplate(len(repeated), paths, texts)


def _add_to_ancestors(tree: Tree, region: int, counts: dict[int, BlockCounts]) -> None:
    """Add the counts of each element to those of all elements around it, up to the region."""
    waiting = [-node for node in counts]
    heapify(waiting)
    while waiting:  # children come before their parents
        node = -heappop(waiting)
        parent = tree.parent[node]
        if parent > region:
            if parent not in counts:
                heappush(waiting, -parent)
                counts[parent] = counts[node].plus(BlockCounts())
            else:
                counts[parent] = counts[parent].plus(counts[node])


def _sum_by_path(
    tree: Tree, box_paths: BoxPaths, counts: Mapping[int, BlockCounts]
) -> Iterator[tuple[str, BlockCounts]]:
    """Yield the counts of elements by box path, each block once, even if several elements around it have the path."""
    ends: dict[str, int] = {}
    for node in sorted(counts):
        path = box_paths[node]
        if node >= ends.get(path, 0):
            ends[path] = tree.end[node]
            yield path, counts[node]
