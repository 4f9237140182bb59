"""Sitemaps: the addresses of a site's pages, as it lists them for robots (sitemaps.org).

XML that lists pages or further sitemaps, or plain text with an address a line, gzipped or not. The XML is read by the
standard library's expat, piece by piece and without regard to namespaces, which sites get wrong. A sitemap that
declares entities is refused: none needs them, and ten lines of them unpack to gigabytes.
"""

from __future__ import annotations

import codecs
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO
from urllib.parse import urljoin
from xml.parsers import expat

from duramen.errors import InputError
from duramen.net.http import Body

MAX_BYTES = 52_428_800
"""The protocol allows no more, unpacked."""
MAX_DEPTH = 4
"""How deep sitemaps may name sitemaps. The protocol allows one step; sites take two."""
MAX_SITEMAPS = 50_000
"""As many as the protocol allows one sitemap to name."""

_LONGEST_ADDRESS = 8_192
_LONGEST_LINE = 1 << 16
_CHUNK = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?><\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*+<(?:[\w.-]+:)?([\w.-]+)",
    re.DOTALL | re.IGNORECASE,
)
_FIRST_ADDRESS = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s*+(?:#[^\n]*+\n)?)*+https?://[^\s<>]+\s*(?:\n|$)", re.IGNORECASE)
_SITEMAPS = (b"urlset", b"sitemapindex")


@dataclass(frozen=True)
class Sitemap:
    """What one sitemap lists, in its order."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    problem: str | None = None
    """Why there may be more than this: where the XML breaks off, or was refused."""


def unpacked(data: bytes, max_bytes: int = MAX_BYTES) -> bytes:
    """The data without gzip, if it is gzipped; an `InputError` where it unpacks to too much, or not at all."""
    body = Body(max_bytes, "gzip" if data.startswith(_GZIP_MAGIC) else "")
    try:
        for start in range(0, len(data), _CHUNK):
            body.add(data[start : start + _CHUNK])
        return body.whole()
    except ValueError as error:
        raise InputError(str(error)) from error
    except zlib.error as error:
        raise InputError(f"the gzip data is damaged ({error})") from error


def root_of(data: bytes) -> str:
    """The name of the root element, in lower case and without its prefix; '' where the data is not XML."""
    found = _ROOT.match(_head(data))
    return found[1].lower().decode("ascii", "replace") if found else ""


def is_sitemap(data: bytes) -> bool:
    return root_of(data).encode() in _SITEMAPS


def read_sitemap(data: bytes, url: str | None = None) -> Sitemap:
    """The addresses in a sitemap of XML. `url` is where it came from: relative addresses are relative to it."""
    found = _Reader(url)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = found.start
    parser.EndElementHandler = found.end
    parser.CharacterDataHandler = found.text
    parser.EntityDeclHandler = found.entity
    problem = None
    try:
        for start in range(0, len(data), _CHUNK):
            parser.Parse(data[start : start + _CHUNK], False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        problem = f"the sitemap is broken in line {error.lineno} ({expat.errors.messages[error.code]})"
    except ValueError as error:  # an encoding that expat does not know; or ours, from `entity`
        problem = f"the sitemap cannot be read: {error}"
    return Sitemap(tuple(found.pages), tuple(found.sitemaps), problem)


@dataclass
class _Reader:
    """What expat calls. An address is the text of a `loc` right below a `url` or a `sitemap`, not that of an image."""

    url: str | None
    pages: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    _within: list[str] = field(default_factory=list)
    _address: list[str] | None = None

    def start(self, name: str, _: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower() if name.count(":") else name.lower()
        if name == "loc" and self._within and self._within[-1] in ("url", "sitemap"):
            self._address = []
        self._within.append(name)

    def text(self, data: str) -> None:
        if self._address is not None:
            self._address.append(data)

    def end(self, _: str) -> None:
        name = self._within.pop()
        if name != "loc" or self._address is None:
            return
        address, self._address = "".join(self._address).strip(), None
        if address and len(address) <= _LONGEST_ADDRESS:
            (self.sitemaps if self._within[-1] == "sitemap" else self.pages).append(absolute(address, self.url))

    def entity(self, *_: object) -> None:
        raise ValueError("it declares entities, which no sitemap needs")


def is_list(data: bytes) -> bool:
    """Whether the data is text that begins with an address in a line of its own."""
    return _FIRST_ADDRESS.match(_head(data)) is not None


def read_list(file: BinaryIO, encoding: str) -> Iterator[tuple[int, str]]:
    """The addresses in a text with one a line, with the number of the line; empty lines and # comments are none."""
    with io.TextIOWrapper(file, encoding, "replace") as text:
        for number, line in enumerate(iter(lambda: text.readline(_LONGEST_LINE), ""), 1):
            address = line.lstrip("\ufeff").strip()
            if address and not address.startswith("#"):
                yield number, address


def encoding_of(data: bytes) -> str:
    """What a text is written in, by its first bytes: spreadsheets, and editors on Windows, write UTF-16."""
    return "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def _head(data: bytes) -> bytes:
    """How the data begins, in an encoding that has ASCII within it."""
    head = data[:_CHUNK]
    return head.decode("utf-16", "replace").encode("utf-8", "replace") if encoding_of(data) == "utf-16" else head


def absolute(address: str, base: str | None) -> str:
    """An address that may be relative to where it stands."""
    try:
        return urljoin(base or "", address)
    except ValueError:  # "http://[broken": it will be refused as what it is
        return address
