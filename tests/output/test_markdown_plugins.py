"""Markdown with formulas, notes and task lists: readers of these extensions see the same words and the same parts."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from tests.output.made_pages import body, page

from duramen.dom.tree import Tree
from duramen.output import write_markdown, write_text

FORMULAS = [r"\pi r^2", r"a_1 * b_2 * c", r"\{x \mid x < 1\}", r"\frac{1}{2} \\ \text{or}", "f(x)[1](y)", r"1 \$"]
NOTE = '<sup><a href="#fn{0}" id="r{0}">{0}</a></sup>'
NOTES = (
    '<section class="footnotes"><ol>'
    '<li id="fn1"><p>The first *note*.</p><p>Its second paragraph. <a href="#r1">↩</a></p></li>'
    '<li id="fn2"><p>The second note. <a href="#r2">↩</a></p></li></ol></section>'
)


def parse(html: str) -> str:
    """Write a page as Markdown, and render that with notes, task lists and, by the rules of Pandoc, formulas."""
    tree = page(html)
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, renderer=show_formula, allow_space=False, allow_digits=False)
    parser.use(footnote_plugin).use(tasklists_plugin)
    return str(parser.render(write_markdown(tree, body(tree))))


def show_formula(tex: str, options: dict[str, bool]) -> str:
    kind = "display" if options["display_mode"] else "inline"
    return f"<b>{kind} {escaped(tex.strip())}</b>"


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def find_formulas(rendered: str) -> list[str]:
    return re.findall(r"<b>(.*?)</b>", rendered, re.DOTALL)


def words_of(rendered: str) -> list[str]:
    tree = Tree.parse(f"<body>{rendered}")
    return write_text(tree, body(tree)).split()


@pytest.mark.parametrize("tex", FORMULAS)
def test_a_formula_is_read_as_written(tex: str) -> None:
    rendered = parse(f'<p>The area <script type="math/tex">{tex}</script> is large.</p>')
    assert find_formulas(rendered) == [f"inline {escaped(tex)}"]
    assert words_of(re.sub(r"<b>.*</b>", "", rendered)) == ["The", "area", "is", "large."]


@pytest.mark.parametrize("tex", FORMULAS)
def test_a_displayed_formula_is_read_as_written(tex: str) -> None:
    rendered = parse(f'<p>Before.</p><script type="math/tex; mode=display">{tex}</script><p>After.</p>')
    assert find_formulas(rendered) == [f"display {escaped(tex)}"]


@pytest.mark.parametrize("text", ["It costs $5 or $6.", "$x$ and $y", "from $1 to $2, or US$3"])
def test_prices_are_no_formulas(text: str) -> None:
    rendered = parse(f"<p>{text}</p>")
    assert not find_formulas(rendered)
    assert words_of(rendered) == text.split()


def test_notes_are_read_as_notes() -> None:
    rendered = parse(f"<p>One{NOTE.format(1)} and two{NOTE.format(2)}, no more.</p>{NOTES}")
    assert rendered.count('class="footnote-ref"') == 2
    items = re.findall(r'<li id="fn\d" class="footnote-item">(.*?)</li>', rendered, re.DOTALL)
    assert [re.sub(r"<a .*?</a>|<[^>]*>", "", item).split() for item in items] == [
        "The first *note*. Its second paragraph.".split(),
        "The second note.".split(),
    ]


def test_a_task_list_is_read_as_one() -> None:
    rendered = parse(
        "<ul><li><input type=checkbox checked> Saw</li><li><input type=checkbox> Count [x] rings</li></ul>"
    )
    assert rendered.count('type="checkbox"') == 2
    assert rendered.count('checked="checked"') == 1
    assert re.sub(r"<[^>]*>", "", rendered).split() == ["Saw", "Count", "[x]", "rings"]
