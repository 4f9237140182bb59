r"""Parse Markdown with markdown-it, and with rules for what CommonMark lacks: formulas, footnotes and HTML tables.

- Formulas are `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, also with the backslash escaped (`\\(…\\)`). As in Pandoc, `$` opens
  a formula only before a character that is not a space, and closes it only after one and not before a digit: "$5 and
  $10" has no formula. A backslash before a bracket is also an escape, so `\(…\)` is a formula only if its content has
  signs of TeX.
- A footnote is `[^label]` in the text and `[^label]: …` at the start of a line, with further lines indented.
- A raw HTML table reaches to its end tag, also over blank lines, where CommonMark would end it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from duramen.errors import MissingExtraError

try:
    from markdown_it import MarkdownIt
except ImportError as error:
    raise MissingExtraError("markdown-it-py", "evaluation") from error

if TYPE_CHECKING:
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_IN_FOOTNOTE: Final = "in_footnote"
_FOOTNOTE_START = re.compile(r"\[\^([^\]\s]+)\]:[ \t]*")
_FOOTNOTE_REFERENCE = re.compile(r"\[\^([^\]\s]+)\](?!\()")
_TABLE_TAG = re.compile(r"<(/?)table\b", re.IGNORECASE)
_SIGN_OF_TEX = re.compile(r"\\[A-Za-z]|[\^{}=]|(?<!\\)_")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_DOLLAR_FORMULA = re.compile(r"\$\$((?:[^$\\]|\\.)+)\$\$|\$(?![\s$])((?:[^$\\]|\\.)*)(?<!\s)\$(?!\d)", re.DOTALL)
_MAX_FORMULA_CHARS: Final = 10_000  # without a bound, many openings without an end would take quadratic time
_OPENINGS: Final = {r"\(": r"\)", r"\[": r"\]", r"\\(": r"\\)", r"\\[": r"\\]"}
_BLOCK_OPENINGS: Final = {"$$": "$$"} | {opening: end for opening, end in _OPENINGS.items() if opening[-1] == "["}


def parse_markdown(markdown: str) -> list[Token]:
    """Return the tokens of markdown-it.

    Those of the added rules are `formula` and `html_table`, both with `content`, and `footnote_open`, `footnote_close`
    and `footnote_reference`, with `meta["label"]`.
    """
    return _make_parser().parse(markdown)


@cache
def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("table", "footnote", _read_footnote, interrupts)
    parser.block.ruler.before("table", "formula_block", _read_formula_block, interrupts)
    parser.block.ruler.before("table", "html_table", _read_html_table, interrupts)
    parser.inline.ruler.before("escape", "formula", _read_formula)
    parser.inline.ruler.before("link", "footnote_reference", _read_footnote_reference)
    return parser


def _read_formula(state: StateInline, silent: bool) -> bool:
    """Inline rule: a formula within one paragraph."""
    found = _match_formula(state.src, state.pos)
    if found is None:
        return False
    content, end = found
    if not silent:
        state.push("formula", "", 0).content = content
    state.pos = end
    return True


def _match_formula(source: str, start: int) -> tuple[str, int] | None:
    """Return the TeX of the formula that starts here, and its end."""
    if source[start] == "$":
        match = _DOLLAR_FORMULA.match(source, start)
        return (match[1] or match[2], match.end()) if match else None
    if source[start] != "\\":
        return None
    for opening, closing in _OPENINGS.items():
        if source.startswith(opening, start):
            end = source.find(closing, start + len(opening), start + _MAX_FORMULA_CHARS)
            content = _unescape(source[start + len(opening) : end], opening) if end > 0 else ""
            return (content, end + len(closing)) if _SIGN_OF_TEX.search(content) else None
    return None


def _unescape(content: str, opening: str) -> str:
    r"""Remove the escapes of Markdown if those of the marks are escaped too: `\\(a\_1\\)`."""
    return _ESCAPED.sub(r"\1", content) if len(opening) == 3 else content


def _read_formula_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: a formula that begins a line and whose end mark ends a line, also over lines like `= x`."""
    if state.is_code_block(start):
        return False
    first = _get_line(state, start)
    opening = next((mark for mark in _BLOCK_OPENINGS if first.startswith(mark)), None)
    if opening is None:
        return False
    closing = _BLOCK_OPENINGS[opening]
    lines = [first[len(opening) :]]
    line = start
    # If a search has found no end, a search from one of the lines that it has read finds none either.
    searched_until = state.env.setdefault("formula_searched_until", {})
    while not lines[-1].rstrip().endswith(closing):
        line += 1
        if line < searched_until.get(closing, 0):
            return False
        if line >= end or not (text := _get_line(state, line)).strip():
            searched_until[closing] = line
            return False
        lines.append(text)
    content = _unescape("\n".join(lines).rstrip().removesuffix(closing), opening)
    if not content.strip() or closing in content or (opening != "$$" and not _SIGN_OF_TEX.search(content)):
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = content
        token.block = True
        state.line = line + 1
    return True


def _read_footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: the text of a footnote, whose further paragraphs are indented."""
    if state.is_code_block(start) or _IN_FOOTNOTE in state.env:  # footnotes are not nested
        return False
    first = _get_line(state, start)
    match = _FOOTNOTE_START.match(first)
    if match is None:
        return False
    if silent:
        return True
    lines = [first[match.end() :]]
    line = start + 1
    while line < end:
        text = _get_line(state, line)
        is_indented = state.sCount[line] >= state.blkIndent + 2
        if text and not is_indented and (not lines[-1] or _FOOTNOTE_START.match(text)):
            break
        lines.append(text and " " * max(state.sCount[line] - state.blkIndent - 4, 0) + text)
        line += 1
    state.push("footnote_open", "", 1).meta = {"label": match[1]}
    env = {_IN_FOOTNOTE: True, "references": state.env.setdefault("references", {})}
    state.md.block.parse("\n".join(lines), state.md, env, state.tokens)
    state.push("footnote_close", "", -1)
    state.line = line
    return True


def _read_footnote_reference(state: StateInline, silent: bool) -> bool:
    """Inline rule: the mark of a footnote."""
    match = _FOOTNOTE_REFERENCE.match(state.src, state.pos) if state.src[state.pos] == "[" else None
    if match is None:
        return False
    if not silent:
        state.push("footnote_reference", "", 0).meta = {"label": match[1]}
    state.pos = match.end()
    return True


def _read_html_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: an HTML table up to its end tag."""
    if state.is_code_block(start):
        return False
    first = _get_line(state, start)
    if not (match := _TABLE_TAG.match(first)) or match[1]:
        return False
    if silent:
        return True
    depth, lines = 0, []
    for line in range(start, end):
        lines.append(_get_line(state, line))
        depth += sum(-1 if tag[1] else 1 for tag in _TABLE_TAG.finditer(lines[-1]))
        if depth <= 0:
            break
    state.push("html_table", "", 0).content = "\n".join(lines)
    state.line = start + len(lines)
    return True


def _get_line(state: StateBlock, line: int) -> str:
    """Return a line without its indentation and without the marks of the quotes and lists around it."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
