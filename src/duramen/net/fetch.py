"""Download one page with a deadline and a size limit.

The deadline covers everything: the name lookup, connecting, every redirect and every byte. The standard library has
timeouts for a single read only, and none for a name lookup, so the download runs in its own thread; at the deadline its
connection is closed and the caller continues. The size limit holds for the bytes as received and as unpacked, so that
a small gzip that unpacks to gigabytes stops at the limit.

Every failure is a `FetchError` with advice. User names and passwords in a URL are sent to that host only,
never to where it redirects, and are in no message and no result.

A URL may name a host of the local network; a redirect from the public internet to such a host is refused
(`duramen.net.private_networks`). A proxy from the environment resolves names itself and has its own rules.
"""

from __future__ import annotations

import contextlib
import http.client
import queue
import socket
import ssl
import threading
import urllib.error
import urllib.parse
import urllib.request
import zlib
from dataclasses import dataclass, field
from typing import Any

from duramen.errors import FetchError, PrivateAddressError
from duramen.net import private_networks as network
from duramen.net.http import (
    ACCEPT,
    ACCEPT_ENCODING,
    MAX_REDIRECTS,
    REDIRECTS,
    USER_AGENT,
    ResponseBody,
    check_content_type,
    explain_status,
    prepare_url,
    resolve_redirect,
    without_credentials,
)

__all__ = ["MAX_BYTES", "TIMEOUT", "USER_AGENT", "Response", "fetch"]

TIMEOUT = 20.0
"""Seconds for the whole download."""
MAX_BYTES = 20_000_000

_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class Response:
    """A response: the unpacked body, headers with lower-case names, and the URL after redirects."""

    url: str
    body: bytes = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    status: int
    is_private: bool = False
    """Whether it came from this computer or the local network."""


def fetch(
    url: str,
    *,
    timeout: float = TIMEOUT,
    max_bytes: int = MAX_BYTES,
    user_agent: str = USER_AGENT,
    feed: bool = False,
    allow_private: bool | None = None,
) -> Response:
    """Download a page or a feed over http or https. Raise `FetchError`, and nothing else.

    `allow_private` allows hosts that are this computer or on the local network. None, for a URL that a person wrote,
    allows them if the URL itself names such a host. Use False for URLs from pages and feeds. A link-local address is
    reached only if it is None and the URL names that address.
    """
    timeout = min(max(timeout, 0.0), threading.TIMEOUT_MAX)
    download = _Download(url, timeout, max_bytes, user_agent, feed, allow_private)
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
        download.abort()
    if isinstance(result, Exception):
        raise result
    return result


class _Download:
    """One download, which runs in one thread and is ended from another."""

    def __init__(
        self, url: str, timeout: float, max_bytes: int, user_agent: str, feed: bool, allow_private: bool | None
    ) -> None:
        self.url = url
        self.feed = feed
        self.allow_private = allow_private
        self.allow_link_local = False
        self.reached_private = False
        self.shown = without_credentials(url)
        self.timeout = max(timeout, 0.001)  # 0 would mean: do not wait at all
        self.max_bytes = max_bytes
        self.headers = {
            "User-Agent": user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": ACCEPT_ENCODING,
        }
        self.credentials: tuple[str, str, str] | None = None  # scheme and host they are for, the header they make
        self.socket: socket.socket | None = None
        self.is_aborted = False
        # Proxies from the environment work as they do everywhere. Files, FTP and data: URLs have no handler here.
        self.opener = urllib.request.OpenerDirector()
        for handler in (urllib.request.ProxyHandler(), _HTTPHandler(self), _HTTPSHandler(self)):
            self.opener.add_handler(handler)

    def abort(self) -> None:
        """Close the connection, now or as soon as there is one, so that the thread ends."""
        self.is_aborted = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # already closed
                # The plain shutdown, also for TLS: it wakes a read in the other thread and touches nothing else.
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)

    def connect(
        self, place: tuple[str, int], timeout: float | None, source_address: tuple[str, int] | None = None
    ) -> socket.socket:
        """Connect to a host that may be reached: to the very addresses that were checked."""
        addresses = network.look_up(*place)
        kinds = {network.private_kind(str(where[0])) for *_, where in addresses} - {None}
        self.reached_private = bool(kinds)
        if self.allow_private is None:  # the first host: that of the given URL
            self.allow_private, self.allow_link_local = self.reached_private, network.LINK_LOCAL in kinds
        allowed = {"allow_private": self.allow_private, "allow_link_local": self.allow_link_local}
        network.check(place[0], addresses, **allowed)
        return network.connect(addresses, timeout, source_address)

    def connected(self, connection: http.client.HTTPConnection) -> None:
        self.socket = connection.sock
        if self.is_aborted:
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
                    if answer.status not in REDIRECTS or not location:
                        return self.read(answer)
                url = resolve_redirect(request.full_url, location)  # http.client reads headers as Latin-1
        except PrivateAddressError as error:
            raise PrivateAddressError(f"{self.shown}: {error}") from error
        except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
            raise self.failed(_explain(error)) from error
        raise self.failed(f"more than {MAX_REDIRECTS} redirects: the site redirects in a loop")

    def failed(self, message: str) -> FetchError:
        return FetchError(f"{self.shown}: {message}")

    def request(self, url: str) -> urllib.request.Request:
        target, credentials = prepare_url(url)
        request = urllib.request.Request(target, headers=self.headers)
        if credentials:
            self.credentials = (request.type, request.host, credentials)
        if self.credentials and self.credentials[:2] == (request.type, request.host):
            request.add_unredirected_header("Authorization", self.credentials[2])
        return request

    def read(self, answer: http.client.HTTPResponse) -> Response:
        status = answer.status
        if not 200 <= status < 300:
            raise self.failed(explain_status(status, answer.reason))
        headers = {name.lower(): value for name, value in answer.headers.items()}
        check_content_type(headers.get("content-type", ""), feed=self.feed)
        body = ResponseBody(self.max_bytes, headers.get("content-encoding", ""))
        expected = answer.length  # None if the server sent no Content-Length
        body.expect(expected)
        while chunk := answer.read(_CHUNK_BYTES):
            body.add(chunk)
        return Response(self.shown, body.whole(expected), headers, status, self.reached_private)


class _Connection(http.client.HTTPConnection):
    """A connection that is registered with its download, which can then close it at the deadline."""

    def __init__(self, host: str, **options: Any) -> None:
        self.download: _Download = options.pop("download")
        proxied: bool = options.pop("proxied")
        super().__init__(host, **options)
        if not proxied:
            self._create_connection = self.download.connect  # what http.client opens its sockets with

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
        return self.do_open(_Connection, req, download=self.download, proxied=req.has_proxy())


class _HTTPSHandler(urllib.request.HTTPSHandler):
    def __init__(self, download: _Download) -> None:
        super().__init__()
        self.download = download

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        proxied = getattr(req, "_tunnel_host", None) is not None
        return self.do_open(_SecureConnection, req, download=self.download, proxied=proxied)


def _explain(error: Exception) -> str:
    """Return the reason of an error, and what to do."""
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
