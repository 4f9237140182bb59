"""Markdown output: it renders to the same words, and it is readable."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.output.made_pages import BLOCKS, EVERYTHING, HOSTILE, INLINE, body, page, rendered, words

from duramen.output import OutputOptions, write_markdown, write_text


def markdown(html: str, options: OutputOptions = OutputOptions()) -> str:  # noqa: B008
    tree = page(html)
    return write_markdown(tree, body(tree), options)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


PLACES = [
    "<p>{}</p>", "<p>a {} b</p>", "<p>a<br>{}</p>", "<p>{}<br>a</p>", "<h2>{}</h2>",
    "<ul><li>{}<li>b</ul>", "<ol><li>{}</ol>", "<blockquote>{}</blockquote>",
    "<table><tr><td>{}<td>a<tr><td>b<td>{}</table>", "<p><b>{}</b></p>", "<p>a<i>{}</i>b</p>",
    "<p><code>{}</code></p>", "<table><tr><td><code>{}</code><td>a</table>", "<p><a href=x>{}</a></p>",
    "<pre>{}</pre>", "<ul><li><pre>{}</pre></ul>", "<p>!<a href=x>{}</a>(y)</p>",
    "<p>{}<b>{}</b>{}</p>", "<dl><dt>{}<dd>{}</dl>", "<p><del>{}</del>",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_hostile_words_render_unchanged_in_every_position(place: str) -> None:
    for hostile in HOSTILE:
        tree = page(place.replace("{}", escaped(hostile)))
        for options in (OutputOptions(), EVERYTHING):
            assert words(rendered(write_markdown(tree, body(tree), options))) == words(tree), hostile


@given(st.lists(st.text(max_size=12), min_size=1, max_size=3))
@settings(max_examples=70, deadline=None)
def test_any_words_render_unchanged(texts: list[str]) -> None:
    # What no page can hold is left out: halves of surrogate pairs and NUL; renderers differ on other controls.
    clean = ["".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff") for text in texts]
    tree = page("".join(f"<p>{escaped(text)} <b>{escaped(text)}</b>{escaped(text)}" for text in clean))
    assert words(rendered(write_markdown(tree, body(tree)))) == words(tree)


@given(INLINE)
@settings(max_examples=90, deadline=None)
def test_any_marks_render_to_the_same_words(inner: str) -> None:
    tree = page(f"<p>{inner}</p>")
    for options in (OutputOptions(), OutputOptions(links=True)):
        assert words(rendered(write_markdown(tree, body(tree), options))) == words(tree)


@given(BLOCKS)
@settings(max_examples=90, deadline=None)
def test_any_structure_renders_to_the_same_words(inner: str) -> None:
    tree, plain = page(inner), page(inner.replace(" colspan=2", ""))
    for options in (OutputOptions(), OutputOptions(links=True)):
        assert words(rendered(write_markdown(plain, body(plain), options))) == words(plain)
        # A cell over two columns is written in both.
        assert set(words(rendered(write_markdown(tree, body(tree), options)))) == set(words(tree))


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("snake_case, 2 * 3, a &lt; b, [1], C:\\dir, x=1, ~5, AT&amp;T, a-b, f(x).", None),
        ("1986 was fine. 1. x", None),
        ("1986. That year", "1986\\. That year"),
        ("# no heading", "\\# no heading"),
        ("#hashtag", None),
        ("- no item", "\\- no item"),
        ("-5 degrees", None),
        ("&gt; no quote", "\\> no quote"),
        ("*no* _marks_", "\\*no\\* \\_marks\\_"),
        ("&lt;div>", "\\<div>"),
        ("&amp;amp;", "\\&amp;"),
        ("[x](y)", "[x\\](y)"),
        ("a<br>---", "a\\\n\\---"),
    ],
)
def test_words_are_escaped_as_little_as_needed(html: str, wanted: str | None) -> None:
    plain = html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert markdown(f"<p>{html}</p>") == f"{plain if wanted is None else wanted}\n"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <del>e</del>", "**a** **b** *c* *d* ~~e~~"),
        ("a<b> b </b>c", "a **b** c"),
        ("in<b>wor</b>d", "in**wor**d"),
        ("<b><b>a</b> b</b>", "**a b**"),
        ("<b><i>a</i></b>", "***a***"),
        ("<b>a <i>b</i></b>", "**a *b***"),
        ("<i>a <b>b</b> c</i>", "*a **b** c*"),
        ("<b></b>a<i> </i>b", "a b"),
        ("<b>中文。</b>中文", "中文。中文"),
        ("<b>中文</b>中文", "**中文**中文"),
        ("<b>a</b><i>b</i>", "**a**b"),
        ("a<b>“b”</b>c", "a“b”c"),
        ("(<b>“b”</b>)", "(**“b”**)"),
        ("<code>a`b</code>", "``a`b``"),
        ("<code>`</code>", "`` ` ``"),
        ("<code>a</code> <code>b</code>", "`a` `b`"),
        ("<code>a <b>b</b></code>", "`a b`"),
        ("<b><code>a</code></b>", "**`a`**"),
        ("x<sup>2</sup> H<sub>2</sub>O x<sup>n</sup>", "x² H₂O xⁿ"),
        ("1<sup>st</sup> x<sup>ab</sup><sub>max</sub>", "1st x<sup>ab</sup><sub>max</sub>"),
        ("a<br>b", "a\\\nb"),
        ("<b>a<br>b</b>", "**a\\\nb**"),
    ],
)
def test_marks_are_written_only_where_parsers_read_them(html: str, wanted: str) -> None:
    assert markdown(f"<p>{html}</p>") == f"{wanted}\n"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<h1>a</h1><h6>b<br>c</h6>", "# a\n\n###### b c\n"),
        ("<h2>C #</h2>", "## C \\#\n"),
        ("<div>a</div><div>b</div>", "a\n\nb\n"),
        ("<ul><li>a<li>b</ul>", "- a\n- b\n"),
        ("<ul><li>a<p>b</p><li>c</ul>", "- a\n\n  b\n\n- c\n"),
        ("<ul><li>a<ul><li>b</ul></ul>", "- a\n  - b\n"),
        ("<ul><li>a<ol start=4><li>b</ol></ul>", "- a\n\n  4. b\n"),
        ("<ol start=9><li>a<li>b<ul><li>c</ul></ol>", "9. a\n10. b\n    - c\n"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1) b\n"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b\n"),
        ("<blockquote><p>a<blockquote>b</blockquote></blockquote><p>c", "> a\n>\n> > b\n\nc\n"),
        ("<ul><li><blockquote>a<ul><li>b</ul></blockquote></ul>", "- > a\n  >\n  > - b\n"),
        ("<p>a<hr><p>b", "a\n\n---\n\nb\n"),
        ("<ul><li><hr>a</ul>", "- ___\n\n  a\n"),
        ("<dl><dt>a<dd>b</dl>", "**a**\n\nb\n"),
        ("<pre>a\n\n  b</pre>", "```\na\n\n  b\n```\n"),
        ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````\n"),
        ("<ul><li>x<pre>a\n\n\tb</pre></ul>", "- x\n\n  ```\n  a\n\n  \tb\n  ```\n"),
        ("<figure><img src=x><figcaption>a</figcaption></figure>", "a\n"),
        ("<table><tr><th>a<th>b<tr><td>c|<td>d</table>", "| a | b |\n| --- | --- |\n| c\\| | d |\n"),
        ("<table><tr><th>a<td>b<br>c</table>", "| a | b<br>c |\n| --- | --- |\n"),
        ("<table><caption>t</caption><tr><td>a<td>b</table>", "t\n\n| a | b |\n| --- | --- |\n"),
        ("<table><tr><th rowspan=2>a<td>b<tr><td>c</table>", "| a | b |\n| --- | --- |\n| a | c |\n"),
        ("<table><tr><th>a<tr><td>b</table>", "| a |\n| --- |\n| b |\n"),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e</table></table>",
            "| a | b |\n| --- | --- |\n| c | d<br>e |\n",
        ),
        ("<table><tr><th>a<td><p>b<p>c<pre>d|e\nf</pre></table>", "| a | b<br>c<br>`d\\|e`<br>`f` |\n| --- | --- |\n"),
        ("<ul><li><input type=checkbox checked> a<li><input type=checkbox>b</ul>", "- [x] a\n- [ ] b\n"),
        (
            "<details><summary>a</summary><p>b</details>c",
            "<details>\n<summary>a</summary>\n\nb\n\n</details>\n\nc\n",
        ),
        ("<details><summary><h2>a</h2></summary><p>b</details>", "## a\n\nb\n"),
        ("<table><tr><td colspan=2>a<tr><td>b<td>c</table>", "| a |  |\n| --- | --- |\n| b | c |\n"),
        ("<table><tr><th>a<ul><li>b<li>c</ul><td>d</table>", "| a<br>b<br>c | d |\n| --- | --- |\n"),
        ("<table><tr><td>a<tr><td>b</table>", "a\n\nb\n"),
        ("", ""),
    ],
)
def test_blocks(html: str, wanted: str) -> None:
    assert markdown(html) == wanted


@pytest.mark.parametrize(
    "html",
    [
        "<pre class='x language-py'>a</pre>",
        "<pre><code class=lang-py>a</code></pre>",
        "<div class='highlight highlight-source-py'><pre>a</pre></div>",
        "<pre class='brush: py; toolbar: false'>a</pre>",
    ],
)
def test_code_blocks_have_their_language(html: str) -> None:
    assert markdown(html) == "```python\na\n```\n"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<a href=/x>a</a>", "[a](/x)"),
        ("<a href='/x y'>a</a>", "[a](</x y>)"),
        ("<a href='/x_(y)'>a</a>", "[a](</x_(y)>)"),
        ("<a href=/x>[a] b</a>", "[\\[a\\] b](/x)"),
        ("<a href=/x><b>a</b> b</a>", "[**a** b](/x)"),
        ("<b>a <a href=/x>b</a></b>", "**a [b](/x)**"),
        ("a!<a href=/x>b</a>", "a\\![b](/x)"),
        ("<a href='javascript:x()'>a</a>", "a"),
        ("<a href=' java\nscript:x()'>a</a>", "a"),
        ("<a>a</a>", "a"),
        ("<a href=/x><img src=y.png alt='b]'></a>", "[![b\\]](y.png)](/x)"),
        ("<a href=/x> </a>a", "a"),
    ],
)
def test_links_and_images(html: str, wanted: str) -> None:
    assert markdown(f"<p>{html}</p>", EVERYTHING) == f"{wanted}\n"


def test_a_link_around_blocks_is_written_on_each_block() -> None:
    assert markdown("<a href=/x><h2>a</h2><p>b</p></a>", EVERYTHING) == "## [a](/x)\n\n[b](/x)\n"


def test_images_do_not_split_words() -> None:
    for around in ("", "<p>x</p>", "<p>End <i>of it</i></p>"):
        for html in (f"{around}<p><img src=a.png alt=foo>Bar</p>", f"<p><img src=a.png alt=foo>Bar</p>{around}"):
            tree = page(html)
            assert "![foo](a.png)Bar" in write_markdown(tree, body(tree), EVERYTHING)


def test_paragraphs_that_hold_only_the_text_of_a_note_are_written_with_it() -> None:
    reference = '<p>Text<a class="footnote" id="r1" href="#n1"><sup>1</sup></a></p>'
    note = '<h4>Footnotes</h4><h5><a id="n1" href="#r1">(1)</a></h5><p>Note.</p>'
    assert markdown(f"{reference}<div>{note}</div>") == "Text[^1]\n\n[^1]: Note.\n"


def test_the_label_in_brackets_of_a_note_is_left_out() -> None:
    html = "<p>Text<sup>[1]</sup></p><p>More<sup>[2]</sup></p><h2>References</h2><p>[1] One.</p><p>[2] Two.</p>"
    assert markdown(html) == "Text[^1]\n\nMore[^2]\n\n[^1]: One.\n\n[^2]: Two.\n"
    address = "<p>Name<sup>1</sup></p><h2>References</h2><p>[1] One.</p>"
    assert markdown(address) == "Name¹\n\n## References\n\n[1] One.\n"
    assert markdown("<p>Text<sup>[1]</sup></p><p>[1] One.</p>") == "Text<sup>[1]</sup>\n\n[1] One.\n"


def test_a_list_between_two_notes_belongs_to_the_first() -> None:
    notes = "<hr><p><sup>1</sup> One:</p><ul><li>x</li></ul><p><sup>2</sup> Two.</p>"
    written = markdown(f"<p>Text<sup>1</sup></p><p>More<sup>2</sup></p>{notes}")
    assert written == "Text[^1]\n\nMore[^2]\n\n[^1]: One:\n\n    - x\n\n[^2]: Two.\n"


def test_an_image_is_written_once_but_in_every_cell_of_a_table() -> None:
    image = '<img src="https://example.org/oak.png" alt="Oak">'
    assert markdown(f"<p>a</p>{image}<p>b</p>{image}<p>c</p>", EVERYTHING).count("oak.png") == 1
    table = f"<table><tr><th>a<th>b<tr><td>{image}<td>x<tr><td>{image}<td>y</table>"
    assert markdown(table, EVERYTHING).count("oak.png") == 2


def test_a_formula_is_not_searched_for_formulas() -> None:
    tree = page("<p>The matrix <math alttext='\\begin{pmatrix}1\\end{pmatrix}'><mn>1</mn></math> is small.</p>")
    expected = "The matrix $\\begin{pmatrix}1\\end{pmatrix}$ is small."
    assert write_markdown(tree, body(tree)) == f"{expected}\n"
    assert write_text(tree, body(tree)) == expected


def test_superscript_of_several_runs_is_converted_as_a_whole() -> None:
    tree = page("<p>a x<sup><i>n</i>+1</sup> b y<sup><b>1</b>2</sup></p>")
    assert write_markdown(tree, body(tree), EVERYTHING).strip() == "a x<sup>*n*+1</sup> b y**¹**²"
