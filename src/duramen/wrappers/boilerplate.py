"""What inside a region is the site's and not the article's, as far as the sample shows it.

Two things mark it: it is the same on other pages, or it is a list of links. Neither alone is proof. Headings such as
"Summary" come back in many articles, and an article may link a line. So blocks are counted by their box path, and
judged in the spirit of the paper's J, by the end of the interval that speaks against the verdict: a path is boilerplate
if, even at the upper end, less than half of what stands there is *fresh*, that is unlike other pages and not in links;
it is content if more than half is, at the lower end. In between, the path above it is asked.

- A block that is mostly links goes if its path is boilerplate.
- A block that is not goes only if its very words were seen on another page, and its path is boilerplate when judged by
  such blocks alone; or if its words were seen on most pages, once on each. New words are never boilerplate: one page
  among ten may hold a list that on the others held the site's own lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

from duramen.dom.tree import Tree
from duramen.wrappers.blocks import Block
from duramen.wrappers.steps import BoxPaths


@dataclass
class Tally:
    """Blocks of one box path: how many, with how many words, how many of these fresh; then the same without links."""

    blocks: int = 0
    words: int = 0
    fresh: int = 0
    plain_blocks: int = 0
    plain_words: int = 0
    plain_fresh: int = 0

    def add(self, words: int, fresh: bool, linked: bool) -> None:
        self.blocks += 1
        self.words += words
        if not linked:
            self.plain_blocks += 1
            self.plain_words += words
            if fresh:
                self.fresh += words
                self.plain_fresh += words

    def plus(self, other: Tally) -> Tally:
        return Tally(*(mine + yours for mine, yours in zip(self.row(), other.row(), strict=True)))

    def row(self) -> tuple[int, int, int, int, int, int]:
        return self.blocks, self.words, self.fresh, self.plain_blocks, self.plain_words, self.plain_fresh

    def is_boilerplate(self, linked: bool) -> bool | None:
        """The verdict on a block that is mostly links, or not; None where the sample is too small to tell."""
        blocks, words, fresh = self.row()[:3] if linked else self.row()[3:]
        if not words:
            return None
        # Words of one block stand or fall together: there are no more observations than blocks.
        lower, upper = interval(fresh / words * blocks, blocks)
        return True if upper < 0.5 else False if lower > 0.5 else None


def interval(x: float, n: float) -> tuple[float, float]:
    """The share that x of n stand for, one standard deviation either way: the paper's equation (1)."""
    if n <= 0:
        return 0.0, 1.0
    middle, deviation = (x + 0.5) / (n + 1), sqrt((x + 0.5) * (n - x + 0.5) / n) / (n + 1)
    return max(0.0, middle - deviation), min(1.0, middle + deviation)


@dataclass(frozen=True)
class Boilerplate:
    """What was counted inside the regions of a sample."""

    pages: int = 0
    paths: Mapping[str, Tally] = field(default_factory=dict, repr=False)
    texts: Mapping[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    """The blocks that came back: their words, on how many pages, and on how many of these just once."""

    @cached_property
    def longest(self) -> int:
        """Characters past which a block is none of the texts that came back: twice as many as the longest has.

        White space and punctuation, which those are without, are hardly ever the better half of a text.
        """
        return 2 * max(map(len, self.texts), default=0)

    def plus(self, other: Boilerplate) -> Boilerplate:
        """Of both samples. A text that came once in each is not known to have come back: that needs the pages."""
        paths = dict(self.paths)
        for path, tally in other.paths.items():
            paths[path] = paths[path].plus(tally) if path in paths else tally
        texts = dict(self.texts)
        for text, (pages, once) in other.texts.items():
            before = texts.get(text, (0, 0))
            texts[text] = before[0] + pages, before[1] + once
        return Boilerplate(self.pages + other.pages, paths, texts)

    def cuts(self, blocks: Iterable[Block], paths: BoxPaths) -> list[Block]:
        """The blocks of a region that go."""
        verdicts: dict[tuple[str, bool], bool | None] = {}
        gone = []
        for block in blocks:
            linked, known = block.is_linked, self.texts.get(block.text)
            if self._everywhere(known) or ((linked or known) and self._judge(block.node, linked, paths, verdicts)):
                gone.append(block)
        return gone

    def _everywhere(self, known: tuple[int, int] | None) -> bool:
        """Whether a text stands on most pages, once on each."""
        return known is not None and self.pages > 1 and interval(known[1], self.pages)[0] > 0.5

    def _judge(self, node: int, linked: bool, paths: BoxPaths, verdicts: dict[tuple[str, bool], bool | None]) -> bool:
        for above in paths.around(node):
            key = paths[above], linked
            if key not in verdicts:
                tally = self.paths.get(key[0])
                verdicts[key] = tally.is_boilerplate(linked) if tally else None
            verdict = verdicts[key]
            if verdict is not None:
                return verdict
        return False


Inside = tuple[Tree, int, Sequence[Block]]
"""A region of a page: its tree, its element, and the blocks in it."""


def count(regions: Sequence[Inside], page_blocks: Sequence[Sequence[Block]]) -> Boilerplate:
    """Count what stands in the regions of a sample, each of another page; `page_blocks` are all blocks of its pages."""
    # A story's summary may stand in links on other pages, and is still the story's: likes are compared with likes.
    seen = Counter(key for found in page_blocks for key in {(block.text, block.is_linked) for block in found})
    paths: dict[str, Tally] = {}
    texts: dict[str, tuple[int, int]] = {}
    for tree, region, blocks in regions:
        box = BoxPaths(tree, region)
        for text, times in Counter(block.text for block in blocks if seen[block.text, block.is_linked] > 1).items():
            pages, once = texts.get(text, (0, 0))
            texts[text] = pages + 1, once + (times == 1)
        for block in blocks:
            words = sum(not word.isdigit() for word in block.text.split())
            if not words:
                continue  # the numbers of pages and lines are the same everywhere
            linked, fresh = block.is_linked, seen[block.text, block.is_linked] < 2
            for path in {box[node] for node in box.around(block.node)}:
                paths.setdefault(path, Tally()).add(words, fresh, linked)
    return Boilerplate(len(regions), paths, texts)
