"""XML output: its vocabulary, and legal characters for every page."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.output.made_pages import BLOCKS, EVERYTHING, body, page

from duramen.dom.text import remove_illegal_xml
from duramen.dom.tree import TEXT, Tree
from duramen.output import OutputOptions, build_xml_body, write_html, write_xml


@pytest.mark.parametrize(
    ("inner", "wanted"),
    [
        ("<h2>a</h2><p>b", '<head level="2">a</head><p>b</p>'),
        ("<p>a <b>b <i>c</i></b> d<br>e", '<p>a <hi rend="bold">b <hi rend="italic">c</hi></hi> d<lb />e</p>'),
        ("<ul><li>a<li>b</ul>", '<list type="bulleted"><item>a</item><item>b</item></list>'),
        ("<ol start=4><li>a</ol>", '<list type="ordered"><item n="4">a</item></list>'),
        ("<dl><dt>a<dd>b</dl>", '<list type="gloss"><label>a</label><item>b</item></list>'),
        ("<blockquote><p>a<p>b</blockquote>", "<quote><p>a</p><p>b</p></quote>"),
        ("<pre class=lang-c>a\n  b</pre>", '<code lang="c">a\n  b</code>'),
        ("<p><code>a</code>", "<p><code>a</code></p>"),
        ("<a href=x>a</a>", '<p><ref target="x">a</ref></p>'),
        ("<p>a<img src=x alt=b>c", '<p>a<graphic url="x"><desc>b</desc></graphic>c</p>'),
        ("<p>a<hr>", '<p>a</p><milestone unit="section" />'),
        (
            "<table><caption>t</caption><tr><th>a<th>b<tr><td colspan=2>c</table>",
            '<table><head>t</head><row><cell role="label">a</cell><cell role="label">b</cell></row>'
            '<row><cell cols="2">c</cell></row></table>',
        ),
        (
            "<ul><li><table><tr><th>a<ul><li>b</ul><td>c</table></ul>",
            '<list type="bulleted"><item><table><row><cell role="label">a'
            '<list type="bulleted"><item>b</item></list></cell><cell>c</cell></row></table></item></list>',
        ),
    ],
)
def test_vocabulary(inner: str, wanted: str) -> None:
    tree = page(inner)
    assert write_xml(tree, body(tree), EVERYTHING) == f"<body>{wanted}</body>"


@given(BLOCKS)
@settings(max_examples=70, deadline=None)
def test_xml_has_the_same_letters_as_html(inner: str) -> None:
    tree = page(inner)
    again = Tree.parse(write_html(tree, body(tree)))
    letters = "".join("".join(ElementTree.fromstring(write_xml(tree, body(tree))).itertext()).split())
    assert letters == "".join("".join(again.text).split())


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_becomes_legal_xml(text: str) -> None:
    element = ElementTree.Element("p")
    element.text = remove_illegal_xml(text)
    read = ElementTree.fromstring(ElementTree.tostring(element, encoding="unicode")).text or ""
    assert read == element.text.replace("\r\n", "\n").replace("\r", "\n")


def test_illegal_characters_are_removed() -> None:
    tree = Tree(
        ["html", "p", TEXT], [-1, 0, 1], [3, 3, 3], ["", "", "a\x01b\x0bc\ud800d\ufffee\U0001f600"], [{}, {}, {}]
    )
    assert build_xml_body(tree, [range(1, 3)], OutputOptions()).findtext("p") == "ab cde😀"
    assert ElementTree.fromstring(write_xml(tree, [range(1, 3)])).findtext("p") == "ab cde😀"
