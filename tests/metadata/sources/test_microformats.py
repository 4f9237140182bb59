"""The source `microformats`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import ARTICLE, HEADLINE, TODAY, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.sources import microformats


@given(st.lists(st.sampled_from([*"/aé?", "author", "USERS", "by", "//", "login", "ſtaff", "team-x", "x"]), max_size=7))
def test_profile_urls_contain_a_profile_word(pieces: list[str]) -> None:
    href = "".join(pieces)
    if microformats._PROFILE_URL.search(href):
        assert microformats._PROFILE_WORDS.find(href)


SHORT = "How oak lasts"


LONG_TEXT = "<p>The heartwood, which is dark and dry, lasts for centuries when it is kept from the rain.</p>" * 12


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("<address><a rel=author href=/jane>Jane Doe</a></address>", ["Jane Doe"]),
        ("<address class=author>Jane Doe</address>", ["Jane Doe"]),
        ("<address>Jane Doe</address>", ["Jane Doe"]),
        ("<address><a href=mailto:jane@wood.example>Jane Doe</a></address>", ["Jane Doe"]),
        ("<address>12 Oak Lane, Woodtown</address>", []),
        ("<address class=author>12 Oak Lane, Woodtown</address>", []),
        ("<address>Oak House, Elm Street, London</address>", []),
        ("<address>Elm Street</address>", []),
        ("<address>Jane Doe<br>12 Oak Lane<br>Woodtown</address>", []),
        ("<address><a href=mailto:jane@wood.example>jane@wood.example</a></address>", []),
        ("<address>Contact: 555 1234</address>", []),
        ("<address></address>", []),
    ],
)
@pytest.mark.parametrize("headline", [SHORT, HEADLINE])
@pytest.mark.parametrize("place", ["before the text", "after it"])
def test_address_in_an_article_names_its_author(address: str, named: list[str], headline: str, place: str) -> None:
    parts = [address, LONG_TEXT] if place == "before the text" else [LONG_TEXT, address]
    html = f"<title>{headline}</title><article><h1>{headline}</h1>{''.join(parts)}</article>"
    assert names(Metadata.read(Page.parse(html), TODAY)) == named


def test_address_outside_the_article_is_ignored() -> None:
    page = f"<title>{SHORT}</title><article><h1>{SHORT}</h1>{LONG_TEXT}</article><address>Jane Doe</address>"
    assert names(Metadata.read(Page.parse(page), TODAY)) == []


def test_a_portrait_names_the_author() -> None:
    body = '<div class="author"><img alt="Picture of Jane Doe" src="/jane.jpg"></div><p>5 March 2024</p>'
    assert names(metadata(ARTICLE, body)) == ["Jane Doe"]


def test_a_login_link_is_no_profile() -> None:
    body = '<p><a href="/member/login?then=here">Recommend</a> <a href="/members/sign-up">Join Us</a></p>'
    assert names(metadata('<meta property="og:type" content="article">', body)) == []


@pytest.mark.parametrize(
    "path", ["/users/clippings/add?page=3", "/members/newsletters/oaks", "/user/account", "/by/email"]
)
def test_links_to_user_functions_are_no_profiles(path: str) -> None:
    body = f'<p class="byline">Press Association</p><p>5 March 2024</p><p><a href="{path}">Clip</a></p>'
    head = '<meta property="og:type" content="article"><meta property="og:site_name" content="The Forester">'
    read = metadata(head, body, url=None)
    assert names(read) == ["Press Association"]
    assert read.authors[0].kind == "organization"
