"""Build expressions: steps by tag and attributes, paths by position, and short readable paths to a node.

Positions break first when a page changes, so `make_portable_xpath` uses them last. It names a node by its id, by its
microdata property, by a token of its class, by its tag, or by two of these together; then by the same below the nearest
ancestor that has a name of its own; and only if none of these selects the node alone, by a path from that ancestor,
with positions in the steps that need them. The names on a page are indexed once per tree.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from weakref import WeakKeyDictionary

from duramen.dom.tree import TEXT, Tree
from duramen.errors import UsageError
from duramen.xpath.evaluator import nodes_in_span, select

FOREIGN_TAGS = frozenset(["svg", "math"])
"""Elements that a browser does not find by name, nor their descendants: they have a namespace."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_BLANK = re.compile(r"[ \t\r\n]")


def quote_literal(value: str) -> str:
    """Return a string as an XPath literal: in quotes that it does not contain, or as `concat` if it has both."""
    if "'" not in value:
        return f"'{value}'"
    if '"' not in value:
        return f'"{value}"'
    pieces = [f'"{piece}"' if "'" in piece else f"'{piece}'" for piece in re.split("('+)", value) if piece]
    return f"concat({', '.join(pieces)})"


def make_class_test(token: str, attribute: str = "class") -> str:
    """Return the test that an attribute has this token: `story` is in "top story" and not in "storyline"."""
    if not token or _BLANK.search(token):
        raise UsageError(f"{token!r} is not one token: it is empty or has white space in it")
    return f"contains(concat(' ', normalize-space(@{_check_name(attribute)}), ' '), {quote_literal(f' {token} ')})"


def make_step(
    tag: str = "*",
    attributes: Mapping[str, str] | None = None,
    classes: Iterable[str] = (),
    position: int | None = None,
) -> str:
    """Return a step: a tag with these attributes and class tokens; `position` counts the nodes that fit."""
    tests = [f"@{_check_name(name)}={quote_literal(value)}" for name, value in (attributes or {}).items()]
    tests += map(make_class_test, classes)
    step = tag if tag == "*" else _check_name(tag)
    return step + (f"[{' and '.join(tests)}]" if tests else "") + (f"[{position}]" if position is not None else "")


def make_positional_xpath(tree: Tree, node: int) -> str:
    """Return the absolute path by position, `/html[1]/body[1]/div[3]`, which selects exactly this node."""
    chain = [node, *tree.ancestors(node)][::-1]
    steps: list[str] = []
    foreign = False
    for below in chain:
        foreign = foreign or tree.tag[below] in FOREIGN_TAGS
        steps.append(f"{_node_test(tree, below, foreign)}[{position(tree, below, foreign)}]")
    return "/" + "/".join(steps)


def make_positional_xpaths(tree: Tree, nodes: Iterable[int]) -> dict[int, str]:
    """Return the absolute path by position of each of these nodes: one pass over the tree, for many nodes."""
    wanted = set(nodes)
    needed = _add_ancestors(tree, wanted)
    paths: dict[int, str] = {}
    foreign: set[int] = set()
    counts: dict[tuple[int, str], int] = {}
    for node in range(len(tree)):
        parent = tree.parent[node]
        if parent >= 0 and parent not in needed:
            continue
        is_foreign = parent in foreign or tree.tag[node] in FOREIGN_TAGS
        test = _node_test(tree, node, is_foreign)
        counts[parent, "*"] = counts.get((parent, "*"), 0) + (tree.tag[node] != TEXT)
        if test != "*":
            counts[parent, test] = counts.get((parent, test), 0) + 1
        if node in needed:
            if is_foreign:
                foreign.add(node)
            paths[node] = f"{paths.get(parent, '')}/{test}[{counts[parent, test]}]"
    return {node: paths[node] for node in wanted}


def _add_ancestors(tree: Tree, nodes: set[int]) -> set[int]:
    """Return the nodes and all their ancestors."""
    found: set[int] = set()
    for node in nodes:
        while node >= 0 and node not in found:
            found.add(node)
            node = tree.parent[node]
    return found


def position(tree: Tree, node: int, foreign: bool = False) -> int:
    """Return the position of a node among the children of its parent that have the same test, from 1."""
    tag, end, parent = tree.tag, tree.end, tree.parent[node]
    wanted = _node_test(tree, node, foreign)
    count = 1
    sibling = parent + 1
    while sibling < node:
        count += tag[sibling] != TEXT if wanted == "*" else tag[sibling] == tag[node]
        sibling = end[sibling]
    return count


def is_writable(name: str) -> bool:
    """Return whether XPath can name a tag or an attribute: not `o:p`, which would need a namespace."""
    return _NAME.fullmatch(name) is not None


