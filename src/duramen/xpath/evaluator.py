"""Evaluate an expression on a tree.

A step goes from a list of nodes in document order to the next such list. Its cost is in proportion to the nodes that it
looks at: children are found by the ends of their subtrees, nested subtrees are searched once, and positions are counts
per parent, because the nodes among which a position counts are always children of one parent. Attributes are read last,
and only of nodes whose tag fits: reading them all costs half as much as parsing the page.

`Index` is for many expressions on one tree.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.dom.tree_queries import select_css
from duramen.errors import UsageError
from duramen.xpath.parser import LocationPath, LocationStep, parse
from duramen.xpath.predicates import PLAIN_NAME, PredicateTerm, TreeView

_DOCUMENT = -1
"""The node above `html`, where absolute paths start."""

MIN_ELEMENTS_FOR_CSS = 40
"""Elements of one tag from which on a CSS selector of the parser is faster than reading their attributes."""


@dataclass(frozen=True)
class Expression:
    """A parsed XPath expression. It equals another one of the same text, and can be pickled."""

    source: str
    paths: tuple[LocationPath, ...] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self.source

    def __reduce__(self) -> tuple[Callable[[str], Expression], tuple[str]]:
        return compile, (self.source,)

    def select(self, tree: Tree, context: int = 0) -> list[int]:
        """Return the selected nodes, in document order, each once. Relative paths start at `context`."""
        view = _view(tree, context)
        if any(path.steps[-1].test == "attribute" for path in self.paths):
            raise UsageError(f"XPath {self.source!r} selects attributes, not nodes")
        selected = [_follow(view, path.absolute, path.steps, context) for path in self.paths]
        return selected[0] if len(selected) == 1 else sorted({node for nodes in selected for node in nodes})

    def strings(self, tree: Tree, context: int = 0) -> list[str]:
        """Return the values of the selected attributes (`//a/@href`) or the texts of text nodes, in document order."""
        view = _view(tree, context)
        values: dict[tuple[int, int], str] = {}
        for path in self.paths:
            last = path.steps[-1]
            if last.test == "attribute":
                for node in _find_attribute_owners(view, path, context):
                    attributes = tree.attributes[node]
                    values[node, list(attributes).index(last.name)] = attributes[last.name] or ""
            elif last.test == "text":
                values |= {(node, 0): tree.text[node] for node in _follow(view, path.absolute, path.steps, context)}
            else:
                raise UsageError(f"XPath {self.source!r} selects elements: strings come from '@name' or 'text()'")
        return [values[key] for key in sorted(values)]


@lru_cache(maxsize=512)
def compile(expression: str) -> Expression:
    """Parse an expression. Raise `UsageError` with the position of what is wrong or outside the subset."""
    return Expression(expression, parse(expression, _follow_relative))


def select(tree: Tree, expression: str | Expression, context: int = 0) -> list[int]:
    """Return the nodes that an expression selects, in document order. Relative paths start at `context`."""
    return (compile(expression) if isinstance(expression, str) else expression).select(tree, context)


def select_strings(tree: Tree, expression: str | Expression, context: int = 0) -> list[str]:
    """Return the strings that an expression ending in `@name` or `text()` selects, in document order."""
    return (compile(expression) if isinstance(expression, str) else expression).strings(tree, context)


def _view(tree: Tree, context: int) -> TreeView:
    if not 0 <= context < len(tree):
        raise UsageError(f"the tree has no node {context}: it has {len(tree)} nodes")
    return TreeView(tree)


def _follow(view: TreeView, absolute: bool, steps: Iterable[LocationStep], context: int) -> list[int]:
    nodes = [_DOCUMENT] if absolute else [context]
    for step in steps:
        if step.axis == "self":
            continue
        nodes = find_children(view.tree, nodes, step) if step.axis == "child" else find_descendants(view, nodes, step)
        for predicate in step.predicates:
            if not nodes:
                break
            nodes = apply_predicate(view, nodes, predicate)
    return nodes


def _follow_relative(view: TreeView, steps: Iterable[LocationStep], node: int) -> list[int]:
    return _follow(view, False, steps, node)


def _find_attribute_owners(view: TreeView, path: LocationPath, context: int) -> list[int]:
    """Return the elements whose attribute the last step of a path selects."""
    *steps, last = path.steps
    nodes = _follow(view, path.absolute, steps, context)
    if last.axis == "descendant":  # of the nodes themselves, too: // is /descendant-or-self::node()/
        ranges = ranges_below(view.tree, nodes, include_self=True)
        matching = _select_by_css(view.tree, [f"[{last.name}]"] if PLAIN_NAME.fullmatch(last.name) else [], ranges)
        nodes = matching if matching is not None else [node for span in ranges for node in span]
    return [node for node in nodes if node >= 0 and last.name in view.attributes[node]]


def find_children(tree: Tree, nodes: list[int], step: LocationStep) -> list[int]:
    tag, end = tree.tag, tree.end
    wanted = TEXT if step.test == "text" else step.name
    children: list[int] = []
    nested = False
    searched_end = 0  # the end of the subtrees searched so far
    for node in nodes:
        if node == _DOCUMENT:
            child, stop = 0, len(tree)
        else:
            child, stop = node + 1, end[node]
        nested = nested or child < searched_end
        searched_end = max(searched_end, stop)
        while child < stop:
            if tag[child] == wanted or (not wanted and tag[child] != TEXT):
                children.append(child)
            child = end[child]
    if nested:
        children.sort()
    return children


def find_descendants(view: TreeView, nodes: list[int], step: LocationStep) -> list[int]:
    tag = view.tree.tag
    ranges = ranges_below(view.tree, nodes)
    selectors = _css_of(step)
    if (
        selectors
        and _is_wide(view.tree, ranges)
        and (step.test == "any" or tag.count(step.name) >= MIN_ELEMENTS_FOR_CSS)
    ):
        matching = _select_by_css(view.tree, selectors, ranges)
        if matching is not None:
            return matching
    if step.test == "any":
        return [node for span in ranges for node in span if tag[node] != TEXT]
    wanted = TEXT if step.test == "text" else step.name
    descendants: list[int] = []
    for span in ranges:
        # `index` searches in C: twice as fast as a loop over all nodes.
        node, stop = span.start - 1, span.stop
        try:
            while True:
                node = tag.index(wanted, node + 1, stop)
                descendants.append(node)
        except ValueError:
            pass
    return descendants


def ranges_below(tree: Tree, nodes: list[int], include_self: bool = False) -> list[range]:
    """Return the nodes below these nodes as disjoint ranges; with `include_self`, the nodes themselves too."""
    ranges: list[range] = []
    searched_end = 0
    for node in nodes:
        if node == _DOCUMENT:
            return [range(len(tree))]
        if node >= searched_end:
            searched_end = tree.end[node]
            ranges.append(range(node if include_self else node + 1, searched_end))
    return ranges


def _css_of(step: LocationStep) -> list[str]:
    """Return CSS that selects all nodes for which the first predicate of a step holds, and perhaps more.

    The list is empty if there is no such CSS. Later predicates do not matter: nodes for which the first one fails do
    not count in them.
    """
    first = step.predicates[0] if step.predicates else None
    if first is None or first.positional or step.test == "text":
        return []
    if first.css is not None and (step.test == "any" or PLAIN_NAME.fullmatch(step.name)):
        return [step.name + first.css]
    if step.test == "any" and first.needs is not None and all(map(PLAIN_NAME.fullmatch, first.needs)):
        return [f"[{name}]" for name in sorted(first.needs)]
    return []


def _is_wide(tree: Tree, ranges: list[range]) -> bool:
    """Return whether the ranges are so much of the tree that the selector of the parser, which searches all, pays."""
    return 4 * sum(map(len, ranges)) >= len(tree)


def _select_by_css(tree: Tree, selectors: list[str], ranges: list[range]) -> list[int] | None:
    """Return the elements in the ranges that one of the selectors chooses; None if the parser should not be asked."""
    nodes = select_css(tree, ",".join(selectors)) if selectors and _is_wide(tree, ranges) else None
    if nodes is None:
        return None
    if ranges == [range(len(tree))]:
        return nodes
    selected: list[int] = []
    spans = iter(ranges)
    span = next(spans)
    for node in nodes:
        while node >= span.stop:
            if (following := next(spans, None)) is None:
                return selected
            span = following
        if node >= span.start:
            selected.append(node)
    return selected


def apply_predicate(view: TreeView, nodes: list[int], predicate: PredicateTerm) -> list[int]:
    """Return the nodes for which a predicate is true. Positions count among the children of one parent."""
    is_true = predicate.evaluate
    if not predicate.positional:
        return [node for node in nodes if is_true(view, node, 0, 0)]
    parent = view.tree.parent
    size: dict[int, int] = {}  # a `Counter` is slower: most predicates see few nodes
    for node in nodes:
        size[parent[node]] = size.get(parent[node], 0) + 1
    positions: dict[int, int] = {}
    matching: list[int] = []
    for node in nodes:
        above = parent[node]
        positions[above] = position = positions.get(above, 0) + 1
        if is_true(view, node, position, size[above]):
            matching.append(node)
    return matching


MIN_INDEXED_NODES: Final = 64
"""Nodes of a subtree below which searching it costs less than indexing it."""

NodeName = tuple[str, str, str]
"""A tag, an attribute and its value (for `class` one token of it); the latter two are "" for the tag alone."""
NodesByName = dict[NodeName, list[int]]

_INDEXED_ATTRIBUTES: Final = ("class", "itemprop")
"""The indexed attributes: expressions for fields of a record use these."""
_tokens = re.compile(r"[^ \t\r\n]+").findall


class Index:
    """Select by many expressions that start at the same few nodes; results are those of `select`.

    One expression searches all children or all descendants for what it wants; a hundred expressions for a hundred
    fields of an element search all of it a hundred times. The index has the children of an element, and the descendants
    of the node where paths start, by tag and by class or itemprop. It also keeps what each beginning of a path selects.
    """

    def __init__(self, tree: Tree, min_nodes: int = MIN_INDEXED_NODES) -> None:
        self.tree = tree
        self._min_nodes = min_nodes
        self._view = TreeView(tree)
        self._children: dict[int, NodesByName] = {}
        self._below: dict[int, NodesByName] = {}
        self._selected: dict[tuple[int, str], list[int]] = {}

    def select(self, expression: str, context: int) -> list[int]:
        """Return the nodes that an expression selects, in document order. Relative paths start at `context`."""
        compiled = compile(expression)
        path = compiled.paths[0]
        steps = [step for step in path.steps if step.axis != "self"]
        is_plain = len(compiled.paths) == 1 and not path.absolute and all(step.test != "attribute" for step in steps)
        if not is_plain or self.tree.end[context] - context < self._min_nodes:
            return compiled.select(self.tree, context)
        first, nodes = len(steps), [context]
        while first:
            cached = self._selected.get((context, expression[: steps[first - 1].end]))
            if cached is not None:
                nodes = cached
                break
            first -= 1
        for step in steps[first:]:
            nodes = self._follow(context, nodes, step)
            self._selected[context, expression[: step.end]] = nodes
        return nodes

    def _follow(self, context: int, nodes: list[int], step: LocationStep) -> list[int]:
        name = _name_of_step(step)
        if name is None:
            matching = (
                find_children(self.tree, nodes, step)
                if step.axis == "child"
                else find_descendants(self._view, nodes, step)
            )
        elif step.axis == "child":
            matching = self._children_of(context, nodes, name)
        else:
            candidates = self._index_below(context).get(name, [])
            matching = [node for span in ranges_below(self.tree, nodes) for node in nodes_in_span(candidates, span)]
        for predicate in step.predicates:
            matching = apply_predicate(self._view, matching, predicate)
        return matching

    def _children_of(self, context: int, nodes: list[int], name: NodeName) -> list[int]:
        """Return the children of the nodes that have a name: looked up by parent, or among all of the name if few."""
        if len(nodes) > 1:
            candidates = self._index_below(context).get(name, [])
            if len(candidates) < len(nodes):
                parent = self.tree.parent
                return [node for node in candidates if _contains(nodes, parent[node])]
        children = [child for node in nodes for child in self._index_children(node).get(name, ())]
        return sorted(children) if len(nodes) > 1 else children

    def _index_children(self, node: int) -> NodesByName:
        index = self._children.get(node)
        if index is None:
            index = self._children[node] = _index_by_name(self.tree, self.tree.children(node))
        return index

    def _index_below(self, context: int) -> NodesByName:
        index = self._below.get(context)
        if index is None:
            index = self._below[context] = _index_by_name(self.tree, range(context + 1, self.tree.end[context]))
        return index


def _name_of_step(step: LocationStep) -> NodeName | None:
    """Return a name that every node has which a step selects; None if there is none."""
    if step.test == "text":
        return TEXT, "", ""
    if step.test != "name":
        return None
    first = step.predicates[0].name if step.predicates else None
    return (step.name, *first) if first is not None and first[0] in _INDEXED_ATTRIBUTES else (step.name, "", "")


def _index_by_name(tree: Tree, nodes: Iterable[int]) -> NodesByName:
    """Return the nodes by each of their names, in order."""
    index: NodesByName = {}
    for node in nodes:
        tag = tree.tag[node]
        index.setdefault((tag, "", ""), []).append(node)
        if tag == TEXT:
            continue
        attributes = tree.attributes[node]
        for attribute in _INDEXED_ATTRIBUTES:
            if value := attributes.get(attribute):
                for token in dict.fromkeys(_tokens(value)) if attribute == "class" else (value,):
                    index.setdefault((tag, attribute, token), []).append(node)
    return index


def nodes_in_span(nodes: list[int], span: range) -> list[int]:
    """Return those of the nodes, which are in order, that are in the span."""
    return nodes[bisect_left(nodes, span.start) : bisect_left(nodes, span.stop)]


def _contains(nodes: list[int], node: int) -> bool:
    index = bisect_left(nodes, node)
    return index < len(nodes) and nodes[index] == node
