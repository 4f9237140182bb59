"""Cleaning of TeX, and telling it from prose."""

from __future__ import annotations

import pytest

from duramen.structure.tex_source import TexSource, clean_tex, is_plausible, looks_like_tex


@pytest.mark.parametrize(
    ("source", "tex"),
    [
        (" x ", "x"),
        ("$x$", "x"),
        (r"{\displaystyle x}", "x"),
        (r"\displaystyle x", "x"),
        (r"{\displaystyle a}+{\displaystyle b}", r"{\displaystyle a}+{\displaystyle b}"),
        (r"$a$ and $b$", r"$a$ and $b$"),
        (r"\(a\) \(b\)", r"\(a\) \(b\)"),
        (r"\displaystylex", r"\displaystylex"),
        ("a % b\nc", "a c"),
        (r"a \% b", r"a \% b"),
        ("a \\\\% b\nc", "a \\\\c"),
        ("a\n\n  b", "a b"),
        ("x\\ ", "x"),
        ("x\\\\ ", "x\\\\"),
        ("a\xa0b\u2061", "a b"),
        ("\\begin{cases}\n  a \\\\\n\n  b\n\\end{cases}\n+ c\nd", "\\begin{cases}\na \\\\\nb\n\\end{cases} + c d"),
        (r"\begin{equation}x\end{equation}", "x"),
        (r"\begin{equation}x\end{equation}\begin{equation}y\end{equation}",) * 2,
        ("% <![CDATA[\nx %]]>", "x"),
        ("a &lt; b &amp;= c", "a < b &= c"),
        (r"a &= b \\ c &gt; d", r"a &= b \\ c > d"),
        ("", ""),
        ("$$", "$$"),
    ],
)
def test_cleaning(source: str, tex: str) -> None:
    assert clean_tex(source).tex == tex


def test_delimiters_and_styles_are_reported() -> None:
    assert clean_tex("$$x$$") == TexSource("x", True)
    assert clean_tex(r"\(x\)") == TexSource("x", False)
    assert clean_tex("x") == TexSource("x", None)
    assert clean_tex(r"\displaystyle x") == TexSource("x", None, True)


@pytest.mark.parametrize("tex", ["x", "x^2", "a, b", "ABCD", r"\alpha", "a = b", "12", r"\text{some words}", "f(x)"])
def test_plausible_tex(tex: str) -> None:
    assert is_plausible(tex)


@pytest.mark.parametrize("text", ["", " - ", "see below", "Mathematics", "• A", "citation needed"])
def test_implausible_tex(text: str) -> None:
    assert not is_plausible(text)


@pytest.mark.parametrize("text", [r"\frac{a}{b}", r"x \in A", "$x$", r"\(x\)", r"{\displaystyle x}"])
def test_text_that_looks_like_tex(text: str) -> None:
    assert looks_like_tex(text)


@pytest.mark.parametrize("text", ["A cat", "C:\\Users\\cat", "$5", "from $5 to $6", "a_b.png", "\\o/"])
def test_text_that_does_not_look_like_tex(text: str) -> None:
    assert not looks_like_tex(text)
