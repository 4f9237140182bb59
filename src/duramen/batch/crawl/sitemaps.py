"""Lists of URLs: sitemaps (sitemaps.org), feeds, and plain text with one URL per line.

Sitemaps are XML that lists pages or further sitemaps, with gzip or without. expat reads them in parts and without
regard to namespaces, which many sites get wrong. A sitemap that declares entities is refused: none needs them, and ten
lines of them expand to gigabytes. Feeds (RSS, Atom, JSON Feed) are read by `duramen.wrappers.feed`.
"""

from __future__ import annotations

import codecs
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.parsers import expat

from duramen.dom.urls import make_absolute
from duramen.dom.xml_root import FEED_ROOTS, SITEMAP_ROOTS, find_root_element
from duramen.errors import InputError
from duramen.net.http import ResponseBody
from duramen.wrappers.feed import read_feed

MAX_SITEMAP_BYTES = 52_428_800
"""Decompressed; the limit of the protocol."""
MAX_SITEMAP_DEPTH = 4
"""How deep sitemaps may name sitemaps. The protocol allows one level; sites use two."""
MAX_SITEMAPS = 50_000
"""As many as the protocol allows one sitemap to name."""

_MAX_URL_CHARS = 8_192
_MAX_LINE_CHARS = 1 << 16
_HEAD_BYTES = 1 << 16
_TAIL_BYTES = 4096
_GZIP_MAGIC = b"\x1f\x8b"
_FIRST_URL = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s*+(?:#[^\n]*+\n)?)*+https?://[^\s<>]+\s*(?:\n|$)", re.IGNORECASE)
_FEED_END = re.compile(rb"</(?:[\w.-]+:)?(?:rss|feed|rdf)\s*>", re.IGNORECASE)
_ITEM_STARTS, _ITEM_ENDS = (b"<item", b"<entry"), (b"</item>", b"</entry>")
_JSON_FEED = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{(?=.{0,2000}?"https:\\?/\\?/jsonfeed\.org\\?/version\\?/)', re.DOTALL)


@dataclass(frozen=True)
class Sitemap:
    """The URLs of one sitemap, in order."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    problem: str | None = None
    """Why there may be more URLs: the XML is broken or was refused."""


def decompress(data: bytes, max_bytes: int = MAX_SITEMAP_BYTES) -> bytes:
    """Decompress gzip data; return other data as it is. Raises an `InputError` if it is too large or damaged."""
    body = ResponseBody(max_bytes, "gzip" if data.startswith(_GZIP_MAGIC) else "")
    try:
        for start in range(0, len(data), _HEAD_BYTES):
            body.add(data[start : start + _HEAD_BYTES])
        return body.whole()
    except ValueError as error:
        raise InputError(str(error)) from error
    except zlib.error as error:
        raise InputError(f"the gzip data is damaged ({error})") from error


def is_sitemap(data: bytes) -> bool:
    return find_root_element(_read_head(data)) in SITEMAP_ROOTS


def read_sitemap(data: bytes, url: str | None = None) -> Sitemap:
    """Read the URLs of an XML sitemap. Relative URLs are relative to its own `url`."""
    handler = _SitemapHandler(url)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    parser.EntityDeclHandler = handler.entity
    problem = None
    try:
        for start in range(0, len(data), _HEAD_BYTES):
            parser.Parse(data[start : start + _HEAD_BYTES], False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        problem = f"the sitemap is broken in line {error.lineno} ({expat.errors.messages[error.code]})"
    except ValueError as error:  # an encoding that expat does not know, or the error of `entity`
        problem = f"the sitemap cannot be read: {error}"
    return Sitemap(tuple(handler.pages), tuple(handler.sitemaps), problem)


@dataclass
class _SitemapHandler:
    """Callbacks for expat. A URL is the text of a `loc` directly below a `url` or `sitemap`, not below an image."""

    url: str | None
    pages: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    _open_elements: list[str] = field(default_factory=list)
    _location: list[str] | None = None

    def start(self, name: str, _: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower() if name.count(":") else name.lower()
        if name == "loc" and self._open_elements and self._open_elements[-1] in ("url", "sitemap"):
            self._location = []
        self._open_elements.append(name)

    def text(self, data: str) -> None:
        if self._location is not None:
            self._location.append(data)

    def end(self, _: str) -> None:
        name = self._open_elements.pop()
        if name != "loc" or self._location is None:
            return
        location, self._location = "".join(self._location).strip(), None
        if location and len(location) <= _MAX_URL_CHARS:
            urls = self.sitemaps if self._open_elements[-1] == "sitemap" else self.pages
            urls.append(make_absolute(location, self.url))

    def entity(self, *_: object) -> None:
        raise ValueError("it declares entities, which no sitemap needs")


def is_url_list(data: bytes) -> bool:
    """True for text whose first line, apart from comments, is a URL."""
    return _FIRST_URL.match(_read_head(data)) is not None


def read_url_list(file: BinaryIO, encoding: str) -> Iterator[tuple[int, str]]:
    """Give the URLs of a text with one per line, with their line numbers; skip empty lines and # comments."""
    with io.TextIOWrapper(file, encoding, "replace") as text:
        for number, line in enumerate(iter(lambda: text.readline(_MAX_LINE_CHARS), ""), 1):
            url = line.lstrip("\ufeff").strip()
            if url and not url.startswith("#"):
                yield number, url


def find_encoding(data: bytes) -> str:
    """Return the encoding of a text by its first bytes. Spreadsheets and Windows editors write UTF-16."""
    return "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def _read_head(data: bytes) -> bytes:
    """Return the first bytes in an encoding that contains ASCII."""
    head = data[:_HEAD_BYTES]
    return head.decode("utf-16", "replace").encode("utf-8", "replace") if find_encoding(data) == "utf-16" else head


def is_feed(data: bytes) -> bool:
    """True for a feed, by its root element or its version."""
    return find_root_element(_read_head(data)) in FEED_ROOTS or _JSON_FEED.match(data) is not None


def is_feed_cut_off(data: bytes) -> bool:
    """True for an XML feed without the end tag of its root. Unknown, and so false, for UTF-16."""
    if find_root_element(_read_head(data)) not in FEED_ROOTS or b"\0" in data[:_TAIL_BYTES]:
        return False
    return _FEED_END.search(data[-_TAIL_BYTES:]) is None


def read_feed_urls(data: bytes, url: str | None) -> list[tuple[int, str]]:
    """Return the URLs of a feed's items, numbered from 1. Raises an `InputError` if it cannot be read.

    An incomplete item is left out, because its URL may be incomplete.
    """
    items = read_feed(data, url).items
    if is_feed_cut_off(data) and max(map(data.rfind, _ITEM_STARTS)) > max(map(data.rfind, _ITEM_ENDS)):
        items = items[:-1]
    return [(number, item.url) for number, item in enumerate(items, 1) if item.url]
