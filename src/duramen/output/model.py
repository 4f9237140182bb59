"""What the writers write: a flat list of blocks, each with its words and the containers around it.

A page's boxes in boxes are gone at this point. What is left is what a reader sees: lines, paragraphs, headings,
verbatim text, rules and tables, and around them lists, quotes and figures. Containers nest no deeper than `DEEPEST`;
what a page nests further is laid out flat in the innermost one. So every writer may walk a path of containers, and
its output nests no deeper than a Markdown renderer follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from duramen.output import elements

# Kinds of block. A line is a block without margins of its own: text in a div, a list item, a cell.
LINE: Final = 0
PARAGRAPH: Final = 1
HEADING: Final = 2
VERBATIM: Final = 3
RULE: Final = 4
TABLE: Final = 5

DEEPEST: Final = 16
"""Containers around a block at the most, a list and its item being two. markdown-it follows 20 levels."""

_LISTS = (elements.LIST, elements.GLOSSARY)
_ITEMS = (elements.ITEM, elements.TERM, elements.DEFINITION)


class Run(NamedTuple):
    """Words that bear the same marks; `source` makes it an image and `text` its description. "\n" is a line break."""

    text: str
    marks: int = 0
    href: str | None = None
    source: str | None = None


class Cell(NamedTuple):
    """A cell of a table: a line of words, then the items of lists, each a block; all may be missing."""

    words: Block | None
    items: Sequence[Block]
    header: bool
    columns: int
    rows: int

    def blocks(self) -> Iterator[tuple[str, Block]]:
        """Its blocks, each after what separates it from the one before where all must stand in one line."""
        separator = ""
        if self.words is not None:
            yield separator, self.words
            separator = " "
        for item in self.items:
            yield separator, item
            separator = "; "


class Table(NamedTuple):
    """A table of data: `rows` as in the page, `grid` with None where a cell of an earlier row or column spans."""

    caption: Block | None
    rows: list[list[Cell]]
    grid: list[list[Cell | None]]


class Container:
    """A list, an item of it, a quote, a figure and their like; the outermost has no role and no parent."""

    def __init__(self, role: int = 0, parent: Container | None = None, node: int = -1) -> None:
        self.role = role
        self.parent = parent
        self.node = node
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.is_list = role in _LISTS
        self.is_item = role in _ITEMS
        self.number: int | None = None
        """The number of an item of an ordered list."""
        self.ordered = False
        self.loose = False
        """Has the list an item of more than one block? Then items stand apart by a blank line."""
        self.filled = False
        self.last: Container | None = None
        """The latest item of a list."""

    def path(self) -> list[Container]:
        """The containers from the outermost inwards, this one included, the page itself left out."""
        path: list[Container] = []
        container: Container | None = self
        while container is not None and container.parent is not None:
            path.append(container)
            container = container.parent
        path.reverse()
        return path

    def outermost(self) -> Container:
        """The page itself."""
        container = self
        while container.parent is not None:
            container = container.parent
        return container

    def home(self) -> Container:
        """Where a block goes that stands here: text right in a list belongs to the item before it."""
        container = self
        while container.is_list:
            if container.last is not None and container.last.filled:
                return container.last
            assert container.parent is not None
            container = container.parent
        return container

    def fill(self) -> None:
        """Note that a block has landed here; a second one in an item makes its list loose, but for lists in it."""
        container: Container | None = self
        lands_list = False
        while container is not None:
            if container.filled:
                if container.is_item and not lands_list and container.parent is not None:
                    container.parent.loose = True
                return
            container.filled = True
            lands_list = container.is_list
            container = container.parent


def contained(role: int, parent: Container | None, node: int) -> Container:
    """A new container: of the twin of the class where there is one, and so are all around it."""
    return Container(role, parent, node)


class Block(NamedTuple):
    """One leaf. Its words are `text` where plain text is written and in verbatim blocks, `runs` elsewhere.

    `node` is the element that the block comes from, `level` that of a heading. A rule has no words.
    """

    kind: int
    container: Container
    node: int
    level: int = 0
    text: str = ""
    runs: Sequence[Run] = ()
    table: Table | None = None


def divergence(first: Container, second: Container) -> tuple[Container, Container | None, Container | None]:
    """The innermost container that holds both, and the child of it on the way to each (None: the very same)."""
    below_first: Container | None = None
    below_second: Container | None = None
    while first is not second:
        if first.depth >= second.depth:
            below_first = first
            assert first.parent is not None
            first = first.parent
        else:
            below_second = second
            assert second.parent is not None
            second = second.parent
    return first, below_first, below_second


def stand_apart(before: Block, after: Block) -> bool:
    """Is there a blank line between two blocks that follow each other?"""
    first, second = before.container, after.container
    if first is second:
        return not (before.kind == LINE and after.kind == LINE)
    if first.is_item and first.parent is second.parent and first.parent is not None:  # the most common case of the next
        return first.parent.loose
    common, way_before, way_after = divergence(first, second)
    if common.is_list:
        return common.loose
    if common.is_item and way_before is None and way_after is not None and way_after.is_list:
        return common.parent is not None and common.parent.loose
    return True
