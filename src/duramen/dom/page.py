"""What a method is given: one page, decoded and parsed, with what else is known of it."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urljoin

from duramen.dom import lexbor
from duramen.dom.encoding import decode, find_encoding, refuse_other_formats
from duramen.dom.self_closing import has_swallowed, may_be_swallowed, written_out
from duramen.dom.tree import Tree


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
        encoding = "utf-8" if isinstance(html, str) else find_encoding(html, headers.get("content-type"))
        if isinstance(html, bytes) and encoding == "utf-8" and b"<" in html:
            # As Lexbor reads it: such bytes need no way round through a str.
            tree = Tree.parse(html.removeprefix(BOM_UTF8))
            if not may_be_swallowed(tree, len(html)) or not has_swallowed(tree, html):
                return cls(tree, html, encoding, url, headers)
            whole = written_out(decode(html, encoding))
            return cls(Tree.parse(whole), whole, encoding, url, headers)
        readable = html if isinstance(html, str) else decode(html, encoding)
        tree = Tree.parse(_markup(readable))
        if may_be_swallowed(tree, len(readable)) and has_swallowed(tree, readable):
            whole = written_out(readable)
            return cls(Tree.parse(_markup(whole)), whole, encoding, url, headers)
        return cls(tree, html, encoding, url, headers)

    @cached_property
    def html(self) -> str:
        """The source as text."""
        return self.source if isinstance(self.source, str) else decode(self.source, self.encoding)

    @property
    def markup(self) -> str:
        """The text that was parsed: the source, but for a byte order mark, and with the paragraphs of plain text."""
        return _markup(self.html)

    @cached_property
    def base(self) -> str | None:
        """The address that relative links are relative to: the page's own, or what its `<base href>` says."""
        for node in lexbor.places(self.tree.tag[: self.tree.body], "base"):
            if href := self.tree.attributes[node].get("href"):
                try:
                    return urljoin(self.url or "", href.strip())
                except ValueError:  # "http://[broken"
                    break
        return self.url


def _markup(readable: str) -> str:
    readable = readable.removeprefix("\ufeff")
    # Plain text: what blank lines part are paragraphs.
    return readable if "<" in readable else re.sub(r"\n\s*\n", "<p>", readable)
