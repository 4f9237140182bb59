"""Put the late parts of a page that React streams into their places.

The server sends `<template id="B:1"></template>` where a part will stand, and at the end of the page the part itself:
`<div hidden id="S:1">…</div><script>$RC("B:1","S:1")</script>`. A browser runs the script, which moves the part. Pages
of Next.js and GitBook have whole articles, listings and tables there.
"""

from __future__ import annotations

import re
from typing import Final

_CALL: Final = b"$R"
_PART = re.compile(rb'<div hidden(?:="")? id="(S:[0-9a-f]{1,8})">')
_MOVE = re.compile(rb'\$R[CR]\("(B:[0-9a-f]{1,8})","(S:[0-9a-f]{1,8})"|\$RS\("(S:[0-9a-f]{1,8})","(P:[0-9a-f]{1,8})"')
_PLACE = re.compile(rb'<template id="([BP]:[0-9a-f]{1,8})"></template>')
_PART_END: Final = b"</div><script"
_FALLBACK_END: Final = b"<!--/$-->"
_BOUNDARY: Final = b"<!--$"
_MAX_SCRIPT_BYTES: Final = 8192
"""Between the end of a part and the call that moves it: the first script also defines the function."""
_MAX_FALLBACK_BYTES: Final = 8192
"""Of what a place shows until its part arrives."""


def move_streamed_parts(html: bytes) -> bytes:
    """Return the page with each streamed part at its place.

    Parts without a place stay where they are.
    """
    if _CALL not in html or b'id="S:' not in html:
        return html
    parts = _find_parts(html)
    if not parts:
        return html
    pieces: list[bytes] = []
    # Ranges of the page that are still to be written, the next one last: a part may hold the place of another.
    cuts = sorted(parts.values())
    ranges = _subtract(len(html), cuts)[::-1]
    while ranges:
        start, stop = ranges.pop()
        place = _PLACE.search(html, start, stop)
        if place is None:
            pieces.append(html[start:stop])
            continue
        pieces.append(html[start : place.start()])
        part = parts.pop(place[1], None)
        after = place.end()
        if part is None:
            pieces.append(place[0])
        else:
            after = _skip_fallback(html, after, stop)
        ranges.append((after, stop))
        if part is not None:
            ranges.append(part)
    pieces += (html[start:stop] for start, stop in parts.values())
    return b"".join(pieces)


def _find_parts(html: bytes) -> dict[bytes, tuple[int, int]]:
    """Return the range of bytes of each part, by the id of its place.

    The ranges do not overlap.
    """
    places = {match[1] for match in _PLACE.finditer(html)}
    moves: dict[bytes, tuple[bytes, int]] = {}
    for match in _MOVE.finditer(html):
        place, part = (match[1], match[2]) if match[1] else (match[4], match[3])
        if place in places:
            moves.setdefault(part, (place, match.start()))
    parts: dict[bytes, tuple[int, int]] = {}
    end = 0
    for match in _PART.finditer(html):
        place, call = moves.pop(match[1], (b"", -1))
        start = match.end()
        stop = html.rfind(_PART_END, max(start, call - _MAX_SCRIPT_BYTES), call) if call > start >= end else -1
        if stop >= 0:
            parts.setdefault(place, (start, stop))
            end = stop
    return parts


def _subtract(size: int, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges of a page outside the parts."""
    starts = [0, *(stop for _, stop in cuts)]
    stops = [*(start for start, _ in cuts), size]
    return list(zip(starts, stops, strict=True))


def _skip_fallback(html: bytes, start: int, stop: int) -> int:
    """Return the end of the fallback at a place, or the start if it is not simple.

    The fallback is what a browser shows until the part arrives.
    """
    end = html.find(_FALLBACK_END, start, min(stop, start + _MAX_FALLBACK_BYTES))
    return end if end >= 0 and html.find(_BOUNDARY, start, end) < 0 else start
