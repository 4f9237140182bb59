"""One page, decoded and parsed."""

from __future__ import annotations

import pickle

import pytest

from duramen.dom.page import Page
from duramen.dom.tree import TEXT
from duramen.errors import NotHTMLError


def texts(page: Page) -> list[str]:
    return [text for tag, text in zip(page.tree.tag, page.tree.text, strict=True) if tag == TEXT]


def test_bytes_are_decoded() -> None:
    page = Page.parse('<meta charset="gb2312"><p>中文</p>'.encode("gb18030"))
    assert texts(page) == ["中文"]
    assert page.encoding == "gb18030"


def test_names_of_headers_ignore_case() -> None:
    page = Page.parse("<p>ж".encode("koi8-r"), headers={"Content-TYPE": "text/html; charset=koi8-r"})
    assert texts(page) == ["ж"]


@pytest.mark.parametrize("html", ["\ufeff<title>T</title>", b"\xef\xbb\xbf<title>T</title>"])
def test_a_byte_order_mark_is_no_text(html: str | bytes) -> None:
    assert texts(Page.parse(html)) == ["T"]


def test_undecodable_utf_8_becomes_a_replacement_character() -> None:
    assert texts(Page.parse(b'<meta charset="utf-8"><p>a\xffb')) == ["a\ufffdb"]


def test_nul_bytes_are_accepted() -> None:
    assert "".join(texts(Page.parse(b"<p>a\0b</p>\0<p>c"))).replace("\0", "").replace("\ufffd", "") == "abc"


@pytest.mark.parametrize("source", ["<p>é", "<p>é".encode()])
def test_the_source_can_be_read_again(source: str | bytes) -> None:
    assert Page.parse(source).html == "<p>é"


def test_input_that_is_not_a_page_is_refused() -> None:
    with pytest.raises(NotHTMLError, match="PDF"):
        Page.parse(b"%PDF-1.4")


def test_a_page_survives_pickling() -> None:
    page = Page.parse("<p>a", url="http://example.org/")
    twin = pickle.loads(pickle.dumps(page))
    assert (twin.url, twin.tree.tag, twin.html) == (page.url, page.tree.tag, page.html)


def test_blank_lines_separate_the_paragraphs_of_plain_text() -> None:
    assert texts(Page.parse("One\ntwo\n\nthree &amp; four\n  \n")) == ["One\ntwo", "three & four"]


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("", "http://example.org/a/b"),
        ("<base href='http://base.org/x/'>", "http://base.org/x/"),
        ("<base href='../c/'>", "http://example.org/c/"),
        ("<base target=_top>", "http://example.org/a/b"),
        ("<base href='http://[broken'>", "http://example.org/a/b"),
    ],
)
def test_the_base_of_relative_links(head: str, base: str) -> None:
    assert Page.parse(f"{head}<p>a", url="http://example.org/a/b").base == base


AFTER_EMPTY_ELEMENT = "<div id='after'/><div id='main'>" + "<p>Heartwood carries the tree.</p>" * 60 + "</div>"


@pytest.mark.parametrize("name", ["iframe", "script", "title", "style", "textarea"])
@pytest.mark.parametrize("as_bytes", [False, True])
def test_an_empty_raw_element_does_not_swallow_the_page(name: str, as_bytes: bool) -> None:
    html = f"<html><body><{name} id='x'/>{AFTER_EMPTY_ELEMENT}</body></html>"
    page = Page.parse(html.encode() if as_bytes else html)
    assert page.tree.tag.count("p") == 60
    after = next(node for node in range(len(page.tree)) if page.tree.attributes[node].get("id") == "after")
    assert page.tree.end[after] == after + 1  # the empty div is empty, as it was written


def test_void_elements_are_unchanged() -> None:
    page = Page.parse(f"<body><iframe src='x' /><br/><img src='a.png'/>{AFTER_EMPTY_ELEMENT}")
    assert page.tree.tag.count("br") == page.tree.tag.count("img") == 1


def test_an_ordinary_page_is_left_alone() -> None:
    html = "<body><div/><p>One</p><script>var x = '<iframe/>';</script>"
    page = Page.parse(html)
    assert page.source == html
    assert page.tree.tag[page.tree.parent[page.tree.tag.index("p")]] == "div"  # as a browser reads it


def test_a_script_that_was_never_closed_is_not_a_page_of_xml() -> None:
    html = "<body><p>One</p><script>" + "var x = 1;" * 500
    page = Page.parse(html)
    assert page.source == html
    assert page.tree.tag.count("p") == 1
