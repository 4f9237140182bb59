"""Save the boxes of a page to a file, and apply them again without a browser.

The file is JSON. It names its tree by a fingerprint of tags, structure and texts, so that the boxes of one page are
never applied to another.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from duramen.dom.page import Page
from duramen.dom.tree import Box, Style, Tree
from duramen.errors import BoxesError
from duramen.files import write_atomically

SUFFIX = ".boxes.json"
_KIND, _VERSION = "duramen-boxes", 2
_VERSION_WITHOUT_STYLES = 1

MAX_NODES = 100_000_000
"""A file that claims more nodes does not belong to a page, and would fill the memory."""


@dataclass(frozen=True)
class Boxes:
    """Positions and sizes of the elements of one page; None for elements that are not visible."""

    fingerprint: str
    box: tuple[Box | None, ...] = field(repr=False)
    viewport: tuple[int, int]
    browser: str = ""
    unplaced: int = 0
    """Number of elements without a counterpart in Chromium's tree; they have no box."""
    style: tuple[Style | None, ...] = field(default=(), repr=False)
    """Fonts and backgrounds of the elements with a box; empty if the file has none."""

    @property
    def note(self) -> str | None:
        """A warning for the user; None when every element has its counterpart."""
        if not self.unplaced:
            return None
        many = "1 element has" if self.unplaced == 1 else f"{self.unplaced} elements have"
        return f"{many} no box, because Chromium's tree differs from ours there"

    def on(self, page: Page) -> Page:
        """Return the page with these boxes on its tree. Raises `BoxesError` when they belong to another page."""
        if len(self.box) != len(page.tree) or self.fingerprint != fingerprint(page.tree):
            raise BoxesError("these boxes belong to another page, or to another version of this page")
        styles = list(self.style) if self.style else None
        return replace(page, tree=replace(page.tree, box=list(self.box), style=styles))

    def dumps(self) -> str:
        """Return the boxes as JSON, one line per box."""
        head: dict[str, Any] = {
            "kind": _KIND,
            "version": _VERSION if self.style else _VERSION_WITHOUT_STYLES,
            "tree": self.fingerprint,
            "nodes": len(self.box),
            "viewport": self.viewport,
            "browser": self.browser,
            "unplaced": self.unplaced,
        }
        rows: list[list[float]] = [[node, *map(_shorten, box)] for node, box in enumerate(self.box) if box is not None]
        if self.style:
            numbers: dict[Style | None, int] = {}
            for row in rows:
                row.append(numbers.setdefault(self.style[int(row[0])], len(numbers)))
            head["styles"] = [style and [*map(_shorten, style[:2]), style.background] for style in numbers]
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        return f'{json.dumps(head)[:-1]}, "boxes": [\n{lines}\n]}}\n'

    @classmethod
    def loads(cls, text: str) -> Boxes:
        """Read boxes from JSON. Raise `BoxesError` if it is not valid."""
        try:
            saved = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BoxesError(f"not a file of boxes: it is not JSON ({error})") from error
        if not isinstance(saved, dict) or saved.get("kind") != _KIND:
            raise BoxesError("not a file of boxes: make one with duramen render")
        if saved.get("version") not in (_VERSION, _VERSION_WITHOUT_STYLES):
            raise BoxesError(f"boxes of version {saved.get('version')!r}; this duramen reads version {_VERSION}")
        return _check(saved)

    def save(self, path: str | Path) -> None:
        """Write the boxes atomically: another process may be reading the folder."""
        data = self.dumps().encode("utf-8")
        write_atomically(Path(path), lambda file: file.write(data), sync=False)

    @classmethod
    def load(cls, path: str | Path) -> Boxes:
        try:
            text = Path(path).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise BoxesError(f"{path}: cannot be read: {reason or error}") from error
        try:
            return cls.loads(text)
        except BoxesError as error:
            raise BoxesError(f"{path}: {error}") from error


def fingerprint(tree: Tree) -> str:
    """Hash everything that the layout of a tree depends on, except styles."""
    digest = blake2b(digest_size=16)
    for part in ("\0".join(tree.tag), ",".join(map(str, tree.parent)), "\0".join(tree.text)):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\1")
    return digest.hexdigest()


def _shorten(number: float) -> float | int:
    return int(number) if number == int(number) else number


def _check(saved: dict[str, Any]) -> Boxes:
    count, viewport, rows, unplaced = (saved.get(name) for name in ("nodes", "viewport", "boxes", "unplaced"))
    if not isinstance(count, int) or not 0 <= count <= MAX_NODES or not isinstance(saved.get("tree"), str):
        raise BoxesError("damaged boxes: the fingerprint of the tree is missing")
    if not isinstance(viewport, list) or len(viewport) != 2 or not all(isinstance(side, int) for side in viewport):
        raise BoxesError("damaged boxes: the viewport is not two numbers")
    if not isinstance(rows, list) or not isinstance(unplaced, int) or not isinstance(saved.get("browser"), str):
        raise BoxesError("damaged boxes: a field is missing")
    box: list[Box | None] = [None] * count
    looks = _check_styles(saved.get("styles")) if saved["version"] == _VERSION else None
    style: list[Style | None] = [None] * count if looks is not None else []
    last, columns = -1, 5 if looks is None else 6
    for row in rows:
        if not isinstance(row, list) or len(row) != columns or not isinstance(row[0], int) or not last < row[0] < count:
            raise BoxesError(f"damaged boxes: {str(row)[:60]} is not a node and its box")
        if not all(isinstance(side, int | float) and math.isfinite(side) for side in row[1:]):
            raise BoxesError(f"damaged boxes: {str(row)[:60]} has no box")
        last = row[0]
        box[last] = (float(row[1]), float(row[2]), float(row[3]), float(row[4]))
        if looks is not None:
            if not isinstance(row[5], int) or not 0 <= row[5] < len(looks):
                raise BoxesError(f"damaged boxes: {str(row)[:60]} has no style")
            style[last] = looks[row[5]]
    return Boxes(saved["tree"], tuple(box), (viewport[0], viewport[1]), saved["browser"], unplaced, tuple(style))


def _check_styles(saved: object) -> list[Style | None]:
    if not isinstance(saved, list):
        raise BoxesError("damaged boxes: the styles are missing")
    styles: list[Style | None] = []
    for entry in saved:
        match entry:
            case None:
                styles.append(None)
            case [int() | float() as size, int() as weight, str() as background] if math.isfinite(size):
                styles.append(Style(float(size), weight, background))
            case _:
                raise BoxesError(f"damaged boxes: {str(entry)[:60]} is not a style")
    return styles
