"""TeX of images."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree
from duramen.structure.formula_images import read_image_url
from duramen.structure.formulas import find_formulas


@pytest.mark.parametrize(
    ("url", "tex"),
    [
        ("https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D", r"\frac{a}{b}"),
        (r"https://latex.codecogs.com/gif.latex?\dpi{150}&space;\bg_white&space;\large&space;x^2+y", "x^2+y"),
        ("https://s0.wp.com/latex.php?latex=A%2C+B&bg=ffffff&fg=000", "A, B"),
        ("http://s0.wp.com/latex.php?bg=fff&latex=x", "x"),
        ("/cgi-bin/mimetex.cgi?x^2", "x^2"),
        (r"http://www.example.org/mathtex.cgi?\sqrt{2}", r"\sqrt{2}"),
        ("https://chart.apis.google.com/chart?cht=tx&chl=%5Calpha%2B1", r"\alpha+1"),
        ("https://chart.googleapis.com/chart?chl=x&cht=tx", "x"),
        ("https://www.zhihu.com/equation?tex=x%5E2+%2B+1", "x^2 + 1"),
        ("https://render.example.com/render/math?math=x%3D1&mode=inline", "x=1"),
        ("https://i.upmath.me/svg/a%2Bb", "a+b"),
        ("https://chart.googleapis.com/chart?cht=p3&chl=cats", None),
        ("https://example.com/latex-paint.jpg?tex=1", None),
        ("https://example.com/math.png", None),
        ("data:image/png;base64,latex.php?latex=x", None),
    ],
)
def test_urls(url: str, tex: str | None) -> None:
    assert read_image_url(url) == tex


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<img class="latex" alt="A, B">', ("A, B", False)),
        ('<img class="tex" alt="x">', ("x", False)),
        (r'<img alt="\frac{a}{b}" src="eq.png">', (r"\frac{a}{b}", False)),
        ('<img alt="$x$" src="eq.png">', ("x", False)),
        ('<img class="ql-img-displayed-equation" alt="\\[ x \\]">', ("x", True)),
        ('<img class="ee_img" eeimg="2" alt="x">', ("x", True)),
        ('<img class="tex-img" src="/clear.gif" data-src="/mimetex.cgi?x^2">', ("x^2", False)),
    ],
)
def test_images_in_text(html: str, expected: tuple[str, bool]) -> None:
    found = find_formulas(Tree.parse(f"<p>Let {html} be"))
    assert [(formula.tex, formula.is_display) for formula in found.values()] == [expected]


def test_an_image_that_stands_alone_is_displayed() -> None:
    image = '<img class="latex" alt="x">'
    html = f"<p>{image}</p><p><a href='/x'> {image}</a></p><p>{image}{image}</p><ul><li>{image}</ul>"
    assert [formula.is_display for formula in find_formulas(Tree.parse(html)).values()] == [
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "html",
    [
        '<img alt="A cat" src="cat.png">',
        '<img alt="C:\\Users\\cat" src="cat.png">',
        '<img class="math" alt="" src="x.png">',
        '<img alt="$5 off" src="sale.png">',
    ],
)
def test_other_images(html: str) -> None:
    assert find_formulas(Tree.parse(f"<p>{html}")) == {}
