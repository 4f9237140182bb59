"""Plain text: what a person would copy from the screen.

A block starts a new line; paragraphs, headings, lists and tables stand apart by a blank line, lines (text in a div) do
not. Items bear `- ` or their number and what is in them is indented; quotes and headings bear nothing. The cells of a
row are separated by a tab, as a browser puts them on the clipboard: no cell can hold one, so a row can be split again.
A no-break space is written as a space.
"""

from __future__ import annotations

from collections.abc import Sequence

from duramen.dom.tree import Tree
from duramen.output import elements, model
from duramen.output.blocks import plain_blocks
from duramen.output.model import Block, Cell, Container, stand_apart
from duramen.output.options import Options

_DEFAULT = Options()
_LINE, _RULE, _TABLE = model.LINE, model.RULE, model.TABLE
_DEFINITION = "    "


def write_text(tree: Tree, spans: Sequence[range], options: Options = _DEFAULT) -> str:
    """The kept nodes as plain text, without a line break at the end."""
    return written(plain_blocks(tree, spans, options))


def written(blocks: list[Block]) -> str:
    """Blocks as plain text."""
    return _joined(blocks)


def _joined(blocks: list[Block]) -> str:
    out: list[str] = []
    before: Block | None = None
    before_kind = 0
    held: Container | None = None
    apart = False
    indents: dict[Container, str] = {}
    for block in blocks:
        kind, container, text = block.kind, block.container, block.text
        if kind == _RULE:
            apart = True
            continue
        if before is not None:
            if not apart:  # what is written out is what `stand_apart` says in the two most common cases
                if container is held:
                    apart = kind != _LINE or before_kind != _LINE
                elif held is not None and held.is_item and (around := held.parent) is container.parent and around:
                    apart = around.loose
                else:
                    apart = stand_apart(before, block)
            out.append("\n\n" if apart else "\n")
        if kind == _TABLE:
            text = _table(block)
        out.append(text if container.parent is None else _indented(text, container, indents))
        before, before_kind, held = block, kind, container
        apart = False
    return "".join(out)


def marker(item: Container) -> str:
    """What stands before an item: its number, or a dash where it has none that Markdown could write."""
    number = item.number
    return f"{number}. " if number is not None and 0 <= number < 1_000_000_000 else "- "


def _indented(text: str, container: Container, indents: dict[Container, str]) -> str:
    lead = _lead(container, indents)
    if "\n" in text:
        indent = indents[container]
        first, *rest = text.split("\n")
        text = "\n".join([first, *(indent + line if line else line for line in rest)])
    return lead + text


def _lead(container: Container, indents: dict[Container, str]) -> str:
    """What stands before the first line of a block: indentation, and the signs of items that start with it.

    Calls itself for the container around, of which there are few (`model.DEEPEST`).
    """
    known = indents.get(container)
    if known is not None:
        return known
    if container.parent is None:
        indents[container] = ""
        return ""
    lead = _lead(container.parent, indents)
    indent = indents[container.parent]
    if container.role == elements.ITEM:
        sign = marker(container)
        lead += sign
        indent += " " * len(sign)
    elif container.role == elements.DEFINITION:
        lead += _DEFINITION
        indent += _DEFINITION
    indents[container] = indent
    return lead


def _table(block: Block) -> str:
    table = block.table
    assert table is not None
    lines = [("\t".join(map(_cell, row))).rstrip() for row in table.grid]
    text = "\n".join(line for line in lines if line)
    return f"{table.caption.text}\n\n{text}" if table.caption is not None else text


def _cell(cell: Cell | None) -> str:
    """A cell in one line: breaks are spaces, items of a list are separated by semicolons."""
    if cell is None:
        return ""
    if cell.words is not None and not cell.items:  # as most are
        return cell.words.text.replace("\n", " ")
    parts = [separator + block.text for separator, block in cell.blocks()]
    return "".join(parts).replace("\n", " ")
