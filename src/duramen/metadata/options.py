"""Options: the values that claims come down to, each with the signs that speak for it or against it (`signs.py`)."""

from __future__ import annotations

from datetime import date
from typing import Final, Generic, NamedTuple, TypeVar

from duramen.metadata.claims import NOWHERE

T = TypeVar("T")

_NEAR: Final = 120
"""Nodes: what stands no further after the headline is near it."""
_NEAR_BEFORE: Final = 60
NO_ADDRESS: Final = "anywhere"
ADDRESS_KINDS: Final = ("at home", "in writings", "in places", "in wares")
"""What the words of an address say of its page; `NO_ADDRESS` where it is not known."""


class Option(NamedTuple, Generic[T]):
    value: T
    signs: frozenset[str] | set[str]
    sources: tuple[str, ...]
    """The sources that say it, the first to say it first."""
    node: int = NOWHERE


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
