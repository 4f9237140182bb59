"""Formulas of elements: markup after that of each generator."""

from __future__ import annotations

import time

import pytest

from duramen.dom.tree import Tree
from duramen.structure.formulas import Formula, find_formula_copies, find_formulas


def find(html: str) -> list[tuple[str, str, bool]]:
    """Return tag, TeX and display of the formulas of a page."""
    tree = Tree.parse(html)
    return [(tree.tag[node], formula.tex, formula.is_display) for node, formula in find_formulas(tree).items()]


def annotate(tex: str, encoding: str = "application/x-tex", attributes: str = "") -> str:
    mathml = f'<mi>x</mi><annotation encoding="{encoding}">{tex}</annotation>'
    return f"<math {attributes}><semantics>{mathml}</semantics></math>"


def test_a_page_without_formulas_has_none() -> None:
    html = "<p>It costs $5.</p><img alt='A cat' src='/latex-paint.jpg?x=1'><span class='text'>a_b</span>"
    assert find(html) == []
    assert find_formula_copies(Tree.parse(html)) == set()


def test_the_result_maps_nodes_to_formulas() -> None:
    tree = Tree.parse("<p>" + annotate("x"))
    node = tree.find_all("math")[0]
    assert find_formulas(tree) == {node: Formula(node, "x", False)}


@pytest.mark.parametrize("encoding", ["application/x-tex", "TeX", "application/X-TeX", "LaTeX"])
def test_an_annotation_is_read(encoding: str) -> None:
    assert find("<p>" + annotate(r"\frac12", encoding)) == [("math", r"\frac12", False)]


def test_an_annotation_cut_by_an_unescaped_sign_is_not_trusted() -> None:
    html = annotate("x<y", attributes='alttext="x&lt;y"')
    assert find(html) == [("math", "x<y", False)]


def test_the_alternative_text_is_read_unless_it_is_prose() -> None:
    assert find('<math alttext="x^2" display="block"><mi>y</mi></math>') == [("math", "x^2", True)]
    assert find('<math alttext="the square of some number"><mi>y</mi></math>') == [("math", "y", False)]


DRAWING = '<span class="katex-html" aria-hidden="true"><span class="mord">x</span></span>'
KATEX = f'<span class="katex"><span class="katex-mathml">{{}}</span>{DRAWING}</span>'


def test_katex_is_one_formula_with_its_visual_copy() -> None:
    inline = KATEX.format(annotate("x"))
    assert find(f"<p>{inline} and {inline}") == [("span", "x", False)] * 2
    tree = Tree.parse(f'<p><span class="katex-display">{inline}</span>')
    (formula,) = find_formulas(tree).values()
    assert tree.attributes[formula.node]["class"] == "katex-display"
    assert formula.is_display


def test_katex_without_mathml_is_read_from_its_drawing() -> None:
    assert find(f'<span class="katex">{DRAWING}</span>') == [("span", "x", False)]


def test_katex_without_mathml_is_read_from_an_attribute_around_it() -> None:
    drawn = f'<span class="katex">{DRAWING}</span>'
    inline = f'<span class="math-inline" data-math="x">{drawn}</span>'
    html = f'<p>{inline}<span class="math-block" data-math="y">{drawn}</span>'
    assert find(html) == [("span", "x", False), ("span", "y", True)]


def test_notion_and_docusaurus_wrap_katex() -> None:
    inline = KATEX.format(annotate("x"))
    display = f'<span class="katex-display">{inline}</span>'
    html = f'<figure class="equation"><style>x</style><div class="equation-container">{display}</div></figure>'
    assert find(html) == [("span", "x", True)]
    assert find(f'<div class="math math-display">{display}</div>') == [("div", "x", True)]


def test_a_wrapper_with_other_text_is_not_replaced() -> None:
    tree = Tree.parse(f'<div class="math-block">where {KATEX.format(annotate("x"))} is</div>')
    (formula,) = find_formulas(tree).values()
    assert tree.attributes[formula.node]["class"] == "katex"


FRAME = (
    '<span class="MathJax" id="MathJax-Element-1-Frame"><nobr><span class="math"><span>x</span></span></nobr></span>'
)
PREVIEW = '<span class="MathJax_Preview"></span>'


@pytest.mark.parametrize(
    ("html", "shown", "copies"),
    [
        ("<script type='math/tex'>x</script>", "script", []),
        (PREVIEW + "<script type='math/tex'>x</script>", "script", ["span"]),
        (PREVIEW + FRAME + "<script type='math/tex'>x</script>", "span", ["span", "script"]),
        (
            f'<div class="MathJax_Display">{FRAME}</div><script type="math/tex; mode=display">x</script>',
            "div",
            ["script"],
        ),
        ('<span class="MathJax_SVG"><svg></svg></span><script type="math/tex">x</script>', "span", ["script"]),
    ],
)
def test_the_script_of_mathjax_2_and_its_copies_are_one_formula(html: str, shown: str, copies: list[str]) -> None:
    tree = Tree.parse(f"<div>A word {html} and more</div>")
    (formula,) = find_formulas(tree).values()
    assert (tree.tag[formula.node], formula.tex, formula.is_display) == (shown, "x", "display" in html)
    assert [tree.tag[node] for node in sorted(find_formula_copies(tree))] == copies


