"""Write content as XML: a `body` element with a small vocabulary like that of TEI (https://tei-c.org).

Blocks: `head` (level), `p`, `code` (lang; preformatted), `formula` (notation: TeX; rend: display), `table` with
`head`, `row` and `cell` (role, cols, rows), `milestone` for a rule. Around them: `list` (type: bulleted, ordered,
gloss), `item` (n; rend: checked, unchecked), `label` for a term, `quote` (type: the kind of a callout), `figure`,
`figDesc`, `note` (n), `div` (type: details). In them: `hi` (rend: bold, italic, superscript, subscript), `code`,
`formula`, `del`, `ref` (target; type: note), `graphic` (url) with a `desc`, `lb` for a line break.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from duramen.dom.text import remove_illegal_xml
from duramen.dom.tree import Tree
from duramen.output import elements
from duramen.output.build import build_rich_blocks
from duramen.output.inline import InlineMark, nest_marks
from duramen.output.model import (
    FORMULA_BLOCK,
    HEADING_BLOCK,
    LINE_BLOCK,
    PREFORMATTED_BLOCK,
    RULE_BLOCK,
    Container,
    InlineRun,
    OutputBlock,
    OutputTable,
    find_common_container,
)
from duramen.output.options import OutputOptions

_DEFAULT_OPTIONS: Final = OutputOptions()
_MARK_ELEMENTS: Final[dict[int, tuple[str, dict[str, str]]]] = {
    elements.STRONG: ("hi", {"rend": "bold"}),
    elements.EMPHASIS: ("hi", {"rend": "italic"}),
    elements.SUPERSCRIPT: ("hi", {"rend": "superscript"}),
    elements.SUBSCRIPT: ("hi", {"rend": "subscript"}),
    elements.DELETED: ("del", {}),
    elements.CODE: ("code", {}),
}
_CONTAINER_TAGS: Final = {
    elements.LIST: "list",
    elements.ITEM: "item",
    elements.QUOTE: "quote",
    elements.DEFINITION_LIST: "list",
    elements.TERM: "label",
    elements.DEFINITION: "item",
    elements.FIGURE: "figure",
    elements.FIGURE_CAPTION: "figDesc",
    elements.DETAILS: "div",
    elements.SUMMARY: "head",
    elements.NOTE: "note",
}


def write_xml(tree: Tree, spans: Sequence[range], options: OutputOptions = _DEFAULT_OPTIONS) -> str:
    """Write the kept nodes as an XML element `body`."""
    return tostring(build_xml_body(tree, spans, options), encoding="unicode")


def build_xml_body(tree: Tree, spans: Sequence[range], options: OutputOptions = _DEFAULT_OPTIONS) -> Element:
    """Build an element tree of the kept nodes. Its depth is limited (`model.MAX_CONTAINER_DEPTH` and a few)."""
    body = Element("body")
    blocks = build_rich_blocks(tree, spans, options)
    if blocks:
        _write_blocks(tree, blocks, body, blocks[0].container.find_root())
    return body


def _write_blocks(tree: Tree, blocks: Sequence[OutputBlock], body: Element, inside: Container) -> None:
    """Write blocks that are all inside one container into its element."""
    opened = [body]
    here = inside
    for block in blocks:
        common, _, _ = find_common_container(here, block.container)
        del opened[common.depth - inside.depth + 1 :]
        for container in block.container.path()[common.depth :]:
            opened.append(_open_container(container, opened[-1]))
        here = block.container
        if block.kind == LINE_BLOCK and common is not here and here.role != elements.FIGURE:
            _write_inline(block.runs, opened[-1])  # the first line of an item needs no paragraph
        else:
            _write_block(tree, block, opened[-1])


def _open_container(container: Container, parent: Element) -> Element:
    element = SubElement(parent, _CONTAINER_TAGS[container.role])
    if container.role == elements.LIST:
        element.set("type", "ordered" if container.is_ordered else "bulleted")
    elif container.role == elements.DEFINITION_LIST:
        element.set("type", "gloss")
    elif container.role == elements.DETAILS:
        element.set("type", "details")
    elif container.role == elements.NOTE:
        element.set("n", remove_illegal_xml(container.label))
    elif container.callout is not None:
        element.set("type", container.callout.kind)
    elif container.number is not None:
        element.set("n", str(container.number))
    if container.is_checked is not None:
        element.set("rend", "checked" if container.is_checked else "unchecked")
    return element


def _write_block(tree: Tree, block: OutputBlock, parent: Element) -> None:
    if block.table is not None:
        _write_table(tree, block.table, SubElement(parent, "table"), block.container)
    elif block.kind == RULE_BLOCK:
        SubElement(parent, "milestone", unit="section")
    elif block.kind == PREFORMATTED_BLOCK:
        element = SubElement(parent, "code")
        element.text = remove_illegal_xml(block.text)
        if block.language:
            element.set("lang", block.language)
    elif block.kind == FORMULA_BLOCK:
        SubElement(parent, "formula", notation="TeX", rend="display").text = remove_illegal_xml(block.text)
    elif block.kind == HEADING_BLOCK:
        _write_inline(block.runs, SubElement(parent, "head", level=str(block.level)))
    else:
        _write_inline(block.runs, SubElement(parent, "p"))


def _write_table(tree: Tree, table: OutputTable, element: Element, inside: Container) -> None:
    for block in table.caption:
        _write_inline(block.runs, SubElement(element, "head"))
    for row in table.rows:
        row_element = SubElement(element, "row")
        for cell in row:
            cell_element = SubElement(row_element, "cell")
            if cell.is_header:
                cell_element.set("role", "label")
            if cell.columns > 1:
                cell_element.set("cols", str(cell.columns))
            if cell.rows > 1:
                cell_element.set("rows", str(cell.rows))
            first, *rest = cell.blocks or (None,)
            if first is not None and first.container is inside and first.runs:
                _write_inline(first.runs, cell_element)  # the first words of a cell need no paragraph
                _write_blocks(tree, rest, cell_element, inside)
            else:
                _write_blocks(tree, cell.blocks, cell_element, inside)


def _write_inline(runs: Sequence[InlineRun], element: Element) -> None:
    """Write runs into an empty element."""
    opened = [element]
    last: Element | None = None  # the last child of the innermost open element: text after it is its tail
    for closed, starting, run in nest_marks(runs):
        for _ in closed:
            last = opened.pop()
        for mark in starting:
            opened.append(_open_mark(mark, opened[-1]))
            last = None
        if run is None:
            continue
        if run.image_url is not None:
            last = SubElement(opened[-1], "graphic", url=remove_illegal_xml(run.image_url))
            if run.text:
                SubElement(last, "desc").text = remove_illegal_xml(run.text)
        elif run.marks & elements.FORMULA:
            last = SubElement(opened[-1], "formula", notation="TeX")
            last.text = remove_illegal_xml(run.text)
        elif run.marks & elements.NOTE_REFERENCE:
            last = SubElement(opened[-1], "ref", type="note", target=f"#{remove_illegal_xml(run.text)}")
            last.text = remove_illegal_xml(run.text)
        elif run.text == "\n":
            last = SubElement(opened[-1], "lb")
        elif last is None:
            opened[-1].text = (opened[-1].text or "") + remove_illegal_xml(run.text)
        else:
            last.tail = (last.tail or "") + remove_illegal_xml(run.text)


def _open_mark(mark: InlineMark, parent: Element) -> Element:
    if mark.href is not None:
        return SubElement(parent, "ref", target=remove_illegal_xml(mark.href))
    tag, attributes = _MARK_ELEMENTS[mark.bit]
    return SubElement(parent, tag, attributes)
