"""Evidence for and against each block of a page, from other pages of its site.

Each kind of evidence is a number per block, 0 where nothing is known, times a weight: log-odds that are added to those
of `auto` before it chooses its cut-off. Learned weights were compared with these (benchmarks/site_weights.py).

- *repeated*: the same text, or nearly the same, stands on more than half of the other pages. Labels in an article
  ("Ingredients", "Summary") repeat too: a short text counts only as far as the blocks beside it repeat, and a longer
  one counts double where they do.
- *place*: what `auto` says of the texts at the same place (tag path with ids and classes) of the other pages, against
  what it says of this one. A single block is judged by its neighbors; the same place of several pages has several.
- *field*: the place is that of the title, or of the authors and the date, on most of the other pages.

A data table repeats if all of its texts do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.dom.blocks import Blocks
from duramen.methods.auto.boosted_trees import Floats
from duramen.site_model.sketch import SHINGLES_PER_BLOCK, Hashes, Integers, PageSketch
from duramen.structure.data_tables import find_data_tables


class EvidenceWeights(NamedTuple):
    """Log-odds for each kind of evidence at its full strength."""

    repeated: float = -1.5
    """A longer text that is the same on all of many pages."""
    nearly_repeated: float = -1.5
    """A longer text that is nearly the same."""
    repeated_together: float = -1.5
    """A text of any length, if the blocks beside it repeat too."""
    place_above: float = 0.6
    """The share of the difference to the place by which a block is raised."""
    place_below: float = 0.3
    """The share by which it is lowered."""
    title: float = 0.08
    """The place where all of many pages have their title."""
    byline: float = 0.0
    """The place where they have their authors or date."""
    region: float = 1.5
    """A block that a wrapper keeps; the negative value for a block that it does not keep (`fusion.py`)."""


WEIGHTS: Final = EvidenceWeights()
LIST_SHARE: Final = 0.5
"""The share that counts on lists of things: names of columns and terms of sale repeat there, and are content."""

MIN_LONG_WORDS: Final = 8
"""A text with so many words is no label."""
NEIGHBORS: Final = 2
"""Blocks on either side that show whether a repeated text stands among others."""
MAX_PLACE_DIFFERENCE: Final = 4.0
MIN_FRAME_PAGES: Final = 2
"""Other pages that must be known before a text can belong to the frame of a site."""
MIN_FRAME_SHARE: Final = 0.5
"""The share of `_measure_share` from which on a text belongs to the frame: both of 2 pages, 8 of 10, 24 of 31."""
FRAME_LOG_ODDS: Final = -20.0
"""Added to the blocks of the frame where they are to be left out: less than any block of content has."""
MIN_SHOWN_LOG_ODDS: Final = 0.05
MIN_TABLE_LOG_ODDS: Final = -3.0
"""Below this no evidence makes a block content."""


class Evidence(NamedTuple):
    """One piece of evidence about a block."""

    kind: str
    """`repeated`, `place`, `field` or `region`."""
    log_odds: float
    """What is added to the log-odds of the block: negative against its being content."""
    sentence: str
    """For the reader: "repeated on 7 of 8 pages"."""


class BlockEvidence(NamedTuple):
    """All that the site says about one block."""

    log_odds: float
    """The sum of the items."""
    items: tuple[Evidence, ...]


class PlaceCounts(NamedTuple):
    """Counts of the place of each block, over the other pages."""

    pages: Floats
    log_odds: Floats
    """The mean of what `auto` says of each word there."""


@dataclass(frozen=True, eq=False)
class SiteCounts:
    """Counts over some pages of a site."""

    pages: Sequence[PageSketch] = field(repr=False)

    def __len__(self) -> int:
        return len(self.pages)

    @cached_property
    def _texts(self) -> tuple[Hashes, Integers]:
        return _count_pages([page.texts for page in self.pages])

    @cached_property
    def _shingles(self) -> tuple[Hashes, Integers]:
        return _count_pages([page.shingles for page in self.pages])

    @cached_property
    def _places(self) -> tuple[Hashes, Floats]:
        """The places, and the columns of `PlaceCounts` for each."""
        keys, place = np.unique(np.concatenate([page.places for page in self.pages]), return_inverse=True)
        words = np.concatenate([page.words for page in self.pages]).astype(np.float64)
        log_odds = np.concatenate([page.log_odds for page in self.pages])
        pages_with = _look_up(_count_pages([page.places for page in self.pages]), keys).astype(np.float64)
        sums = np.bincount(place, words, len(keys)), np.bincount(place, words * log_odds, len(keys))
        return keys, np.stack([pages_with, sums[1] / np.maximum(sums[0], 1.0)])

    def count_pages_with_text(self, page: PageSketch) -> Integers:
        """Return on how many of the pages each text of this page stands."""
        return _look_up(self._texts, page.texts)

    def count_pages_with_near_text(self, page: PageSketch) -> Integers:
        """Return on how many of the pages most runs of words of each text stand; 0 for short texts."""
        counts = np.sort(_look_up(self._shingles, page.shingles), axis=1)
        sampled = (page.shingles != 0).sum(axis=1)
        # One run in three may be new: three of four are known, two of three, both of two.
        at = SHINGLES_PER_BLOCK - sampled + np.maximum(sampled - 1, 0) // 3
        near = np.take_along_axis(counts, np.minimum(at, SHINGLES_PER_BLOCK - 1)[:, None], axis=1)[:, 0]
        return np.where(sampled > 0, near, 0)

    def count_at_places(self, page: PageSketch) -> PlaceCounts:
        """Return the counts of the place of each block of this page; zeros for an unknown place."""
        keys, counts = self._places
        at = np.minimum(np.searchsorted(keys, page.places), len(keys) - 1)
        return PlaceCounts(*np.where(keys[at] == page.places, counts[:, at], 0.0))

    @cached_property
    def _field_places(self) -> tuple[tuple[Hashes, Integers], tuple[Hashes, Integers]]:
        return _count_pages([page.fields[:1] for page in self.pages]), _count_pages(
            [page.fields[1:] for page in self.pages]
        )

    def count_field_places(self, page: PageSketch) -> tuple[Integers, Integers]:
        """Return on how many of the pages fields stand at the place of each block.

        The first array counts titles, the second authors and dates.
        """
        title, byline = self._field_places
        return _look_up(title, page.places), _look_up(byline, page.places)


def _count_pages(hashes: Sequence[Hashes]) -> tuple[Hashes, Integers]:
    """Return the different hashes, and on how many pages each occurs; 0 is no hash."""
    keys, counts = np.unique(np.concatenate([np.unique(page) for page in hashes]), return_counts=True)
    return keys, np.where(keys == 0, 0, counts)


def _look_up(table: tuple[Hashes, Integers], hashes: Hashes) -> Integers:
    keys, counts = table
    at = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
    return np.where(keys[at] == hashes, counts[at], 0)


class Measured(NamedTuple):
    """The evidence for each block before it is weighed, and the counts behind it."""

    strengths: Floats
    """A row for each of the `EvidenceWeights` but the last."""
    pages_with_text: Integers
    pages_with_near_text: Integers
    places: PlaceCounts
    pages_with_title: Integers
    """Pages that have their title at the place of the block."""
    pages_with_byline: Integers

    def weigh(self, weights: EvidenceWeights) -> Floats:
        """Return the log-odds of the evidence: a row for each of the `KINDS`."""
        parts = self.strengths * np.array(weights[: len(self.strengths)])[:, None]
        return np.stack([parts[:3].sum(axis=0), parts[3:5].sum(axis=0), parts[5:].sum(axis=0)])


KINDS: Final = ("repeated", "place", "field")


def measure_evidence(page: PageSketch, others: SiteCounts, blocks: Blocks) -> Measured:
    """Return the evidence of at least one other page for the blocks of a page."""
    n = len(others)
    exact, near = others.count_pages_with_text(page), others.count_pages_with_near_text(page)
    is_long = page.words >= MIN_LONG_WORDS
    shares = _measure_share(np.maximum(exact, near), n)
    exact_shares = _measure_share(exact, n)
    repeated = np.stack(
        [exact_shares * is_long, (shares - exact_shares) * is_long, shares * _find_share_of_neighbors(exact > 0)]
    )
    for start, stop in find_tables(blocks, page.log_odds > MIN_TABLE_LOG_ODDS):
        # A table repeats if all of it does: the names of rows repeat on every page, and the values do not.
        compared = repeated[:, start:stop][:, page.texts[start:stop] != 0]
        repeated[:, start:stop] = compared.min(axis=1, keepdims=True) if compared.size else 0.0
    places = others.count_at_places(page)
    difference = np.clip(places.log_odds - page.log_odds, -MAX_PLACE_DIFFERENCE, MAX_PLACE_DIFFERENCE)
    difference *= places.pages / (places.pages + 1.0)
    title, byline = others.count_field_places(page)
    fields = np.stack([_measure_share(title, n), _measure_share(byline, n)])
    strengths = np.concatenate([repeated, [np.maximum(difference, 0.0), np.minimum(difference, 0.0)], fields])
    return Measured(strengths, exact, near, places, title, byline)


def find_tables(blocks: Blocks, considered: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the first block of each data table, and the block after its last one.

    Tables are searched from the first block that is `considered` to the last.
    """
    tree = blocks.tree
    at = np.flatnonzero(considered)
    if not len(at) or not tree.find_all("table"):
        return []
    first = np.asarray(blocks.first)
    nodes = find_data_tables(tree, range(int(first[at[0]]), int(first[at[-1]]) + 1))
    ranges = [tuple(np.searchsorted(first, (node, tree.end[node])).tolist()) for node in nodes]
    return [(start, stop) for start, stop in ranges if start < stop]


