"""Counting n-grams inside and outside of articles, page by page, in bounded memory.

Pages come and go; what stays is, for each n-gram seen, how often it stood inside an article and how often outside.
Counts of pages are gathered and merged into sorted arrays now and then. When there are more n-grams than `most`, those
seen once are forgotten: they are the bulk, and the pruning of a model would drop them in the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from duramen.methods.mss.model import ORDERS, MssModel, Table, keys_of
from duramen.methods.mss.tokens import Hashes, Tokens

Labels = NDArray[np.bool_]


@dataclass
class Counter:
    """How often each hash was seen, inside and outside."""

    most: int = 30_000_000
    keys: Hashes = field(default_factory=lambda: np.zeros(0, np.uint32))
    inside: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    outside: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    _waiting: list[tuple[Hashes, Labels]] = field(default_factory=list)
    _waiting_size: int = 0

    def add(self, keys: Hashes, labels: Labels) -> None:
        self._waiting.append((keys, labels))
        self._waiting_size += len(keys)
        if self._waiting_size > 2_000_000:
            self.merge()

    def merge(self) -> None:
        """Bring what was added into the arrays."""
        if not self._waiting:
            return
        new = np.concatenate([keys for keys, _ in self._waiting])
        labels = np.concatenate([labels for _, labels in self._waiting])
        self._waiting.clear()
        self._waiting_size = 0
        inside = np.concatenate([self.inside, labels.astype(np.int64)])
        outside = np.concatenate([self.outside, (~labels).astype(np.int64)])
        self.keys, places = np.unique(np.concatenate([self.keys, new]), return_inverse=True)
        self.inside = np.bincount(places, weights=inside).astype(np.int64)
        self.outside = np.bincount(places, weights=outside).astype(np.int64)
        if len(self.keys) > self.most:
            self.keep(self.inside + self.outside > 1)

    def keep(self, wanted: NDArray[np.bool_]) -> None:
        self.keys, self.inside, self.outside = self.keys[wanted], self.inside[wanted], self.outside[wanted]

    def log_odds(self, smoothing: float, at_least: int = 1) -> Table:
        """log P(key | in) − log P(key | out), with `smoothing` added to each count; keys seen less often left out."""
        self.merge()
        rows = max(len(self.keys), 1)
        inside = (self.inside + smoothing) / (self.inside.sum() + smoothing * rows)
        outside = (self.outside + smoothing) / (self.outside.sum() + smoothing * rows)
        kept = self.inside + self.outside >= at_least
        return Table(self.keys[kept], (np.log(inside) - np.log(outside))[kept].astype(np.float16))


@dataclass
class Counts:
    """All that is counted for a model."""

    ngrams: dict[int, Counter] = field(default_factory=lambda: {order: Counter() for order in ORDERS})
    open_tags: Counter = field(default_factory=Counter)
    pages: int = 0
    inside: int = 0
    outside: int = 0

    def add(self, tokens: Tokens, start: int, stop: int) -> None:
        """Count a page whose article is tokens `start` to `stop`."""
        labels = np.zeros(len(tokens), bool)
        labels[start:stop] = True
        for order, counter in self.ngrams.items():
            counter.add(keys_of(tokens, order), labels)
        self.open_tags.add(tokens.open_tags, labels)
        self.pages += 1
        self.inside += stop - start
        self.outside += len(tokens) - (stop - start)

    def model(self, *, smoothing: float = 0.1, at_least: dict[int, int] | None = None) -> MssModel:
        """What was counted, as a model. `at_least` says for each order how often an n-gram must have been seen."""
        at_least = at_least or {}
        tables = {order: counter.log_odds(smoothing, at_least.get(order, 1)) for order, counter in self.ngrams.items()}
        prior = float(np.log(max(self.inside, 1) / max(self.outside, 1)))
        return MssModel(prior, tables, self.open_tags.log_odds(smoothing=1.0))
