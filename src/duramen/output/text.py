"""Write content as plain text, as a person would copy it from the screen.

Every block starts a new line. A blank line separates paragraphs, headings, lists and tables, but not lines (text in a
div). Items have `- ` or their number, and their content is indented; quotes and headings have no sign. A tab separates
the cells of a row, as on a browser's clipboard: no cell can contain one, so that rows can be split again. A cell over
several rows or columns stands once: repetitions are no words of the page. Formulas are
TeX between dollar signs. Notes stand at the end, each with its label.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from duramen.dom.tree import Tree
from duramen.output import elements
from duramen.output.build import build_plain_blocks
from duramen.output.markup import find_roles
from duramen.output.model import (
    FORMULA_BLOCK,
    LINE_BLOCK,
    RULE_BLOCK,
    TABLE_BLOCK,
    Container,
    OutputBlock,
    OutputCell,
    are_separated,
)
from duramen.output.options import OutputOptions
from duramen.output.table_grid import write_grid

_DEFAULT_OPTIONS: Final = OutputOptions()
CHECK_BOXES: Final = {True: "[x] ", False: "[ ] "}
"""Signs of the items of task lists."""
_DEFINITION_INDENT: Final = "    "
_MAX_MARKDOWN_NUMBER: Final = 999_999_999


def write_text(tree: Tree, spans: Sequence[range], options: OutputOptions = _DEFAULT_OPTIONS) -> str:
    """Write the kept nodes as plain text, without a line break at the end."""
    return join_blocks(build_plain_blocks(tree, spans, options))


def write_texts(tree: Tree, parts: Iterable[Sequence[range]]) -> list[str]:
    """Write several parts of a page as plain text, each as `write_text` does."""
    roles = find_roles(tree, _DEFAULT_OPTIONS, rich=False)
    return [join_blocks(build_plain_blocks(tree, spans, _DEFAULT_OPTIONS, roles)) for spans in parts]


def join_blocks(blocks: list[OutputBlock]) -> str:
    """Write blocks, built for plain text, as one text."""
    out: list[str] = []
    before: OutputBlock | None = None
    separated = False
    indents: dict[Container, str] = {}
    for block in blocks:
        kind, container, text = block.kind, block.container, block.text
        if kind == RULE_BLOCK:
            separated = True
            continue
        if before is not None:
            if not separated:
                last = before.container
                if container is last:  # as `are_separated` in the two most common cases
                    separated = kind != LINE_BLOCK or before.kind != LINE_BLOCK
                elif last.is_item and (parent := last.parent) is container.parent and parent is not None:
                    separated = parent.is_loose
                else:
                    separated = are_separated(before, block)
            out.append("\n\n" if separated else "\n")
        if kind == TABLE_BLOCK:
            text = write_table(block)
        elif kind == FORMULA_BLOCK:
            text = f"$${text}$$"
        out.append(text if container.parent is None else _indent(text, container, indents))
        before = block
        separated = False
    return "".join(out)


def _item_sign(item: Container) -> str:
    """Return the sign of an item: its number, or a dash where it has none that Markdown could write."""
    number = item.number
    sign = f"{number}. " if number is not None and 0 <= number <= _MAX_MARKDOWN_NUMBER else "- "
    return sign if item.is_checked is None else f"{sign}{CHECK_BOXES[item.is_checked]}"


def _indent(text: str, container: Container, indents: dict[Container, str]) -> str:
    """Indent a text by its containers, and put the signs of items that start with it before it."""
    lead = _find_lead(container, indents)
    if "\n" in text:
        indent = indents[container]
        first, *rest = text.split("\n")
        text = "\n".join([first, *(indent + line if line else line for line in rest)])
    return lead + text


def _find_lead(container: Container, indents: dict[Container, str]) -> str:
    """Return what precedes the first line of a block; record the indentation of the container.

    A recursion over the containers around, which are few (`model.MAX_CONTAINER_DEPTH`).
    """
    known = indents.get(container)
    if known is not None:
        return known
    if container.parent is None:
        indents[container] = ""
        return ""
    lead = _find_lead(container.parent, indents)
    indent = indents[container.parent]
    if container.role == elements.ITEM:
        sign = _item_sign(container)
        lead += sign
        indent += " " * len(sign)
    elif container.role == elements.NOTE:
        lead += f"[{container.label}] "
    elif container.role == elements.DEFINITION:
        lead += _DEFINITION_INDENT
        indent += _DEFINITION_INDENT
    indents[container] = indent
    return lead


def write_table(block: OutputBlock) -> str:
    """Write a table: a line for each row, a tab between cells."""
    table = block.table
    assert table is not None
    lines = ["\t".join(row).rstrip() for row in write_grid(table.grid, write_cell_text, repeated=False)]
    text = "\n".join(line for line in lines if line)
    caption = "\n".join([part.text for part in table.caption if part.text])
    return f"{caption}\n\n{text}" if caption else text


def write_cell_text(cell: OutputCell) -> str:
    """Write a cell on one line: breaks become spaces."""
    return " ".join(" ".join([_write_words(block) for block in cell.blocks]).split())


def _write_words(block: OutputBlock) -> str:
    """Write the words of a block in a cell, without marks."""
    if block.kind == FORMULA_BLOCK:
        return f"$${block.text}$$"
    if block.runs and not block.text:  # a block built for the outputs with marks
        return "".join([f"${run.text}$" if run.marks & elements.FORMULA else run.text for run in block.runs])
    return block.text
