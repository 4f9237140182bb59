"""Fetching: what arrives, and how every failure is said. All of it over a server on this computer."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from duramen.errors import FetchError
from duramen.net import private_networks as network
from duramen.net.fetch import USER_AGENT, Response, fetch
from duramen.net.private_networks import AddressInfo

PAGE = "<p>Die Straße ist naß.</p>".encode()
HTML = {"Content-Type": "text/html; charset=utf-8"}

released = threading.Event()
"""Set when the tests are over, so that the slow answers end."""


class Site(BaseHTTPRequestHandler):
    """A site with a page for every case."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send(self, body: bytes = b"", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        page = PAGES.get(path)
        try:
            if page is not None:
                page(self)
            elif path.startswith("/status/"):
                self.send(b"no", int(path[8:]))
            else:
                self.send(self.path.encode(), **{"Content-Type": "text/html"})
        except (BrokenPipeError, ConnectionResetError):
            pass  # the reader had enough, as it should


def _packed(data: bytes, encoding: str) -> Callable[[Site], None]:
    return lambda site: site.send(data, Content_Type="text/html", Content_Encoding=encoding)


def _drip(site: Site) -> None:
    site.send(b"<p>", **HTML)
    while not released.wait(0.05):
        site.wfile.write(b".")


def _drip_headers(site: Site) -> None:
    site.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
    while not released.wait(0.05):
        site.wfile.write(b".")


def _endless(site: Site) -> None:
    site.send(**HTML)
    while not released.is_set():
        site.wfile.write(b"<p>more" * 1000)


def _silent(site: Site) -> None:
    released.wait(60)


def _bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def _to(location: str, status: int = 302) -> Callable[[Site], None]:
    return lambda site: site.send(status=status, Location=location)


def _echo(name: str) -> Callable[[Site], None]:
    return lambda site: site.send(site.headers.get(name, "none").encode(), Content_Type="text/plain")


PAGES: dict[str, Callable[[Site], None]] = {
    "/page": lambda site: site.send(PAGE, **HTML),
    "/untyped": lambda site: site.send(PAGE),
    "/mistyped": lambda site: site.send(PAGE, Content_Type="html"),
    "/xhtml": lambda site: site.send(PAGE, Content_Type="application/xhtml+xml"),
    "/pdf": lambda site: site.send(b"%PDF", Content_Type="application/pdf"),
    "/picture": lambda site: site.send(b"\xff\xd8", Content_Type="image/jpeg"),
    "/agent": _echo("User-Agent"),
    "/login": _echo("Authorization"),
    "/to-login": _to("/login"),
    "/moved": _to("/page", 301),
    "/seen-other": _to("page?x=1", 303),
    "/accented": _to("/caf\xe9 noir"),
    "/loop": _to("/loop"),
    "/to-file": _to("file:///etc/hostname"),
    "/nowhere": lambda site: site.send(status=302),
    "/gzip": _packed(gzip.compress(PAGE), "gzip"),
    "/two-gzips": _packed(gzip.compress(PAGE) + gzip.compress(PAGE), "gzip"),
    "/padded": _packed(gzip.compress(PAGE) + b"\0" * 20, "gzip"),
    "/zlib": _packed(zlib.compress(PAGE), "deflate"),
    "/deflate": _packed(_bare_deflate(PAGE), "deflate"),
    "/bomb": _packed(gzip.compress(b"\0" * 30_000_000, compresslevel=9), "gzip"),
    "/half": _packed(gzip.compress(PAGE * 9)[:-9], "gzip"),
    "/damaged": _packed(b"\x1f\x8b\x08\x00 this is no gzip", "gzip"),
    "/brotli": _packed(b"?", "br"),
    "/short": lambda site: site.send(b"<p>", Content_Length="99", **HTML),
    "/large": lambda site: site.send(b"", Content_Length="99000000000", **HTML),
    "/babble": lambda site: site.wfile.write(b"what?\r\n\r\n") and None,
    "/hang-up": lambda site: None,
    "/drip": _drip,
    "/drip-headers": _drip_headers,
    "/endless": _endless,
    "/silent": _silent,
}


