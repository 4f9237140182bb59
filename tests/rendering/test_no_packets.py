"""No page reaches the network without `network=True`: neither by its scripts, nor by windows that they open."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, sleep

import pytest

from duramen.dom.page import Page
from duramen.rendering import process
from duramen.rendering.browser import Browser

# Everything that sends: WebRTC (STUN and TURN over UDP and TCP), QUIC, WebSocket, HTTP.
SEND = """
const all = ['stun:127.0.0.1:PORT', 'turn:127.0.0.1:PORT?transport=tcp', 'turn:127.0.0.1:PORT?transport=udp'];
const attempts = [
    () => {
        const peer = new RTCPeerConnection({iceServers: [{urls: all, username: 'a', credential: 'b'}]});
        peer.createDataChannel('d');
        peer.createOffer().then(offer => peer.setLocalDescription(offer));
    },
    () => new WebTransport('https://127.0.0.1:PORT/transport'),
    () => new WebSocket('ws://127.0.0.1:PORT/socket'),
    () => fetch('http://127.0.0.1:PORT/fetch').catch(() => 0),
    () => navigator.sendBeacon('http://127.0.0.1:PORT/beacon', 'x'),
];
for (const attempt of attempts) { try { attempt() } catch {} }
"""
MARKUP = f"['<scr' + 'ipt>' + `{SEND}` + '</scr' + 'ipt>']"
BLOB = f"URL.createObjectURL(new Blob({MARKUP}, {{type: 'text/html'}}))"
PAGES = {
    "page": f"<script>{SEND}</script>",
    "window": f"<script>open('about:blank').eval(`{SEND}`)</script>",
    "written window": f"<script>open('about:blank').document.write({MARKUP}[0])</script>",
    "window with a page": f"<script>open({BLOB})</script>",
    "link": f"<a id=link target=_blank>x</a><script>link.href = {BLOB}; link.click()</script>",
    "form": "<form id=form target=_blank action=http://127.0.0.1:PORT/form method=post></form>"
    "<script>form.submit()</script>",
    "frame": f"<iframe id=frame></iframe><script>frame.contentWindow.eval(`{SEND}`)</script>",
    "frame of another origin": f"<iframe id=frame sandbox='allow-scripts allow-popups'></iframe>"
    f"<script>frame.srcdoc = {MARKUP}[0]</script>",
    "worker": f"<script>new Worker(URL.createObjectURL(new Blob([`{SEND}`])))</script>",
}


@dataclass
class Receiver:
    """A UDP and a TCP socket on one port of this computer."""

    udp: socket.socket
    tcp: socket.socket

    @property
    def port(self) -> int:
        return int(self.udp.getsockname()[1])

    def receive(self, seconds: float) -> list[bytes]:
        received = []
        end = monotonic() + seconds
        while monotonic() < end and not received:
            with suppress(BlockingIOError):
                received.append(self.udp.recvfrom(2000)[0])
            with suppress(BlockingIOError):
                self.tcp.accept()[0].close()
                received.append(b"a TCP connection")
            sleep(0.02)
        return received


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        with socket.create_server(udp.getsockname()) as tcp:
            udp.setblocking(False)
            tcp.setblocking(False)
            yield Receiver(udp, tcp)


def test_no_packet_is_sent_without_the_network(chromium: str, receiver: Receiver) -> None:
    with Browser(chromium, scripts=True, deadline=120) as browser:
        for name, html in PAGES.items():
            browser.render(Page.parse(html.replace("PORT", str(receiver.port)), url="http://page.invalid/"))
            assert receiver.receive(0.3) == [], name


def test_the_receiver_would_see_a_packet(chromium: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [flag for flag in process._FLAGS if "new-web-contents" not in flag and "webrtc" not in flag]
    monkeypatch.setattr(process, "_FLAGS", (*kept, "--disable-popup-blocking"))
    with Browser(chromium, scripts=True, deadline=120) as browser:
        browser.render(Page.parse(PAGES["window"].replace("PORT", str(receiver.port)), url="http://page.invalid/"))
        assert receiver.receive(10)


def test_webrtc_sends_nothing_even_if_a_window_opens(
    chromium: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [flag for flag in process._FLAGS if "new-web-contents" not in flag]
    monkeypatch.setattr(process, "_FLAGS", (*kept, "--disable-popup-blocking"))
    with Browser(chromium, scripts=True, deadline=120) as browser:
        browser.render(Page.parse(PAGES["window"].replace("PORT", str(receiver.port)), url="http://page.invalid/"))
        assert receiver.receive(1) == []


@pytest.mark.parametrize("setting", ["", "scripts", "network"])
def test_a_drawing_of_another_file_does_not_delay_the_page(chromium: str, setting: str) -> None:
    drawings = ["https://x.invalid/a.svg#i", "data:image/svg+xml,<svg/>#i", "file:///a.svg#i", "other:a#i"]
    pages = [Page.parse(f"<p>x</p><svg><use href='{drawing}'></use></svg>") for drawing in 2 * drawings]
    with Browser(chromium, deadline=60, **({setting: True} if setting else {})) as browser:  # type: ignore[arg-type]
        for page in browser.render_all(pages, tabs=2):
            assert isinstance(page, Page)
            assert page.tree.box
