"""What the tests of `duramen train` share: sets of pages, and a training that a signal stops."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.cli.conftest import Outcome

# Runs a command line in which one function is slow, so that a signal finds the run under way.
_SLOW_RUN = """
import importlib, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from duramen.cli import main

module, name = importlib.import_module(sys.argv[1]), sys.argv[2]
swift = getattr(module, name)
def slow(*arguments):
    print("begun", flush=True)
    time.sleep(60)  # the signal ends it
    return swift(*arguments)
setattr(module, name, slow)
sys.exit(main(sys.argv[3:]))
"""


def write_set(folder: Path, pages: Iterable[tuple[str, str, str]], site_suffix: str, **changes: Any) -> None:
    """Write a set of pages (id, HTML, text), each of its own site, with what the caller changes in every row."""
    (folder / "html").mkdir(parents=True)
    lines = []
    for name, html, text in pages:
        (folder / "html" / f"{name}.html.gz").write_bytes(gzip.compress(html.encode()))
        row = {"id": name, "site": f"{name}.{site_suffix}", "type": "article", "text": text, **changes}
        lines.append(json.dumps(row) + "\n")
    (folder / "manifest.jsonl").write_text("".join(lines), "utf-8")


def nothing_written(folder: Path) -> bool:
    """True if there is no model in a folder, not even a part of one."""
    return not [path for path in folder.rglob("*") if ".npz" in path.name]


def one_line(outcome: Outcome) -> str:
    """Return the message of a command that printed nothing else, without the name of the program."""
    assert outcome.out == ""
    assert outcome.err.startswith("duramen: ")
    assert outcome.err.count("\n") == 1
    return outcome.err.removeprefix("duramen: ").rstrip()


def interrupt_training(module: str, function: str, arguments: list[str], environment: dict[str, str]) -> str:
    """Send Ctrl-C to a training that has called a function; return what it wrote to standard error."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SLOW_RUN, module, function, "train", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    return err
