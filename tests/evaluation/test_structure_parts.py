"""Markdown is read into parts, whatever the style it is written in."""

from __future__ import annotations

from collections import Counter
from time import process_time

import pytest

from duramen.evaluation.metrics.markdown_parts import Cell, normalize_tex, read_parts


def test_text_has_no_markup_code_blocks_formulas_and_tables() -> None:
    parts = read_parts(
        "# The *oak*\n\nIt **stands** in `yard` [here](u), $h$ high ![x](y.png).\n\n```py\ncode = 1\n```\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n> Quoted  text\n> over lines\n"
    )
    assert parts.text == "The oak\nIt stands in yard here, high .\nQuoted text over lines"


@pytest.mark.parametrize(
    ("markdown", "code"),
    [
        ("```py\na = 1  \n\n  b\n```", ["a = 1\n\n  b"]),
        ("~~~\n```\n~~~\n\ntext\n\n```\nx", ["```", "x"]),
        ("text\n\n    indented\n      more\n", ["indented\n  more"]),
        ("- item\n\n  ```\n  in a list\n  ```", ["in a list"]),
        ("<pre><code>raw &lt;b&gt;\n</code></pre>", ["raw <b>"]),
        ("only `inline`", []),
        ("```\n\n```", []),
    ],
)
def test_code_is_fenced_indented_or_raw(markdown: str, code: list[str]) -> None:
    assert read_parts(markdown).code == code


@pytest.mark.parametrize(
    ("markdown", "formulas"),
    [
        ("$a_1 * b * c_2$ and $$d$$", ["a_1*b*c_2", "d"]),
        (r"\(a = b\) and \[\frac{1}{2}\]", ["a=b", r"\frac{1}{2}"]),
        (r"\\(a\_1 \cdot b\\)", [r"a_1\cdot b"]),
        (r"an escape \(not TeX\) and \[1\] and \$5 is \$5", []),
        ("costs $5 and $10, or $7-$8 for 2", []),
        ("text\n$$\n= x\n- y\n$$\nmore", ["=x-y"]),
        ("$$ one line $$", ["oneline"]),
        ("\\[\n\\alpha\n\\]", [r"\alpha"]),
        ("```math\nx^2\n```", ["x^2"]),
        ("`$code$`\n\n    $$code$$", []),
        ("$$\nno end\n\n$$", []),
    ],
)
def test_formulas_have_many_marks(markdown: str, formulas: list[str]) -> None:
    assert read_parts(markdown).formulas == formulas


@pytest.mark.parametrize(
    ("tex", "normal"),
    [
        (r"{\displaystyle x = y}", "x=y"),
        (r"{{a}}", "a"),
        (r"{a}+{b}", "{a}+{b}"),
        (r"\{a\}", r"\{a\}"),
        (r"\alpha x + \beta 2", r"\alpha x+\beta2"),
        ("}{", "}{"),
        (r" \textstyle ", ""),
    ],
)
def test_equal_formulas_have_one_normal_form(tex: str, normal: str) -> None:
    assert normalize_tex(tex) == normal


def test_tables_are_pipe_tables_or_raw_html() -> None:
    pipes = read_parts("|  |  |\n|---|---|\n| a | **b** $x$ |\n| c |  |")
    assert pipes.tables == [((Cell("a"), Cell("b x")), (Cell("c"), Cell("")))]
    assert pipes.formulas == ["x"]
    html = read_parts(
        "<table>\n\n<tr><th colspan=2>a</th></tr>\n\n<tr><td rowspan=x><p>b</p><p>c</p><td>"
        '<a href="/d">d</a><table><tr><td>inner</table></table>\n\nafter',
        "https://e.org/",
    )
    inner = ((Cell("inner"),),)
    assert html.tables == [((Cell("a", 2),), (Cell("b c"), Cell("d"))), inner]
    assert html.text == "after"
    assert html.links == {("d", "https://e.org/d"): 1}


def test_headings_have_a_level() -> None:
    parts = read_parts("# One\n\nTwo\n---\n\n### One #\n\n# One")
    assert parts.headings == {(1, "one"): 2, (2, "two"): 1, (3, "one"): 1}


def test_list_items_have_depth_and_kind_and_no_inner_items() -> None:
    parts = read_parts("- a\n  1. B `c`\n     - d\n- e\n\n  second\n")
    assert parts.list_items == Counter([(1, False, "a"), (2, True, "b c"), (3, False, "d"), (1, False, "e second")])


def test_links_and_images_have_absolute_urls() -> None:
    parts = read_parts(
        '[A *b*](/p%20q/ "title") [![alt](i.png)][r] <https://e.org/x> <a href="z">Raw</a> <img src=j.png>\n\n[r]: /r',
        "https://e.org/dir/",
    )
    assert parts.links == Counter(
        [
            ("a b", "https://e.org/p q"),
            ("", "https://e.org/r"),
            ("https://e.org/x", "https://e.org/x"),
            ("raw", "https://e.org/dir/z"),
        ]
    )
    assert parts.images == Counter(["https://e.org/dir/i.png", "https://e.org/dir/j.png"])


def test_footnotes_do_not_depend_on_their_labels() -> None:
    one = read_parts(
        "Text[^1] and[^1] more[^2].\n\n[^1]: First *note*\n    goes on.\n\n    - Item\n\n[^2]: Second.\n\nEnd."
    )
    other = read_parts(
        "Text[^a] and[^a] more[^b].\n\n[^b]: Second.\n\n[^a]: First note goes on.\n\n    - Item\n\nEnd[^none]."
    )
    first = "first note goes on. item"
    assert one.footnotes == {
        ("text", first): 1,
        ("text", "second."): 1,
        ("reference", first): 2,
        ("reference", "second."): 1,
    }
    assert other.footnotes == one.footnotes + Counter([("reference", "")])
    assert one.text == "Text and more.\nFirst note goes on.\nItem\nSecond.\nEnd."


def test_inline_code_is_apart() -> None:
    assert read_parts("`a` and ``b`c``\n\n```\nblock\n```").inline_code == {"a": 1, "b`c": 1}


@pytest.mark.parametrize(
    "markdown",
    [
        r"\[a " * 20_000,
        "$$ a\n" * 20_000,
        "$a " * 20_000,
        "[^1]: " * 20_000,
        "[^1]: x\n" * 10_000,
        "<a href=x>" * 10_000,
        "<table><tr><td>" * 2_000,
        "$" + "{" * 50_000 + "}" * 50_000 + "$",
        "> " * 5_000 + "$$",
    ],
    ids=lambda markdown: markdown[:8],
)
def test_hostile_documents_take_linear_time(markdown: str) -> None:
    start = process_time()
    read_parts(markdown)
    assert process_time() - start < 5
