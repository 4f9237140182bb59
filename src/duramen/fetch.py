"""A page from the web: one GET, with the patience and the room that the caller grants it, and no more.

The deadline is for the whole of it: looking up the name, connecting, every redirect and every byte. The standard
library has timeouts for a single read only, and none for a name, so the download runs in a thread of its own; at the
deadline its connection is cut and the caller goes on. The size limit holds for the bytes as they arrive and for what
they unpack to, so a small gzip that unpacks to gigabytes stops at the limit.

Every failure is a `FetchError` with a sentence that says what to do. User names and passwords in a URL are sent to
the host they were meant for, never to where it redirects, and appear in no message and no result.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import importlib.metadata
import queue
import re
import socket
import ssl
import string
import threading
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from duramen.errors import FetchError


def _version() -> str:
    try:
        return "/" + importlib.metadata.version("duramen")
    except importlib.metadata.PackageNotFoundError:  # run from its source, without being installed
        return ""


USER_AGENT = f"duramen{_version()} (Python library; content extraction)"
"""What duramen says it is. Name yourself and an address in your own when you fetch more than a few pages."""

TIMEOUT = 20.0
MAX_BYTES = 20_000_000
MAX_REDIRECTS = 10

_CHUNK = 1 << 16
_GZIP = b"\x1f"
_REDIRECTS = (301, 302, 303, 307, 308)
_READABLE = re.compile(r"text/.*|application/(xhtml\+xml|xml)").fullmatch
_FEED = re.compile(r"text/.*|application/((rss|atom|rdf|xhtml)\+xml|xml|(feed\+)?json|octet-stream)").fullmatch
_ADVICE = {
    401: "it wants a user name and a password: put them in the URL, or save the page and read the file",
    403: "the site refuses this client: save the page with a browser and read the file",
    404: "there is no such page: check the URL",
    410: "the page is gone: look for a copy in a web archive",
    429: "too many requests: wait a while and ask more slowly",
}


@dataclass(frozen=True)
class Response:
    """What came back: the body unpacked, the names of headers in lower case, the URL where redirects ended."""

    url: str
    body: bytes = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    status: int


def fetch(
    url: str,
    *,
    timeout: float = TIMEOUT,
    max_bytes: int = MAX_BYTES,
    user_agent: str = USER_AGENT,
    feed: bool = False,
) -> Response:
    """Download a page, or a feed, over http or https. Raises `FetchError`, and nothing else."""
    timeout = min(max(timeout, 0.0), threading.TIMEOUT_MAX)
    download = _Download(url, timeout, max_bytes, user_agent, feed)
    outcome: queue.SimpleQueue[Response | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            outcome.put(download.run())
        except Exception as error:  # handed over, not swallowed: the caller's thread raises it
            outcome.put(error)

    threading.Thread(target=run, name="duramen-fetch", daemon=True).start()
    result: Response | Exception
    try:
        result = outcome.get(timeout=timeout)
    except queue.Empty:
        advice = "try again, or allow a longer timeout"
        result = FetchError(f"{download.shown}: no complete answer in {timeout:g} s: {advice}")
    finally:
        download.cut()
    if isinstance(result, Exception):
        raise result
    return result


class _Download:
    """One download, run in one thread and cut from another."""

    def __init__(self, url: str, timeout: float, max_bytes: int, user_agent: str, feed: bool) -> None:
        self.url = url
        self.feed = feed
        self.shown = _without_credentials(url)
        self.timeout = max(timeout, 0.001)  # 0 would mean: do not wait at all
        self.max_bytes = max_bytes
        self.headers = {
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate",
        }
        self.credentials: tuple[str, str, str] | None = None  # scheme and host they are for, the header they make
        self.socket: socket.socket | None = None
        self.is_cut = False
        # Proxies from the environment work as they do everywhere. Files, FTP and data: URLs have no handler here.
        self.opener = urllib.request.OpenerDirector()
        for handler in (urllib.request.ProxyHandler(), _HTTPHandler(self), _HTTPSHandler(self)):
            self.opener.add_handler(handler)

    def cut(self) -> None:
        """End the connection, now or as soon as there is one, so that the thread does not outlive its use."""
        self.is_cut = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # closed already, which is what was wanted
                # The plain shutdown, also for TLS: it wakes a read in the other thread and touches nothing else.
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)

    def connected(self, connection: http.client.HTTPConnection) -> None:
        self.socket = connection.sock
        if self.is_cut:
            raise TimeoutError

    def run(self) -> Response:
        url = self.url
        try:
            for _ in range(MAX_REDIRECTS + 1):
                request = self.request(url)
                self.shown = request.full_url
                # Nothing in the opener follows a redirect or raises for a status: both are decided here.
                with self.opener.open(request, timeout=self.timeout) as answer:
                    location = answer.headers.get("Location")
                    if answer.status not in _REDIRECTS or not location:
                        return self.read(answer)
                # The bytes as they were sent: http.client reads headers as Latin-1.
                location = urllib.parse.quote(location, safe=string.punctuation, encoding="latin-1")
                url = urllib.parse.urljoin(request.full_url, location)
        except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
            raise self.failed(_sentence(error)) from error
        raise self.failed(f"more than {MAX_REDIRECTS} redirects: the site sends its visitors in a circle")

    def failed(self, sentence: str) -> FetchError:
        return FetchError(f"{self.shown}: {sentence}")

    def request(self, url: str) -> urllib.request.Request:
        target, credentials = _split_credentials(url)
        request = urllib.request.Request(target, headers=self.headers)
        if credentials:
            self.credentials = (request.type, request.host, credentials)
        if self.credentials and self.credentials[:2] == (request.type, request.host):
            request.add_unredirected_header("Authorization", self.credentials[2])
        return request

    def read(self, answer: http.client.HTTPResponse) -> Response:
        status = answer.status
        if not 200 <= status < 300:
            advice = _ADVICE.get(status) or ("the server failed: try later" if status >= 500 else "check the URL")
            raise self.failed(f"HTTP status {status} ({answer.reason or 'no reason given'}): {advice}")
        headers = {name.lower(): value for name, value in answer.headers.items()}
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if "/" in kind and not (_FEED if self.feed else _READABLE)(kind):
            wanted = "a feed: give the URL of a feed" if self.feed else "an HTML page: give the URL of a page"
            raise self.failed(f"this is {kind}, not {wanted}")
        encoding = headers.get("content-encoding", "identity").strip().lower() or "identity"
        chunks = self.received(answer)
        if encoding in ("gzip", "x-gzip", "deflate"):
            chunks = self.unpacked(chunks)
        elif encoding != "identity":
            raise self.failed(f"packed as {encoding!r}, which was not asked for and cannot be unpacked")
        return Response(self.shown, b"".join(chunks), headers, status)

    def received(self, answer: http.client.HTTPResponse) -> Iterator[bytes]:
        expected = answer.length  # None where the server did not say
        if expected is not None and expected > self.max_bytes:
            raise self.too_large()
        size = 0
        while chunk := answer.read(_CHUNK):
            size += len(chunk)
            if size > self.max_bytes:
                raise self.too_large()
            yield chunk
        if expected is not None and size < expected:
            raise self.failed(f"the connection broke after {size:,} of {expected:,} bytes: try again")

    def unpacked(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        unpacker: _Unpacker | None = None
        size = 0
        for chunk in chunks:
            packed = chunk
            while packed:
                if unpacker is None:
                    unpacker = _unpacker(packed)
                elif unpacker.eof:
                    if not packed.startswith(_GZIP):  # padding behind the last part, and nothing more
                        return
                    unpacker = _unpacker(packed)
                plain = unpacker.decompress(packed, self.max_bytes - size + 1)
                size += len(plain)
                if size > self.max_bytes:
                    raise self.too_large()
                yield plain
                packed = unpacker.unused_data
        if unpacker is not None and not unpacker.eof:
            raise self.failed("the packed page is cut off: try again")

    def too_large(self) -> FetchError:
        return self.failed(f"larger than {self.max_bytes:,} bytes: allow more, or save the page and read the file")


class _Unpacker(Protocol):
    """What `zlib.decompressobj` makes; its class has no public name."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _unpacker(start: bytes) -> _Unpacker:
    """An unpacker for gzip, for zlib, or for the bare deflate that some servers send: the first byte tells which."""
    is_wrapped = start.startswith(_GZIP) or start[0] & 0x0F == 8
    return zlib.decompressobj(32 + zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS)


