"""A browser that dies or hangs loses one page, and is gone for good in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

import duramen
from duramen.dom.page import Page
from duramen.errors import RenderError
from duramen.rendering.browser import Browser, _Running
from duramen.rendering.tab import Tab

PATIENCE = 120
"""Seconds, on a machine that has much else to do."""


class Fragile(Browser):
    """Dies on pages that say so: the whole browser, or the tab; or stops."""

    def _tab(self, process):  # type: ignore[no-untyped-def]
        tab = super()._tab(process)
        lay_out = tab.lay_out

        def fatal(html: str, url: str | None, deadline: float):  # type: ignore[no-untyped-def]
            if "KILLS THE BROWSER" in html:
                os.killpg(process.pid, signal.SIGKILL)
            if "KILLS THE TAB" in html:
                process.connection.send("Page.crash", tab._session)
            if "STOPS THE BROWSER" in html:
                os.killpg(process.pid, signal.SIGSTOP)
            return lay_out(html, url, deadline)

        tab.lay_out = fatal
        return tab


FATAL = {17: "KILLS THE BROWSER", 40: "KILLS THE TAB", 41: "KILLS THE BROWSER"}


@pytest.mark.parametrize(("count", "tabs"), [(100, 1), (30, 3)], ids=["in a row", "three at a time"])
def test_of_many_pages_those_that_kill_the_browser_are_lost_and_no_other(chromium: str, count: int, tabs: int) -> None:
    pages = [Page.parse(f"<h1>{number}</h1><p>{FATAL.get(number, 'harmless')}") for number in range(count)]
    with Fragile(chromium, deadline=PATIENCE) as browser:
        results = list(browser.render_all(pages, tabs=tabs))
    lost = {number: str(error) for number, error in enumerate(results) if isinstance(error, RenderError)}
    assert lost.keys() == FATAL.keys() & set(range(count))
    assert all("died on this page" in message for message in lost.values())
    assert all(isinstance(page, RenderError) or any(page.tree.box or ()) for page in results)


def test_a_browser_that_was_killed_from_outside_loses_nothing(chromium: str) -> None:
    with Browser(chromium) as browser:
        browser.boxes(Page.parse("<p>one"))
        os.killpg(browser._run().process.pid, signal.SIGKILL)
        assert any(browser.boxes(Page.parse("<p>two")).box)


def test_a_page_that_never_ends_is_lost_at_its_deadline(chromium: str) -> None:
    with Browser(chromium, scripts=True, deadline=3) as browser:
        with pytest.raises(RenderError, match="within 3 seconds"):
            browser.render(Page.parse("<script>for (;;);</script>"))
        browser._deadline = PATIENCE
        assert any(browser.render(Page.parse("<p>next")).tree.box or ())


def test_a_browser_that_hangs_is_replaced(chromium: str) -> None:
    with Fragile(chromium, deadline=3) as browser:
        with pytest.raises(RenderError, match="within 3 seconds"):
            browser.boxes(Page.parse("<p>STOPS THE BROWSER"))
        browser._deadline = PATIENCE
        assert any(browser.boxes(Page.parse("<p>next")).box)


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder with a short name."""
    with tempfile.TemporaryDirectory(prefix="d-") as name:
        yield Path(name)


def left_behind(folder: Path) -> list[str]:
    """What is in a folder for temporary files once all has had time to end."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        if not (left := [path.name for path in folder.glob("duramen-chromium-*")]):
            return []
        sleep(0.05)
    return left


def ended(pid: int) -> bool:
    until = monotonic() + PATIENCE
    while monotonic() < until:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True  # dead, if nobody has asked
        except (ProcessLookupError, FileNotFoundError):
            return True
        sleep(0.05)
    return False


WAYS = {
    "end of the program": "",
    "Ctrl-C": "os.kill(os.getpid(), signal.SIGINT)",
    "terminated": "os.kill(os.getpid(), signal.SIGTERM)",
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "a child and a fork live on": "subprocess.Popen(['sleep', '200']); os.fork() or time.sleep(200); os._exit(0)",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_the_browser_and_its_files_are_removed_however_the_program_ends(chromium: str, way: str, folder: Path) -> None:
    program = f"""
        import os, signal, subprocess, sys, time
        import duramen
        from duramen.rendering import _browsers
        duramen.render("<p>x")
        print(_browsers[False, False]._run().process.pid, flush=True)
        {way}
    """
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(Path(duramen.__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    ) as running:
        assert running.stdout
        pid = int(running.stdout.readline())
        running.wait(PATIENCE)
    try:
        assert ended(pid)
        assert left_behind(folder) == []
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)  # those that live on; the browser is in another group


def test_closing_leaves_no_files(chromium: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with Browser(chromium) as browser:
        browser.boxes(Page.parse("<p>x"))
        assert list(folder.glob("duramen-chromium-*"))
    assert list(folder.iterdir()) == []


def test_a_forked_child_starts_a_browser_of_its_own(chromium: str) -> None:
    program = """
        import os, duramen
        box = duramen.render("<p>x").tree.box
        child = os.fork()
        if not child:
            os._exit(0 if duramen.render("<p>x").tree.box == box else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert duramen.render("<p>x").tree.box == box
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(duramen.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], env=environment, check=True, timeout=PATIENCE)


def test_a_tab_is_replaced_before_it_is_worn_out(chromium: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Tab] = []
    monkeypatch.setattr("duramen.rendering.browser.MAX_PAGES_PER_TAB", 2)

    class Counting(Browser):
        def _tab(self, process):  # type: ignore[no-untyped-def]
            made.append(super()._tab(process))
            return made[-1]

    with Counting(chromium) as browser:
        for _ in range(5):
            browser.boxes(Page.parse("<p>x"))
    assert len(made) == 3


def test_the_browser_starts_with_the_first_page_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(browser: Browser) -> _Running:
        raise AssertionError("started")

    monkeypatch.setattr(Browser, "_start", start)
    with Browser() as browser:
        assert browser
