"""Boxes kept in a folder, found again by the fingerprint of their page, whatever their files are called."""

from __future__ import annotations

import os
import re
from pathlib import Path

from duramen.dom.page import Page
from duramen.errors import BoxesError
from duramen.rendering.boxes import SUFFIX, Boxes, fingerprint
from duramen.rendering.browser import Browser

# The fingerprint stands in the first line of a file, so that to find a page among thousands of files is quick.
_HEAD = 300
_FINGERPRINT = re.compile(rb'"tree": "([0-9a-f]{32})"')


class Kept:
    """A folder of boxes, and a browser for the pages that are not in it yet. Either may be missing."""

    def __init__(self, folder: Path | None = None, browser: Browser | None = None) -> None:
        self._folder = folder
        self._browser = browser
        self._files = {} if folder is None or not folder.is_dir() else _index(folder)
        self._last: Boxes | None = None  # several methods often want those of one page, one after the other

    def boxes(self, page: Page) -> Boxes | None:
        """The boxes of a page: those that are kept, else new ones, which are kept then; None without either."""
        name = fingerprint(page.tree)
        if self._last is None or self._last.fingerprint != name:
            self._last = self._found(name) or self._made(name, page)
        return self._last

    def _found(self, name: str) -> Boxes | None:
        return Boxes.load(self._files[name]) if name in self._files else None

    def _made(self, name: str, page: Page) -> Boxes | None:
        if self._browser is None:
            return None
        boxes = self._browser.boxes(page)
        if self._folder is not None:
            self._files[name] = _save(boxes, self._folder / f"{name}{SUFFIX}")
        return boxes

    def lay(self, page: Page) -> Page:
        """The page with its boxes; as it is where there are none."""
        boxes = self.boxes(page)
        return page if boxes is None else boxes.on(page)


def _index(folder: Path) -> dict[str, Path]:
    found = {}
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        try:
            with path.open("rb") as file:
                match = _FINGERPRINT.search(file.read(_HEAD))
        except OSError as error:
            raise BoxesError(f"{path}: cannot be read: {error.strerror or error}") from error
        if match:
            found[match[1].decode("ascii")] = path
    return found


def _save(boxes: Boxes, path: Path) -> Path:
    """Write aside and rename: another run may be reading the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        boxes.save(aside)
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    return path
