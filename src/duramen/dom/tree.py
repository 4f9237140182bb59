"""`Tree`: a page as parallel arrays in document order.

Node `i` is an element or a text node, and its data are at index `i` of each array. The subtree of a node
is the range `range(i, end[i])`. So "the text below", "is an ancestor of" and "skip this subtree" are integer
arithmetic, no walk needs recursion, and statistics over all subtrees take one pass. Comments, doctypes and the inert
contents of `<template>` are not part of the tree.

`Tree.parse` fills the arrays in one pass over the parser's tree (`lexbor.py`).
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple, cast

from duramen.dom import lexbor
from duramen.dom.attribute_limit import NOTE, is_at_limit, limit_attributes
from duramen.dom.cached import cached_property
from duramen.dom.depth_limit import flatten, may_be_deep
from duramen.dom.encoding import replace_lone_surrogates
from duramen.dom.lexbor import Attributes as Attributes  # part of the interface of this module
from duramen.dom.lexbor import Elements, WordFlags
from duramen.dom.streamed_parts import move_streamed_parts
from duramen.dom.visibility import find_hidden, needs_noscript

TEXT: Final = lexbor.TEXT
"""The tag of a text node."""

Box = tuple[float, float, float, float]
"""x, y, width, height of an element on the rendered page, in CSS pixels."""


class Style(NamedTuple):
    """What a reader sees of the style of an element on the rendered page."""

    font_size: float
    """In CSS pixels."""
    font_weight: int
    """400 is normal, 700 is bold."""
    background: str
    """The color of its own background as CSS writes it; empty if it is transparent."""


@dataclass(eq=False)
class Tree:
    """The page as arrays. Read it; never write to it."""

    tag: list[str] = field(repr=False)
    parent: list[int] = field(repr=False)
    end: list[int] = field(repr=False)
    text: list[str] = field(repr=False)
    attributes: Sequence[Attributes] = field(repr=False)
    box: list[Box | None] | None = field(default=None, repr=False)
    style: list[Style | None] | None = field(default=None, repr=False)
    ignores_hidden: bool = field(default=False, repr=False)
    """Whether no element counts as hidden."""
    note: str = ""
    """What was left out because the page was too much work to parse (`dom/attribute_limit.py`)."""

    @classmethod
    def parse(cls, html: str | bytes) -> Tree:
        """Return the tree that a browser without JavaScript builds.

        Bytes are read as UTF-8. Parts that React streams are moved to their places, as a script would do.
        """
        data = html if isinstance(html, bytes) else _encode_utf8(html)
        limited = limit_attributes(data)
        is_limited = limited is not data
        data = move_streamed_parts(limited)
        # A page with more nodes than bytes multiplies its open formatting elements (`depth_limit`).
        arrays = None if may_be_deep(data) else lexbor.read_tree(data, len(data) + 3)
        if arrays is None:
            arrays = lexbor.read_tree(flatten(data), sys.maxsize)
            assert arrays is not None
        tags, _, _, _, attributes = arrays
        return cls(*arrays, note=NOTE if is_limited and is_at_limit(tags, attributes) else "")

    def __len__(self) -> int:
        return len(self.tag)

    def __repr__(self) -> str:
        return f"<Tree of {len(self)} nodes>"

    @cached_property
    def depth(self) -> list[int]:
        """The level of each node; the root, `html`, is at 0."""
        return lexbor.find_depths(self.parent)

    @cached_property
    def body(self) -> int:
        """The `body` element, or the root if there is none (a frameset)."""
        return next((node for node in self.children(0) if self.tag[node] == "body"), 0)

    def children(self, node: int) -> Iterator[int]:
        """Yield the child nodes of a node, text nodes included, in order."""
        end = self.end[node]
        child = node + 1
        while child < end:
            yield child
            child = self.end[child]

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield the ancestors of a node, its parent first, the root last."""
        node = self.parent[node]
        while node >= 0:
            yield node
            node = self.parent[node]

    def ancestors_or_self(self, node: int) -> Iterator[int]:
        """Yield a node and its ancestors, the root last."""
        while node >= 0:
            yield node
            node = self.parent[node]

    def common_ancestor(self, first: int, last: int) -> int:
        """Return the lowest node that contains both; `first` is not after `last`."""
        node = first
        while self.end[node] <= last:
            node = self.parent[node]
        return node

    def find_all(self, tag: str, within: range | None = None) -> list[int]:
        """Return the elements of a tag, in order; with `within`, those of its nodes."""
        nodes = self._nodes_by_tag.get(tag, [])
        if within is None or not nodes:
            return nodes[:]
        return nodes[bisect_left(nodes, within.start) : bisect_left(nodes, within.stop)]

    # Queries over many nodes, faster than reading the attributes of each. `tree_queries` has more.

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The elements that their attributes hide from the reader (`visibility.find_hidden`)."""
        return frozenset() if self.ignores_hidden else find_hidden(self)

    @cached_property
    def _needs_noscript(self) -> bool:
        """Whether `noscript` has most text of the page (`visibility.needs_noscript`)."""
        return needs_noscript(self)

    @cached_property
    def text_nodes(self) -> list[int]:
        """The text nodes that are not blank, in order."""
        return lexbor.find_texts(self.tag, self.text)

    @property
    def tags_used(self) -> Set[str]:
        """The tags of the page."""
        return self._nodes_by_tag.keys()

    @cached_property
    def _nodes_by_tag(self) -> dict[str, list[int]]:
        return lexbor.find_tags(self.tag)

    @property
    def _elements(self) -> Elements:
        """The attributes of all nodes, with queries (`lexbor.Elements`)."""
        attributes = self.attributes
        return Elements(attributes) if isinstance(attributes, list) else cast(Elements, attributes)

    def read_attributes(self, nodes: Iterable[int]) -> list[Attributes]:
        """Return the attributes of each of these nodes."""
        attributes = self.attributes
        return [attributes[node] for node in nodes]

    def attribute_values(self, name: str, nodes: Iterable[int]) -> list[str | None]:
        """Return the value of one attribute, its name in lower case, of each of these nodes."""
        return self._elements.values(name, nodes)

    def attribute_values_containing(self, part: str, name: str, nodes: Sequence[int]) -> list[tuple[int, str]]:
        """Return those of the nodes whose attribute `name` contains `part`, each with the whole value."""
        values = zip(nodes, self.attribute_values(name, nodes), strict=True)
        return [(node, value) for node, value in values if value and part in value]

    def attribute_combinations(
        self, names: tuple[str, ...], nodes: Sequence[int]
    ) -> tuple[list[tuple[str | None, ...]], array[int]]:
        """Return the combinations of values that these attributes of the nodes have.

        Each combination is given once, in order of appearance, and for each node the index of its combination.
        """
        return self._elements.combinations(names, nodes)

    def find_marked(
        self,
        tags: frozenset[str],
        words: WordFlags,
        flags_of_name: Callable[[str], int],
        only: Iterable[int] | None = None,
    ) -> tuple[list[int], list[int]]:
        """Return the elements below the body that have a mark, in order, and the flags of each.

        A mark is one of the tags (without a flag); one of the words in the class or the id, with the flags of the
        word; or an attribute whose name, in lower case, `flags_of_name` gives flags for. Flags are bits below 128.
        `lexbor.UNSURE` is added if the class, id or rel may have a word and must be read again. With `only`, only these
        nodes are examined.
        """
        nodes = range(self.body + 1, len(self)) if only is None else only
        return self._elements.find_marked(self.tag, nodes, tags, words, flags_of_name)


def _encode_utf8(html: str) -> bytes:
    try:
        return html.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which broken JSON escapes leave
        return replace_lone_surrogates(html).encode()