@pytest.fixture(scope="module", autouse=True)
def _no_proxy() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            patch.delenv(name, raising=False)
            patch.delenv(name.upper(), raising=False)
        yield


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    released.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    released.set()
    server.shutdown()
    server.server_close()


def failure(url: str, **options: float) -> str:
    with pytest.raises(FetchError) as caught:
        fetch(url, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_page_arrives_whole(site: str) -> None:
    response = fetch(f"{site}/page")
    assert (response.url, response.body, response.status) == (f"{site}/page", PAGE, 200)


def test_headers_have_lower_case_names(site: str) -> None:
    assert fetch(f"{site}/page").headers["content-type"] == "text/html; charset=utf-8"


def test_the_user_agent_names_duramen_and_can_be_changed(site: str) -> None:
    assert fetch(f"{site}/agent").body.decode() == USER_AGENT
    assert USER_AGENT.startswith("duramen")
    assert fetch(f"{site}/agent", user_agent="mine/1").body == b"mine/1"


@pytest.mark.parametrize("path", ["/untyped", "/mistyped", "/xhtml"])
def test_a_missing_or_similar_content_type_is_accepted(site: str, path: str) -> None:
    assert fetch(site + path).body == PAGE


@pytest.mark.parametrize(("path", "kind"), [("/pdf", "application/pdf"), ("/picture", "image/jpeg")])
def test_another_type_is_refused_by_name(site: str, path: str, kind: str) -> None:
    assert f"this is {kind}, not an HTML page" in failure(site + path)


@pytest.mark.parametrize("path", ["/gzip", "/padded", "/zlib", "/deflate"])
def test_a_packed_page_is_unpacked(site: str, path: str) -> None:
    assert fetch(site + path).body == PAGE


def test_a_gzip_of_several_parts_is_unpacked_whole(site: str) -> None:
    assert fetch(f"{site}/two-gzips").body == PAGE + PAGE


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/half", "cut off"),
        ("/damaged", "damaged"),
        ("/brotli", "the content encoding 'br'"),
        ("/short", "after 3 of 99 bytes"),
    ],
)
def test_a_page_that_cannot_be_unpacked_or_is_incomplete_is_an_error(site: str, path: str, sentence: str) -> None:
    assert sentence in failure(site + path)


def test_redirects_are_followed_and_the_final_url_is_given(site: str) -> None:
    assert fetch(f"{site}/moved").url == f"{site}/page"
    assert fetch(f"{site}/seen-other").url == f"{site}/page?x=1"


def test_a_redirect_keeps_the_bytes_of_its_header(site: str) -> None:
    assert fetch(f"{site}/accented").url == f"{site}/caf%E9%20noir"


def test_a_redirect_loop_ends(site: str) -> None:
    assert "more than 10 redirects" in failure(f"{site}/loop")


def test_a_redirect_to_another_scheme_than_http_is_refused(site: str) -> None:
    assert "only http and https can be fetched, not file" in failure(f"{site}/to-file")


def test_a_redirect_without_an_address_is_an_error(site: str) -> None:
    assert "HTTP status 302" in failure(f"{site}/nowhere")


@pytest.mark.parametrize(
    ("status", "advice"),
    [(404, "check the URL"), (403, "with a browser"), (429, "fewer requests"), (500, "try later"), (503, "try later")],
)
def test_an_http_error_gives_its_status_and_what_to_do(site: str, status: int, advice: str) -> None:
    message = failure(f"{site}/status/{status}")
    assert f"HTTP status {status}" in message
    assert advice in message


@pytest.mark.parametrize("path", ["/silent", "/drip", "/drip-headers"])
def test_the_deadline_is_for_all_of_it(site: str, path: str) -> None:
    start = time.monotonic()
    message = failure(site + path, timeout=0.3)
    assert "0.3 s" in message or "in time" in message
    assert time.monotonic() - start < 20, "the server would go on for a minute"


