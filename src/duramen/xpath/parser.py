"""Parse the text of an expression into paths of steps.

A recursive-descent parser for a subset of XPath 1.0. Anything outside the subset is an error with its position. Nesting
is limited, because an expression may come from a file of unknown origin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NoReturn

from duramen.errors import UsageError
from duramen.xpath import predicates as terms
from duramen.xpath.predicates import PredicateTerm, TreeView

MAX_NESTING = 30
"""Levels of parentheses and functions."""

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    r"|(?P<literal>'[^']*'|\"[^\"]*\")"
    r"|(?P<name>[^\W\d][\w.\-]*)"
    r"|(?P<sign>//|::|\.\.|!=|<=|>=|[/|\[\]()@,.:=<>*+\-$])"
    r"|(?P<end>\Z))"
)

_ARGUMENT_COUNTS = {
    "position": (0, 0),
    "last": (0, 0),
    "count": (1, 1),
    "contains": (2, 2),
    "starts-with": (2, 2),
    "concat": (2, 1_000),
    "normalize-space": (1, 1),
    "not": (1, 1),
}
"""The functions, each with its minimal and maximal number of arguments."""


@dataclass(frozen=True, eq=False)
class LocationStep:
    """One step of a path."""

    axis: Literal["child", "descendant", "self"]
    test: Literal["name", "any", "text", "attribute"]
    name: str = ""
    predicates: tuple[PredicateTerm, ...] = ()
    end: int = 0
    """The position after the step in the text of the expression."""


@dataclass(frozen=True, eq=False)
class LocationPath:
    """Steps from the document, or from the context node."""

    absolute: bool
    steps: tuple[LocationStep, ...]


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: int


Follow = Callable[[TreeView, Sequence[LocationStep], int], list[int]]
"""Returns the nodes that steps select from a node."""


def parse(expression: str, follow: Follow) -> tuple[LocationPath, ...]:
    """Return the paths of an expression, joined by `|`; `follow` evaluates paths inside predicates."""
    return _Parser(expression, follow).union()


def _tokens(expression: str) -> list[_Token]:
    tokens: list[_Token] = []
    place = 0
    while not tokens or tokens[-1].kind != "end":
        match = _TOKEN.match(expression, place)
        if match is None:
            place += len(expression[place:]) - len(expression[place:].lstrip(" \t\r\n"))
            quote = expression[place]
            what = f"the quote {quote} is never closed" if quote in "'\"" else f"{quote!r} is not understood"
            raise _error(expression, what, place)
        kind = str(match.lastgroup)
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        place = match.end()
    return tokens


def _error(expression: str, what: str, place: int) -> UsageError:
    rest = expression[place : place + 30]
    where = f"at character {place + 1}, before {rest!r}" if rest else "at its end"
    shown = expression if len(expression) <= 200 else expression[:200] + "…"
    return UsageError(f"XPath {shown!r}: {what}, {where}")


class _Parser:
    def __init__(self, expression: str, follow: Follow) -> None:
        self.expression = expression
        self.follow = follow
        self.tokens = _tokens(expression)
        self.index = 0
        self.depth = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def fail(self, what: str, token: _Token | None = None) -> NoReturn:
        raise _error(self.expression, what, (token or self.token).place)

    def take(self, *texts: str) -> str:
        """Consume the next token if it is one of these, and return it; else return ""."""
        token = self.token
        if token.text in texts and token.kind in ("sign", "name"):
            self.index += 1
            return token.text
        return ""

    def expect(self, text: str) -> None:
        if not self.take(text):
            self.fail(f"{text!r} is expected")

    def union(self) -> tuple[LocationPath, ...]:
        paths = [self.path()]
        while self.take("|"):
            paths.append(self.path())
        if self.token.kind != "end":
            self.fail("this is outside what duramen reads of XPath")
        return tuple(paths)

    def path(self) -> LocationPath:
        start = self.take("//", "/")
        steps: list[LocationStep] = []
        if not start and self.take("."):
            steps.append(LocationStep("self", "any"))
            if not (slash := self.take("//", "/")):
                return LocationPath(absolute=False, steps=tuple(steps))
        else:
            slash = start or "/"
        while True:
            step = self.step("descendant" if slash == "//" else "child")
            here = self.token
            steps.append(replace(step, end=here.place))
            if not (slash := self.take("//", "/")):
                return LocationPath(absolute=bool(start), steps=tuple(steps))
            if steps[-1].test == "attribute":
                self.fail("an attribute is the last step", here)

    def step(self, axis: Literal["child", "descendant"]) -> LocationStep:
        if self.take("@"):
            name = self.name("an attribute's name")
            if self.token.text == "[":
                self.fail("an attribute takes no predicate here")
            return LocationStep(axis, "attribute", name)
        if self.take("*"):
            return LocationStep(axis, "any", predicates=self.predicates())
        first = self.token
        name = self.name("a tag, '*', 'text()' or '@name'")
        if self.token.text == "(" and self.token.kind == "sign":
            if name != "text":
                self.fail(f"'{name}()' is not a step that duramen reads", first)
            self.expect("(")
            self.expect(")")
            return LocationStep(axis, "text", predicates=self.predicates())
        return LocationStep(axis, "name", name, self.predicates())

    def name(self, expected: str) -> str:
        token = self.token
        if token.kind != "name":
            self.fail(f"{expected} is expected")
        self.index += 1
        if self.token.kind == "sign" and self.token.text in (":", "::"):
            self.fail("prefixes are not read" if self.token.text == ":" else "axes are not read", token)
        return token.text

    def predicates(self) -> tuple[PredicateTerm, ...]:
        predicates = []
        while self.take("["):
            predicates.append(terms.as_predicate(self.disjunction()))
            self.expect("]")
        return tuple(predicates)

    def disjunction(self) -> PredicateTerm:
        operands = [self.conjunction()]
        while self.take("or"):
            operands.append(self.conjunction())
        return operands[0] if len(operands) == 1 else terms.disjunction(operands)

    def conjunction(self) -> PredicateTerm:
        operands = [self.comparison()]
        while self.take("and"):
            operands.append(self.comparison())
        return operands[0] if len(operands) == 1 else terms.conjunction(operands)

    def comparison(self) -> PredicateTerm:
        token = self.token
        left = self.operand()
        if not (sign := self.take("=", "!=", "<", "<=", ">", ">=")):
            return left
        right = self.operand()
        self.refuse_paths([left, right], token)
        compared = terms.comparison(sign, left, right)
        if self.token.kind == "sign" and self.token.text in ("=", "!=", "<", "<=", ">", ">="):
            self.fail("a comparison of comparisons is not read")
        return compared

    def operand(self) -> PredicateTerm:
        token = self.token
        match token.kind:
            case "number":
                self.index += 1
                return terms.number(float(token.text))
            case "literal":
                self.index += 1
                return terms.string(token.text[1:-1])
            case "name":
                following = self.tokens[self.index + 1]
                if following.kind == "sign" and following.text == "(":
                    return self.function()
                return self.sibling() if following.text == "::" else self.children()
        if token.kind == "sign" and token.text == "*":
            return self.children()
        if self.take("."):
            if self.token.kind == "sign" and self.token.text in ("/", "//"):
                self.fail("a path inside a predicate begins with a child")
            return terms.OWN
        if self.take("@"):
            return terms.attribute(self.name("an attribute's name"))
        if self.take("("):
            self.enter(token)
            inner = self.disjunction()
            self.expect(")")
            self.depth -= 1
            return inner
        raise _error(self.expression, "a condition is expected", token.place)

    def sibling(self) -> PredicateTerm:
        """Parse `preceding-sibling::tag[1]`, the only axis of the subset."""
        token = self.token
        if not self.take("preceding-sibling"):
            self.fail("of axes only 'preceding-sibling::tag[1]' is read")
        self.expect("::")
        tag = self.token
        if tag.kind != "name":
            self.fail("a tag is expected")
        self.index += 1
        for wanted in ("[", "1", "]"):
            if self.token.text != wanted:
                self.fail("of axes only 'preceding-sibling::tag[1]' is read", token)
            self.index += 1
        return terms.sibling(tag.text)

    def children(self) -> PredicateTerm:
        """Parse a path from child to child. `//` is not allowed: it would search all below each of many elements."""
        self.enter(self.token)
        steps: list[LocationStep] = []
        while not steps or self.take("/"):
            if self.token.text == "@":
                self.fail("a path inside a predicate ends with an element")
            steps.append(self.step("child"))
        if self.token.kind == "sign" and self.token.text == "//":
            self.fail("a path inside a predicate goes from child to child")
        self.depth -= 1
        follow, path = self.follow, tuple(steps)
        return terms.path(lambda view, node: bool(follow(view, path, node)))

    def function(self) -> PredicateTerm:
        token = self.token
        self.index += 1
        self.expect("(")
        name = token.text
        if name not in _ARGUMENT_COUNTS:
            self.fail(f"the function '{name}' is not read", token)
        self.enter(token)
        arguments = [] if name == "count" or self.token.text == ")" else [self.disjunction()]
        while arguments and self.take(","):
            arguments.append(self.disjunction())
        if name == "count":
            self.expect_ancestors()
        self.expect(")")
        min_count, max_count = _ARGUMENT_COUNTS[name]
        if name != "count" and not min_count <= len(arguments) <= max_count:
            wanted = str(min_count) if min_count == max_count else f"{min_count} or more"
            self.fail(f"'{name}' takes {wanted} arguments", token)
        self.depth -= 1
        if name != "not":
            self.refuse_paths(arguments, token)
        return _call(name, arguments)

    def refuse_paths(self, operands: list[PredicateTerm], token: _Token) -> None:
        if any(term.kind == "path" for term in operands):
            self.fail("of a path inside a predicate can only be asked whether it leads anywhere", token)

    def expect_ancestors(self) -> None:
        """Parse `ancestor::*`, the only thing that can be counted."""
        for wanted in ("ancestor", "::", "*"):
            if not self.take(wanted):
                self.fail("only 'ancestor::*' can be counted")

    def enter(self, token: _Token) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"nested deeper than {MAX_NESTING}", token)


def _call(name: str, arguments: list[PredicateTerm]) -> PredicateTerm:
    match name:
        case "position":
            return terms.POSITION
        case "last":
            return terms.LAST
        case "count":
            return terms.LEVEL
        case "contains":
            return terms.contains(*arguments)
        case "starts-with":
            return terms.starts_with(*arguments)
        case "concat":
            return terms.concatenation(arguments)
        case "normalize-space":
            return terms.normalization(*arguments)
    return terms.negation(*arguments)
