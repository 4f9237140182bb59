"""Formulas in running text."""

from __future__ import annotations

import time

import pytest

from duramen.dom.tree import Tree
from duramen.structure.text_formulas import (
    TextFormula,
    find_text_formulas,
    has_bracket_formulas,
    uses_asciimath,
    uses_dollar_delimiters,
)


def find(text: str, dollars: bool = True) -> list[tuple[str, bool]]:
    return [(formula.tex, formula.is_display) for formula in find_text_formulas(text, dollars=dollars)]


def test_the_place_includes_the_delimiters() -> None:
    assert find_text_formulas("a \\(x\\) b", dollars=False) == [TextFormula(2, 7, "x", False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\(x^2\\)", ("x^2", False)),
        ("\\[ x^2 \\]", ("x^2", True)),
        ("$$x^2$$", ("x^2", True)),
        ("$$\nx\n+ y\n$$", ("x + y", True)),
        ("\\begin{equation} x \\end{equation}", ("x", True)),
        (
            "\\begin{align*}\na &= b \\\\\n c &= d\n\\end{align*}",
            ("\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}", True),
        ),
        ("\\begin{math}x\\end{math}", ("x", False)),
        ("\\[ \\begin{matrix} a \\\\[2pt] b \\end{matrix} \\]", ("\\begin{matrix} a \\\\[2pt] b \\end{matrix}", True)),
        ("$latex x+y$", ("x+y", False)),
        ("\\( x % a comment\n + y \\)", ("x + y", False)),
        ("\\(50\\% x\\)", ("50\\% x", False)),
        ("\\(x\u200b\\)", ("x", False)),
    ],
)
def test_formulas_that_need_no_declaration(text: str, expected: tuple[str, bool]) -> None:
    assert find(f"Let {text} be", dollars=False) == [expected]
    assert find(f"Let {text} be") == [expected]


def test_single_dollars_need_a_declaration() -> None:
    assert find("Let $x$ and $y = 2$ be") == [("x", False), ("y = 2", False)]
    assert find("Let $x$ be", dollars=False) == []


def test_dollars_inside_braces_belong_to_the_formula() -> None:
    assert find(r"$x \text{ if $y$ } z$ end") == [(r"x \text{ if $y$ } z", False)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5.",
        "It costs $5 and $6 or $7.",
        "from $5-$6",
        "It rose from US$5 million to the euro against the US$.",
        "a $ x$ b",
        "a $x $ b",
        "a $x$5 b",
        "$x\n\ny$",
        "\\$x$ and \\$y",
        "Cafe A $$ • Cafe B $$ • Grill $$$",
        "a footnote \\[1\\] and \\[citation needed\\]",
        "escaped \\(see below\\)",
        "\\(x",
        "x\\)",
        "\\[x\\)",
        "$$x",
        "$x",
        "\\begin{align} x",
        "\\begin{align} x \\end{gather}",
        "\\begin{document} x^2 \\end{document}",
        "\\( \\)",
        "$$$$",
        "\\\\(x\\\\)",
    ],
)
def test_text_that_is_no_formula(text: str) -> None:
    assert find(text) == []


def test_an_environment_inside_another_is_part_of_it() -> None:
    text = "\\begin{equation}\\begin{split}a\\end{split}\\end{equation} and \\begin{theorem}\\(x\\)\\end{theorem}"
    assert find(text) == [("\\begin{split}a\\end{split}", True), ("x", False)]


@pytest.mark.parametrize("text", ["\\[0-9\\]", "\\[^a-z\\]", "\\(a*\\)", "\\(ab|cd\\)"])
def test_regular_expressions_have_no_sign_of_tex(text: str) -> None:
    assert find_text_formulas(text, dollars=False, unsigned=False) == []
    assert find_text_formulas(text, dollars=False) != []


