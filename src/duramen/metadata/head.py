"""The elements of a page that speak of it.

Elements of the head count wherever they stand: an image between two `<meta>` ends the head, and parsers then put the
rest into the body.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from duramen.dom.cached import once
from duramen.dom.lexbor import Elements, Remark
from duramen.dom.tree import Attributes, Tree
from duramen.metadata.strings import text_of

_RELATIONS: Final = frozenset(("canonical", "license", "image_src"))
"""Of links that speak of the page."""
_OPENINGS: Final = "{[</"
"""How JSON begins, and what it is wrapped in: `<!--`, `//<![CDATA[`."""
_MARGIN: Final = 200
_MOST: Final = 2000
"""Elements of a kind that are read: no honest page has more."""


class Head:
    """The elements of a page that speak of it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        # The parser's own elements, where the tree still has them: they are asked as `Tree` would ask, step for step.
        self._elements: Elements | None = getattr(tree.attributes, "elements", None)

    def nodes(self, tag: str) -> list[int]:
        """The elements of a tag, in order: no more than an honest page has."""
        found = self.tree.find_all(tag) if self._elements is None else self._elements.places(tag)
        return found if len(found) <= _MOST else found[:_MOST]

    def metas(self, silent: Container[str]) -> list[Remark]:
        """Each `<meta>` that has something to say: its node, the name of what it says, none of `silent`, and that."""
        found = self.tree.meta_elements(silent) if self._elements is None else self._elements.remarks(silent)
        return found if len(found) <= _MOST else found[:_MOST]

    def related(self, tag: str) -> list[Remark]:
        """The elements of a tag whose relation may speak of the page (`Tree.rel_links`)."""
        return self.tree.rel_links(tag) if self._elements is None else self._elements.related(tag)

    def attributes(self, node: int) -> Attributes:
        """The attributes of an element."""
        return self.tree.attributes[node] if self._elements is None else self._elements.attributes(node)

    @once
    def links(self) -> list[tuple[str, str]]:
        """Each `<link>` that speaks of the page: its relation in lower case, and its address."""
        return _links(self.related("link"))

    @once
    def json_ld(self) -> list[tuple[int, str]]:
        """Each `<script>` of JSON-LD and what stands in it."""
        nodes = self.tree.json_ld_scripts() if self._elements is None else self._elements.linked_data()
        return _filled(self.tree.text, self.tree.end, nodes[:_MOST])

    def programs(self) -> Iterator[str]:
        """What stands in each other `<script>` of the page."""
        texts, ends = self.tree.text, self.tree.end
        described = {node for node, _ in self.json_ld}
        nodes = [node for node in self.nodes("script") if ends[node] > node + 1 and node not in described]
        for node, address in zip(nodes, self.tree.attribute_values("src", nodes), strict=True):
            if not address:
                yield "".join(texts[node + 1 : ends[node]])

    @once
    def title(self) -> str:
        """What stands in `<title>`; '' where there is none. Titles inside drawings are not the page's."""
        tree = self.tree
        for node in self.nodes("title"):
            if tree.parent[node] < 0 or tree.tag[tree.parent[node]] in ("head", "body", "html"):
                return text_of(tree, node)
        return ""


def _links(told: list[Remark]) -> list[tuple[str, str]]:
    found = []
    for _, rel, href in told[:_MOST]:
        rel = rel.lower()
        if not _RELATIONS.isdisjoint(rel.split()):
            found.append((rel, href.strip()))
    return found


def _filled(texts: list[str], ends: list[int], scripts: list[int]) -> list[tuple[int, str]]:
    """The scripts whose text begins as JSON does, each with it: others are programs, whatever their type."""
    found = []
    for node in scripts:
        end = ends[node]
        if end > node + 1 and _opens(texts[node + 1]):
            found.append((node, texts[node + 1] if end == node + 2 else "".join(texts[node + 1 : end])))
    return found


def _opens(text: str) -> bool:
    for place in range(min(len(text), _MARGIN)):
        character = text[place]
        if not character.isspace():
            return character in _OPENINGS
    return True
