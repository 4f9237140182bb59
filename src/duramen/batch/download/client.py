"""One request and its answer, by aiohttp, to an address that was checked and within the limits.

Two hooks of aiohttp's keep us out of the local network. The resolver checks every address that a name stands for, and
aiohttp connects to what the resolver gave. Addresses written out in a URL never reach a resolver; they, and all others
once more, are checked where the socket is made. Redirects are not followed here, no cookies are kept, no proxy of the
environment is used, and the body is unpacked by `duramen.net.http.Body`, which knows when to stop.
"""

from __future__ import annotations

import asyncio
import socket
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from duramen.batch.download.manners import Manners
from duramen.batch.download.target import Answer, Refused
from duramen.batch.sources.warc import is_html
from duramen.errors import MissingExtraError, PrivateAddressError
from duramen.net import private_networks as network
from duramen.net.http import ACCEPT, ACCEPT_ENCODING, Body, TooLargeError, UnknownPackingError

if TYPE_CHECKING:
    import aiohttp

_LOOKUPS = 16
"""Names looked up at the same time: the system's resolver waits in a thread."""
_LONGEST_HEADER = 65_536


class Broken(Exception):  # noqa: N818 - an outcome, not a fault
    """The request failed in a way that may pass."""


class Client:
    """A session of requests. Opened and closed in the event loop that it is used in."""

    def __init__(self, manners: Manners) -> None:
        try:
            import aiohttp
        except ImportError:
            raise MissingExtraError("aiohttp", "download") from None
        self._aiohttp = aiohttp
        self._manners = manners

    async def __aenter__(self) -> Self:
        aiohttp = self._aiohttp
        self._threads = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="duramen-lookup")
        connector = aiohttp.TCPConnector(
            limit=0,  # whose turn it is, is not decided here
            resolver=_resolver(self._threads, self._manners.allow_private),
            socket_factory=self._socket,
        )
        headers = {"User-Agent": self._manners.user_agent, "Accept": ACCEPT, "Accept-Encoding": ACCEPT_ENCODING}
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None),
            max_line_size=_LONGEST_HEADER,
            max_field_size=_LONGEST_HEADER,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def get(self, url: str, *, kind: str = "page", max_bytes: int | None = None) -> Answer:
        """The answer to one GET. Raises `Refused` where there is no use in asking again, `Broken` where there may be.

        `url` is one that `duramen.net.http.sendable` made. `kind` is what is wanted: a "page", or "any".
        """
        from yarl import URL

        limit = self._manners.max_bytes if max_bytes is None else max_bytes
        try:
            async with asyncio.timeout(self._manners.timeout):
                async with self._session.get(URL(url, encoded=True), allow_redirects=False) as response:
                    return await _read(response, url, kind, limit)
        except PrivateAddressError as error:
            raise Refused("private", str(error)) from error
        except (Refused, Broken):
            raise
        except TimeoutError:
            raise Broken(f"no complete answer in {self._manners.timeout:g} s") from None
        except (self._aiohttp.ClientError, OSError, ValueError, UnicodeError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> Refused | Broken:
        """What went wrong, as a sentence, and whether it may pass."""
        aiohttp = self._aiohttp
        match error:
            case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
                return Refused("address", "this is not a URL that can be fetched: check it for slips")
            case aiohttp.ClientConnectorCertificateError():
                why = getattr(error.certificate_error, "verify_message", error.certificate_error)
                return Refused("download", f"the certificate of the site is not valid ({why})")
            case aiohttp.ClientConnectorDNSError():
                passing = isinstance(error.os_error, socket.gaierror) and error.os_error.errno == socket.EAI_AGAIN
                sentence = "no such host, or no network"
                return Broken(sentence) if passing else Refused("download", sentence)
            case aiohttp.ClientSSLError():
                return Broken(f"no secure connection ({error.os_error})")
            case aiohttp.ClientConnectorError() if isinstance(error.os_error, ConnectionRefusedError):
                return Broken("the connection was refused")
            case aiohttp.ClientPayloadError():
                return Broken("the connection broke in the middle of the page")
            case aiohttp.ServerDisconnectedError() | ConnectionError() | aiohttp.ClientOSError():
                return Broken("the connection broke")
            case aiohttp.ClientResponseError():
                return Refused("download", "the answer is not HTTP, or not sound")
            case aiohttp.ClientError() | OSError():
                return Broken(f"the network failed ({error or type(error).__name__})")
            case _:
                return Refused("download", str(error) or type(error).__name__)

    def _socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address that may be reached."""
        family, kind, protocol, _, place = info
        allowed = self._manners.allow_private
        network.check(str(place[0]), [(family, kind, protocol, "", place)], allow_private=allowed)
        return socket.socket(family, kind, protocol)


async def _read(response: aiohttp.ClientResponse, url: str, kind: str, max_bytes: int) -> Answer:
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers)
    reason = (response.reason or "").encode("ascii", "replace").decode("ascii")
    answer = Answer(url, response.status, reason, headers, datetime.now(UTC))
    if not 200 <= response.status < 300:
        return answer
    try:
        if kind == "page":
            refuse_other_kinds(answer, b"<")  # what there will be, for all we know
        body = Body(max_bytes, answer.header("content-encoding"))
        body.expect(response.content_length)
        async for chunk in response.content.iter_any():
            body.add(chunk)
        answer = replace(answer, body=body.whole())
    except TooLargeError as error:
        raise Refused("too-large", str(error)) from error
    except UnknownPackingError as error:
        raise Refused("download", str(error)) from error
    except zlib.error as error:
        raise Broken("the packed page is damaged") from error
    except ValueError as error:
        raise Broken(str(error)) from error
    if kind == "page":
        refuse_other_kinds(answer, answer.body)
    return answer


def refuse_other_kinds(answer: Answer, body: bytes) -> None:
    """Raise `Refused` for an answer that a reader of WARCs would pass over as no page."""
    told = answer.header("content-type")
    if not is_html(told, body):
        kind = told.partition(";")[0].strip() or "of no known type, and without markup"
        raise Refused("not-html", f"this is {kind}, not an HTML page")


def _resolver(threads: ThreadPoolExecutor, allow_private: bool) -> aiohttp.abc.AbstractResolver:
    """A resolver of aiohttp's kind, whose base class is known only where aiohttp is."""
    from aiohttp.abc import AbstractResolver, ResolveResult

    class Checked(AbstractResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
        ) -> list[ResolveResult]:
            found = await asyncio.get_running_loop().run_in_executor(threads, network.look_up, host, port)
            network.check(host, found, allow_private=allow_private)
            return [
                ResolveResult(
                    hostname=host,
                    host=str(place[0]),
                    port=port,
                    family=family,
                    proto=protocol,
                    flags=socket.AI_NUMERICHOST,
                )
                for family, _, protocol, _, place in found
            ]

        async def close(self) -> None:
            pass

    return Checked()
