"""The boxes of a page, apart from it: to be saved in a file, loaded, and laid over the page again without a browser.

The file is JSON, and says of which tree the boxes are by a fingerprint of its tags, its shape and its texts; boxes of
one page are never laid over another.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from duramen.dom.page import Page
from duramen.dom.tree import Box, Tree
from duramen.errors import BoxesError

SUFFIX = ".boxes.json"
_KIND, _VERSION = "duramen-boxes", 1


@dataclass(frozen=True)
class Boxes:
    """Where the elements of one page stand on the screen; None for those that are not on it."""

    fingerprint: str
    box: tuple[Box | None, ...] = field(repr=False)
    viewport: tuple[int, int]
    browser: str = ""
    unplaced: int = 0
    """How many elements Chromium has elsewhere in its tree, or not at all; they have no box."""

    @property
    def note(self) -> str | None:
        """What a reader should know of these boxes; None when they are as they should be."""
        if not self.unplaced:
            return None
        many = "1 element has" if self.unplaced == 1 else f"{self.unplaced} elements have"
        return f"{many} no box, because Chromium's tree differs from ours there"

    def on(self, page: Page) -> Page:
        """The page with these boxes on its tree. Raises `BoxesError` when they are another page's."""
        if len(self.box) != len(page.tree) or self.fingerprint != fingerprint(page.tree):
            raise BoxesError("these boxes are of another page, or of another version of this one")
        return replace(page, tree=replace(page.tree, box=list(self.box)))

    def dumps(self) -> str:
        """The boxes as JSON, a line for each."""
        head = {
            "kind": _KIND,
            "version": _VERSION,
            "tree": self.fingerprint,
            "nodes": len(self.box),
            "viewport": self.viewport,
            "browser": self.browser,
            "unplaced": self.unplaced,
        }
        rows = [[node, *map(_short, box)] for node, box in enumerate(self.box) if box is not None]
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        return f'{json.dumps(head)[:-1]}, "boxes": [\n{lines}\n]}}\n'

    @classmethod
    def loads(cls, text: str) -> Boxes:
        """Boxes from their JSON. Raises `BoxesError` with what is wrong with it."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BoxesError(f"no file of boxes: it is not JSON ({error})") from error
        if not isinstance(found, dict) or found.get("kind") != _KIND:
            raise BoxesError("no file of boxes: duramen render makes one")
        if found.get("version") != _VERSION:
            raise BoxesError(f"boxes of version {found.get('version')!r}, and this duramen reads version {_VERSION}")
        return _checked(found)

    def save(self, path: str | Path) -> None:
        Path(path).write_text(self.dumps(), "utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Boxes:
        try:
            text = Path(path).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            said = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise BoxesError(f"{path}: cannot be read: {said or error}") from error
        try:
            return cls.loads(text)
        except BoxesError as error:
            raise BoxesError(f"{path}: {error}") from error


def fingerprint(tree: Tree) -> str:
    """A number for all that the layout of a tree depends on, its styles aside."""
    digest = blake2b(digest_size=16)
    for part in ("\0".join(tree.tag), ",".join(map(str, tree.parent)), "\0".join(tree.text)):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\1")
    return digest.hexdigest()


def _short(number: float) -> float | int:
    return int(number) if number == int(number) else number


def _checked(found: dict[str, Any]) -> Boxes:
    count, viewport, rows, unplaced = (found.get(name) for name in ("nodes", "viewport", "boxes", "unplaced"))
    if not isinstance(count, int) or not 0 <= count <= _MOST or not isinstance(found.get("tree"), str):
        raise BoxesError("damaged boxes: which tree they are of is not said")
    if not isinstance(viewport, list) or len(viewport) != 2 or not all(isinstance(side, int) for side in viewport):
        raise BoxesError("damaged boxes: the viewport is not two numbers")
    if not isinstance(rows, list) or not isinstance(unplaced, int) or not isinstance(found.get("browser"), str):
        raise BoxesError("damaged boxes: something is missing")
    box: list[Box | None] = [None] * count
    last = -1
    for row in rows:
        if not isinstance(row, list) or len(row) != 5 or not isinstance(row[0], int) or not last < row[0] < count:
            raise BoxesError(f"damaged boxes: {str(row)[:60]} is not a node and its box")
        if not all(isinstance(side, int | float) and math.isfinite(side) for side in row[1:]):
            raise BoxesError(f"damaged boxes: {str(row)[:60]} has no box")
        last = row[0]
        box[last] = (float(row[1]), float(row[2]), float(row[3]), float(row[4]))
    return Boxes(found["tree"], tuple(box), (viewport[0], viewport[1]), found["browser"], unplaced)


_MOST = 100_000_000
"""Nodes: a file that claims more is not of a page, and would fill the memory."""
