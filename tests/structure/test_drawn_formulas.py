"""Formulas that are drawn with spans and have no source."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree
from duramen.structure.formulas import find_formulas


def tex(inside: str) -> list[str]:
    return [formula.tex for formula in find_formulas(Tree.parse(f"<p>{inside}</p>")).values()]


def stack(*rows: str, depth: bool = False) -> str:
    """Return rows as KaTeX stacks them, from the lowest to the highest."""
    spans = "".join(f"<span><span class=pstrut></span>{row}</span>" for row in rows)
    names = "vlist-t vlist-t2" if depth else "vlist-t"
    return f"<span class='{names}'><span class=vlist-r><span class=vlist>{spans}</span></span></span>"


def katex(inside: str) -> list[str]:
    return tex(
        f"<span class=katex><span class=katex-html aria-hidden=true><span class=base>{inside}</span></span></span>"
    )


X = "<span class='mord mathnormal'>x</span>"


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f"<span class=mord>{X}<span class=msupsub>{stack('<span class=mord>2</span>')}</span></span>", "x^2"),
        (
            f"<span class=mord>{X}<span class=msupsub>{stack('<span class=mord>i</span>', depth=True)}</span></span>",
            "x_i",
        ),
        (f"<span class=mord>{X}<span class=msupsub>{stack('i', '2', depth=True)}</span></span>", "x_i^2"),
        (f"<span class=mord><span class=mfrac>{stack('b', '', 'a', depth=True)}</span></span>", "\\frac{a}{b}"),
        (f"<span class='mord sqrt'>{stack(X, '<svg></svg>')}</span>", "\\sqrt{x}"),
        (
            f"<span class='mop op-limits'>{stack('i', '<span class=mop>∑</span>', 'n', depth=True)}</span>{X}",
            "\\sum_i^nx",
        ),
        ("<span class='mord mathbb'>R</span>", "\\mathbb{R}"),
    ],
)
def test_spans_of_katex(inside: str, expected: str) -> None:
    assert katex(inside) == [expected]


def placed(top: float, inside: str) -> str:
    return f"<span style='position: absolute; top: {top}em; left: 0em;'>{inside}</span>"


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (placed(-4, "x") + placed(-4.4, "2"), "x^2"),
        (placed(-4, "x") + placed(-3.8, "2"), "x_2"),
        (placed(-4, "x") + placed(-4.4, "n") + placed(-3.8, "i"), "x_i^n"),
    ],
)
def test_spans_of_mathjax_2(inside: str, expected: str) -> None:
    assert tex(f"<span class=MathJax><span class=math><span class=msubsup>{inside}</span></span></span>") == [expected]


def test_the_text_of_mathml_without_tags_ends_with_its_tex() -> None:
    assert tex("<span class=katex><span class=katex-mathml>\n x\n \n 1\n \n \n x_1 \n </span>x1</span>") == ["x_1"]


def test_a_very_large_drawing_is_text() -> None:
    assert katex("<span class=mord>x</span>" * 5_000) == []
