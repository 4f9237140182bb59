"""Rules of HTTP that all downloads share: URLs, statuses, content types, and bodies with a size limit.

An invalid response or URL raises a `ValueError` whose message is a sentence; the caller adds the URL.
"""

from __future__ import annotations

import base64
import importlib.metadata
import re
import string
import urllib.parse
import zlib
from typing import Protocol


def _version() -> str:
    try:
        return "/" + importlib.metadata.version("duramen")
    except importlib.metadata.PackageNotFoundError:  # run from its source, without being installed
        return ""


USER_AGENT = f"duramen{_version()} (Python library; content extraction)"
"""The default user agent. Set your own, with a name and a contact, to fetch more than a few pages."""

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.1"
ACCEPT_ENCODING = "gzip, deflate"
MAX_REDIRECTS = 10
REDIRECTS = (301, 302, 303, 307, 308)

_GZIP = b"\x1f"
_PACKED = ("gzip", "x-gzip", "deflate")
_PAGE = re.compile(r"text/.*|application/(xhtml\+xml|xml)").fullmatch
_FEED = re.compile(r"text/.*|application/((rss|atom|rdf|xhtml)\+xml|xml|(feed\+)?json|octet-stream)").fullmatch
_ADVICE = {
    401: "the site requires a user name and a password: put them in the URL, or save the page and read the file",
    403: "the site refuses this client: save the page with a browser and read the file",
    404: "there is no such page: check the URL",
    410: "the page is gone: look for a copy in a web archive",
    429: "too many requests: wait, then send fewer requests",
}


class TooLargeError(ValueError):
    """The response is larger than the limit, compressed or decompressed."""


class UnknownPackingError(ValueError):
    """The response has a content encoding that was not requested."""


def explain_status(status: int, reason: str | None) -> str:
    """Return the meaning of an error status, and what to do."""
    advice = _ADVICE.get(status) or ("the server failed: try later" if status >= 500 else "check the URL")
    return f"HTTP status {status} ({reason or 'no reason given'}): {advice}"


def check_content_type(content_type: str, *, feed: bool = False) -> None:
    """Raise `ValueError` for a response whose content type is not a page, or not a feed."""
    kind = content_type.partition(";")[0].strip().lower()
    if "/" in kind and not (_FEED if feed else _PAGE)(kind):
        wanted = "a feed: give the URL of a feed" if feed else "an HTML page: give the URL of a page"
        raise ValueError(f"this is {kind}, not {wanted}")


def prepare_url(url: str) -> tuple[str, str | None]:
    """Return a URL in ASCII without fragment and credentials, and the header for the credentials."""
    try:
        parts = urllib.parse.urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        if host and not host.isascii():
            host = host.encode("idna").decode("ascii")
    except ValueError:
        # The reason would repeat a piece of the URL, which may be a piece of a password.
        raise ValueError("this is not a valid URL: check the spelling") from None
    if parts.scheme and parts.scheme not in ("http", "https"):
        raise ValueError(f"only http and https can be fetched, not {parts.scheme}")
    if not parts.scheme or not host:
        raise ValueError("a URL needs a scheme and a host: write it as https://host/path")
    netloc = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    path = urllib.parse.quote(parts.path or "/", safe=string.punctuation)
    query = urllib.parse.quote(parts.query, safe=string.punctuation)
    target = urllib.parse.urlunsplit((parts.scheme, netloc, path, query, ""))
    if parts.username is None:
        return target, None
    pair = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
    return target, "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def resolve_redirect(url: str, location: str) -> str:
    """Return the URL of a redirect. `location` is the header decoded as Latin-1; its original bytes are sent."""
    location = urllib.parse.quote(location, safe=string.punctuation, encoding="latin-1")
    return urllib.parse.urljoin(url, location)


def without_credentials(url: str) -> str:
    """Return a URL for messages: everything up to its last @ may be a password and is left out."""
    return url.rpartition("@")[2][:200] or "no URL"


class ResponseBody:
    """The body of a response, decompressed as it arrives. The size limit holds for compressed and plain bytes."""

    def __init__(self, max_bytes: int, content_encoding: str = "") -> None:
        encoding = content_encoding.strip().lower() or "identity"
        if encoding != "identity" and encoding not in _PACKED:
            raise UnknownPackingError(
                f"the server sent the content encoding {encoding!r}, which was not requested and cannot be decoded"
            )
        self.max_bytes = max_bytes
        self.received = 0
        self._is_packed = encoding != "identity"
        self._unpacker: _Unpacker | None = None
        self._is_over = False
        self._size = 0
        self._chunks: list[bytes] = []

    def expect(self, length: int | None) -> None:
        """Raise `TooLargeError` if the announced length is over the limit."""
        if length is not None and length > self.max_bytes:
            raise self._too_large()

    def add(self, chunk: bytes) -> None:
        self.received += len(chunk)
        if self.received > self.max_bytes:
            raise self._too_large()
        if not self._is_packed:
            self._chunks.append(chunk)
            return
        while chunk and not self._is_over:
            if self._unpacker is None:
                self._unpacker = _unpacker(chunk)
            elif self._unpacker.eof:
                if not chunk.startswith(_GZIP):  # only padding follows the last part
                    self._is_over = True
                    return
                self._unpacker = _unpacker(chunk)
            plain = self._unpacker.decompress(chunk, self.max_bytes - self._size + 1)
            self._size += len(plain)
            if self._size > self.max_bytes:
                raise self._too_large()
            self._chunks.append(plain)
            chunk = self._unpacker.unused_data

    def whole(self, expected: int | None = None) -> bytes:
        """Return the whole body; `ValueError` if there are fewer than `expected` bytes or a part is incomplete."""
        if expected is not None and self.received < expected:
            raise ValueError(f"the connection broke after {self.received:,} of {expected:,} bytes: try again")
        if self._unpacker is not None and not self._unpacker.eof:
            raise ValueError("the packed page is cut off: try again")
        return b"".join(self._chunks)

    def _too_large(self) -> TooLargeError:
        return TooLargeError(f"larger than {self.max_bytes:,} bytes: allow more, or save the page and read the file")


class _Unpacker(Protocol):
    """The type of `zlib.decompressobj()`, which has no public name."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _unpacker(start: bytes) -> _Unpacker:
    """Return a decompressor for gzip, zlib, or the raw deflate of some servers, chosen by the first byte."""
    is_wrapped = start.startswith(_GZIP) or start[0] & 0x0F == 8
    return zlib.decompressobj(32 + zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS)
