"""A method that hangs, dies or fails if a page asks for it. Workers load it by `--import`."""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from duramen.batch.inputs import files
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings
from duramen.content import Content, subtree
from duramen.dom.page import Page
from duramen.methods.registry import register

if "PRINT_AT_ONCE" in os.environ:
    print("printed by the module")

if word := os.environ.get("DEADLY_FILE"):  # reading such a file kills the reader
    _read = files.read_pages

    def _deadly(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
        for input_page in _read(split, reading, notes):
            if word in input_page.source and (input_page.error is None or "DEADLY_EVEN_TO_PASS" in os.environ):
                sys.exit(3) if "DEADLY_BY_EXIT" in os.environ else os.abort()
            yield input_page

    files.read_pages = _deadly


@register
@dataclass(frozen=True)
class Hazard:
    name: ClassVar[str] = "hazard"
    summary: ClassVar[str] = "does what the page says"
    paper: ClassVar[str] = "none"

    slow: float = 0.0

    def __call__(self, page: Page) -> Content:
        if self.slow:
            time.sleep(self.slow)
        html = page.html
        if "HANG" in html:
            while True:
                pass
        if "SLEEP" in html:
            time.sleep(10_000)
        if "HOLD" in html and os.environ.get("HOLD_PAGES"):  # so that a run is not over before it is disturbed
            time.sleep(10_000)
        if "ABORT" in html:
            os.abort()
        if "EXIT" in html:
            os._exit(3)
        if "PRINT" in html:
            print("printed by the method")
            os.system("echo printed by a program")
        if "QUIT" in html:
            sys.exit(3)
        if "INTERRUPT" in html:
            raise KeyboardInterrupt
        if "RAISE" in html:
            raise ZeroDivisionError("the page asked for it")
        if "EAT" in html:
            return Content(page, self.name, str(len(bytearray(1 << 40))))
        if "RESERVE" in html:  # five gigabytes of addresses, and no memory
            mmap.mmap(-1, 5 * 10**9, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ).close()
        if "PID" in html:  # says which process has the page, the first time, and waits for a file or its end
            mark = html.split("PID=")[1].split("<")[0]
            if not os.path.exists(mark):
                with open(f"{mark}.new", "w") as file:
                    file.write(str(os.getpid()))
                os.rename(f"{mark}.new", mark)
                while not os.path.exists(f"{mark}.go"):
                    time.sleep(0.02)
        if "KILLED" in html:  # as if from outside, so many times
            mark, times = html.split("KILLED=")[1].split("<")[0].split("*")
            with open(mark, "a+") as file:
                file.write("x")
                file.seek(0)
                if len(file.read()) <= int(times):
                    file.flush()
                    os.kill(os.getpid(), signal.SIGKILL)
        if "ONCE" in html:  # dies the first time only
            mark = html.split("ONCE=")[1].split("<")[0]
            if not os.path.exists(mark):
                open(mark, "w").close()
                os.abort()
        return Content(page, self.name, "as asked", subtree(page.tree, page.tree.body), confidence=1.0)
