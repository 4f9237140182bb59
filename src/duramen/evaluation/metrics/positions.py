"""Words by position: every word of the page is distinct, even if two share the same text.

    P = |W_P ∩ W_L| / |W_P|        R = |W_P ∩ W_L| / |W_L|

with W_P the words of the page that were extracted and W_L those that are labelled. A page may have several acceptable
labels (with the headline or without); the *short* extraction is the main text alone, the *best* one is the label with
the highest F1 for this very extraction.

Jeff Pasternack and Dan Roth, "Extracting Article Text from the Web with Maximum Subsequence Segmentation", WWW 2009,
section 7.

Neither a gold text nor a peer's output says where on the page its words stood, so both are laid over the words of the
page's visible text. Four words in a row that occur once on the page are an anchor (the idea of Bram Cohen's patience
diff); of the runs that begin with one those stay that keep their order and have the most words, and what lies between
is aligned by the longest common subsequence. Without anchors a sentence of the footer could be found word by word all
over the article. Words that cannot be aligned with the page (it hides them, or the extractor has moved them) are taken
as bags of words, as the paper does where its alignment fails.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from duramen.evaluation.metrics.agreement import Agreement, agreement
from duramen.evaluation.metrics.lcs import lcs_pairs

ANCHOR_LENGTH = 4
"""How many words in a row make an anchor."""

Anchor = tuple[str, ...]


@dataclass(frozen=True)
class Placed:
    """The words of a text: those found on the page, by position, and the others."""

    positions: frozenset[int]
    others: Counter[str]

    def __len__(self) -> int:
        return len(self.positions) + self.others.total()


class _Run(NamedTuple):
    """The same words on the page and in the text."""

    on_page: int
    in_text: int
    length: int


@dataclass(frozen=True)
class PageWords:
    """The words of a page's visible text, and the anchors among them."""

    words: Sequence[str]

    @cached_property
    def anchors(self) -> dict[Anchor, int]:
        """Where the anchors begin: only those that occur once."""
        last = dict(zip(grams := list(_grams(self.words)), range(len(grams)), strict=True))
        if len(last) == len(grams):
            return last
        return {anchor: last[anchor] for anchor, count in Counter(grams).items() if count == 1}

    def place(self, text: Sequence[str]) -> Placed:
        """Which words of the page the words of a text are."""
        positions = frozenset(self._positions(text))
        return Placed(positions, Counter(text) - Counter(map(self.words.__getitem__, positions)))

    def _positions(self, text: Sequence[str]) -> list[int]:
        found: list[int] = []
        page_start = text_start = 0
        for run in _heaviest_rise(self._runs(text)):
            gap = self.words[page_start : run.on_page], text[text_start : run.in_text]
            found += _gap_positions(*gap, page_start, from_right=not found)
            page_start, text_start = run.on_page + run.length, run.in_text + run.length
            found += range(run.on_page, page_start)
        found += _gap_positions(self.words[page_start:], text[text_start:], page_start, from_right=False)
        return found

    def _runs(self, text: Sequence[str]) -> list[_Run]:
        """The runs of words that begin with an anchor and are the same on the page and in the text, in its order."""
        page, anchors = self.words, self.anchors
        runs = []
        grams = list(_grams(text))
        start = 0
        while start < len(grams):
            on_page = anchors.get(grams[start], -1)
            if on_page < 0:
                start += 1
                continue
            length = ANCHOR_LENGTH
            room = min(len(page) - on_page, len(text) - start)
            while length < room and page[on_page + length] == text[start + length]:
                length += 1
            runs.append(_Run(on_page, start, length))
            start += length
        return runs


def position_agreement(label: Placed, extracted: Placed) -> Agreement:
    """Of an extraction and one label, both placed on the page."""
    common = len(label.positions & extracted.positions) + (label.others & extracted.others).total()
    return agreement(common, len(extracted), len(label))


def short_and_best(labels: Iterable[Placed], extracted: Placed) -> tuple[Agreement, Agreement]:
    """The agreement with the short label, which comes first, and with the one that fits best."""
    found = [position_agreement(label, extracted) for label in labels]
    return found[0], max(found, key=lambda each: each.f1)


def _grams(words: Sequence[str]) -> Iterator[Anchor]:
    return zip(*(words[start:] for start in range(ANCHOR_LENGTH)), strict=False)


def _heaviest_rise(runs: Sequence[_Run]) -> list[_Run]:
    """Runs in the order of the text that keep their order on the page and do not overlap there: the most words so.

    `ends` and `weights` are the chains of runs worth going on with: one that ends later must weigh more.
    """
    ends: list[int] = []
    weights: list[int] = []
    lasts: list[int] = []
    before: list[int] = []
    for index, run in enumerate(runs):
        place = bisect_right(ends, run.on_page)
        before.append(lasts[place - 1] if place else -1)
        weight = run.length + (weights[place - 1] if place else 0)
        end = run.on_page + run.length
        place = bisect_right(ends, end)
        if place and weights[place - 1] >= weight:
            continue
        first = place - 1 if place and ends[place - 1] == end else place
        while place < len(ends) and weights[place] <= weight:
            place += 1
        ends[first:place], weights[first:place], lasts[first:place] = [end], [weight], [index]
    kept = []
    index = lasts[-1] if lasts else -1
    while index >= 0:
        kept.append(runs[index])
        index = before[index]
    kept.reverse()
    return kept


def _gap_positions(page: Sequence[str], text: Sequence[str], start: int, *, from_right: bool) -> list[int]:
    """Positions of the words between two anchors. What comes before the first anchor is pulled to the right, to it."""
    if not page or not text:
        return []
    if from_right:
        last = start + len(page) - 1
        return [last - i for i, _ in reversed(lcs_pairs(page[::-1], text[::-1]))]
    return [start + i for i, _ in lcs_pairs(page, text)]
