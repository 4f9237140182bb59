"""Broken JSON read as it was meant, where there is but one way to mean it.

Pages wrap their JSON-LD in comments, leave a comma before a bracket or a semicolon at the end, break strings over
lines, escape what needs no escape, write `&quot;` for quotes, or put two objects one after the other. All these are
mended. What is cut off, or wrong in another way, is left alone.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Final

from duramen.metadata.json_scan import Scan, brackets, whole

_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*$"
)
_WRAPPED: Final = "</>"
"""What wrappings begin and end with, and no JSON."""
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_STRING_OR_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL)
_LAST_COMMA = re.compile(r",\s*[}\]]")
_WRONG_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')

# Python's decoder recurses: what is nested deeper than this is no description.
_DEEPEST: Final = 200


def loads(text: str, scan: Scan = whole) -> list[Any]:
    """The values in a JSON text, mended where that is safe; none where it cannot be read. `scan` reads each."""
    if _depth(text) > _DEEPEST:
        return []
    text = text.strip()
    try:
        return _values(text, scan)
    except ValueError:
        mended = _mended(text)
    try:
        return [] if mended == text else _values(mended, scan)
    except ValueError:
        return []


def _values(text: str, scan: Scan) -> list[Any]:
    """One value after the other, with nothing but spaces, commas and semicolons between."""
    found, at = [], 0
    while at < len(text):
        try:
            value, at = scan(text, at)
        except StopIteration:
            raise ValueError("there is no JSON here") from None
        found.append(value)
        while at < len(text) and (text[at].isspace() or text[at] in ",;"):
            at += 1
    return found


def _mended(text: str) -> str:
    if text[:1] in _WRAPPED or text[-1:] in _WRAPPED:
        text = _WRAPPING.sub("", text)
        text = _WRAPPING.sub("", text).strip()
    if '"' not in text and "&quot;" in text:
        text = unescape(text)
    # Without either, no string need be looked at.
    return _STRING_OR_COMMA.sub(_mend, text) if "\\" in text or _LAST_COMMA.search(text) else text


def _mend(match: re.Match[str]) -> str:
    found = match[0]
    return "" if found == "," else _WRONG_ESCAPE.sub(r"\\\\", found) if "\\" in found else found


def _depth(text: str) -> int:
    """How deep the brackets nest, at most: those in strings count too, which is too many and does no harm."""
    if brackets(text) <= _DEEPEST:
        return 0
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
