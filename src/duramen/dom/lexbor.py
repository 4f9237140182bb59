"""One pass over Lexbor's tree that fills the arrays of a `Tree`: the hot loop of the whole library.

It is written for the interpreter: `list.append` written out is faster than a bound method kept in a name, two nested
loops are faster than one with a flag, and the next sibling goes on the stack when its elder is entered, so that no node
is visited twice. Where that can be, `walk.pyx` stands for it: it asks Lexbor itself, and makes no Python object of a
node (`duramen.compiled`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from sys import intern
from typing import cast

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from duramen.dom.hiding import is_hidden

TEXT = intern("#text")
"""The tag of a text node: one object, as the tables of tags have it."""

CONTENT = "content"
NAMES = ("property", "name", "itemprop", "http-equiv")
"""The attributes that name what a `<meta>` says, the first that is there; and that which says it."""

_TEXT_ID = 2  # Lexbor's tag id of a text node
_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)  # nobody listens to mutations here; 8 % of the parse saved

# Lexbor numbers the standard tags the same way in every document; ids past these are pointers, good for one document.
_STANDARD_IDS = 256
_NAMES: list[str | None] = [None] * _STANDARD_IDS

# All that hides an element and some more: the parser is quick at telling apart what need not be asked.
_MAYBE_HIDDEN = '[hidden],[style*="display"i][style*="none"i],[style*="visibility"i][style*="hidden"i]'


Combinations = tuple[list[tuple[str | None, ...]], "array[int]"]
"""Combinations of values, each once, and which of them each element has."""


def combined(values: Sequence[tuple[str | None, ...]]) -> Combinations:
    """Each combination once, in the order in which they come, and which of them stands at each place."""
    known: dict[tuple[str | None, ...], int] = {}
    which = array("q", [known.setdefault(one, len(known)) for one in values])
    return list(known), which


Remark = tuple[int, str, str]
"""What an element says of the page: its node, the name of what it says, and that."""


def remarks(metas: Iterable[tuple[int, Mapping[str, str | None]]], but: Container[str]) -> list[Remark]:
    """What `<meta>` elements, each with its attributes, say of the page (`Tree.meta_elements`)."""
    told = ((node, next(filter(None, map(own.get, NAMES)), None), own.get(CONTENT)) for node, own in metas)
    return [(node, name, value) for node, name, value in told if name and name not in but and value]


RELATIONS = {"canonical": 1, "license": 1, "src": 1, "tag": 1}
"""Words of the relations that speak of the page: `canonical`, `license`, `image_src`, `tag`. Most are for browsers."""


def related(links: Iterable[tuple[int, Mapping[str, str | None]]]) -> list[Remark]:
    """The links among these, each with its attributes, whose relation may speak of the page (`Tree.rel_links`)."""
    told = ((node, own.get(RELATED), own.get("href")) for node, own in links)
    return [(node, rel, href) for node, rel, href in told if rel and href and told_by(rel, RELATIONS)]


def is_linked_data(of: str) -> bool:
    """Whether a type is that of JSON-LD, in whatever case."""
    return _LINKED.search(of) is not None


RELATED = "rel"
NAMING = ("class", "id", RELATED)
"""The attributes that say what an element is called, and what it is to the page."""
UNSURE = 128
"""What is told of words that only Python's own ways with letters and lengths tell."""
LONGEST_NAME = 300
"""Characters of a class and an id, and the space between them, that are looked at."""

Marked = tuple[list[int], list[int]]
"""Nodes, and what the marks of each tell."""

_LINKED = re.compile(r"ld\+json", re.IGNORECASE | re.ASCII)
_words = re.compile("[a-z0-9]+")
_capitals = re.compile("(?<=[a-z])(?=[A-Z])")
_whole_words = re.compile("[A-Za-z0-9]+")
_quoted = re.compile(r"""["']([A-Za-z_]{1,31})(?=["'\\])""")


