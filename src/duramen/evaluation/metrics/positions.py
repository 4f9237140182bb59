"""Agreement of words by position: two occurrences of one word on a page are different words.

    P = |W_P ∩ W_L| / |W_P|        R = |W_P ∩ W_L| / |W_L|

W_P are the words of the page that were extracted, W_L those of the reference. A page may have several acceptable
references (with the headline or without). The *short* one is the main text alone, the *best* one is that with the
highest F1 for the extraction.

Jeff Pasternack and Dan Roth, "Extracting Article Text from the Web with Maximum Subsequence Segmentation", WWW 2009,
section 7.

Neither reference texts nor outputs of peers have the positions of their words on the page, so both are aligned with the
words of the page's visible text. Four words in a row that occur once on the page are an anchor (the idea of Bram
Cohen's patience diff). Each anchor is extended to the longest equal run. Of these runs, those in increasing order
with the most words are kept, and the gaps between them are aligned by the longest common subsequence. Without
anchors, a sentence of the footer could be matched word by word all over the article. Words that cannot be aligned
(the page hides them, or the extractor has moved them) are compared as bags of words, as the paper does where its
alignment fails.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from duramen.evaluation.metrics.agreement import Agreement, agreement
from duramen.evaluation.metrics.common_subsequence import lcs_pairs
from duramen.language import words

ANCHOR_WORDS = 4

Anchor = tuple[str, ...]


@dataclass(frozen=True)
class PlacedWords:
    """The words of a text: the positions of those found on the page, and the others."""

    positions: frozenset[int]
    others: Counter[str]

    def __len__(self) -> int:
        return len(self.positions) + self.others.total()


class _EqualRun(NamedTuple):
    """A run of equal words on the page and in the text."""

    on_page: int
    in_text: int
    length: int


@dataclass(frozen=True)
class PageWords:
    """The words of a page's visible text, and the anchors among them."""

    words: Sequence[str]

    @cached_property
    def anchors(self) -> dict[Anchor, int]:
        """The positions of the anchors: runs of words that occur once."""
        last = dict(zip(grams := list(_make_grams(self.words)), range(len(grams)), strict=True))
        if len(last) == len(grams):
            return last
        return {anchor: last[anchor] for anchor, count in Counter(grams).items() if count == 1}

    def place(self, text: Sequence[str]) -> PlacedWords:
        """Align the words of a text with the page."""
        positions = frozenset(self._find_positions(text))
        return PlacedWords(positions, Counter(text) - Counter(map(self.words.__getitem__, positions)))

    def _find_positions(self, text: Sequence[str]) -> list[int]:
        positions: list[int] = []
        page_start = text_start = 0
        for run in _heaviest_increasing_runs(self._find_runs(text)):
            gap = self.words[page_start : run.on_page], text[text_start : run.in_text]
            positions += _align_gap(*gap, page_start, from_right=not positions)
            page_start, text_start = run.on_page + run.length, run.in_text + run.length
            positions += range(run.on_page, page_start)
        positions += _align_gap(self.words[page_start:], text[text_start:], page_start, from_right=False)
        return positions

    def _find_runs(self, text: Sequence[str]) -> list[_EqualRun]:
        """Find the runs of equal words that begin with an anchor, in the order of the text."""
        page, anchors = self.words, self.anchors
        runs = []
        grams = list(_make_grams(text))
        start = 0
        while start < len(grams):
            on_page = anchors.get(grams[start], -1)
            if on_page < 0:
                start += 1
                continue
            length = ANCHOR_WORDS
            room = min(len(page) - on_page, len(text) - start)
            while length < room and page[on_page + length] == text[start + length]:
                length += 1
            runs.append(_EqualRun(on_page, start, length))
            start += length
        return runs


def count_common_words(texts: Iterable[str], reference: Sequence[str]) -> list[tuple[int, int]]:
    """Return for each text of a page how many of its words are in a reference, and how many words it has."""
    words_of_texts = [words(text) for text in texts]
    placed = PageWords([word for text_words in words_of_texts for word in text_words]).place(reference).positions
    counts = []
    start = 0
    for text_words in words_of_texts:
        stop = start + len(text_words)
        counts.append((sum(1 for place in range(start, stop) if place in placed), len(text_words)))
        start = stop
    return counts


def position_agreement(reference: PlacedWords, extracted: PlacedWords) -> Agreement:
    """Compare an extraction with one reference, both placed on the page."""
    common = len(reference.positions & extracted.positions) + (reference.others & extracted.others).total()
    return agreement(common, len(extracted), len(reference))


def short_and_best(references: Iterable[PlacedWords], extracted: PlacedWords) -> tuple[Agreement, Agreement]:
    """Compute the agreement with the short reference, which comes first, and with the one that fits best."""
    agreements = [position_agreement(reference, extracted) for reference in references]
    return agreements[0], max(agreements, key=lambda each: each.f1)


def _make_grams(words: Sequence[str]) -> Iterator[Anchor]:
    return zip(*(words[start:] for start in range(ANCHOR_WORDS)), strict=False)


def _heaviest_increasing_runs(runs: Sequence[_EqualRun]) -> list[_EqualRun]:
    """Choose runs that are also in order on the page and do not overlap there, with the most words in all.

    `ends` and `weights` describe the chains of runs that can still be the best: one that ends later weighs more.
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


def _align_gap(page: Sequence[str], text: Sequence[str], start: int, *, from_right: bool) -> list[int]:
    """Return the positions of the words between two anchors.

    Words before the first anchor are matched as far right as possible, close to it.
    """
    if not page or not text:
        return []
    if from_right:
        last = start + len(page) - 1
        return [last - i for i, _ in reversed(lcs_pairs(page[::-1], text[::-1]))]
    return [start + i for i, _ in lcs_pairs(page, text)]
