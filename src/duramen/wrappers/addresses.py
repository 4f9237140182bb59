"""Which item of a feed is which saved page: by their addresses, as far as these mean the same.

One page goes by many addresses: with http or https, with a slash at its end or without, with what a newsletter or an
advertisement hung onto it. Differences that never matter are set aside first. Those that matter now and then, `www.`
and `index.html`, are set aside only for what is still unmatched; so is the page's own word on its address.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

from duramen import xpath
from duramen.dom.page import Page

_TRACKING = re.compile(
    r"utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|_hs\w+|ns_\w+|at_\w+|wt_\w+|fbclid|gclid|gclsrc|dclid|wbraid|gbraid|msclkid|yclid"
    r"|twclid|igshid|mc_[ce]id|_ga|_gl|cmpid|ocid|ncid|s_cid|xtor|sh",
    re.IGNORECASE,
)
_FROM_FEED = frozenset(["rss", "feed", "atom"])  # ?source=rss
_PORTS = {"http": 80, "https": 443}
_INDEX = re.compile(r"/index\.(?:html?|php)$", re.IGNORECASE)
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_CANONICAL = "//link[contains(concat(' ', normalize-space(@rel), ' '), ' canonical ')]/@href"
_OPEN_GRAPH = "//meta[@property='og:url']/@content"


class Address(NamedTuple):
    """An address without what never tells two pages apart. The host is '' in a relative one."""

    host: str
    path: str
    query: str


class _Item(Protocol):
    @property
    def url(self) -> str | None: ...


Item = TypeVar("Item", bound=_Item)


def normalise(url: str) -> Address | None:
    """The address that a URL stands for; None for what is no URL."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:  # "http://[broken", "http://host:port"
        return None
    if parts.scheme not in ("http", "https", ""):
        return None
    host = (parts.hostname or "").rstrip(".")
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError:
            return None
    if port is not None and port != _PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    fields = parse_qsl(parts.query, keep_blank_values=True)
    kept = [
        (name, value) for name, value in fields if not _TRACKING.fullmatch(name) and value.lower() not in _FROM_FEED
    ]
    return Address(host, _escape(parts.path).rstrip("/"), urlencode(sorted(kept)))


def site_name(url: str | None) -> str | None:
    """The last two parts of a host's name, three where the last two are as short as "co.uk"."""
    try:
        host = urlsplit(url or "").hostname
    except ValueError:  # "http://[broken"
        return None
    if not host or host.replace(".", "").isdigit():
        return host
    names = host.split(".")
    short = len(names) > 2 and len(names[-1]) == 2 and len(names[-2]) <= 3
    return ".".join(names[-3:] if short else names[-2:])


def match(items: Iterable[Item], pages: Sequence[Page]) -> tuple[Item | None, ...]:
    """For each page its item, or None. No item goes to two pages: the first in order has it."""
    found: list[Item | None] = [None] * len(pages)
    waiting = [(item, address) for item in items if item.url and (address := normalise(item.url))]
    said: dict[int, list[Address]] = {}
    for key in (_exactly, _without_www, _without_index):
        waiting = _pair(waiting, found, lambda index: _own(pages[index]), key)
        # Reading a page for what it says of its address costs more than its URL: only where that did not do.
        for index, item in enumerate(found):
            if item is None and index not in said:
                said[index] = _said(pages[index])
        waiting = _pair(waiting, found, said.__getitem__, key)
    _pair(waiting, found, lambda index: _own(pages[index]), _path_alone, apart=True)
    return tuple(found)


def _pair(
    items: list[tuple[Item, Address]],
    found: list[Item | None],
    addresses: Callable[[int], list[Address]],
    key: Callable[[Address], Address],
    apart: bool = False,
) -> list[tuple[Item, Address]]:
    """Give items to pages that have none, where the keys of their addresses are the same; return the items left over.

    With `apart`, only where just one of the two addresses has a host.
    """
    indexes: defaultdict[tuple[Address, bool], deque[int]] = defaultdict(deque)
    for index, item in enumerate(found):
        if item is None:
            for address in addresses(index):
                indexes[key(address), apart and not address.host].append(index)
    left: list[tuple[Item, Address]] = []
    for item, address in items:
        candidates = indexes.get((key(address), apart and bool(address.host)), deque())
        while candidates and found[candidates[0]] is not None:
            candidates.popleft()
        if candidates:
            found[candidates.popleft()] = item
        else:
            left.append((item, address))
    return left


def _own(page: Page) -> list[Address]:
    address = normalise(page.url) if page.url else None
    return [address] if address else []


def _said(page: Page) -> list[Address]:
    """The addresses that the page itself says it has."""
    found = []
    for href in xpath.strings(page.tree, _CANONICAL)[:1] + xpath.strings(page.tree, _OPEN_GRAPH)[:1]:
        try:
            address = normalise(urljoin(page.base or "", href.strip()))
        except ValueError:  # "http://[broken"
            continue
        if address and address not in found:
            found.append(address)
    return found


def _exactly(address: Address) -> Address:
    return address


def _without_www(address: Address) -> Address:
    return address._replace(host=address.host.removeprefix("www."))


def _without_index(address: Address) -> Address:
    return _without_www(address)._replace(path=_INDEX.sub("", address.path))


def _path_alone(address: Address) -> Address:
    return _without_index(address)._replace(host="")


def _escape(path: str) -> str:
    """Percent signs where they are needed, and there in capitals."""

    def unescape(found: re.Match[str]) -> str:
        byte = int(found[1], 16)
        return chr(byte) if byte in _UNRESERVED else found[0].upper()

    return quote(_ESCAPE.sub(unescape, path), safe="%/:@!$&'()*+,;=~")
