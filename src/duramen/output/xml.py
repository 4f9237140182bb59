"""XML: a small vocabulary in the manner of the Text Encoding Initiative (https://tei-c.org), as a `body` element.

Blocks: `head` (level), `p`, `code` (lang; verbatim), `table` with `head`, `row` and `cell` (role, cols, rows),
`milestone` for a rule. Around them: `list` (type: bulleted, ordered, gloss), `item` (n), `label` for a term, `quote`,
`figure`, `figDesc`. In them: `hi` (rend: bold, italic, superscript, subscript), `code`, `del`, `ref` (target),
`graphic` (url) with a `desc`, `lb` for a line break.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from duramen.dom.tree import Tree
from duramen.output import elements, model
from duramen.output.blocks import rich_blocks
from duramen.output.code import code_language
from duramen.output.marks import Mark, steps
from duramen.output.model import Block, Container, Run, Table, divergence
from duramen.output.options import Options

_DEFAULT = Options()
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")
_MARKS: Final[dict[int, tuple[str, dict[str, str]]]] = {
    elements.STRONG: ("hi", {"rend": "bold"}),
    elements.EMPHASIS: ("hi", {"rend": "italic"}),
    elements.SUPERSCRIPT: ("hi", {"rend": "superscript"}),
    elements.SUBSCRIPT: ("hi", {"rend": "subscript"}),
    elements.DELETED: ("del", {}),
    elements.CODE: ("code", {}),
}
_CONTAINERS: Final = {
    elements.LIST: "list",
    elements.ITEM: "item",
    elements.QUOTE: "quote",
    elements.GLOSSARY: "list",
    elements.TERM: "label",
    elements.DEFINITION: "item",
    elements.FIGURE: "figure",
    elements.LEGEND: "figDesc",
}


def legal_xml(text: str) -> str:
    """The same text without the characters that XML 1.0 does not allow: controls and halves of surrogate pairs."""
    return _ILLEGAL.sub("", text)


def write_xml(tree: Tree, spans: Sequence[range], options: Options = _DEFAULT) -> str:
    """The kept nodes as an XML element, `body`."""
    return tostring(xml_body(tree, spans, options), encoding="unicode")


def xml_body(tree: Tree, spans: Sequence[range], options: Options = _DEFAULT) -> Element:
    """The kept nodes as an element tree. It nests no deeper than `model.DEEPEST` and a few."""
    body = Element("body")
    blocks = rich_blocks(tree, spans, options)
    if blocks:
        _write(tree, blocks, body, blocks[0].container.outermost())
    return body


def _write(tree: Tree, blocks: Sequence[Block], body: Element, inside: Container) -> None:
    """Write blocks, all of which are inside one container, into its element."""
    opened = [body]
    here = inside
    for block in blocks:
        common, _, _ = divergence(here, block.container)
        del opened[common.depth - inside.depth + 1 :]
        for container in block.container.path()[common.depth :]:
            opened.append(_open(container, opened[-1]))
        here = block.container
        if block.kind == model.LINE and common is not here and here.role != elements.FIGURE:
            _inline(block.runs, opened[-1])  # the first words of an item need no paragraph of their own
        else:
            _block(tree, block, opened[-1])


def _open(container: Container, parent: Element) -> Element:
    element = SubElement(parent, _CONTAINERS[container.role])
    if container.role == elements.LIST:
        element.set("type", "ordered" if container.ordered else "bulleted")
    elif container.role == elements.GLOSSARY:
        element.set("type", "gloss")
    elif container.number is not None:
        element.set("n", str(container.number))
    return element


def _block(tree: Tree, block: Block, parent: Element) -> None:
    if block.table is not None:
        _table(tree, block.table, SubElement(parent, "table"), block.container)
    elif block.kind == model.RULE:
        SubElement(parent, "milestone", unit="section")
    elif block.kind == model.VERBATIM:
        element = SubElement(parent, "code")
        element.text = legal_xml(block.text)
        language = code_language(tree, block.node)
        if language:
            element.set("lang", language)
    elif block.kind == model.HEADING:
        _inline(block.runs, SubElement(parent, "head", level=str(block.level)))
    else:
        _inline(block.runs, SubElement(parent, "p"))


def _table(tree: Tree, table: Table, element: Element, inside: Container) -> None:
    if table.caption is not None:
        _inline(table.caption.runs, SubElement(element, "head"))
    for row in table.rows:
        line = SubElement(element, "row")
        for cell in row:
            place = SubElement(line, "cell")
            if cell.header:
                place.set("role", "label")
            if cell.columns > 1:
                place.set("cols", str(cell.columns))
            if cell.rows > 1:
                place.set("rows", str(cell.rows))
            if cell.words is not None:
                _inline(cell.words.runs, place)
            _write(tree, cell.items, place, inside)


def _inline(runs: Sequence[Run], element: Element) -> None:
    """Write runs into an element that is empty so far."""
    opened = [element]
    last: Element | None = None  # the latest child of the innermost open element, after which text is its tail
    for closed, fresh, run in steps(runs):
        for _ in closed:
            last = opened.pop()
        for mark in fresh:
            opened.append(_marked(mark, opened[-1]))
            last = None
        if run is None:
            continue
        if run.source is not None:
            last = SubElement(opened[-1], "graphic", url=legal_xml(run.source))
            if run.text:
                SubElement(last, "desc").text = legal_xml(run.text)
        elif run.text == "\n":
            last = SubElement(opened[-1], "lb")
        elif last is None:
            opened[-1].text = (opened[-1].text or "") + legal_xml(run.text)
        else:
            last.tail = (last.tail or "") + legal_xml(run.text)


def _marked(mark: Mark, parent: Element) -> Element:
    if mark.href is not None:
        return SubElement(parent, "ref", target=legal_xml(mark.href))
    tag, attributes = _MARKS[mark.bit]
    return SubElement(parent, tag, attributes)
