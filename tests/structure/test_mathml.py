"""MathML to TeX."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree
from duramen.structure.mathml import mathml_to_tex


def convert(mathml: str) -> str:
    tree = Tree.parse(f"<math>{mathml}</math>")
    return mathml_to_tex(tree, tree.find_all("math")[0])


def table(*rows: str, attributes: str = "") -> str:
    cells = ("".join(f"<mtd><mi>{cell}</mi></mtd>" for cell in row) for row in rows)
    return f"<mtable {attributes}>" + "".join(f"<mtr>{row}</mtr>" for row in cells) + "</mtable>"


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mi>x</mi><mo>+</mo><mn>12</mn>", "x+12"),
        ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
        ("<mi>α</mi><mo>≤</mo><mn>1</mn>", r"\alpha\leq1"),
        ("<mi>a</mi><mo>⁢</mo><mi>b</mi><mo>−</mo><mi>c</mi>", "ab-c"),
        ("<mi>sin</mi><mo>⁡</mo><mi>x</mi>", r"\sin x"),
        ("<mi>softmax</mi><mo>(</mo><mi>x</mi><mo>)</mo>", r"\mathrm{softmax}(x)"),
        ("<mi mathvariant='bold'>v</mi><mi mathvariant='double-struck'>R</mi>", r"\mathbf{v}\mathbb{R}"),
        ("<mi mathvariant='normal'>d</mi><mi mathvariant='normal'>∞</mi>", r"\mathrm{d}\infty"),
        ("<mi>𝑧</mi><mi>𝐀</mi><mi>ℝ</mi><mi>𝛼</mi>", r"z\mathbf{A}\mathbb{R}\alpha"),
        ("<mtext>if </mtext><mi>x</mi><mtext> &amp; y</mtext>", r"\text{if }x\text{ \& y}"),
        ("<mn>50</mn><mo>%</mo>", r"50\%"),
        ("<mi>a</mi><mspace width='1em'></mspace><mi>b</mi><mspace width='0.1667em'></mspace>", r"a\quad b\,"),
    ],
)
def test_tokens(mathml: str, tex: str) -> None:
    assert convert(mathml) == tex


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<msub><mi>x</mi><mi>i</mi></msub>", "x_i"),
        ("<msup><mi>x</mi><mn>10</mn></msup>", "x^{10}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msubsup>", "x_i^{n+1}"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^2"),
        ("<msup><msub><mi>x</mi><mn>1</mn></msub><mn>2</mn></msup>", "{x_1}^2"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        ("<msup><mi>α</mi><mi>β</mi></msup>", r"\alpha^{\beta}"),
        ("<msup><mrow></mrow><mn>2</mn></msup>", "{}^2"),
        (
            "<mmultiscripts><mi>C</mi><mn>6</mn><none></none><mprescripts></mprescripts><mn>1</mn><mn>2</mn></mmultiscripts>",
            "{}_1^2C_6",
        ),
    ],
)
def test_scripts(mathml: str, tex: str) -> None:
    assert convert(mathml) == tex


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<mfrac bevelled='true'><mi>a</mi><mi>b</mi></mfrac>", "a/b"),
        ("<mrow><mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>", r"\binom{n}{k}"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x+1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>", r"\left( \frac{a}{b} \right)"),
        ("<mrow><mo stretchy='false'>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>", r"(\frac{a}{b})"),
        ("<mfenced open='[' close=')'><mi>a</mi><mi>b</mi></mfenced>", "[a,b)"),
        ("<menclose notation='box'><mi>x</mi></menclose>", r"\boxed{x}"),
        ("<mphantom><mi>x</mi></mphantom>", r"\phantom{x}"),
        ("<mstyle><mpadded><mi>x</mi></mpadded></mstyle>", "x"),
        ("<semantics><mi>x</mi><annotation encoding='none'>y</annotation></semantics>", "x"),
    ],
)
def test_fractions_roots_and_fences(mathml: str, tex: str) -> None:
    assert convert(mathml) == tex


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>x</mi>", r"\sum_i^nx"),
        ("<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>", r"\lim_{x\to0}"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", r"\hat{x}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>¯</mo></mover>", r"\overline{AB}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<munder><munder><mi>x</mi><mo>⏟</mo></munder><mi>n</mi></munder>", r"\underbrace{x}_n"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
        ("<munder><mi>x</mi><mi>y</mi></munder>", r"\underset{y}{x}"),
    ],
)
def test_limits_and_accents(mathml: str, tex: str) -> None:
    assert convert(mathml) == tex


def test_tables() -> None:
    rows = table("ab", "cd")
    assert convert(rows) == r"\begin{matrix} a & b \\ c & d \end{matrix}"
    assert convert(f"<mo>(</mo>{rows}<mo>)</mo>") == r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"
    assert convert(f"<mrow><mo>|</mo>{rows}<mo>|</mo></mrow>") == r"\begin{vmatrix} a & b \\ c & d \end{vmatrix}"
    assert convert(f"<mrow><mo>{{</mo>{rows}</mrow>") == r"\begin{cases} a & b \\ c & d \end{cases}"
    aligned = table("ab", "cd", attributes='columnalign="right left"')
    assert convert(aligned) == r"\begin{aligned} a & b \\ c & d \end{aligned}"


def test_the_label_of_a_row_is_a_tag() -> None:
    label = "<mtd><mtext>(</mtext><mn>3</mn><mtext>)</mtext></mtd>"
    assert convert(f"<mtable><mlabeledtr>{label}<mtd><mi>a</mi></mtd></mlabeledtr></mtable>") == r"a \tag{3}"


def test_missing_children_and_empty_formulas() -> None:
    assert convert("<mfrac><mi>a</mi></mfrac>") == r"\frac{a}{}"
    assert convert("<msup></msup>") == "{}"
    assert convert("") == ""


def test_a_formula_that_nests_too_deeply_is_given_up() -> None:
    assert convert("<msqrt>" * 100 + "<mi>x</mi>") == r"\sqrt{" * 100 + "x" + "}" * 100
    assert convert("<msqrt>" * 100_000 + "<mi>x</mi>") == ""
