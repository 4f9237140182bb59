"""One look at the tags of a page finds everything that may speak of it, so that each source need not look again.

Elements of the head count wherever they stand: an image between two `<meta>` ends the head, and parsers then put the
rest into the body.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from duramen import walk
from duramen.metadata.once import once
from duramen.metadata.strings import text_of
from duramen.tree import Tree

_SPEAKING: Final = ("meta", "link", "title", "script", "h1", "h2", "time", "a", "img", "address")
"""The tags of elements that may speak of the page."""
_RELATIONS: Final = frozenset(("canonical", "license", "image_src"))
"""Of links that speak of the page."""
_FOR_BROWSERS: Final = frozenset(
    "stylesheet preload icon alternate dns-prefetch preconnect modulepreload prefetch apple-touch-icon shortlink"
    " EditURI https://api.w.org/ profile pingback manifest".split()
)
"""What most links are there for."""
_OPENINGS: Final = "{[</"
"""How JSON begins, and what it is wrapped in: `<!--`, `//<![CDATA[`."""
_NAMES: Final = ("property", "name", "itemprop", "http-equiv")
"""The attributes that name what a `<meta>` says, the first that is there."""
_MARGIN: Final = 200
_MOST: Final = 2000
"""Elements of a kind that are read: no honest page has more."""


@dataclass(frozen=True, eq=False)
class Head:
    """The elements of a page that speak of it."""

    tree: Tree = field(repr=False)

    @once
    def _found(self) -> dict[str, list[int]]:
        return walk.places_of(self.tree.tag, _SPEAKING)

    def nodes(self, tag: str) -> list[int]:
        """The elements of a tag, one of `_SPEAKING`, in order: no more than an honest page has."""
        return self._found[tag][:_MOST]

    def places(self, tag: str) -> list[int]:
        """All elements of such a tag, in order."""
        return self._found[tag]

    def metas(self, silent: frozenset[str]) -> list[tuple[int, str, str]]:
        """Each `<meta>` that has something to say: its node, the name of what it says, none of `silent`, and that."""
        return self.tree.named_values(self.nodes("meta"), _NAMES, "content", silent)

    @once
    def links(self) -> list[tuple[str, str]]:
        """Each `<link>` that speaks of the page: its relation in lower case, and its address."""
        told = self.tree.named_values(self.nodes("link"), ("rel",), "href", _FOR_BROWSERS)
        return [(rel.lower(), href.strip()) for _, rel, href in told if not _RELATIONS.isdisjoint(rel.lower().split())]

    @once
    def json_ld(self) -> list[tuple[int, str]]:
        """Each `<script>` of JSON-LD and what stands in it."""
        texts, ends = self.tree.text, self.tree.end
        # The type costs more to read than how the text begins, and most scripts begin as programs do.
        nodes = [
            node
            for node in self.nodes("script")
            if ends[node] > node + 1
            and (texts[node + 1][:1].strip() or texts[node + 1][:_MARGIN].lstrip()[:1] or "{") in _OPENINGS
        ]
        types = self.tree.values_of("type", nodes)
        return [
            (node, "".join(texts[node + 1 : ends[node]]))
            for node, of in zip(nodes, types, strict=True)
            if of and "ld+json" in of.lower()
        ]

    def programs(self) -> Iterator[str]:
        """What stands in each other `<script>` of the page."""
        texts, ends = self.tree.text, self.tree.end
        described = {node for node, _ in self.json_ld}
        nodes = [node for node in self.nodes("script") if ends[node] > node + 1 and node not in described]
        for node, address in zip(nodes, self.tree.values_of("src", nodes), strict=True):
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
