"""A claim: what one place on the page says of one field. The sources make claims; `choosing.py` weighs them.

Where many are made, `Claim(…)` makes them, in a fraction of the time that `Claim(…)` takes.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

NOWHERE = -1


class Claim(NamedTuple):
    """A value as the page has it, tidied, and where it was read."""

    value: str
    source: str
    """The kind of place: `json-ld`, `open-graph`, `time`, …"""
    of: str = ""
    """What is claimed about, where the source says it: an `article`, the `page`, a `forum`; or how it is called."""
    node: int = NOWHERE
    """The element or text node that says it."""
    is_name: bool = False
    """Of an author: the value is a name and nothing but a name, not a line that holds one."""
    url: str | None = None
    """Of an author: the address of the profile that the name leads to."""
    kind: str | None = None
    """Of an author: `person` or `organisation`, where the source says it."""


class Author(NamedTuple):
    """Who wrote it."""

    name: str
    kind: str | None = None
    """`person` or `organisation`, where the page says it or the name tells."""
    url: str | None = None
    """The profile that the page links the name to."""

    def as_dict(self) -> dict[str, str]:
        """What is known, ready for JSON."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class Found(NamedTuple, Generic[T]):
    """A value, where it was found, and how sure it is, from 0 to 1."""

    value: T
    source: str
    """The first source that has it: `json-ld`, `open-graph`, `byline`, …"""
    confidence: float


class Claims(Protocol):
    """The claims on each field, in document order; a field that nothing is claimed on has an empty list."""

    def __getitem__(self, field: str, /) -> list[Claim]: ...


def no_claims() -> Claims:
    return defaultdict(list)
