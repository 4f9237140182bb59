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
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052: the public IPv4 internet, seen from an IPv6 network
LINK_LOCAL = "a link-local address"
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
    ip = _embedded(ip)
    if ip.is_unspecified or ip.is_loopback:
        return "this computer"
    if ip.is_link_local:
        return LINK_LOCAL
    if ip.is_multicast:
        return "a multicast address"
    if not ip.is_global:
        return "in a private network" if ip.is_private else "in a shared or reserved network"
    if ip.is_reserved or getattr(ip, "is_site_local", False):
        return "in a reserved network"
    return None


def _embedded(ip: _IPAddress) -> _IPAddress:
    """Return the IPv4 address inside an IPv6 address, if there is one."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & _LOW_32_BITS)
    return ip.ipv4_mapped or ip.sixtofour or ip


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
