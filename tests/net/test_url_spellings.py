"""Private addresses are not connected to, however a URL spells them."""

from __future__ import annotations

import socket

import pytest

import duramen
from duramen.net.private_networks import private_kind

# Decimal, octal, hexadecimal and short; full-width and circled digits, ideographic dots; names and final dots; IPv6
# with an IPv4 address inside; zones; user names.
HOSTS = """
    127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 0x7f.1 0 0.0.0.0 127.0.0.1.
    00000177.0.0.1 0x00000000000000007f000001 127.000.000.001 127.0x0.0.1 localhost LOCALHOST
    169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518 0xA9.0xFE.0xA9.0xFE 0251.254.0xa9.254
    10.1 192.168.257 3232235777 0300.0250.1.1 172.16.1 100.64.0.1 192.88.99.1 198.18.0.1 224.0.0.1 255.255.255.255
    ①②⑦.⓪.⓪.① 127。0。0。1 １２７.０.０.１ 127.0.0｡1 127．0．0．1 ⑫７.0.0.1 1⑥⑨.254.169.254 loc\u00adalhost
    ｌｏｃａｌｈｏｓｔ %31%32%37.0.0.1 127.0.0.1%00.public.example 127.0.0.1\u200b
    [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::FFFF:7F00:0001] [::127.0.0.1] [::ffff:0:127.0.0.1]
    [fe80::1%25lo] [fe80::1%lo] [::1%25lo] [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::a9fe:a9fe]
    [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001::5601:5601] [fc00::1] [fec0::1] [3fff::1] [100::1] [5f00::1]
    [2001:db8::1] [ff02::1] user@127.0.0.1 user:word@127.0.0.1 127.0.0.1:80 8.8.8.8@127.0.0.1 127.0.0.1#@8.8.8.8
    127.0.0.1?@8.8.8.8
""".split()


@pytest.mark.parametrize("host", HOSTS)
def test_no_spelling_of_a_private_address_is_connected_to(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reached: list[str] = []

    def connect(connection: socket.socket, place: tuple[str, int]) -> None:
        reached.append(place[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    for url in (f"http://{host}/", f"https://{host}/"):
        with pytest.raises(duramen.DuramenError):
            duramen.fetch(url, allow_private=False)
    assert not [address for address in reached if private_kind(address)]
