"""Markdown: CommonMark with the tables and the strikethrough of GitHub.

What is written renders to the words that `write_text` gives. Lists are tight where every item is one paragraph. A hard
break is a backslash at the end of the line: two spaces are invisible and many an editor strips them. Markdown has no
lists of definitions: the term is a bold paragraph, the definition one below it.

A table needs a head, and an empty one is ugly, so the first row is the head whether the page says so or not. What
stands in a cell stands in one line: breaks are spaces, items of a list are separated by semicolons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from duramen.dom.tree import Tree
from duramen.output import elements, model
from duramen.output.blocks import rich_blocks
from duramen.output.code import code_language
from duramen.output.emphasis import inline_markdown, paragraph_markdown
from duramen.output.model import Block, Cell, Container, Run, Table, divergence, stand_apart
from duramen.output.options import Options

_DEFAULT = Options()
_CLOSING_HASHES = re.compile(r"(?:(?<=\s)|\A)(?=#+\Z)")
_TICKS = re.compile(r"`{3,}")


def write_markdown(tree: Tree, spans: Sequence[range], options: Options = _DEFAULT) -> str:
    """The kept nodes as Markdown, with a line break at the end unless there is nothing."""
    writer = _Writer(tree)
    for block in rich_blocks(tree, spans, options):
        writer.write(block)
    return "".join(writer.out)


class _Writer:
    """The Markdown so far, and the containers that are open at its end."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.out: list[str] = []
        self.before: Block | None = None
        self.signs: dict[Container, str] = {}
        """What stands before an item that has been written: its bullet or number."""
        self.latest: dict[Container, Container] = {}
        """The latest item written in each container that can be seen: an item, a quote, the page."""

    def write(self, block: Block) -> None:
        text = self._text(block)
        before = self.before
        path = block.container.path()
        if before is not None and self._apart(before, block, path):
            common, _, _ = divergence(before.container, block.container)
            self.out.append("".join(map(self._indent, common.path())).rstrip() + "\n")
        first = "".join([self._lead(container) for container in path])
        indent = "".join(map(self._indent, path))
        empty = indent.rstrip() + "\n"
        for number, line in enumerate(text.split("\n")):
            self.out.append(f"{indent if number else first}{line}\n" if line else empty)
        self.before = block

    def _apart(self, before: Block, block: Block, path: Sequence[Container]) -> bool:
        """A blank line where text has one, between lines, and before a list that could not interrupt a paragraph."""
        common, _, below = divergence(before.container, block.container)
        in_list = common.role == elements.LIST or (below is not None and below.role == elements.LIST)
        if stand_apart(before, block) or not in_list:
            return True
        # Only a list that starts with 1 may interrupt a paragraph.
        return common.is_item and path[common.depth + 1].number not in (None, 1)

    def _text(self, block: Block) -> str:
        if block.kind == model.VERBATIM:
            longest = max((len(ticks) for ticks in _TICKS.findall(block.text)), default=2)
            fence = "`" * (longest + 1)
            return f"{fence}{code_language(self.tree, block.node)}\n{block.text}\n{fence}"
        if block.kind == model.RULE:
            return "___" if block.container.parent else "---"  # "- ---" would be a rule without its item
        if block.table is not None:
            return _table(block.table)
        if block.kind == model.HEADING:
            words = _CLOSING_HASHES.sub(r"\\", inline_markdown(block.runs, one_line=True))
            return f"{'#' * block.level} {words}"
        runs = block.runs
        if block.container.role == elements.TERM:
            runs = [run._replace(marks=run.marks | elements.STRONG) for run in runs]
        return paragraph_markdown(runs)

    def _lead(self, container: Container) -> str:
        """What a container puts before its first line."""
        if container.role == elements.ITEM and container not in self.signs:
            self.signs[container] = sign = self._sign(container)
            return sign
        return self._indent(container)

    def _indent(self, container: Container) -> str:
        """What a container puts before each line."""
        if container.role == elements.QUOTE:
            return "> "
        return " " * len(self.signs[container]) if container.role == elements.ITEM else ""

    def _sign(self, item: Container) -> str:
        """The bullet or number of an item.

        Two lists side by side would read as one, and a number that does not follow the one before would be counted on
        from it. Another bullet or another sign after the number starts a new list.
        """
        outer = item.parent
        while outer is not None and outer.role not in (0, elements.ITEM, elements.QUOTE):
            outer = outer.parent
        assert outer is not None
        before = self.latest.get(outer)
        self.latest[outer] = item
        number = item.number
        sign = self.signs[before] if before is not None and self._is_next(before) else ""
        if number is None or not 0 <= number < 1_000_000_000:
            if before is not None and sign and before.parent is item.parent and not sign[0].isdigit():
                return sign
            return "* " if sign == "- " else "- "
        dot = sign[-2:-1] if sign[:1].isdigit() else ""
        if dot and before is not None and before.parent is item.parent and number == int(sign[:-2]) + 1:
            return f"{number}{dot} "
        return f"{number}{')' if dot == '.' else '.'} "

    def _is_next(self, item: Container) -> bool:
        """Is an item, or something in it, what was written last?"""
        return self.before is not None and item in self.before.container.path()


def _table(table: Table) -> str:
    rows = [[_cell(cell) for cell in row] for row in table.grid]
    rows = [row for row in rows if any(row)]
    width = max(map(len, rows))
    head, *body = rows
    lines = [_row(head + [""] * (width - len(head))), _row(["---"] * width), *map(_row, body)]
    if table.caption is not None:
        return f"{paragraph_markdown(table.caption.runs)}\n\n" + "\n".join(lines)
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    runs: list[Run] = []
    for separator, block in cell.blocks():
        if separator:
            runs.append(Run(separator))
        runs.extend(block.runs)
    return inline_markdown(runs, one_line=True).replace("|", "\\|")
