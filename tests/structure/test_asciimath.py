"""AsciiMath to TeX."""

from __future__ import annotations

import time

import pytest

from duramen.structure.asciimath import MAX_CHARS, asciimath_to_tex


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("x^2", "x^2"),
        ("x_1^(n+1)", "x_1^{n+1}"),
        ("a/b", r"\frac{a}{b}"),
        ("(a+b)/(c)", r"\frac{a+b}{c}"),
        ("sqrt(x+1)", r"\sqrt{x+1}"),
        ("root(3)(x)", r"\sqrt[3]{x}"),
        ("sum_(i=1)^n i^3=((n(n+1))/2)^2", r"\sum_{i=1}^ni^3=\left( \frac{n(n+1)}{2} \right)^2"),
        ("alpha beta", r"\alpha\beta"),
        ("x >= 0", r"x\ge0"),
        ("lim_(x->oo) 1/x", r"\lim_{x\to\infty}\frac{1}{x}"),
        ("sin x/cos x", r"\frac{\sin x}{\cos x}"),
        ("sin^2 x", r"\sin^2x"),
        ("|x|", r"\left| x \right|"),
        ("abs(x)", r"\left| x \right|"),
        ("hat x + vec(ab)", r"\hat{x}+\vec{ab}"),
        ("bbb R", r"\mathbb{R}"),
        ("RR", r"\mathbb{R}"),
        ('"a_b" x', r"\text{a\_b}x"),
        ("text(if ) x", r"\text{if }x"),
        ("[[a,b],[c,d]]", r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}"),
        ("((a,b),(c,d))", r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"),
        ("{(1, x),(0, y):}", r"\begin{cases} 1 & x \\ 0 & y \end{cases}"),
        ("((a),(b))", "((a),(b))"),
        ("(a,b]", "(a,b]"),
        ("a)b", "a)b"),
        ("(a", "(a"),
        ("", ""),
        ("  ", ""),
    ],
)
def test_expressions(text: str, tex: str) -> None:
    assert asciimath_to_tex(text) == tex


@pytest.mark.parametrize("piece", ["(", "()", "|", "[[", "[[a,", "sqrt ", "x_", "a/", "sin ", "frac", '"', "text("])
def test_hostile_expressions_take_linear_time(piece: str) -> None:
    start = time.thread_time()
    asciimath_to_tex((piece * MAX_CHARS)[:MAX_CHARS])
    asciimath_to_tex("(" * (MAX_CHARS // 2) + ")" * (MAX_CHARS // 2))
    assert time.thread_time() - start < 2
    assert asciimath_to_tex("x" * (MAX_CHARS + 1)) == ""
