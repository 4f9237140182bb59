"""Where the page says nothing, neither do we."""

from __future__ import annotations

from datetime import date

import pytest
from tests.metadata.metadata_pages import json_ld, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata


@pytest.mark.parametrize(
    "body",
    [
        '<footer class="footer">© 2024-03-05 The Forester</footer>',
        '<div class="comments"><p>By Jane Doe</p><time datetime="2024-03-05">then</time></div>',
        '<div class="related"><p class="byline">Jane Doe</p><time datetime="2024-03-05">then</time></div>',
        "<nav><time datetime='2024-03-05'></time></nav>",
    ],
    ids=["copyright", "comments", "related", "menu"],
)
def test_what_others_wrote_is_not_the_pages(body: str) -> None:
    page = Page.parse(f"<h1>Of oaks and of their slow fall</h1><p>Text of the page.</p>{'<p>More.</p>' * 40}{body}")
    read = Metadata.read(page)
    assert (read.authors, read.published) == ((), None)


@pytest.mark.parametrize("part", ['id="comments"', 'class="related"', 'class="article-comments"'])
def test_what_follows_the_text_is_not_the_pages_though_it_is_longer(part: str) -> None:
    post = "<div class=c><b>Jane Doe</b> <span>2024-01-07</span><p>Ours fell in a storm.</p></div>"
    text = f"<p>{'Oaks fall slowly, and then all at once. ' * 4}</p>"
    top = "<h1>Of oaks and of their slow fall</h1>"
    page = f"<article>{top}{text}</article><div {part}>{post * 9}</div>"
    read = Metadata.read(Page.parse(page))
    assert (read.authors, read.published) == ((), None)
    told = '{"@type": "NewsArticle", "datePublished": "2024-03-05"}'
    told = f'<script type="application/ld+json">{told}</script>'
    assert Metadata.read(Page.parse(told + page)).published == date(2024, 3, 5)


def test_what_stands_below_a_heading_of_comments_is_not_the_pages() -> None:
    post = "<div class=c><b>Jane Doe</b> <span>2024-01-07</span><p>Ours fell in a storm.</p></div>"
    text = f"<p>{'Oaks fall slowly, and then all at once. ' * 4}</p>"
    page = f"<h1>Of oaks and of their slow fall</h1>{text}<h3>3 comments</h3>{post * 3}"
    assert Metadata.read(Page.parse(page)).published is None
    assert Metadata.read(Page.parse(page.replace("comments", "oaks"))).published == date(2024, 1, 7)


def test_what_is_called_related_is_the_pages_where_there_is_no_other_text() -> None:
    page = "<h1>Of oaks and of their slow fall</h1><div class=comments-open><p>March 5, 2024</p><p>Text.</p></div>"
    assert Metadata.read(Page.parse(page)).published == date(2024, 3, 5)


def test_no_date_is_in_the_future() -> None:
    page = Page.parse('<meta property="article:published_time" content="2030-01-01"><h1>Oaks</h1>')
    assert Metadata.read(page, date(2029, 12, 31)).published is None
    assert Metadata.read(page, date(2030, 1, 1)).published == date(2030, 1, 1)


def test_a_change_before_the_publication_is_not_believed() -> None:
    published = '<meta property="article:published_time" content="2024-03-05">'
    modified = '<meta property="article:modified_time" content="2023-01-01">'
    assert metadata(published + modified).modified is None


def test_a_change_before_the_publication_does_not_become_the_publication() -> None:
    told = '{"@type": "NewsArticle", "datePublished": "2024-03-05", "dateModified": "2023-01-01"}'
    read = metadata(json_ld(told), url=None)
    assert (read.published, read.modified) == (date(2024, 3, 5), None)


@pytest.mark.parametrize(
    "value", ["admin", "https://social.example/jane", "@jane", "By", "", "12345", "page.extra.author"]
)
def test_what_is_no_name_names_nobody(value: str) -> None:
    assert names(metadata(f'<meta name="author" content="{value}"><meta property="og:type" content="article">')) == []


def test_an_empty_page_has_no_metadata() -> None:
    read = Metadata.read(Page.parse(""))
    assert (read.title, read.authors, read.published, read.tags, read.images) == (None, (), None, (), ())
    assert read.how("title") is None


def test_a_link_to_log_in_is_nobodys_profile() -> None:
    body = '<p><a href="/member/login?then=here">Recommend</a> <a href="/members/sign-up">Join Us</a></p>'
    assert names(metadata('<meta property="og:type" content="article">', body)) == []


@pytest.mark.parametrize(
    "path", ["/users/clippings/add?page=3", "/members/newsletters/oaks", "/user/account", "/by/email"]
)
def test_a_link_to_what_a_site_does_for_its_users_is_nobodys_profile(path: str) -> None:
    body = f'<p class="byline">Press Association</p><p>5 March 2024</p><p><a href="{path}">Clip</a></p>'
    head = '<meta property="og:type" content="article"><meta property="og:site_name" content="The Forester">'
    read = metadata(head, body, url=None)
    assert names(read) == ["Press Association"]
    assert read.authors[0].kind == "organisation"
