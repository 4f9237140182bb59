"""What is asked of a run: how items are read, how they become rows. Plain data, the same on every machine."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any

from duramen import methods

MAX_BYTES = 50_000_000
TIMEOUT = 60.0
_MANNERS = ("manners",)  # of what is given to other sources: how, not what


@dataclass(frozen=True)
class Reading:
    """How sources read."""

    html_column: str = "html"
    url_column: str = "url"
    include: tuple[str, ...] = ()
    """Patterns of the files that are taken from a folder; none means every page and WARC."""
    exclude: tuple[str, ...] = ()
    max_bytes: int = MAX_BYTES
    """A larger page becomes an error row."""
    given: tuple[tuple[str, str], ...] = ()
    """Settings of other sources, by name."""


@dataclass(frozen=True)
class Settings:
    """How an item becomes a row."""

    method: str = methods.DEFAULT
    format: str = "text"
    """What the text is written in: text, markdown or html."""
    links: bool = False
    images: bool = False
    timeout: float = TIMEOUT
    """Seconds that a page may take."""
    memory: int | None = None
    """Bytes of address space that a worker may use; None for no limit."""
    modules: tuple[str, ...] = ()
    """Modules to import first: they register methods of your own."""
    wrappers: str | None = None
    """A folder of wrappers, used where they are confident."""
    learn: bool = False
    """Learn such a folder first."""
    duplicates: str | None = None
    """Mark duplicates: exact or near."""
    reading: Reading = field(default_factory=Reading)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def fingerprint(self) -> str:
        """The same for runs that give the same rows. The limits of time and memory, and the manners of downloads, are
        no part of it: whoever goes on with a run may be more generous."""
        from duramen import __version__

        told = self.as_dict() | {"timeout": None, "memory": None, "duramen": __version__}
        told["reading"]["given"] = [pair for pair in self.reading.given if pair[0] not in _MANNERS]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
