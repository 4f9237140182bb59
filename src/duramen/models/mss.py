"""The model of maximum subsequence segmentation: how much more likely a token is inside an article than outside.

Naive Bayes over n-grams of tokens and the open tag (Pasternack and Roth, WWW 2009, section 6.2). For each n-gram the
model keeps the logarithm of P(n-gram | in) / P(n-gram | out), under a 32-bit hash of it: an n-gram that was never seen
has one chance in ten thousand to be taken for another. Unseen, it is as likely inside as outside: its logarithm is 0.

The file is a NumPy archive without pickled objects: a version, the tables, and a card in JSON that says what the model
was trained on, when, and how it scored.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.errors import InputError
from duramen.tokens import Hashes, Tokens

Floats = NDArray[np.float64]

VERSION = 1
SHAPES = 0
"""In the place of an order: trigrams of shapes, in which all words are alike."""
ORDERS = (SHAPES, 1, 2, 3)
_KIND = "duramen mss model"
# What NumPy and zipfile raise on what is no archive, or is a damaged one; RuntimeError is a bit that says "encrypted".
_DAMAGE = (
    *(EOFError, ValueError, KeyError, TypeError, AttributeError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, TokenError),
)


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
        """Write the file aside, then put it in its place: a run that is stopped leaves the old one."""
        arrays: dict[str, NDArray[Any]] = {
            "kind": np.array(_KIND),
            "version": np.array(VERSION),
            "prior": np.array(self.prior),
            "card": np.array(json.dumps(self.card, ensure_ascii=False)),
        }
        for name, table in self._named_tables().items():
            arrays[f"{name}_keys"], arrays[f"{name}_values"] = table.keys, table.values
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a file: name another one for the model")
        named, path = path, path.resolve()  # of a link, the file that it leads to is replaced, not the link
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.savez_compressed(file, allow_pickle=False, **arrays)
                    file.flush()
                    os.fsync(file.fileno())
                Path(aside).chmod(_usual_mode())
                Path(aside).replace(path)
            except BaseException:
                Path(aside).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise InputError(
                f"{named}: the model cannot be written: {(error.strerror or str(error)).lower()}"
            ) from error

    def _named_tables(self) -> dict[str, Table]:
        named = {f"ngrams{order}": self.tables.get(order, Table.empty()) for order in ORDERS}
        return {**named, "open_tags": self.open_tags, "importance": self.importance}

    @classmethod
    def load(cls, path: Path) -> MssModel:
        """Read a model. `InputError` says what is wrong with a file that is none, damaged, or of another version."""
        try:
            # Opened here: NumPy leaves its own handle open on a file that is no archive.
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                return cls._from_arrays(path, {name: archive[name] for name in archive.files})
        except FileNotFoundError:
            raise InputError(f"{path}: no such model; make one with  duramen train mss SET -o {path}") from None
        except OSError as error:
            if error.errno is not None:
                raise InputError(
                    f"{path}: the model cannot be read: {(error.strerror or str(error)).lower()}"
                ) from error
            raise InputError(f"{path}: not a model of duramen, or a damaged one: train it again") from error
        except _DAMAGE as error:
            raise InputError(f"{path}: not a model of duramen, or a damaged one: train it again") from error

    @classmethod
    def _from_arrays(cls, path: Path, arrays: Mapping[str, NDArray[Any]]) -> MssModel:
        if str(arrays["kind"]) != _KIND:
            raise ValueError("another kind of archive")
        version = int(arrays["version"])
        if version != VERSION:
            raise InputError(
                f"{path}: a model of version {version}, and this duramen reads version {VERSION}: train it again"
            )
        tables = {order: _table(arrays, f"ngrams{order}") for order in ORDERS}
        card = json.loads(str(arrays["card"]))
        prior = float(arrays["prior"])
        if not isinstance(card, dict) or not np.isfinite(prior):
            raise ValueError("no card, or no prior")
        return cls(prior, tables, _table(arrays, "open_tags"), _table(arrays, "importance"), card)


def _usual_mode() -> int:
    """The permissions of a new file: a temporary one is readable by its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _table(arrays: Mapping[str, NDArray[Any]], name: str) -> Table:
    table = Table(arrays[f"{name}_keys"].astype(np.uint32), arrays[f"{name}_values"].astype(np.float16))
    if not np.all(np.isfinite(table.values)):
        raise ValueError(f"the table {name} holds what is no number")
    if table.keys.shape != table.values.shape or table.keys.ndim != 1 or np.any(table.keys[:-1] >= table.keys[1:]):
        raise ValueError(f"the table {name} is not in order")
    return table


def load(path: str = "") -> MssModel:
    """The model in a file, read again only when the file has changed; without a file, the one that duramen ships."""
    if not path:
        return _shipped()
    try:
        changed = Path(path).stat().st_mtime_ns
    except OSError:
        changed = 0  # the error is said when it is read
    return _load(str(Path(path).resolve()), changed)


@lru_cache(maxsize=8)
def _load(path: str, changed: int) -> MssModel:
    return MssModel.load(Path(path))


@cache
def _shipped() -> MssModel:
    with resources.as_file(resources.files(__package__) / "mss.npz") as shipped:
        return MssModel.load(shipped)