def test_frames_of_other_formulas_are_no_copies() -> None:
    script = "<script type='math/tex'>x</script>"
    tree = Tree.parse(f"<div>{FRAME}{FRAME}{script} text {script}</div>")
    assert len(find_formula_copies(tree)) == 1  # the first script, which the second frame shows


def test_scripts_of_mathjax_2_in_other_languages() -> None:
    assert find("<p><script type='math/asciimath'>a/b</script>") == [("script", r"\frac{a}{b}", False)]
    mathml = "<math display='block'><mi>x</mi></math>"
    assert find(f"<p><script type='math/mml'>{mathml}</script>") == [("script", "x", True)]


def test_kramdown_comments_are_taken_off() -> None:
    html = '<script type="math/tex; mode=display">% <![CDATA[\n\\begin{matrix} a & b \\end{matrix} %]]></script>'
    assert find(html) == [("script", r"\begin{matrix} a & b \end{matrix}", True)]


def test_a_frame_of_mathjax_2_without_script_is_read_from_its_attribute() -> None:
    mathml = "&lt;math&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;"
    assert find(f'<p><span class="MathJax" data-mathml="{mathml}"><nobr>x2</nobr></span>') == [("span", "x^2", False)]


def test_mathjax_3_is_read_from_its_assistive_mathml() -> None:
    html = (
        '<mjx-container class="MathJax" jax="SVG" display="true"><svg></svg>'
        '<mjx-assistive-mml display="block"><math display="block"><mi>x</mi></math></mjx-assistive-mml></mjx-container>'
    )
    assert find(html) == [("mjx-container", "x", True)]


def test_mathjax_4_is_read_from_the_first_attribute() -> None:
    drawing = '<mjx-math data-latex="a+b"><mjx-mi data-latex="a">a</mjx-mi></mjx-math>'
    assert find(f'<mjx-container jax="CHTML">{drawing}</mjx-container>') == [("mjx-container", "a+b", False)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<span data-tex="x^2">x2</span>', ("span", "x^2", False)),
        ('<amp-mathml layout="container" data-formula="\\[x^2\\]"></amp-mathml>', ("amp-mathml", "x^2", True)),
        ('<amp-mathml layout="container" inline data-formula="\\(x\\)"></amp-mathml>', ("amp-mathml", "x", False)),
        ('<span class="ztext-math" data-eeimg="1" data-tex="x">x</span>', ("span", "x", False)),
        ('<span class="ztext-math" data-tex="x=1 \\\\">x</span>', ("span", "x=1", True)),
        ('<span class="ql-formula" data-value="e=mc^2">e</span>', ("span", "e=mc^2", False)),
        ('<span class="hurmet-tex" data-entry="\\vec{F}">F</span>', ("span", "\\vec{F}", False)),
        ('<span data-asciimath="a/b">x</span>', ("span", "\\frac{a}{b}", False)),
        ('<span data-formula="\\alpha">α</span>', ("span", "\\alpha", False)),
    ],
)
def test_attributes_with_tex(html: str, expected: tuple[str, str, bool]) -> None:
    assert find(f"<p>Let {html} be") == [expected]


@pytest.mark.parametrize(
    "html",
    [
        '<span data-math="true">x</span>',
        '<span data-formula="=SUM(A1:A3)">6</span>',
        '<span class="price" data-value="5">$5</span>',
        '<span class="math" data-expr="false">Mathematics</span>',
    ],
)
def test_attributes_with_something_else(html: str) -> None:
    assert find(f"<p>Let {html} be") == []


def test_an_equation_of_latexml_has_its_number() -> None:
    html = (
        '<table class="ltx_equation ltx_eqn_table"><tr class="ltx_equation"><td><math alttext="a"></math></td>'
        '<td><span class="ltx_tag ltx_tag_equation">(3a)</span></td></tr></table>'
    )
    assert find(html) == [("table", r"a \tag{3a}", True)]


def test_each_row_of_a_group_of_latexml_is_an_equation() -> None:
    cells = "".join(f'<td><math alttext="\\displaystyle {tex}"></math></td>' for tex in ("a", "=b"))
    row = f'<tr class="ltx_equation">{cells}</tr>'
    html = f'<table class="ltx_equationgroup">{row}{row}</table>'
    assert find(html) == [("tr", "a=b", True)] * 2


