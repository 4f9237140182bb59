"""Read the tree of the Lexbor parser into arrays, and the attributes of its elements.

This module reads it with the Python objects of selectolax. Where the extension `_lexbor` was built, its functions and
classes replace those of the same names here: they call Lexbor's own functions and make no Python object of a node.
`tests/test_compiled.py` checks that both give the same results.
"""

from __future__ import annotations

import re
import warnings
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import intern
from typing import TYPE_CHECKING, cast, overload

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from duramen.dom.tag_scanner import scan_attributes as scan_attributes

TEXT = intern("#text")
"""The tag of a text node. Tags are interned, so that comparing them costs little."""

Attributes = Mapping[str, str | None]
"""Attributes of an element; one without a value (`<div hidden>`) maps to None."""

Combinations = tuple[list[tuple[str | None, ...]], "array[int]"]
"""Combinations of attribute values, each once, and for each element the index of its combination."""

Marked = tuple[list[int], list[int]]
"""Nodes, and the flags of each node."""

UNSURE = 128
"""Flag: the words of an attribute may have a flag; the attribute must be read to decide which."""

MAX_NAME_CHARS = 300
"""Characters of class and id together that are read; a longer name is `UNSURE`."""

_WORD = re.compile("[a-z0-9]+")
_WORD_OF_ANY_CASE = re.compile("[A-Za-z0-9]+")
CAMEL_CASE_BORDER = re.compile("(?<=[a-z])(?=[A-Z])")
"""Matches between the words of `postMeta`."""
_QUOTED = re.compile(r"""["']([A-Za-z_]{1,31})(?=["'\\])""")


class WordFlags:
    """A table of words in lower case, each with flags: a number whose bits are all below `UNSURE`."""

    def __init__(self, words: dict[str, int]) -> None:
        self.words = words

    def find(self, value: str) -> int:
        """Return the flags of all words of the table that are in a value, such as a class attribute.

        Words end before a capital, too: `postAuthor` has the words post and author. The flags are `UNSURE` if the value
        is not ASCII, and have `UNSURE` if a word of the table appears there only when capitals are ignored.
        """
        if not value.isascii():
            return UNSURE
        flags = 0
        for word in _WORD.findall(CAMEL_CASE_BORDER.sub(" ", value).lower()):
            flags |= self.words.get(word, 0)
        if CAMEL_CASE_BORDER.search(value):
            for word in _WORD_OF_ANY_CASE.findall(value):
                flags |= UNSURE if word.lower() in self.words and CAMEL_CASE_BORDER.search(word) else 0
        return flags


def find_quoted(text: str, names: WordFlags) -> list[int]:
    """Return where these names, in any case, follow a quotation mark and precede another one or a backslash."""
    return [match.start() for match in _QUOTED.finditer(text) if match[1].lower() in names.words]


class Elements(Sequence[Attributes]):
    """The attributes of all nodes by node number, with queries for many nodes at once. Text nodes have none.

    This class has them in a list. `ParsedElements`, and the class of the extension, read them from the parser.
    """

    def __init__(self, attributes: Sequence[Attributes]) -> None:
        self._attributes = attributes

    def __len__(self) -> int:
        return len(self._attributes)

    @overload
    def __getitem__(self, index: int) -> Attributes: ...
    @overload
    def __getitem__(self, index: slice) -> list[Attributes]: ...
    def __getitem__(self, index: int | slice) -> Attributes | list[Attributes]:
        if isinstance(index, slice):
            return list(self._attributes[index])
        return self._attributes[index]

    def __reduce__(self) -> tuple[type[list[Attributes]], tuple[list[Attributes]]]:
        # Nodes of the parser cannot be pickled or copied: a plain list is, and `Tree` makes `Elements` of it.
        return list, (self[:],)

    def values(self, name: str, nodes: Iterable[int]) -> list[str | None]:
        """Return the value of one attribute, its name in lower case, of each of these nodes."""
        return [self[node].get(name) for node in nodes]

    def combinations(self, names: tuple[str, ...], nodes: Sequence[int]) -> Combinations:
        """Return the combinations of values that these attributes of the nodes have, in order of appearance."""
        indexes: dict[tuple[str | None, ...], int] = {}
        rows = zip(*(self.values(name, nodes) for name in names), strict=True)
        which = array("q", [indexes.setdefault(row, len(indexes)) for row in rows])
        return list(indexes), which

    def may_be_hidden(self) -> Iterable[int]:
        """Return the nodes, in order, whose attributes must be read to find all hidden elements."""
        return range(len(self))

    def find_marked(
        self,
        tags: list[str],
        nodes: Iterable[int],
        marking_tags: frozenset[str],
        words: WordFlags,
        flags_of_name: Callable[[str], int],
    ) -> Marked:
        """Return those of the nodes that have a mark, with their flags (`Tree.find_marked`)."""
        flags_of_names: dict[str, int] = {}
        flags_of_values: dict[str | None, int] = {None: 0}  # elements have the same classes again and again
        marked, marks = [], []
        for node in nodes:
            if tags[node] == TEXT:
                continue
            attributes = self[node]
            flags = named = 0
            for name in attributes:
                if name not in flags_of_names:
                    flags_of_names[name] = flags_of_name(name.lower())
                flags |= flags_of_names[name]
            for name in ("class", "id", "rel"):
                value = attributes.get(name)
                if value not in flags_of_values:
                    flags_of_values[value] = words.find(str(value))
                if name != "rel":
                    named |= flags_of_values[value]
                elif flags_of_values[value]:
                    flags |= UNSURE
            if named and len(attributes.get("class") or "") + len(attributes.get("id") or "") + 1 > MAX_NAME_CHARS:
                named = UNSURE
            if flags or named or tags[node] in marking_tags:
                marked.append(node)
                marks.append(flags | named)
        return marked, marks


