"""What every method promises, whichever it is."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duramen import methods
from duramen.content import Content
from duramen.dom.page import Page
from duramen.methods import Method

ARTICLE = (
    "<html><head><title>Heartwood</title><script>var x = 'a, b, c.';</script></head><body>"
    "<div id=nav><ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li></ul></div>"
    "<div id=main><h1>Heartwood</h1>"
    + "".join(f"<p>Paragraph {i} speaks of trees, of rings, and of what holds them up.</p>" for i in range(8))
    + "</div><div id=foot><a href=/about>About</a> <a href=/terms>Terms</a></div></body></html>"
)

PAGES = {
    "empty": "",
    "blank": " \n ",
    "no text": "<div><img src=a.png></div>",
    "no tags": "Just a line of text, without any markup.",
    "one word": "<p>word</p>",
    "only links": "<a href=a>one</a><a href=b>two</a>",
    "only scripts": "<script>var a, b, c.</script>",
    "frames": "<frameset><frame src=a></frameset>",
    "nul bytes": "<p>a\0b, c.\0</p>" * 50,
    "cut off": ARTICLE[: len(ARTICLE) // 2],
    "unclosed": "<div><p>one, two.<p>three<b>four<div>five, six.",
    "surrogate": "<p>half a pair \ud83c, here.</p>",
    "deeply nested": "<div>" * 100_000 + "deep, deeper." + "</div>" * 100_000,
    "wide": "<p>some text, with commas.</p>" * 20_000,
    "article": ARTICLE,
}

every_method = pytest.mark.parametrize("method", [methods.get(name) for name in methods.names()], ids=methods.names())

# Methods that look for the list of a page say of an article that it has none, and some find nothing without boxes.
OF_CONTENT = [
    name
    for name in methods.names()
    if not getattr(methods.get(name), "regional", False) and not getattr(methods.get(name), "needs_boxes", False)
]
every_method_of_content = pytest.mark.parametrize("method", [methods.get(name) for name in OF_CONTENT], ids=OF_CONTENT)


def check(content: Content) -> None:
    tree = content.page.tree
    assert content.reason
    assert 0.0 <= content.confidence <= 1.0
    last = 0
    for span in content.spans:
        assert last <= span.start < span.stop <= len(tree)
        assert span.step == 1
        last = span.stop
    if not content:
        assert content.confidence == 0.0
        assert content.text == ""
        assert content.xpath is None


@every_method
def test_it_has_a_name_a_summary_and_a_paper(method: Method) -> None:
    assert isinstance(method, Method)
    assert method.name == method.name.lower()
    assert "\n" not in method.summary
    assert method.paper


@every_method
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_every_page_gives_a_content(method: Method, html: str) -> None:
    check(method(Page.parse(html)))


@every_method_of_content
def test_it_finds_the_article(method: Method) -> None:
    text = method(Page.parse(ARTICLE)).text
    assert all(f"Paragraph {i} speaks" in text for i in range(8))


INVISIBLE = {
    "title": "<title>A long title with very many words, commas, and periods in it.</title>",
    "select": "<select><option>One of many, many words.</option><option>Another, of as many.</option></select>",
    "hidden": "<div hidden><p>Hidden, and full of words, commas, and periods.</p></div>",
    "style": "<div style='display:none'><p>Hidden, and full of words, commas, and periods.</p></div>",
    "textarea": "<textarea>Typed, and full of words, commas, and periods.</textarea>",
    "svg": "<svg><text>Drawn, and full of words, commas, and periods.</text></svg>",
}


@every_method
@pytest.mark.parametrize("html", INVISIBLE.values(), ids=INVISIBLE.keys())
def test_invisible_text_is_not_content(method: Method, html: str) -> None:
    content = method(Page.parse(html))
    assert not content
    assert content.text == ""


@every_method_of_content
@pytest.mark.parametrize("html", INVISIBLE.values(), ids=INVISIBLE.keys())
def test_visible_text_beside_it_is_content(method: Method, html: str) -> None:
    assert method(Page.parse(f"{html}<div><p>Seen, if short.</p></div>")).text == "Seen, if short."


@every_method
def test_it_is_deterministic(method: Method) -> None:
    first, second = (methods.get(method.name)(Page.parse(ARTICLE)) for _ in range(2))
    assert (first.spans, first.confidence, first.reason) == (second.spans, second.confidence, second.reason)


@every_method
def test_it_does_not_change_the_page(method: Method) -> None:
    page = Page.parse(ARTICLE)
    before = pickle.dumps(page)
    method(page)
    tree = pickle.loads(before).tree
    assert (page.tree.tag, page.tree.parent, page.tree.end, page.tree.text) == (
        tree.tag,
        tree.parent,
        tree.end,
        tree.text,
    )
    assert list(page.tree.attributes) == tree.attributes


@every_method
def test_method_page_and_content_can_be_pickled(method: Method) -> None:
    content = pickle.loads(pickle.dumps(method))(pickle.loads(pickle.dumps(Page.parse(ARTICLE))))
    assert pickle.loads(pickle.dumps(content)).text == method(Page.parse(ARTICLE)).text


@every_method
def test_it_works_in_any_encoding(method: Method) -> None:
    html = ARTICLE.replace("trees", "Bäume")
    encoded = ('<meta charset="iso-8859-1">' + html).encode("latin-1")
    assert method(Page.parse(encoded)).text == method(Page.parse(html)).text


soup = st.lists(
    st.sampled_from(
        ["<div>", "</div>", "<p>", "<td>", "<table>", "</table>", "<a href=x>", "</a>", "<br>", "<b>", "</b>"]
    )
    | st.sampled_from(["words and, a comma. ", " ", "<script>x, y.</script>", "<ul><li>", "汉字，", "<pre>\n a"]),
    max_size=60,
)


@every_method
@settings(max_examples=40)
@given(parts=soup)
def test_tag_soup_gives_a_content(method: Method, parts: list[str]) -> None:
    check(method(Page.parse("".join(parts))))