def test_wikipedia_is_one_formula_with_its_image() -> None:
    hidden = annotate(r"{\displaystyle x^{2}}", attributes=r'alttext="{\displaystyle x^{2}}"')
    image = r'<img class="mwe-math-fallback-image-inline" alt="{\displaystyle x^{2}}">'
    hidden = f'<span class="mwe-math-mathml-inline" style="display: none">{hidden}</span>'
    element = f'<span class="mwe-math-element">{hidden}{image}</span>'
    assert find(f"<p>Let {element} be</p><dl><dd>{element}</dd></dl>") == [
        ("span", "x^{2}", False),
        ("span", "x^{2}", True),
    ]
    assert find(f"<p>Let {image} be") == [("img", "x^{2}", False)]


@pytest.mark.parametrize(
    ("html", "tex", "is_display"),
    [
        ('<span class="math inline">\\(x\\)</span>', "x", False),
        ('<span class="math display">\\[x\\]</span>', "x", True),
        ('<span class="math notranslate nohighlight">\\(x_1\\)</span>', "x_1", False),
        ('<div class="math notranslate nohighlight">\n\\[x = y\\]</div>', "x = y", True),
        ('<div class="math"><span class="eqno">(2)<a href="#">¶</a></span>\\[x\\]</div>', r"x \tag{2}", True),
        ('<span class="arithmatex">\\(x\\)</span>', "x", False),
        ('<div class="arithmatex">\\[x\\]</div>', "x", True),
        ('<span class="math-container">$x$</span>', "x", False),
        ('<span class="math-container">$$x$$</span>', "x", True),
        ('<span class="math-tex">\\(x\\)</span>', "x", False),
        ('<span class="math">x^2</span>', "x^2", False),
        ('<div class="math">\nx^2\n</div>', "x^2", True),
        ('<math-renderer class="js-inline-math">$x$</math-renderer>', "x", False),
        ('<math-renderer class="js-display-math">$$x$$</math-renderer>', "x", True),
        ('<d-math block="">\\theta</d-math>', "\\theta", True),
        ('<code data-math-style="inline" class="code math js-render-math">a^2</code>', "a^2", False),
        ('<pre data-math-style="display" class="code math js-render-math">a^2</pre>', "a^2", True),
    ],
)
def test_elements_with_raw_tex(html: str, tex: str, is_display: bool) -> None:
    script = '<script src="https://cdn.example/mathjax@3/tex-chtml.js"></script>'
    assert [found[1:] for found in find(f"{script}<div>Let {html} be</div>")] == [(tex, is_display)]


@pytest.mark.parametrize(
    "html",
    [
        '<span class="math">Mathematics</span>',
        '<span class="math inline"><em>x</em><sup>2</sup></span>',
        '<div class="math">Let $x$ and $y$ be numbers</div>',
        '<code class="tex">\\frac{a}{b}</code>',
        '<span class="math">\\(unclosed</span>',
    ],
)
def test_elements_that_only_look_like_formulas(html: str) -> None:
    assert find(f"<span class='math-container'>$x$</span><p>{html}") == [("span", "x", False)]


def test_a_hidden_formula_is_left_out() -> None:
    assert find("<p>Text<math style='display:none'><mi>x</mi></math>") == []


def test_formulas_do_not_nest() -> None:
    tree = Tree.parse('<p><span data-tex="a+b"><span data-tex="a">a</span><math><mi>b</mi></math></span>')
    assert [formula.tex for formula in find_formulas(tree).values()] == ["a+b"]


HOSTILE = {
    "nested rows": "<math>" + "<mrow>" * 100_000 + "<mi>x</mi>",
    "nested roots": "<math>" + "<msqrt>" * 100_000 + "<mi>x</mi>",
    "many formulas": "<math><mi>x</mi></math>" * 20_000,
    "nested containers": '<span class="math">' * 100_000 + "x^2",
    "many containers": '<span class="katex"><span class="math">x^2</span></span>' * 20_000,
    "many frames": '<span class="MathJax">x</span>' * 20_000 + "<script type='math/tex'>x</script>",
    "many tables": '<table class="ltx_equationgroup"><tr><td><math alttext="x"></math></td></tr></table>' * 10_000,
    "long TeX": '<math><annotation encoding="tex">' + r"\frac{a}{b}" * 100_000 + "</annotation></math>",
    "nested styles": '<span class="math">' + r"{\displaystyle " * 20_000 + "</span>",
    "long URL": '<img src="https://a/latex.php?' + "a=b&" * 4_000 + '">',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_linear_time(name: str) -> None:
    tree = Tree.parse(HOSTILE[name])
    start = time.thread_time()
    find_formulas(tree)
    find_formula_copies(tree)
    assert time.thread_time() - start < 5
