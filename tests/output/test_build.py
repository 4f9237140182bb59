"""Markup of kept nodes, for all kinds of spans."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.output.made_pages import BLOCKS, body, kept, page, rendered, words

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
def test_markup_around_kept_words_is_written(html: str, texts: list[str], wanted: str) -> None:
    tree = page(html)
    assert write_markdown(tree, kept(tree, *texts)) == wanted


def test_an_omitted_box_between_words_starts_a_new_line() -> None:
    tree = page("<div>a<p>x</p>b</div>")
    assert write_text(tree, kept(tree, "a", "b")) == "a\nb"


def test_an_omitted_break_between_words_starts_a_new_line() -> None:
    tree = page("<p>a<br>b</p>")
    assert write_text(tree, kept(tree, "a", "b")) == "a\nb"


def test_preformatted_text_with_omitted_lines_stays_one_block() -> None:
    tree = page("<pre><div>a</div><div>x</div><div>  b</div></pre>")
    assert write_text(tree, kept(tree, "a", "  b")) == "a\n  b"


def test_an_empty_span_keeps_nothing() -> None:
    tree = page("<p>a")
    assert write_text(tree, [range(2, 2)]) == ""


def test_omitted_words_do_not_break_the_line() -> None:
    tree = page("<p>a <b>x</b> b</p>")
    assert write_text(tree, kept(tree, "a ", " b")) == "a b"


def test_no_spans_give_empty_outputs() -> None:
    tree = page("<p>a")
    assert write_text(tree, []) == write_markdown(tree, []) == write_html(tree, []) == ""
    assert write_xml(tree, []) == "<body />"


def span_of(tree: Tree, tag: str) -> range:
    node = tree.tag.index(tag)
    return range(node, tree.end[node])


@pytest.mark.parametrize("tag", ["noscript", "select", "textarea", "svg", "iframe", "dialog", "aside"])
def test_the_first_element_of_a_span_is_written_even_if_invisible(tag: str) -> None:
    tree = page(f"<{tag} hidden>a</{tag}>")
    assert write_text(tree, [span_of(tree, tag)]) == "a"


def test_spans_inside_an_invisible_element_are_written() -> None:
    tree = page("<noscript><p>a</p></noscript><p>b</p>")
    assert write_text(tree, [span_of(tree, "p")]) == "a"
    assert write_text(tree, kept(tree, "a", "b")) == "a\n\nb"


def test_invisible_elements_inside_a_named_element_are_omitted() -> None:
    tree = page("<noscript>a<span hidden>x</span></noscript>")
    assert write_text(tree, [span_of(tree, "noscript")]) == "a"


def test_a_span_after_a_pruned_part_does_not_show_invisible_elements() -> None:
    tree = page("<article>a<aside>x</aside><script>y</script><b hidden>z</b>b</article>")
    article, aside = tree.tag.index("article"), tree.tag.index("aside")
    assert write_text(tree, [range(article, aside), range(tree.end[aside], tree.end[article])]) == "a\nb"


def test_a_span_that_continues_in_an_invisible_element_stays_invisible() -> None:
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
    marked = words(rendered(write_markdown(tree, spans)))
    if "colspan" in html:  # Markdown writes a cell over two columns in both
        assert set(marked) == set(text.split())
    else:
        assert marked == text.split()
