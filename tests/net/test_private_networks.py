"""Which computers a download may reach."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.errors import PrivateAddressError
from duramen.net import private_networks as network
from duramen.net.private_networks import AddressInfo, check, look_up, private_kind


def standing_for(*addresses: str) -> Sequence[AddressInfo]:
    return [(0, socket.SOCK_STREAM, 0, "", (address, 80)) for address in addresses]


@pytest.mark.parametrize(
    "address",
    """
    127.0.0.1 127.8.9.10 0.0.0.0 0.1.2.3 10.1.2.3 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1
    192.0.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255
    :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 fe80::1 fe80::1%lo fc00::1 fd12::1 fec0::1 ff02::1 2001:db8::1
    64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 64:ff9b:1::808:808 2002:7f00:1:: 2002:c0a8:1:: 2001::1
    192.0.0.9 192.0.2.1 192.88.99.1 192.88.99.2 198.51.100.7 203.0.113.9 100.127.255.255 239.1.1.1
    100::1 100:0:0:1::1 2001:1::1 2001:2::1 2001:10::1 2001:1ff:ffff::1 3fff::1 3fff:fff:ffff::1 5f00::1 4000::1
    ::ffff:0:127.0.0.1 ::ffff:192.88.99.1 64:ff9b::c058:6301 2002:c058:6301:: ::8.8.8.8
    2130706433 0x7f.1 localhost
    """.split(),
)
def test_these_addresses_are_not_public(address: str) -> None:
    assert private_kind(address)


@pytest.mark.parametrize(
    "address",
    """
    8.8.8.8 1.1.1.1 192.88.98.1 192.88.100.1 192.175.48.1 100.63.255.255 100.128.0.1 223.255.255.255 ::ffff:8.8.8.8
    2606:4700::1111 64:ff9b::808:808 2002:808:808:: 2001:200::1 2001:db7::1 3ffe:ffff::1 3fff:1000::1 2620:4f:8000::1
    """.split(),
)
def test_these_addresses_are_public(address: str) -> None:
    assert private_kind(address) is None


@given(st.ip_addresses(v=4, network="10.0.0.0/8") | st.ip_addresses(v=4, network="127.0.0.0/8"))
def test_a_private_address_is_private_also_inside_an_ipv6_address(address: object) -> None:
    assert private_kind(str(address))
    assert private_kind(f"::ffff:{address}")
    assert private_kind(f"64:ff9b::{address}")


def test_addresses_that_this_python_does_not_call_global_are_not_public() -> None:
    """The table has all that `ipaddress` knows: the ends of its networks, and the addresses outside of them."""
    for version in (ipaddress._IPv4Constants, ipaddress._IPv6Constants):  # type: ignore[attr-defined]
        for block in version._private_networks:
            for ip in (block[0], block[-1]):
                assert private_kind(str(ip)) or ip.is_global or (ip.version == 6 and ip.ipv4_mapped), ip


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("3232235777", "private"),  # 192.168.1.1
        ("0300.0250.1.1", "private"),
        ("0xc0.0xa8.0x01.0x01", "private"),
        ("192.168.257", "private"),
        ("10.1", "private"),
        ("0xa9fea9fe", "link-local"),
        ("169.254.43518", "link-local"),
        ("3227017985", "reserved"),  # 192.88.99.1
        ("[::ffff:7f00:1]", "this computer"),
    ],
)
def test_no_spelling_hides_an_address(host: str, kind: str) -> None:
    with pytest.raises(PrivateAddressError, match=kind):
        check(host, look_up(host.strip("[]"), 80))


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0177.0.0.1", "0x7f.1", "127.1", "0", "localhost"])
def test_every_spelling_of_this_computer_is_refused(host: str) -> None:
    with pytest.raises(PrivateAddressError, match="this computer, not on the public internet"):
        check(host, look_up(host, 80))


def test_one_private_address_among_public_ones_is_enough() -> None:
    check("site.example", standing_for("8.8.8.8", "1.1.1.1"))
    with pytest.raises(PrivateAddressError, match=r"site\.example \(10\.0\.0\.1\) is in a private network"):
        check("site.example", standing_for("8.8.8.8", "10.0.0.1"))


def test_a_connection_goes_to_the_first_address_that_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as other:
        closed = other.getsockname()
        other.close()
        addresses = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", place) for place in (closed, server.getsockname())]
        with network.connect(addresses, timeout=5) as connection:
            assert connection.getpeername() == server.getsockname()


def test_if_no_address_answers_the_last_error_is_raised() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = server.getsockname()
    with pytest.raises(ConnectionRefusedError):
        network.connect([(socket.AF_INET, socket.SOCK_STREAM, 0, "", closed)], timeout=5)
    with pytest.raises(OSError, match="no address"):
        network.connect([], timeout=5)


@pytest.mark.parametrize(
    "address",
    """
    169.254.169.254 169.254.0.1 fe80::1 fe80::1%lo ::ffff:169.254.169.254 ::ffff:0:169.254.169.254 ::169.254.169.254
    64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: 2001::5601:5601 64:ff9b:1::a9fe:a9fe 64:ff9b:1:a9fe:a9:fe00::
    """.split(),
)
def test_the_local_network_can_be_allowed_without_link_local_addresses(address: str) -> None:
    check("wiki.example", standing_for("10.0.0.1", "127.0.0.1", "fd12::1"), allow_private=True)
    with pytest.raises(PrivateAddressError, match=r"wiki\.example \(.*\) is a link-local address"):
        check("wiki.example", standing_for("10.0.0.1", address), allow_private=True)
    check("wiki.example", standing_for(address), allow_link_local=True)
