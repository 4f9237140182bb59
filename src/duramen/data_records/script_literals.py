"""Literals of JavaScript: read objects, lists, texts and numbers of a script without running it.

The state of a page is often JSON but for a few words: keys without quotes, `undefined`, `!0`, texts in single quotes.
Nuxt 2 writes it as a call, `(function(a,b){return {name:a}}("Oak",1))`, whose arguments stand for values that occur
several times. Anything else (other calls, templates, expressions) is not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<text>"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*')
    | (?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)
    | (?P<word>void\ 0|!0|!1|[A-Za-z_$][\w$]*)
    | (?P<sign>[{}\[\],:])
    )""",
    re.VERBOSE | re.DOTALL,
)
_CALL = re.compile(r"\(\s*function\s*\(([\w$,\s]*)\)\s*\{\s*return\s*")
_ARGUMENTS = re.compile(r"\s*;?\s*\}\s*\)?\s*\(")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ESCAPED_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS: Final[dict[str, Any]] = {
    "true": True,
    "!0": True,
    "false": False,
    "!1": False,
    "null": None,
    "undefined": None,
    "void 0": None,
    "NaN": None,
}
_NO_KEY: Final = object()


class ScriptLiteralError(ValueError):
    """The text is no literal."""


def read_literal(text: str, begin: int = 0, variables: Mapping[str, Any] | None = None) -> tuple[Any, int]:
    """The value at a position, and the position after it. Raises `ScriptLiteralError` if it is no literal."""
    known = {**_WORDS, **(variables or {})}
    root: list[Any] = []
    stack: list[tuple[Any, Any]] = [(root, _NO_KEY)]
    position, needs_value = begin, True
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ScriptLiteralError(f"no literal at character {position}")
        position = match.end()
        container, key = stack[-1]
        sign = match["sign"]
        if isinstance(container, dict) and key is _NO_KEY and sign not in ("}", ","):
            if sign is not None:
                raise ScriptLiteralError(f"no key before character {position}")
            name = unquote(match["text"]) if match["text"] else match["number"] or match["word"]
            colon = _TOKEN.match(text, position)
            if colon is None or colon["sign"] != ":":
                raise ScriptLiteralError(f"no colon at character {position}")
            stack[-1], position, needs_value = (container, name), colon.end(), True
            continue
        if sign in ("}", "]"):
            if len(stack) == 1 or isinstance(container, dict) != (sign == "}") or key is not _NO_KEY:
                raise ScriptLiteralError(f"an unexpected {sign} before character {position}")
            stack.pop()
            needs_value = False
        elif sign == ",":
            if needs_value and isinstance(container, list):
                container.append(None)  # a hole
            needs_value = isinstance(container, list)
        else:
            if not needs_value or sign == ":":
                raise ScriptLiteralError(f"two values before character {position}")
            value: Any
            if sign is not None:
                value = {} if sign == "{" else []
            elif match["text"] is not None:
                value = unquote(match["text"])
            elif match["number"] is not None:
                value = float(match["number"]) if set(match["number"]) & set(".eE") else int(match["number"][:300])
            elif match["word"] in known:
                value = known[match["word"]]
            else:
                raise ScriptLiteralError(f"an unknown name before character {position}: {match['word'][:40]}")
            if isinstance(container, dict):
                container[key] = value
                stack[-1] = container, _NO_KEY
            else:
                container.append(value)
            needs_value = False
            if sign is not None:
                stack.append((value, _NO_KEY))
                needs_value = True
        if len(stack) == 1:
            return root[0], position


def read_call(text: str, begin: int) -> tuple[Any, int]:
    """The value of a call of a function that only returns a literal, and the position after its arguments."""
    head = _CALL.match(text, begin)
    if head is None:
        raise ScriptLiteralError(f"no call at character {begin}")
    names = [name.strip() for name in head[1].split(",") if name.strip()]
    # The arguments follow the value in which they are used: its end is found first, with all names as unknown.
    _, end = read_literal(text, head.end(), dict.fromkeys(names))
    arguments = _ARGUMENTS.match(text, end)
    if arguments is None:
        raise ScriptLiteralError(f"no arguments at character {end}")
    values, after = read_literal(f"[{text[arguments.end() : _find_end(text, arguments.end())]}]")
    return read_literal(text, head.end(), dict(zip(names, values, strict=False)))[0], arguments.end() + after


def _find_end(text: str, begin: int) -> int:
    """The position of the parenthesis that ends the arguments of a call."""
    position = begin
    while match := _TOKEN.match(text, position):
        position = match.end()
    return position


def unquote(text: str) -> str:
    """The text of a literal in quotes."""
    if text.startswith('"'):
        try:
            return str(json.JSONDecoder(strict=False).decode(text))
        except ValueError:
            pass  # an escape that JSON does not have: `\x3c`
    unescaped = _ESCAPE.sub(_unescape, text[1:-1])
    return _SURROGATES.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), unescaped)


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= 0x10FFFF else ""
    return _ESCAPED_SIGNS.get(match[4], match[4])
