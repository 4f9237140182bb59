"""Collect the words of one block, and make output blocks of them.

The walk over the nodes (`build.py`) adds pieces of text and changes of marks; `flush` makes blocks of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from duramen.dom.tree import Tree
from duramen.output.elements import SUPERSCRIPT
from duramen.output.formula_delimiters import may_have_formulas, split_at_formulas
from duramen.output.inline import BREAK, PARAGRAPH_BREAK, MarkChange, build_runs, collapse_whitespace
from duramen.output.model import (
    FORMULA_BLOCK,
    HEADING_BLOCK,
    LINE_BLOCK,
    PARAGRAPH_BLOCK,
    PREFORMATTED_BLOCK,
    Container,
    InlineRun,
    OutputBlock,
)
from duramen.output.superscripts import lower_text, raise_text
from duramen.structure.units import PageStructure

_NEVER: Final = sys.maxsize
_NO_MARKS: Final = MarkChange(0)


class BlockCollector:
    """The blocks so far, and the words of the next one with their marks."""

    def __init__(self, tree: Tree, structure: PageStructure, *, rich: bool) -> None:
        self.tree = tree
        self.structure = structure
        self.rich = rich
        self.blocks: list[OutputBlock] = []
        # The block that is being collected.
        self.pieces: list[str] = []
        self.mark_changes = [_NO_MARKS]
        self.kind = LINE_BLOCK
        self.level = 0
        self.node = -1
        self.text_before = -1  # its last text node, if only the address of a link was added since
        self.script_starts: list[int] = []  # the first piece of each open superscript or subscript
        # The position in the page.
        self.container = Container()
        self.marks = 0
        self.href: str | None = None

    def change_marks(self) -> None:
        self.mark_changes.append(MarkChange(len(self.pieces), self.marks, self.href))

    def convert_script(self, mark: int) -> None:
        """Write a superscript or subscript that ends here in characters of its own; rich outputs mark it."""
        start = self.script_starts.pop()
        if self.rich or start >= len(self.pieces):
            return
        convert = raise_text if mark == SUPERSCRIPT else lower_text
        lines = "".join(self.pieces[start:]).split(BREAK)
        # The spaces around it stay: they separate words.
        words = [line.strip() for line in lines]
        scripts = [convert(word) for word in words]
        converted = [
            line.replace(word, script) if script else line
            for line, word, script in zip(lines, words, scripts, strict=True)
        ]
        if converted != lines:
            self.pieces[start:] = [BREAK.join(converted)]
            self.text_before = -1

    def end_line(self) -> None:
        """Start a new line in preformatted text, for a box inside it."""
        if self.pieces and not self.pieces[-1].endswith("\n"):
            self.pieces.append("\n")

    def flush(self) -> None:
        """Make a block of the collected words: several where breaks separate paragraphs, none without words."""
        pieces = self.pieces
        if self.kind == PREFORMATTED_BLOCK:
            text = "".join(pieces).replace(BREAK, "\n").rstrip()
            if text:
                blank = text[: len(text) - len(text.lstrip())]
                self.add_block(self.kind, text[blank.rfind("\n") + 1 :], ())
        elif not (may_have_formulas(pieces) and self._add_parts()):
            self._add_words(pieces, self.mark_changes)
        pieces.clear()
        if self.script_starts:
            self.script_starts = [_NEVER] * len(self.script_starts)
        self.text_before = -1
        self.mark_changes = [MarkChange(0, self.marks, self.href)] if self.marks or self.href else [_NO_MARKS]

    def _add_parts(self) -> bool:
        """Add the words and the formulas of a block with formulas in its text; return whether it has some."""
        is_line = self.kind == HEADING_BLOCK
        parts = split_at_formulas(self.pieces, self.mark_changes, self.structure, rich=self.rich, is_line=is_line)
        if parts is None:
            return False
        for part in parts:
            if part.tex:
                self.add_block(FORMULA_BLOCK, part.tex, ())
            else:
                self._add_words(part.pieces, part.changes)
        return True

    def _add_words(self, pieces: list[str], changes: Sequence[MarkChange]) -> None:
        """Add the blocks that the words make."""
        kind = self.kind
        if self.rich and (len(changes) > 1 or changes[0] is not _NO_MARKS):
            paragraphs = build_runs(pieces, changes)
        else:
            text = collapse_whitespace(pieces[0] if len(pieces) == 1 else "".join(pieces))
            if "\n" not in text:
                if text:
                    self.add_block(kind, "" if self.rich else text, [InlineRun(text)] if self.rich else ())
                return
            if not self.rich:
                texts = PARAGRAPH_BREAK.split(text)
                if len(texts) > 1 and kind == LINE_BLOCK:
                    kind = PARAGRAPH_BLOCK
                for paragraph in texts:
                    self.add_block(kind, paragraph, ())
                return
            paragraphs = build_runs(pieces, changes)
        if len(paragraphs) > 1 and kind == LINE_BLOCK:
            kind = PARAGRAPH_BLOCK
        for runs in paragraphs:
            self.add_block(kind, "", runs)

    def add_code(self, node: int, text: str, language: str) -> None:
        if self.pieces:
            self.flush()
        self.node = node
        if text.strip():
            self.add_block(PREFORMATTED_BLOCK, text, (), language)

    def add_embed(self, node: int, title: str, url: str | None) -> None:
        if url is None:
            return
        if self.pieces:
            self.flush()
        self.node = node
        if self.rich:
            self.add_block(PARAGRAPH_BLOCK, "", [InlineRun(title, 0, url)])
        else:
            self.add_block(PARAGRAPH_BLOCK, f"{title} ({url})", ())

    def add_block(self, kind: int, text: str, runs: Sequence[InlineRun], language: str = "") -> None:
        if kind == PREFORMATTED_BLOCK and "\r" in text:  # from `&#13;`; some formats would lose it
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        container = self.container
        if container.parent is not None:
            if container.is_list:
                container = container.find_holder()
            container.note_block()
        self.blocks.append(OutputBlock(kind, container, self.node, self.level, text, runs, None, language))
