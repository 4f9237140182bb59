"""Cache of boxes on disk: one file per page, named by the fingerprint of the page."""

from __future__ import annotations

import re
from pathlib import Path

from duramen.dom.page import Page
from duramen.errors import BoxesError
from duramen.rendering.boxes import SUFFIX, Boxes, fingerprint
from duramen.rendering.browser import Browser

# The fingerprint is in the first line of a file, so that only this line is read to index thousands of files.
_HEAD_BYTES = 300
_FINGERPRINT = re.compile(rb'"tree": "([0-9a-f]{32})"')


class BoxCache:
    """Reads boxes from a folder, and makes missing ones with a browser. Either may be absent."""

    def __init__(self, folder: Path | None = None, browser: Browser | None = None) -> None:
        self._folder = folder
        self._browser = browser
        self._files = {} if folder is None or not folder.is_dir() else _index(folder)
        self._last: Boxes | None = None  # several methods often ask for the same page in turn

    def boxes(self, page: Page) -> Boxes | None:
        """Return the boxes of a page: saved ones, else new ones, which are saved; None without either."""
        name = fingerprint(page.tree)
        if self._last is None or self._last.fingerprint != name:
            self._last = self._load(name) or self._make(name, page)
        return self._last

    def _load(self, name: str) -> Boxes | None:
        return Boxes.load(self._files[name]) if name in self._files else None

    def _make(self, name: str, page: Page) -> Boxes | None:
        if self._browser is None:
            return None
        boxes = self._browser.boxes(page)
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._files[name] = path = self._folder / f"{name}{SUFFIX}"
            boxes.save(path)
        return boxes

    def add_boxes(self, page: Page) -> Page:
        """Return the page with its boxes, or unchanged where there are none."""
        boxes = self.boxes(page)
        return page if boxes is None else boxes.on(page)


def _index(folder: Path) -> dict[str, Path]:
    paths = {}
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        try:
            with path.open("rb") as file:
                match = _FINGERPRINT.search(file.read(_HEAD_BYTES))
        except OSError as error:
            raise BoxesError(f"{path}: cannot be read: {error.strerror or error}") from error
        if match:
            paths[match[1].decode("ascii")] = path
    return paths
