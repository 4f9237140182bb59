"""Steps and tag paths in their tolerant form: how elements of one site's pages are told to be the same.

A *step* is an element's tag with its id and class in tolerant form, written as in CSS: `div#story.body`. A *tag path*
is the sequence of steps from the root; here it is a number, the same for the same path on all pages of a sample. A
*box* is an element with an id or a class, and the *box path* of what stands in it starts there: `ul.related/li` is the
same thing wherever on a page the list stands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.dom.tree import TEXT, Attributes, Tree

_find_number = re.compile(r"\d+")

DROPPED: Final = frozenset(("script", "style", "noscript", "template"))
"""Elements that are not counted: the pages of a site differ in them without differing in anything to read."""


def tolerant_form(value: str) -> str:
    """The first token of an attribute's value without digits: of "post wrapper-02" it is "post", of "post-17" "post-".

    Oita and Senellart, FOREST, section 3.2.
    """
    tokens = value.split(None, 1)
    return _find_number.sub("", tokens[0]) if tokens else ""


def step_of(tag: str, attributes: Attributes) -> str:
    """The step to an element: `div#story.body`."""
    return _step(tag, attributes.get("id"), attributes.get("class")) if attributes else tag


@lru_cache(maxsize=1 << 14)  # pages of a site have the same few hundred
def _step(tag: str, name: str | None, classes: str | None) -> str:
    step = tag
    if name and (form := tolerant_form(name)):
        step += f"#{form}"
    if classes and (form := tolerant_form(classes)):
        step += f".{form}"
    return step


class TagPaths:
    """The tag paths met so far, each kept once as the number of the path above it and a last step."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}

    def of(self, tree: Tree) -> list[int]:
        """The number of each element's path; -1 for text and for what is dropped."""
        numbers: list[int] = []
        tags, attributes, known = tree.tag, tree.attributes, self._numbers
        skipped = 0
        for node, parent in enumerate(tree.parent):
            tag = tags[node]
            if tag == TEXT or node < skipped:
                numbers.append(-1)
            elif tag in DROPPED:
                skipped = tree.end[node]
                numbers.append(-1)
            else:
                # A body's classes are often those of the page: it is a body all the same.
                step = step_of(tag, attributes[node]) if parent > 0 else tag
                key = numbers[parent] if parent >= 0 else -1, step
                numbers.append(known.setdefault(key, len(known)))
        return numbers


class BoxPaths:
    """The box paths of elements inside a region, found when they are asked for; that of the region itself is ''."""

    def __init__(self, tree: Tree, region: int) -> None:
        self.tree = tree
        self.region = region
        self.known = {region: ""}
        """The paths found so far."""
        self._joined: dict[tuple[str, str], str] = {}  # so that each path is written and kept once

    def __getitem__(self, node: int) -> str:
        if node <= self.region:  # text right in a region that is inline stands in a block around it
            return ""
        paths, tree = self.known, self.tree
        path = paths.get(node)
        if path is not None:
            return path
        below = []
        while node not in paths:
            below.append(node)
            node = tree.parent[node]
        path = paths[node]
        for node in reversed(below):
            tag = tree.tag[node]
            step = step_of(tag, tree.attributes[node])
            if len(step) == len(tag):
                key = path, tag
                step = self._joined.get(key) or self._joined.setdefault(key, "/".join(key))
            paths[node] = path = step
        return path

    def around(self, node: int) -> list[int]:
        """The elements inside the region that a node is or stands in, the innermost first."""
        found = []
        while node > self.region:
            found.append(node)
            node = self.tree.parent[node]
        return found
