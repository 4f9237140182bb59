"""`duramen inspect --serve`: the inspector on this computer, with an address box and drop of files.

The server listens on the loopback interface only. Every path begins with a random token, which other users and pages
do not know. A request whose `Host` is not this server is refused, so that no web site can reach it by a name that it
resolves to 127.0.0.1 (DNS rebinding); one whose `Origin` is another site is refused too. Pages are downloaded with the
rules of `net.fetch`: addresses of the local network are refused. A report is made in a process of its own, which ends
at the deadline.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from duramen.dom.page import Page
from duramen.errors import DuramenError
from duramen.inspector.report import InspectOptions, fill_template, make_data
from duramen.net.fetch import fetch
from duramen.processes import run_tasks

HOST: Final = "127.0.0.1"
REPORT_SECONDS: Final = 120.0
"""Time limit for the report of one page."""
_MAX_REPORTS: Final = 20
"""Reports that are kept; the oldest is forgotten."""
_MAX_URL_BYTES: Final = 8000
_SOCKET_SECONDS: Final = 30.0
_MAX_RUNNING: Final = 2
"""Reports that are made at the same time."""


@dataclass(frozen=True)
class ServerLimits:
    """Seconds for a download, bytes of a page, and seconds for a report."""

    timeout: float = 20.0
    max_bytes: int = 50_000_000
    report_seconds: float = REPORT_SECONDS


@dataclass(frozen=True)
class _ReportTask:
    """A page to make a report of."""

    body: bytes
    url: str | None
    headers: dict[str, str]
    options: InspectOptions
    serve: str


class _Report(NamedTuple):
    """A report, or the sentence that says why there is none."""

    html: str
    refusal: str = ""


def _make_report(task: _ReportTask) -> _Report:
    try:
        page = Page.parse(task.body, url=task.url, headers=task.headers)
        return _Report(fill_template(make_data(page, task.options), serve=task.serve))
    except DuramenError as error:  # its message is for the reader; that of another exception needs its class
        return _Report("", str(error))


class InspectServer(ThreadingHTTPServer):
    """The server: its token, and the reports so far."""

    daemon_threads = True

    def __init__(self, options: InspectOptions, limits: ServerLimits, port: int = 0) -> None:
        super().__init__((HOST, port), _Handler)
        self.options, self.limits = options, limits
        self.token = secrets.token_urlsafe(24)
        self._reports: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()
        self._running = threading.BoundedSemaphore(_MAX_RUNNING)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """The address with the token."""
        return f"http://{HOST}:{self.port}{self.root}"

    @property
    def root(self) -> str:
        return f"/{self.token}/"

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset((f"{HOST}:{self.port}", f"localhost:{self.port}"))

    def inspect(self, body: bytes, url: str | None, headers: dict[str, str], name: str) -> str:
        """Make the report of a page and return its path. Raise `DuramenError` if that fails."""
        task = _ReportTask(body, url, headers, replace(self.options, name=name), self.root)
        with self._running:
            (done,) = run_tasks(_make_report, [task], 1, self.limits.report_seconds)
        if done.result is None or done.result.refusal:
            raise DuramenError(f"{name}: {done.result.refusal if done.result else done.error}")
        number = secrets.token_hex(4)
        with self._lock:
            self._reports[number] = done.result.html
            while len(self._reports) > _MAX_REPORTS:
                self._reports.popitem(last=False)
        return f"{self.root}report/{number}"

    def get_report(self, number: str) -> str | None:
        with self._lock:
            return self._reports.get(number)


class _Handler(BaseHTTPRequestHandler):
    server: InspectServer
    timeout = _SOCKET_SECONDS
    server_version = "duramen"
    sys_version = ""

    def log_message(self, format: str, *arguments: object) -> None:
        """Write no log: addresses of pages are nobody's business."""

    def do_GET(self) -> None:
        path = self._read_path()
        if path is None:
            return
        if path == "":
            self._answer(HTTPStatus.OK, fill_template(None, serve=self.server.root), "text/html")
        elif path.startswith("report/") and (report := self.server.get_report(path.removeprefix("report/"))):
            self._answer(HTTPStatus.OK, report, "text/html")
        else:
            self._answer(HTTPStatus.NOT_FOUND, "There is no such report; the oldest ones are forgotten.")

    def do_HEAD(self) -> None:
        self.do_GET()  # `_answer` leaves the body out

    def do_POST(self) -> None:
        path = self._read_path()
        if path is None:
            return
        limit = _MAX_URL_BYTES if path == "url" else self.server.limits.max_bytes
        body = self._read_body(limit)
        if body is None:
            return
        try:
            if path == "url":
                self._answer(HTTPStatus.OK, self._inspect_url(body.decode("utf-8", "replace").strip()))
            elif path == "page":
                name = parse_qs(urlsplit(self.path).query).get("name", ["page.html"])[0][:200]
                self._answer(HTTPStatus.OK, self.server.inspect(body, None, {}, name))
            else:
                self._answer(HTTPStatus.NOT_FOUND, "There is no such path.")
        except DuramenError as error:
            self._answer(HTTPStatus.BAD_REQUEST, str(error))

    def _inspect_url(self, url: str) -> str:
        limits = self.server.limits
        response = fetch(url, timeout=limits.timeout, max_bytes=limits.max_bytes, allow_private=False)
        return self.server.inspect(response.body, response.url, response.headers, response.url)

    def _read_path(self) -> str | None:
        """Return the path after the token; refuse requests without the token, or for or from another host."""
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in self.server.hosts:
            self._answer(HTTPStatus.FORBIDDEN, "This server answers only to its own address.")
        elif origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            self._answer(HTTPStatus.FORBIDDEN, "This server answers only to its own pages.")
        else:
            token, _, rest = urlsplit(self.path).path.removeprefix("/").partition("/")
            if secrets.compare_digest(token.encode(), self.server.token.encode()):
                return rest
            self._answer(HTTPStatus.NOT_FOUND, "Open the address that duramen inspect --serve printed.")
        return None

    def _read_body(self, limit: int) -> bytes | None:
        length = self.headers.get("Content-Length") or ""
        if not length.isdecimal():
            self._answer(HTTPStatus.LENGTH_REQUIRED, "The length of the page is missing.")
        elif int(length) > limit:
            self.close_connection = True
            self._answer(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"Larger than {limit:,} bytes; --max-size raises the limit."
            )
        else:
            return self.rfile.read(int(length))
        return None

    def _answer(self, status: HTTPStatus, text: str, kind: str = "text/plain") -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in {
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Resource-Policy": "same-origin",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def serve(options: InspectOptions, limits: ServerLimits, port: int, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C."""
    with InspectServer(options, limits, port) as server:
        say(f"open {server.address}")
        say("press Ctrl-C to stop")
        server.serve_forever(poll_interval=0.2)
