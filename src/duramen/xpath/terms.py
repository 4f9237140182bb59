"""What stands in a predicate, typed and ready to run.

XPath knows four types, and here the type of every term is known when the expression is read. So each term becomes one
function of a node, its position and the number of its fellows, and the conversions between types are chosen once.
A term also says what a faster way needs to know: whether it is the same everywhere, whether it asks for positions,
and which attributes a node must have for it to be true.
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

Value = str | float | bool | None
"""A string, a number, a boolean; for an attribute, its string or None where there is none."""

Kind = Literal["string", "number", "boolean", "attribute", "node", "path"]
"""Beside XPath's own: an attribute and a single node, both of which may be missing, and a path that may lead on."""

_FEW = 8
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")  # means the same in CSS
_PLAIN_VALUE = re.compile(r"[\w.:/ -]+", re.ASCII)
_BLANK = re.compile(r"[ \t\r\n]+")  # what XML calls white space; Python's `split` knows more
_NUMBER = re.compile(r"[ \t\r\n]*-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[ \t\r\n]*")


class View:
    """A tree while an expression is evaluated on it."""

    __slots__ = ("_asked", "_siblings", "attributes", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.attributes = tree.attributes
        self._asked = 0
        self._siblings: dict[tuple[int, str], list[int]] = {}

    def level(self, node: int) -> int:
        """The number of a node's ancestors: counted for the first few nodes, after that kept for all."""
        if self._asked < _FEW:
            self._asked += 1
            return sum(1 for _ in self.tree.ancestors(node))
        return self.tree.depth[node]

    def string(self, node: int) -> str:
        """The string value of a node."""
        tree = self.tree
        if tree.tag[node] == TEXT:
            return tree.text[node]
        return "".join(tree.text[place] for place in range(node, tree.end[node]) if tree.tag[place] == TEXT)

    def sibling(self, node: int, tag: str) -> int | None:
        """The nearest sibling of this tag before a node."""
        parent = self.tree.parent[node]
        if parent < 0:
            return None
        fellows = self._siblings.get((parent, tag))
        if fellows is None:
            fellows = [child for child in self.tree.children(parent) if self.tree.tag[child] == tag]
            self._siblings[parent, tag] = fellows
        place = bisect_left(fellows, node)
        return fellows[place - 1] if place else None


_TEXTS: WeakKeyDictionary[Tree, list[int]] = WeakKeyDictionary()


def beginning_of(tree: Tree, node: int, letters: int) -> str:
    """The beginning of a node's string value, its white space normalised: so many letters at least, if it has them.

    Where texts stand is looked up once: elements around each other ask for the same ones again and again.
    """
    texts = _TEXTS.get(tree)
    if texts is None:
        texts = _TEXTS[tree] = [place for place, tag in enumerate(tree.tag) if tag == TEXT]
    found, end = "", tree.end[node]
    for number in range(bisect_left(texts, node), len(texts)):
        if texts[number] >= end or len(found) > letters:
            break
        text = tree.text[texts[number]]
        start = text[: 4 * letters + _FEW]
        if len(start) < len(text) and len(normalise(start)) <= letters:
            start = text  # nearly all of it is blank
        found = _BLANK.sub(" ", found + start).lstrip(" ")
    return found.rstrip(" ")


Evaluate = Callable[[View, int, int, int], Value]
"""The value of a term at a node, given its position among its fellows and their number."""


@dataclass(frozen=True, eq=False)
class Term:
    """A part of a predicate."""

    kind: Kind
    evaluate: Evaluate
    constant: str | float | None = None
    """The value, where it is the same everywhere."""
    positional: bool = False
    """Whether the position or the number of fellows is asked for."""
    needs: frozenset[str] | None = None
    """Attributes of which a node has at least one wherever the term is true; None when it may be true without."""
    css: str | None = None
    """A selector that chooses every node for which the term is true, and perhaps more: the parser is quick at that."""
    attribute: str | None = None
    """The attribute that this is the value of, as it stands or by way of `tokens`."""
    tokens: Literal["", "normalised", "padded"] = ""
    """How far this is on the way to `concat(' ', normalize-space(@class), ' ')`."""
    own: Literal["", "text", "normalised"] = ""
    """Whether this is the text of the node itself, as it stands or normalised."""
    name: tuple[str, str] | None = None
    """An attribute and its value, for `class` a token of it, that a node has wherever the term is true."""


def normalise(value: str) -> str:
    """XPath's normalize-space."""
    return _BLANK.sub(" ", value).strip(" ")


def string(value: str) -> Term:
    return Term("string", lambda view, node, position, size: value, constant=value)


def number(value: float) -> Term:
    return Term("number", lambda view, node, position, size: value, constant=value)


def attribute(name: str) -> Term:
    def evaluate(view: View, node: int, position: int, size: int) -> Value:
        found = view.attributes[node]
        return found[name] or "" if name in found else None

    return Term("attribute", evaluate, needs=frozenset([name]), attribute=name)


OWN = Term("node", lambda view, node, position, size: view.string(node), own="text")
"""`.`, the node itself."""


def sibling(tag: str) -> Term:
    """`preceding-sibling::tag[1]`."""

    def evaluate(view: View, node: int, position: int, size: int) -> Value:
        found = view.sibling(node, tag)
        return None if found is None else view.string(found)

    return Term("node", evaluate)


def path(leads: Callable[[View, int], bool]) -> Term:
    """A path from the node downwards, of which is asked whether anything is at its end."""
    return Term("path", lambda view, node, position, size: leads(view, node))


POSITION = Term("number", lambda view, node, position, size: position, positional=True)
LAST = Term("number", lambda view, node, position, size: size, positional=True)
LEVEL = Term("number", lambda view, node, position, size: view.level(node))


def as_boolean(term: Term) -> Term:
    if term.kind == "boolean":
        return term
    inner = term.evaluate
    if term.kind == "attribute":
        name = cast(str, term.attribute)
        return Term("boolean", lambda view, node, position, size: name in view.attributes[node], needs=term.needs)
    if term.kind == "node":
        return Term("boolean", lambda *place: inner(*place) is not None)
    if term.kind == "path":
        return Term("boolean", inner)
    if term.kind == "string":
        return Term("boolean", lambda *place: inner(*place) != "", positional=term.positional)
    return Term("boolean", lambda *place: inner(*place) != 0, positional=term.positional)


def as_predicate(term: Term) -> Term:
    """What decides in brackets: a number is a position."""
    return comparison("=", POSITION, term) if term.kind == "number" else as_boolean(term)


def as_string(term: Term) -> Term:
    if term.kind == "string":
        return term
    if term.constant is not None:
        return string(_shown(term.constant))
    inner = term.evaluate
    return Term(
        "string",
        lambda *place: _shown(inner(*place)),
        positional=term.positional,
        attribute=term.attribute,
        own=term.own,
    )


def conjunction(terms: list[Term]) -> Term:
    tests = [term.evaluate for term in map(as_boolean, terms)]
    return Term(
        "boolean",
        lambda *place: all(test(*place) for test in tests),
        positional=any(term.positional for term in terms),
        needs=next((term.needs for term in map(as_boolean, terms) if term.needs is not None), None),
        css="".join(term.css for term in map(as_boolean, terms) if term.css) or None,
        name=next((term.name for term in terms if term.name is not None), None),
    )


def disjunction(terms: list[Term]) -> Term:
    tests = [term.evaluate for term in map(as_boolean, terms)]
    needs = [term.needs for term in map(as_boolean, terms)]
    known = [names for names in needs if names is not None]
    return Term(
        "boolean",
        lambda *place: any(test(*place) for test in tests),
        positional=any(term.positional for term in terms),
        needs=frozenset().union(*known) if len(known) == len(needs) else None,
    )


def negation(term: Term) -> Term:
    test = as_boolean(term).evaluate
    return Term("boolean", lambda *place: not test(*place), positional=term.positional)


def concatenation(terms: list[Term]) -> Term:
    parts = [as_string(term) for term in terms]
    if all(part.constant is not None for part in parts):
        return string("".join(cast(str, part.constant) for part in parts))
    inner = [part.evaluate for part in parts]
    padded = len(parts) == 3 and parts[0].constant == parts[2].constant == " " and parts[1].tokens == "normalised"
    return Term(
        "string",
        lambda *place: "".join(cast(str, part(*place)) for part in inner),
        positional=any(part.positional for part in parts),
        attribute=parts[1].attribute if padded else None,
        tokens="padded" if padded else "",
    )


def normalisation(term: Term) -> Term:
    text = as_string(term)
    inner = text.evaluate
    return Term(
        "string",
        lambda *place: normalise(cast(str, inner(*place))),
        positional=text.positional,
        attribute=text.attribute,
        tokens="normalised" if text.attribute and not text.tokens else "",
        own="normalised" if text.own else "",
    )


def containment(whole: Term, part: Term) -> Term:
    token = part.constant
    if (
        whole.tokens == "padded"
        and whole.attribute
        and isinstance(token, str)
        and re.fullmatch(r" [^ \t\r\n]+ ", token)
    ):
        return _has_token(whole.attribute, token)
    return _found_in(as_string(whole), as_string(part), operator.contains, "*=")


def beginning(whole: Term, part: Term) -> Term:
    said = part.constant
    if whole.own == "normalised" and isinstance(said, str):  # of a long text only the beginning is read
        return Term("boolean", lambda view, node, *_: beginning_of(view.tree, node, len(said)).startswith(said))
    return _found_in(as_string(whole), as_string(part), str.startswith, "^=")


def _found_in(whole: Term, part: Term, found: Callable[[str, str], bool], sign: str) -> Term:
    left, right = whole.evaluate, part.evaluate
    plain = whole.attribute and not whole.tokens and part.constant
    return Term(
        "boolean",
        lambda *place: found(cast(str, left(*place)), cast(str, right(*place))),
        positional=whole.positional or part.positional,
        # What a missing attribute leaves is '', and nothing but '' is found in that.
        needs=frozenset([whole.attribute]) if whole.attribute and plain else None,
        css=_selector(whole.attribute, sign, part.constant) if plain else None,
    )


def _has_token(name: str, padded: str) -> Term:
    """`contains(concat(' ', normalize-space(@name), ' '), ' token ')`, looking closely only where it may be true."""
    token = padded.strip(" ")

    def evaluate(view: View, node: int, position: int, size: int) -> Value:
        value = view.attributes[node].get(name)
        return value is not None and token in value and (value == token or padded in f" {normalise(value)} ")

    return Term(
        "boolean",
        evaluate,
        needs=frozenset([name]),
        css=_selector(name, "~=", token),
        name=(name, token) if name == "class" else None,
    )


def _selector(name: str | None, sign: str, value: str | float | None) -> str | None:
    """The same test in CSS, if name and value are such that nobody need think about escapes and letter case."""
    if name and isinstance(value, str) and _PLAIN_NAME.fullmatch(name) and _PLAIN_VALUE.fullmatch(value):
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


def comparison(sign: str, left: Term, right: Term) -> Term:
    """XPath 1.0, section 3.4: for equality booleans before numbers before strings, for order numbers alone.

    A missing attribute compares to nothing, except to a boolean: it is false.
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

    def evaluate(view: View, node: int, position: int, size: int) -> Value:
        one, other = first(view, node, position, size), second(view, node, position, size)
        if one is None or other is None:
            return False
        return compare(_number(one), _number(other)) if as_numbers else compare(one, other)

    if sign == "=" and kinds == {"attribute", "string"}:
        name, constant = left.attribute or right.attribute, left.constant or right.constant
        if name and constant:  # the commonest of all, and so written for speed
            return Term(
                "boolean",
                lambda view, node, *_: view.attributes[node].get(name) == constant,
                needs=needs,
                css=_selector(name, "=", constant),
                name=(name, str(constant)) if name != "class" else None,
            )
    return Term("boolean", evaluate, positional=left.positional or right.positional, needs=needs)


def _number(value: str | float) -> float:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else float("nan")
    return float(value)


def _shown(value: Value) -> str:
    """XPath's string(): numbers without an exponent, whole ones without a point."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if math.isinf(value):
        return "Infinity"
    return str(int(value)) if value == int(value) else format(Decimal(repr(value)), "f")
