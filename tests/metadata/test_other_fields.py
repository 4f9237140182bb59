"""Fields with a fixed order of sources."""

from __future__ import annotations

from datetime import date

import pytest
from tests.metadata.metadata_pages import ARTICLE, HEADLINE, TEXT, TODAY, json_ld, meta, metadata, read_page

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.other_fields import normalize_language_tag


@pytest.mark.parametrize(
    ("head", "url", "found"),
    [
        ("", "https://acme.example/a/x", "https://acme.example/jd"),
        ('<base href="https://cdn.example/b/">', "https://acme.example/a/x", "https://cdn.example/jd"),
        ("", None, "/jd"),
    ],
)
def test_profile_urls_are_absolute_if_the_page_url_is_known(head: str, url: str | None, found: str) -> None:
    ld = json_ld('{"@type": "Article", "author": {"@type": "Person", "name": "Jane Doe", "url": "/jd"}}')
    html = f"<head>{head}{ld}</head><h1>{HEADLINE}</h1><p>They fall.</p>"
    assert Metadata.read(Page.parse(html, url), TODAY).authors[0].url == found


def test_an_encoding_is_not_a_language() -> None:
    assert metadata(lang="utf-8").language is None


def short(head: str, body: str = "", url: str | None = None) -> Metadata:
    """The metadata of a page with few words over it, from nowhere."""
    top = f"<html lang=en><head><title>How oak lasts</title>{head}</head>"
    text = "<p>The heartwood, which is dark and dry, lasts for centuries when it is kept from the rain.</p>" * 4
    html = f"{top}<body><main><article><h1>How oak lasts</h1>{body}{text}</article></main></body></html>"
    return Metadata.read(Page.parse(html, url), date(2026, 6, 1))


def test_the_site_is_read_from_each_of_its_sources() -> None:
    graph = '<meta property="og:site_name" content="The Forester">'
    described = json_ld('{"@type": "WebSite", "name": "Forester Online"}')
    assert metadata(graph + described).site == "The Forester"
    assert metadata(described + meta(**{"application-name": "App"})).site == "Forester Online"
    assert metadata(json_ld('{"@type": "Article", "publisher": {"name": "The Forester"}}')).site == "The Forester"


def test_the_declared_language_is_normalized() -> None:
    assert metadata(lang="pt_br").language == "pt-BR"
    assert metadata('<meta property="og:locale" content="de_AT">', lang="").language == "de-AT"


def test_tags_categories_and_license_come_from_head_and_links() -> None:
    head = '<meta property="article:tag" content="oak"><meta property="article:section" content="Trees">'
    read = metadata(head)
    assert (read.tags, read.categories, read.license) == (("oak",), ("Trees",), None)
    body = '<a rel="tag" href="/t">decay</a> <a rel="license" href="https://cc.example/by">CC BY</a>'
    read = metadata(body=body)
    assert (read.tags, read.categories, read.license) == (("decay",), (), "https://cc.example/by")


def test_urls_are_made_absolute() -> None:
    read = metadata(
        '<link rel="canonical" href="/oaks"><meta property="og:image" content="/oak.jpg">',
        url="https://wood.example/x?y",
    )
    assert (read.canonical, read.image) == ("https://wood.example/oaks", "https://wood.example/oak.jpg")


def test_a_relative_canonical_url_needs_the_page_url() -> None:
    head = '<link rel="canonical" href="/oaks"><meta property="og:image" content="/oak.jpg">'
    assert (short(head).canonical, short(head).url, short(head).image) == (None, None, "/oak.jpg")
    whole = short(f'<base href="https://wood.example/">{head}')
    assert whole.canonical == "https://wood.example/oaks"


def test_page_type_is_declared() -> None:
    assert metadata(json_ld('{"@type": "Product", "name": "Oil"}')).page_type == "product"
    assert metadata(ARTICLE).page_type == "article"
    assert metadata().page_type is None


def item(inside: str, of: str = "Article") -> Metadata:
    """The metadata of a page that is an item, and whose head says nothing."""
    return read_page(
        f'<div itemscope itemtype="https://schema.org/{of}"><h1 itemprop="headline">{HEADLINE}</h1>{inside}{TEXT}'
    )


CLOUD = '<a rel="tag" href="/c">cloud</a><a rel="category tag" href="/d">Weather</a>'


@pytest.mark.parametrize(
    "part",
    [
        f"<nav>{CLOUD}</nav>",
        f"<div class=comments>{CLOUD}</div>",
        f"<div class=related>{CLOUD}</div>",
        f"<div itemprop=comment itemscope itemtype=https://schema.org/Comment>{CLOUD}</div>",
    ],
)
def test_tags_of_foreign_parts_are_dropped(part: str) -> None:
    found = metadata("", TEXT + part)
    assert (found.tags, found.categories) == ((), ())