def test_no_thread_is_left_behind_at_the_deadline(site: str) -> None:
    failure(f"{site}/drip-headers", timeout=0.2)
    deadline = time.monotonic() + 30
    while any(thread.name == "duramen-fetch" for thread in threading.enumerate()):
        assert time.monotonic() < deadline, "the download goes on"
        time.sleep(0.01)


def test_an_endless_page_stops_at_the_limit(site: str) -> None:
    assert "larger than 100,000 bytes" in failure(f"{site}/endless", max_bytes=100_000)


def test_a_page_with_a_too_large_content_length_is_not_read(site: str) -> None:
    assert "larger than" in failure(f"{site}/large")


def test_a_gzip_bomb_stops_at_the_limit(site: str) -> None:
    assert "larger than 1,000,000 bytes" in failure(f"{site}/bomb", max_bytes=1_000_000)


def test_a_page_of_exactly_the_limit_is_accepted(site: str) -> None:
    assert fetch(f"{site}/page", max_bytes=len(PAGE)).body == PAGE
    assert fetch(f"{site}/gzip", max_bytes=len(gzip.compress(PAGE))).body == PAGE
    assert "larger" in failure(f"{site}/page", max_bytes=len(PAGE) - 1)


@pytest.mark.parametrize(("path", "sentence"), [("/babble", "not HTTP"), ("/hang-up", "connection broke")])
def test_a_broken_server_is_an_error(site: str, path: str, sentence: str) -> None:
    assert sentence in failure(site + path)


def test_an_unknown_host_is_reported() -> None:
    assert "no such host" in failure("http://no-such-host.invalid/")


def test_a_refused_connection_is_reported() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    assert "refused" in failure(f"http://127.0.0.1:{port}/")


NO_ADDRESSES = (
    *("", "page.html", "//host/path", "http://", "http:///path", "http://[::1", "http://host:port/", "http://a..é/"),
    *("http://a b/", "http://\0/", "\ud800", "ftp://host/", "file:///etc/hostname", "data:text/html,x", "javascript:1"),
)


@pytest.mark.parametrize("url", NO_ADDRESSES)
def test_a_string_that_is_not_a_web_url_is_an_error(url: str) -> None:
    assert failure(url, timeout=5)


def test_letters_outside_ascii_are_sent_as_utf_8(site: str) -> None:
    assert fetch(f"{site}/straße naß?q=ü&r=%20#teil").body == b"/stra%C3%9Fe%20na%C3%9F?q=%C3%BC&r=%20"


def test_credentials_are_sent_and_not_shown(site: str) -> None:
    response = fetch(site.replace("//", "//me:se%40cret@") + "/login")
    assert response.body == b"Basic bWU6c2VAY3JldA=="
    assert response.url == f"{site}/login"


def test_credentials_follow_a_redirect_on_the_same_host_only(site: str) -> None:
    url = site.replace("//", "//me:secret@")
    assert fetch(f"{url}/to-login").body.startswith(b"Basic ")
    PAGES["/to-other-host"] = _to(site.replace("127.0.0.1", "localhost") + "/login")
    assert fetch(f"{url}/to-other-host").body == b"none"


@pytest.mark.parametrize(
    "ending", ["/status/404", "/pdf", "/loop", "/to-file", "/silent", ":port/", "/short", "\udcff/"]
)
def test_no_message_shows_a_password(site: str, ending: str) -> None:
    assert "secret" not in failure(site.replace("//", "//me:secret@") + ending, timeout=0.5)


@pytest.mark.parametrize("url", ["http://me:se/cret@host:x/", "me:se/cret@host", "ftp://me:se/cret@host/"])
def test_no_message_shows_a_password_of_an_invalid_url(url: str) -> None:
    assert "cret" not in failure(url)


def test_a_server_without_tls_has_its_own_message(site: str) -> None:
    assert "no secure connection" in failure(site.replace("http:", "https:") + "/page")


