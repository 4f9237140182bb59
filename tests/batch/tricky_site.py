"""A web site on this computer that plays tricks, and remembers who asked for what."""

from __future__ import annotations

import gzip
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"<title>A page</title><article><p>Saw through an old oak, and you see two kinds of wood.</p></article>"
HTML = {"Content-Type": "text/html; charset=utf-8"}


class Visit(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    site: Site

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send(self, body: bytes = b"", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        site, path = self.server.site, self.path  # type: ignore[attr-defined]
        with site.lock:
            site.asked.append((time.monotonic(), path))
        try:
            page = site.pages.get(path) or (site.pages["*"] if path != "/robots.txt" else _absent)
            page(self)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the fetcher had enough, as it should


Page = Callable[[Visit], object]


@dataclass
class Site:
    """The site: pages by path, `*` for all others, and the requests so far."""

    port: int = 0
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[float, str]] = field(default_factory=list)
    waiting: int = 0
    most: int = 0
    """Visitors of slow pages, now and at the most."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def hits(self) -> Counter[str]:
        with self.lock:
            return Counter(path for _, path in self.asked)

    def times(self, path: str) -> list[float]:
        with self.lock:
            return [when for when, asked in self.asked if asked == path]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # visitors who hang up are no news


@contextmanager
def served() -> Iterator[Site]:
    server = _Server(("127.0.0.1", 0), Visit)
    server.site = site = Site(server.server_port, {"*": html()})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.over.set()
        server.shutdown()
        server.server_close()


def html(body: bytes = PAGE, **headers: str) -> Page:
    return lambda visit: visit.send(body, **(HTML | headers))


def _absent(visit: Visit) -> None:
    visit.send(b"no", 404)


def status(code: int, **headers: str) -> Page:
    return lambda visit: visit.send(b"sorry", code, **headers)


def redirect(location: str, code: int = 302) -> Page:
    return lambda visit: visit.send(b"", code, Location=location)


def text(body: str | bytes, kind: str = "text/plain", **headers: str) -> Page:
    data = body if isinstance(body, bytes) else body.encode()
    return lambda visit: visit.send(data, Content_Type=kind, **headers)


def in_turn(*pages: Page) -> Page:
    """One page after another; the last one for good."""
    left = list(pages)
    return lambda visit: (left.pop(0) if len(left) > 1 else left[0])(visit)


def slow(seconds: float, page: Page | None = None) -> Page:
    def serve(visit: Visit) -> None:
        site = visit.server.site  # type: ignore[attr-defined]
        with site.lock:
            site.waiting += 1
            site.most = max(site.most, site.waiting)
        site.over.wait(seconds)
        with site.lock:  # before the answer: after it the fetcher may be here again
            site.waiting -= 1
        (page or html())(visit)

    return serve


def drip(visit: Visit) -> None:
    """A page that never ends, and never quite stops."""
    visit.send_response(200)
    visit.send_header("Content-Type", "text/html")
    visit.send_header("Connection", "close")
    visit.end_headers()
    while not visit.server.site.over.wait(0.05):  # type: ignore[attr-defined]
        visit.wfile.write(b".")
        visit.wfile.flush()


def endless(visit: Visit) -> None:
    visit.send_response(200)
    visit.send_header("Content-Type", "text/html")
    visit.send_header("Connection", "close")
    visit.end_headers()
    while not visit.server.site.over.is_set():  # type: ignore[attr-defined]
        visit.wfile.write(b"<p>more" * 1000)


def short(visit: Visit) -> None:
    """Announces more than it sends."""
    visit.send_response(200)
    visit.send_header("Content-Type", "text/html")
    visit.send_header("Content-Length", "999")
    visit.end_headers()
    visit.wfile.write(b"<p>")
    visit.close_connection = True


def cut_chunks(visit: Visit) -> None:
    """Chunks of which the last never comes."""
    visit.send_response(200)
    visit.send_header("Content-Type", "text/html")
    visit.send_header("Transfer-Encoding", "chunked")
    visit.end_headers()
    visit.wfile.write(b"5\r\n<p>on\r\n5\r\ne, t")
    visit.close_connection = True


def babble(visit: Visit) -> None:
    visit.wfile.write(b"what do you want?\r\n\r\n")
    visit.close_connection = True


def hang_up(visit: Visit) -> None:
    visit.close_connection = True


def packed(body: bytes, encoding: str = "gzip") -> Page:
    return html(body, Content_Encoding=encoding)


def bomb(size: int = 30_000_000) -> Page:
    return packed(gzip.compress(b"\0" * size, compresslevel=9))
