"""The row that a run writes for each page, and the extraction of a page into a row.

All engines and output formats use the same schema, which docs/rows.md describes. New columns are added at the end, are
null where unknown, and raise `SCHEMA` by one. A column never changes its meaning.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import lru_cache
from typing import Any

from duramen import methods
from duramen.batch.inputs.splits import InputPage
from duramen.batch.settings import TABLE_FORMAT, RunSettings
from duramen.batch.sites.lookup import choose_extractor
from duramen.content import Content
from duramen.dom.encoding import replace_lone_surrogates
from duramen.dom.page import Page
from duramen.errors import DuramenError, NotHTMLError
from duramen.metadata import Metadata
from duramen.methods.auto.method import Auto

SCHEMA = 2

OUT_OF_MEMORY_ERROR = "memory: the page needs more memory than a worker may use"
_ESCAPE_START = re.compile(r"\\(?=x[0-9a-f]{2})")

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
    """Format of `text`: text, markdown or html; records, if it is the table of the page as JSON."""
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
    authors: tuple[str, ...] | None = None
    """Names; empty if the page gives none. The same for tags."""
    published: str | None = None
    """ISO 8601: a day, or a time with its zone if the page gives one. The same for `modified`."""
    modified: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    site: str | None = None
    image: str | None = None
    site_pages: int | None = None
    """Other pages of the site that were compared with this one; `reason` says what they changed."""

    @property
    def id(self) -> str:
        """Identifier of the row within its run."""
        return f"{self.source}#{self.position}"

    def as_dict(self) -> dict[str, Any]:
        """Return the columns in the types of JSON."""
        return {name: list(value) if isinstance(value := getattr(self, name), tuple) else value for name in COLUMNS}

    def as_line(self) -> JsonLine:
        """Serialize as a line of JSON. Lone surrogates, which UTF-8 cannot encode, become U+FFFD."""
        try:
            before, after = (_encode_json({name: getattr(self, name) for name in names}).encode() for names in _OTHERS)
            text = b"null" if self.text is None else quote_json(self.text)
            return b'%b, "text": %b, %b\n' % (before[:-1], text, after[1:])
        except UnicodeEncodeError:
            return replace_lone_surrogates(_encode_json(self.as_dict()) + "\n").encode()

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Row:
        values: dict[str, Any] = {name: saved[name] for name in COLUMNS if name in saved}
        values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        return cls(**values)


COLUMNS = tuple(field.name for field in fields(Row))
_OTHERS = COLUMNS[: COLUMNS.index("text")], COLUMNS[COLUMNS.index("text") + 1 :]

_encode_json = json.JSONEncoder(ensure_ascii=False).encode
_ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\t", b"\\t"), (b"\r", b"\\r"))
_CONTROLS = bytes(set(range(32)) - set(b"\n\t\r"))
"""The other characters that JSON escapes; texts have next to none."""


def extract_row(input_page: InputPage, settings: RunSettings) -> Row:
    """Extract the row of a page. It depends on the arguments alone; any failure becomes the row's error."""
    row = make_blank_row(input_page, settings)
    if input_page.error is not None:
        return replace(row, error=input_page.error)
    if row.bytes > settings.reading.max_bytes:
        return replace(row, error=f"too-large: larger than {settings.reading.max_bytes:,} bytes")
    method = load_method(settings)  # outside the try block: a missing method is not an error of the page
    if settings.site_models is not None and isinstance(method, Auto):
        method = choose_extractor(input_page, settings.site_models, method, settings.frame_once)
    headers = {"content-type": input_page.content_type} if input_page.content_type else None
    try:
        page = Page.parse(input_page.body, input_page.url, headers)
        if settings.format == TABLE_FORMAT:
            from duramen.batch.tables.page_tables import extract_page_table  # only runs that write tables load it

            content, text = extract_page_table(page, input_page)
        else:
            content = method(page)
            text = content.to(settings.format, links=settings.links, images=settings.images, tables=settings.tables)
        url = input_page.url or content.metadata.url
        metadata = _read_metadata(content.metadata, settings.fields)
    except NotHTMLError as error:
        return replace(row, error=f"not-html: {error}")
    except DuramenError as error:
        return replace(row, error=f"failed: {error}")
    except Exception as error:
        if is_out_of_memory(error):
            return replace(row, error=OUT_OF_MEMORY_ERROR)
        return replace(row, error=f"failed: unexpected {type(error).__name__}: {error}".rstrip(": "))
    return replace(
        row,
        url=url,
        method=content.method,
        text=text,
        reason=content.reason,
        confidence=round(content.confidence, 4),
        page_type=content.page_type,
        site_pages=content.site.pages if content.site else None,
        **metadata,
    )


def _read_metadata(metadata: Metadata, names: Iterable[str]) -> dict[str, Any]:
    """Return the named fields as a row has them."""
    values: dict[str, Any] = {}
    for name in names:
        value = getattr(metadata, name)
        if name == "authors":
            value = tuple(author.name for author in value)
        elif isinstance(value, date):  # or a datetime, which is a date too
            value = value.isoformat()
        values[name] = value
    return values


def is_out_of_memory(error: Exception) -> bool:
    """True for a `MemoryError` and for the system's error ENOMEM."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def make_blank_row(input_page: InputPage, settings: RunSettings) -> Row:
    """Make a row with what is known of a page before extraction."""
    body = input_page.body if isinstance(input_page.body, bytes) else input_page.body.encode("utf-8", "surrogatepass")
    return Row(
        source=printable_path(input_page.source),
        position=input_page.position,
        url=input_page.url,
        sha256=None if input_page.error else hashlib.sha256(body).hexdigest(),
        bytes=len(body),
        status=input_page.status,
        date=input_page.date,
        method=settings.method,
        format=settings.format,
    )


@lru_cache(maxsize=8)
def load_method(settings: RunSettings) -> Callable[[Page], Content]:
    """Load the method that the settings name, once per process."""
    methods.import_modules(settings.modules)
    return methods.get(settings.method)


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


def printable_path(path: str) -> str:
    """Return a path as rows have it.

    Bytes that are not UTF-8 become `\\xff`. So that no two paths become equal, a backslash that looks like the start of
    such an escape becomes `\\x5c`.
    """
    if path.isascii() and "\\" not in path:
        return path
    if os.sep != "\\":
        path = _ESCAPE_START.sub(r"\\x5c", path)
    return path.encode("utf-8", "surrogateescape" if _has_escaped_bytes(path) else "surrogatepass").decode(
        "utf-8", "backslashreplace"
    )


def _has_escaped_bytes(path: str) -> bool:
    """True if the lone surrogates of a path, if any, stand for bytes."""
    return not re.search("[\ud800-\udc7f\udd00-\udfff]", path)