def test_a_proxy_of_the_environment_is_used(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", site)
    monkeypatch.delenv("no_proxy", raising=False)
    assert fetch("http://host.invalid/far").body == b"http://host.invalid/far"


def test_a_bad_user_agent_is_an_error_too(site: str) -> None:
    with pytest.raises(FetchError):
        fetch(f"{site}/page", user_agent="two\r\nlines: yes")


def test_a_response_prints_short() -> None:
    assert len(repr(Response("http://host/", b"x" * 1000, {}, 200))) < 60


@pytest.fixture
def public(site: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same site, under a name that stands for a public address."""
    port = int(site.rpartition(":")[2])
    public, here = "93.184.216.34", "127.0.0.1"
    real_look_up, real_connect = network.look_up, network.connect

    def look_up(host: str, at: int) -> Sequence[AddressInfo]:
        return [(2, 1, 6, "", (public, at))] if host == "public.example" else real_look_up(host, at)

    def connect(addresses: Sequence[AddressInfo], *rest: Any) -> socket.socket:
        there = [(*line[:4], (here, *line[4][1:])) if line[4][0] == public else line for line in addresses]
        return real_connect(there, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(network, "look_up", look_up)
    monkeypatch.setattr(network, "connect", connect)
    return f"http://public.example:{port}"


def test_a_redirect_from_a_public_page_into_the_local_network_is_refused(site: str, public: str) -> None:
    PAGES["/to-local"] = _to(f"{site}/page")
    message = failure(f"{public}/to-local")
    assert message == f"{site}/page: 127.0.0.1 is this computer, not on the public internet: refused"


def test_a_url_that_names_a_host_of_the_local_network_is_allowed(site: str, public: str) -> None:
    assert fetch(f"{site}/page").is_private
    assert not fetch(f"{public}/page").is_private


def test_a_url_from_a_page_can_be_kept_out_of_the_local_network(site: str, public: str) -> None:
    assert "this computer" in failure(f"{site}/page", allow_private=False)
    assert fetch(f"{public}/page", allow_private=False).body == PAGE


def test_the_local_network_can_be_allowed(site: str, public: str) -> None:
    PAGES["/to-local"] = _to(f"{site}/page")
    assert fetch(f"{public}/to-local", allow_private=True).body == PAGE


@pytest.mark.parametrize("allowed", [None, True])
def test_a_redirect_from_a_local_page_to_a_link_local_address_is_refused(
    site: str, public: str, allowed: bool | None
) -> None:
    PAGES["/to-secrets"] = _to("http://169.254.169.254/latest")
    assert "169.254.169.254 is a link-local address" in failure(f"{site}/to-secrets", allow_private=allowed)


def test_a_url_that_names_a_link_local_address_is_allowed(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = network.private_kind
    monkeypatch.setattr(network, "private_kind", lambda at: network.LINK_LOCAL if at == "127.0.0.1" else real(at))
    PAGES["/on"] = _to(f"{site}/page")
    assert fetch(f"{site}/on").is_private
    assert "link-local" in failure(f"{site}/on", allow_private=True)


def test_a_name_that_changes_its_address_after_the_check_is_not_looked_up_again(
    site: str, public: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = ["93.184.216.34", "127.0.0.1", "169.254.169.254"]
    connected: list[str] = []
    connect = network.connect

    def look_up(host: str, port: int) -> Sequence[AddressInfo]:
        return [(2, 1, 6, "", (answers.pop(0), port))]

    def record(addresses: Sequence[AddressInfo], *rest: Any) -> socket.socket:
        connected.extend(str(line[4][0]) for line in addresses)
        return connect(addresses, *rest)

    monkeypatch.setattr(network, "look_up", look_up)
    monkeypatch.setattr(network, "connect", record)
    PAGES["/again"] = _to(f"{public}/page")  # a redirect looks the name up once more, and checks the new address
    assert "public.example (127.0.0.1) is this computer" in failure(f"{public}/again", allow_private=False)
    assert connected == ["93.184.216.34"]