def _measure_share(pages_with: Integers, n: int) -> Floats:
    """Return 0 for up to half of the pages, 1 for all of many pages, and half of that for the only one."""
    return np.asarray(np.maximum(0.0, 2.0 * pages_with / n - 1.0) * n / (n + 1.0))


def _find_share_of_neighbors(mask: NDArray[np.bool_]) -> Floats:
    """Return for each block the share of the blocks beside it that are in the mask."""
    count = len(mask)
    sums = np.concatenate(((0,), np.cumsum(mask)))
    at = np.arange(count)
    start, stop = np.maximum(at - NEIGHBORS, 0), np.minimum(at + NEIGHBORS + 1, count)
    return np.asarray((sums[stop] - sums[start] - mask) / np.maximum(stop - start - 1, 1))


def weigh_evidence(page: PageSketch, others: SiteCounts, blocks: Blocks, weights: EvidenceWeights = WEIGHTS) -> Floats:
    """Return the log-odds to add to each block of a page, by what at least one other page shows."""
    return np.asarray(measure_evidence(page, others, blocks).weigh(weights).sum(axis=0))


def find_frame(page: PageSketch, others: SiteCounts) -> NDArray[np.bool_]:
    """Return which blocks belong to the frame of the site: menus, footers and notices that repeat on its pages.

    Their text is the same on most pages. A label inside an article is short, stands among texts that do not repeat,
    and looks like content: it is no part of the frame.
    """
    if len(others) < MIN_FRAME_PAGES:
        return np.zeros(len(page), bool)
    pages_with_text = others.count_pages_with_text(page)
    is_label = (page.words < MIN_LONG_WORDS) & page.is_likely & (_find_share_of_neighbors(pages_with_text > 0) < 0.5)
    return (_measure_share(pages_with_text, len(others)) >= MIN_FRAME_SHARE) & ~is_label


