"""Write the words of a block as Markdown: marks, links, code, formulas, and what must be escaped.

CommonMark reads `*` as emphasis by its neighbors: a delimiter opens if it is "left-flanking" and closes if it is
"right-flanking" (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis). Between some characters it is
neither, for example between a full stop and a letter, which is common in Chinese. Then the mark is dropped: the words
matter more. A mark is dropped too where its meaning depends on finer points of the rules: inside a word while another
mark is open, or directly beside another. Words are escaped as little as the rules allow: `snake_case`, `2 * 3`, `[1]`
and `a < b` stay.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from duramen.output.elements import (
    ATOMIC,
    CODE,
    DELETED,
    EMPHASIS,
    FORMULA,
    NOTE_REFERENCE,
    SCRIPTS,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
)
from duramen.output.inline import merge_runs, nest_marks
from duramen.output.model import InlineRun
from duramen.output.superscripts import is_plain_superscript, lower_text, raise_text

_DELIMITERS: Final = {STRONG: "**", EMPHASIS: "*", DELETED: "~~"}
_DELIMITED_MARKS: Final = STRONG | EMPHASIS | DELETED
_HTML_MARKS: Final = {SUPERSCRIPT: "sup", SUBSCRIPT: "sub"}
_MAX_ROUNDS: Final = 4  # of dropping marks: dropping one can make its neighbor readable or unreadable

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)"  # a backslash before a character that it would escape
    r"|`"
    r"|(?<!\s)\*|\*(?!\s)"
    r"|(?<![^\W_])_|_(?![^\W_])"  # but not inside a word
    r"|(?<!\s)~|~(?=~|\Z)"  # one after a space could only open, and what could close it is escaped
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?[A-Za-z0-9]+;)"
    r"|\](?=\()"
)
_SPECIAL_CHARACTERS: Final = "\\`*_~<&]"
_DOLLAR: Final = "\x02"  # stands for a dollar sign that is escaped, until the words are
_LABEL_SPECIAL = re.compile(r"[\s\[\]^`\\]+")
_BRACKETS = re.compile(r"([\[\]])")
_SPECIAL_IN_URL = re.compile(r"[\\<>]|&(?=#?[A-Za-z0-9]+;)")
_PLAIN_URL = re.compile(r"[A-Za-z0-9:/?#@!$'*+,=._~%|-]*")
_NEEDS_ANGLE_BRACKETS = re.compile(r"[\s()]|\A\\<")
_BACKTICKS = re.compile(r"`+")

# At the start of a block these would make a heading, a list, a quote, a rule or a check box; on a further line also the
# underline of a heading or of a table header.
_STARTS_BLOCK = re.compile(r"#{1,6}(?=\s|\Z)|[-+*](?=\s|\Z)|>|([-_*])(?:\s*\1){2,}\s*\Z|\[(?=[ xX]\]\s)")
_CONTINUES_BLOCK = re.compile(_STARTS_BLOCK.pattern + r"|=+\s*\Z|[|:-][|:\s-]*\Z")
_DEFINES_LINK = re.compile(r"\[(?:[^\]\\]|\\.)*\]:", re.DOTALL)
_STARTS_NUMBERED_ITEM = re.compile(r"\d{1,9}(?=[.)](?:\s|\Z))")


class _Delimiter(NamedTuple):
    """Delimiter of a mark: the index of its part, its bit, whether it opens, the runs that the mark covers."""

    part: int
    bit: int
    opens: bool
    first: int
    last: int


def write_inline(runs: Sequence[InlineRun], *, one_line: bool = False) -> str:
    """Write runs as Markdown. Breaks are a backslash and a new line, or a space with `one_line`."""
    if len(runs) == 1 and not runs[0].marks and runs[0].href is None and runs[0].image_url is None:
        text = runs[0].text
        return _write_run(runs[0]) if "$" not in text or text.count("$") == 1 else _escape(text).replace("$", "\\$")
    marks = dollars = 0
    for run in runs:
        marks |= run.marks
        if "$" in run.text:
            dollars += run.text.count("$")
    if dollars + 2 * (marks & FORMULA) > 1 and dollars:
        runs = [run if run.marks & (FORMULA | CODE) else _hide_dollars(run) for run in runs]
        return _write_marked(runs, marks, one_line=one_line).replace(_DOLLAR, "\\$")
    return _write_marked(runs, marks, one_line=one_line)


def _hide_dollars(run: InlineRun) -> InlineRun:
    return run._replace(text=run.text.replace("$", _DOLLAR))


def _write_marked(runs: Sequence[InlineRun], marks: int, *, one_line: bool) -> str:
    """Write runs, of which `marks` are all marks."""
    if one_line and len(runs) > 1:
        runs = merge_runs(
            [run._replace(text=" ") if run.text == "\n" and run.image_url is None else run for run in runs]
        )
    if marks & SCRIPTS:
        runs = merge_runs(_convert_scripts(runs))
    if marks & CODE:
        runs = _unify_code_marks(runs)
    if not marks & (_DELIMITED_MARKS | SCRIPTS):
        return _write_without_delimiters(runs)
    for _ in range(_MAX_ROUNDS):
        parts, delimiters = _write_parts(runs)
        unreadable = _find_unreadable(parts, delimiters)
        if not unreadable:
            break
        runs = _drop_marks(runs, unreadable)
    else:
        parts, _ = _write_parts(merge_runs([run._replace(marks=run.marks & ~_DELIMITED_MARKS) for run in runs]))
    return "".join(parts)


def _write_without_delimiters(runs: Sequence[InlineRun]) -> str:
    """Write runs that have no marks but links and code, which most paragraphs are made of."""
    parts: list[str] = []
    href = None
    for run in runs:
        if run.href != href:
            if href is not None:
                parts.append(f"]({_write_url(href)})")
            href = run.href
            if href is not None:
                _open_link(parts)
        parts.append(_write_run(run))
    if href is not None:
        parts.append(f"]({_write_url(href)})")
    return "".join(parts)


def _open_link(parts: list[str]) -> None:
    if parts and parts[-1].endswith("!"):  # "![" would start an image
        parts[-1] = parts[-1][:-1] + "\\!"
    parts.append("[")


def _convert_scripts(runs: Sequence[InlineRun]) -> list[InlineRun]:
    """Convert superscripts and subscripts to Unicode characters.

    A script of several runs (`<i>n</i>+1`) is converted as a whole or not at all.
    """
    converted: list[InlineRun] = []
    for marks, group in groupby(runs, key=lambda run: run.marks & SCRIPTS):
        parts = list(group)
        if marks and len(parts) > 1 and _convert_script(InlineRun("".join(run.text for run in parts), marks)).marks:
            converted += parts
        else:
            converted += map(_convert_script, parts)
    return converted


def _convert_script(run: InlineRun) -> InlineRun:
    """Return a superscript or subscript in characters of its own where there are some, otherwise as it is."""
    marks = run.marks & SCRIPTS
    text = run.text.strip()
    if not marks or run.image_url is not None or run.marks & ATOMIC:
        return run
    converted = raise_text(text) if marks == SUPERSCRIPT else lower_text(text) if marks == SUBSCRIPT else None
    if converted is None and (not text or is_plain_superscript(text)):
        converted = text
    if converted is None:
        return run
    return run._replace(text=run.text.replace(text, converted) if text else run.text, marks=run.marks & ~SCRIPTS)


def write_paragraph(runs: Sequence[InlineRun]) -> str:
    """Write runs as a Markdown paragraph: none of its lines starts another kind of block."""
    text = write_inline(runs)
    if text[:1] == "[" and _DEFINES_LINK.match(text) and runs[0].href is not None:
        # Code in the link looks like the end of a link definition, which parsers read first. So the link is dropped.
        text = write_inline([run._replace(href=None) for run in runs])
    if text[:1] == "[" and _DEFINES_LINK.match(text):
        text = "\\" + text
    if text[:1].isalpha() and "\n" not in text:
        return text
    first, *rest = text.split("\n")
    return "\n".join([_escape_start(first, _STARTS_BLOCK), *(_escape_start(line, _CONTINUES_BLOCK) for line in rest)])


def _escape_start(line: str, starts: re.Pattern[str]) -> str:
    if starts.match(line):
        return "\\" + line
    number = _STARTS_NUMBERED_ITEM.match(line)
    return f"{number[0]}\\{line[number.end() :]}" if number else line


def _unify_code_marks(runs: Sequence[InlineRun]) -> list[InlineRun]:
    """Give adjacent runs of code the marks that all of them have: Markdown code contains no marks."""
    result = list(runs)
    start = 0
    while start < len(result):
        stop = start
        common = ~0
        while stop < len(result) and result[stop].marks & CODE and result[stop].href == result[start].href:
            common &= result[stop].marks
            stop += 1
        result[start:stop] = [run._replace(marks=common) for run in result[start:stop]]
        start = max(stop, start + 1)
    return merge_runs([part for run in merge_runs(result) for part in _strip_code(run)])


def _strip_code(run: InlineRun) -> Iterator[InlineRun]:
    """Move spaces out of code at its start and end, where they would be lost; drop the mark from blank code."""
    if not run.marks & CODE or run.image_url is not None:
        yield run
        return
    outside = run._replace(marks=run.marks & ~CODE)
    words = run.text.strip()
    if not words:
        yield outside
        return
    if run.text[0] == " ":
        yield outside._replace(text=" ")
    yield run._replace(text=words)
    if run.text[-1] == " ":
        yield outside._replace(text=" ")


def _write_parts(runs: Sequence[InlineRun]) -> tuple[list[str], list[_Delimiter]]:
    """Return the parts of the Markdown, and the delimiters among them."""
    parts: list[str] = []
    delimiters: list[_Delimiter] = []
    open_delimiters: list[int] = []
    for number, (closed, opened, run) in enumerate(nest_marks(runs)):
        for mark in closed:
            if mark.href is not None:
                parts.append(f"]({_write_url(mark.href)})")
            elif mark.bit in _HTML_MARKS:
                parts.append(f"</{_HTML_MARKS[mark.bit]}>")
            elif mark.bit != CODE:
                opening = open_delimiters.pop()
                delimiters[opening] = delimiters[opening]._replace(last=number - 1)
                delimiters.append(_Delimiter(len(parts), mark.bit, False, delimiters[opening].first, number - 1))
                parts.append(_DELIMITERS[mark.bit])
        for mark in opened:
            if mark.href is not None:
                _open_link(parts)
            elif mark.bit in _HTML_MARKS:
                parts.append(f"<{_HTML_MARKS[mark.bit]}>")
            elif mark.bit != CODE:
                open_delimiters.append(len(delimiters))
                delimiters.append(_Delimiter(len(parts), mark.bit, True, number, number))
                parts.append(_DELIMITERS[mark.bit])
        if run is not None:
            parts.append(_write_run(run))
    return parts, delimiters


def _write_run(run: InlineRun) -> str:
    if run.image_url is not None:
        return f"![{_escape_in_link(run.text)}]({_write_url(run.image_url)})"
    if run.text == "\n":
        return "\\\n"
    if run.marks & FORMULA:
        return f"${run.text}$"
    if run.marks & NOTE_REFERENCE:
        return f"[^{clean_label(run.text)}]"
    if run.marks & CODE:
        return write_code(run.text)
    return _escape(run.text) if run.href is None else _escape_in_link(run.text)


def _escape(text: str) -> str:
    for character in _SPECIAL_CHARACTERS:  # eight searches are faster than one for a character class
        if character in text:
            return _SPECIAL.sub(r"\\\g<0>", text)
    return text


def _escape_in_link(text: str) -> str:
    """Escape words of a link: brackets too."""
    return "".join(["\\" + part if part in ("[", "]") else _escape(part) for part in _BRACKETS.split(text)])


def write_code(text: str) -> str:
    """Write code in a line, between more backticks than it has."""
    longest = max((len(ticks) for ticks in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _write_url(href: str) -> str:
    """Write the address of a link; in angle brackets where it would end too early or not at all."""
    if _PLAIN_URL.fullmatch(href):
        return href
    href = _SPECIAL_IN_URL.sub(r"\\\g<0>", href.replace("`", "%60"))
    return f"<{href}>" if _NEEDS_ANGLE_BRACKETS.search(href) else href


def _find_unreadable(parts: Sequence[str], delimiters: Sequence[_Delimiter]) -> list[_Delimiter]:
    """Find the delimiters that a Markdown parser would not read as intended."""
    unreadable: list[_Delimiter] = []
    depth = 0
    start = 0
    while start < len(delimiters):
        # Adjacent delimiters of the same character are one to the parser.
        stop = start + 1
        while (
            stop < len(delimiters)
            and delimiters[stop].part == delimiters[stop - 1].part + 1
            and (delimiters[stop].bit == DELETED) == (delimiters[start].bit == DELETED)
        ):
            stop += 1
        adjacent = delimiters[start:stop]
        opens = adjacent[0].opens
        before = _classify(parts[adjacent[0].part - 1][-1:] if adjacent[0].part else "")
        after = _classify("".join(parts[adjacent[-1].part + 1 : adjacent[-1].part + 2])[:1])
        mixed = any(delimiter.opens != opens for delimiter in adjacent)
        depth_before = depth
        depth += sum(1 if delimiter.opens else -1 for delimiter in adjacent)
        inner, outer = (after, before) if opens else (before, after)
        # Between two letters or two full stops a delimiter can open and close: safe where no other mark is open.
        ambiguous = inner == outer or "symbol" in (outer, inner)
        if mixed:
            unreadable.extend(delimiter for delimiter in adjacent if delimiter.opens)
        elif not _can_flank(inner, outer) or (ambiguous and max(depth, depth_before) > 1):
            unreadable.extend(adjacent)
        start = stop
    return unreadable


def _can_flank(inner: str, outer: str) -> bool:
    """Return whether a delimiter works between the marked character `inner` and its neighbor `outer`."""
    if inner == "space":
        return False
    return inner == "word" or outer in ("space", "punctuation")


def _classify(character: str) -> str:
    """Return the class of a character. Symbols like € are punctuation since CommonMark 0.31, letters before it."""
    if not character or character.isspace():
        return "space"
    if character.isascii():
        if character == _DOLLAR:
            return "punctuation"
        return "word" if character.isalnum() or character < " " or character == "\x7f" else "punctuation"
    category = unicodedata.category(character)
    return {"P": "punctuation", "S": "symbol", "Z": "space"}.get(category[0], "word")


def _drop_marks(runs: Sequence[InlineRun], unreadable: Sequence[_Delimiter]) -> list[InlineRun]:
    result = list(runs)
    for first, last, bit in {(delimiter.first, delimiter.last, delimiter.bit) for delimiter in unreadable}:
        for number in range(first, last + 1):
            result[number] = result[number]._replace(marks=result[number].marks & ~bit)
    return merge_runs(result)


def clean_label(label: str) -> str:
    """Return the label of a note without the characters that a label cannot have."""
    return _LABEL_SPECIAL.sub("-", label).strip("-") or "note"
