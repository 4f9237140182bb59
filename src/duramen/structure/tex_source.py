"""Clean TeX that pages carry, and tell TeX from prose."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Final, NamedTuple


class TexSource(NamedTuple):
    """TeX without delimiters, and what its delimiters say of it."""

    tex: str
    is_display: bool | None
    """None where the source had no delimiters."""
    has_display_style: bool = False
    """Whether the source began with `\\displaystyle`."""


_CDATA = re.compile(r"%?\s*<!\[CDATA\[|%?\s*\]\]>")
_ESCAPE_OR_COMMENT = re.compile(r"(\\.)|%[^\n]*(?:\n[ \t]*)?", re.DOTALL)
_CHARACTER_REFERENCE = re.compile(r"&(?:lt|gt|amp|quot|nbsp|#39);")
"""Left in scripts and attributes that were escaped once too often: no TeX has `&lt;`."""
_NO_WIDTH: Final = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, *range(0x2060, 0x2065), 0xFEFF))
_ENVIRONMENT_MARK = re.compile(r"(\\(?:begin|end)\s*\{)")
_LINE_BREAK = re.compile(r"[^\S\n]*\n\s*")
_SPACES = re.compile(r"[^\S\n]+")
_STYLE = re.compile(r"\\(displaystyle|textstyle)(?![A-Za-z])\s*")
_DELIMITERS: Final = (("$$", "$$", True), ("\\[", "\\]", True), ("\\(", "\\)", False), ("$", "$", False))
_WHOLE_EQUATION = re.compile(r"\\begin\{(equation\*?|displaymath|math)\}(.*)\\end\{\1\}", re.DOTALL)
_MAX_WRAPPERS: Final = 6
"""Delimiters, braces and style commands that are taken off; more are part of the formula."""

_ENDS_WITH_COMMAND = re.compile(r"\\[A-Za-z]+$")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_MATH_SIGN = re.compile(r"[\\^_={}<>+*|/≤≥≠≈∈→×÷±∑∫√α-ωΑ-Ω]")
_PROSE_WORD = re.compile(r"[^\W\d_A-Z]{4,}|[A-Z][^\W\d_A-Z]{3,}|•")
_KNOWN_COMMANDS: Final = frozenset(
    "frac dfrac tfrac binom sqrt sum prod int iint oint lim sup inf max min log ln exp sin cos tan det dim ker deg gcd"
    " alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau"
    " upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega mathbb mathbf mathcal mathrm"
    " mathfrak mathsf mathit boldsymbol operatorname text textbf mbox left right big Big bigg Bigg begin displaystyle"
    " textstyle hat widehat bar overline underline tilde widetilde vec dot ddot cdot cdots ldots dots vdots times div"
    " pm mp leq le geq ge neq ne approx equiv sim simeq cong propto in notin ni subset subseteq supset supseteq cup cap"
    " setminus emptyset varnothing forall exists neg land lor wedge vee to rightarrow leftarrow Rightarrow Leftarrow"
    " Leftrightarrow leftrightarrow mapsto implies iff infty partial nabla ell hbar Re Im aleph angle perp parallel mid"
    " langle rangle lfloor rfloor lceil rceil circ oplus otimes star ast prime quad qquad stackrel overset underset"
    " underbrace overbrace not mod bmod pmod color tag".split()
)


def clean_tex(source: str) -> TexSource:
    """Take comments, delimiters, style commands and invisible characters off TeX; keep the rest as it is."""
    tex = source.translate(_NO_WIDTH)
    if "]]>" in tex or "<![" in tex:
        tex = _CDATA.sub("", tex)
    if "&" in tex:
        tex = _CHARACTER_REFERENCE.sub(lambda match: unescape(match[0]), tex)
    if "%" in tex:
        tex = _ESCAPE_OR_COMMENT.sub(lambda match: match[1] or "", tex)
    tex = _strip(tex)
    is_display: bool | None = None
    has_display_style = False
    for _ in range(_MAX_WRAPPERS):
        if delimited := _strip_delimiters(tex):
            tex, is_display = delimited
        elif style := _STYLE.match(tex):
            has_display_style |= style[1] == "displaystyle"
            tex = _strip(tex[style.end() :])
        elif tex.startswith("{\\") and _STYLE.match(tex, 1) and _closes_at_end(tex):
            tex = _strip(tex[1:-1])
        else:
            break
    if (equation := _WHOLE_EQUATION.fullmatch(tex)) and f"\\begin{{{equation[1]}}}" not in equation[2]:
        is_display = equation[1] != "math"
        tex = equation[2]
    return TexSource(_normalize_whitespace(tex), is_display, has_display_style)


def is_plausible(tex: str) -> bool:
    """Return whether text between delimiters can be TeX: prose and plain numbers have no sign of mathematics."""
    if _COMMAND.search(tex):
        return True
    if not tex.strip(" \t\r\n-–—•·,.;:!?$") or _PROSE_WORD.search(tex):
        return False
    return _MATH_SIGN.search(tex) is not None or len(tex.split()) <= 3


def looks_like_tex(text: str) -> bool:
    """Return whether text of unknown kind, such as the description of an image, is TeX."""
    if "\\" not in text and "$" not in text:
        return False
    if text.startswith(("$", "\\(", "\\[")) and _strip_delimiters(text):
        return True
    return any(match[0][1:] in _KNOWN_COMMANDS for match in _COMMAND.finditer(text, 0, 10_000))


def join_tex(pieces: Iterable[str]) -> str:
    """Join pieces of TeX; a command and a letter after it are separated by a space."""
    joined: list[str] = []
    is_after_command = False
    for piece in filter(None, pieces):
        if is_after_command and piece[0].isalpha():
            joined.append(" ")
        joined.append(piece)
        is_after_command = _ENDS_WITH_COMMAND.search(piece, max(0, len(piece) - 30)) is not None
    return "".join(joined)


def _strip(tex: str) -> str:
    """Strip white space; a backslash whose space is lost goes with it."""
    stripped = tex.strip()
    if stripped.endswith("\\") and len(tex) != len(tex.rstrip()):
        if (len(stripped) - len(stripped.rstrip("\\"))) % 2:
            stripped = stripped[:-1].rstrip()
    return stripped


def _strip_delimiters(tex: str) -> tuple[str, bool] | None:
    for left, right, is_display in _DELIMITERS:
        size = len(left)
        if len(tex) > 2 * size and tex.startswith(left) and tex.endswith(right) and tex[-size - 1] != "\\":
            inner = tex[size:-size]
            # `$a$ and $b$` is not one formula; a dollar inside braces belongs to a \text{}.
            if right not in inner or (left == "$" and "{" in inner and not inner.endswith("$")):
                return _strip(inner), is_display
    return None


def _closes_at_end(tex: str) -> bool:
    """Return whether the brace that opens the text is closed by its last character."""
    depth = 0
    for match in re.finditer(r"\\.|[{}]", tex, re.DOTALL):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.end() == len(tex)
    return False


def _normalize_whitespace(tex: str) -> str:
    """Make every run of white space one space; lines are kept inside environments."""
    tex = tex.replace("\xa0", " ")
    if "\n" not in tex or "\\begin" not in tex:
        return _strip(_collapse(tex))
    pieces = []
    depth = 0
    for index, piece in enumerate(_ENVIRONMENT_MARK.split(tex)):
        if index % 2:
            depth += 1 if piece.startswith("\\b") else -1
            pieces.append(piece)
        elif depth > 0:
            pieces.append(_SPACES.sub(" ", _LINE_BREAK.sub("\n", piece)))
        else:
            pieces.append(_collapse(piece))
    return _strip("".join(pieces))


def _collapse(text: str) -> str:
    return re.sub(r"\s+", " ", text)
