"""Write content as HTML: clean, well-formed, and without anything but the content.

Layout boxes (`div`, `section`) are unwrapped: their content is written as paragraphs, lists and so on. A `div` remains
only around a line of words that is no paragraph in the page, so that it stays a line. Elements and attributes are
written from scratch, so that nothing else of the page gets through: no script, style, handler or class, except the
language of code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from duramen.dom.tree import Tree
from duramen.dom.urls import resolve_safe_url
from duramen.output import elements
from duramen.output.build import build_rich_blocks
from duramen.output.inline import InlineMark, nest_marks
from duramen.output.markup import read_list_start
from duramen.output.model import (
    CALLOUT_BLOCK,
    FORMULA_BLOCK,
    HEADING_BLOCK,
    LINE_BLOCK,
    PARAGRAPH_BLOCK,
    PREFORMATTED_BLOCK,
    RULE_BLOCK,
    Container,
    InlineRun,
    OutputBlock,
    OutputCell,
    OutputTable,
    find_common_container,
)
from duramen.output.options import OutputOptions
from duramen.output.text import CHECK_BOXES
from duramen.structure.tex import MAX_PAGE_TEX_CHARS, tex_to_mathml

_DEFAULT_OPTIONS: Final = OutputOptions()
_MARK_TAGS: Final = {
    elements.STRONG: "strong",
    elements.EMPHASIS: "em",
    elements.DELETED: "del",
    elements.SUPERSCRIPT: "sup",
    elements.SUBSCRIPT: "sub",
    elements.CODE: "code",
}
_CONTAINER_TAGS: Final = {
    elements.LIST: "ul",
    elements.ITEM: "li",
    elements.QUOTE: "blockquote",
    elements.DEFINITION_LIST: "dl",
    elements.TERM: "dt",
    elements.DEFINITION: "dd",
    elements.FIGURE: "figure",
    elements.FIGURE_CAPTION: "figcaption",
    elements.DETAILS: "details",
    elements.SUMMARY: "summary",
    elements.NOTE: "aside",
}
_BLOCK_TAGS: Final = {LINE_BLOCK: "div", PARAGRAPH_BLOCK: "p", CALLOUT_BLOCK: "p"}
_OPENED_ON_OWN_LINE: Final = (elements.FIGURE, elements.DETAILS)


def write_html(tree: Tree, spans: Sequence[range], options: OutputOptions = _DEFAULT_OPTIONS) -> str:
    """Write the kept nodes as HTML, a line for each block."""
    writer = _HtmlWriter(tree, options)
    blocks = build_rich_blocks(tree, spans, options)
    if blocks:
        writer.write_all(blocks, blocks[0].container.find_root())
    return "".join(writer.out)


def write_html_table(tree: Tree, table: OutputTable, container: Container, options: OutputOptions) -> str:
    """Write one table as HTML, for Markdown."""
    writer = _HtmlWriter(tree, options)
    writer.write_table(table, container)
    return "".join(writer.out).rstrip("\n")


class _HtmlWriter:
    """The HTML so far."""

    def __init__(self, tree: Tree, options: OutputOptions) -> None:
        self.tree = tree
        self.options = options
        self.out: list[str] = []
        self.tex_chars_left = MAX_PAGE_TEX_CHARS
        self.next_numbers: dict[Container, int] = {}
        """Number that the next item of each ordered list has by its position."""

    def write_all(self, blocks: Sequence[OutputBlock], inside: Container) -> None:
        """Write blocks that are all inside one container, which is open already."""
        here = inside
        for block in blocks:
            common, _, _ = find_common_container(here, block.container)
            self._close_containers(here, common)
            for container in block.container.path()[common.depth :]:
                self._open_container(container)
            # The first line of an item or a quote needs no element of its own.
            is_first = common is not block.container and block.container.role not in _OPENED_ON_OWN_LINE
            self._write_block(block, bare=is_first and block.kind == LINE_BLOCK)
            here = block.container
        self._close_containers(here, inside)

    def _open_container(self, container: Container) -> None:
        node = container.node
        page_attributes = self.tree.attributes[node] if node >= 0 else {}
        written: dict[str, str | None] = {}
        tag = _CONTAINER_TAGS[container.role]
        if container.is_ordered:
            tag = "ol"
            first, step = read_list_start(self.tree, node)
            written["reversed"] = "" if step < 0 else None
            written["start"] = str(first) if step < 0 or first != 1 else None
            self.next_numbers[container] = first
        elif container.number is not None and container.parent is not None:
            step = -1 if "reversed" in self.tree.attributes[container.parent.node] else 1
            written["value"] = (
                str(container.number) if container.number != self.next_numbers[container.parent] else None
            )
            self.next_numbers[container.parent] = container.number + step
        elif container.role == elements.QUOTE:
            written["cite"] = resolve_safe_url(page_attributes.get("cite"), self.options.base)
        elif container.role == elements.NOTE:
            written["id"] = f"note-{container.label}"
        self.out.append(f"<{tag}{_write_attributes(written | self._read_language(node))}>")
        if container.is_list or container.role in _OPENED_ON_OWN_LINE:
            self.out.append("\n")
        elif container.is_checked is not None:
            self.out.append(CHECK_BOXES[container.is_checked])
        elif container.role == elements.NOTE:
            self.out.append(f"[{escape(container.label)}] ")

    def _close_containers(self, here: Container, outer: Container) -> None:
        while here is not outer:
            tag = "ol" if here.is_ordered else _CONTAINER_TAGS[here.role]
            self.out.append(f"</{tag}>\n")
            assert here.parent is not None
            here = here.parent

    def _write_block(self, block: OutputBlock, *, bare: bool) -> None:
        if block.table is not None:
            self.write_table(block.table, block.container)
        elif block.kind == PREFORMATTED_BLOCK:
            self._write_preformatted(block)
        elif block.kind == FORMULA_BLOCK:
            self.out.append(f"<p>{self._write_formula(block.text, is_display=True)}</p>\n")
        elif block.kind == RULE_BLOCK:
            self.out.append("<hr>\n")
        elif bare:
            self.out.append(self._write_inline(block.runs))
        else:
            tag = f"h{block.level}" if block.kind == HEADING_BLOCK else _BLOCK_TAGS[block.kind]
            language = self._read_language(block.node) if block.node != block.container.node else {}
            self.out.append(f"<{tag}{_write_attributes(language)}>{self._write_inline(block.runs)}</{tag}>\n")

    def _write_preformatted(self, block: OutputBlock) -> None:
        text = escape(block.text, quote=False)
        language = block.language
        if language:
            text = f'<code class="language-{escape(language)}">{text}</code>'
        self.out.append(f"<pre>{text}</pre>\n")

    def write_table(self, table: OutputTable, inside: Container) -> None:
        """Write a table whose blocks are in a container."""
        out = self.out
        # Without header cells it could be taken for layout.
        has_headers = bool(table.caption) or any(cell.is_header and cell.blocks for row in table.rows for cell in row)
        out.append("<table>\n" if has_headers else '<table role="table">\n')
        if table.caption:
            out.append(f"<caption>{' '.join([self._write_inline(block.runs) for block in table.caption])}</caption>\n")
        for row in table.rows:
            out.append("<tr>")
            for cell in row:
                self._write_cell(cell, inside)
            out.append("</tr>\n")
        out.append("</table>\n")

    def _write_cell(self, cell: OutputCell, inside: Container) -> None:
        tag = "th" if cell.is_header else "td"
        spans = {
            "colspan": str(cell.columns) if cell.columns > 1 else None,
            "rowspan": str(cell.rows) if cell.rows > 1 else None,
        }
        self.out.append(f"<{tag}{_write_attributes(spans)}>")
        first, *rest = cell.blocks or (None,)
        if first is not None and first.container is inside and first.kind in _BLOCK_TAGS:
            self.out.append(self._write_inline(first.runs))  # the first words of a cell need no element of their own
            self.write_all(rest, inside)
        else:
            self.write_all(cell.blocks, inside)
        if self.out[-1].endswith("\n"):
            self.out[-1] = self.out[-1][:-1]
        self.out.append(f"</{tag}>")

    def _read_language(self, node: int) -> dict[str, str | None]:
        """Return the language and the direction of the words, as the element states them."""
        if node < 0:
            return {}
        attributes = self.tree.attributes[node]
        return {name: attributes.get(name) or None for name in ("lang", "dir")}

    def _write_inline(self, runs: Sequence[InlineRun]) -> str:
        return "".join(self._iter_parts(runs))

    def _iter_parts(self, runs: Sequence[InlineRun]) -> Iterator[str]:
        for closed, opened, run in nest_marks(runs):
            for mark in closed:
                yield "</a>" if mark.href is not None else f"</{_MARK_TAGS[mark.bit]}>"
            for mark in opened:
                yield _open_mark(mark)
            if run is None:
                continue
            if run.image_url is not None:
                yield f'<img src="{escape(run.image_url)}" alt="{escape(run.text)}">'
            elif run.marks & elements.FORMULA:
                yield self._write_formula(run.text, is_display=False)
            elif run.marks & elements.NOTE_REFERENCE:
                label = escape(run.text)
                yield f'<sup><a href="#note-{label}">[{label}]</a></sup>'
            else:
                yield "<br>" if run.text == "\n" else escape(run.text, quote=False)

    def _write_formula(self, tex: str, *, is_display: bool) -> str:
        self.tex_chars_left -= len(tex)
        return tex_to_mathml(tex, is_display=is_display, convert=self.tex_chars_left >= 0)


def _write_attributes(values: dict[str, str | None]) -> str:
    return "".join([f' {name}="{escape(value)}"' for name, value in values.items() if value is not None])


def _open_mark(mark: InlineMark) -> str:
    return f'<a href="{escape(mark.href)}">' if mark.href is not None else f"<{_MARK_TAGS[mark.bit]}>"
