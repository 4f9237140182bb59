"""State of scripts: the values that a page hands to its scripts, read without running them.

- JSON, or nearly JSON, in a script or assigned to a variable: Next's `__NEXT_DATA__`, Apollo, Redux, Nuxt 2.
- `JSON.parse("…")` of a text.
- Nuxt 3, `__NUXT_DATA__`: a list in which numbers are the positions of values (the format of `devalue`).
- Next with the app router: `self.__next_f.push([1, "…"])`. The texts of all calls are one stream of rows,
  `1f:{"name": …}`, which refer to each other by `$1f`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from duramen.data_records.script_literals import ScriptLiteralError, read_call, read_literal, unquote

MAX_ASSIGNMENTS: Final = 50
"""Assignments of a script that are tried."""
MAX_FAILURES: Final = 4
"""Values of a script that cannot be read before the rest is left alone: each may cost the whole text."""
MAX_REFERENCES: Final = 100_000
"""References between rows that are replaced on one page."""

_ASSIGNMENT = re.compile(
    r"(?:\b(?:window|self|globalThis)\s*(?:\.\s*\w+|\[\s*[\"']\w+[\"']\s*\])|\b(?:var|let|const)\s+\w+)\s*=\s*(?=[{\[(J])"
)
_JSON_PARSE = re.compile(r"""JSON\.parse\(\s*(?P<text>"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*')""", re.DOTALL)
_FLIGHT_PUSH = re.compile(r"__next_f\s*(?:\|\|\s*\[\s*\]\s*\))?\s*\.\s*push\(\s*(?=\[)")
_FLIGHT_ROW = re.compile(rb"([0-9a-f]*):([A-Z]*)")
_FLIGHT_REFERENCE = re.compile(r"\$L?([0-9a-f]+)")
_DEVALUE_ALIASES: Final = frozenset("Ref ShallowRef Reactive ShallowReactive Object Island".split())
_DEVALUE_TEXTS: Final = frozenset("Date BigInt URL".split())


def read_json(text: str) -> Any:
    """The first value that a script is, or assigns to a variable; None if there is none."""
    return next(read_state(text), None)


def read_state(text: str) -> Iterator[Any]:
    """The values that a script is, or assigns to variables."""
    begin = len(text) - len(text.lstrip())
    if text[begin : begin + 1] in ("{", "["):
        value, _ = _read_value(text, begin)
        if value is not None:
            yield value
        return
    failures = 0
    for _ in range(MAX_ASSIGNMENTS):
        match = _ASSIGNMENT.search(text, begin)
        if match is None:
            return
        value, begin = _read_value(text, match.end())
        if value is not None:
            yield value
            continue
        begin, failures = match.end(), failures + 1
        if failures > MAX_FAILURES:
            return


def _read_value(text: str, begin: int) -> tuple[Any, int]:
    """The value at a position, and the position after it; None if it cannot be read."""
    try:
        if text[begin] == "J":
            parsed = _JSON_PARSE.match(text, begin)
            return (_decode(unquote(parsed["text"]), 0)[0], parsed.end()) if parsed else (None, begin)
        if text[begin] == "(":
            return read_call(text, begin)
        try:
            return _decode(text, begin)
        except ValueError:
            return read_literal(text, begin)
    except (ValueError, RecursionError):  # a script may hold anything; ScriptLiteralError is a ValueError
        return None, begin


def _decode(text: str, begin: int) -> tuple[Any, int]:
    return json.JSONDecoder(strict=False).raw_decode(text, begin)


def read_nuxt_data(text: str) -> Any:
    """The value that Nuxt 3 writes as a list of values that refer to each other; None if it is none."""
    try:
        values = _decode(text.strip(), 0)[0]
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, list) or not values:
        return None
    built = [_build_empty(value) for value in values]
    aliases = {
        place: value[1]
        for place, value in enumerate(values)
        if isinstance(value, list) and len(value) == 2 and value[0] in _DEVALUE_ALIASES and isinstance(value[1], int)
    }

    def resolve(place: Any) -> Any:
        for _ in range(4):  # `Reactive` of `Ref` is the deepest that Nuxt writes
            if place not in aliases:
                break
            place = aliases[place]
        return built[place] if isinstance(place, int) and 0 <= place < len(built) else None

    for place, value in enumerate(values):
        target = built[place]
        if isinstance(value, dict):
            target.update((key, resolve(inner)) for key, inner in value.items())
        elif isinstance(value, list):
            if value and isinstance(value[0], str):
                if value[0] in ("Map", "null") and isinstance(target, dict):
                    target.update(
                        (str(resolve(key) if value[0] == "Map" else key), resolve(inner))
                        for key, inner in zip(value[1::2], value[2::2], strict=False)
                    )
                elif isinstance(target, list):
                    target.extend(resolve(inner) for inner in value[1:])
            else:
                target.extend(resolve(inner) for inner in value)
    return resolve(0)


def _build_empty(value: Any) -> Any:
    """The value without its members, which are filled in when all values exist."""
    if isinstance(value, dict):
        return {}
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], str):
        if value[0] in _DEVALUE_TEXTS:
            return value[1] if len(value) > 1 else None
        return {} if value[0] in ("Map", "null") else []
    return []


def is_flight(text: str) -> bool:
    """True for a script that adds to the stream of Next's app router."""
    return _FLIGHT_PUSH.search(text, 0, 200) is not None


def join_flight(texts: Sequence[str]) -> str:
    """The stream that the scripts of Next's app router write."""
    pieces = []
    for text in texts:
        match = _FLIGHT_PUSH.search(text)
        while match is not None:
            try:
                value, end = read_literal(text, match.end())
            except ScriptLiteralError:
                break
            if isinstance(value, list) and len(value) > 1 and value[0] == 1 and isinstance(value[1], str):
                pieces.append(value[1])
            match = _FLIGHT_PUSH.search(text, end)
    return "".join(pieces)


def read_flight(stream: str) -> list[Any]:
    """The values of the rows of a stream, with the rows they refer to in their places."""
    data = stream.encode("utf-8", "surrogatepass")
    rows: dict[str, Any] = {}
    position = 0
    while match := _FLIGHT_ROW.match(data, position):
        name, tag, begin = match[1].decode(), match[2], match.end()
        if tag == b"T":  # a text with its length in bytes, and no end of line
            comma = data.find(b",", begin, begin + 10)
            try:
                position = comma + 1 + int(data[begin:comma], 16) if comma > 0 else len(data)
            except ValueError:
                break
            rows[name] = data[comma + 1 : position].decode("utf-8", "replace")
            continue
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        if not tag and data[begin : begin + 1] in (b"{", b"["):
            # A row may be cut off, or no JSON; the others are whole.
            with suppress(ValueError, RecursionError):
                rows[name] = _decode(data[begin:end].decode("utf-8", "replace"), 0)[0]
        position = end + 1
    _replace_references(rows)
    return [value for value in rows.values() if isinstance(value, (dict, list))]


def _replace_references(rows: dict[str, Any]) -> None:
    waiting, replaced = [value for value in rows.values() if isinstance(value, (dict, list))], 0
    while waiting and replaced < MAX_REFERENCES:
        value = waiting.pop()
        members = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        for key, member in members:
            if isinstance(member, (dict, list)):
                waiting.append(member)
            elif isinstance(member, str) and member.startswith("$"):
                reference = _FLIGHT_REFERENCE.fullmatch(member)
                if reference and reference[1] in rows:
                    value[key] = rows[reference[1]]  # its own members are replaced where it stands itself
                    replaced += 1