class Names:
    """Some names, all of ASCII, among which others are looked for: as they stand in the page, where compiled.

    `usual` are others that pages often have: where compiled, they need not be made of what stands there.
    """

    def __init__(self, names: frozenset[str], usual: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.usual = usual

    def __contains__(self, name: object) -> bool:
        return name in self.names


class Vocabulary:
    """Words in lower case that are looked for, each with what it tells: a number, its bits below `UNSURE`."""

    def __init__(self, words: dict[str, int]) -> None:
        self.words = words


def told_by(value: str, words: Mapping[str, int]) -> int:
    """What those of these words tell together that stand in a value: in lower case, and parted before capitals.

    `UNSURE` of a value that is not of ASCII alone, and of a word that stands there whatever the capitals in it.
    """
    if not value.isascii():
        return UNSURE
    told = 0
    for word in _words.findall(_capitals.sub(" ", value).lower()):
        told |= words.get(word, 0)
    if _capitals.search(value):
        for whole in _whole_words.findall(value):
            told |= UNSURE if whole.lower() in words and _capitals.search(whole) else 0
    return told


def marked(
    elements: Iterable[tuple[int, str, Mapping[str, str | None]]],
    tags: frozenset[str],
    vocabulary: Vocabulary,
    tells: Callable[[str], int],
) -> Marked:
    """Of elements, each with its tag and its attributes, those that bear a mark (`Tree.find_marked`)."""
    words = vocabulary.words
    known: dict[str, int] = {}  # of the names of attributes
    said: dict[str | None, int] = {None: 0}  # of values: the elements of a page are called the same again and again
    nodes, marks = [], []
    for node, tag, own in elements:
        mark = named = 0
        for name in own:
            if name not in known:
                known[name] = tells(name.lower())
            mark |= known[name]
        for name in NAMING:
            value = own.get(name)
            if value is not None and value not in said:
                said[value] = told_by(value, words)
            if name == RELATED:
                mark |= UNSURE if said[value] else 0
            else:
                named |= said[value]
        if named and len(own.get(NAMING[0]) or "") + len(own.get(NAMING[1]) or "") + 1 > LONGEST_NAME:
            named = UNSURE
        if mark or named or tag in tags:
            nodes.append(node)
            marks.append(mark | named)
    return nodes, marks


class Elements:
    """The parser's own elements, by the numbers of their nodes: where attributes are read when somebody asks."""

    __slots__ = ("_nodes", "_tags")

    def __init__(self, nodes: list[LexborNode | None], tags: list[str]) -> None:
        self._nodes = nodes
        self._tags = tags

    def __len__(self) -> int:
        return len(self._nodes)

    def attributes(self, node: int) -> dict[str, str | None]:
        """All attributes of an element; a text node has none."""
        element = self._nodes[node]
        return {} if element is None else element.attributes

    def read(self, nodes: Sequence[int]) -> list[dict[str, str | None]]:
        """All attributes of each of these elements, which are not text nodes."""
        known = self._nodes
        return [known[node].attributes for node in nodes]  # type: ignore[union-attr]

    def values(self, name: str, nodes: Sequence[int]) -> list[str | None]:
        """The value of one attribute, its name in lower case, of each of these elements, which are not text nodes."""
        known = self._nodes
        return [known[node].attrs.get(name) for node in nodes]  # type: ignore[union-attr]

    def containing(self, part: str, name: str, nodes: Sequence[int]) -> list[tuple[int, str]]:
        """Of these elements, which are not text nodes, those whose attribute `name` has this part; each with all of it.

        The name is in lower case, and the part is not empty.
        """
        values = zip(nodes, self.values(name, nodes), strict=True)
        return [(node, value) for node, value in values if value and part in value]

    def selected(self, css: str) -> list[int]:
        """The elements that a selector chooses, in order: quicker than to read the attributes of all."""
        root = self._nodes[0]
        assert root is not None
        chosen = {element.mem_id for element in root.css(css)}
        if not chosen:
            return []
        return [node for node, element in enumerate(self._nodes) if element is not None and element.mem_id in chosen]

    def combinations(self, names: tuple[str, ...], nodes: array[int]) -> Combinations:
        """The values that several attributes of these elements, which are not text nodes, have together."""
        known = self._nodes
        return combined([tuple(map(known[node].attrs.get, names)) for node in nodes])  # type: ignore[union-attr]

    def marked(
        self,
        start: int,
        tags: frozenset[str],
        words: Vocabulary,
        tells: Callable[[str], int],
        only: list[int] | None = None,
    ) -> Marked:
        """The elements from `start` on, or `only` some, that bear a mark (`Tree.find_marked`).

        What a name in lower case tells is asked once, or a few times, and must be the same.
        """
        nodes = range(max(start, 0), len(self)) if only is None else only
        own = [(node, element) for node in nodes if (element := self._nodes[node]) is not None]
        return marked(((node, self._tags[node], element.attributes) for node, element in own), tags, words, tells)

    def wording(self, words: Vocabulary, name: str, nodes: Sequence[int]) -> list[tuple[int, str]]:
        """Of these elements, which are not text nodes, those whose attribute `name` may have one of these words.

        Each with all of it. The name is in lower case.
        """
        values = zip(nodes, self.values(name, nodes), strict=True)
        return [(node, value) for node, value in values if value and told_by(value, words.words)]

    def places(self, tag: str) -> list[int]:
        """The elements of a tag, in order."""
        return places(self._tags, tag)

    def remarks(self, but: Container[str] = frozenset()) -> list[Remark]:
        """What the `<meta>` elements say of the page (`Tree.meta_elements`)."""
        nodes = self.places("meta")
        return remarks(zip(nodes, self.read(nodes), strict=True), but)

    def related(self, tag: str) -> list[Remark]:
        """The elements of a tag whose relation may speak of the page (`Tree.rel_links`)."""
        nodes = self.places(tag)
        return related(zip(nodes, self.read(nodes), strict=True))

    def linked_data(self) -> list[int]:
        """The `<script>` elements whose type is that of JSON-LD, in order."""
        nodes = self.places("script")
        return [node for node, of in zip(nodes, self.values("type", nodes), strict=True) if of and is_linked_data(of)]

    def hidden(self) -> list[int]:
        """The elements that their own attributes hide, in order."""
        maybe = self.selected(_MAYBE_HIDDEN)
        return [node for node, own in zip(maybe, self.read(maybe), strict=True) if is_hidden(own)]


Arrays = tuple[list[str], list[int], list[int], list[str], Elements]
"""Of each node: its tag, its parent, the end of its subtree, its text; and the elements."""


def arrays(html: bytes, most: int) -> Arrays | None:
    """The arrays of a page; None when there are more than `most` nodes.

    With more nodes than bytes, the page is made to multiply (`nesting`).
    """
    # `root` is None only for a fragment; a document always has its html element.
    return _arrays(LexborHTMLParser(html, options=_WITHOUT_EVENTS).root, most)


def count(html: bytes, byte: int) -> int:
    """How often a byte occurs: `bytes.count` is made for what is rare."""
    return html.count(byte)


def places(tags: list[str], tag: str) -> list[int]:
    """Where a tag stands in a list of them."""
    found = []
    place = -1
    for _ in range(tags.count(tag)):  # which `list` looks for more quickly than a loop does
        place = tags.index(tag, place + 1)
        found.append(place)
    return found


def places_of(tags: list[str], wanted: Sequence[str]) -> dict[str, list[int]]:
    """Where each of several tags stands in a list of them: one look for all."""
    found: dict[str, list[int]] = {tag: [] for tag in wanted}
    for place, tag in enumerate(tags):
        if tag in found:
            found[tag].append(place)
    return found


def quoted(text: str, names: Vocabulary) -> list[int]:
    """Where a quotation mark stands before one of these names, in whatever case, and another mark or `\\` after it."""
    return [match.start() for match in _quoted.finditer(text) if match[1].lower() in names.words]


def body(tags: list[str], ends: list[int]) -> int:
    """The first child of the root that is a `body`; the root where none is."""
    node = 1
    while node < len(tags):
        if tags[node] == "body":
            return node
        node = ends[node]
    return 0


def above(parents: list[int], nodes: Iterable[int], top: int) -> list[int]:
    """What holds one of these nodes and comes after `top`, which holds them all, in order; each is come to once."""
    found: set[int] = set()
    for node in nodes:
        holder = parents[node]
        while holder > top and holder not in found:
            found.add(holder)
            holder = parents[holder]
    return sorted(found)


def longer(texts: list[str], least: int) -> list[int]:
    """Where texts stand that are longer than so many characters."""
    return [place for place, text in enumerate(texts) if len(text) > least]


def is_utf8(html: bytes) -> bool:
    """Whether these bytes are UTF-8 from beginning to end."""
    try:
        html.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def depths(parents: list[int]) -> list[int]:
    """The level of each node, of which the parents are given; the root is at 0."""
    found: list[int] = []
    for parent in parents:
        found.append(found[parent] + 1 if parent >= 0 else 0)
    return found


def _arrays(node: LexborNode | None, most: int) -> Arrays | None:
    tags: list[str] = []
    parents: list[int] = []
    ends: list[int] = []
    texts: list[str | None] = []
    elements: list[LexborNode | None] = []
    names = _NAMES
    siblings = []
    parent = -1
    count = 0
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
                if tag_id < _STANDARD_IDS:
                    names[tag_id] = name
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
            # `text_content` is None for what is no text node, and was asked of text nodes alone.
            return tags, parents, ends, cast(list[str], texts), Elements(elements, tags)
        if count > most:
            return None
        ends[parent] = count
        node = siblings.pop()
        parent = parents[parent]