def _node_test(tree: Tree, node: int, foreign: bool) -> str:
    tag = tree.tag[node]
    if tag == TEXT:
        return "text()"
    return tag if is_writable(tag) and not foreign else "*"


def _check_name(name: str) -> str:
    if not is_writable(name):
        raise UsageError(f"{name!r} cannot be named in an XPath")
    return name


Stable = Callable[[str, str, str], bool]
"""Returns whether a name will last, given tag, attribute and value; for `class`, one token of it."""

NAMING_ATTRIBUTES = ("id", "itemprop", "class", "role")
"""The attributes that name an element, the most reliable first."""

_MAX_COMBINED_NAMES = 6
"""Names of a node, the rarest, that are tried in pairs."""
_MAX_DROPPED_STEPS = 12
"""Nested tables of a page for which `drop_tbody` shortens a path."""
_MAX_STABLE_CHARS = 60
"""A longer name is taken for a generated one."""
_PART = re.compile(r"[0-9]{0,2}(?:[^\W\d_]+[0-9]{0,2})?")
_SEPARATOR = re.compile(r"[\W_]+")
_TOKENS = re.compile(r"[^ \t\r\n]+")


@lru_cache(maxsize=4096)
def looks_stable(tag: str, attribute: str, value: str) -> bool:
    """Return whether a name looks written by a person: words, perhaps with a small number (`col-md-8`, `h2`).

    `post-48151`, `css-1dbjc4n` and `yui_3_17_2_1` are generated for one page or one build.
    """
    if len(value) > _MAX_STABLE_CHARS or not any(map(str.isalpha, value)):
        return False
    numbers = re.findall("[0-9]+", value)
    return len(numbers) < 3 and all(map(_PART.fullmatch, _SEPARATOR.split(value)))


NamedNodes = tuple[str, list[int]]
"""An expression, and the nodes that it selects."""
ElementName = tuple[str, str, str]
"""A tag, an attribute and its value; for `class`, one token of it."""


@dataclass(frozen=True, eq=False)
class NameIndex:
    """The elements of a tree by name and by tag, in document order."""

    named: dict[ElementName, list[int]]
    tagged: dict[str, list[int]]
    names: dict[int, list[ElementName]]
    unnameable: frozenset[int]
    """Elements that a browser finds by position only: `svg`, `math`, their descendants, tags that XPath cannot name."""

    @classmethod
    def of(cls, tree: Tree) -> NameIndex:
        """Return the names of a tree: indexed at the first call, and kept as long as the tree."""
        index = _INDEXES.get(tree)
        if index is None:
            index = _INDEXES[tree] = cls._read(tree)
        return index

    @classmethod
    def _read(cls, tree: Tree) -> NameIndex:
        named: defaultdict[ElementName, list[int]] = defaultdict(list)
        tagged: defaultdict[str, list[int]] = defaultdict(list)
        names: dict[int, list[ElementName]] = {}
        unnameable: set[int] = set()
        unwritable = {tag for tag in set(tree.tag) if not is_writable(tag)}
        foreign_end = 0  # the end of an svg or math element
        for node, tag in enumerate(tree.tag):
            if tag == TEXT:
                continue
            if tag in FOREIGN_TAGS:
                foreign_end = max(foreign_end, tree.end[node])
            if node < foreign_end or tag in unwritable:
                unnameable.add(node)
            tagged[tag].append(node)
            attributes = tree.attributes[node]
            own = [
                (tag, attribute, value)
                for attribute in NAMING_ATTRIBUTES
                if (whole := attributes.get(attribute))
                for value in (dict.fromkeys(_TOKENS.findall(whole)) if attribute == "class" else (whole,))
            ]
            if own:
                names[node] = own
                for name in own:
                    named[name].append(node)
        return cls(dict(named), dict(tagged), names, frozenset(unnameable))


_INDEXES: WeakKeyDictionary[Tree, NameIndex] = WeakKeyDictionary()


def make_portable_xpath(tree: Tree, node: int, stable: Stable = looks_stable) -> str:
    """Return a short, readable expression that selects exactly this node, by names that are `stable`."""
    if tree.tag[node] == TEXT:
        return f"{make_portable_xpath(tree, tree.parent[node], stable)}/{_text_step(tree, node)}"
    index = NameIndex.of(tree)
    expressions = _expressions(index, tree, node, stable)
    if expression := _root_path(tree, node) or _find_unique(expressions, range(len(tree))):
        return expression
    nearest: tuple[int, str] | None = None
    for ancestor in tree.ancestors(node):
        if start := _root_path(tree, ancestor) or _find_own_name(index, tree, ancestor, stable):
            nearest = nearest or (ancestor, start)
            if expression := _find_unique(expressions, range(ancestor + 1, tree.end[ancestor])):
                return start + expression
    assert nearest is not None  # the root has a name
    return _child_path(index, tree, node, *nearest, stable)


