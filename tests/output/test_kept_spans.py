"""Which markup kept nodes come out with, whatever spans a method gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.output.made import BLOCKS, body, kept, page, rendered, words

from duramen.dom.tree import Tree
from duramen.output import write_html, write_markdown, write_text, write_xml


@pytest.mark.parametrize(
    ("html", "texts", "wanted"),
    [
        ("<h1>a</h1>", ["a"], "# a\n"),
        ("<h2><a href=x><span>a</span></a></h2><p>b", ["a"], "## a\n"),
        ("<ul><li>a<li>b</ul>", ["b"], "- b\n"),
        ("<ol><li>a<li>b<li>c</ol>", ["b", "c"], "2. b\n3. c\n"),
        ("<ol><li>a<li><p>b</p></ol>", ["b"], "2. b\n"),
        ("<p>x<ul><li>a<li>b</ul>", ["b", "x"], "x\n\n- b\n"),
        ("<blockquote><p>a</p></blockquote>", ["a"], "> a\n"),
        ("<pre>x\n <b>  a\n  b</b></pre>", ["  a\n  b"], "```\n  a\n  b\n```\n"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", ["c", "d"], "| c | d |\n| --- | --- |\n"),
        ("<table><tr><td>x<td>a</table>", ["a"], "a\n"),
        ("<table><tr><td><p>a</p><p>b</p></table>", ["a", "b"], "a\n\nb\n"),
        ("<ul><li><div>a</div></ul>", ["a"], "a\n"),
        ("<p>x <b>a</b>", ["a"], "**a**\n"),
        ("<dl><dt>a<dd>b</dl>", ["a"], "**a**\n"),
    ],
)
def test_elements_around_kept_words_lend_their_markup(html: str, texts: list[str], wanted: str) -> None:
    tree = page(html)
    assert write_markdown(tree, kept(tree, *texts)) == wanted


def test_words_with_a_box_left_out_between_are_not_one_line() -> None:
    tree = page("<div>a<p>x</p>b</div>")
    assert write_text(tree, kept(tree, "a", "b")) == "a\nb"


def test_words_with_a_break_left_out_between_are_not_one_word() -> None:
    tree = page("<p>a<br>b</p>")
    assert write_text(tree, kept(tree, "a", "b")) == "a\nb"


def test_lines_left_out_of_verbatim_text_do_not_part_it() -> None:
    tree = page("<pre><div>a</div><div>x</div><div>  b</div></pre>")
    assert write_text(tree, kept(tree, "a", "  b")) == "a\n  b"


def test_a_span_of_nothing_keeps_nothing() -> None:
    tree = page("<p>a")
    assert write_text(tree, [range(2, 2)]) == ""


def test_words_with_words_left_out_between_stay_in_line() -> None:
    tree = page("<p>a <b>x</b> b</p>")
    assert write_text(tree, kept(tree, "a ", " b")) == "a b"


def test_nothing_kept_is_nothing_written() -> None:
    tree = page("<p>a")
    assert write_text(tree, []) == write_markdown(tree, []) == write_html(tree, []) == ""
    assert write_xml(tree, []) == "<body />"


def span_of(tree: Tree, tag: str) -> range:
    node = tree.tag.index(tag)
    return range(node, tree.end[node])


@pytest.mark.parametrize("tag", ["noscript", "select", "textarea", "svg", "iframe", "dialog", "aside"])
def test_the_first_node_of_a_span_is_kept_by_name(tag: str) -> None:
    tree = page(f"<{tag} hidden>a</{tag}>")
    assert write_text(tree, [span_of(tree, tag)]) == "a"


def test_what_is_inside_an_invisible_element_is_kept_by_name() -> None:
    tree = page("<noscript><p>a</p></noscript><p>b</p>")
    assert write_text(tree, [span_of(tree, "p")]) == "a"
    assert write_text(tree, kept(tree, "a", "b")) == "a\n\nb"


def test_what_is_invisible_inside_a_named_element_is_left_out() -> None:
    tree = page("<noscript>a<span hidden>x</span></noscript>")
    assert write_text(tree, [span_of(tree, "noscript")]) == "a"


def test_a_span_that_goes_on_after_a_pruned_part_names_nothing() -> None:
    tree = page("<article>a<aside>x</aside><script>y</script><b hidden>z</b>b</article>")
    article, aside = tree.tag.index("article"), tree.tag.index("aside")
    assert write_text(tree, [range(article, aside), range(tree.end[aside], tree.end[article])]) == "a\nb"


def test_a_span_that_goes_on_inside_an_invisible_element_stays_invisible() -> None:
    tree = page("<div>a<svg><g>x</g><text>y</text></svg>b</div>")
    div, g = tree.tag.index("div"), tree.tag.index("g")
    assert write_text(tree, [range(div, g), range(tree.end[g], tree.end[div])]) == "ab"


@given(BLOCKS, st.data())
@settings(max_examples=60, deadline=None)
def test_all_outputs_agree_on_any_spans(html: str, data: st.DataObject) -> None:
    tree = page(html)
    edges = data.draw(st.sets(st.integers(tree.body, len(tree)), max_size=6).map(sorted))
    spans = [range(start, stop) for start, stop in zip(edges[::2], edges[1::2], strict=False)]
    text = write_text(tree, spans)
    again = Tree.parse(write_html(tree, spans))
    assert write_text(again, body(again)) == text
    assert words(rendered(write_markdown(tree, spans))) == text.split()