class _Connection(http.client.HTTPConnection):
    """A connection that a download knows of, so that it can be cut at the deadline."""

    def __init__(self, host: str, **options: Any) -> None:
        self.download: _Download = options.pop("download")
        super().__init__(host, **options)

    def connect(self) -> None:
        super().connect()
        self.download.connected(self)


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    """The same over TLS."""


class _HTTPHandler(urllib.request.HTTPHandler):
    def __init__(self, download: _Download) -> None:
        super().__init__()
        self.download = download

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, req, download=self.download)


class _HTTPSHandler(urllib.request.HTTPSHandler):
    def __init__(self, download: _Download) -> None:
        super().__init__()
        self.download = download

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req, download=self.download)


def _split_credentials(url: str) -> tuple[str, str | None]:
    """A URL in the characters that HTTP can send, without fragment and credentials, and the header these make."""
    try:
        parts = urllib.parse.urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        if host and not host.isascii():
            host = host.encode("idna").decode("ascii")
    except ValueError:
        # The reason would repeat a piece of the URL, which may be a piece of a password.
        raise ValueError("this is not a URL: check it for slips") from None
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


def _without_credentials(url: str) -> str:
    """A URL to show before it is understood: everything up to its last @ may be a password and is left out."""
    return url.rpartition("@")[2][:200] or "no URL"


def _sentence(error: Exception) -> str:
    """What went wrong, and what to do about it."""
    if isinstance(error, urllib.error.URLError) and isinstance(error.reason, Exception):
        error = error.reason
    match error:
        case socket.gaierror():
            return "no such host, or no network: check the spelling and the connection"
        case TimeoutError():
            return "no answer in time: try again, or allow a longer timeout"
        case ssl.SSLCertVerificationError():
            return f"the certificate of the site is not valid ({error.verify_message}): check the URL"
        case ssl.SSLError():
            return f"no secure connection ({error.reason or error}): check the URL"
        case ConnectionRefusedError():
            return "the connection was refused: check the host and the port"
        case ConnectionError() | http.client.IncompleteRead():
            return "the connection broke: try again"
        case http.client.HTTPException():
            return f"the answer is not HTTP ({type(error).__name__}): check the URL"
        case zlib.error():
            return "the packed page is damaged: try again"
        case OSError():
            return f"the network failed ({error.strerror or error}): try again"
        case _:
            return str(error)
