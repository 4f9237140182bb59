"""The expression that a person would write for a node: by its name where it has one, else from the nearest name.

Positions are what breaks first when a page changes, so they come last. A node is called by its id, by what microdata
says it is, by a token of its class, by its tag, by two of these together; then by the same below the nearest ancestor
that has a name of its own; and only when none of these is the node's alone, by a path from that ancestor, with
positions in the steps that need them. Who is called what on the page is looked up once for a tree.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from weakref import WeakKeyDictionary

from duramen.dom.tree import TEXT, Tree
from duramen.xpath.building import FOREIGN, class_token, is_writable, literal, position
from duramen.xpath.expression import select

Stable = Callable[[str, str, str], bool]
"""Whether a name is to be relied on, given tag, attribute and value; for `class`, one token of it."""

NAMING = ("id", "itemprop", "class", "role")
"""The attributes that say what an element is, the most telling first."""

_MOST_COMBINED = 6
_LONGEST = 60
_PART = re.compile(r"[0-9]{0,2}(?:[^\W\d_]+[0-9]{0,2})?")
_SEPARATOR = re.compile(r"[\W_]+")
_TOKENS = re.compile(r"[^ \t\r\n]+")


@lru_cache(maxsize=4096)
def looks_stable(tag: str, attribute: str, value: str) -> bool:
    """Whether a name looks like a person's: words, perhaps with a small number (`col-md-8`, `h2`), no keys or hashes.

    `post-48151`, `css-1dbjc4n` and `yui_3_17_2_1` are made by programs, for one page or one build.
    """
    if len(value) > _LONGEST or not any(map(str.isalpha, value)):
        return False
    numbers = re.findall("[0-9]+", value)
    return len(numbers) < 3 and all(map(_PART.fullmatch, _SEPARATOR.split(value)))


Name = tuple[str, str, str]
"""Something an element is called by: its tag, an attribute, the value; for `class`, one token of it."""


@dataclass(frozen=True, eq=False)
class Landmarks:
    """Which elements of a tree bear which name, and which tag; in document order."""

    named: dict[Name, list[int]]
    tagged: dict[str, list[int]]
    names: dict[int, list[Name]]
    nameless: frozenset[int]
    """Elements that a browser finds by position alone: drawings, formulas, what they hold, and odd tags."""

    @classmethod
    def of(cls, tree: Tree) -> Landmarks:
        """Looked up at the first call for a tree, and kept as long as the tree is."""
        found = _KNOWN.get(tree)
        if found is None:
            found = _KNOWN[tree] = cls._read(tree)
        return found

    @classmethod
    def _read(cls, tree: Tree) -> Landmarks:
        named: defaultdict[Name, list[int]] = defaultdict(list)
        tagged: defaultdict[str, list[int]] = defaultdict(list)
        names: dict[int, list[Name]] = {}
        nameless: set[int] = set()
        odd = {tag for tag in set(tree.tag) if not is_writable(tag)}
        past = 0  # the end of a drawing or a formula
        for node, tag in enumerate(tree.tag):
            if tag == TEXT:
                continue
            if tag in FOREIGN:
                past = max(past, tree.end[node])
            if node < past or tag in odd:
                nameless.add(node)
            tagged[tag].append(node)
            attributes = tree.attributes[node]
            own = [
                (tag, attribute, value)
                for attribute in NAMING
                if (whole := attributes.get(attribute))
                for value in (dict.fromkeys(_TOKENS.findall(whole)) if attribute == "class" else (whole,))
            ]
            if own:
                names[node] = own
                for name in own:
                    named[name].append(node)
        return cls(dict(named), dict(tagged), names, frozenset(nameless))


_KNOWN: WeakKeyDictionary[Tree, Landmarks] = WeakKeyDictionary()


def portable(tree: Tree, node: int, stable: Stable = looks_stable) -> str:
    """A short, readable expression that selects exactly this node on this tree, by names that are `stable`."""
    if tree.tag[node] == TEXT:
        return f"{portable(tree, tree.parent[node], stable)}/{_text(tree, node)}"
    land = Landmarks.of(tree)
    callings = _callings(land, tree, node, stable)
    if found := _root(tree, node) or _first_alone(callings, range(len(tree))):
        return found
    nearest: tuple[int, str] | None = None
    for ancestor in tree.ancestors(node):
        if start := _root(tree, ancestor) or _own(land, tree, ancestor, stable):
            nearest = nearest or (ancestor, start)
            if found := _first_alone(callings, range(ancestor + 1, tree.end[ancestor])):
                return start + found
    assert nearest is not None  # the root has a name
    return _path(land, tree, node, *nearest, stable)


def _root(tree: Tree, node: int) -> str:
    """`/html`, `/html/head` and `/html/body` need no other name."""
    if node == 0:
        return "/html"
    if tree.parent[node] == 0 and node == tree.body:
        return "/html/body"
    return "/html/head" if node == 1 and tree.tag[1] == "head" else ""


def _own(land: Landmarks, tree: Tree, node: int, stable: Stable) -> str:
    """What nothing else on the page is called; '' when there is no such name."""
    return next((written for written, nodes in _single_callings(land, tree, node, stable) if len(nodes) == 1), "")


def _callings(land: Landmarks, tree: Tree, node: int, stable: Stable) -> list[tuple[str, list[int]]]:
    """All that a node may be called, by one name or by two, with the nodes that are called so, in order."""
    found = list(_single_callings(land, tree, node, stable))
    names = _stable(land, node, stable)
    rarest = sorted(names, key=lambda name: len(land.named[name]))[:_MOST_COMBINED]
    for one, other in combinations([name for name in names if name in rarest], 2):
        both = sorted(set(land.named[one]).intersection(land.named[other]))
        found.append((f"//{tree.tag[node]}[{_test(one)} and {_test(other)}]", both))
    return found


def _single_callings(land: Landmarks, tree: Tree, node: int, stable: Stable) -> Iterator[tuple[str, list[int]]]:
    if node not in land.nameless:
        tag = tree.tag[node]
        for name in _stable(land, node, stable):
            yield f"//{tag}[{_test(name)}]", land.named[name]
        if tag != "tbody":  # not all parsers put in a tbody that was left out
            yield f"//{tag}", land.tagged[tag]


def _first_alone(callings: list[tuple[str, list[int]]], span: range) -> str:
    return next((written for written, nodes in callings if _alone(nodes, span)), "")


def _inside(nodes: list[int], span: range) -> list[int]:
    return nodes[bisect_left(nodes, span.start) : bisect_left(nodes, span.stop)]


def _alone(nodes: list[int], span: range) -> bool:
    """Whether just one of the nodes, which are in order, lies in the span."""
    first = bisect_left(nodes, span.start)
    return (
        first < len(nodes) and nodes[first] < span.stop and (first + 1 == len(nodes) or nodes[first + 1] >= span.stop)
    )


def _test(name: Name) -> str:
    _, attribute, value = name
    return class_token(value) if attribute == "class" else f"@{attribute}={literal(value)}"


def _stable(land: Landmarks, node: int, stable: Stable) -> list[Name]:
    return [name for name in land.names.get(node, ()) if stable(*name)]


def _path(land: Landmarks, tree: Tree, node: int, ancestor: int, start: str, stable: Stable) -> str:
    """From an ancestor down, child by child."""
    steps: list[str] = []
    below = node
    while below != ancestor:
        steps.append(_child(land, tree, below, stable))
        below = tree.parent[below]
    steps.reverse()
    written = f"{start}/{'/'.join(steps)}"
    if "tbody" in steps[:-1]:
        without = written.replace("/tbody/", "//")
        if select(tree, without) == [node]:
            return without
    return written


def _child(land: Landmarks, tree: Tree, node: int, stable: Stable) -> str:
    """One step to a child: its tag, with what tells it from siblings of that tag if there are any."""
    tag, parent = tree.tag[node], tree.parent[node]
    if node in land.nameless:
        return f"*[{position(tree, node, foreign=True)}]"
    if sum(tree.tag[child] == tag for child in tree.children(parent)) == 1:
        return tag
    for name in _stable(land, node, stable):
        fellows = _inside(land.named[name], range(parent + 1, tree.end[parent]))
        if sum(tree.parent[fellow] == parent for fellow in fellows) == 1:
            return f"{tag}[{_test(name)}]"
    return f"{tag}[{position(tree, node)}]"


def _text(tree: Tree, node: int) -> str:
    alone = sum(tree.tag[child] == TEXT for child in tree.children(tree.parent[node])) == 1
    return "text()" if alone else f"text()[{position(tree, node)}]"
