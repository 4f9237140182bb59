"""`Page`, the input of every method: decoded and parsed HTML, with its URL and HTTP headers.

Pages written as XML and read as HTML are repaired. XHTML, and what XML tools save, closes an empty element with a
slash: `<iframe src="x"/>`. An HTML parser ignores the slash, so that the rest of the page becomes the text of the
`iframe`, `script` or `title`. No author leaves a page like that. Where such an element has swallowed much of a page,
every self-closed element gets an end tag, and the page is parsed again. Such pages occur in crawls that were parsed and
saved again.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urljoin

from duramen.dom.element import Element
from duramen.dom.encoding import decode, find_encoding, refuse_other_formats
from duramen.dom.tag_sets import RAW_TEXT_TAGS, VOID_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.tree_queries import find_meta_elements, find_rel_links


@dataclass(frozen=True, eq=False)
class Page:
    """One page. Methods read it and never change it."""

    tree: Tree
    source: str | bytes = field(repr=False)
    encoding: str = "utf-8"
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    note: str = ""
    """What was left out because the page was too much work to read (by `Tree.parse` or `dom/work_limit.py`)."""

    @classmethod
    def parse(cls, html: str | bytes, url: str | None = None, headers: Mapping[str, str] | None = None) -> Page:
        """Decode and parse a page. Raise `NotHTMLError` for a PDF, an image, JSON and the like, and nothing else."""
        refuse_other_formats(html)
        headers = {name.lower(): value for name, value in (headers or {}).items()}
        encoding = "utf-8" if isinstance(html, str) else find_encoding(html, headers.get("content-type"))
        if isinstance(html, bytes) and encoding == "utf-8" and b"<" in html:
            tree = Tree.parse(html.removeprefix(BOM_UTF8))  # the parser reads UTF-8: no need to decode
            source: str | bytes = html
        else:
            source = html if isinstance(html, str) else decode(html, encoding)
            tree = Tree.parse(_markup(source))
        if _may_have_swallowed(tree, len(source)) and _has_swallowed(tree, source):
            repaired = close_empty_elements(source if isinstance(source, str) else decode(source, encoding))
            tree, html = Tree.parse(_markup(repaired)), repaired
        return cls(tree, html, encoding, url, headers, tree.note)

    @cached_property
    def html(self) -> str:
        """The source as text."""
        return self.source if isinstance(self.source, str) else decode(self.source, self.encoding)

    @property
    def markup(self) -> str:
        """The text that was parsed: the source without a byte order mark; plain text gets paragraphs."""
        return _markup(self.html)

    @cached_property
    def base(self) -> str | None:
        """The URL that relative links refer to: that of `<base href>`, the page's own, or the one that the page states.

        A page states its own URL as `canonical` or `og:url`.
        """
        address = self.url or self._find_stated_url()
        for node in self.tree.find_all("base"):
            if node < self.tree.body and (href := self.tree.attributes[node].get("href")):
                try:
                    return urljoin(address or "", href.strip())
                except ValueError:  # "http://[broken"
                    break
        return address

    def _find_stated_url(self) -> str | None:
        """Return the absolute URL that the page says it has, or None."""
        stated = [
            url for _, relation, url in find_rel_links(self.tree, "link") if "canonical" in relation.lower().split()
        ]
        stated += [value for _, name, value in find_meta_elements(self.tree) if name.lower() == "og:url"]
        return next((url.strip() for url in stated if url.strip().lower().startswith(("http://", "https://"))), None)

    def xpath(self, expression: str) -> list[Element]:
        """Return the elements that an XPath expression selects: `page.xpath("//h1")[0].text`.

        Expressions are those of `duramen.xpath` that select elements: attributes are read from `Element.attributes`.
        Raise `UsageError` for any other expression.
        """
        return Element(self, 0).xpath(expression)

    def css(self, selector: str) -> list[Element]:
        """Return the elements that a CSS selector selects: `page.css("article > p")`.

        Selectors are those of the Lexbor parser (Selectors Level 4). Raise `UsageError` for an invalid one.
        """
        root = Element(self, 0)
        return ([root] if 0 in root.select_css(selector) else []) + root.css(selector)


def _markup(html: str) -> str:
    html = html.removeprefix("\ufeff")
    # Plain text: blank lines separate paragraphs.
    return html if "<" in html else re.sub(r"\n\s*\n", "<p>", html)


_MIN_SWALLOWED_CHARS = 1000
"""Shorter texts of one element are not checked."""
_MAX_CHARS_PER_NODE = 500
"""Pages have about fifty characters of source per node, and few have more than this."""
_MIN_SWALLOWED_TAGS = 10
"""End tags in such a text: a part of a page has many, a script hardly any."""
_SEARCHED_CHARS = 60
"""Characters of a text that are searched in the source."""
_EMPTY_ELEMENT = re.compile(r"<([a-z][\w:-]*)((?:\s[^<>]*?)?)\s*/>", re.IGNORECASE)


def close_empty_elements(html: str) -> str:
    """Return the page with an end tag for each self-closed element: `<i/>` becomes `<i></i>`."""

    def close(match: re.Match[str]) -> str:
        name, attributes = match.groups()
        return match[0] if name.lower() in VOID_TAGS else f"<{name}{attributes}></{name}>"

    return _EMPTY_ELEMENT.sub(close, html)


def _may_have_swallowed(tree: Tree, size: int) -> bool:
    """Return whether much of a page of this size may be the text of one element. A cheap test that most pages fail."""
    last = len(tree) - 1
    is_long = tree.tag[tree.parent[last]] in RAW_TEXT_TAGS and len(tree.text[last]) > _MIN_SWALLOWED_CHARS
    return is_long or size > _MAX_CHARS_PER_NODE * len(tree)


def _has_swallowed(tree: Tree, source: str | bytes) -> bool:
    """Return whether a self-closed element has a part of the page as its text."""
    return any(
        tree.tag[node] == TEXT
        and len(tree.text[node]) > _MIN_SWALLOWED_CHARS
        and _has_end_tags(tree.text[node])
        and _follows_empty_element(tree.text[node], source)
        for tag in RAW_TEXT_TAGS
        for element in tree.find_all(tag)
        for node in tree.children(element)
    )


def _has_end_tags(text: str) -> bool:
    position = -1
    for _ in range(_MIN_SWALLOWED_TAGS):  # finding one character is much faster than two, and most scripts have few
        position = text.find("<", position + 1)
        if position < 0:
            return False
    return text.count("</") >= _MIN_SWALLOWED_TAGS


def _follows_empty_element(text: str, source: str | bytes) -> bool:
    if isinstance(source, str):
        position = source.find(text[:_SEARCHED_CHARS])
        return position > 1 and source.startswith("/>", position - 2)
    position = source.find(text[:_SEARCHED_CHARS].encode())
    return position > 1 and source.startswith(b"/>", position - 2)
