"""The rendered page as VIPS sees it: which nodes are visible, where they are, and how they look."""

from __future__ import annotations

from typing import Final

from duramen.dom.tree import TEXT, Box, Style, Tree
from duramen.dom.visibility import find_visible_texts

INLINE_TAGS: Final = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark q s samp small span strike"
    " strong sub sup time tt u var wbr".split()
)
"""Elements that change the look of text without a line break. All others break the line."""

_DEFAULT_STYLE: Final = Style(16.0, 400, "")


class Screen:
    """Facts about each node of a rendered tree, computed in three passes."""

    def __init__(self, tree: Tree, boxes: list[Box | None]) -> None:
        self.tree = tree
        self._styles = tree.style
        visible = set(find_visible_texts(tree))
        count = len(tree)
        tags, parents = tree.tag, tree.parent
        self.box: list[Box | None] = [box if box is not None and box[2] > 0 and box[3] > 0 else None for box in boxes]
        """An element without an area, whose children float or overflow, has the box of its children."""
        self.is_text = [False] * count
        """Visible text, and inline elements with nothing but such text: the text nodes and virtual text nodes."""
        self.is_valid = [False] * count
        """Whether there is something to see in the node."""
        only_text = [True] * count
        has_text = [False] * count
        for node in range(count - 1, 0, -1):
            parent = parents[node]
            if tags[node] == TEXT:
                if node not in visible:
                    continue
                self.is_text[node] = self.is_valid[node] = has_text[parent] = True
                continue
            self.is_valid[node] |= self.box[node] is not None and (has_text[node] or tags[node] in ("img", "hr"))
            self.is_text[node] = tags[node] in INLINE_TAGS and only_text[node] and has_text[node]
            if not self.is_valid[node]:
                continue
            self.is_valid[parent] = True
            has_text[parent] |= has_text[node]
            only_text[parent] &= self.is_text[node] or tags[node] == "br"
            if boxes[parent] is None or self._has_no_area(boxes[parent]):
                self.box[parent] = unite(self.box[parent], self.box[node])
        self.has_text = has_text
        self.background = [""] * count
        """The background behind each node: its own, or that of the nearest ancestor."""
        for node in range(count):
            own = self.style(node).background if tags[node] != TEXT else ""
            self.background[node] = own or (self.background[parents[node]] if node else "")
        body = self.box[tree.body] or self.box[0] or (0.0, 0.0, 1.0, 1.0)
        self.page_area = max(body[2] * body[3], 1.0)

    @staticmethod
    def _has_no_area(box: Box | None) -> bool:
        return box is None or box[2] <= 0 or box[3] <= 0

    def style(self, node: int) -> Style:
        """Return the style of an element, or of the element around a text."""
        if self._styles is None:
            return _DEFAULT_STYLE
        element = node if self.tree.tag[node] != TEXT else self.tree.parent[node]
        return self._styles[element] or _DEFAULT_STYLE

    def relative_size(self, node: int) -> float:
        """Return the share of the page that a node covers."""
        box = self.box[node]
        return 0.0 if box is None else box[2] * box[3] / self.page_area

    def valid_children(self, node: int) -> list[int]:
        """Return the visible children of an element."""
        return [child for child in self.tree.children(node) if self.is_valid[child]]


def unite(first: Box | None, second: Box | None) -> Box | None:
    """Return the smallest box around two boxes."""
    if first is None or second is None:
        return first or second
    left, top = min(first[0], second[0]), min(first[1], second[1])
    right = max(first[0] + first[2], second[0] + second[2])
    bottom = max(first[1] + first[3], second[1] + second[3])
    return left, top, right - left, bottom - top
