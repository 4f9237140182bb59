"""TeX to MathML."""

from __future__ import annotations

import html
import time

import pytest

from duramen.dom.tree import Tree
from duramen.structure import tex as module
from duramen.structure.formulas import find_formulas
from duramen.structure.tex import tex_to_mathml


def test_the_tex_is_kept_in_an_annotation() -> None:
    for tex in (r"\frac{a}{b} < c & d", r"x_", r"\text{</annotation><script>}"):
        tree = Tree.parse(tex_to_mathml(tex, is_display=True))
        (formula,) = find_formulas(tree).values()
        assert (formula.tex, formula.is_display) == (tex, True)


def test_a_formula_is_converted() -> None:
    mathml = tex_to_mathml(r"\frac{a}{2}", is_display=False)
    assert mathml.startswith(
        "<math><semantics><mrow><mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac></mrow>"
    )
    assert 'display="block"' in tex_to_mathml("x", is_display=True)
    assert "<mtable" in tex_to_mathml(r"\begin{aligned}a&=b\end{aligned}", is_display=True)


def test_without_the_library_the_tex_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_load_converter", lambda: None)
    annotation = '<annotation encoding="application/x-tex">a&lt;b</annotation>'
    assert (
        tex_to_mathml("a<b", is_display=False)
        == f"<math><semantics><mtext>a&lt;b</mtext>{annotation}</semantics></math>"
    )


@pytest.mark.parametrize("tex", ["x_", r"\left(x", r"\begin{matrix}a", "x^2^3", "", r"\frac"])
def test_tex_with_errors_is_shown_as_it_is(tex: str) -> None:
    assert tex_to_mathml(tex, is_display=False).startswith(f"<math><semantics><mtext>{html.escape(tex)}</mtext>")


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(x)}{x}",
        r"\class{a}{x}",
        r'\color{red" onload="alert(1)}x',
        r"<img src=x onerror=alert(1)>",
    ],
)
def test_nothing_of_the_tex_becomes_markup(tex: str) -> None:
    tree = Tree.parse(tex_to_mathml(tex, is_display=False))
    assert not {"script", "img", "a"} & set(tree.tag)
    assert not [node for node in range(len(tree)) if {"href", "style", "class", "onload"} & set(tree.attributes[node])]


@pytest.mark.parametrize(
    "tex",
    [
        "{" * 1_000_000,
        r"\sqrt" * 200_000,
        r"\def\a{\a\a}\a",
        r"\newcommand{\b}{\b\b}\b",
        r"\begin{matrix}" * 500,
        "x^" * 10_000,
        "a+" * 500_000,
    ],
)
def test_hostile_tex_is_not_converted(tex: str) -> None:
    start = time.thread_time()
    assert "<mtext>" in tex_to_mathml(tex, is_display=False)
    assert time.thread_time() - start < 2
