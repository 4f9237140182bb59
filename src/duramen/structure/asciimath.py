"""Convert AsciiMath to TeX.

The grammar is the one of asciimath.org: a symbol, a bracketed expression, a unary or binary command and its arguments;
each with scripts; and fractions of these. Groups deeper than `MAX_DEPTH` are read as plain symbols, so that the
recursion is bounded.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.structure.tex_source import join_tex

MAX_DEPTH: Final = 40
MAX_CHARS: Final = 10_000
"""Longer text between backticks is no formula."""

_SYMBOLS: Final = {
    "+-": "\\pm", "-+": "\\mp", "*": "\\cdot", "**": "\\ast", "***": "\\star", "//": "/", "\\\\": "\\backslash",
    "xx": "\\times", "-:": "\\div", "@": "\\circ", "o+": "\\oplus", "ox": "\\otimes", "o.": "\\odot", "sum": "\\sum",
    "prod": "\\prod", "^^": "\\wedge", "^^^": "\\bigwedge", "vv": "\\vee", "vvv": "\\bigvee", "nn": "\\cap",
    "nnn": "\\bigcap", "uu": "\\cup", "uuu": "\\bigcup", "!=": "\\ne", "<=": "\\le", ">=": "\\ge", "-<": "\\prec",
    "-<=": "\\preceq", ">-": "\\succ", ">-=": "\\succeq", "in": "\\in", "!in": "\\notin", "sub": "\\subset",
    "sup": "\\supset", "sube": "\\subseteq", "supe": "\\supseteq", "-=": "\\equiv", "~=": "\\cong", "~~": "\\approx",
    "~": "\\sim", "prop": "\\propto", "and": "\\text{ and }", "or": "\\text{ or }", "not": "\\neg", "=>": "\\implies",
    "if": "\\text{ if }", "<=>": "\\iff", "iff": "\\iff", "AA": "\\forall", "EE": "\\exists", "_|_": "\\bot",
    "TT": "\\top", "|--": "\\vdash", "|==": "\\models", "int": "\\int", "oint": "\\oint", "del": "\\partial",
    "grad": "\\nabla", "O/": "\\emptyset", "oo": "\\infty", "aleph": "\\aleph", "...": "\\ldots", "cdots": "\\cdots",
    "vdots": "\\vdots", "ddots": "\\ddots", "|cdots|": "|\\cdots|", "quad": "\\quad", "qquad": "\\qquad",
    "diamond": "\\diamond", "square": "\\square", "CC": "\\mathbb{C}", "NN": "\\mathbb{N}", "QQ": "\\mathbb{Q}",
    "RR": "\\mathbb{R}", "ZZ": "\\mathbb{Z}", "uarr": "\\uparrow", "darr": "\\downarrow", "rarr": "\\rightarrow",
    "->": "\\to", "larr": "\\leftarrow", "harr": "\\leftrightarrow", "|->": "\\mapsto", ">->": "\\rightarrowtail",
    "->>": "\\twoheadrightarrow", "rArr": "\\Rightarrow", "lArr": "\\Leftarrow", "hArr": "\\Leftrightarrow",
    ":.": "\\therefore", ":'": "\\because", "/_": "\\angle", "/_\\": "\\triangle", "dx": "dx", "dy": "dy", "dz": "dz",
    "dt": "dt", "ne": "\\ne", "le": "\\le", "ge": "\\ge", "lt": "<", "gt": ">", "to": "\\to", "times": "\\times",
    "cdot": "\\cdot", "infty": "\\infty", "partial": "\\partial", "forall": "\\forall", "exists": "\\exists",
    "%": "\\%", "#": "\\#", "&": "\\&", "$": "\\$",
}  # fmt: skip
_GREEK: Final = (
    "alpha beta gamma Gamma delta Delta epsilon varepsilon zeta eta theta Theta vartheta iota kappa lambda Lambda mu nu"
    " xi Xi pi Pi rho sigma Sigma tau upsilon phi Phi varphi chi psi Psi omega Omega".split()
)
_FUNCTIONS: Final = (
    "sin cos tan sec csc cot arcsin arccos arctan sinh cosh tanh log ln exp lim det dim mod gcd lcm min max".split()
)
_FUNCTIONS_OF_NEXT: Final = frozenset(_FUNCTIONS) - {"lim", "mod", "min", "max"}
_NO_COMMAND: Final = frozenset(("mod", "lcm"))
_SYMBOLS.update({name: "\\" + name for name in _GREEK})
_SYMBOLS.update({name: f"\\operatorname{{{name}}}" if name in _NO_COMMAND else "\\" + name for name in _FUNCTIONS})
_UNARY: Final = {
    "sqrt": "\\sqrt", "hat": "\\hat", "bar": "\\overline", "overline": "\\overline", "vec": "\\vec",
    "tilde": "\\tilde", "dot": "\\dot", "ddot": "\\ddot", "ul": "\\underline", "underline": "\\underline",
    "ubrace": "\\underbrace", "underbrace": "\\underbrace", "obrace": "\\overbrace", "overbrace": "\\overbrace",
    "cancel": "\\cancel", "bb": "\\mathbf", "bbb": "\\mathbb", "cc": "\\mathcal", "tt": "\\mathtt", "fr": "\\mathfrak",
    "sf": "\\mathsf", "mathbf": "\\mathbf", "mathbb": "\\mathbb", "mathcal": "\\mathcal",
    "abs": "\\left|", "floor": "\\left\\lfloor", "ceil": "\\left\\lceil", "norm": "\\left\\|",
}  # fmt: skip
_CLOSING_OF_UNARY: Final = {
    "abs": "\\right|",
    "floor": "\\right\\rfloor",
    "ceil": "\\right\\rceil",
    "norm": "\\right\\|",
}
_BINARY: Final = {
    "frac": "\\frac",
    "root": "",
    "stackrel": "\\stackrel",
    "overset": "\\overset",
    "underset": "\\underset",
}
_TEXT_COMMANDS: Final = frozenset(("text", "mbox"))
_OPENING: Final = {"(": "(", "[": "[", "{": "\\{", "(:": "\\langle", "<<": "\\langle", "{:": "."}
_CLOSING: Final = {")": ")", "]": "]", "}": "\\}", ":)": "\\rangle", ">>": "\\rangle", ":}": "."}
_MATRIX_OF_BRACKETS: Final = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", ":}"): "cases", ("{", "}"): "Bmatrix"}

_WORDS: Final = sorted(
    {*_SYMBOLS, *_UNARY, *_BINARY, *_TEXT_COMMANDS, *_OPENING, *_CLOSING}, key=lambda word: (-len(word), word)
)
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<number>\d+(?:\.\d+)?)|(?P<word>' + "|".join(map(re.escape, _WORDS)) + r")|(?P<other>\S)"
)
_TALL = re.compile(r"\\(?:frac|sum|prod|int|begin|sqrt)(?![a-z])")


def asciimath_to_tex(text: str) -> str:
    """Return the TeX of an AsciiMath expression; "" if it is blank or too long to be one."""
    if len(text) > MAX_CHARS:
        return ""
    parser = _Parser(text.strip().strip("`"))
    return parser.read_expression(0, len(parser.tokens))


class _Parser:
    """Reads tokens from left to right. Brackets and bars are paired beforehand, so that nothing is read twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.matches = list(_TOKEN.finditer(text))
        self.tokens = [match[0] for match in self.matches]
        self.partners = _pair_brackets(self.tokens)
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def read_expression(self, depth: int, stop: int) -> str:
        """Read the tokens before the index `stop`."""
        pieces: list[str] = []
        while self.at < stop:
            if self.peek() in _CLOSING:  # nothing opened it
                pieces.append(_CLOSING[self.take()].replace(".", ""))
                continue
            piece, is_group = self.read_scripted(depth)
            if self.peek() == "/" and self.at + 1 < stop:
                self.take()
                below, below_is_group = self.read_scripted(depth)
                piece = f"\\frac{{{_unwrap(piece, is_group)}}}{{{_unwrap(below, below_is_group)}}}"
            pieces.append(piece)
        self.at = stop
        return join_tex(pieces)

    def read_scripted(self, depth: int) -> tuple[str, bool]:
        """Read a simple expression and its scripts; return also whether it is a group of brackets alone."""
        token = self.peek()
        base, is_group = self.read_simple(depth)
        for mark in "_^":
            if self.peek() == mark:
                self.take()
                script = _unwrap(*self.read_simple(depth))
                base, is_group = f"{base}{mark}{script if len(script) == 1 else f'{{{script}}}'}", False
        if token in _FUNCTIONS_OF_NEXT and depth < MAX_DEPTH:  # `sin x/y` is a fraction of sin x
            after = self.peek()
            if after in ("(", "[") or after.isalnum():
                argument, _ = self.read_scripted(depth + 1)
                return join_tex([base, argument]), False
        return base, is_group

    def read_simple(self, depth: int) -> tuple[str, bool]:
        if self.at >= len(self.tokens) or self.peek() in _CLOSING:
            return "", False
        quoted = self.matches[self.at]["quoted"]
        opened = self.at
        token = self.take()
        if quoted is not None:
            return f"\\text{{{_escape(quoted)}}}", False
        if depth < MAX_DEPTH:
            if token in _TEXT_COMMANDS:
                return self.read_text(), False
            if token in _OPENING and opened in self.partners:
                return self.read_group(opened, depth + 1)
            if token == "|" and opened in self.partners:
                inner = self.read_expression(depth + 1, self.partners[opened])
                self.take()
                return f"\\left| {inner} \\right|", False
            if token in _CLOSING_OF_UNARY:
                return f"{_UNARY[token]} {self.read_argument(depth + 1)} {_CLOSING_OF_UNARY[token]}", False
            if token in _UNARY:
                return f"{_UNARY[token]}{{{self.read_argument(depth + 1)}}}", False
            if token == "root":
                index = self.read_argument(depth + 1)
                return f"\\sqrt[{index}]{{{self.read_argument(depth + 1)}}}", False
            if token in _BINARY:
                first = self.read_argument(depth + 1)
                return f"{_BINARY[token]}{{{first}}}{{{self.read_argument(depth + 1)}}}", False
        return _SYMBOLS.get(token, _OPENING.get(token, token).replace(".", "") or token), False

    def read_argument(self, depth: int) -> str:
        return _unwrap(*self.read_simple(depth))

    def read_text(self) -> str:
        """Read the words in the brackets after `text`."""
        stop = self.partners.get(self.at)
        if stop is None or self.peek() == "|":
            return "\\text{}"
        words = self.text[self.matches[self.at].end() : self.matches[stop].start()]
        self.at = stop + 1
        return f"\\text{{{_escape(words)}}}"

    def read_group(self, opened: int, depth: int) -> tuple[str, bool]:
        stop = self.partners[opened]
        opening, closing = self.tokens[opened], self.tokens[stop]
        if rows := self.find_rows(opened + 1, stop):
            name = _MATRIX_OF_BRACKETS.get((opening, closing), "matrix")
            table = " \\\\ ".join(self.read_row(row, depth) for row in rows)
            self.at = stop + 1
            return f"\\begin{{{name}}} {table} \\end{{{name}}}", False
        inner = self.read_expression(depth, stop)
        self.take()
        are_plain = opening in ("(", "[", "{") and closing in (")", "]", "}")
        if are_plain and not _TALL.search(inner):
            return f"{_OPENING[opening]}{inner}{_CLOSING[closing]}", True
        return f"\\left{_OPENING[opening]} {inner} \\right{_CLOSING[closing]}", are_plain

    def find_rows(self, start: int, stop: int) -> list[int]:
        """Return the opening brackets of the rows of `[[a,b],[c,d]]`; none if the tokens are no such rows."""
        rows = []
        at = start
        while at < stop:
            if self.tokens[at] not in ("(", "["):
                return []
            rows.append(at)
            at = self.partners[at] + 1
            if at < stop and self.tokens[at] == ",":
                at += 1
        return rows if len(rows) > 1 and self.find_commas(rows[0]) else []

    def find_commas(self, opened: int) -> list[int]:
        """Return the commas of a group that are not in a group inside it."""
        commas = []
        at, stop = opened + 1, self.partners[opened]
        while at < stop:
            if self.tokens[at] == ",":
                commas.append(at)
            at = self.partners.get(at, at) + 1 if self.tokens[at] in _OPENING else at + 1
        return commas

    def read_row(self, opened: int, depth: int) -> str:
        self.at = opened + 1
        cells = []
        for stop in (*self.find_commas(opened), self.partners[opened]):
            cells.append(self.read_expression(depth, stop))
            self.at = stop + 1
        return " & ".join(cells)


def _pair_brackets(tokens: list[str]) -> dict[int, int]:
    """Return for each opening bracket, and for the first of two bars, the index of its partner."""
    partners: dict[int, int] = {}
    opened: list[int] = []
    bars: list[int | None] = [None]  # for each open group: the bar that waits for another one
    for index, token in enumerate(tokens):
        if token in _OPENING:
            opened.append(index)
            bars.append(None)
        elif token in _CLOSING and opened:
            partners[opened.pop()] = index
            bars.pop()
        elif token == "|":
            before = bars[-1]
            if before is None:
                bars[-1] = index
            else:
                partners[before] = index
                bars[-1] = None
    return partners


def _unwrap(tex: str, is_group: bool) -> str:
    """Return the inside of a group: the brackets of an argument are not shown."""
    if not is_group:
        return tex
    if tex.startswith("\\left"):
        return tex[tex.index(" ") + 1 : tex.rindex(" ")]
    start = 2 if tex.startswith("\\{") else 1
    stop = 2 if tex.endswith("\\}") else 1
    return tex[start:-stop]


def _escape(text: str) -> str:
    return re.sub(r"([{}%#&$_])", r"\\\1", text.replace("\\", "\\backslash "))
