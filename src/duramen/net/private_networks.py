"""Refuse connections to hosts that are not on the public internet, unless the user allows them.

A page may redirect to `http://192.168.1.1/`, a link may be `http://2130706433/`, and the owner of a host name may
resolve it to a public address when it is checked and to a private one when it is used. So the URL is not what is
checked: a name is looked up once, all addresses that it resolves to are checked, and the connection goes to one of
these addresses. The system's resolver reads all notations of an address (decimal, octal, hexadecimal, short), and its
results are checked.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from duramen.errors import PrivateAddressError

AddressInfo = tuple[int, int, int, str, tuple[Any, ...]]
"""One line of `socket.getaddrinfo`: family, type, protocol, canonical name, and what `connect` takes."""

Lookup = Callable[[str, int], Sequence[AddressInfo]]

_IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

THIS_COMPUTER = "this computer"
LINK_LOCAL = "a link-local address"
_PRIVATE = "in a private network"
_SHARED = "in a shared network"
_RESERVED = "in a reserved network"
_MULTICAST = "a multicast address"

# The IANA special-purpose address registries (https://www.iana.org/assignments/iana-ipv4-special-registry and
# …/iana-ipv6-special-registry), and multicast. Source: the copy in `Lib/ipaddress.py` of CPython's main branch, as read
# on 18 November 2026 (commit 0189152dc50e), which has blocks up to RFC 9637 (3fff::/20); the registries themselves were
# not read then. Each release of Python has another copy, so the table is kept here. Differences from that copy: blocks
# inside 192.0.0.0/24 and 2001::/23 are reserved even where they are globally reachable, because they have no web
# servers; 100.64.0.0/10 and 192.88.99.0/24, the former relays of 6to4, are listed too; in IPv6 all that is outside of
# 2000::/3 is reserved, also 64:ff9b:1::/48, 100::/64 and 5f00::/16; and an address in 2002::/16 (6to4) is of the kind
# of the IPv4 address inside it.
_IPV4_KINDS = {
    "0.0.0.0/8": THIS_COMPUTER,  # Linux connects 0.0.0.0 to itself
    "10.0.0.0/8": _PRIVATE,
    "100.64.0.0/10": _SHARED,
    "127.0.0.0/8": THIS_COMPUTER,
    "169.254.0.0/16": LINK_LOCAL,
    "172.16.0.0/12": _PRIVATE,
    "192.0.0.0/24": _RESERVED,
    "192.0.2.0/24": _RESERVED,
    "192.88.99.0/24": _RESERVED,
    "192.168.0.0/16": _PRIVATE,
    "198.18.0.0/15": _RESERVED,
    "198.51.100.0/24": _RESERVED,
    "203.0.113.0/24": _RESERVED,
    "224.0.0.0/4": _MULTICAST,
    "240.0.0.0/4": _RESERVED,
}
# The first network that has the address counts. IANA allocates public addresses only from 2000::/3.
_IPV6_KINDS = {
    "::/127": THIS_COMPUTER,
    "fc00::/7": _PRIVATE,
    "fe80::/10": LINK_LOCAL,
    "fec0::/10": _PRIVATE,
    "ff00::/8": _MULTICAST,
    "2001::/23": _RESERVED,
    "2001:db8::/32": _RESERVED,
    "3fff::/20": _RESERVED,
    "2000::/3": None,
    "::/0": _RESERVED,
}
_KINDS: dict[int, list[tuple[_Network, str | None]]] = {
    4: [(ipaddress.IPv4Network(network), kind) for network, kind in _IPV4_KINDS.items()],
    6: [(ipaddress.IPv6Network(network), kind) for network, kind in _IPV6_KINDS.items()],
}
# Prefixes of IPv6 addresses that hold an IPv4 address, and how far to the left of the last bit it ends.
_EMBEDDINGS = [
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped, RFC 4291
    (ipaddress.IPv6Network("::ffff:0:0:0/96"), 0),  # IPv4-translated, RFC 2765
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),  # NAT64, RFC 6052: the public IPv4 internet, from an IPv6 network
    (ipaddress.IPv6Network("2002::/16"), 80),  # 6to4, RFC 3056
]
_IPV4_COMPATIBLE = ipaddress.IPv6Network("::/96")  # RFC 4291, deprecated: never public
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")  # RFC 8215: prefixes of 48 to 96 bits, chosen by a network
_TEREDO = ipaddress.IPv6Network("2001::/32")  # RFC 4380: the IPv4 address has its bits inverted
_LOW_32_BITS = (1 << 32) - 1


def look_up(host: str, port: int) -> Sequence[AddressInfo]:
    """Return the addresses of a host name, or of an address in any notation."""
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


def check(
    host: str, addresses: Sequence[AddressInfo], *, allow_private: bool = False, allow_link_local: bool = False
) -> None:
    """Raise `PrivateAddressError` unless all addresses of a host are on the public internet or are allowed.

    One private address among public ones is enough to refuse a host: the next connection might use it.
    """
    # `allow_private` is for servers of the local network: a wiki, a router, a site under test. These have no link-local
    # addresses. But 169.254.169.254 is the metadata service of cloud providers, which gives credentials to every
    # process on the machine, and a page may redirect there. So link-local addresses have an option of their own.
    for *_, place in addresses:
        kind = private_kind(str(place[0]))
        if kind is not None and not (allow_link_local if kind == LINK_LOCAL else allow_private):
            shown = host if host == place[0] else f"{host} ({place[0]})"
            raise PrivateAddressError(f"{shown} is {kind}, not on the public internet: refused")


def is_private_url(url: str) -> bool:
    """Return whether the host that a URL names is this computer or on the local network."""
    try:
        parts = urlsplit(url)
        addresses = look_up(parts.hostname or "", parts.port or 80)
    except (OSError, ValueError):
        return False  # fetching it reports what is wrong
    return any(private_kind(str(address[4][0])) is not None for address in addresses)


def private_kind(address: str) -> str | None:
    """Return what kind of non-public address this is; None for a public one."""
    try:
        ip: _IPAddress = ipaddress.ip_address(address)
    except ValueError:
        return "no address that can be checked"
    if isinstance(ip, ipaddress.IPv6Address):
        for prefix, shift in _EMBEDDINGS:
            if ip in prefix:
                return _find_kind(_embedded(int(ip) >> shift))
        # Never public, but as an address inside them may be link-local, that kind counts.
        if ip in _TEREDO:
            return _find_kind(_embedded(~int(ip))) or _RESERVED
        if ip in _LOCAL_NAT64:
            return next((kind for kind in map(_find_kind, _embedded_nat64(int(ip))) if kind == LINK_LOCAL), _RESERVED)
        if ip in _IPV4_COMPATIBLE and int(ip) > 1:
            return _find_kind(_embedded(int(ip))) or _RESERVED
    return _find_kind(ip)


def _find_kind(ip: _IPAddress) -> str | None:
    return next((kind for network, kind in _KINDS[ip.version] if ip in network), None)


def _embedded(number: int) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(number & _LOW_32_BITS)


def _embedded_nat64(number: int) -> list[ipaddress.IPv4Address]:
    """Return the IPv4 addresses behind prefixes of 96, 64, 56 and 48 bits.

    Bits 64 to 71 are not part of an IPv4 address (RFC 6052).
    """
    without_octet = (number >> 64 << 56) | (number & (1 << 56) - 1)
    return [_embedded(number), *(_embedded(without_octet >> shift) for shift in (24, 32, 40))]


def connect(
    addresses: Sequence[AddressInfo], timeout: float | None, source_address: tuple[str, int] | None = None
) -> socket.socket:
    """Connect to the first of these addresses that answers; raise the error of the last if none does."""
    failure: OSError = OSError("the name has no address")
    for family, kind, protocol, _, place in addresses:
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout)
            if source_address is not None:
                connection.bind(source_address)
            connection.connect(place)
        except OSError as error:
            connection.close()
            failure = error
        except BaseException:
            connection.close()
            raise
        else:
            return connection
    raise failure
