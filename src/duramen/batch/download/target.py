"""What is to be downloaded, and what became of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

_LONGEST_ADDRESS = 16_384
_CREDENTIALS = re.compile(r"^([^/?#]*://)[^/?#]*@")


@dataclass(frozen=True, slots=True)
class Target:
    """An address, and where it was found: in which list, feed or sitemap, as its how-manieth."""

    url: str
    source: str
    position: int = 0
    is_list: bool = False
    """Whether it is itself a list, a feed or a sitemap: its outcome can only be an error, and the error not all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent for one request."""

    url: str
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    """As they came, in their order; bytes beyond ASCII read as Latin-1."""
    date: datetime
    body: bytes = field(default=b"", repr=False)
    """Unpacked. Empty unless the status is a success: nobody reads the others."""

    def header(self, name: str) -> str:
        """The first header of that name, given in lower case; '' where there is none."""
        return next((value for known, value in self.headers if known.lower() == name), "")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a target: a page, or an error, `kind: sentence`; with all answers on the way to it."""

    target: Target
    answers: tuple[Answer, ...] = ()
    error: str | None = None

    @property
    def page(self) -> Answer | None:
        return None if self.error is not None or not self.answers else self.answers[-1]

    @property
    def size(self) -> int:
        """The bytes that it keeps in memory, about."""
        return sum(len(answer.body) for answer in self.answers)


class Refused(Exception):  # noqa: N818 - an outcome, not a fault
    """There will be no page, for a reason of ours or of the site's; trying again would not help."""

    def __init__(self, kind: str, sentence: str, status: int | None = None) -> None:
        super().__init__(f"{kind}: {sentence}")
        self.kind = kind
        self.sentence = sentence
        self.status = status


def shown(url: str) -> str:
    """An address fit for one line of a record and for a row: without a password, and without what is no character."""
    return one_line(_CREDENTIALS.sub(r"\1", url.strip()))[:_LONGEST_ADDRESS]


def one_line(text: str) -> str:
    """The text with everything quoted that could end a line, or is no character."""
    return "".join(c if c.isprintable() else quote(c, errors="surrogatepass") for c in text)
