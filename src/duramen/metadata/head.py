"""One look at the tags of a page finds everything that may speak of it, so that each source need not look again.

Elements of the head count wherever they stand: an image between two `<meta>` ends the head, and parsers then put the
rest into the body.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from duramen.metadata.strings import text_of
from duramen.metadata.tags import speaking
from duramen.tree import Attributes, Tree

_RELATIONS: Final = frozenset(("canonical", "license", "image_src"))
"""Of links that speak of the page; most are there for browsers: `stylesheet`, `preload`, `icon`."""
_MOST: Final = 2000
"""Elements of a kind that are read: no honest page has more."""


@dataclass(frozen=True, eq=False)
class Head:
    """The elements of a page that speak of it."""

    tree: Tree = field(repr=False)

    @cached_property
    def _found(self) -> dict[str, list[int]]:
        return speaking(self.tree.tag)

    def nodes(self, tag: str) -> list[int]:
        """The elements of a tag, one of `meta link title script h1 h2 time`, in order."""
        return self._found[tag][:_MOST]

    @cached_property
    def metas(self) -> list[tuple[int, Attributes]]:
        """Each `<meta>` with its attributes."""
        nodes = self.nodes("meta")
        return list(zip(nodes, self.tree.attributes_of(nodes), strict=True))

    @cached_property
    def links(self) -> list[tuple[str, str]]:
        """Each `<link>` that speaks of the page: its relation in lower case, and its address."""
        nodes = self.nodes("link")
        read = zip(self.tree.values_of("rel", nodes), nodes, strict=True)
        told = [(rel.lower(), node) for rel, node in read if rel and not _RELATIONS.isdisjoint(rel.lower().split())]
        hrefs = self.tree.values_of("href", [node for _, node in told])
        return [(rel, href.strip()) for (rel, _), href in zip(told, hrefs, strict=True) if href]

    @cached_property
    def scripts(self) -> list[tuple[int, str]]:
        """Each `<script>` and its type in lower case, '' where it has none."""
        nodes = self.nodes("script")
        return [(node, (of or "").lower()) for node, of in zip(nodes, self.tree.values_of("type", nodes), strict=True)]

    @cached_property
    def title(self) -> str:
        """What stands in `<title>`; '' where there is none. Titles inside drawings are not the page's."""
        tree = self.tree
        for node in self.nodes("title"):
            if tree.parent[node] < 0 or tree.tag[tree.parent[node]] in ("head", "body", "html"):
                return text_of(tree, node)
        return ""
