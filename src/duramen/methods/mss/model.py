"""The model of maximum subsequence segmentation: how much more likely a token is inside an article than outside.

Naive Bayes over n-grams of tokens and the open tag (Pasternack and Roth, WWW 2009, section 6.2). For each n-gram the
model keeps the logarithm of P(n-gram | in) / P(n-gram | out), under a 32-bit hash of it: an n-gram that was never seen
has one chance in ten thousand to be taken for another. Unseen, it is as likely inside as outside: its logarithm is 0.

The file is a NumPy archive without pickled objects: a version, the tables, and a card in JSON that says what the model
was trained on, when, and how it scored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.methods import model_file as archive
from duramen.methods.mss.tokens import Hashes, Tokens

Floats = NDArray[np.float64]

VERSION = 1
SHAPES = 0
"""In the place of an order: trigrams of shapes, in which all words are alike."""
ORDERS = (SHAPES, 1, 2, 3)
_KIND = "duramen mss model"


def ngrams(terms: Hashes, order: int) -> Hashes:
    """A hash for each token and the `order` − 1 tokens after it; past the end stands nothing."""
    padded = np.concatenate([terms.astype(np.uint64), np.zeros(order - 1, np.uint64)])
    mixed = np.zeros(len(terms), np.uint64)
    for offset in range(order):
        # Multiplying by an odd constant and folding the high bits down is a bijection that spreads every bit.
        mixed = (mixed ^ padded[offset : offset + len(terms)]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(32)).astype(np.uint32)


def keys_of(tokens: Tokens, order: int) -> Hashes:
    """The hashes under which the n-grams of this order are looked up."""
    return ngrams(tokens.shapes, 3) if order == SHAPES else ngrams(tokens.terms, order)


@dataclass(frozen=True, eq=False)
class Table:
    """Hashes in rising order, and a number for each."""

    keys: Hashes
    values: NDArray[np.float16]

    @classmethod
    def empty(cls) -> Table:
        return cls(np.zeros(0, np.uint32), np.zeros(0, np.float16))

    def __len__(self) -> int:
        return len(self.keys)

    def look_up(self, keys: Hashes) -> tuple[Floats, NDArray[np.bool_]]:
        """The number of each key, 0 where there is none, and whether there was one."""
        if not len(self):
            return np.zeros(len(keys)), np.zeros(len(keys), bool)
        places = np.searchsorted(self.keys, keys)
        places[places == len(self)] = 0
        seen = self.keys[places] == keys
        return np.where(seen, self.values[places], 0.0).astype(np.float64), seen


@dataclass(frozen=True, eq=False)
class MssModel:
    """Tables for shapes, for n-grams of one, two and three tokens, and for open tags; the odds before any is known."""

    prior: float
    tables: Mapping[int, Table]
    open_tags: Table
    importance: Table = field(default_factory=Table.empty)
    """For trigrams, how near to the border of an article they stand: from the semi-supervised algorithm only."""
    card: Mapping[str, Any] = field(default_factory=dict)

    def log_odds(
        self, tokens: Tokens, order: int, *, open_tag: bool, back_off: bool = False
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """The log odds of each token to be in an article, and whether its n-gram was ever seen."""
        odds, seen = self.tables[order].look_up(keys_of(tokens, order))
        if back_off:
            odds = np.where(seen, odds, self.tables[SHAPES].look_up(keys_of(tokens, SHAPES))[0])
        odds += self.prior
        if open_tag:
            odds += self.open_tags.look_up(tokens.open_tags)[0]
        return odds, seen

    def save(self, path: Path) -> None:
        """Write the file; a run that is stopped leaves the old one."""
        arrays: dict[str, NDArray[Any]] = {"prior": np.array(self.prior)}
        for name, table in self._named_tables().items():
            arrays[f"{name}_keys"], arrays[f"{name}_values"] = table.keys, table.values
        archive.write(path, _KIND, VERSION, self.card, arrays)

    def _named_tables(self) -> dict[str, Table]:
        named = {f"ngrams{order}": self.tables.get(order, Table.empty()) for order in ORDERS}
        return {**named, "open_tags": self.open_tags, "importance": self.importance}

    @classmethod
    def load(cls, path: Path) -> MssModel:
        """Read a model. `InputError` says what is wrong with a file that is none, damaged, or of another version."""
        arrays, card = archive.read(path, _KIND, VERSION, f"make one with  duramen train mss SET -o {path}")
        try:
            tables = {order: _table(arrays, f"ngrams{order}") for order in ORDERS}
            prior = float(arrays["prior"])
            if not np.isfinite(prior):
                raise ValueError("no prior")
            return cls(prior, tables, _table(arrays, "open_tags"), _table(arrays, "importance"), card)
        except archive.DAMAGE as error:
            raise archive.damaged(path) from error


def _table(arrays: Mapping[str, NDArray[Any]], name: str) -> Table:
    table = Table(arrays[f"{name}_keys"].astype(np.uint32), arrays[f"{name}_values"].astype(np.float16))
    if not np.all(np.isfinite(table.values)):
        raise ValueError(f"the table {name} holds what is no number")
    if table.keys.shape != table.values.shape or table.keys.ndim != 1 or np.any(table.keys[:-1] >= table.keys[1:]):
        raise ValueError(f"the table {name} is not in order")
    return table


load = archive.loader(MssModel.load, "mss.npz")
"""The model in a file, or without one the model that duramen ships."""
