r"""The parts of a Markdown document: its text, code, formulas, tables, headings, list items, links, images, footnotes.

The text has no markup, no code blocks, no formulas and no tables; inline code and footnotes belong to it. All values
are normalized, so that equal documents in different Markdown styles have equal parts:

- runs of whitespace are one space, and soft hyphens and characters without width are removed;
- headings, list items and texts of links are in lower case; URLs are absolute, unescaped and without a final slash;
- TeX has no spaces except after a command before a letter, no `\displaystyle` or `\textstyle`, and no braces around
  the whole formula;
- rows of a table whose cells are all empty are removed: writers put them in the place of a missing header;
- a reference to a footnote is the text of the footnote, because writers choose different labels.

Raw HTML is read too: tables, `<pre>`, links and images; the rest of it is text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from duramen.dom.text import read_text
from duramen.dom.tree import Tree
from duramen.dom.urls import make_absolute
from duramen.evaluation.metrics.markdown_syntax import parse_markdown

if TYPE_CHECKING:
    from markdown_it.token import Token
    from selectolax.lexbor import LexborNode

MAX_SPAN: Final = 1000

_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_TEX_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\S", re.DOTALL)
_TEX_STYLES: Final = frozenset((r"\displaystyle", r"\textstyle"))
_HTML_TAG = re.compile(r"<(/?)([a-z]+)", re.IGNORECASE)
_HTML_URL = re.compile(r"""\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    column_span: int = 1
    row_span: int = 1


Row = tuple[Cell, ...]
Table = tuple[Row, ...]


@dataclass
class MarkdownParts:
    """The parts of one document, normalized."""

    text: str = ""
    code: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    headings: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Level and text."""
    list_items: Counter[tuple[int, bool, str]] = field(default_factory=Counter)
    """Depth, whether the list is numbered, and the text without that of inner lists."""
    links: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Text and URL."""
    images: Counter[str] = field(default_factory=Counter)
    footnotes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """"text" or "reference", and the text of the footnote."""
    inline_code: Counter[str] = field(default_factory=Counter)


def read_parts(markdown: str, base: str | None = None) -> MarkdownParts:
    """Read the parts of a Markdown document; `base` is the URL of its page."""
    reader = _PartsReader(base)
    for token in parse_markdown(markdown):
        reader.read_token(token)
    return reader.finish()


def normalize_text(text: str) -> str:
    """Make every run of whitespace one space, and remove invisible characters."""
    return " ".join(_INVISIBLE.sub("", text).split())


def normalize_tex(tex: str) -> str:
    """Write a formula without spaces that have no meaning, without styles and without outer braces."""
    tokens = [token for token in _TEX_TOKEN.findall(tex) if token not in _TEX_STYLES]
    outer = _count_outer_braces(tokens)
    tokens = tokens[outer : len(tokens) - outer]
    spaced = [
        f"{token} " if len(token) > 1 and token[-1].isalpha() and following[0].isalpha() else token
        for token, following in pairwise([*tokens, "."])
    ]
    return "".join(spaced)


def write_table(table: Table) -> str:
    """Write the cells of a table, a line for each row."""
    return "\n".join(" | ".join(cell.text for cell in row) for row in table)


def _count_outer_braces(tokens: Sequence[str]) -> int:
    """Return how many pairs of braces enclose the whole formula."""
    end_of: dict[int, int] = {}
    open_braces: list[int] = []
    for position, token in enumerate(tokens):
        if token == "{":
            open_braces.append(position)
        elif token == "}" and open_braces:
            end_of[open_braces.pop()] = position
    count = 0
    while end_of.get(count) == len(tokens) - 1 - count:
        count += 1
    return count


@dataclass
class _InlineText:
    """The text of inline tokens, with formulas and without."""

    complete: list[str] = field(default_factory=list)
    without_formulas: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.complete.append(text)
        self.without_formulas.append(text)


