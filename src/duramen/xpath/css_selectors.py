"""XPath expressions as CSS selectors, where CSS can express them.

CSS has steps down the tree, tags, classes, attributes, `:not([class])`, the position among siblings of one tag, and the
condition that an element has something in it. It has no conditions on text, and no position among elements of a class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_CLASS_TEST = re.compile(r"contains\(concat\(' ', normalize-space\(@([\w-]+)\), ' '\), (['\"]) ([^'\"\s]+) \2\)")
_ATTRIBUTE_TEST = re.compile(r"@([\w-]+)=(['\"])([^'\"]*)\2")
_NO_ATTRIBUTE_TEST = re.compile(r"not\(@([\w-]+)\)")
_NAME = re.compile(r"\*|[A-Za-z][A-Za-z0-9-]*")
_OPENING, _CLOSING, _QUOTES = "[(", "])", "'\""
_AND: Final = " and "


def to_css(expression: str) -> str | None:
    """Return a location path as a CSS selector; None if CSS cannot express it.

    A path that begins with a point is relative: its selector begins with `:scope`.
    """
    if expression == ".":
        return ":scope"
    is_relative = expression.startswith(".")
    return _convert_path(expression[is_relative:], ":scope" if is_relative else "")


def _convert_path(path: str, start: str) -> str | None:
    """Convert steps that begin with a slash each, after a selector."""
    css = start
    for separator, step in _split_steps(path):
        converted = _convert_step(step)
        if converted is None:
            return None
        if not css:
            css = converted if separator == "//" else f"{converted}:root"
        else:
            css += f" {converted}" if separator == "//" else f" > {converted}"
    return css or None


def _split_steps(path: str) -> Iterator[tuple[str, str]]:
    """Yield the slashes before each step, and the step."""
    slashes, step, depth, quote = "", "", 0, ""
    for character in path:
        if quote:
            quote = "" if character == quote else quote
        elif character in _QUOTES:
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == "/" and not depth:
            if step:
                yield slashes, step
                slashes, step = "", ""
            slashes += "/"
            continue
        step += character
    if step:
        yield slashes, step


def _convert_step(step: str) -> str | None:
    name = _NAME.match(step)
    if name is None:
        return None
    css, rest = name[0], step[name.end() :]
    predicates = list(_split_predicates(rest))
    if "".join(f"[{predicate}]" for predicate in predicates) != rest:
        return None  # an axis, a function, a comparison
    for number, predicate in enumerate(predicates):
        if predicate.isdigit():
            if css == "*" or number:
                return None  # a position counts only the elements that fit the tests before it
            css += f":nth-of-type({predicate})"
            continue
        for test in predicate.split(_AND):
            converted = _convert_test(test)
            if converted is None:
                return None
            css += converted
    return css


def _split_predicates(text: str) -> Iterator[str]:
    """Yield what is in the outer brackets of a step."""
    start, depth, quote = 0, 0, ""
    for place, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in _QUOTES:
            quote = character
        elif character in _OPENING:
            depth += 1
            start = place + 1 if depth == 1 else start
        elif character in _CLOSING:
            depth -= 1
            if not depth:
                yield text[start:place]


def _convert_test(test: str) -> str | None:
    if match := _CLASS_TEST.fullmatch(test):
        return f'[{match[1]}~="{_escape(match[3])}"]'
    if match := _ATTRIBUTE_TEST.fullmatch(test):
        return f'[{match[1]}="{_escape(match[3])}"]'
    if match := _NO_ATTRIBUTE_TEST.fullmatch(test):
        return f":not([{match[1]}])"
    if test.startswith("not(") and test.endswith(")"):
        inner = _convert_test(test[4:-1])
        return f":not({inner})" if inner else None
    if _NAME.match(test) and not re.match(r"[\w-]+\(", test):
        content = _convert_path(f"/{test}", ":scope")
        return f":has({content.removeprefix(':scope ')})" if content else None
    return None


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\")
