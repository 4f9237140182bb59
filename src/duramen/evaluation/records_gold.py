"""The records that people marked on a page: by expressions, or by the texts of posts.

Gold expressions are XPath 1.0 at large (`//td[.//a]/..`), more than `duramen.xpath` speaks, so that they are evaluated
by lxml on a copy of our own tree, node for node: what they select are nodes of the Tree that methods are given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from duramen.dom.tree import TEXT, Tree
from duramen.errors import InputError, MissingExtraError
from duramen.evaluation.sets import Example

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Marked:
    """The gold of one page, as nodes of its tree, in document order. Without `records` there is no main list."""

    records: tuple[int, ...]
    optional: tuple[int, ...] = ()
    """Records that may count or not."""
    other: tuple[int, ...] = ()
    """The records at another level that can be defended, too."""
    whole: bool = True
    """Whether a node is all of its record; else it may be its first element, or one that tells it."""


@dataclass(frozen=True)
class Post:
    """A post of a thread, as far as the gold knows it."""

    text: str
    user: str = ""
    date: str = ""


def has_records(examples: Sequence[Example]) -> bool:
    """Whether these are pages of a set that marks records; some of its pages may have none."""
    return any("records_xpath" in example.fields for example in examples)


def marked(example: Example, tree: Tree) -> Marked:
    """The gold records of a page. Where the set does not say if they are whole, they are not relied on to be."""
    fields = example.fields
    expressions = [fields.get(name) for name in ("records_xpath", "optional_xpath", "alt_xpath")]
    if not any(expressions):
        return Marked(())
    records, optional, other = (tuple(nodes) for nodes in select_all(tree, expressions, example))
    if fields.get("records_xpath") and not records:
        raise InputError(f"the page {example.id!r} of the set {example.set!r}: its gold expression selects nothing")
    return Marked(records, optional, other, whole=fields.get("head_only") is False)


def posts(example: Example) -> list[Post]:
    """The gold posts of a thread that have any text."""
    rows = example.fields.get("records") or ()
    texts = (tuple(str(row.get(name) or "") for name in ("text", "user", "date")) for row in rows)
    return [Post(*row) for row in texts if row[0].strip()]


def select_all(tree: Tree, expressions: Sequence[Any], example: Example) -> list[list[int]]:
    """The nodes that each expression selects; none where there is no expression."""
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingExtraError("lxml", "evaluation") from error
    copy, nodes = _copied(tree)
    found: list[list[int]] = []
    for expression in expressions:
        if not expression:
            found.append([])
            continue
        try:
            selected = copy.xpath(expression)
        except (etree.XPathError, TypeError) as error:
            raise InputError(f"the page {example.id!r} of the set {example.set!r}: {expression!r}: {error}") from error
        found.append(sorted({nodes[element] for element in selected if element in nodes}))
    return found


def _copied(tree: Tree) -> tuple[Any, dict[Any, int]]:
    """The tree as lxml's, and which node each of its elements is."""
    from lxml import etree

    elements: list[Any] = []
    for node, tag in enumerate(tree.tag):
        above = elements[tree.parent[node]] if node else None
        if tag == TEXT:
            elements.append(None)
            if above is None:
                continue
            text = _NOT_XML.sub("", tree.text[node])
            if len(above):
                above[-1].tail = (above[-1].tail or "") + text
            else:
                above.text = (above.text or "") + text
            continue
        name = tag if _NAME.fullmatch(tag) else "odd"
        attributes = {
            key: _NOT_XML.sub("", value or "") for key, value in tree.attributes[node].items() if _NAME.fullmatch(key)
        }
        element = etree.Element(name, attributes) if above is None else etree.SubElement(above, name, attributes)
        elements.append(element)
    return elements[0].getroottree(), {element: node for node, element in enumerate(elements) if element is not None}
