"""The words of a block: white space collapsed as CSS does, across the borders of inline elements too.

A block's text is collected in pieces; `BREAK` stands for `<br>`. Two breaks with nothing between are how much of the
web writes a new paragraph, so they end the block. Every kind of white space, the no-break and the ideographic space
too, becomes one space: `str.split` is the fastest way there is, and whoever searches the text need not know the
difference. Characters without width that only say where a word may be broken are dropped; the joiners that Persian,
Hindi and emoji need are kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from duramen.output.model import Run

_COMPILED = False

BREAK: Final = "\0"
"""A line break among the pieces. No parsed page holds this character."""

_WITHOUT_WIDTH = re.compile("[\u00ad\u200b\u2060\ufeff]+")
PARAGRAPHS: Final = re.compile(r"\n\n+")
"""What parts the paragraphs of a collapsed text."""


class Shift(NamedTuple):
    """From piece `start` on the words bear these marks."""

    start: int
    marks: int = 0
    href: str | None = None
    source: str | None = None


def collapsed(text: str) -> str:
    """The text with its white space collapsed; a break is a new line, and several are several."""
    # What is printable holds no white space but U+0020, nothing without width and no break: most text is done here,
    # in less than half the time that splitting takes.
    done = _trimmed(text)
    if done is not None:
        return done
    # To look for four characters is faster than to match any of them, and pages seldom have one.
    if not text.isascii() and ("\u00ad" in text or "\u200b" in text or "\u2060" in text or "\ufeff" in text):
        text = _WITHOUT_WIDTH.sub("", text)
    if BREAK not in text:
        return " ".join(text.split())
    return "\n".join([" ".join(line.split()) for line in text.split(BREAK)]).strip("\n")


def _trimmed(text: str) -> str | None:
    """A text without the white space around it, if all of it is printable and no space in it follows another."""
    if not _COMPILED:
        return text.strip(" ") if text.isprintable() and "  " not in text else None
    start = stop = -1
    is_blank, is_rough = True, False
    for at, character in enumerate(text):
        code = ord(character)
        if code <= 32 or code >= 127:
            if character.isspace():
                if is_blank:
                    is_rough = True
                else:
                    is_blank, is_rough, stop = True, code != 32, at
                continue
            if not character.isprintable():
                return None
        if is_blank:
            if start < 0:
                start = at
            elif is_rough:
                return None
            is_blank = False
    if start < 0:
        return ""
    return text[start:stop] if is_blank else text[start:]


def runs(pieces: list[str], shifts: Sequence[Shift]) -> list[list[Run]]:
    """The paragraphs that the pieces make, as runs of words that bear the same marks."""
    paragraphs: list[list[Run]] = []
    current: list[Run] = []
    gap: Run | None = None  # the white space since the last word; its text counts the breaks
    stops = [shift.start for shift in shifts[1:]] + [len(pieces)]
    for (start, marks, href, source), stop in zip(shifts, stops, strict=True):
        if stop == start:
            continue
        text = _WITHOUT_WIDTH.sub("", "".join(pieces[start:stop]))
        here = Run("", marks, href)
        for count, line in enumerate([text] if source else text.split(BREAK)):
            if count:
                gap = _wider(gap, here, "\n")
            words = line.split()
            if not source and (not words or line[0].isspace()):
                gap = _wider(gap, here) if line else gap
            if not words and not source:
                continue
            if gap is not None and current:
                gap = _wider(_wider(gap, current[-1]), here)
                if len(gap.text) > 1:
                    paragraphs.append(current)
                    current = []
                else:
                    current.append(gap if gap.text else gap._replace(text=" "))
            current.append(Run(" ".join(words), marks, href, source))
            gap = here if not source and line[-1].isspace() else None
    if current:
        paragraphs.append(current)
    return [merged(paragraph) for paragraph in paragraphs]


def _wider(gap: Run | None, more: Run, text: str = "") -> Run:
    """White space bears only what all of it and the words on both sides bear, so that no mark starts with a space."""
    if gap is None:
        return more._replace(text=text, source=None)
    return Run(gap.text + text, gap.marks & more.marks, gap.href if gap.href == more.href else None)


def merged(runs: Sequence[Run]) -> list[Run]:
    """The same runs, neighbours that bear the same marks made one; a line break stays by itself."""
    result: list[Run] = []
    parts: list[str] = []
    for run in runs:
        if parts and run[1:] == result[-1][1:] and run.source is None and run.text != "\n" and result[-1].text != "\n":
            parts.append(run.text)
            continue
        if len(parts) > 1:
            result[-1] = result[-1]._replace(text="".join(parts))
        result.append(run)
        parts = [run.text]
    if len(parts) > 1:
        result[-1] = result[-1]._replace(text="".join(parts))
    return result
