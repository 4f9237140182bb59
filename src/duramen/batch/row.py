"""The row: what a run writes for each page. One schema for every sink and engine; docs/rows.md describes it.

New columns are added at the end, are null where nothing is known, and raise `SCHEMA` by one; a column never changes
its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

SCHEMA = 1

Line = bytes  # within Row the name is a column's


@dataclass(frozen=True, slots=True)
class Row:
    """One page's result. Columns are null where nothing is known of them."""

    source: str
    position: int = 0
    url: str | None = None
    sha256: str | None = None
    """Of the page's bytes, before decoding; of its UTF-8 where the source held text."""
    bytes: int = 0
    status: int | None = None
    date: str | None = None
    method: str | None = None
    format: str = "text"
    """What `text` is written in: text, markdown or html."""
    text: str | None = None
    """The content: empty when nothing was found, null when there was an error."""
    reason: str | None = None
    confidence: float | None = None
    page_type: str | None = None
    title: str | None = None
    language: str | None = None
    error: str | None = None
    """`kind: sentence`; the kinds are listed in docs/rows.md."""
    duplicate_of: str | None = None
    """The page of which this is a copy, as `source#position`, where duplicates were asked for."""
    schema: int = SCHEMA

    @property
    def id(self) -> str:
        """What tells this row from all others of its run."""
        return f"{self.source}#{self.position}"

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS}

    def as_line(self) -> Line:
        """A line of JSON; lone halves of surrogate pairs, which UTF-8 has no room for, become U+FFFD."""
        try:
            before, behind = (_encoded({name: getattr(self, name) for name in names}).encode() for names in _BESIDE)
            text = b"null" if self.text is None else quoted(self.text)
            return b'%b, "text": %b, %b\n' % (before[:-1], text, behind[1:])
        except UnicodeEncodeError:
            line = _encoded(self.as_dict()) + "\n"
            return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Row:
        return cls(**{name: saved[name] for name in COLUMNS if name in saved})


def quoted(text: str) -> bytes:
    """A text as `json` writes it, in half the time where it is long: it is searched as a whole, and not looked at
    character by character."""
    data = text.encode()
    if len(data.translate(None, _CONTROLS)) < len(data):
        return _encoded(text).encode()
    for plain, escaped in _ESCAPES:
        data = data.replace(plain, escaped)
    return b'"%b"' % data


COLUMNS = tuple(field.name for field in fields(Row))
_BESIDE = COLUMNS[: COLUMNS.index("text")], COLUMNS[COLUMNS.index("text") + 1 :]

_encoded = json.JSONEncoder(ensure_ascii=False).encode
_ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\t", b"\\t"), (b"\r", b"\\r"))
_CONTROLS = bytes(set(range(32)) - set(b"\n\t\r"))
"""Characters that JSON escapes, but for those above; texts have next to none."""