@pytest.mark.parametrize(
    "text", ["\\(x_1\\)", "\\(e^x\\)", "\\[x = y\\]", "\\(\\pi\\)", "\\(π\\)", "\\(a < b\\)", "\\(a+b\\)", "$$x$$"]
)
def test_formulas_with_a_sign_of_tex(text: str) -> None:
    assert len(find_text_formulas(text, dollars=False, unsigned=False)) == 1


def test_a_page_with_a_command_between_brackets_has_bracket_formulas() -> None:
    assert has_bracket_formulas(Tree.parse("<p>Let \\(n\\) be</p><p>of \\(\\mathbb{Z}\\)</p>"))
    assert not has_bracket_formulas(Tree.parse("<p>Let \\(n\\) be \\w</p>"))


def test_backticks_are_asciimath_where_the_page_declares_it() -> None:
    assert find_text_formulas("`a/b`", dollars=False) == []
    assert find_text_formulas("`a/b`", dollars=False, asciimath=True) == [TextFormula(0, 5, r"\frac{a}{b}", False)]


@pytest.mark.parametrize(
    "html",
    [
        "<script>MathJax = {tex: {inlineMath: [['$', '$'], ['\\\\(', '\\\\)']]}}</script>",
        "<script>MathJax = {tex: {inlineMath: {'[+]': [['$', '$']]}}}</script>",
        '<script type="text/x-mathjax-config">MathJax.Hub.Config({"tex2jax": {"inlineMath": [["$","$"]]}})</script>',
        "<script>renderMathInElement(document.body, {delimiters: [{left: '$', right: '$', display: false}]})</script>",
        '<blockquote class="abstract mathjax">x</blockquote>',
        '<body class="tex2jax_process">x',
    ],
)
def test_pages_that_declare_dollars(html: str) -> None:
    assert uses_dollar_delimiters(Tree.parse(html))


@pytest.mark.parametrize(
    "html",
    [
        "<p>$x$</p>",
        '<script src="https://cdn.example/mathjax@3/tex-chtml.js"></script>',
        "<script>MathJax = {tex: {inlineMath: [['\\\\(', '\\\\)']], displayMath: [['$$', '$$']]}}; ['$', '$']</script>",
        "<script>delimiters: [{left: '$$', right: '$$', display: true}]</script>",
        '<div class="mathjax_ignore">x</div>',
    ],
)
def test_pages_that_do_not_declare_dollars(html: str) -> None:
    assert not uses_dollar_delimiters(Tree.parse(html))


def test_pages_that_declare_asciimath() -> None:
    assert uses_asciimath(Tree.parse('<script src="/js/ASCIIMathML.js"></script>'))
    assert uses_asciimath(Tree.parse('<script src="/MathJax.js?config=AM_CHTML"></script>'))
    assert uses_asciimath(Tree.parse("<script>MathJax = {loader: {load: ['input/asciimath']}}</script>"))
    assert not uses_asciimath(Tree.parse('<script src="/MathJax.js?config=TeX-MML-AM_CHTML"></script>'))


HOSTILE = {
    "dollars": "$" * 1_000_000,
    "dollars and letters": "$x " * 200_000,
    "dollars in open braces": "{$x" * 200_000,
    "open environments": "\\begin{align}" * 100_000,
    "cut environments": "\\begin{" * 200_000,
    "wrong ends": "\\begin{a}" * 50_000 + "\\end{b}" * 50_000,
    "nested theorems": "\\begin{theorem}" * 50_000 + "\\begin{align}x\\end{align}" + "\\end{theorem}" * 50_000,
    "open brackets": "\\(" * 200_000,
    "backslashes": "\\" * 1_000_000,
    "long formula": "$$" + r"\frac{a}{b}" * 100_000 + "$$",
    "long comment": "\\[" + "%" * 1_000_000 + "\\]",
    "backticks": "`x " * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    start = time.thread_time()
    find_text_formulas(HOSTILE[name], dollars=True, asciimath=True)
    assert time.thread_time() - start < 5
