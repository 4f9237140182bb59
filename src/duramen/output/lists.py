"""The numbers of ordered lists, as the page shows them."""

from __future__ import annotations

import re

from duramen.dom.tree import Tree

_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,9})(?![0-9])")


def counted(tree: Tree, node: int) -> tuple[int, int]:
    """The number of the first item of an ordered list, and the step to the next: `start` and `reversed` count."""
    attributes = tree.attributes[node]
    step = -1 if "reversed" in attributes else 1
    start = _integer(attributes.get("start"))
    if start is None:
        start = sum(1 for child in tree.children(node) if tree.tag[child] == "li") if step < 0 else 1
    return start, step


def numbers(tree: Tree, node: int) -> dict[int, int]:
    """The number of each item of an ordered list, whether it is kept or not: `value` counts."""
    number, step = counted(tree, node)
    found = {}
    for item in tree.children(node):
        if tree.tag[item] == "li":
            value = _integer(tree.attributes[item].get("value"))
            found[item] = number = number if value is None else value
            number += step
    return found


def _integer(value: str | None) -> int | None:
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else None
