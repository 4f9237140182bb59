"""Targets of a crawl, HTTP responses, and the results of fetching."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

_MAX_URL_CHARS = 16_384
_CREDENTIALS = re.compile(r"^([^/?#]*://)[^/?#]*@")


@dataclass(frozen=True, slots=True)
class FetchTarget:
    """A URL to download, with the list, feed or sitemap it was found in and its number there."""

    url: str
    source: str
    position: int = 0
    is_list: bool = False
    """True for a list, feed or sitemap itself. Its result is only used to report an error."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """The response of a server to one request."""

    url: str
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    """As received, in order; bytes beyond ASCII are read as Latin-1."""
    date: datetime
    body: bytes = field(default=b"", repr=False)
    """Decompressed. Empty unless the status is a success."""

    def header(self, name: str) -> str:
        """Return the first header of this lower-case name; '' if there is none."""
        return next((value for header, value in self.headers if header.lower() == name), "")


@dataclass(frozen=True, slots=True)
class FetchResult:
    """The result of a target: a page or an error (`kind: sentence`), with all responses on the way to it."""

    target: FetchTarget
    responses: tuple[HttpResponse, ...] = ()
    error: str | None = None

    @property
    def page(self) -> HttpResponse | None:
        return None if self.error is not None or not self.responses else self.responses[-1]

    @property
    def size(self) -> int:
        """Bytes that the result keeps in memory, about."""
        return sum(len(response.body) for response in self.responses)


class FetchRefused(Exception):  # noqa: N818 - a result, not a fault
    """There will be no page, by our decision or the site's. A retry would not help."""

    def __init__(self, kind: str, sentence: str, status: int | None = None) -> None:
        super().__init__(f"{kind}: {sentence}")
        self.kind = kind
        self.sentence = sentence
        self.status = status


def printable_url(url: str) -> str:
    """Return a URL for records and rows: one line, without a password and without unprintable characters."""
    return quote_unprintable(_CREDENTIALS.sub(r"\1", url.strip()))[:_MAX_URL_CHARS]


def quote_unprintable(text: str) -> str:
    """Quote all characters that are not printable, such as line ends."""
    return "".join(c if c.isprintable() else quote(c, errors="surrogatepass") for c in text)
