"""HTML: clean, well formed, and nothing in it but content.

Boxes are unwrapped: a `div` or `section` says how a page looks, not what it means, and what it holds is kept as
paragraphs, lists and the rest. A `div` remains only around a line of words that is no paragraph in the page, so that
the line stays one. Elements and attributes are written from scratch, so nothing else of the page can get through: no
script, style, handler or class, but for the language of code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from duramen.dom.tree import Tree
from duramen.output import elements, model
from duramen.output.blocks import rich_blocks
from duramen.output.code import code_language
from duramen.output.lists import counted
from duramen.output.marks import Mark, steps
from duramen.output.model import Block, Cell, Container, Run, Table, divergence
from duramen.output.options import Options, address

_DEFAULT = Options()
_MARKS: Final = {
    elements.STRONG: "strong",
    elements.EMPHASIS: "em",
    elements.DELETED: "del",
    elements.SUPERSCRIPT: "sup",
    elements.SUBSCRIPT: "sub",
    elements.CODE: "code",
}
_CONTAINERS: Final = {
    elements.LIST: "ul",
    elements.ITEM: "li",
    elements.QUOTE: "blockquote",
    elements.GLOSSARY: "dl",
    elements.TERM: "dt",
    elements.DEFINITION: "dd",
    elements.FIGURE: "figure",
    elements.LEGEND: "figcaption",
}
_KINDS: Final = {model.LINE: "div", model.PARAGRAPH: "p"}


def write_html(tree: Tree, spans: Sequence[range], options: Options = _DEFAULT) -> str:
    """The kept nodes as HTML, a line for each block."""
    writer = _Writer(tree, options)
    blocks = rich_blocks(tree, spans, options)
    if blocks:
        writer.write_all(blocks, blocks[0].container.outermost())
    return "".join(writer.out)


class _Writer:
    def __init__(self, tree: Tree, options: Options) -> None:
        self.tree = tree
        self.options = options
        self.out: list[str] = []
        self.counts: dict[Container, int] = {}
        """The number that the next item of an ordered list has by itself."""

    def write_all(self, blocks: Sequence[Block], inside: Container) -> None:
        """Write blocks, all of which are inside one container that is open already."""
        here = inside
        for block in blocks:
            common, _, _ = divergence(here, block.container)
            self._close(here, common)
            for container in block.container.path()[common.depth :]:
                self._open(container)
            fresh = common is not block.container
            self._block(block, bare=fresh and block.kind == model.LINE and block.container.role != elements.FIGURE)
            here = block.container
        self._close(here, inside)

    def _open(self, container: Container) -> None:
        node = container.node
        given = self.tree.attributes[node] if node >= 0 else {}
        found: dict[str, str | None] = {}
        tag = _CONTAINERS[container.role]
        if container.ordered:
            tag = "ol"
            first, step = counted(self.tree, node)
            found["reversed"] = "" if step < 0 else None
            found["start"] = str(first) if step < 0 or first != 1 else None
            self.counts[container] = first
        elif container.number is not None and container.parent is not None:
            step = -1 if "reversed" in self.tree.attributes[container.parent.node] else 1
            found["value"] = str(container.number) if container.number != self.counts[container.parent] else None
            self.counts[container.parent] = container.number + step
        elif container.role == elements.QUOTE:
            found["cite"] = address(given.get("cite"), self.options.base)
        self.out.append(f"<{tag}{_attributes(found | self._tongue(node))}>")
        if container.is_list or container.role == elements.FIGURE:
            self.out.append("\n")

    def _close(self, here: Container, outer: Container) -> None:
        while here is not outer:
            tag = "ol" if here.ordered else _CONTAINERS[here.role]
            self.out.append(f"</{tag}>\n")
            assert here.parent is not None
            here = here.parent

    def _block(self, block: Block, *, bare: bool) -> None:
        if block.table is not None:
            self._table(block.table, block.container)
        elif block.kind == model.VERBATIM:
            self._verbatim(block)
        elif block.kind == model.RULE:
            self.out.append("<hr>\n")
        elif bare:
            self.out.append(_inline(block.runs))
        else:
            tag = f"h{block.level}" if block.kind == model.HEADING else _KINDS[block.kind]
            own = self._tongue(block.node) if block.node != block.container.node else {}
            self.out.append(f"<{tag}{_attributes(own)}>{_inline(block.runs)}</{tag}>\n")

    def _verbatim(self, block: Block) -> None:
        # A carriage return would be read as a new line.
        text = escape(block.text, quote=False).replace("\r", "&#13;")
        language = code_language(self.tree, block.node)
        if language:
            text = f'<code class="language-{escape(language)}">{text}</code>'
        self.out.append(f"<pre>{text}</pre>\n")

    def _table(self, table: Table, inside: Container) -> None:
        out = self.out
        out.append("<table>\n")
        if table.caption is not None:
            out.append(f"<caption>{_inline(table.caption.runs)}</caption>\n")
        for row in table.rows:
            out.append("<tr>")
            for cell in row:
                self._cell(cell, inside)
            out.append("</tr>\n")
        out.append("</table>\n")

    def _cell(self, cell: Cell, inside: Container) -> None:
        tag = "th" if cell.header else "td"
        spans = {
            "colspan": str(cell.columns) if cell.columns > 1 else None,
            "rowspan": str(cell.rows) if cell.rows > 1 else None,
        }
        self.out.append(f"<{tag}{_attributes(spans)}>")
        if cell.words is not None:
            self.out.append(_inline(cell.words.runs))
        self.write_all(cell.items, inside)
        self.out.append(f"</{tag}>")

    def _tongue(self, node: int) -> dict[str, str | None]:
        """The language and the direction that an element says its words have."""
        if node < 0:
            return {}
        attributes = self.tree.attributes[node]
        return {name: attributes.get(name) or None for name in ("lang", "dir")}


def _attributes(values: dict[str, str | None]) -> str:
    return "".join([f' {name}="{escape(value)}"' for name, value in values.items() if value is not None])


def _inline(runs: Sequence[Run]) -> str:
    return "".join(_parts(runs))


def _parts(runs: Sequence[Run]) -> Iterator[str]:
    for closed, opened, run in steps(runs):
        for mark in closed:
            yield "</a>" if mark.href is not None else f"</{_MARKS[mark.bit]}>"
        for mark in opened:
            yield _start(mark)
        if run is None:
            continue
        if run.source is not None:
            yield f'<img src="{escape(run.source)}" alt="{escape(run.text)}">'
        else:
            yield "<br>" if run.text == "\n" else escape(run.text, quote=False)


def _start(mark: Mark) -> str:
    return f'<a href="{escape(mark.href)}">' if mark.href is not None else f"<{_MARKS[mark.bit]}>"
