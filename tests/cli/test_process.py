"""What only a process of its own can show: pipes, locales, terminals, signals."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Article

pty = pytest.importorskip("pty", reason="needs a Unix terminal")

# A method that is slow, so that a signal or a look at the terminal finds the run under way.
SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from duramen import methods
from duramen.cli import main

swift = methods.get(methods.DEFAULT)
def slow(page):
    time.sleep(0.15)
    return swift(page)
methods.get = lambda name: slow
sys.exit(main(sys.argv[1:]))
"""


def test_a_pipe_gets_the_text_and_no_bar(pages: Path, command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run([*command, "extract", "pages"], env=environment, capture_output=True, timeout=60, check=True)
    assert done.stdout.count(b"==>") == 3
    assert done.stderr == b""


def test_output_is_utf8_in_any_locale(
    folder: Path, command: list[str], environment: dict[str, str], article: Article
) -> None:
    Path("page.html").write_text(article("дуб"), encoding="utf-8")
    environment |= {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*command, "extract", "page.html"], env=environment, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert "The heartwood of дуб" in done.stdout.decode("utf-8")


def test_a_closed_pipe_ends_the_command_without_an_error(
    pages: Path, command: list[str], environment: dict[str, str]
) -> None:
    process = subprocess.Popen(
        [*command, "extract", *["pages/ash.html"] * 200],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.read(3) == b"==>"
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141


@pytest.mark.parametrize("verb", [["methods"], ["extract", "page.html"]])
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_below_standard_output_is_reported(
    verb: list[str], page: Path, command: list[str], environment: dict[str, str]
) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*command, *verb], env=environment, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert done.returncode == 1
    assert done.stderr == "duramen: standard output: No space left on device\n"


def test_a_closed_standard_output_is_reported(page: Path, command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *command, "extract", "page.html"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr == "duramen: standard output: is closed\n"


def test_ctrl_c_leaves_whole_files_and_one_line(folder: Path, environment: dict[str, str], article: Article) -> None:
    Path("pages").mkdir()
    for number in range(200):
        Path(f"pages/{number}.html").write_text(article(f"tree {number}"), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "extract", "pages", "-o", "out"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    patience = time.monotonic() + 60
    while not (os.path.isdir("out") and any(name.endswith(".txt") for name in os.listdir("out"))):
        assert time.monotonic() < patience
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("duramen: stopped after ")
    assert err.endswith(" of 200 pages\n")
    assert err.count("\n") == 1
    for path in Path("out").iterdir():
        assert path.suffix == ".txt"
        assert path.read_text(encoding="utf-8").endswith(".\n")


def on_terminal(argv: list[str], environment: dict[str, str], *, out: bool) -> tuple[int, str]:
    """Run with standard error, and standard output where asked, on a terminal; its status and what the terminal saw."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *argv],
        env=environment,
        stdout=theirs if out else subprocess.DEVNULL,
        stderr=theirs,
        stdin=subprocess.DEVNULL,
    )
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # Linux's way to say that nobody holds the other end any more
        while select.select([ours], [], [], 60)[0]:
            piece = os.read(ours, 4096)
            if not piece:
                break
            seen += piece
    os.close(ours)
    return process.wait(timeout=60), seen.decode("utf-8", "replace")


def test_a_terminal_sees_a_bar(pages: Path, environment: dict[str, str]) -> None:
    status, seen = on_terminal(["extract", "pages", "missing.html", "-o", "out"], environment, out=False)
    assert status == 1
    assert "4/4" in seen
    assert "duramen: missing.html: no such file" in seen


@pytest.mark.parametrize(
    ("argv", "out"),
    [
        (["extract", "pages"], True),  # the pages go to the same terminal
        (["extract", "pages/ash.html", "-o", "out"], False),  # one page is no long run
        (["extract", "pages", "-o", "out", "--quiet"], False),
    ],
)
def test_there_is_no_bar_where_it_would_disturb(
    argv: list[str], out: bool, pages: Path, environment: dict[str, str]
) -> None:
    status, seen = on_terminal(argv, environment, out=out)
    assert status == 0
    assert "━" not in seen
    assert "/3" not in seen


def test_control_characters_of_a_page_are_escaped_in_the_terminal(
    folder: Path, environment: dict[str, str], article: Article
) -> None:
    Path("page.html").write_text(article("oak").replace("dark", "&#27;]0;mine&#7;\x9b31m"), encoding="utf-8")
    _, seen = on_terminal(["extract", "page.html"], environment, out=True)
    assert "The heartwood of oak" in seen
    assert "\x1b" not in seen
    assert "\x9b" not in seen


EARLY = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
runpy.run_module("duramen", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("module", ["duramen.errors", "duramen.dom.tree"])
def test_ctrl_c_during_the_imports_is_one_line(module: str, pages: Path, environment: dict[str, str]) -> None:
    """With `-X importtime`, standard error names each module; the signal is sent when this one has been imported."""
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-c", EARLY, "extract", *["pages/ash.html"] * 300],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.rstrip().endswith(f" {module}"):
                break
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "duramen: stopped" in err