def describe_evidence(
    page: PageSketch,
    others: SiteCounts,
    blocks: Blocks,
    weights: EvidenceWeights = WEIGHTS,
    share: float = 1.0,
) -> list[BlockEvidence]:
    """Return the evidence for each block of a page, the strongest first; `share` of it counts (`LIST_SHARE`)."""
    if not others or not len(page):
        return [BlockEvidence(0.0, ())] * len(page)
    of_pages = "of one other page" if len(others) == 1 else f"of {len(others)} pages"
    measured = measure_evidence(page, others, blocks)
    described = []
    for block, log_odds in enumerate((share * measured.weigh(weights)).T.tolist()):
        exact, near = int(measured.pages_with_text[block]), int(measured.pages_with_near_text[block])
        title, byline = int(measured.pages_with_title[block]), int(measured.pages_with_byline[block])
        places = measured.places
        sentences = (
            f"{'repeated' if exact >= near else 'nearly repeated'} on {max(exact, near)} {of_pages}",
            f"its place has log-odds {places.log_odds[block]:+.1f} on {places.pages[block]:.0f} {of_pages}",
            f"the place of the {'title' if title >= byline else 'byline'} on {max(title, byline)} {of_pages}",
        )
        items = [Evidence(*item) for item in zip(KINDS, log_odds, sentences, strict=True)]
        shown = [item for item in items if abs(item.log_odds) >= MIN_SHOWN_LOG_ODDS]
        described.append(BlockEvidence(sum(log_odds), tuple(sorted(shown, key=lambda item: -abs(item.log_odds)))))
    return described


def add_region_evidence(described: Sequence[BlockEvidence], region: Floats) -> list[BlockEvidence]:
    """Return the evidence for each block with that of a wrapper's region added."""
    added = []
    for block, log_odds in zip(described, region.tolist(), strict=True):
        item = Evidence("region", log_odds, f"the wrapper {'keeps' if log_odds > 0.0 else 'does not keep'} it")
        items = (*block.items, item) if abs(log_odds) >= MIN_SHOWN_LOG_ODDS else block.items
        ordered = tuple(sorted(items, key=lambda item: -abs(item.log_odds)))
        added.append(BlockEvidence(block.log_odds + log_odds, ordered))
    return added
