"""The words of a Markdown block: escaped where they must be, with marks only where a reader will see them as marks.

CommonMark takes `*` for emphasis by what stands beside it: a mark opens if it is "left-flanking" and closes if it is
"right-flanking" (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis). Words can stand so that it is
neither, between a full stop and a letter for one, which is common in Chinese. Then the mark is dropped: the words
matter more. A mark is dropped too where what it means hangs on finer points of the rules: inside a word while another
mark is open, or right beside another.

Words are escaped as little as the rules allow: `snake_case`, `2 * 3`, `[1]` and `a < b` stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from duramen.output.elements import CODE, DELETED, EMPHASIS, STRONG
from duramen.output.inline import merged
from duramen.output.marks import steps
from duramen.output.model import Run

_SIGNS: Final = {STRONG: "**", EMPHASIS: "*", DELETED: "~~"}
_WRITABLE: Final = STRONG | EMPHASIS | DELETED | CODE
_ROUNDS: Final = 4  # of dropping marks; dropping one can make its neighbour readable or not

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)"  # a backslash before what it would escape
    r"|`"
    r"|(?<!\s)\*|\*(?!\s)"
    r"|(?<![^\W_])_|_(?![^\W_])"  # but for those inside a word
    r"|(?<!\s)~|~(?=~|\Z)"  # one after a space could only open, and what could close it is escaped
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?[A-Za-z0-9]+;)"
    r"|\](?=\()"
)
_BRACKETS = re.compile(r"([\[\]])")
_SPECIAL_IN_ADDRESS = re.compile(r"[\\<>]|&(?=#?[A-Za-z0-9]+;)")
_NEEDS_BRACKETS = re.compile(r"[\s()]|\A\\<")
_TICKS = re.compile(r"`+")

# At the start of a block these would make it a heading, a list, a quote, a rule or a box to tick; on a further line
# also the underline of a heading or that of the head of a table.
_STARTS_BLOCK = re.compile(r"#{1,6}(?=\s|\Z)|[-+*](?=\s|\Z)|>|([-_*])(?:\s*\1){2,}\s*\Z|\[(?=[ xX]\]\s)")
_GOES_ON = re.compile(_STARTS_BLOCK.pattern + r"|=+\s*\Z|[|:-][|:\s-]*\Z")
_DEFINES_LINK = re.compile(r"\[(?:[^\]\\]|\\.)*\]:", re.DOTALL)
_NUMBERED = re.compile(r"\d{1,9}(?=[.)](?:\s|\Z))")


class _Sign(NamedTuple):
    """A mark as it stands among the parts: where, which, whether it opens, the runs it is on."""

    place: int
    bit: int
    opens: bool
    first: int
    last: int


def inline_markdown(runs: Sequence[Run], *, one_line: bool = False) -> str:
    """The runs as Markdown. Breaks are a backslash and a new line, or a space where all must stand in one line."""
    runs = [run._replace(marks=run.marks & _WRITABLE) for run in runs]
    if one_line:
        runs = [run._replace(text=" ") if run.text == "\n" and run.source is None else run for run in runs]
    runs = _code_alike(merged(runs))
    for _ in range(_ROUNDS):
        parts, signs = _written(runs)
        unreadable = _unreadable(parts, signs)
        if not unreadable:
            break
        runs = _without(runs, unreadable)
    else:
        parts, _ = _written(merged([run._replace(marks=run.marks & CODE) for run in runs]))
    return "".join(parts)


def paragraph_markdown(runs: Sequence[Run]) -> str:
    """The runs as a paragraph of Markdown: no line of it starts another kind of block."""
    text = inline_markdown(runs)
    if _DEFINES_LINK.match(text) and runs[0].href is not None:
        # Code in a link that looks like the end of a definition: readers look for those first, so the link must go.
        text = inline_markdown([run._replace(href=None) for run in runs])
    if _DEFINES_LINK.match(text):
        text = "\\" + text
    first, *rest = text.split("\n")
    return "\n".join([_start_escaped(first, _STARTS_BLOCK), *(_start_escaped(line, _GOES_ON) for line in rest)])


def _start_escaped(line: str, starts: re.Pattern[str]) -> str:
    if starts.match(line):
        return "\\" + line
    number = _NUMBERED.match(line)
    return f"{number[0]}\\{line[number.end() :]}" if number else line


def _code_alike(runs: Sequence[Run]) -> list[Run]:
    """Code holds no marks: a stretch of it bears only what all of it bears."""
    result = list(runs)
    start = 0
    while start < len(result):
        stop = start
        common = _WRITABLE
        while stop < len(result) and result[stop].marks & CODE and result[stop].href == result[start].href:
            common &= result[stop].marks
            stop += 1
        result[start:stop] = [run._replace(marks=common) for run in result[start:stop]]
        start = max(stop, start + 1)
    return merged([part for run in merged(result) for part in _without_edges(run)])


def _without_edges(run: Run) -> Iterator[Run]:
    """No break stands in code, and a space at its start or end would not be read."""
    if not run.marks & CODE or run.source is not None:
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


def _written(runs: Sequence[Run]) -> tuple[list[str], list[_Sign]]:
    """The parts that the Markdown is made of, and where among them the signs of marks stand."""
    parts: list[str] = []
    signs: list[_Sign] = []
    open_signs: list[int] = []
    for number, (closed, opened, run) in enumerate(steps(runs)):
        for mark in closed:
            if mark.href is not None:
                parts.append(f"]({_destination(mark.href)})")
            elif mark.bit != CODE:
                opening = open_signs.pop()
                signs[opening] = signs[opening]._replace(last=number - 1)
                signs.append(_Sign(len(parts), mark.bit, False, signs[opening].first, number - 1))
                parts.append(_SIGNS[mark.bit])
        for mark in opened:
            if mark.href is not None:
                if parts and parts[-1].endswith("!"):
                    parts[-1] = parts[-1][:-1] + "\\!"
                parts.append("[")
            elif mark.bit != CODE:
                open_signs.append(len(signs))
                signs.append(_Sign(len(parts), mark.bit, True, number, number))
                parts.append(_SIGNS[mark.bit])
        if run is not None:
            parts.append(_words(run))
    return parts, signs


def _words(run: Run) -> str:
    if run.source is not None:
        return f"![{_escaped_in_link(run.text)}]({_destination(run.source)})"
    if run.text == "\n":
        return "\\\n"
    if run.marks & CODE:
        return _code(run.text)
    return _escaped(run.text) if run.href is None else _escaped_in_link(run.text)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _escaped_in_link(text: str) -> str:
    """Words of a link: brackets are escaped, too."""
    return "".join(["\\" + part if part in ("[", "]") else _escaped(part) for part in _BRACKETS.split(text)])


def _code(text: str) -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _destination(href: str) -> str:
    """The address of a link; between angle brackets where it would end too soon or not at all."""
    href = _SPECIAL_IN_ADDRESS.sub(r"\\\g<0>", href.replace("`", "%60"))
    return f"<{href}>" if _NEEDS_BRACKETS.search(href) else href


def _unreadable(parts: Sequence[str], signs: Sequence[_Sign]) -> list[_Sign]:
    """The marks that a reader of Markdown would not take for what they are."""
    unreadable: list[_Sign] = []
    depth = 0
    place = 0
    while place < len(signs):
        # Signs of the same character that stand side by side are one to the reader.
        stop = place + 1
        while (
            stop < len(signs)
            and signs[stop].place == signs[stop - 1].place + 1
            and (signs[stop].bit == DELETED) == (signs[place].bit == DELETED)
        ):
            stop += 1
        together = signs[place:stop]
        opens = together[0].opens
        before = _kind(parts[together[0].place - 1][-1:] if together[0].place else "")
        after = _kind("".join(parts[together[-1].place + 1 : together[-1].place + 2])[:1])
        mixed = any(sign.opens != opens for sign in together)
        depth_before = depth
        depth += sum(1 if sign.opens else -1 for sign in together)
        inner, outer = (after, before) if opens else (before, after)
        # Between two letters or two full stops a sign may both open and close; safe where no other mark is open.
        ambiguous = inner == outer or "symbol" in (outer, inner)
        if mixed:
            unreadable.extend(sign for sign in together if sign.opens)
        elif not _flanks(inner, outer) or (ambiguous and max(depth, depth_before) > 1):
            unreadable.extend(together)
        place = stop
    return unreadable


def _flanks(inner: str, outer: str) -> bool:
    """May a sign stand between the marked character `inner` and its neighbour `outer`?"""
    if inner == "space":
        return False
    return inner == "word" or outer in ("space", "punctuation")


def _kind(character: str) -> str:
    """Symbols like € are punctuation since CommonMark 0.31 and letters before it: neither can be counted on."""
    if not character or character.isspace():
        return "space"
    if character.isascii():
        return "word" if character.isalnum() or character < " " or character == "\x7f" else "punctuation"
    category = unicodedata.category(character)
    return {"P": "punctuation", "S": "symbol", "Z": "space"}.get(category[0], "word")


def _without(runs: Sequence[Run], unreadable: Sequence[_Sign]) -> list[Run]:
    result = list(runs)
    for first, last, bit in {(sign.first, sign.last, sign.bit) for sign in unreadable}:
        for number in range(first, last + 1):
            result[number] = result[number]._replace(marks=result[number].marks & ~bit)
    return merged(result)
