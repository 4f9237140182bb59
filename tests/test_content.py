"""The Content object and its formats."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import duramen
from duramen.content import FORMATS, Content, subtree
from duramen.dom.page import Page
from duramen.errors import InputError, NotHTMLError, UsageError

PAGE = Page.parse(
    "<html lang=en><head><title> A  title </title><meta name=Description content='On trees.'>"
    "<link rel=canonical href=http://example.org/a></head>"
    "<body><div><p>One</p><p>Two <a href=/b>three</a></p><img src=/i.png alt=Oak></div></body></html>",
)
DIV = PAGE.tree.tag.index("div")


def everything() -> Content:
    return Content(PAGE, "none", "for the test", subtree(PAGE.tree, DIV), 0.5)


def test_a_subtree_is_one_span() -> None:
    assert subtree(PAGE.tree, DIV) == (range(DIV, len(PAGE.tree)),)


def test_pruned_subtrees_divide_the_span() -> None:
    tree = duramen.Tree.parse("<div><p>a</p><ul><li>b</li></ul><p>c</p></div>")
    assert subtree(tree, 3, [6]) == (range(3, 6), range(9, 11))
    assert subtree(tree, 3, [3]) == ()
    assert subtree(tree, 3, [1, 4, 5, 9]) == (range(3, 4), range(6, 9))


def test_the_node_is_the_lowest_that_holds_all() -> None:
    tree = PAGE.tree
    assert everything().xpath == "/html[1]/body[1]/div[1]"
    one = Content(PAGE, "none", "a text node", (range(DIV + 2, DIV + 3),))
    assert one.xpath == "/html[1]/body[1]/div[1]/p[1]"
    two = Content(PAGE, "none", "two text nodes", (range(DIV + 2, DIV + 3), range(len(tree) - 2, len(tree))))
    assert two.node == DIV


def test_an_empty_content_is_false_and_has_a_reason() -> None:
    content = Content(PAGE, "none", "because")
    assert not content
    assert (content.text, content.markdown, content.html, content.xpath, content.node) == ("", "", "", None, None)
    assert json.loads(content.json)["reason"] == "because"
    assert ElementTree.fromstring(content.xml).get("reason") == "because"


def test_text_is_the_string() -> None:
    assert str(everything()) == everything().text == "One\n\nTwo three"


def test_json_carries_text_and_metadata_in_one_object() -> None:
    carried = json.loads(everything().json)
    sources = carried.pop("sources")
    assert {"title", "description", "language"} <= set(sources)
    assert carried.pop("canonical") == "http://example.org/a"
    assert carried.pop("images") == [{"url": "http://example.org/i.png", "caption": None, "alt": "Oak"}]
    assert {name: value for name, value in carried.items() if value or value is False} == {
        "title": "A title",
        "description": "On trees.",
        "language": "en",
        "url": "http://example.org/a",
        "method": "none",
        "confidence": 0.5,
        "is_article": False,
        "reason": "for the test",
        "xpath": "/html[1]/body[1]/div[1]",
        "text": "One\n\nTwo three",
    }


def test_xml_carries_text_and_metadata_in_one_document() -> None:
    document = ElementTree.fromstring(everything().xml)
    assert (document.get("title"), document.get("is_article")) == ("A title", "false")
    assert ["".join(paragraph.itertext()) for paragraph in document.iter("p")] == ["One", "Two three", "Oak"]


def test_a_content_has_an_article_verdict() -> None:
    assert not everything().is_article
    assert everything().is_article.reason == "no prose: nothing that was kept holds a sentence"
    page = Page.parse("<p>One is here. Two is too. Three as well. Four.</p><p>Five is. Six is. Seven is. Eight is.</p>")
    content = Content(page, "none", "for the test", subtree(page.tree, page.tree.body))
    assert content.is_article
    assert content.is_article.reason == "8 sentences in 2 paragraphs"
    assert json.loads(content.json)["is_article"] is True


def test_clipped_text_does_not_count_for_the_article() -> None:
    page = Page.parse("<p>One is here. Two is too. Three as well. Four.</p><p>Five is. Six is. Seven is. Eight is.</p>")
    last = len(page.tree) - 1
    content = Content(page, "none", "for the test", subtree(page.tree, page.tree.body), clips={last: (0, 8)})
    assert content.is_article.reason == "only 5 sentences in 2 paragraphs"


def test_links_and_images_are_options() -> None:
    page = Page.parse(PAGE.html, url="http://example.org/x/")
    content = Content(page, "none", "for the test", subtree(page.tree, DIV))
    assert "[three](http://example.org/b)" in content.markdown
    assert "![Oak](http://example.org/i.png)" in content.markdown
    assert "/b" not in content.to("markdown", links=False)
    assert "/i.png" not in content.to("markdown", images=False)
    assert "/b" not in content.text
    assert "http://example.org/b" in json.loads(content.to("json", links=True))["text"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_a_property_too(format: str) -> None:
    assert everything().to(format) == getattr(everything(), format)


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(UsageError, match="choose one of text, markdown"):
        everything().to("pdf")


@pytest.mark.parametrize("format", FORMATS)
def test_an_unknown_format_of_tables_is_an_error(format: str) -> None:
    with pytest.raises(UsageError, match="unknown format of tables 'latex': choose one of markdown, html, csv"):
        everything().to(format, tables="latex")


def test_extract_takes_str_bytes_path_and_page(tmp_path: Path) -> None:
    html = "<p>Some text, here.</p>"
    (tmp_path / "page.html").write_text(html)
    sources = [html, html.encode(), bytearray(html.encode()), tmp_path / "page.html", Page.parse(html)]
    assert {duramen.extract(source).text for source in sources} == {"Some text, here."}


def test_extract_takes_a_method_or_its_name() -> None:
    assert duramen.extract("<p>a, b</p>", method="econ").method == "econ"
    assert duramen.extract("<p>a, b</p>", method=duramen.methods.get("coreex")).method == "coreex"


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (Path("no/such/page.html"), InputError, "no such file"),
        (b"%PDF-1.4", NotHTMLError, "PDF"),
        ("https://example.org/", InputError, "this is a URL"),
        ("page.html", InputError, "pathlib.Path"),
        (42, TypeError, "not int"),
    ],
)
def test_other_inputs_are_errors(source: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        duramen.extract(source)  # type: ignore[arg-type]


def test_a_page_that_needs_scripts_is_read_from_its_noscript() -> None:
    posts = "".join(f"<p>Post {i}, of a forum whose pages are drawn by a script.</p>" for i in range(9))
    for method in duramen.methods.names():
        found = duramen.methods.get(method)
        if getattr(found, "regional", False) or getattr(found, "needs_boxes", False):  # nine lines are no main list
            continue
        assert "Post 8" in duramen.extract(f"<div>Loading<noscript>{posts}</noscript></div>", method=method).text


def test_repr_shows_method_words_confidence_and_the_start_of_the_text() -> None:
    content = Content(PAGE, "auto", "for the test", subtree(PAGE.tree, DIV), 0.5, page_type="article")
    assert repr(content) == "<Content: method auto, 3 words, confidence 0.50, article: 'One Two three'>"
    assert repr(Content(PAGE, "auto", "no text")) == "<Content: method auto, nothing kept: no text>"
    page = Page.parse("<p>" + "word " * 100)
    content = Content(page, "none", "for the test", subtree(page.tree, page.tree.body))
    assert repr(content).endswith("word…'>")
    assert len(repr(content)) < 150


def test_notebooks_show_escaped_html() -> None:
    page = Page.parse("<p>a &lt;script&gt; b</p>")
    content = Content(page, "<b>", "for the test", subtree(page.tree, page.tree.body))
    shown = content._repr_html_()
    assert "method &lt;b&gt;" in shown
    assert "<p>a &lt;script&gt; b</p>" in shown
    assert "&lt;i&gt;" in Content(page, "none", "<i>")._repr_html_()


def test_blocks_have_kind_text_and_node() -> None:
    page = Page.parse("<h2>Oaks</h2><p>One</p><hr><ul><li>Two</ul><pre>x\n y</pre><table><tr><th>a<td>b</table>")
    tree = page.tree
    content = Content(page, "none", "for the test", subtree(tree, tree.body))
    assert [(block.kind, block.text, block.level) for block in content.blocks] == [
        ("heading", "Oaks", 2),
        ("paragraph", "One", 0),
        ("line", "Two", 0),
        ("preformatted", "x\n y", 0),
        ("table", "a\tb", 0),
    ]
    assert [tree.tag[block.node] for block in content.blocks] == ["h2", "p", "li", "pre", "table"]
    assert Content(page, "none", "empty").blocks == ()
