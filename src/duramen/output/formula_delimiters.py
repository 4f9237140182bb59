"""Formulas that stand in running text as TeX between delimiters: `\\(x\\)`, `\\[x\\]`, `$$x$$`, `\\begin{align}…`.

They are looked for in the words of a whole block, because emphasis or a break may divide a formula into several pieces.
Delimiters in code are not looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from duramen.output.elements import ATOMIC, CODE, EMPHASIS, FORMULA
from duramen.output.inline import BREAK, MarkChange
from duramen.structure.tex_source import clean_tex
from duramen.structure.text_formulas import TextFormula, find_text_formulas
from duramen.structure.units import PageStructure

_CODE_CHARACTER: Final = "\x01"
_BASE_ENDS: Final = "}])'|"
"""Characters, besides letters and digits, that may stand before the underscore of a subscript."""


class BlockPart(NamedTuple):
    """Part of a block: a displayed formula (`tex`), or words with the formulas in them."""

    tex: str
    pieces: list[str]
    changes: list[MarkChange]


def may_have_formulas(pieces: Sequence[str]) -> bool:
    """Return whether pieces may have a delimiter of formulas: a quick test that most blocks fail."""
    return any("\\" in piece or "$" in piece or "`" in piece for piece in pieces)


def split_at_formulas(
    pieces: Sequence[str], changes: Sequence[MarkChange], structure: PageStructure, *, rich: bool, is_line: bool = False
) -> list[BlockPart] | None:
    """Split the pieces of a block at its displayed formulas; mark the others.

    In a block that is one line, such as a heading, all formulas are marked. Return None if the block has no formula.
    """
    marks_of = _find_marks(changes, len(pieces))
    text = _join_words(pieces, marks_of)
    has_dollars = "$" in text and structure.has_dollar_delimiters
    has_asciimath = "`" in text and structure.has_asciimath_delimiters
    has_brackets = ("\\(" in text or "\\[" in text) and structure.has_formulas
    formulas = find_text_formulas(text, dollars=has_dollars, asciimath=has_asciimath, unsigned=has_brackets)
    if not formulas and not (has_dollars and "\\$" in text):
        return None
    if restored := _restore_subscripts(pieces, marks_of, text, formulas):
        pieces, marks_of = restored
        text = _join_words(pieces, marks_of)
        formulas = find_text_formulas(text, dollars=has_dollars, asciimath=has_asciimath, unsigned=has_brackets)
    parts = [BlockPart("", [], [])]
    cutter = _PieceCutter(pieces, marks_of)
    for formula in formulas:
        cutter.copy(formula.start, parts[-1])
        marks = cutter.skip(formula.stop)
        tex = clean_tex(formula.tex.replace(BREAK, "\n")).tex if BREAK in formula.tex else formula.tex
        if (
            formula.is_display
            and not is_line
            and not (text[formula.start] == "$" and _is_in_sentence(text, formula, structure))
        ):
            parts.append(BlockPart(tex, [], []))
            parts.append(BlockPart("", [], []))
        else:
            last = parts[-1]
            last.changes.append(marks._replace(start=len(last.pieces), marks=marks.marks | FORMULA, image_url=None))
            last.pieces.append(tex if rich else f"${tex}$")
    cutter.copy(len(text), parts[-1])
    if has_dollars:  # then a dollar sign that is none is written with a backslash
        for part in parts:
            part.pieces[:] = [piece.replace("\\$", "$") for piece in part.pieces]
    return [part for part in parts if part.tex or part.pieces]


def _join_words(pieces: Sequence[str], marks_of: Sequence[MarkChange]) -> str:
    """Return the text of the pieces, with placeholders for code and units."""
    return "".join(
        [
            _CODE_CHARACTER * len(piece) if marks.marks & (CODE | ATOMIC) else piece
            for piece, marks in zip(pieces, marks_of, strict=True)
        ]
    )


def _restore_subscripts(
    pieces: Sequence[str], marks_of: Sequence[MarkChange], text: str, formulas: Sequence[TextFormula]
) -> tuple[list[str], list[MarkChange]] | None:
    """Put back underscores of formulas that were read as emphasis.

    A Markdown processor writes `x_{1} = y_{1}` as `x<em>{1} = y</em>{1}`. Return None if no underscore was lost.
    """
    edges = [
        index
        for index in range(1, len(marks_of))
        if (marks_of[index].marks ^ marks_of[index - 1].marks) & EMPHASIS and pieces[index]
    ]
    if not edges or not formulas:
        return None
    offsets = [0, *accumulate(map(len, pieces))]
    starts = [formula.start for formula in formulas]

    def find_formula(index: int) -> int:
        place = bisect_left(starts, offsets[index]) - 1
        return place if place >= 0 and offsets[index] < formulas[place].stop else -1

    restored: set[int] = set()
    plain: list[tuple[int, int]] = []
    for opening in edges:
        if not marks_of[opening].marks & EMPHASIS:
            continue
        place = bisect_left(edges, opening) + 1
        closing = edges[place] if place < len(edges) else -1
        inside = [edge for edge in (opening, closing) if edge > 0 and find_formula(edge) >= 0]
        if inside and all(_may_be_subscript(text, offsets[edge]) for edge in inside):
            restored.update(inside)
            plain.append((opening, closing if closing > 0 else len(pieces)))
    if not restored:
        return None
    marks = list(marks_of)
    for first, stop in plain:
        marks[first:stop] = [mark._replace(marks=mark.marks & ~EMPHASIS) for mark in marks[first:stop]]
    new_pieces = [f"_{piece}" if index in restored else piece for index, piece in enumerate(pieces)]
    return new_pieces, marks


def _may_be_subscript(text: str, offset: int) -> bool:
    """Return whether a subscript may begin at an offset of a formula.

    Its base stands before the offset, and a letter, a digit, `{` or a command after it.
    """
    before, after = text[offset - 1], text[offset]
    return (before.isalnum() or before in _BASE_ENDS) and (after.isalnum() or after in "{\\")


def _is_in_sentence(text: str, formula: TextFormula, structure: PageStructure) -> bool:
    """Return whether `$$…$$` has words before and after it in its line, on a page that no library typesets.

    Kramdown writes formulas in running text so.
    """
    before = text[: formula.start].rpartition(BREAK)[2].strip()
    after = text[formula.stop :].partition(BREAK)[0].strip()
    if not before or before[-1] in ":：" or not any(map(str.isalnum, after)):
        return False
    return not after[0].isupper() and not structure.has_math_library


def _find_marks(changes: Sequence[MarkChange], count: int) -> list[MarkChange]:
    """Return the marks of each piece."""
    marks_of: list[MarkChange] = []
    for index, change in enumerate(changes):
        stop = changes[index + 1].start if index + 1 < len(changes) else count
        marks_of.extend([change] * (stop - max(change.start, len(marks_of))))
    return marks_of


class _PieceCutter:
    """Position in a list of pieces, by characters."""

    def __init__(self, pieces: Sequence[str], marks_of: Sequence[MarkChange]) -> None:
        self.pieces = pieces
        self.marks_of = marks_of
        self.index = 0  # of the current piece
        self.offset = 0  # in the current piece
        self.position = 0  # in the text of all pieces

    def copy(self, stop: int, part: BlockPart) -> None:
        """Copy the pieces up to a position to a part of the block."""
        self._move(stop, part)

    def skip(self, stop: int) -> MarkChange:
        """Move to a position; return the marks of the first piece that is passed."""
        marks = self.marks_of[self.index]
        self._move(stop, None)
        return marks

    def _move(self, stop: int, part: BlockPart | None) -> None:
        while self.position < stop:
            piece = self.pieces[self.index]
            taken = piece[self.offset : self.offset + stop - self.position]
            if part is not None and (taken or self.marks_of[self.index].image_url):
                part.changes.append(self.marks_of[self.index]._replace(start=len(part.pieces)))
                part.pieces.append(taken)
            self.position += len(taken)
            self.offset += len(taken)
            if self.offset >= len(piece):
                self.index += 1
                self.offset = 0
