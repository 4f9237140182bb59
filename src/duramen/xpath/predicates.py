"""Terms of XPath predicates: typed, and compiled to functions.

XPath has four types, and the type of every term is known when the expression is parsed. So each term becomes one
function of a node, its position and the size of its list, and conversions between types are chosen once. A term also
has what a faster evaluation needs: whether it is constant, whether it depends on positions, and which attributes a node
must have for it to be true.
"""

from __future__ import annotations

import math
import operator
import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, cast
from weakref import WeakKeyDictionary

from duramen.dom.tree import TEXT, Tree

PredicateValue = str | float | bool | None
"""A string, a number, a boolean; for an attribute, its value or None if it is missing."""

TermKind = Literal["string", "number", "boolean", "attribute", "node", "path"]
"""The types of XPath; also an attribute and a single node, which may be missing, and a path."""

_MAX_COUNTED_LEVELS = 8
"""Nodes whose level is counted one by one, before the levels of all nodes are computed."""
_MARGIN_CHARS = 8
"""Characters read beyond four times the number asked for, since white space may shrink."""
PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")
"""A name that means the same in a CSS selector."""
_PLAIN_VALUE = re.compile(r"[\w.:/ -]+", re.ASCII)
_BLANK = re.compile(r"[ \t\r\n]+")  # white space of XML; `str.split` has more
_NUMBER = re.compile(r"[ \t\r\n]*-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[ \t\r\n]*")


