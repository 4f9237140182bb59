"""Parts of expressions, written so that they mean what they say whatever the value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError

FOREIGN = frozenset(["svg", "math"])
"""Elements that a browser does not find by their names, nor what they hold."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_BLANK = re.compile(r"[ \t\r\n]")


def literal(value: str) -> str:
    """A string as XPath writes it: in the quotes that it does not hold, in several pieces when it holds both."""
    if "'" not in value:
        return f"'{value}'"
    if '"' not in value:
        return f'"{value}"'
    pieces = [f'"{piece}"' if "'" in piece else f"'{piece}'" for piece in re.split("('+)", value) if piece]
    return f"concat({', '.join(pieces)})"


def class_token(token: str, attribute: str = "class") -> str:
    """The test that a list of tokens has this one: `story` is in "top story" and not in "storyline"."""
    if not token or _BLANK.search(token):
        raise UsageError(f"{token!r} is not one token: it is empty or has white space in it")
    return f"contains(concat(' ', normalize-space(@{_checked(attribute)}), ' '), {literal(f' {token} ')})"


def by_attributes(
    tag: str = "*",
    attributes: Mapping[str, str] | None = None,
    classes: Iterable[str] = (),
    position: int | None = None,
) -> str:
    """A step: a tag with these attributes and these tokens in its class; `position` counts what is left after that."""
    tests = [f"@{_checked(name)}={literal(value)}" for name, value in (attributes or {}).items()]
    tests += map(class_token, classes)
    step = tag if tag == "*" else _checked(tag)
    return step + (f"[{' and '.join(tests)}]" if tests else "") + (f"[{position}]" if position is not None else "")


def positional(tree: Tree, node: int) -> str:
    """The absolute path by position: `/html[1]/body[1]/div[3]`. It selects exactly this element or text node."""
    chain = [node, *tree.ancestors(node)][::-1]
    steps: list[str] = []
    foreign = False
    for below in chain:
        foreign = foreign or tree.tag[below] in FOREIGN
        steps.append(f"{_test(tree, below, foreign)}[{position(tree, below, foreign)}]")
    return "/" + "/".join(steps)


def position(tree: Tree, node: int, foreign: bool = False) -> int:
    """Which of its parent's children with this test a node is, from 1."""
    tag, end, parent = tree.tag, tree.end, tree.parent[node]
    wanted = _test(tree, node, foreign)
    count = 1
    sibling = parent + 1
    while sibling < node:
        count += tag[sibling] != TEXT if wanted == "*" else tag[sibling] == tag[node]
        sibling = end[sibling]
    return count


def is_writable(name: str) -> bool:
    """Whether a tag or an attribute can be named in XPath: `o:p` cannot, for want of a namespace."""
    return _NAME.fullmatch(name) is not None


def _test(tree: Tree, node: int, foreign: bool) -> str:
    tag = tree.tag[node]
    if tag == TEXT:
        return "text()"
    return tag if is_writable(tag) and not foreign else "*"


def _checked(name: str) -> str:
    if not is_writable(name):
        raise UsageError(f"{name!r} cannot be named in an XPath")
    return name
