"""HTML output: clean, well-formed, and with the same text when parsed again."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from tests.output.made_pages import BLOCKS, EVERYTHING, body, page

from duramen.dom.tree import Tree
from duramen.output import OutputOptions, write_html, write_text
from duramen.structure.tex import MAX_PAGE_TEX_CHARS


def html(inner: str, options: OutputOptions = EVERYTHING) -> str:
    tree = page(inner)
    return write_html(tree, body(tree), options).rstrip("\n")


@given(BLOCKS)
@settings(max_examples=90, deadline=None)
def test_html_parses_to_the_same_text(inner: str) -> None:
    tree = page(inner)
    for options in (OutputOptions(), OutputOptions(links=True)):
        again = Tree.parse(write_html(tree, body(tree), options))
        assert write_text(again, body(again)) == write_text(tree, body(tree))


@given(BLOCKS)
@settings(max_examples=60, deadline=None)
def test_html_is_well_formed_except_void_elements(inner: str) -> None:
    tree = page(inner)
    written = re.sub(r"<(br|hr|img)([^>]*)>", r"<\1\2/>", write_html(tree, body(tree), EVERYTHING))
    assert ElementTree.fromstring(f"<body>{written}</body>").tag == "body"


@pytest.mark.parametrize(
    ("inner", "wanted"),
    [
        ("<div><section>a</section></div>", "<div>a</div>"),
        ("<p class=x onclick='y()' style='color:red' id=z>a", "<p>a</p>"),
        ("<p lang=de dir=ltr>a", '<p lang="de" dir="ltr">a</p>'),
        ('<p>&lt;b> &amp; "q"', '<p>&lt;b&gt; &amp; "q"</p>'),
        ("<p><font color=red>a</font><x-y>b</x-y>", "<p>ab</p>"),
        ("<p>x<sup>2</sup> <kbd>k</kbd> <s>s</s>", "<p>x<sup>2</sup> <code>k</code> <del>s</del></p>"),
        ("<p>a<br>b<br><br>c", "<p>a<br>b</p>\n<p>c</p>"),
        ("<p>a<script>x</script><style>y</style><span onmouseover=z>b</span>", "<p>ab</p>"),
        ("<a href=/x?a&amp;b onclick=y target=z>a</a>", '<div><a href="/x?a&amp;b">a</a></div>'),
        ("<a href='JavaScript:alert(1)'>a</a>", "<div>a</div>"),
        ("<a href='&#1;javascript:alert(1)'>a</a>", "<div>a</div>"),
        ("<a href='vbscript:x'>a</a><a href='data:text/html,x'>b</a>", "<div>ab</div>"),
        ("<img src=x.png alt='\"a\"' onerror=y>", '<div><img src="x.png" alt="&quot;a&quot;"></div>'),
        ("<img src='javascript:x' alt=a>b", "<div>b</div>"),
        ("<ol start=3 reversed type=a><li value=9>a<li>b</ol>", None),
        ("<blockquote cite='/x'><p>a</blockquote>", '<blockquote cite="/x"><p>a</p>\n</blockquote>'),
        ("<blockquote cite='javascript:x'>a</blockquote>", "<blockquote>a</blockquote>"),
        ("<pre class='language-c x'>a &lt; b</pre>", '<pre><code class="language-c">a &lt; b</code></pre>'),
        ("<table border=1><tr><th>a<td colspan=2>b</table>", None),
        ("<p>a<hr><p>b", "<p>a</p>\n<hr>\n<p>b</p>"),
    ],
)
def test_only_content_is_written(inner: str, wanted: str | None) -> None:
    written = {
        "<ol start=3 reversed type=a><li value=9>a<li>b</ol>": (
            '<ol reversed="" start="3">\n<li value="9">a</li>\n<li>b</li>\n</ol>'
        ),
        "<table border=1><tr><th>a<td colspan=2>b</table>": (
            '<table>\n<tr><th>a</th><td colspan="2">b</td></tr>\n</table>'
        ),
    }
    assert html(inner) == (written[inner] if wanted is None else wanted)


def test_links_and_images_are_omitted_by_default() -> None:
    assert html("<p>a <a href=x>b</a> <img src=y alt=c>", OutputOptions()) == "<p>a b</p>"


def test_a_figure_is_kept_with_its_caption() -> None:
    wanted = '<figure>\n<div><img src="x.png" alt="a"></div>\n<figcaption>b</figcaption>\n</figure>'
    assert html("<figure><img src=x.png alt=a><figcaption>b</figcaption></figure>") == wanted


def test_the_mark_of_a_note_ends_the_link_around_it() -> None:
    tree = page(
        '<p><a href="/oak">The oak<span class="ltx_note ltx_role_footnote"><sup class=ltx_note_mark>1</sup>'
        "<span class=ltx_note_outer><span class=ltx_note_content><sup class=ltx_note_mark>1</sup>A tall tree."
        "</span></span></span> of old</a> stands.</p>"
    )
    written = write_html(tree, body(tree), EVERYTHING)
    assert '<a href="/oak">The oak</a><sup><a href="#note-1">[1]</a></sup> <a href="/oak">of old</a>' in written


def test_carriage_returns_of_a_listing_are_line_ends() -> None:
    for inner in ("<pre>a&#13;\nb&#13;c</pre>", "<pre><code>a&#13;&#10;b&#13;c</code></pre>"):
        assert html(inner) == "<pre>a\nb\nc</pre>"
        tree = page(inner)
        assert write_text(tree, body(tree)).strip() == "a\nb\nc"


def test_words_are_escaped() -> None:
    tree = page("<p>&lt;script>alert(1)&lt;/script><img src=x alt='&quot;>&lt;script>x&lt;/script>'>")
    again = Tree.parse(write_html(tree, body(tree), EVERYTHING))
    assert "script" not in again.tag


def test_a_page_full_of_formulas_is_converted_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    converted: list[bool] = []

    def convert(tex: str, *, is_display: bool, convert: bool) -> str:
        converted.append(convert)
        return tex

    monkeypatch.setattr("duramen.output.html.tex_to_mathml", convert)
    tree = page("<p>" + r"word \(a+b\) " * 20_000 + "</p>")
    write_html(tree, body(tree))
    assert len(converted) == 20_000
    assert sum(converted) * len("a+b") <= MAX_PAGE_TEX_CHARS < (sum(converted) + 1) * len("a+b")