class TreeView:
    """A tree with what is computed while an expression is evaluated on it."""

    __slots__ = ("_counted", "_siblings", "attributes", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.attributes = tree.attributes
        self._counted = 0
        self._siblings: dict[tuple[int, str], list[int]] = {}

    def level(self, node: int) -> int:
        """Return the number of ancestors of a node."""
        if self._counted < _MAX_COUNTED_LEVELS:
            self._counted += 1
            return sum(1 for _ in self.tree.ancestors(node))
        return self.tree.depth[node]

    def string(self, node: int) -> str:
        """Return the string value of a node."""
        tree = self.tree
        if tree.tag[node] == TEXT:
            return tree.text[node]
        return "".join(tree.text[place] for place in range(node, tree.end[node]) if tree.tag[place] == TEXT)

    def sibling(self, node: int, tag: str) -> int | None:
        """Return the nearest sibling of this tag before a node; None if there is none."""
        parent = self.tree.parent[node]
        if parent < 0:
            return None
        siblings = self._siblings.get((parent, tag))
        if siblings is None:
            siblings = [child for child in self.tree.children(parent) if self.tree.tag[child] == tag]
            self._siblings[parent, tag] = siblings
        place = bisect_left(siblings, node)
        return siblings[place - 1] if place else None


_TEXTS: WeakKeyDictionary[Tree, list[int]] = WeakKeyDictionary()


def read_beginning(tree: Tree, node: int, min_chars: int) -> str:
    """Return the beginning of a node's string value with normalized white space: at least so many characters.

    The text nodes are indexed once per tree: nested elements need the same ones again and again.
    """
    texts = _TEXTS.get(tree)
    if texts is None:
        texts = _TEXTS[tree] = [place for place, tag in enumerate(tree.tag) if tag == TEXT]
    beginning, end = "", tree.end[node]
    for number in range(bisect_left(texts, node), len(texts)):
        if texts[number] >= end or len(beginning) > min_chars:
            break
        text = tree.text[texts[number]]
        start = text[: 4 * min_chars + _MARGIN_CHARS]
        if len(start) < len(text) and len(normalize(start)) <= min_chars:
            start = text  # nearly all of it is white space
        beginning = _BLANK.sub(" ", beginning + start).lstrip(" ")
    return beginning.rstrip(" ")


Evaluate = Callable[[TreeView, int, int, int], PredicateValue]
"""Returns the value of a term at a node, given its position in its list and the size of the list."""


@dataclass(frozen=True, eq=False)
class PredicateTerm:
    """A term of a predicate."""

    kind: TermKind
    evaluate: Evaluate
    constant: str | float | None = None
    """The value, if it is the same for all nodes."""
    positional: bool = False
    """Whether the value depends on the position or the size of the list."""
    needs: frozenset[str] | None = None
    """Attributes of which a node has at least one if the term is true; None if it may be true without any."""
    css: str | None = None
    """A CSS selector that selects every node for which the term is true, and perhaps more."""
    attribute: str | None = None
    """The attribute whose value this is, unchanged, or changed as `tokens` tells."""
    tokens: Literal["", "normalized", "padded"] = ""
    """Which part of `concat(' ', normalize-space(@class), ' ')` this is."""
    own: Literal["", "text", "normalized"] = ""
    """Whether this is the text of the node itself, unchanged or normalized."""
    name: tuple[str, str] | None = None
    """An attribute and its value (for `class` a token) that a node has if the term is true."""


def normalize(value: str) -> str:
    """Return a string as `normalize-space` does."""
    return _BLANK.sub(" ", value).strip(" ")


def string(value: str) -> PredicateTerm:
    return PredicateTerm("string", lambda view, node, position, size: value, constant=value)


def number(value: float) -> PredicateTerm:
    return PredicateTerm("number", lambda view, node, position, size: value, constant=value)


def attribute(name: str) -> PredicateTerm:
    def evaluate(view: TreeView, node: int, position: int, size: int) -> PredicateValue:
        attributes = view.attributes[node]
        return attributes[name] or "" if name in attributes else None

    return PredicateTerm("attribute", evaluate, needs=frozenset([name]), attribute=name)


OWN = PredicateTerm("node", lambda view, node, position, size: view.string(node), own="text")
"""`.`, the node itself."""


def sibling(tag: str) -> PredicateTerm:
    """`preceding-sibling::tag[1]`."""

    def evaluate(view: TreeView, node: int, position: int, size: int) -> PredicateValue:
        nearest = view.sibling(node, tag)
        return None if nearest is None else view.string(nearest)

    return PredicateTerm("node", evaluate)


def path(leads: Callable[[TreeView, int], bool]) -> PredicateTerm:
    """A path from the node downwards; true if it selects anything."""
    return PredicateTerm("path", lambda view, node, position, size: leads(view, node))


POSITION = PredicateTerm("number", lambda view, node, position, size: position, positional=True)
LAST = PredicateTerm("number", lambda view, node, position, size: size, positional=True)
LEVEL = PredicateTerm("number", lambda view, node, position, size: view.level(node))


def as_boolean(term: PredicateTerm) -> PredicateTerm:
    if term.kind == "boolean":
        return term
    inner = term.evaluate
    if term.kind == "attribute":
        name = cast(str, term.attribute)
        return PredicateTerm(
            "boolean", lambda view, node, position, size: name in view.attributes[node], needs=term.needs
        )
    if term.kind == "node":
        return PredicateTerm("boolean", lambda *place: inner(*place) is not None)
    if term.kind == "path":
        return PredicateTerm("boolean", inner)
    if term.kind == "string":
        return PredicateTerm("boolean", lambda *place: inner(*place) != "", positional=term.positional)
    return PredicateTerm("boolean", lambda *place: inner(*place) != 0, positional=term.positional)


def as_predicate(term: PredicateTerm) -> PredicateTerm:
    """Return the term as a predicate: a number is a position."""
    return comparison("=", POSITION, term) if term.kind == "number" else as_boolean(term)


def as_string(term: PredicateTerm) -> PredicateTerm:
    if term.kind == "string":
        return term
    if term.constant is not None:
        return string(_to_string(term.constant))
    inner = term.evaluate
    return PredicateTerm(
        "string",
        lambda *place: _to_string(inner(*place)),
        positional=term.positional,
        attribute=term.attribute,
        own=term.own,
    )


def conjunction(terms: list[PredicateTerm]) -> PredicateTerm:
    tests = [term.evaluate for term in map(as_boolean, terms)]
    return PredicateTerm(
        "boolean",
        lambda *place: all(test(*place) for test in tests),
        positional=any(term.positional for term in terms),
        needs=next((term.needs for term in map(as_boolean, terms) if term.needs is not None), None),
        css="".join(term.css for term in map(as_boolean, terms) if term.css) or None,
        name=next((term.name for term in terms if term.name is not None), None),
    )


def disjunction(terms: list[PredicateTerm]) -> PredicateTerm:
    tests = [term.evaluate for term in map(as_boolean, terms)]
    needs = [term.needs for term in map(as_boolean, terms)]
    present = [names for names in needs if names is not None]
    return PredicateTerm(
        "boolean",
        lambda *place: any(test(*place) for test in tests),
        positional=any(term.positional for term in terms),
        needs=frozenset().union(*present) if len(present) == len(needs) else None,
    )


def negation(term: PredicateTerm) -> PredicateTerm:
    test = as_boolean(term).evaluate
    return PredicateTerm("boolean", lambda *place: not test(*place), positional=term.positional)


def concatenation(terms: list[PredicateTerm]) -> PredicateTerm:
    parts = [as_string(term) for term in terms]
    if all(part.constant is not None for part in parts):
        return string("".join(cast(str, part.constant) for part in parts))
    inner = [part.evaluate for part in parts]
    padded = len(parts) == 3 and parts[0].constant == parts[2].constant == " " and parts[1].tokens == "normalized"
    return PredicateTerm(
        "string",
        lambda *place: "".join(cast(str, part(*place)) for part in inner),
        positional=any(part.positional for part in parts),
        attribute=parts[1].attribute if padded else None,
        tokens="padded" if padded else "",
    )


def normalization(term: PredicateTerm) -> PredicateTerm:
    text = as_string(term)
    inner = text.evaluate
    return PredicateTerm(
        "string",
        lambda *place: normalize(cast(str, inner(*place))),
        positional=text.positional,
        attribute=text.attribute,
        tokens="normalized" if text.attribute and not text.tokens else "",
        own="normalized" if text.own else "",
    )


def contains(whole: PredicateTerm, part: PredicateTerm) -> PredicateTerm:
    token = part.constant
    if (
        whole.tokens == "padded"
        and whole.attribute
        and isinstance(token, str)
        and re.fullmatch(r" [^ \t\r\n]+ ", token)
    ):
        return _has_token(whole.attribute, token)
    return _containment(as_string(whole), as_string(part), operator.contains, "*=")


def starts_with(whole: PredicateTerm, part: PredicateTerm) -> PredicateTerm:
    prefix = part.constant
    if whole.own == "normalized" and isinstance(prefix, str):  # of a long text only the beginning is read
        return PredicateTerm(
            "boolean", lambda view, node, *_: read_beginning(view.tree, node, len(prefix)).startswith(prefix)
        )
    return _containment(as_string(whole), as_string(part), str.startswith, "^=")


def _containment(
    whole: PredicateTerm, part: PredicateTerm, contains_part: Callable[[str, str], bool], sign: str
) -> PredicateTerm:
    left, right = whole.evaluate, part.evaluate
    plain = whole.attribute and not whole.tokens and part.constant
    return PredicateTerm(
        "boolean",
        lambda *place: contains_part(cast(str, left(*place)), cast(str, right(*place))),
        positional=whole.positional or part.positional,
        # A missing attribute counts as '', which contains only ''.
        needs=frozenset([whole.attribute]) if whole.attribute and plain else None,
        css=_selector(whole.attribute, sign, part.constant) if plain else None,
    )


def _has_token(name: str, padded: str) -> PredicateTerm:
    """`contains(concat(' ', normalize-space(@name), ' '), ' token ')`, with a cheap test first."""
    token = padded.strip(" ")

    def evaluate(view: TreeView, node: int, position: int, size: int) -> PredicateValue:
        value = view.attributes[node].get(name)
        return value is not None and token in value and (value == token or padded in f" {normalize(value)} ")

    return PredicateTerm(
        "boolean",
        evaluate,
        needs=frozenset([name]),
        css=_selector(name, "~=", token),
        name=(name, token) if name == "class" else None,
    )


def _selector(name: str | None, sign: str, value: str | float | None) -> str | None:
    """Return the same test in CSS, if name and value need no escapes and letter case does not matter."""
    if name and isinstance(value, str) and PLAIN_NAME.fullmatch(name) and _PLAIN_VALUE.fullmatch(value):
        return f'[{name}{sign}"{value}"]'
    return None


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def comparison(sign: str, left: PredicateTerm, right: PredicateTerm) -> PredicateTerm:
    """Compare as XPath 1.0 does (section 3.4): equality of booleans, numbers or strings; order of numbers only.

    Any comparison with a missing attribute is false, except with a boolean: there it counts as false.
    """
    kinds = {left.kind, right.kind}
    compare = _COMPARE[sign]
    order = sign not in ("=", "!=")
    as_numbers = order or "number" in kinds
    if "boolean" in kinds:
        convert = {"attribute", "node"} if order else kinds
        left, right = (as_boolean(term) if term.kind in convert else term for term in (left, right))
    first, second = left.evaluate, right.evaluate
    needs = left.needs if left.kind == "attribute" else right.needs if right.kind == "attribute" else None

    def evaluate(view: TreeView, node: int, position: int, size: int) -> PredicateValue:
        one, other = first(view, node, position, size), second(view, node, position, size)
        if one is None or other is None:
            return False
        return compare(_to_number(one), _to_number(other)) if as_numbers else compare(one, other)

    if sign == "=" and kinds == {"attribute", "string"}:
        name, constant = left.attribute or right.attribute, left.constant or right.constant
        if name and constant:  # the most common comparison, written for speed
            return PredicateTerm(
                "boolean",
                lambda view, node, *_: view.attributes[node].get(name) == constant,
                needs=needs,
                css=_selector(name, "=", constant),
                name=(name, str(constant)) if name != "class" else None,
            )
    return PredicateTerm("boolean", evaluate, positional=left.positional or right.positional, needs=needs)


def _to_number(value: str | float) -> float:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else float("nan")
    return float(value)


def _to_string(value: PredicateValue) -> str:
    """Return a value as `string()` does: numbers without an exponent, whole ones without a point."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if math.isinf(value):
        return "Infinity"
    return str(int(value)) if value == int(value) else format(Decimal(repr(value)), "f")
