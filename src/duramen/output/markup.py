"""Read the markup around kept nodes: roles of tags, enclosing elements, list numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from duramen.dom.tag_sets import BLOCK_TAGS, INVISIBLE_TAGS
from duramen.dom.tree import Tree
from duramen.dom.visibility import find_invisible_tags
from duramen.output import elements
from duramen.output.elements import BLOCK, IMAGE, IMAGE_TAGS, LINK, RICH_ROLES, ROLES
from duramen.output.model import Container
from duramen.output.options import OutputOptions

_ENCLOSING_ROLES: Final = frozenset(
    (
        elements.ITEM,
        elements.QUOTE,
        elements.TERM,
        elements.DEFINITION,
        elements.TABLE_CAPTION,
        elements.FIGURE_CAPTION,
    )
)
_PARENTS_OF_ITEMS: Final = frozenset(("ul", "ol", "menu", "dir", "dl", "figure"))
_NOT_INLINE: Final = BLOCK_TAGS - {"p"}
_TABLE_PARTS: Final = frozenset(("tr", "tbody", "thead", "tfoot"))

_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,9})(?![0-9])")


def find_roles(tree: Tree, options: OutputOptions, *, rich: bool) -> dict[str, int]:
    """Return the roles of tags for this page and these options; `rich` outputs have formatting marks."""
    roles = RICH_ROLES if rich else ROLES
    changed = dict.fromkeys(INVISIBLE_TAGS - find_invisible_tags(tree), BLOCK)
    if options.links:
        changed["a"] = LINK
    if options.images:
        changed.update(dict.fromkeys(IMAGE_TAGS, IMAGE))
    return {**roles, **changed} if changed else roles


def find_markup_root(tree: Tree, spans: Sequence[range]) -> int:
    """Return the outermost element whose markup applies to the kept nodes.

    It is the lowest element around all kept nodes, with the inline elements around it. Where the nodes stand directly
    in a list item, a quote and so on, it is that element and its list; for table rows the table; in a `pre` the `pre`.
    Lists and tables further out are as likely the layout of the page as its content. (A paragraph or heading around
    the nodes needs no extra step: see `build.py`.)
    """
    tags, parents = tree.tag, tree.parent
    lowest = tree.common_ancestor(spans[0].start, spans[-1].stop - 1)
    for ancestor in tree.ancestors(lowest):
        if tags[ancestor] == "pre":
            return ancestor
    node = lowest
    if tags[node] in _TABLE_PARTS:
        while node > 0 and tags[node] != "table":
            node = parents[node]
        return node if tags[node] == "table" else lowest
    root = lowest
    while node > 0 and tags[node] not in _NOT_INLINE:
        root = node
        node = parents[node]
    if ROLES.get(tags[node], 0) not in _ENCLOSING_ROLES:
        return root
    return parents[node] if tags[parents[node]] in _PARENTS_OF_ITEMS else node


def read_list_start(tree: Tree, node: int) -> tuple[int, int]:
    """Return the number of the first item of an ordered list and the step to the next, by `start` and `reversed`."""
    attributes = tree.attributes[node]
    step = -1 if "reversed" in attributes else 1
    start = _parse_integer(attributes.get("start"))
    if start is None:
        start = sum(1 for child in tree.children(node) if tree.tag[child] == "li") if step < 0 else 1
    return start, step


def number_list_items(tree: Tree, node: int) -> dict[int, int]:
    """Return the number of each item of an ordered list, kept or not, by its `value` or its position."""
    number, step = read_list_start(tree, node)
    numbers = {}
    for item in tree.children(node):
        if tree.tag[item] == "li":
            value = _parse_integer(tree.attributes[item].get("value"))
            numbers[item] = number = number if value is None else value
            number += step
    return numbers


def number_nested_item(tree: Tree, ordered_list: Container) -> int:
    """Return the number of an item that is not a child of its list but deeper: it follows the item before it."""
    before = ordered_list.last_item
    if before is None or before.number is None:
        return read_list_start(tree, ordered_list.node)[0]
    return before.number + (-1 if "reversed" in tree.attributes[ordered_list.node] else 1)


def _parse_integer(value: str | None) -> int | None:
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else None