# Selects all elements that may be hidden. A selector of the parser is faster than reading the attributes of all.
_MAY_BE_HIDDEN = '[hidden],[style*="none"i],[style*="hidden"i]'


class ParsedElements(Elements):
    """The attributes of all nodes of a parsed page, each read from the parser on first use."""

    def __init__(self, parser: LexborHTMLParser, nodes: list[LexborNode | None]) -> None:
        self._parser = parser
        self._nodes = nodes
        self.cached: dict[int, Attributes] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, index: int) -> Attributes: ...
    @overload
    def __getitem__(self, index: slice) -> list[Attributes]: ...
    def __getitem__(self, index: int | slice) -> Attributes | list[Attributes]:
        if isinstance(index, slice):
            return [self[node] for node in range(*index.indices(len(self)))]
        attributes = self.cached.get(index)
        if attributes is None:
            element = self._nodes[index]
            attributes = self.cached[index] = {} if element is None else element.attributes
        return attributes

    def values(self, name: str, nodes: Iterable[int]) -> list[str | None]:
        elements = self._nodes
        return [None if (element := elements[node]) is None else element.attrs.get(name) for node in nodes]

    def may_be_hidden(self) -> list[int]:
        return self.selected(_MAY_BE_HIDDEN)

    def selected(self, css: str) -> list[int]:
        """Return the elements that a CSS selector selects, in document order."""
        addresses = {element.mem_id for element in self._parser.css(css)}
        if not addresses:
            return []
        return [node for node, element in enumerate(self._nodes) if element is not None and element.mem_id in addresses]


_TEXT_ID = 2  # Lexbor's tag id of a text node
_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)  # without mutation events the parse costs 8 % less

# Lexbor has the same ids for the standard tags in every document. Larger ids are addresses, valid in one document.
_STANDARD_IDS = 256
_TAG_NAMES: list[str | None] = [None] * _STANDARD_IDS
# The HTML standard writes these with capitals inside <svg>: their ids have two names (13.2.6.5, "any other start tag").
_NAMES_OF_SVG = frozenset(
    "altglyph altglyphdef altglyphitem animatecolor animatemotion animatetransform clippath feblend fecolormatrix"
    " fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow"
    " feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset"
    " fepointlight fespecularlighting fespotlight fetile feturbulence foreignobject glyphref lineargradient"
    " radialgradient textpath".split()
)

Arrays = tuple[list[str], list[int], list[int], list[str], Elements]
"""For each node: its tag, its parent, the end of its subtree, its text; and the elements."""


def read_tree(html: bytes, max_nodes: int) -> Arrays | None:
    """Parse a page and return its arrays; None if it has more nodes than `max_nodes`."""
    parser = LexborHTMLParser(html, options=_WITHOUT_EVENTS)
    tags: list[str] = []
    parents: list[int] = []
    ends: list[int] = []
    texts: list[str | None] = []
    elements: list[LexborNode | None] = []
    names = _TAG_NAMES
    siblings = []
    parent = -1
    count = 0
    # The loop is written for the interpreter: two nested loops are faster than one with a flag, and the next sibling of
    # an element goes on the stack before its children are read, so that no node is visited twice.
    node = parser.root  # None only for a fragment: a document always has its html element
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
            name = names[tag_id] if tag_id < _STANDARD_IDS else None
            if name is None:
                name = node.tag
                if name is None or name.startswith("-"):  # a comment, a doctype, a processing instruction
                    node = node.next
                    continue
                if tag_id < _STANDARD_IDS and name.lower() not in _NAMES_OF_SVG:
                    name = names[tag_id] = intern(name)
            tags.append(name)
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
            # `text_content` is None for elements only, and is read of text nodes only.
            return tags, parents, ends, cast(list[str], texts), ParsedElements(parser, elements)
        if count > max_nodes:
            return None
        ends[parent] = count
        node = siblings.pop()
        parent = parents[parent]


def count_byte(data: bytes, byte: int) -> int:
    """Return how often a byte occurs. `bytes.count` is slow where it occurs often."""
    return data.count(byte)


def find_tags(tags: list[str]) -> dict[str, list[int]]:
    """Return the elements of each tag, in order."""
    nodes: dict[str, list[int]] = {}
    for node, tag in enumerate(tags):
        if tag != TEXT:
            nodes.setdefault(tag, []).append(node)
    return nodes


def find_texts(tags: list[str], texts: list[str]) -> list[int]:
    """Return the text nodes that are not blank, in order."""
    return [node for node, tag in enumerate(tags) if tag == TEXT and not texts[node].isspace()]


def find_depths(parents: list[int]) -> list[int]:
    """Return the level of each node; the root is at 0."""
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths


if not TYPE_CHECKING:
    try:
        from duramen.dom._lexbor import (  # noqa: F401
            WordFlags,
            count_byte,
            find_depths,
            find_quoted,
            find_tags,
            find_texts,
            read_tree,
            scan_attributes,
        )
    except ImportError as error:
        from multiprocessing import parent_process

        if parent_process() is None:  # worker processes do not repeat it
            was_not_built = isinstance(error, ModuleNotFoundError)
            reason = "it was installed without a C compiler" if was_not_built else str(error)
            remedy = "install it again with one" if was_not_built else "another release of selectolax may help"
            warnings.warn(
                f"duramen reads pages with slower Python code, because {reason}; {remedy}", RuntimeWarning, stacklevel=2
            )
