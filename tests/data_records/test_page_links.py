"""The next page of a list."""

from __future__ import annotations

import pytest

from duramen.data_records.page_links import find_next_page
from duramen.dom.page import Page

URL = "https://a.example/list?page=2"


def find(body: str, url: str | None = URL) -> str | None:
    return find_next_page(Page.parse(f"<html><body><p>Text</p>{body}</body></html>", url))


@pytest.mark.parametrize(
    "body",
    [
        "<a rel='next nofollow' href='?page=3'>3</a>",
        "<a href='?page=1'>Previous</a> <a href='?page=3'>Next »</a>",
        "<div class=pagination><a href='?page=1'>‹</a><a href='?page=3'>›</a></div>",
        "<nav aria-label=pagination><a href='?page=3' aria-label='Next page'><svg></svg></a></nav>",
        "<ul class=pager><li><a href='?page=1'>1</a><li><span class=active>2</span><li><a href='?page=3'>3</a></ul>",
        "<a href='?page=3'>Weiter</a>",
        "<ul class=pagination><li class=next><a class=next href='?page=3'><img src=x></a></ul>",
    ],
)
def test_next_pages_are_found(body: str) -> None:
    assert find(body) == "https://a.example/list?page=3"


@pytest.mark.parametrize(
    "body",
    [
        "<a href='?page=3'>Next of kin: a novel</a>",
        "<a href='https://b.example/?page=3'>Next</a>",
        "<a href='#'>Next</a><a href='javascript:go()'>Next</a>",
        "<a href='?page=2'>Next</a>",
        "<div class=pagination><a class='next disabled' href='?page=3'>Next</a></div>",
        "<p>3</p><a href='?page=3'>3</a>",
    ],
)
def test_other_links_are_no_next_pages(body: str) -> None:
    assert find(body) is None


def test_a_page_without_an_address_has_a_relative_next_page() -> None:
    assert find("<a rel=next href='?page=3'>3</a>", None) == "?page=3"