class _PartsReader:
    """Collects the parts, token by token."""

    def __init__(self, base: str | None) -> None:
        self.parts = MarkdownParts()
        self.base = base
        self.blocks: list[str] = []
        self.heading_level = 0
        self.lists: list[bool] = []
        """For each open list, whether it is numbered."""
        self.items: list[list[str]] = []
        self.rows: list[list[Cell]] | None = None
        self.footnote_label = ""
        self.footnote_texts: dict[str, list[str]] = {}
        self.footnote_references: list[str] = []

    def read_token(self, token: Token) -> None:
        """Read a block token."""
        match token.type:
            case "inline":
                self.add_inline(token.children or [])
            case "fence" if token.info.strip() == "math":
                self.add_formula(token.content)
            case "fence" | "code_block":
                self.add_code(token.content)
            case "html_block" | "html_table":
                self.add_html(token.content)
            case "formula":
                self.add_formula(token.content)
            case "heading_open":
                self.heading_level = int(token.tag[1:])
            case "heading_close":
                self.heading_level = 0
            case "bullet_list_open" | "ordered_list_open":
                self.lists.append(token.type == "ordered_list_open")
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self.items.append([])
            case "list_item_close":
                text = _make_key(" ".join(self.items.pop()))
                self.parts.list_items[len(self.lists), self.lists[-1], text] += 1
            case "table_open":
                self.rows = []
            case "tr_open" if self.rows is not None:
                self.rows.append([])
            case "table_close" if self.rows is not None:
                self.add_table(self.rows)
                self.rows = None
            case "footnote_open":
                self.footnote_label = token.meta["label"]
                self.footnote_texts.setdefault(self.footnote_label, [])
            case "footnote_close":
                self.footnote_label = ""

    def add_inline(self, tokens: Sequence[Token]) -> None:
        """Add the content of a paragraph, a heading or a cell."""
        inline = self.read_inline(tokens)
        text = normalize_text("".join(inline.complete))
        if self.rows is not None:
            self.rows[-1].append(Cell(text))
            return
        if self.heading_level:
            self.parts.headings[self.heading_level, text.casefold()] += 1
        if self.items:
            self.items[-1].append(text)
        if self.footnote_label:
            self.footnote_texts[self.footnote_label].append(text)
        self.blocks.append(normalize_text("".join(inline.without_formulas)))

    def read_inline(self, tokens: Sequence[Token]) -> _InlineText:
        """Return the text of inline tokens; links, images, formulas and code in it become parts."""
        inline = _InlineText()
        links: list[tuple[str, int]] = []  # the URL of each open link, and where its text begins
        for token in tokens:
            match token.type:
                case "text" | "text_special":
                    inline.add(token.content)
                case "softbreak" | "hardbreak":
                    inline.add("\n")
                case "code_inline":
                    inline.add(token.content)
                    self.parts.inline_code[normalize_text(token.content)] += 1
                case "formula":
                    inline.complete.append(f" {self.add_formula(token.content)} ")
                    inline.without_formulas.append(" ")
                case "footnote_reference":
                    self.footnote_references.append(token.meta["label"])
                case "image":
                    self.add_image(str(token.attrGet("src") or ""))
                case "link_open":
                    links.append((str(token.attrGet("href") or ""), len(inline.complete)))
                case "link_close" if links:
                    self.add_link(*links.pop(), inline)
                case "html_inline":
                    self.read_inline_tag(token.content, inline, links)
        return inline

    def read_inline_tag(self, tag: str, inline: _InlineText, links: list[tuple[str, int]]) -> None:
        """Read a raw tag in a paragraph: a link, an image or a line break."""
        match = _HTML_TAG.match(tag)
        if match is None:
            return
        url_match = _HTML_URL.search(tag)
        url = (url_match[1] or url_match[2] or url_match[3] or "") if url_match else ""
        match match[2].lower(), bool(match[1]):
            case "br", _:
                inline.add("\n")
            case "img", False:
                self.add_image(url)
            case "a", False:
                links[:] = [(url, len(inline.complete))]  # links are not nested
            case "a", True if links:
                self.add_link(*links.pop(), inline)

    def add_link(self, url: str, start: int, inline: _InlineText) -> None:
        self.parts.links[_make_key("".join(inline.complete[start:])), self.normalize_url(url)] += 1

    def add_image(self, url: str) -> None:
        self.parts.images[self.normalize_url(url)] += 1

    def add_code(self, code: str) -> None:
        lines = [line.rstrip() for line in code.split("\n")]
        if any(lines):
            self.parts.code.append("\n".join(lines).strip("\n"))

    def add_formula(self, tex: str) -> str:
        """Add a formula; returns its normal form."""
        normal = normalize_tex(tex)
        if normal:
            self.parts.formulas.append(normal)
        return normal

    def add_table(self, rows: Sequence[Sequence[Cell]]) -> None:
        table = tuple(tuple(row) for row in rows if any(cell.text for cell in row))
        if table:
            self.parts.tables.append(table)

    def add_html(self, html: str) -> None:
        """Add raw HTML: tables, code, links and images, and the rest as text."""
        document = LexborHTMLParser(html)
        for image in document.css("img[src]"):
            self.add_image(image.attributes["src"] or "")
        for link in document.css("a[href]"):
            self.parts.links[_make_key(link.text()), self.normalize_url(link.attributes["href"] or "")] += 1
        # In reverse order, so that inner elements are read, and taken out, before those around them.
        code, tables = [], []
        for block in reversed(document.css("pre")):
            code.append(block.text())
            block.decompose()
        for table in reversed(document.css("table")):
            tables.append([[_read_cell(cell) for cell in row.css("td, th")] for row in table.css("tr")])
            table.decompose()
        for text in reversed(code):
            self.add_code(text)
        for rows in reversed(tables):
            self.add_table(rows)
        self.blocks.append(normalize_text(_read_html_text(document.html or "")))

    def normalize_url(self, url: str) -> str:
        return unquote(make_absolute(url, self.base)).rstrip("/")

    def finish(self) -> MarkdownParts:
        """Return the parts; only now all texts of footnotes are known."""
        texts = {label: _make_key(" ".join(parts)) for label, parts in self.footnote_texts.items()}
        self.parts.footnotes.update(("text", text) for text in texts.values())
        self.parts.footnotes.update(("reference", texts.get(label, "")) for label in self.footnote_references)
        self.parts.text = "\n".join(filter(None, self.blocks))
        return self.parts


def _make_key(text: str) -> str:
    return normalize_text(text).casefold()


def _read_cell(cell: LexborNode) -> Cell:
    spans = (_read_span(cell.attributes.get(name)) for name in ("colspan", "rowspan"))
    return Cell(normalize_text(_read_html_text(cell.html or "")), *spans)


def _read_span(value: str | None) -> int:
    digits = (value or "").strip()[:5]
    return min(max(int(digits), 1), MAX_SPAN) if digits.isdecimal() else 1


def _read_html_text(html: str) -> str:
    return read_text(Tree.parse(html), separator="\n")
