"""A tree of which many things are asked: what stands below a node is looked up by its name, and not looked for.

An expression alone looks at all children, or at all that is below, for what it wants. A hundred expressions for a
hundred parts of one element look at all of it a hundred times. Here the children of an element, and what is below the
node where paths start, are laid out once, by tag and by name; and what the beginning of a path selects is kept for the
paths that begin with it, too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.xpath.expression import children, compile, descendants, filtered, ranges_below
from duramen.xpath.parsing import Step
from duramen.xpath.terms import View

SMALL: Final = 64
"""Nodes below which looking at all of them costs less than laying them out."""

Name = tuple[str, str, str]
"""A tag, an attribute and its value, for `class` a token of it; the latter two "" for the tag alone."""
Named = dict[Name, list[int]]

_NAMING: Final = ("class", "itemprop")
"""The attributes that are laid out: those that expressions for parts of a record go by."""
_tokens = re.compile(r"[^ \t\r\n]+").findall


class Index:
    """Gives what `xpath.select` gives, for any number of expressions that start at the same few nodes."""

    def __init__(self, tree: Tree, small: int = SMALL) -> None:
        self.tree = tree
        self._small = small
        self._view = View(tree)
        self._children: dict[int, Named] = {}
        self._below: dict[int, Named] = {}
        self._found: dict[tuple[int, str], list[int]] = {}

    def select(self, expression: str, context: int) -> list[int]:
        """The nodes that an expression selects, in document order. Relative paths start at `context`."""
        compiled = compile(expression)
        path = compiled.paths[0]
        steps = [step for step in path.steps if step.axis != "self"]
        is_plain = len(compiled.paths) == 1 and not path.absolute and all(step.test != "attribute" for step in steps)
        if not is_plain or self.tree.end[context] - context < self._small:
            return compiled.select(self.tree, context)
        first, nodes = len(steps), [context]
        while first:
            known = self._found.get((context, expression[: steps[first - 1].end]))
            if known is not None:
                nodes = known
                break
            first -= 1
        for step in steps[first:]:
            nodes = self._follow(context, nodes, step)
            self._found[context, expression[: step.end]] = nodes
        return nodes

    def _follow(self, context: int, nodes: list[int], step: Step) -> list[int]:
        name = _name(step)
        if name is None:
            found = children(self.tree, nodes, step) if step.axis == "child" else descendants(self._view, nodes, step)
        elif step.axis == "child":
            found = self._children_of(context, nodes, name)
        else:
            everyone = self._below_of(context).get(name, [])
            found = [node for span in ranges_below(self.tree, nodes) for node in _inside(everyone, span)]
        for predicate in step.predicates:
            found = filtered(self._view, found, predicate)
        return found

    def _children_of(self, context: int, nodes: list[int], name: Name) -> list[int]:
        """The children of nodes that go by a name: looked up node by node, or among all of the name if they are few."""
        if len(nodes) > 1:
            everyone = self._below_of(context).get(name, [])
            if len(everyone) < len(nodes):
                parent = self.tree.parent
                return [node for node in everyone if _holds(nodes, parent[node])]
        found = [child for node in nodes for child in self._laid_out(node).get(name, ())]
        return sorted(found) if len(nodes) > 1 else found

    def _laid_out(self, node: int) -> Named:
        found = self._children.get(node)
        if found is None:
            found = self._children[node] = _by_name(self.tree, self.tree.children(node))
        return found

    def _below_of(self, context: int) -> Named:
        found = self._below.get(context)
        if found is None:
            found = self._below[context] = _by_name(self.tree, range(context + 1, self.tree.end[context]))
        return found


def _name(step: Step) -> Name | None:
    """What a node is called wherever a step selects it; None where that may be anything."""
    if step.test == "text":
        return TEXT, "", ""
    if step.test != "name":
        return None
    first = step.predicates[0].name if step.predicates else None
    return (step.name, *first) if first is not None and first[0] in _NAMING else (step.name, "", "")


def _by_name(tree: Tree, nodes: Iterable[int]) -> Named:
    """Nodes, which are in order, by all that they are called."""
    found: Named = {}
    for node in nodes:
        tag = tree.tag[node]
        found.setdefault((tag, "", ""), []).append(node)
        if tag == TEXT:
            continue
        attributes = tree.attributes[node]
        for attribute in _NAMING:
            if value := attributes.get(attribute):
                for said in dict.fromkeys(_tokens(value)) if attribute == "class" else (value,):
                    found.setdefault((tag, attribute, said), []).append(node)
    return found


def _inside(nodes: list[int], span: range) -> list[int]:
    return nodes[bisect_left(nodes, span.start) : bisect_left(nodes, span.stop)]


def _holds(nodes: list[int], node: int) -> bool:
    place = bisect_left(nodes, node)
    return place < len(nodes) and nodes[place] == node
