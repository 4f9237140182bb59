"""Defuddle, an extractor in JavaScript, run in a process of Node that answers page after page.

    npm install defuddle linkedom

in any folder; `DURAMEN_NODE_MODULES` names its `node_modules`, else those of the current folder and of the folders
above it are used, as Node does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import weakref
from pathlib import Path
from threading import Timer
from typing import Final

from duramen.errors import UsageError

MODULES_VARIABLE: Final = "DURAMEN_NODE_MODULES"
MAX_SECONDS: Final = 120.0

_RUNNER: Final = Path(__file__).with_suffix(".mjs")


class DefuddleError(Exception):
    """Defuddle failed on a page."""


class Defuddle:
    """Turns HTML into Markdown. Raises `UsageError` if Node or Defuddle is not installed."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            raise UsageError("this needs Node: install it, then Defuddle with  npm install defuddle linkedom")
        package = find_package()
        self.version: str = json.loads((package / "package.json").read_text("utf-8"))["version"]
        self._command = [node, str(_RUNNER), str(package / "dist" / "node.js")]
        self._process: subprocess.Popen[str] | None = None

    def convert(self, html: str, url: str | None) -> str:
        """Return the main content of a page as Markdown. Raises `DefuddleError`."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
            )
            weakref.finalize(self, _stop, self._process)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(MAX_SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps({"html": html, "url": url}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            _stop(process)
            raise DefuddleError(f"the process of Node ended, or was stopped after {MAX_SECONDS:.0f} seconds")
        answer = json.loads(line)
        if "error" in answer:
            raise DefuddleError(answer["error"])
        markdown: str = answer["markdown"]
        return markdown


def find_package() -> Path:
    """Return the folder of the installed package. Raises `UsageError`."""
    named = os.environ.get(MODULES_VARIABLE)
    here = Path.cwd()
    folders = [Path(named)] if named else [folder / "node_modules" for folder in (here, *here.parents)]
    for folder in folders:
        if (folder / "defuddle" / "dist" / "node.js").is_file():
            return folder.resolve() / "defuddle"
    tried = f"not in {folders[0]}, which {MODULES_VARIABLE} names" if named else "not in node_modules of this folder"
    raise UsageError(
        f"this needs Defuddle, which is {tried}: install it with  npm install defuddle linkedom  and set"
        f" {MODULES_VARIABLE} to the folder node_modules"
    )


def _stop(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()
