"""An expression, read once and evaluated on any number of trees.

A step goes from a list of nodes in document order to the next such list. What it costs is in proportion to the nodes
it looks at: children are stepped through by the ends of their subtrees, nested subtrees are looked through once, and
since the fellows of a node are always children of one parent, positions are counts per parent. Attributes are read
last, and only of nodes whose tag fits: reading them all costs half as much as parsing the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError
from duramen.xpath.parsing import Path, Step, parse
from duramen.xpath.terms import Term, View

_DOCUMENT = -1
"""The node above `html`, where absolute paths start."""

MANY = 40
"""Elements of one tag for which it pays to ask the parser: its selector costs as much as reading thirty or so."""

_PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")  # a name that means the same in a CSS selector


@dataclass(frozen=True)
class Expression:
    """An XPath expression, ready to be evaluated. It equals another of the same text, and survives pickling."""

    source: str
    paths: tuple[Path, ...] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self.source

    def __reduce__(self) -> tuple[Callable[[str], Expression], tuple[str]]:
        return compile, (self.source,)

    def select(self, tree: Tree, context: int = 0) -> list[int]:
        """The nodes selected, in document order, each once. Relative paths start at `context`."""
        view = _view(tree, context)
        if any(path.steps[-1].test == "attribute" for path in self.paths):
            raise UsageError(f"XPath {self.source!r} selects attributes, not nodes")
        found = [_follow(view, path.absolute, path.steps, context) for path in self.paths]
        return found[0] if len(found) == 1 else sorted({node for nodes in found for node in nodes})

    def strings(self, tree: Tree, context: int = 0) -> list[str]:
        """The values of the attributes selected (`//a/@href`) or the texts of text nodes, in document order."""
        view = _view(tree, context)
        found: dict[tuple[int, int], str] = {}
        for path in self.paths:
            last = path.steps[-1]
            if last.test == "attribute":
                for node in _holders(view, path, context):
                    attributes = tree.attributes[node]
                    found[node, list(attributes).index(last.name)] = attributes[last.name] or ""
            elif last.test == "text":
                found |= {(node, 0): tree.text[node] for node in _follow(view, path.absolute, path.steps, context)}
            else:
                raise UsageError(f"XPath {self.source!r} selects elements: strings come from '@name' or 'text()'")
        return [found[key] for key in sorted(found)]


@lru_cache(maxsize=512)
def compile(expression: str) -> Expression:
    """Read an expression. `UsageError` says what is wrong with it, or outside the subset, and where."""
    return Expression(expression, parse(expression, _below))


def select(tree: Tree, expression: str | Expression, context: int = 0) -> list[int]:
    """The nodes that an expression selects on a tree, in document order. Relative paths start at `context`."""
    return (compile(expression) if isinstance(expression, str) else expression).select(tree, context)


def strings(tree: Tree, expression: str | Expression, context: int = 0) -> list[str]:
    """The strings that an expression ending in `@name` or `text()` selects, in document order."""
    return (compile(expression) if isinstance(expression, str) else expression).strings(tree, context)


def _view(tree: Tree, context: int) -> View:
    if not 0 <= context < len(tree):
        raise UsageError(f"the tree has no node {context}: it has {len(tree)} nodes")
    return View(tree)


def _follow(view: View, absolute: bool, steps: Iterable[Step], context: int) -> list[int]:
    nodes = [_DOCUMENT] if absolute else [context]
    for step in steps:
        if step.axis == "self":
            continue
        nodes = children(view.tree, nodes, step) if step.axis == "child" else descendants(view, nodes, step)
        for predicate in step.predicates:
            if not nodes:
                break
            nodes = filtered(view, nodes, predicate)
    return nodes


def _below(view: View, steps: Iterable[Step], node: int) -> list[int]:
    return _follow(view, False, steps, node)


def _holders(view: View, path: Path, context: int) -> list[int]:
    """The elements whose attribute the last step of a path selects."""
    *steps, last = path.steps
    nodes = _follow(view, path.absolute, steps, context)
    if last.axis == "descendant":  # of the nodes themselves, too: // is /descendant-or-self::node()/
        ranges = ranges_below(view.tree, nodes, own=True)
        having = _having(view.tree, [f"[{last.name}]"] if _PLAIN_NAME.fullmatch(last.name) else [], ranges)
        nodes = having if having is not None else [node for span in ranges for node in span]
    return [node for node in nodes if node >= 0 and last.name in view.attributes[node]]


def children(tree: Tree, nodes: list[int], step: Step) -> list[int]:
    tag, end = tree.tag, tree.end
    wanted = TEXT if step.test == "text" else step.name
    found: list[int] = []
    nested = False
    past = 0  # the end of the subtrees looked at so far
    for node in nodes:
        if node == _DOCUMENT:
            child, stop = 0, len(tree)
        else:
            child, stop = node + 1, end[node]
        nested = nested or child < past
        past = max(past, stop)
        while child < stop:
            if tag[child] == wanted or (not wanted and tag[child] != TEXT):
                found.append(child)
            child = end[child]
    if nested:
        found.sort()
    return found


def descendants(view: View, nodes: list[int], step: Step) -> list[int]:
    tag = view.tree.tag
    ranges = ranges_below(view.tree, nodes)
    selectors = _selectors(step)
    if selectors and _is_wide(view.tree, ranges) and (step.test == "any" or tag.count(step.name) >= MANY):
        having = _having(view.tree, selectors, ranges)
        if having is not None:
            return having
    if step.test == "any":
        return [node for span in ranges for node in span if tag[node] != TEXT]
    wanted = TEXT if step.test == "text" else step.name
    found: list[int] = []
    for span in ranges:
        # `index` looks for the next one in C: twice as fast as asking every node here.
        node, stop = span.start - 1, span.stop
        try:
            while True:
                node = tag.index(wanted, node + 1, stop)
                found.append(node)
        except ValueError:
            pass
    return found


def ranges_below(tree: Tree, nodes: list[int], own: bool = False) -> list[range]:
    """What lies below nodes, as ranges apart from each other; with the nodes themselves if asked."""
    found: list[range] = []
    past = 0
    for node in nodes:
        if node == _DOCUMENT:
            return [range(len(tree))]
        if node >= past:
            past = tree.end[node]
            found.append(range(node if own else node + 1, past))
    return found


def _selectors(step: Step) -> list[str]:
    """CSS that chooses all nodes for which the first predicate of a step holds, if not only these; none if it cannot.

    Predicates after it are no concern: nodes for which the first fails count for nothing in theirs.
    """
    first = step.predicates[0] if step.predicates else None
    if first is None or first.positional or step.test == "text":
        return []
    if first.css is not None and (step.test == "any" or _PLAIN_NAME.fullmatch(step.name)):
        return [step.name + first.css]
    if step.test == "any" and first.needs is not None and all(map(_PLAIN_NAME.fullmatch, first.needs)):
        return [f"[{name}]" for name in sorted(first.needs)]
    return []


def _is_wide(tree: Tree, ranges: list[range]) -> bool:
    """Whether so much of the tree is to be looked through that it pays to ask the parser, which looks through all."""
    return 4 * sum(map(len, ranges)) >= len(tree)


def _having(tree: Tree, selectors: list[str], ranges: list[range]) -> list[int] | None:
    """The elements inside the ranges that one of the selectors chooses; None where asking the parser does not pay."""
    selected = getattr(tree.attributes, "selected", None)  # a tree that was pickled has a plain list
    if selected is None or not selectors or not _is_wide(tree, ranges):
        return None
    nodes: list[int] = selected(",".join(selectors))
    if ranges == [range(len(tree))]:
        return nodes
    found: list[int] = []
    spans = iter(ranges)
    span = next(spans)
    for node in nodes:
        while node >= span.stop:
            if (following := next(spans, None)) is None:
                return found
            span = following
        if node >= span.start:
            found.append(node)
    return found


def filtered(view: View, nodes: list[int], predicate: Term) -> list[int]:
    """The nodes for which a predicate holds. Fellows, among which positions count, have one parent."""
    holds = predicate.evaluate
    if not predicate.positional:
        return [node for node in nodes if holds(view, node, 0, 0)]
    parent = view.tree.parent
    size = Counter(parent[node] for node in nodes)
    position: Counter[int] = Counter()
    found: list[int] = []
    for node in nodes:
        above = parent[node]
        position[above] += 1
        if holds(view, node, position[above], size[above]):
            found.append(node)
    return found
