"""The model of maximum subsequence segmentation: naive Bayes over n-grams of tokens.

Pasternack and Roth, WWW 2009, section 6.2: n-grams of tokens, and the open tag. For each n-gram the model stores the
logarithm of P(n-gram | in) / P(n-gram | out) under a 32-bit hash of the n-gram. The chance that an unseen n-gram has
the hash of a stored one is one in ten thousand. An unseen n-gram is as likely inside as outside: its logarithm is 0.

The file is a NumPy archive (`model_file.py`): a version, the tables, and a card in JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.errors import UsageError
from duramen.methods import model_file
from duramen.methods.mss.tokens import Hashes, Tokens

Floats = NDArray[np.float64]

VERSION = 1
SHAPES = 0
"""Used as an order: trigrams of shapes, in which all words are replaced by one."""
ORDERS = (SHAPES, 1, 2, 3)
PERCEPTRON = "perceptron"
"""The classifier of a model whose numbers are weights."""
_KIND = "duramen mss model"


def hash_ngrams(terms: Hashes, order: int) -> Hashes:
    """Return a hash for each token and the `order` − 1 tokens after it; past the end the tokens are 0."""
    padded = np.concatenate([terms.astype(np.uint64), np.zeros(order - 1, np.uint64)])
    mixed = np.zeros(len(terms), np.uint64)
    for offset in range(order):
        # Multiplying by an odd constant and folding the high bits down is a bijection that spreads every bit.
        mixed = (mixed ^ padded[offset : offset + len(terms)]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(32)).astype(np.uint32)


def find_keys(tokens: Tokens, order: int) -> Hashes:
    """Return the keys of the n-grams of this order."""
    return hash_ngrams(tokens.shapes, 3) if order == SHAPES else hash_ngrams(tokens.terms, order)


@dataclass(frozen=True, eq=False)
class NgramTable:
    """Hashes in increasing order, and a number for each."""

    keys: Hashes
    values: NDArray[np.float16]

    @classmethod
    def empty(cls) -> NgramTable:
        return cls(np.zeros(0, np.uint32), np.zeros(0, np.float16))

    def __len__(self) -> int:
        return len(self.keys)

    def look_up(self, keys: Hashes) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the number of each key, 0 if it has none, and whether it has one."""
        if not len(self):
            return np.zeros(len(keys)), np.zeros(len(keys), bool)
        indexes = np.searchsorted(self.keys, keys)
        indexes[indexes == len(self)] = 0
        seen = self.keys[indexes] == keys
        return np.where(seen, self.values[indexes], 0.0).astype(np.float64), seen


@dataclass(frozen=True, eq=False)
class MssModel:
    """Tables for shapes, for n-grams of one, two and three tokens, and for open tags; and the prior log odds."""

    prior: float
    tables: Mapping[int, NgramTable]
    open_tags: NgramTable
    importance: NgramTable = field(default_factory=NgramTable.empty)
    """For trigrams, how near to the border of an article they are: from the semi-supervised algorithm only."""
    card: Mapping[str, Any] = field(default_factory=dict)
    tag_pairs: NgramTable = field(default_factory=NgramTable.empty)
    """For the two most recent unclosed tags; empty in the installed model, which does not use them."""

    @property
    def is_linear(self) -> bool:
        """Whether the numbers are the weights of a perceptron, not log odds."""
        return self.card.get("algorithm") == PERCEPTRON

    def log_odds(
        self, tokens: Tokens, order: int, *, open_tag: bool, tag_pair: bool = False, back_off: bool = False
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the log odds of each token to be in an article, and whether its n-gram was seen in training."""
        odds, seen = self.tables[order].look_up(find_keys(tokens, order))
        if back_off:
            odds = np.where(seen, odds, self.tables[SHAPES].look_up(find_keys(tokens, SHAPES))[0])
        odds += self.prior
        if tag_pair:
            if not len(self.tag_pairs):
                raise UsageError("this model has no pairs of tags: train one with  duramen train mss --tag-pairs")
            odds += self.tag_pairs.look_up(tokens.open_tag_pairs)[0]
        elif open_tag:
            odds += self.open_tags.look_up(tokens.open_tags)[0]
        return odds, seen

    def save(self, path: Path) -> None:
        """Write the model file; an interrupted run leaves the old one."""
        arrays: dict[str, NDArray[Any]] = {"prior": np.array(self.prior)}
        for name, table in self._named_tables().items():
            if name == "tag_pairs" and not len(table):
                continue
            arrays[f"{name}_keys"], arrays[f"{name}_values"] = table.keys, table.values
        model_file.write(path, _KIND, VERSION, self.card, arrays)

    def _named_tables(self) -> dict[str, NgramTable]:
        named = {f"ngrams{order}": self.tables.get(order, NgramTable.empty()) for order in ORDERS}
        return {**named, "open_tags": self.open_tags, "tag_pairs": self.tag_pairs, "importance": self.importance}

    @classmethod
    def load(cls, path: Path) -> MssModel:
        """Read a model. Raises `InputError` if the file is missing, damaged, no model, or of another version."""
        arrays, card = model_file.read(path, _KIND, VERSION, f"make one with  duramen train mss SET -o {path}")
        try:
            tables = {order: _read_table(arrays, f"ngrams{order}") for order in ORDERS}
            prior = float(arrays["prior"])
            if not np.isfinite(prior):
                raise ValueError("no prior")
            pairs = _read_table(arrays, "tag_pairs") if "tag_pairs_keys" in arrays else NgramTable.empty()
            importance = _read_table(arrays, "importance")
            return cls(prior, tables, _read_table(arrays, "open_tags"), importance, card, pairs)
        except model_file.DAMAGED_FILE_ERRORS as error:
            raise model_file.make_damaged_error(path) from error


def _read_table(arrays: Mapping[str, NDArray[Any]], name: str) -> NgramTable:
    table = NgramTable(arrays[f"{name}_keys"].astype(np.uint32), arrays[f"{name}_values"].astype(np.float16))
    if not np.all(np.isfinite(table.values)):
        raise ValueError(f"the table {name} has values that are not finite")
    if table.keys.shape != table.values.shape or table.keys.ndim != 1 or np.any(table.keys[:-1] >= table.keys[1:]):
        raise ValueError(f"the table {name} is not in order")
    return table


load = model_file.make_cached_loader(MssModel.load, "mss.npz")
"""Load the model of a file, or without a path the model that is installed with duramen."""