def _root_path(tree: Tree, node: int) -> str:
    """Return `/html`, `/html/head` or `/html/body` for these elements, which need no other name."""
    if node == 0:
        return "/html"
    if tree.parent[node] == 0 and node == tree.body:
        return "/html/body"
    return "/html/head" if node == 1 and tree.tag[1] == "head" else ""


def _find_own_name(index: NameIndex, tree: Tree, node: int, stable: Stable) -> str:
    """Return an expression by a name that no other element has; "" if there is none."""
    return next(
        (written for written, nodes in _single_name_expressions(index, tree, node, stable) if len(nodes) == 1), ""
    )


def _expressions(index: NameIndex, tree: Tree, node: int, stable: Stable) -> list[NamedNodes]:
    """Return the expressions for a node by one name or two, each with the nodes that it selects, in order."""
    expressions = list(_single_name_expressions(index, tree, node, stable))
    names = _stable_names(index, node, stable)
    rarest = sorted(names, key=lambda name: len(index.named[name]))[:_MAX_COMBINED_NAMES]
    for one, other in combinations([name for name in names if name in rarest], 2):
        both = sorted(set(index.named[one]).intersection(index.named[other]))
        expressions.append((f"//{tree.tag[node]}[{_name_test(one)} and {_name_test(other)}]", both))
    return expressions


def _single_name_expressions(index: NameIndex, tree: Tree, node: int, stable: Stable) -> Iterator[NamedNodes]:
    if node not in index.unnameable:
        tag = tree.tag[node]
        for name in _stable_names(index, node, stable):
            yield f"//{tag}[{_name_test(name)}]", index.named[name]
        if tag != "tbody":  # not all parsers insert a missing tbody
            yield f"//{tag}", index.tagged[tag]


def _find_unique(expressions: list[NamedNodes], span: range) -> str:
    return next((written for written, nodes in expressions if _is_unique(nodes, span)), "")


def _is_unique(nodes: list[int], span: range) -> bool:
    """Return whether exactly one of the nodes, which are in order, is in the span."""
    first = bisect_left(nodes, span.start)
    return (
        first < len(nodes) and nodes[first] < span.stop and (first + 1 == len(nodes) or nodes[first + 1] >= span.stop)
    )


def _name_test(name: ElementName) -> str:
    _, attribute, value = name
    return make_class_test(value) if attribute == "class" else f"@{attribute}={quote_literal(value)}"


def _stable_names(index: NameIndex, node: int, stable: Stable) -> list[ElementName]:
    return [name for name in index.names.get(node, ()) if stable(*name)]


def _child_path(index: NameIndex, tree: Tree, node: int, ancestor: int, start: str, stable: Stable) -> str:
    """Return a path from an ancestor down to the node, child by child."""
    steps: list[str] = []
    below = node
    while below != ancestor:
        steps.append(_child_step(index, tree, below, stable))
        below = tree.parent[below]
    steps.reverse()
    written = f"{start}/{'/'.join(steps)}"
    without = drop_tbody(written)
    return without if without != written and select(tree, without) == [node] else written


def drop_tbody(path: str) -> str:
    """Return a path that also fits trees of parsers which insert no missing tbody, such as lxml.

    A path with very many of them stays as it is: each `//` searches everything below.
    """
    return path.replace("/tbody/", "//") if path.count("/tbody/") <= _MAX_DROPPED_STEPS else path


def _child_step(index: NameIndex, tree: Tree, node: int, stable: Stable) -> str:
    """Return one step to a child: its tag, and a name or position if siblings have the same tag."""
    tag, parent = tree.tag[node], tree.parent[node]
    if node in index.unnameable:
        return f"*[{position(tree, node, foreign=True)}]"
    if sum(tree.tag[child] == tag for child in tree.children(parent)) == 1:
        return tag
    for name in _stable_names(index, node, stable):
        siblings = nodes_in_span(index.named[name], range(parent + 1, tree.end[parent]))
        if sum(tree.parent[sibling] == parent for sibling in siblings) == 1:
            return f"{tag}[{_name_test(name)}]"
    return f"{tag}[{position(tree, node)}]"


def _text_step(tree: Tree, node: int) -> str:
    alone = sum(tree.tag[child] == TEXT for child in tree.children(tree.parent[node])) == 1
    return "text()" if alone else f"text()[{position(tree, node)}]"
