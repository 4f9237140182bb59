"""One HTTP request by aiohttp, to a checked address and within the size limits.

Two hooks of aiohttp keep requests out of private networks. The resolver checks every address of a name, and aiohttp
connects to the addresses that the resolver returns. Numeric addresses in a URL never reach a resolver; they, and all
others once more, are checked when the socket is made. Redirects are not followed here, no cookies are kept, no proxy
of the environment is used, and `duramen.net.http.ResponseBody` decompresses the body within its limit.
"""

from __future__ import annotations

import asyncio
import socket
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from duramen.batch.crawl.messages import FetchRefused, HttpResponse
from duramen.batch.crawl.politeness import CrawlSettings
from duramen.batch.inputs.warc.reader import is_html
from duramen.errors import MissingExtraError, PrivateAddressError
from duramen.net import private_networks as network
from duramen.net.http import ACCEPT, ACCEPT_ENCODING, ResponseBody, TooLargeError, UnknownPackingError

if TYPE_CHECKING:
    import aiohttp

_LOOKUP_THREADS = 16
"""The system's resolver blocks a thread for each name."""
_MAX_HEADER_BYTES = 65_536


class TransientFetchError(Exception):
    """The request failed in a way that a retry may solve."""


class Client:
    """A session of requests. Open and close it in the event loop that uses it."""

    def __init__(self, settings: CrawlSettings) -> None:
        try:
            import aiohttp
        except ImportError:
            raise MissingExtraError("aiohttp", "download") from None
        self._aiohttp = aiohttp
        self._settings = settings

    async def __aenter__(self) -> Self:
        aiohttp = self._aiohttp
        self._threads = ThreadPoolExecutor(_LOOKUP_THREADS, thread_name_prefix="duramen-lookup")
        connector = aiohttp.TCPConnector(
            limit=0,  # `Hosts` and `RequestLimiter` limit the connections
            resolver=_make_resolver(self._threads, self._settings.allow_private),
            socket_factory=self._socket,
        )
        headers = {"User-Agent": self._settings.user_agent, "Accept": ACCEPT, "Accept-Encoding": ACCEPT_ENCODING}
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None),
            max_line_size=_MAX_HEADER_BYTES,
            max_field_size=_MAX_HEADER_BYTES,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def get(self, url: str, *, kind: str = "page", max_bytes: int | None = None) -> HttpResponse:
        """Send one GET request. Raises `FetchRefused`, or `TransientFetchError` if a retry may help.

        `url` must come from `duramen.net.http.prepare_url`. `kind` is "page" for HTML only, or "any".
        """
        from yarl import URL

        limit = self._settings.max_bytes if max_bytes is None else max_bytes
        try:
            async with asyncio.timeout(self._settings.timeout):
                async with self._session.get(URL(url, encoded=True), allow_redirects=False) as response:
                    return await _read_response(response, url, kind, limit)
        except PrivateAddressError as error:
            hint = "" if self._settings.allow_private else " (--allow-private allows the local network)"
            raise FetchRefused("private", f"{error}{hint}") from error
        except (FetchRefused, TransientFetchError):
            raise
        except TimeoutError:
            raise TransientFetchError(f"no complete response in {self._settings.timeout:g} s") from None
        except (self._aiohttp.ClientError, OSError, ValueError, UnicodeError) as error:
            raise self._classify_error(error) from error

    def _classify_error(self, error: Exception) -> FetchRefused | TransientFetchError:
        """Turn an error into a sentence, and decide whether a retry may help."""
        aiohttp = self._aiohttp
        match error:
            case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
                return FetchRefused("address", "this URL cannot be fetched: check its spelling")
            case aiohttp.ClientConnectorCertificateError():
                why = getattr(error.certificate_error, "verify_message", error.certificate_error)
                return FetchRefused("download", f"the certificate of the site is not valid ({why})")
            case aiohttp.ClientConnectorDNSError():
                is_transient = isinstance(error.os_error, socket.gaierror) and error.os_error.errno == socket.EAI_AGAIN
                sentence = "no such host, or no network"
                return TransientFetchError(sentence) if is_transient else FetchRefused("download", sentence)
            case aiohttp.ClientSSLError():
                return TransientFetchError(f"no secure connection ({error.os_error})")
            case aiohttp.ClientConnectorError() if isinstance(error.os_error, ConnectionRefusedError):
                return TransientFetchError("the connection was refused")
            case aiohttp.ClientPayloadError():
                return TransientFetchError("the connection was lost in the middle of the page")
            case aiohttp.ServerDisconnectedError() | ConnectionError() | aiohttp.ClientOSError():
                return TransientFetchError("the connection was lost")
            case aiohttp.ClientResponseError():
                return FetchRefused("download", "the response is not valid HTTP")
            case aiohttp.ClientError() | OSError():
                return TransientFetchError(f"the network failed ({error or type(error).__name__})")
            case _:
                return FetchRefused("download", str(error) or type(error).__name__)

    def _socket(self, info: tuple[Any, ...]) -> socket.socket:
        """Make a socket for an address, if that is allowed."""
        family, kind, protocol, _, address = info
        allowed = self._settings.allow_private
        network.check(str(address[0]), [(family, kind, protocol, "", address)], allow_private=allowed)
        return socket.socket(family, kind, protocol)


async def _read_response(response: aiohttp.ClientResponse, url: str, kind: str, max_bytes: int) -> HttpResponse:
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers)
    reason = (response.reason or "").encode("ascii", "replace").decode("ascii")
    result = HttpResponse(url, response.status, reason, headers, datetime.now(UTC))
    if not 200 <= response.status < 300:
        return result
    try:
        if kind == "page":
            refuse_non_html(result, b"<")  # the body is not known yet
        body = ResponseBody(max_bytes, result.header("content-encoding"))
        body.expect(response.content_length)
        async for chunk in response.content.iter_any():
            body.add(chunk)
        result = replace(result, body=body.whole())
    except TooLargeError as error:
        raise FetchRefused("too-large", str(error)) from error
    except UnknownPackingError as error:
        raise FetchRefused("download", str(error)) from error
    except zlib.error as error:
        raise TransientFetchError("the compressed page is damaged") from error
    except ValueError as error:
        raise TransientFetchError(str(error)) from error
    if kind == "page":
        refuse_non_html(result, result.body)
    return result


def refuse_non_html(response: HttpResponse, body: bytes) -> None:
    """Raise `FetchRefused` for a response that the WARC reader would skip as not HTML."""
    content_type = response.header("content-type")
    if not is_html(content_type, body):
        kind = content_type.partition(";")[0].strip() or "of unknown type, and without markup"
        raise FetchRefused("not-html", f"this is {kind}, not an HTML page")


def _make_resolver(threads: ThreadPoolExecutor, allow_private: bool) -> aiohttp.abc.AbstractResolver:
    """Make a resolver that checks addresses. Its base class exists only if aiohttp is installed."""
    from aiohttp.abc import AbstractResolver, ResolveResult

    class CheckedResolver(AbstractResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
        ) -> list[ResolveResult]:
            addresses = await asyncio.get_running_loop().run_in_executor(threads, network.look_up, host, port)
            network.check(host, addresses, allow_private=allow_private)
            return [
                ResolveResult(
                    hostname=host,
                    host=str(address[0]),
                    port=port,
                    family=family,
                    proto=protocol,
                    flags=socket.AI_NUMERICHOST,
                )
                for family, _, protocol, _, address in addresses
            ]

        async def close(self) -> None:
            pass

    return CheckedResolver()
