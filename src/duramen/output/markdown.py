"""Write content as Markdown: CommonMark with the tables, strikethrough, notes, task lists and callouts of GitHub.

The output renders to the words that `write_text` gives. Lists are tight where every item is one paragraph. A hard
break is a backslash at the end of the line: two spaces are invisible, and many editors strip them. Markdown has no
definition lists: the term is written as a bold paragraph, the definition as a paragraph below it. `details` and its
summary are HTML, as on GitHub: nothing else shows where it ends. Formulas are TeX between dollar signs. Where readers
could take other dollar signs for a formula, they are escaped.

A table needs a header, and an empty one is ugly, so the first row is the header whether the page says so or not. A
cell is one line: its blocks and breaks are separated by `<br>`. A cell over several rows or columns is repeated in each
of them, so that every value stands under its heading; a cell that is a whole row is a heading itself, and stands once.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from html import escape
from io import StringIO
from typing import Final

from duramen.dom.tree import Tree
from duramen.output import elements
from duramen.output.build import build_rich_blocks
from duramen.output.elements import (
    FORMULA,
    STRONG,
)
from duramen.output.html import write_html_table
from duramen.output.markdown_inline import clean_label, write_code, write_inline, write_paragraph
from duramen.output.model import (
    CALLOUT_BLOCK,
    FORMULA_BLOCK,
    HEADING_BLOCK,
    PREFORMATTED_BLOCK,
    RULE_BLOCK,
    Container,
    InlineRun,
    OutputBlock,
    OutputCell,
    OutputTable,
    are_separated,
    find_common_container,
)
from duramen.output.options import OutputOptions
from duramen.output.table_grid import write_grid
from duramen.output.text import CHECK_BOXES, write_cell_text

_DEFAULT_OPTIONS: Final = OutputOptions()
_CLOSING_HASHES = re.compile(r"(?:(?<=\s)|\A)(?=#+\Z)")
_FENCES = re.compile(r"`{3,}")
_MAX_NUMBER: Final = 999_999_999  # CommonMark allows nine digits
_NOTE_INDENT: Final = "    "


def write_markdown(tree: Tree, spans: Sequence[range], options: OutputOptions = _DEFAULT_OPTIONS) -> str:
    """Write the kept nodes as Markdown, with a line break at the end unless it is empty."""
    writer = _MarkdownWriter(tree, options)
    for block in build_rich_blocks(tree, spans, options):
        writer.write(block)
    writer.close_details(())
    return "".join(writer.out)


class _MarkdownWriter:
    """The Markdown so far, and the containers that are open at its end."""

    def __init__(self, tree: Tree, options: OutputOptions) -> None:
        self.tree = tree
        self.options = options
        self.out: list[str] = []
        self.before: OutputBlock | None = None
        self.signs: dict[Container, str] = {}
        """Bullet or number of each item written so far, and the label of each note."""
        self.last_items: dict[Container, Container] = {}
        """Last item written in each container that Markdown shows: an item, a quote, the page."""
        self.open_details: list[Container] = []

    def write(self, block: OutputBlock) -> None:
        """Write the next block."""
        text = self._write_block(block)
        before = self.before
        self.before = block
        container = block.container
        if self.open_details:
            self.close_details(container.path())
        if container.parent is None and (before is None or before.container is container):
            self.out.append(f"{text}\n" if before is None else f"\n{text}\n")
            return
        path = container.path()
        if before is not None:
            common, _, below = find_common_container(before.container, container)
            if self._is_separated(before, block, path, common, below):
                indent = "" if common.parent is None else "".join(map(self._find_indent, common.path()))
                self.out.append(indent.rstrip() + "\n")
        if container.role == elements.SUMMARY and block.kind != HEADING_BLOCK:
            text = self._open_details(container, text)
        first = "".join([self._find_lead(around, before) for around in path])
        indent = "".join(map(self._find_indent, path))
        if "\n" not in text:
            self.out.append(f"{first}{text}\n" if text else indent.rstrip() + "\n")
            return
        empty = indent.rstrip() + "\n"
        for number, line in enumerate(text.split("\n")):
            self.out.append(f"{indent if number else first}{line}\n" if line else empty)

    def _open_details(self, summary: Container, text: str) -> str:
        """Return the text of a summary, with the start of its `details` before it if it is the first one.

        With a heading as summary, `details` is a section like others, and so it is without a summary.
        """
        assert summary.parent is not None
        if summary.parent in self.open_details:
            return text
        self.open_details.append(summary.parent)
        return f"<details>\n{text}"  # HTML goes up to the next blank line

    def close_details(self, path: Sequence[Container]) -> None:
        """Write the end of each `details` that is open and not among these containers."""
        while self.open_details and self.open_details[-1] not in path:
            indent = "".join(map(self._find_indent, self.open_details.pop().path()))
            self.out.append(f"{indent.rstrip()}\n{indent}</details>\n")

    def _is_separated(
        self,
        before: OutputBlock,
        block: OutputBlock,
        path: Sequence[Container],
        common: Container,
        below: Container | None,
    ) -> bool:
        """Return whether a blank line is due: as in text, between lines, before a list that cannot interrupt."""
        if before.kind == CALLOUT_BLOCK and before.container in path:
            return False
        in_list = common.role == elements.LIST or (below is not None and below.role == elements.LIST)
        if are_separated(before, block) or not in_list:
            return True
        # Only a list that starts with 1 may interrupt a paragraph.
        return common.is_item and path[common.depth + 1].number not in (None, 1)

    def _write_block(self, block: OutputBlock) -> str:
        kind = block.kind
        if kind == PREFORMATTED_BLOCK:
            return _fence(block.text, block.language)
        if kind == FORMULA_BLOCK:
            return f"$$\n{block.text}\n$$"
        if kind == RULE_BLOCK:
            return "___" if block.container.parent else "---"  # "- ---" would be a rule without its item
        if kind == CALLOUT_BLOCK:
            return _write_callout_title(block)
        if block.table is not None:
            return self._write_table(block.table, block.container)
        runs = block.runs
        if kind == HEADING_BLOCK:
            words = _CLOSING_HASHES.sub(r"\\", write_inline(runs, one_line=True))
            return f"{'#' * block.level} {words}"
        if block.container.role == elements.SUMMARY:
            return f"<summary>{_write_summary(runs)}</summary>"
        if block.container.role == elements.TERM:
            runs = [run._replace(marks=run.marks | STRONG) for run in runs]
        return write_paragraph(runs)

    def _write_table(self, table: OutputTable, container: Container) -> str:
        caption = "\n\n".join([write_paragraph(block.runs) for block in table.caption if block.runs])
        if self.options.tables == "html":
            written = write_html_table(self.tree, table, container, self.options)
        elif self.options.tables == "csv":
            written = _write_csv(table)
        else:
            written = _write_pipe_table(table)
        return f"{caption}\n\n{written}" if caption and self.options.tables != "html" else written

    def _find_lead(self, container: Container, before: OutputBlock | None) -> str:
        """Return what a container puts before its first line."""
        if container.role == elements.ITEM and container not in self.signs:
            self.signs[container] = sign = self._choose_sign(container, before)
            return sign if container.is_checked is None else f"{sign}{CHECK_BOXES[container.is_checked]}"
        if container.role == elements.NOTE and container not in self.signs:
            self.signs[container] = _NOTE_INDENT
            return f"[^{clean_label(container.label)}]: "
        return self._find_indent(container)

    def _find_indent(self, container: Container) -> str:
        """Return what a container puts before each line."""
        if container.role == elements.QUOTE:
            return "> "
        return " " * len(self.signs[container]) if container.role in (elements.ITEM, elements.NOTE) else ""

    def _choose_sign(self, item: Container, written: OutputBlock | None) -> str:
        """Choose the bullet or number of an item.

        Two adjacent lists would read as one, and a number that does not follow the one before would be renumbered.
        Another bullet or another sign after the number starts a new list.
        """
        outer = item.parent
        while outer is not None and outer.role not in (0, elements.ITEM, elements.QUOTE, elements.NOTE):
            outer = outer.parent
        assert outer is not None
        before = self.last_items.get(outer)
        self.last_items[outer] = item
        number = item.number
        is_last = before is not None and written is not None and before in written.container.path()
        sign = self.signs[before] if before is not None and is_last else ""
        if number is None or not 0 <= number <= _MAX_NUMBER:
            if before is not None and sign and before.parent is item.parent and not sign[0].isdigit():
                return sign
            return "* " if sign == "- " else "- "
        dot = sign[-2:-1] if sign[:1].isdigit() else ""
        if dot and before is not None and before.parent is item.parent and number == int(sign[:-2]) + 1:
            return f"{number}{dot} "
        return f"{number}{')' if dot == '.' else '.'} "


def _fence(text: str, language: str) -> str:
    longest = max((len(ticks) for ticks in _FENCES.findall(text)), default=2) if "```" in text else 2
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _write_callout_title(block: OutputBlock) -> str:
    callout = block.container.callout
    assert callout is not None
    title = write_inline([InlineRun(callout.title)], one_line=True) if callout.title else ""
    return f"[!{callout.kind.upper()}] {title}".rstrip()


def _write_summary(runs: Sequence[InlineRun]) -> str:
    """Write the words of a summary as HTML, which Markdown does not read."""
    texts = [f"${run.text}$" if run.marks & FORMULA else run.text for run in runs if run.image_url is None]
    return " ".join(escape("".join(texts), quote=False).split())


def _write_pipe_table(table: OutputTable) -> str:
    rows = write_grid(table.grid, _write_cell)
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows if any(row)]
    head, *body = rows
    return "\n".join([_write_row(head), _write_row(["---"] * width), *map(_write_row, body)])


def _write_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _write_cell(cell: OutputCell) -> str:
    return "<br>".join(filter(None, map(_write_block_in_cell, cell.blocks)))


def _write_block_in_cell(block: OutputBlock) -> str:
    """Write a block on one line, so that it can stand in a table."""
    if block.kind == PREFORMATTED_BLOCK:
        return "<br>".join([write_code(line).replace("|", "\\|") for line in block.text.split("\n") if line.strip()])
    if block.kind == FORMULA_BLOCK:
        return f"$${_replace_bars(block.text)}$$"
    marks = STRONG if block.kind == HEADING_BLOCK else 0
    runs = [run._replace(text=_replace_bars(run.text)) if run.marks & FORMULA else run for run in block.runs]
    runs = [run._replace(marks=run.marks | marks) for run in runs] if marks else runs
    parts: list[list[InlineRun]] = [[]]
    for run in runs:
        if run.text == "\n" and run.image_url is None:
            parts.append([])
        else:
            parts[-1].append(run)
    return "<br>".join([write_inline(part, one_line=True).replace("|", "\\|") for part in parts if part])


def _replace_bars(tex: str) -> str:
    """Return TeX that can stand in a table: a bar would end the cell, and a backslash before it means another sign."""
    return " ".join(tex.replace("\\|", "\\Vert ").replace("|", "\\vert ").split())


def _write_csv(table: OutputTable) -> str:
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows(write_grid(table.grid, write_cell_text))
    return _fence(file.getvalue().rstrip("\n"), "csv")
