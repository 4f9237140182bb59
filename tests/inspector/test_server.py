"""`duramen inspect --serve`: loopback only, with a token, and with limits."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.inspector.chromium import HEIGHT, WIDTH, ReportTab
from tests.inspector.conftest import EXAMPLES

from duramen.inspector import InspectOptions
from duramen.inspector.server import InspectServer, ServerLimits
from duramen.rendering.find_browser import find_browser
from duramen.rendering.process import Process

PAGE = (EXAMPLES / "page.html").read_bytes()


@pytest.fixture
def server() -> Iterator[InspectServer]:
    with InspectServer(InspectOptions(), ServerLimits(timeout=5, max_bytes=100_000)) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def ask(server: InspectServer, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_only_who_knows_the_token_is_answered(server: InspectServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert ask(server, "GET", server.root)[0] == 200
    assert ask(server, "GET", "/")[0] == 404
    assert ask(server, "GET", f"/{'x' * len(server.token)}/")[0] == 404
    assert ask(server, "POST", "/url", b"http://example.org/")[0] == 404


def test_head_is_answered_without_a_body(server: InspectServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("HEAD", server.root)
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 1000
    connection.close()
    assert ask(server, "HEAD", "/")[0] == 404


def test_another_host_and_another_origin_are_refused(server: InspectServer) -> None:
    assert ask(server, "GET", server.root, Host="evil.example")[0] == 403
    assert ask(server, "GET", server.root, Host=f"evil.example:{server.port}")[0] == 403
    assert ask(server, "POST", f"{server.root}page", PAGE, Origin="http://evil.example")[0] == 403
    assert ask(server, "GET", server.root, Host=f"localhost:{server.port}")[0] == 200


def test_a_dropped_file_becomes_a_report(server: InspectServer) -> None:
    status, path = ask(server, "POST", f"{server.root}page?name=oak.html", PAGE)
    assert status == 200
    status, report = ask(server, "GET", path)
    assert status == 200
    assert "Heartwood: the part of a tree" in report
    assert "connect-src 'self'" in report


def test_private_addresses_and_bad_input_are_refused_in_words(server: InspectServer) -> None:
    for url, part in (
        (f"http://127.0.0.1:{server.port}/", "this computer"),
        ("http://169.254.169.254/latest/", "link-local"),
        ("ftp://example.org/", "http"),
        ("not an address", ""),
    ):
        status, message = ask(server, "POST", f"{server.root}url", url.encode())
        assert status == 400
        assert part in message
    assert ask(server, "POST", f"{server.root}page", b"%PDF-1.4 ...")[0] == 400
    status, message = ask(
        server, "POST", f"{server.root}page?name=news.xml", b"<?xml version='1.0'?><rss><channel/></rss>"
    )
    assert (status, message.split(":")[0]) == (400, "news.xml")
    assert "Error" not in message
    assert ask(server, "POST", f"{server.root}page", b"x" * 200_000)[0] == 413
    assert ask(server, "POST", f"{server.root}elsewhere", b"x")[0] == 404


def test_a_page_that_takes_too_long_is_stopped(server: InspectServer) -> None:
    server.limits = replace(server.limits, report_seconds=0.01)
    long_page = b"<p>One of many paragraphs of a long page, each of which is explained. " * 1200
    status, message = ask(server, "POST", f"{server.root}page", long_page)
    assert status == 400
    assert "no result in" in message


def test_the_start_page_makes_a_report(server: InspectServer, chromium: Process) -> None:
    program = find_browser()
    process = Process(program, width=WIDTH, height=HEIGHT, network=True)  # the shared one reaches no server at all
    try:
        tab = ReportTab(process)
        tab.open(server.address)
        assert tab.run("document.getElementById('start').hidden") is False
        tab.run("send('url', 'http://127.0.0.1:9/')")
        tab.wait_for("document.getElementById('message').textContent.includes('this computer')")
        tab.run(f"send('page?name=oak.html', new Blob([{json.dumps(PAGE.decode())}]))")
        tab.wait_for("typeof total === 'number' && total > 20 && elementsOf.length")
        assert tab.run("document.getElementById('title').textContent").startswith("Heartwood")
        own = f"http://127.0.0.1:{server.port}/"
        assert [address for address in tab.foreign_requests() if not address.startswith(own)] == []
    finally:
        process.close()


def test_ctrl_c_ends_the_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "duramen", "inspect", "--serve"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as running:
        assert running.stderr is not None
        assert "open http://127.0.0.1:" in running.stderr.readline()
        assert "Ctrl-C" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        assert running.stderr.read() == "duramen: stopped\n"
    assert running.returncode == 130
