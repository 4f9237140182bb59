"""Count n-grams inside and outside of articles, page by page, in bounded memory.

For each n-gram, the number of times it was seen inside an article and outside is stored. The n-grams of pages are
collected and merged into sorted arrays in batches. If there are more n-grams than `max_ngrams`, those seen once are
dropped: they are the majority, and the pruning of a model would drop them too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from duramen.methods.mss.model import ORDERS, MssModel, NgramTable, find_keys
from duramen.methods.mss.tokens import Hashes, Tokens

IsInside = NDArray[np.bool_]
"""For each token True if it is inside the article."""

_MERGE_SIZE = 2_000_000
"""Tokens that are collected before they are merged."""


@dataclass
class NgramCounter:
    """How often each hash was seen inside and outside of articles."""

    max_ngrams: int = 30_000_000
    keys: Hashes = field(default_factory=lambda: np.zeros(0, np.uint32))
    inside: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    outside: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    _pending: list[tuple[Hashes, IsInside]] = field(default_factory=list)
    _pending_size: int = 0

    def add(self, keys: Hashes, is_inside: IsInside) -> None:
        self._pending.append((keys, is_inside))
        self._pending_size += len(keys)
        if self._pending_size > _MERGE_SIZE:
            self.merge()

    def merge(self) -> None:
        """Merge what was added into the arrays."""
        if not self._pending:
            return
        new = np.concatenate([keys for keys, _ in self._pending])
        is_inside = np.concatenate([inside for _, inside in self._pending])
        self._pending.clear()
        self._pending_size = 0
        inside = np.concatenate([self.inside, is_inside.astype(np.int64)])
        outside = np.concatenate([self.outside, (~is_inside).astype(np.int64)])
        self.keys, indexes = np.unique(np.concatenate([self.keys, new]), return_inverse=True)
        self.inside = np.bincount(indexes, weights=inside).astype(np.int64)
        self.outside = np.bincount(indexes, weights=outside).astype(np.int64)
        if len(self.keys) > self.max_ngrams:
            self._keep_only(self.inside + self.outside > 1)

    def _keep_only(self, is_kept: NDArray[np.bool_]) -> None:
        self.keys, self.inside, self.outside = self.keys[is_kept], self.inside[is_kept], self.outside[is_kept]

    def log_odds(self, smoothing: float, at_least: int = 1) -> NgramTable:
        """Return log P(key | in) − log P(key | out) of the keys seen at least `at_least` times.

        `smoothing` is added to each count.
        """
        self.merge()
        rows = max(len(self.keys), 1)
        inside = (self.inside + smoothing) / (self.inside.sum() + smoothing * rows)
        outside = (self.outside + smoothing) / (self.outside.sum() + smoothing * rows)
        kept = self.inside + self.outside >= at_least
        return NgramTable(self.keys[kept], (np.log(inside) - np.log(outside))[kept].astype(np.float16))


@dataclass
class TokenCounts:
    """All counts for a model."""

    ngrams: dict[int, NgramCounter] = field(default_factory=lambda: {order: NgramCounter() for order in ORDERS})
    open_tags: NgramCounter = field(default_factory=NgramCounter)
    tag_pairs: NgramCounter | None = None
    """Counts of the two most recent unclosed tags, if the model shall have them."""
    pages: int = 0
    inside: int = 0
    outside: int = 0

    def add(self, tokens: Tokens, start: int, stop: int) -> None:
        """Count a page whose article is the tokens from `start` up to `stop`."""
        is_inside = np.zeros(len(tokens), bool)
        is_inside[start:stop] = True
        for order, counter in self.ngrams.items():
            counter.add(find_keys(tokens, order), is_inside)
        self.open_tags.add(tokens.open_tags, is_inside)
        if self.tag_pairs is not None:
            self.tag_pairs.add(tokens.open_tag_pairs, is_inside)
        self.pages += 1
        self.inside += stop - start
        self.outside += len(tokens) - (stop - start)

    def model(self, *, smoothing: float = 0.1, at_least: dict[int, int] | None = None) -> MssModel:
        """Make a model of the counts. `at_least` gives for each order how often an n-gram must have been seen."""
        at_least = at_least or {}
        tables = {order: counter.log_odds(smoothing, at_least.get(order, 1)) for order, counter in self.ngrams.items()}
        prior = float(np.log(max(self.inside, 1) / max(self.outside, 1)))
        pairs = NgramTable.empty() if self.tag_pairs is None else self.tag_pairs.log_odds(smoothing)
        return MssModel(prior, tables, self.open_tags.log_odds(smoothing), tag_pairs=pairs)
