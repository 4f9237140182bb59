"""A page as parallel arrays in document order.

Node `i` is an element or a text node, and everything known of it stands at index `i` of each array. The subtree of
a node is the range `range(i, end[i])`, so "the text below", "is an ancestor of" and "skip this subtree" are integer
arithmetic, no walk needs recursion, and statistics over all subtrees are one pass. Comments, doctypes and the inert
contents of `<template>` are not part of the tree.

`Tree.parse` fills the arrays in one pass over Lexbor with an explicit stack; see `benchmarks/speed.py`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast, overload

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from duramen.nesting import flatten, may_be_deep

TEXT = "#text"
"""The tag of a text node."""

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements without a closing tag."""

Attributes = Mapping[str, str | None]
"""Attributes of an element; one without a value (`<div hidden>`) maps to None."""

Box = tuple[float, float, float, float]
"""x, y, width, height of an element on the rendered page, in CSS pixels."""

_TEXT_ID = 2  # Lexbor's tag id of a text node
_NO_ATTRIBUTES: Attributes = {}
_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)  # nobody listens to mutations here; 8 % of the parse saved

# Lexbor numbers the standard tags the same way in every document; ids past this are pointers, good for one document.
_STANDARD_IDS = 256
_NAMES: dict[int, str] = {}


@dataclass(eq=False)
class Tree:
    """The page as arrays. Read it; never write to it."""

    tag: list[str] = field(repr=False)
    parent: list[int] = field(repr=False)
    end: list[int] = field(repr=False)
    text: list[str] = field(repr=False)
    attributes: Sequence[Attributes] = field(repr=False)
    box: list[Box | None] | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, html: str | bytes) -> Tree:
        """The tree a browser with JavaScript off would build. Bytes are read as UTF-8."""
        data = html if isinstance(html, bytes) else _utf8(html)
        arrays = None if may_be_deep(data) else _arrays(data, most=len(data) + 3)
        if arrays is None:
            arrays = _arrays(flatten(data), most=sys.maxsize)
            assert arrays is not None
        return cls(*arrays)

    def __len__(self) -> int:
        return len(self.tag)

    def __repr__(self) -> str:
        return f"<Tree of {len(self)} nodes>"

    @cached_property
    def depth(self) -> list[int]:
        """Level of each node; the root, `html`, is at 0."""
        depth: list[int] = []
        for parent in self.parent:
            depth.append(depth[parent] + 1 if parent >= 0 else 0)
        return depth

    @cached_property
    def body(self) -> int:
        """The `body` element, or the root where there is none (a frameset)."""
        node = 1
        while node < len(self):
            if self.tag[node] == "body":
                return node
            node = self.end[node]
        return 0

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The elements that their own attributes take off the screen: `hidden`, or a style that says so.

        Not the root and the body: pages hide those until a script has run, which here it never does.
        """
        nodes = _having(self.attributes, "hidden", "style")
        return frozenset(node for node in nodes if node > self.body and is_hidden(self.attributes[node]))

    def children(self, node: int) -> Iterator[int]:
        """The child nodes of a node, text nodes among them, in order."""
        end = self.end[node]
        child = node + 1
        while child < end:
            yield child
            child = self.end[child]

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


# What React's server sends late stands at the end of the page in <div hidden id="S:1">; a script moves it into place.
_STREAMED = re.compile(r"S:[0-9a-f]+")
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def is_hidden(attributes: Attributes) -> bool:
    """Whether an element's own attributes take it off the screen."""
    if "hidden" in attributes:
        return attributes["hidden"] != "until-found" and not _STREAMED.fullmatch(attributes.get("id") or "")
    style = attributes.get("style")
    return style is not None and _HIDING_STYLE.search(style) is not None


def _having(attributes: Sequence[Attributes], *names: str) -> list[int]:
    """The elements that have one of these attributes."""
    if isinstance(attributes, _LazyAttributes):
        return attributes.having(*names)
    return [node for node, found in enumerate(attributes) if any(name in found for name in names)]


class _LazyAttributes(Sequence[Attributes]):
    """The attributes of every node, each read from the parser when it is first asked for.

    Reading them all would make the tree cost half a bare parse more, and most methods look at few of them.
    Nobody outside sees the parser's nodes: what is pickled or copied is a plain list.
    """

    __slots__ = ("_nodes", "_read")

    def __init__(self, nodes: list[LexborNode | None]) -> None:
        self._nodes = nodes
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
            node = self._nodes[index]
            found = self._read[index] = _NO_ATTRIBUTES if node is None else node.attributes or _NO_ATTRIBUTES
        return found

    def having(self, *names: str) -> list[int]:
        """The elements that have one of these attributes, found without reading the attributes of all others."""
        root = self._nodes[0]
        assert root is not None
        wanted = {node.mem_id for node in root.css(",".join(f"[{name}]" for name in names))}
        return [i for i, node in enumerate(self._nodes) if node is not None and node.mem_id in wanted] if wanted else []

    def __len__(self) -> int:
        return len(self._nodes)

    def __reduce__(self) -> tuple[type[list[Attributes]], tuple[list[Attributes]]]:
        return list, (self[:],)


_Arrays = tuple[list[str], list[int], list[int], list[str], _LazyAttributes]


def _utf8(html: str) -> bytes:
    try:
        return html.encode()
    except UnicodeEncodeError:  # half a surrogate pair, as broken JSON escapes leave behind
        return html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _arrays(html: bytes, most: int) -> _Arrays | None:
    """Walk Lexbor's tree once: the hot loop of the whole library, so it is written for the interpreter.

    `list.append` written out is faster than a bound method kept in a name, two nested loops are faster than one with
    a flag, and the next sibling goes on the stack when its elder is entered, so that no node is visited twice.
    None when there are more than `most` nodes: with more nodes than bytes, the page is made to multiply (`nesting`).
    """
    tags: list[str] = []
    parents: list[int] = []
    ends: list[int] = []
    texts: list[str | None] = []
    elements: list[LexborNode | None] = []
    names = _NAMES
    siblings = []
    parent = -1
    count = 0
    # `root` is None only for a fragment; a document always has its html element.
    node = LexborHTMLParser(html, options=_WITHOUT_EVENTS).root
    while True:
        while node is not None:
            tag_id = node.tag_id
            if tag_id == _TEXT_ID:
                tags.append(TEXT)
                elements.append(None)
                texts.append(node.text_content)
                parents.append(parent)
                count += 1
                ends.append(count)
                node = node.next
                continue
            try:
                tags.append(names[tag_id])
            except KeyError:
                name = node.tag
                if name is None or name.startswith("-"):  # a comment, a doctype, a processing instruction
                    node = node.next
                    continue
                tags.append(name)
                if tag_id < _STANDARD_IDS:
                    names[tag_id] = name
            elements.append(node)
            texts.append("")
            parents.append(parent)
            count += 1
            ends.append(count)
            child = node.first_child
            if child is None:
                node = node.next
            else:
                siblings.append(node.next)
                parent = count - 1
                node = child
        if not siblings:
            # `text_content` is None for what is no text node, and was asked of text nodes alone.
            return tags, parents, ends, cast(list[str], texts), _LazyAttributes(elements)
        if count > most:
            return None
        ends[parent] = count
        node = siblings.pop()
        parent = parents[parent]
