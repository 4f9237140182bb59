"""A page as parallel arrays in document order.

Node `i` is an element or a text node, and everything known of it stands at index `i` of each array. The subtree of
a node is the range `range(i, end[i])`, so "the text below", "is an ancestor of" and "skip this subtree" are integer
arithmetic, no walk needs recursion, and statistics over all subtrees are one pass. Comments, doctypes and the inert
contents of `<template>` are not part of the tree.

`Tree.parse` fills the arrays in one pass over Lexbor (`lexbor.py`); see `benchmarks/speed.py` for what that costs.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, overload

from duramen.dom import lexbor
from duramen.dom.cached import once
from duramen.dom.depth_limit import flatten, may_be_deep
from duramen.dom.hiding import APART, CONTROLLING, CONTROLS, PANEL, folds_as, is_hidden

TEXT: Final = lexbor.TEXT
"""The tag of a text node."""

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements without a closing tag."""

CURTAIN = 5
"""How many times the text outside of it a hidden element holds that is hidden until a script runs only."""
NOTICE = 10
"""Nodes below which a hidden element is a notice, whatever is there besides."""

Attributes = Mapping[str, str | None]
"""Attributes of an element; one without a value (`<div hidden>`) maps to None."""

Box = tuple[float, float, float, float]
"""x, y, width, height of an element on the rendered page, in CSS pixels."""


