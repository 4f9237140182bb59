"""Settings of a run: how inputs are read and how pages become rows.

The settings are plain data and mean the same on every machine. The field names are part of `run.json` and of the
fingerprint, so they must not change: a run that an earlier version began could not be resumed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from duramen import methods
from duramen.content import MARKUP_FORMATS
from duramen.errors import UsageError

MAX_PAGE_BYTES = 50_000_000
PAGE_TIMEOUT_SECONDS = 60.0

METADATA_FIELDS = tuple("title language authors published modified description tags site image".split())
"""The columns of a row that are read from the metadata of a page."""

TABLE_FORMAT = "records"
"""The format of rows whose text is the table of the page, as JSON."""

DOWNLOAD_FOLDER_KEY = "downloads"
"""Key in `ReadSettings.given`: the folder that receives downloaded pages."""
CRAWL_SETTINGS_KEY = "manners"
"""Key in `ReadSettings.given`: the crawl settings as JSON. They do not change the rows and may change on resume.
The key is part of `run.json` and must not be renamed."""

DEFAULT_MEMORY_BYTES = 4_000_000_000
"""Address space that a worker may use by default, beside what it takes before its first page: twice what a page of
`MAX_PAGE_BYTES` takes (2.0 GB for 48 MB of paragraphs). A fixed number, so that rows are the same on every machine."""
MIN_WORKER_MEMORY_BYTES = 200_000_000
"""Address space that a worker takes before its first page, about: Python, numpy, the model."""
RECOMMENDED_WORKER_MEMORY = "500M"
"""A value for --memory that leaves room for pages of usual size."""

_BYTE_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@dataclass(frozen=True)
class ReadSettings:
    """How inputs are read."""

    html_column: str = "html"
    url_column: str = "url"
    include: tuple[str, ...] = ()
    """Patterns of the files to read from a folder; empty means all HTML pages and WARC files."""
    exclude: tuple[str, ...] = ()
    max_bytes: int = MAX_PAGE_BYTES
    """A larger page becomes an error row."""
    given: tuple[tuple[str, str], ...] = ()
    """Settings of single input modules, as pairs of key and value."""


@dataclass(frozen=True)
class RunSettings:
    """How a page becomes a row."""

    method: str = methods.DEFAULT
    format: str = "text"
    """Format of the extracted text: text, markdown or html; `TABLE_FORMAT` for the records of the page."""
    links: bool | None = None
    """Whether links are written; None: in formats with markup. The same for images."""
    images: bool | None = None
    timeout: float = PAGE_TIMEOUT_SECONDS
    """Seconds allowed for one page."""
    memory: int | None = DEFAULT_MEMORY_BYTES
    """Bytes of address space that a worker may use; None for no limit."""
    modules: tuple[str, ...] = ()
    """Modules to import first: they register methods of your own."""
    site_models: str | None = None
    """The database of the models of sites."""
    learn: bool = False
    """Learn such a database before the first row."""
    frame_once: bool = False
    """Leave the texts that repeat on a site out of all rows, and write them once for each site."""
    duplicates: str | None = None
    """Mark duplicate rows: exact or near."""
    tables: str = "markdown"
    """How Markdown writes tables: markdown, html or csv."""
    fields: tuple[str, ...] = METADATA_FIELDS
    """The columns of `METADATA_FIELDS` that are filled; the others are null."""
    reading: ReadSettings = field(default_factory=ReadSettings)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as they are stored: links and images with the value that the format gives them."""
        has_markup = self.format in MARKUP_FORMATS
        links = has_markup if self.links is None else self.links
        images = has_markup if self.images is None else self.images
        return asdict(self) | {"links": links, "images": images}

    def fingerprint(self) -> str:
        """Return a hash that is equal for settings that give equal rows.

        The limits of time and memory and the crawl settings are left out: a resumed run may change them.
        """
        from duramen import __version__

        values = self.as_dict() | {"timeout": None, "memory": None, "duramen": __version__}
        for name, default in (("tables", "markdown"), ("frame_once", False)):  # earlier versions had no such setting
            if values[name] == default:
                del values[name]
        values["wrappers"] = values.pop("site_models")  # the name in earlier versions
        values["reading"]["given"] = [pair for pair in self.reading.given if pair[0] != CRAWL_SETTINGS_KEY]
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def check_fields(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names in the order of the columns. Raise `UsageError` for an unknown one."""
    names = set(names)
    if unknown := sorted(names - set(METADATA_FIELDS)):
        raise UsageError(f"unknown field {unknown[0]!r}: choose from {', '.join(METADATA_FIELDS)}")
    return tuple(name for name in METADATA_FIELDS if name in names)


def format_bytes(size: int) -> str:
    """Format a number of bytes with a short unit: 900 bytes, 1 kB, 1.5 GB."""
    power = min(max(len(str(size)) - 1, 0) // 3, len(_BYTE_UNITS) - 1)
    return f"{float(f'{size / 1000**power:.3g}'):,g} {_BYTE_UNITS[power]}"
