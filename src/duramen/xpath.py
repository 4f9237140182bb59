"""Expressions that say where a node stands."""

from __future__ import annotations

from duramen.tree import TEXT, Tree


def positional(tree: Tree, node: int) -> str:
    """The absolute path by position: `/html[1]/body[1]/div[3]`. It selects exactly this element or text node."""
    steps: list[str] = []
    while node >= 0:
        tag, parent = tree.tag[node], tree.parent[node]
        position = 1
        if parent >= 0:
            sibling = parent + 1
            while sibling < node:
                position += tree.tag[sibling] == tag
                sibling = tree.end[sibling]
        steps.append(f"text()[{position}]" if tag == TEXT else f"{tag}[{position}]")
        node = parent
    return "/" + "/".join(reversed(steps))
