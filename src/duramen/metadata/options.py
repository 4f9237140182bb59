"""Options: the values that claims come down to, each with the signs that speak for it or against it (`signs.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import repeat
from math import fsum
from typing import Final, Generic, NamedTuple, TypeVar

from duramen.metadata.claims import NOWHERE
from duramen.metadata.strings import key

T = TypeVar("T")

_NEAR: Final = 120
"""Nodes: what stands no further after the headline is near it."""
_NEAR_BEFORE: Final = 60
_WRITTEN: Final = frozenset(
    "blog blogs news article articles post posts story stories magazine insights journal press features opinion review"
    " reviews topic thread threads questions forum t p".split()
)
_WARES: Final = frozenset(
    "product products shop store collection collections category categories service services solutions pricing docs"
    " documentation wiki tag search api dp item tags".split()
)
NO_ADDRESS: Final = "anywhere"
ADDRESS_KINDS: Final = ("at home", "in writings", "in places", "in wares")
"""What the words of an address say of its page; `NO_ADDRESS` where it is not known."""


class Option(NamedTuple, Generic[T]):
    value: T
    signs: frozenset[str] | set[str]
    sources: tuple[str, ...]
    """The sources that say it, the first to say it first."""
    node: int = NOWHERE

    def score(self, weights: Mapping[str, float]) -> float:
        """The sum of the weights of its signs."""
        # `fsum`, for a set has no order, and a sum that depends on it may fall on either side of a threshold.
        return fsum((weights["bias"], *map(weights.get, self.signs, repeat(0.0))))


class Setting(NamedTuple):
    """What is known of the page when its options are made."""

    headline: int = NOWHERE
    kind: str = "page"
    """What the page says it is: `forum`, `product`, `article`, or a `page` like any other."""
    is_dated: bool = False
    has_long_headline: bool = False
    """Whether the headline is a sentence rather than a name: articles have such, shops and services rarely."""
    sites: tuple[str, ...] = ()
    brand: str = ""
    path: str = ""
    """The path of the page's address; '' where that is not known."""
    address_kind: str = NO_ADDRESS
    """Of `ADDRESS_KINDS`."""
    month: tuple[int, int] | None = None
    lang: str | None = None
    today: date = date.max
    length: int = 0
    """How many nodes the page has."""

    def near(self, node: int) -> str:
        """Where a node stands from the headline: `near`, `far` or, where there is no telling, ''."""
        if node == NOWHERE or self.headline == NOWHERE:
            return ""
        return "near" if -_NEAR_BEFORE <= node - self.headline <= _NEAR else "far"


def address_kind(path: str, month: tuple[int, int] | None) -> str:
    """What the words of an address's path say of its page; nothing where it is not known."""
    if not path:
        return NO_ADDRESS
    if path == "/":
        return "at home"
    if month:
        return "in writings"
    words = key(path.replace("_", " ")).split()[:8]
    if not _WRITTEN.isdisjoint(words):
        return "in writings"
    return "in places" if _WARES.isdisjoint(words) else "in wares"
