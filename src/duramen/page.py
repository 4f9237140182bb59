"""What a method is given: one page, decoded and parsed, with what else is known of it."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from duramen.decode import decode, find_encoding, refuse_other_formats
from duramen.tree import Tree


@dataclass(frozen=True, eq=False)
class Page:
    """One page. Methods read it and never change it."""

    tree: Tree
    source: str | bytes = field(repr=False)
    encoding: str = "utf-8"
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def parse(cls, html: str | bytes, url: str | None = None, headers: Mapping[str, str] | None = None) -> Page:
        """Decode and parse. Raises `NotHTMLError` for a PDF, a picture, JSON and their like, and nothing else."""
        refuse_other_formats(html)
        headers = {name.lower(): value for name, value in (headers or {}).items()}
        if isinstance(html, str):
            return cls(Tree.parse(html.removeprefix("\ufeff")), html, "utf-8", url, headers)
        encoding = find_encoding(html, headers.get("content-type"))
        # Lexbor reads UTF-8, so UTF-8 bytes need no way round through a str.
        readable = html.removeprefix(BOM_UTF8) if encoding == "utf-8" else decode(html, encoding)
        return cls(Tree.parse(readable), html, encoding, url, headers)

    @cached_property
    def html(self) -> str:
        """The source as text."""
        return self.source if isinstance(self.source, str) else decode(self.source, self.encoding)
