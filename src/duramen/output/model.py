"""Data model of the outputs: a flat list of blocks, each with its words and the containers around it.

The layout boxes of the page are gone here. Left are lines, paragraphs, headings, preformatted text, rules and tables,
and around them lists, quotes and figures. Containers nest no deeper than `MAX_CONTAINER_DEPTH`; deeper ones are
flattened into the innermost container. So the writers can walk the path of containers of every block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from duramen.output import elements

if TYPE_CHECKING:
    from duramen.structure.callouts import Callout

# Kinds of block. A line is a block without margins: text in a div, a list item, a table cell.
LINE_BLOCK: Final = 0
PARAGRAPH_BLOCK: Final = 1
HEADING_BLOCK: Final = 2
PREFORMATTED_BLOCK: Final = 3
RULE_BLOCK: Final = 4
TABLE_BLOCK: Final = 5
FORMULA_BLOCK: Final = 6
CALLOUT_BLOCK: Final = 7
"""The title of a callout, the first block in it."""

KIND_NAMES: Final = ("line", "paragraph", "heading", "preformatted", "rule", "table", "formula", "callout")
"""Name of each kind of block, as `Content.blocks` shows it."""

MAX_CONTAINER_DEPTH: Final = 16
"""Containers around a block at most; a list and its item are two. markdown-it follows 20 levels."""

_LIST_ROLES = (elements.LIST, elements.DEFINITION_LIST)
_ITEM_ROLES = (elements.ITEM, elements.TERM, elements.DEFINITION)


class InlineRun(NamedTuple):
    """Words with the same marks. With an `image_url` it is an image described by `text`. "\n" is a line break.

    A formula (mark `FORMULA`, text TeX) and the reference to a note (mark `NOTE_REFERENCE`, text its label) are runs of
    their own.
    """

    text: str
    marks: int = 0
    href: str | None = None
    image_url: str | None = None


class OutputCell(NamedTuple):
    """Table cell: the blocks in it, whether it is a header, and how many columns and rows it spans."""

    blocks: Sequence[OutputBlock]
    is_header: bool
    columns: int
    rows: int


class OutputTable(NamedTuple):
    """Data table: `rows` as in the page, `grid` with every cell at its place."""

    caption: Sequence[OutputBlock]
    rows: list[list[OutputCell]]
    grid: list[list[GridPlace]]
    header_rows: int


class GridPlace(NamedTuple):
    """Place of a table's grid: the cell there, or None, and whether the cell starts here."""

    cell: OutputCell | None
    is_start: bool = True


class Container:
    """List, list item, quote, figure and so on. The page itself is a container without role and parent."""

    __slots__ = (
        "callout",
        "depth",
        "has_content",
        "is_checked",
        "is_item",
        "is_list",
        "is_loose",
        "is_ordered",
        "label",
        "last_item",
        "node",
        "number",
        "parent",
        "role",
    )

    def __init__(self, role: int = 0, parent: Container | None = None, node: int = -1) -> None:
        self.role = role
        self.parent = parent
        self.node = node
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.is_list = role in _LIST_ROLES
        self.is_item = role in _ITEM_ROLES
        self.is_ordered = False
        self.number: int | None = None  # of an item of an ordered list
        self.is_loose = False  # a list with an item of several blocks: blank lines separate its items
        self.has_content = False
        self.last_item: Container | None = None  # of a list, so far
        self.is_checked: bool | None = None  # of an item of a task list
        self.callout: Callout | None = None  # of a quote that is a callout
        self.label = ""  # of a note

    def path(self) -> list[Container]:
        """Return the containers from the outermost to this one, without the page itself."""
        path: list[Container] = []
        container: Container | None = self
        while container is not None and container.parent is not None:
            path.append(container)
            container = container.parent
        path.reverse()
        return path

    def find_root(self) -> Container:
        """Return the container that is the page itself."""
        container = self
        while container.parent is not None:
            container = container.parent
        return container

    def find_holder(self) -> Container:
        """Return the container for a block found here: text directly in a list belongs to the item before it."""
        container = self
        while container.is_list:
            if container.last_item is not None and container.last_item.has_content:
                return container.last_item
            assert container.parent is not None
            container = container.parent
        return container

    def note_block(self) -> None:
        """Record that a block was added here. A second block in an item, unless in a sublist, makes the list loose."""
        container: Container | None = self
        in_sublist = False
        while container is not None:
            if container.has_content:
                if container.is_item and not in_sublist and container.parent is not None:
                    container.parent.is_loose = True
                return
            container.has_content = True
            in_sublist = container.is_list
            container = container.parent


class OutputBlock(NamedTuple):
    """One block. Its words are in `text` for plain text and preformatted blocks, in `runs` otherwise.

    `node` is the element that the block comes from, `level` that of a heading, `language` that of preformatted code.
    The text of a formula is TeX. A rule has no words.
    """

    kind: int
    container: Container
    node: int
    level: int = 0
    text: str = ""
    runs: Sequence[InlineRun] = ()
    table: OutputTable | None = None
    language: str = ""


def find_common_container(first: Container, second: Container) -> tuple[Container, Container | None, Container | None]:
    """Return the innermost container around both, and its child on the path to each (None: the container itself)."""
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


def are_separated(before: OutputBlock, after: OutputBlock) -> bool:
    """Return whether a blank line separates two consecutive blocks."""
    first, second = before.container, after.container
    if first is second:
        return not (before.kind == LINE_BLOCK and after.kind == LINE_BLOCK)
    common, below_first, below_second = find_common_container(first, second)
    if common.is_list:
        return common.is_loose
    if common.is_item and below_first is None and below_second is not None and below_second.is_list:
        return common.parent is not None and common.parent.is_loose
    return True
