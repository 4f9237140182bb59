"""Read JSON from web pages, and repair the errors that have only one sensible meaning.

Pages wrap their JSON-LD in comments, leave a comma before a bracket or a semicolon at the end, break strings over
lines, escape what needs no escape, write `&quot;` for quotes, or write two objects one after the other. All these are
repaired. JSON that is cut off or broken in another way is not read.
"""

from __future__ import annotations

import re
from html import unescape
from json import JSONDecoder
from typing import Any, Final

_COMMENT_WRAPPER = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*$"
)
_WRAPPER_CHARS: Final = "</>"
"""Wrappers begin or end with one of these; JSON does not."""
# A string that is not closed ends with the text. Otherwise a match would be tried at each quote, in quadratic time.
_STRING: Final = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_STRING_OR_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL)
_TRAILING_COMMA = re.compile(r",\s*[}\]]")
_WRONG_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')

_MAX_DEPTH: Final = 200
"""Python's decoder is recursive. Deeper JSON is not read."""
_decode: Final = JSONDecoder(strict=False).raw_decode  # not strict: allows line breaks inside strings


def load_json_values(text: str) -> list[Any]:
    """Return the values in a JSON text, repaired if necessary; an empty list if it cannot be read."""
    if _max_depth(text) > _MAX_DEPTH:
        return []
    text = text.strip()
    try:
        return _read_values(text)
    except ValueError:
        repaired = _repair(text)
    try:
        return [] if repaired == text else _read_values(repaired)
    except ValueError:
        return []


def _read_values(text: str) -> list[Any]:
    """Read values that are separated by spaces, commas and semicolons only."""
    values, at = [], 0
    while at < len(text):
        value, at = _decode(text, at)
        values.append(value)
        while at < len(text) and (text[at].isspace() or text[at] in ",;"):
            at += 1
    return values


def _repair(text: str) -> str:
    if text[:1] in _WRAPPER_CHARS or text[-1:] in _WRAPPER_CHARS:
        text = _COMMENT_WRAPPER.sub("", text)
        text = _COMMENT_WRAPPER.sub("", text).strip()
    if '"' not in text and "&quot;" in text:
        text = unescape(text)
    if "\\" in text or _TRAILING_COMMA.search(text):
        text = _STRING_OR_COMMA.sub(_repair_match, text)
    return text


def _repair_match(match: re.Match[str]) -> str:
    text = match[0]
    return "" if text == "," else _WRONG_ESCAPE.sub(r"\\\\", text) if "\\" in text else text


def _max_depth(text: str) -> int:
    """Return how deep the brackets nest, or 0 if that cannot be too deep. Brackets in strings count too."""
    if text.count("{") + text.count("[") <= _MAX_DEPTH:
        return 0
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
