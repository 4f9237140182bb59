"""Inline text of a block: white space, word boundaries between elements, runs of words with the same marks.

The text of a block is collected in pieces; `BREAK` stands for `<br>`. White space is collapsed as in CSS, also across
the borders of inline elements. Two breaks with nothing between them end a paragraph, since much of the web writes
paragraphs so. All white space, also the no-break and the ideographic space, becomes one space. Characters without
width that only allow a line break are dropped; the joiners that Persian, Hindi and emoji need are kept.

Inline elements join what stands beside them: `<b>W</b>ord` is one word. But many pages separate inline elements by
style alone: `<a>Action</a><a>Adventure</a>` shows as two words. The style is unknown here, so letters decide: a
lower-case letter before a capital, and, between two elements, a capital or a digit at the start of the second. A name
such as `You<b>Tube</b>` is split too; single letters, formulas and code are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from duramen.dom.tag_sets import BLOCK_TAGS
from duramen.dom.tree import Tree
from duramen.output.elements import ATOMIC, CODE, DELETED, EMPHASIS, STRONG, SUBSCRIPT, SUPERSCRIPT
from duramen.output.model import InlineRun

BREAK: Final = "\0"
"""A line break among the pieces. No parsed page contains this character."""

_ZERO_WIDTH = re.compile("[\u00ad\u200b\u2060\ufeff]+")
PARAGRAPH_BREAK: Final = re.compile(r"\n\n+")
"""Separates the paragraphs of a collapsed text."""

# In these elements every letter counts: H₂O, formulas, names in code. They are looked for this many levels up.
_EXACT_TAGS = frozenset("sub sup code kbd samp tt var math".split())
_MAX_EXACT_LEVELS = 16

# In this order marks of equal length are opened: code is innermost.
_MARK_BITS = (STRONG, EMPHASIS, DELETED, SUPERSCRIPT, SUBSCRIPT, CODE)


def may_be_separate_words(before: str, after: str) -> bool:
    """Return whether letters alone allow a word boundary between two texts; a quick test for `are_separate_words`."""
    if not before or not after:
        return False
    last, first = before[-1], after[0]
    if first.isupper():
        return last.islower() or last.isupper() or last.isdecimal()
    return first.isdecimal() and (last.islower() or last.isupper())


def are_separate_words(tree: Tree, before: int, node: int) -> bool:
    """Return whether two adjacent text nodes are two words, given that `may_be_separate_words` is true of them."""
    left, right = tree.parent[before], tree.parent[node]
    if left == right:  # an HTML comment may stand between them; it separates nothing
        return False
    text, after = tree.text[before], tree.text[node]
    if len(text) == 1 or (len(after) == 1 and after.isupper()):  # letters set one by one; a unit
        return False
    one_is_bare = right < before or tree.end[left] > node  # one of the two has no element of its own
    if one_is_bare and not (text[-1].islower() and after[0].isupper()):
        return False
    return not (_is_exact(tree, left) or _is_exact(tree, right))


def _is_exact(tree: Tree, node: int) -> bool:
    """Return whether every letter counts in an inline element, by its tag or one around it."""
    for _ in range(_MAX_EXACT_LEVELS):
        tag = tree.tag[node]
        if tag in _EXACT_TAGS:
            return True
        if tag in BLOCK_TAGS or node <= 0:
            return False
        node = tree.parent[node]
    return False


class MarkChange(NamedTuple):
    """From the piece with index `start` on, words have these marks."""

    start: int
    marks: int = 0
    href: str | None = None
    image_url: str | None = None


def collapse_whitespace(text: str) -> str:
    """Return the text with collapsed white space; each break becomes a new line."""
    # Printable text has no white space but U+0020, no zero-width character and no break. Most texts end here, in less
    # than half the time of splitting.
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    # Four searches are faster than one for a character class, and such characters are rare.
    if not text.isascii() and ("\u00ad" in text or "\u200b" in text or "\u2060" in text or "\ufeff" in text):
        text = _ZERO_WIDTH.sub("", text)
    if BREAK not in text:
        return " ".join(text.split())
    return "\n".join([" ".join(line.split()) for line in text.split(BREAK)]).strip("\n")


def build_runs(pieces: list[str], changes: Sequence[MarkChange]) -> list[list[InlineRun]]:
    """Return the paragraphs that the pieces make, each a list of runs."""
    paragraphs: list[list[InlineRun]] = []
    current: list[InlineRun] = []
    # The white space since the last word: its breaks (−1: there is none), and the marks that all of it has, so that no
    # mark starts or ends with a space.
    gap_breaks, gap_marks, gap_href = -1, 0, None
    for index, (start, marks, href, image_url) in enumerate(changes):
        stop = changes[index + 1].start if index + 1 < len(changes) else len(pieces)
        if stop == start:
            continue
        text = pieces[start] if stop == start + 1 else "".join(pieces[start:stop])
        is_unit = image_url is not None or marks & ATOMIC
        lines = [text] if is_unit or BREAK not in text else text.split(BREAK)
        for number, line in enumerate(lines):
            words = " ".join(line.split()) if is_unit else collapse_whitespace(line)
            is_spaced = not is_unit and line != "" and (not words or line[0].isspace())
            if number or is_spaced:
                if gap_breaks < 0:
                    gap_breaks, gap_marks, gap_href = 0, marks, href
                gap_breaks += number > 0
                gap_marks &= marks
                gap_href = gap_href if gap_href == href else None
            if not words and not image_url:
                continue
            if gap_breaks >= 0 and current:
                before = current[-1]
                if gap_breaks > 1:
                    paragraphs.append(current)
                    current = []
                else:
                    gap_href = gap_href if gap_href == href == before.href else None
                    current.append(
                        InlineRun("\n" if gap_breaks else " ", gap_marks & marks & before.marks & ~ATOMIC, gap_href)
                    )
            current.append(InlineRun(words, marks, href, image_url))
            gap_breaks = -1
            if not is_unit and line[-1].isspace():
                gap_breaks, gap_marks, gap_href = 0, marks, href
    if current:
        paragraphs.append(current)
    return [merge_runs(paragraph) if len(paragraph) > 1 else paragraph for paragraph in paragraphs]


def merge_runs(runs: Sequence[InlineRun]) -> list[InlineRun]:
    """Join neighboring runs with the same marks. A line break stays a run of its own, and so does a unit."""
    merged: list[InlineRun] = []
    parts: list[str] = []
    last: InlineRun | None = None
    for run in runs:
        if (
            last is not None
            and run.marks == last.marks
            and run.href == last.href
            and run.image_url is None
            and last.image_url is None
            and run.text != "\n"
            and last.text != "\n"
            and not run.marks & ATOMIC
        ):
            parts.append(run.text)
            continue
        if len(parts) > 1:
            merged[-1] = merged[-1]._replace(text="".join(parts))
        merged.append(run)
        parts = [run.text]
        last = run
    if len(parts) > 1:
        merged[-1] = merged[-1]._replace(text="".join(parts))
    return merged


class InlineMark(NamedTuple):
    """One mark: a bit of `elements`, or 0 and the address of a link."""

    bit: int
    href: str | None = None


class MarkStep(NamedTuple):
    """Marks to close (innermost first) and to open before a run. The last step has no run."""

    closed: list[InlineMark]
    opened: list[InlineMark]
    run: InlineRun | None


def nest_marks(runs: Sequence[InlineRun]) -> Iterator[MarkStep]:
    """Turn the runs of a block into nested elements.

    Before each run the marks that end are closed and those that start are opened, the longest first, so that they nest
    as in the page.
    """
    opened: list[InlineMark] = []
    for run, last_runs in zip(runs, _find_last_runs(runs), strict=True):
        kept = 0
        while kept < len(opened) and opened[kept] in last_runs:
            kept += 1
        closed = opened[kept:]
        closed.reverse()
        del opened[kept:]
        # `sorted` is stable: marks of equal length keep the order of `_list_marks`.
        starting = sorted((mark for mark in last_runs if mark not in opened), key=lambda mark: -last_runs[mark])
        opened.extend(starting)
        yield MarkStep(closed, starting, run)
    opened.reverse()
    yield MarkStep(opened, [], None)


def _find_last_runs(runs: Sequence[InlineRun]) -> list[dict[InlineMark, int]]:
    """Return for each run the index of the last run that each of its marks reaches without a gap."""
    last_runs: list[dict[InlineMark, int]] = []
    following: dict[InlineMark, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        following = {mark: following.get(mark, index) for mark in _list_marks(runs[index])}
        last_runs.append(following)
    last_runs.reverse()
    return last_runs


def _list_marks(run: InlineRun) -> list[InlineMark]:
    marks = [InlineMark(bit) for bit in _MARK_BITS if run.marks & bit] if run.marks else []
    return marks if run.href is None else [InlineMark(0, run.href), *marks]
