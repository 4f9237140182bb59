"""Find formulas written as raw TeX, or as AsciiMath, in running text.

Delimiters are paired in one pass. A formula that is not closed is text, and so is one that no reader would take for
mathematics: "costs $5 and $6", "restaurants: $$ to $$$", "see \\[1\\]", "the class \\[a-z\\]". The rules of Pandoc
apply to `$…$`: no space after the opening, none before the closing, no digit after it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from duramen.dom.tree import Tree
from duramen.structure.asciimath import asciimath_to_tex
from duramen.structure.tex_source import clean_tex, is_plausible, looks_like_tex


class TextFormula(NamedTuple):
    """A formula in a text: where it starts and stops, with its delimiters, and its TeX without them."""

    start: int
    stop: int
    tex: str
    is_display: bool


_TOKEN = re.compile(r"\\(?:begin|end)\{[A-Za-z]{1,20}\*?\}|\\\S|\$+|[{}]")
_TOKEN_OR_BACKTICK = re.compile(_TOKEN.pattern + "|`")
_BRACKETS: Final = ("\\(", "\\[")
_CLOSING: Final = {"\\)": "\\(", "\\]": "\\["}
_DISPLAY_ENVIRONMENTS: Final = frozenset(
    "equation align gather multline eqnarray alignat flalign displaymath subequations split aligned gathered alignedat"
    " cases dcases rcases matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array CD".split()
)
_SELF_CLOSING: Final = frozenset(("$", "$$", "$$$", "$$$$$$", "`"))
"""Delimiters that open and close. Codeforces has three dollar signs for `$`, and six for `$$`."""
_DISPLAY_DELIMITERS: Final = frozenset(("$$", "$$$$$$", "\\["))
_WORDPRESS_PREFIX: Final = "latex"
_PRICE = re.compile(r"\d[\d.,]*(?:[kKmMbB]\b|\s|$)")


_TEX_SIGN = re.compile(r"\\[A-Za-z]{2,}|.\s*[\^_=<>≤≥≠≈∈→]|[\w)]\s*\+\s*[\w(]|[α-ωΑ-Ω]", re.DOTALL)
"""Signs by which `\\(x^2\\)` differs from a regular expression, such as `\\[^0-9\\]` or `\\(a*\\)`."""


def find_text_formulas(
    text: str, *, dollars: bool, asciimath: bool = False, unsigned: bool = True
) -> list[TextFormula]:
    r"""Return the formulas in a text, in order: `\(…\)`, `\[…\]`, `$$…$$` and environments of mathematics.

    With `dollars`, also `$…$`; with `asciimath`, also AsciiMath between backticks. Without `unsigned`,
    `\(…\)` and `\[…\]` are formulas only if they have a sign of TeX: regular expressions have escaped brackets, too.
    """
    if "\\" not in text and "$" not in text and not (asciimath and "`" in text):
        return []
    pattern = _TOKEN_OR_BACKTICK if asciimath else _TOKEN
    tokens = [(match.start(), match.end()) for match in pattern.finditer(text)]
    partners = _pair_delimiters(text, tokens)
    formulas = []
    stop = 0
    for index, (start, inner) in enumerate(tokens):
        partner = partners.get(index)
        if partner is None or start < stop:
            continue
        inner_stop, outer_stop = tokens[partner]
        formula = _read_formula(text, (start, inner, inner_stop, outer_stop), dollars)
        if formula is not None and not unsigned and text[start:inner] in _BRACKETS:
            formula = formula if _TEX_SIGN.search(text, inner, inner_stop) else None
        if formula is not None:
            formulas.append(formula)
            stop = outer_stop
    return formulas


def _pair_delimiters(text: str, tokens: list[tuple[int, int]]) -> dict[int, int]:
    """Return for opening delimiters the index of the token that closes them, in the same group of braces."""
    partners: dict[int, int] = {}
    pending: dict[str, int] = {}  # in the current group: the last delimiter of each kind that is not closed
    outer_groups: list[dict[str, int] | None] = []
    environments: list[tuple[str, int]] = []
    open_counts: dict[str, int] = {}
    for index, (start, stop) in enumerate(tokens):
        token = text[start:stop]
        if token == "{":
            outer_groups.append(pending or None)
            pending = {}
        elif token == "}":
            pending = (outer_groups.pop() or {}) if outer_groups else {}
        elif token in _BRACKETS:
            pending[token] = index
        elif token in _CLOSING:
            opening = pending.pop(_CLOSING[token], None)
            if opening is not None:
                partners[opening] = index
        elif token in _SELF_CLOSING:
            if token in pending:
                partners[pending[token]] = index
            pending[token] = index
        elif token.startswith("\\begin{"):
            name = token[7:-1]
            environments.append((name, index))
            open_counts[name] = open_counts.get(name, 0) + 1
        elif token.startswith("\\end{"):
            name = token[5:-1]
            while open_counts.get(name):
                opened, opening = environments.pop()
                open_counts[opened] -= 1
                if opened == name:
                    partners[opening] = index
                    break
    return partners


def _read_formula(text: str, bounds: tuple[int, int, int, int], dollars: bool) -> TextFormula | None:
    start, inner, inner_stop, stop = bounds
    opening = text[start:inner]
    if opening.startswith("\\begin"):
        name = opening[7:-1].rstrip("*")
        if name not in _DISPLAY_ENVIRONMENTS and name != "math":
            return None
        return _make(start, stop, text[start:stop], name != "math")
    content = text[inner:inner_stop]
    if opening == "`":
        tex = "" if "\n\n" in content else asciimath_to_tex(content)
        return TextFormula(start, stop, tex, False) if tex else None
    if opening == "$":
        if content.startswith(_WORDPRESS_PREFIX) and content[len(_WORDPRESS_PREFIX) :][:1].isspace():
            return _make(start, stop, content[len(_WORDPRESS_PREFIX) :], False)
        if not dollars or not _is_inline_dollar_formula(content, text[stop : stop + 1]):
            return None
    elif opening == "$$$" and content.strip() != content:  # classes of restaurants
        return None
    if opening == "\\[" and content.strip().isdigit():  # a footnote mark of escaped Markdown
        return None
    formula = _make(start, stop, content, opening in _DISPLAY_DELIMITERS)
    return formula if formula is not None and is_plausible(formula.tex) else None


def _is_inline_dollar_formula(content: str, after: str) -> bool:
    if not content or content[0].isspace() or content[-1].isspace() or after.isdigit():
        return False
    if "$$" in content or "\n\n" in content:
        return False
    # "$5 million against US$": an amount, and more than a number.
    return not (_PRICE.match(content) and "\\" not in content and any(map(str.isalpha, content.split()[1:])))


def _make(start: int, stop: int, source: str, is_display: bool) -> TextFormula | None:
    tex = clean_tex(source).tex
    return TextFormula(start, stop, tex, is_display) if tex else None


# What a page says about its delimiters.

_INLINE_MATH = re.compile(
    r"""inlineMath\\?["']?\s*[:=]\s*(?:\{\s*["']\[\+\]["']\s*:\s*)?\[((?:\s*\[[^\[\]]{0,80}\]\s*,?){1,8})"""
)
_DOLLAR = re.compile(r"""["']\$\\?["']""")
_KATEX_DOLLAR = re.compile(r"""left\\?["']?\s*:\s*\\?["']\$\\?["']""")
_DOLLAR_CLASSES: Final = frozenset(("mathjax", "tex2jax_process", "mathjax_process"))
_CLASS_TAGS: Final = ("body", "main", "article", "section", "div", "blockquote", "h1")
_DOLLAR_PAIR = re.compile(r"(?<![\\$])\$([^\s$](?:[^$\n]{0,300}[^\s$])?)\$(?![\d$])")
_BRACKET_PAIR = re.compile(r"\\\(([^\n]{1,300}?)\\\)|\\\[([^\n]{1,300}?)\\\]")
_MIN_UNDECLARED: Final = 3
"""Formulas between dollar signs that show the delimiters of a page without a library for mathematics."""
_NOT_PROSE: Final = frozenset(("pre", "code", "kbd", "samp", "tt", "script", "style", "textarea"))
_MAX_CODE_LEVELS: Final = 4
_MAX_TEXT_CHARS: Final = 20_000
_ASCIIMATH_SCRIPT = re.compile(r"asciimathml|input/asciimath|config=AM_|asciimath2jax", re.IGNORECASE)


def uses_dollar_delimiters(tree: Tree) -> bool:
    """Return whether the page declares that `$…$` is mathematics."""
    for text in _script_texts(tree):
        if "inlineMath" in text and any(_DOLLAR.search(match[1]) for match in _INLINE_MATH.finditer(text)):
            return True
        if "delimiters" in text and _KATEX_DOLLAR.search(text):
            return True
    nodes = [node for tag in _CLASS_TAGS for node in tree.find_all(tag)]
    classes = " ".join(filter(None, tree.attribute_values("class", nodes))).lower()
    if ("mathjax" in classes or "tex2jax" in classes) and not _DOLLAR_CLASSES.isdisjoint(classes.split()):
        return True
    return _count_dollar_formulas(tree) >= (1 if has_math_library(tree) else _MIN_UNDECLARED)


def _count_dollar_formulas(tree: Tree) -> int:
    """Count the texts with commands of TeX between dollar signs, up to the number that shows the page's delimiters.

    The configuration of a library may be in a file of its own.
    """
    count = 0
    for node in tree.text_nodes:
        text = tree.text[node]
        if "$" not in text or "\\" not in text or count >= _MIN_UNDECLARED:
            continue
        holders = (
            tree.tag[ancestor] for _, ancestor in zip(range(_MAX_CODE_LEVELS), tree.ancestors(node), strict=False)
        )
        if _NOT_PROSE.isdisjoint(holders):
            count += sum(looks_like_tex(match[1]) for match in _DOLLAR_PAIR.finditer(text[:_MAX_TEXT_CHARS]))
    return count


def has_bracket_formulas(tree: Tree) -> bool:
    r"""Return whether a text has a command of TeX between `\(…\)` or `\[…\]`."""
    return any(
        looks_like_tex(match[1] or match[2])
        for node in tree.text_nodes
        if "\\" in (text := tree.text[node])
        for match in _BRACKET_PAIR.finditer(text[:_MAX_TEXT_CHARS])
    )


def has_math_library(tree: Tree) -> bool:
    """Return whether the page loads MathJax or KaTeX, which show `$$…$$` on a line of its own wherever it stands."""
    sources = " ".join(filter(None, tree.attribute_values("src", tree.find_all("script")))).lower()
    if "mathjax" in sources or "katex" in sources:
        return True
    return any("MathJax" in text or "katex" in text for text in _script_texts(tree))


def uses_asciimath(tree: Tree) -> bool:
    """Return whether the page declares that text between backticks is AsciiMath."""
    sources = filter(None, tree.attribute_values("src", tree.find_all("script")))
    if any(_ASCIIMATH_SCRIPT.search(source) for source in sources):
        return True
    return any("asciimath" in text and _ASCIIMATH_SCRIPT.search(text) for text in _script_texts(tree))


def _script_texts(tree: Tree) -> list[str]:
    return [tree.text[node + 1] for node in tree.find_all("script") if tree.end[node] > node + 1]