def test_tags_of_the_article_go_before_a_tag_cloud() -> None:
    own = '<footer class="entry-footer"><a rel="tag" href="/o">oak</a></footer>'
    page = f"<article><h1>{HEADLINE}</h1>{TEXT}{own}</article><aside class=sidebar>{CLOUD}</aside>"
    assert read_page(page).tags == ("oak",)
    assert read_page(page.replace(own, "")).tags == ("cloud",)


@pytest.mark.parametrize(
    ("body", "license_url"),
    [
        ('<footer><a rel="license" href="https://cc.example/by">CC</a></footer>', "https://cc.example/by"),
        ('<figure><img src="/a.jpg"><figcaption><a rel="license" href="/by">CC</a></figcaption></figure>', None),
        ('<a rel="license" href="javascript:alert(1)">CC</a>', None),
        (
            '<div typeof="schema:Article"><a property="schema:license" href="/by">CC</a></div>',
            "https://wood.example/by",
        ),
        ('<p>Under <a property="cc:license" href="/by">CC</a></p>', "https://wood.example/by"),
    ],
)
def test_license_is_that_of_the_text(body: str, license_url: str | None) -> None:
    assert metadata("", body).license == license_url


@pytest.mark.parametrize(
    ("inside", "image"),
    [
        ('<img itemprop="image" src="/oak.jpg">', "/oak.jpg"),
        ('<img itemprop="image" src="data:image/gif;base64,R0" data-src="/oak.jpg">', "/oak.jpg"),
        ('<div itemprop="image"><img src="/oak.jpg"></div>', "/oak.jpg"),
        ('<meta itemprop="thumbnailUrl" content="/oak.jpg">', "/oak.jpg"),
        ('<div itemprop="image" itemscope itemtype="http://schema.org/ImageObject"><meta itemprop="url" '
         'content="/oak.jpg"><meta itemprop="width" content="9"></div>', "/oak.jpg"),
        ('<figure itemprop="image" itemscope itemtype="http://schema.org/ImageObject"><img itemprop="contentUrl" '
         'src="/oak.jpg"></figure>', "/oak.jpg"),
        ('<div itemprop="publisher" itemscope itemtype="http://schema.org/Organization"><div itemprop="logo" itemscope '
         'itemtype="http://schema.org/ImageObject"><img itemprop="url" src="/logo.png"></div></div>', None),
        ('<div itemprop="author" itemscope itemtype="http://schema.org/Person"><img itemprop="image" src="/j.jpg">'
         "</div>", None),
        ('<img itemprop="image" src="javascript:alert(1)">', None),
    ],
)  # fmt: skip
def test_the_lead_image_is_that_of_the_work(inside: str, image: str | None) -> None:
    assert item(inside).image == (f"https://wood.example{image}" if image else None)


@pytest.mark.parametrize(
    "publisher",
    [
        '<span itemprop="publisher">The Forester</span>',
        '<meta itemprop="publisher" content="The Forester">',
        '<div itemprop="publisher" itemscope itemtype="https://schema.org/Organization">'
        '<meta itemprop="name" content="The Forester"></div>',
    ],
)
def test_the_site_is_the_publisher(publisher: str) -> None:
    assert item(publisher).site == "The Forester"


def test_language_of_a_work_is_that_of_the_page() -> None:
    assert item('<meta itemprop="inLanguage" content="pl_PL">').language == "pl-PL"


def test_body_markup_is_not_read_if_the_head_declares_the_type() -> None:
    section = "<i itemprop=articleSection>Trees</i>"
    html = f"<h1>{HEADLINE}</h1><div itemscope itemtype=https://schema.org/Article>{section}{TEXT}</div>"
    assert read_page(f"<title>{HEADLINE}</title>{html}").categories == ("Trees",)
    assert read_page(f"<head><title>{HEADLINE}</title>{ARTICLE}</head>{html}").categories == ()


@pytest.mark.parametrize(
    ("value", "tag"),
    [
        ("en", "en"),
        ("en_us", "en-US"),
        ("EN-us", "en-US"),
        ("zh-hans-cn", "zh-Hans-CN"),
        ("es-419", "es-419"),
        ("de, en", "de"),
        ("pt-BR.UTF-8", "pt-BR"),
        ("xx-DE", None),
        ("und", None),
        ("utf-8", None),
        ("english", None),
        ("", None),
    ],
)
def test_a_language_tag_gets_its_usual_spelling(value: str, tag: str | None) -> None:
    assert normalize_language_tag(value) == tag
