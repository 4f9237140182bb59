"""Options of the outputs."""

from __future__ import annotations

from dataclasses import dataclass

TABLE_FORMATS = ("markdown", "html", "csv")
"""How Markdown writes tables."""


@dataclass(frozen=True)
class OutputOptions:
    """What to write besides text: links, images. `base` is the address that relative addresses are resolved against."""

    links: bool = False
    images: bool = False
    base: str | None = None
    tables: str = "markdown"
    """One of `TABLE_FORMATS`: pipe tables, HTML, or a code block with comma-separated values."""