@dataclass(eq=False)
class Tree:
    """The page as arrays. Read it; never write to it."""

    tag: list[str] = field(repr=False)
    parent: list[int] = field(repr=False)
    end: list[int] = field(repr=False)
    text: list[str] = field(repr=False)
    attributes: Sequence[Attributes] = field(repr=False)
    box: list[Box | None] | None = field(default=None, repr=False)
    ignores_hidden: bool = field(default=False, repr=False)
    """Whether nothing counts as hidden."""

    @classmethod
    def parse(cls, html: str | bytes) -> Tree:
        """The tree a browser with JavaScript off would build. Bytes are read as UTF-8."""
        data = html if isinstance(html, bytes) else _utf8(html)
        arrays = None if may_be_deep(data) else lexbor.arrays(data, most=len(data) + 3)
        if arrays is None:
            arrays = lexbor.arrays(flatten(data), most=sys.maxsize)
            assert arrays is not None
        tag, parent, end, text, elements = arrays
        return cls(tag, parent, end, text, _LazyAttributes(elements))

    def __len__(self) -> int:
        return len(self.tag)

    def __repr__(self) -> str:
        return f"<Tree of {len(self)} nodes>"

    @once
    def depth(self) -> list[int]:
        """Level of each node; the root, `html`, is at 0."""
        return lexbor.depths(self.parent)

    @once
    def body(self) -> int:
        """The `body` element, or the root where there is none (a frameset)."""
        return lexbor.body(self.tag, self.end)

    @once
    def hidden(self) -> frozenset[int]:
        """The elements that their own attributes take off the screen: `hidden`, or a style that says so.

        Not the root, the body and an element without which next to nothing would be left of the page: pages hide those
        until a script has run, which here it never does. Nor what is only folded: a tab, an answer that a click shows.
        """
        attributes = self.attributes
        if self.ignores_hidden:
            return frozenset()
        if isinstance(attributes, _LazyAttributes):
            found = attributes.hidden()
        else:
            found = [node for node in range(self.body + 1, len(self)) if is_hidden(attributes[node])]
        body = self.body
        found = [node for node in found if node > body]
        if curtains := self._curtains(found):
            found = [node for node in found if node not in curtains]
        return frozenset(found).difference(self._folded(found)) if found else frozenset()

    def ignoring_hidden(self) -> Tree:
        """The same tree with nothing hidden: as scripts might leave it."""
        return replace(self, ignores_hidden=True)

    def _curtains(self, hidden: Sequence[int]) -> set[int]:
        """Those of the hidden elements that hold most of the body, and nearly all of its text."""
        least = max(NOTICE, (3 * (len(self) - self.body) + 3) // 4)
        large = [node for node in hidden if self.end[node] - node >= least]
        if not large:
            return set()
        silent = ("script", "style", "noscript")
        letters = [0]  # of the texts for readers, up to each node
        for tag, above, text in zip(self.tag, self.parent, self.text, strict=True):
            is_read = tag == TEXT and self.tag[above] not in silent and not text.isspace()
            letters.append(letters[-1] + (len(text) if is_read else 0))
        whole = letters[-1] - letters[self.body]
        inside = {node: letters[self.end[node]] - letters[node] for node in large}
        return {node for node, own in inside.items() if own >= CURTAIN * (whole - own)}

    def _folded(self, hidden: Sequence[int]) -> Iterator[int]:
        """Those of the hidden elements, which are in order, that a control of the page unfolds."""
        filled = [node for node in hidden if self.end[node] > node + 1]
        own = zip(filled, self.read_attributes(filled), strict=True)
        names = {node: name for node, attributes in own if (name := folds_as(attributes)) is not None}
        if not names:
            return
        unfolding: list[tuple[int, list[str]]] = []  # the controls of any of these, each with what it names
        if any(names.values()):
            wanted = set(names.values())
            nodes = sorted(chain.from_iterable(map(self.find_all, CONTROLLING)))
            for node, said in zip(nodes, self.attribute_values(CONTROLS, nodes), strict=True):
                if said and not wanted.isdisjoint(named := said.split()):
                    unfolding.append((node, named))
        if not unfolding and PANEL not in names.values():
            return
        apart = sorted(chain.from_iterable(map(self.find_all, APART)))
        controls = dict(unfolding)
        unfolded = {PANEL}.union(*(controls[node] for node in self._outside(apart, list(controls))))
        yield from self._outside(apart, [node for node, name in names.items() if name in unfolded])

    def _outside(self, apart: Sequence[int], nodes: Sequence[int]) -> Iterator[int]:
        """Those of these nodes that stand in none of the elements `apart`; both are in order."""
        at = until = 0  # the next of what is apart, and the end of those before
        for node in nodes:
            while at < len(apart) and apart[at] <= node:
                until = max(until, self.end[apart[at]])
                at += 1
            if node >= until:
                yield node

    @once
    def noscript(self) -> list[int]:
        """The `noscript` elements that stand in no other."""
        found: list[int] = []
        for node in self.find_all("noscript"):
            if not found or node >= self.end[found[-1]]:  # not inside another
                found.append(node)
        return found

    def find_all(self, tag: str) -> list[int]:
        """The elements of a tag, in order: those of a standard one are found without a look at all others."""
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.elements.places(tag)
        return lexbor.places(self.tag, tag)

    def read_attributes(self, nodes: Sequence[int]) -> Sequence[Attributes]:
        """The attributes of these elements, read at once, which is quicker than one by one."""
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.read(nodes)
        return [attributes[node] for node in nodes]

    def attribute_values(self, name: str, nodes: Sequence[int]) -> list[str | None]:
        """The values of one attribute of these elements, which is quicker than to read all their attributes."""
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.elements.values(name, nodes)
        return [attributes[node].get(name) for node in nodes]

    def meta_elements(self, but: Container[str] = frozenset()) -> list[lexbor.Remark]:
        """What the `<meta>` elements say of the page: each with the name of what it says, none of `but`, and that.

        Of several names that it bears the first; what is empty is not said.
        """
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.elements.remarks(but)
        return lexbor.remarks([(node, attributes[node]) for node in self.find_all("meta")], but)

    def json_ld_scripts(self) -> list[int]:
        """The `<script>` elements whose type is that of JSON-LD, in order."""
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.elements.linked_data()
        scripts = ((node, attributes[node].get("type")) for node in self.find_all("script"))
        return [node for node, of in scripts if of and lexbor.is_linked_data(of)]

    def rel_links(self, tag: str) -> list[lexbor.Remark]:
        """The elements of a tag whose relation may speak of the page: each with that, and its address.

        Such relations are `canonical`, `license`, `image_src` and `tag`.
        """
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.elements.related(tag)
        return lexbor.related([(node, attributes[node]) for node in self.find_all(tag)])

    def attribute_values_containing(self, part: str, name: str, nodes: Sequence[int]) -> list[tuple[int, str]]:
        """Of these elements those whose attribute `name` has this part, which is not empty; each with all of it."""
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.containing(part, name, nodes)
        read = ((node, attributes[node].get(name)) for node in nodes)
        return [(node, value) for node, value in read if value and part in value]

    def attribute_combinations(
        self, names: tuple[str, ...], nodes: array[int]
    ) -> tuple[list[tuple[str | None, ...]], array[int]]:
        """The values that several attributes of these elements have together: each combination once, in the order of
        their first elements, and of each element which combination it has."""
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.combinations(names, nodes)
        return lexbor.combined([tuple(map(attributes[node].get, names)) for node in nodes])

    def find_marked(
        self,
        tags: frozenset[str],
        words: lexbor.Vocabulary,
        tells: Callable[[str], int],
        only: list[int] | None = None,
    ) -> lexbor.Marked:
        """The elements of the body that bear a mark, in order, and what their marks tell, in one look at all of them.

        With `only`, no others than these are looked at. A mark is one of these tags; one of these words in the class
        or the id, which tells the word's number; and an attribute whose name, in lower case, `tells` a number that is
        not 0. The numbers are bits, below 128, and `lexbor.UNSURE` stands for what may be told by a class or an id, or
        by a relation, and is not sure.
        """
        attributes, start = self.attributes, self.body + 1
        if isinstance(attributes, _LazyAttributes):
            return attributes.elements.marked(start, tags, words, tells, only)
        nodes = range(start, len(self)) if only is None else only
        own = ((node, self.tag[node], attributes[node]) for node in nodes if self.tag[node] != TEXT)
        return lexbor.marked(own, tags, words, tells)

    def attribute_values_with_words(
        self, words: lexbor.Vocabulary, name: str, nodes: Sequence[int]
    ) -> list[tuple[int, str]]:
        """Of these elements those whose attribute `name` may have one of these words; each with all of it."""
        attributes = self.attributes
        if isinstance(attributes, _LazyAttributes):
            return attributes.elements.wording(words, name, nodes)
        read = ((node, attributes[node].get(name)) for node in nodes)
        return [(node, value) for node, value in read if value and lexbor.told_by(value, words.words)]

    def children(self, node: int) -> Iterator[int]:
        """The child nodes of a node, text nodes among them, in order."""
        end = self.end[node]
        child = node + 1
        while child < end:
            yield child
            child = self.end[child]

    def ancestors_of_all(self, nodes: Iterable[int]) -> list[int]:
        """The elements of the body that hold one of these nodes, in order; each is come to once."""
        return lexbor.above(self.parent, nodes, self.body)

    def ancestors(self, node: int) -> Iterator[int]:
        """The ancestors of a node, its parent first, the root last."""
        node = self.parent[node]
        while node >= 0:
            yield node
            node = self.parent[node]

    def common_ancestor(self, first: int, last: int) -> int:
        """The lowest node that holds both; `first` is not after `last`."""
        node = first
        while self.end[node] <= last:
            node = self.parent[node]
        return node


class _LazyAttributes(Sequence[Attributes]):
    """The attributes of every node, each read from the parser when it is first asked for.

    Reading them all would make the tree cost half a bare parse more, and most methods look at few of them.
    Nobody outside sees the parser's nodes: what is pickled or copied is a plain list.
    """

    __slots__ = ("_read", "elements")

    def __init__(self, elements: lexbor.Elements) -> None:
        self.elements = elements
        self._read: dict[int, Attributes] = {}

    @overload
    def __getitem__(self, index: int) -> Attributes: ...
    @overload
    def __getitem__(self, index: slice) -> list[Attributes]: ...
    def __getitem__(self, index: int | slice) -> Attributes | list[Attributes]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        found = self._read.get(index)
        if found is None:
            found = self._read[index] = self.elements.attributes(index)
        return found

    def read(self, nodes: Sequence[int]) -> Sequence[Attributes]:
        """The attributes of these elements, which are not text nodes; nothing is kept for later."""
        return self.elements.read(nodes)

    def containing(self, part: str, name: str, nodes: Sequence[int]) -> list[tuple[int, str]]:
        """What `Tree.attribute_values_containing` gives; nothing is kept for later."""
        return self.elements.containing(part, name, nodes)

    def selected(self, css: str) -> list[int]:
        """The elements that a selector chooses, in order, found without reading the attributes of all others."""
        return self.elements.selected(css)

    def combinations(
        self, names: tuple[str, ...], nodes: array[int]
    ) -> tuple[list[tuple[str | None, ...]], array[int]]:
        """The values that several attributes of these elements, which are not text nodes, have together."""
        return self.elements.combinations(names, nodes)

    def hidden(self) -> list[int]:
        """The elements that are hidden by what they say of themselves, in order."""
        return self.elements.hidden()

    def __len__(self) -> int:
        return len(self.elements)

    def __reduce__(self) -> tuple[type[list[Attributes]], tuple[list[Attributes]]]:
        return list, (self[:],)


def _utf8(html: str) -> bytes:
    try:
        return html.encode()
    except UnicodeEncodeError:  # half a surrogate pair, as broken JSON escapes leave behind
        return html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
