"""Options of the outputs."""

from __future__ import annotations

from dataclasses import dataclass

from duramen.errors import UsageError

TABLE_FORMATS = ("markdown", "html", "csv")
"""How Markdown writes tables."""


def check_table_format(tables: str) -> None:
    """Raise a `UsageError` if Markdown cannot write tables in this format."""
    if tables not in TABLE_FORMATS:
        raise UsageError(f"unknown format of tables {tables!r}: choose one of {', '.join(TABLE_FORMATS)}")


@dataclass(frozen=True)
class OutputOptions:
    """What to write besides text: links, images. `base` is the address that relative addresses are resolved against."""

    links: bool = False
    images: bool = False
    base: str | None = None
    tables: str = "markdown"
    """One of `TABLE_FORMATS`: pipe tables, HTML, or a code block with comma-separated values."""
