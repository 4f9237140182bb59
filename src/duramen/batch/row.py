"""The row that a run writes for each page. docs/rows.md describes the schema.

All output formats and engines use the same schema. New columns are added at the end, are null where unknown, and raise
`SCHEMA` by one. A column never changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

SCHEMA = 1

JsonLine = bytes  # inside `Row` the name `bytes` is a column


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one page. Unknown columns are null."""

    source: str
    position: int = 0
    url: str | None = None
    sha256: str | None = None
    """Hash of the page's bytes before decoding, or of its UTF-8 where the input held text."""
    bytes: int = 0
    status: int | None = None
    date: str | None = None
    method: str | None = None
    format: str = "text"
    """Format of `text`: text, markdown or html."""
    text: str | None = None
    """The main content: empty if none was found, null after an error."""
    reason: str | None = None
    confidence: float | None = None
    page_type: str | None = None
    title: str | None = None
    language: str | None = None
    error: str | None = None
    """`kind: sentence`; the kinds are listed in docs/rows.md."""
    duplicate_of: str | None = None
    """The page that this one duplicates, as `source#position`, where duplicates are marked."""
    schema: int = SCHEMA

    @property
    def id(self) -> str:
        """Identifier of the row within its run."""
        return f"{self.source}#{self.position}"

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS}

    def as_line(self) -> JsonLine:
        """Serialize as a line of JSON. Lone surrogates, which UTF-8 cannot encode, become U+FFFD."""
        try:
            before, after = (_encode_json({name: getattr(self, name) for name in names}).encode() for names in _OTHERS)
            text = b"null" if self.text is None else quote_json(self.text)
            return b'%b, "text": %b, %b\n' % (before[:-1], text, after[1:])
        except UnicodeEncodeError:
            line = _encode_json(self.as_dict()) + "\n"
            return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Row:
        return cls(**{name: saved[name] for name in COLUMNS if name in saved})


def quote_json(text: str) -> bytes:
    """Encode a text as a JSON string.

    Takes half the time of `json` for long texts: it replaces in the whole text instead of looking at each character.
    """
    data = text.encode()
    if len(data.translate(None, _CONTROLS)) < len(data):
        return _encode_json(text).encode()
    for plain, escaped in _ESCAPES:
        data = data.replace(plain, escaped)
    return b'"%b"' % data


COLUMNS = tuple(field.name for field in fields(Row))
_OTHERS = COLUMNS[: COLUMNS.index("text")], COLUMNS[COLUMNS.index("text") + 1 :]

_encode_json = json.JSONEncoder(ensure_ascii=False).encode
_ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\t", b"\\t"), (b"\r", b"\\r"))
_CONTROLS = bytes(set(range(32)) - set(b"\n\t\r"))
"""The other characters that JSON escapes; texts have next to none."""
