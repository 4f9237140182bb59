"""The class `Metadata`."""

from __future__ import annotations

import copy
import pickle
from datetime import date
from typing import Final

import pytest
from tests.metadata.metadata_pages import ARTICLE, HEADLINE, TODAY, json_ld, meta, metadata, names

from duramen.dom.dates import as_date
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.metadata import Metadata
from duramen.metadata.metadata import FIELDS


def test_metadata_can_be_copied_and_pickled() -> None:
    page = Page.parse(f"<html lang=en><title>{HEADLINE}</title><h1>{HEADLINE}</h1><p>By Jane Doe, 5 March 2024")
    found = Metadata.read(page, TODAY)
    expected = found.as_dict()
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
        assert other.as_dict() == expected
        assert other.sources.title_element == HEADLINE


def test_headers_and_url_may_have_unusual_types() -> None:
    class Address(str):
        pass

    for expected in (b"en-US", 5, None, ""):
        page = Page.parse(
            "<title>Oaks</title>", Address("https://wood.example/oaks"), headers={"Content-Language": expected}
        )
        found = Metadata.read(page, TODAY)
        assert found.language is None
        assert found.title == "Oaks"


def test_the_order_of_fields_does_not_matter() -> None:
    page = Page.parse(
        f"<html lang=en><title>{HEADLINE} | Wood</title><h1>Oaks</h1><article class=hentry><h2>{HEADLINE}</h2>"
        "<p>By Jane Doe, 5 March 2024<a rel=tag href=/a>Oaks</a><img src=/a.png></article>"
        "<div class=comments><a rel=tag href=/b>Elms</a><img src=/b.png></div>",
        "https://wood.example/2024/03/05/oaks",
    )
    expected = Metadata.read(page, TODAY).as_dict()
    for first in ("images", "tags", "published", "license", "modified", "page_type"):
        found = Metadata.read(page, TODAY)
        found.evidence(first)
        assert found.as_dict() == expected


def test_an_unknown_field_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"'nonsense'.*title.*images"):
        metadata().evidence("nonsense")
    for name in FIELDS:
        metadata().evidence(name)


@pytest.mark.parametrize(
    ("head", "source"),
    [
        (meta(author="Jane Doe", date="2024-03-05"), "meta"),
        (meta(DC__creator="Jane Doe", DC__date__issued="2024-03-05"), "dublin-core"),
        (meta(citation_author="Doe, Jane", citation_publication_date="2024/03/05"), "citation"),
        (
            '<meta property="article:author" content="Jane Doe">'
            '<meta property="article:published_time" content="2024-03-05">',
            "open-graph",
        ),
        (json_ld('{"@type": "NewsArticle", "author": {"name": "Jane Doe"}, "datePublished": "2024-03-05"}'), "json-ld"),
    ],
)
def test_each_source_of_the_head_gives_author_and_date(head: str, source: str) -> None:
    read = metadata(ARTICLE + head)
    assert (names(read), read.published) == (["Jane Doe"], date(2024, 3, 5))
    author, published = read.evidence("authors"), read.evidence("published")
    assert author is not None
    assert published is not None
    assert (author.source, published.source) == (source, source)


@pytest.mark.parametrize(
    "body",
    [
        '<span itemscope itemtype="https://schema.org/Article"><b itemprop="author" itemscope><i itemprop="name">'
        'Jane Doe</i></b><time itemprop="datePublished" datetime="2024-03-05">yesterday</time></span>',
        '<p typeof="Article"><span property="schema:author">Jane Doe</span>'
        '<span property="schema:datePublished" content="2024-03-05">March</span></p>',
        '<p class="hentry"><span class="vcard author"><a class="fn">Jane Doe</a></span>'
        '<abbr class="published" title="2024-03-05">a while ago</abbr></p>',
        '<p class="h-entry"><a class="p-author h-card">Jane Doe</a>'
        '<time class="dt-published" datetime="2024-03-05"></time></p>',
        '<p><a rel="author" href="/jane">Jane Doe</a> <time datetime="2024-03-05">then</time></p>',
        '<p>By <a href="/authors/jane-doe">Jane Doe</a></p><p>March 5, 2024</p>',
        "<p>By Jane Doe</p><p>Published on 5 March 2024</p>",
        '<p class="byline">Jane Doe</p><p class="post-date">5 Mar 2024</p>',
        "<p>Written by <address>Jane Doe</address></p><p>2024-03-05</p>",
    ],
    ids=["microdata", "rdfa", "hatom", "h-entry", "rel", "profile", "lines", "named", "address"],
)
def test_each_source_of_the_body_gives_author_and_date(body: str) -> None:
    read = metadata(ARTICLE, body)
    assert (names(read), read.published) == (["Jane Doe"], date(2024, 3, 5))


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ('<p><time datetime="2024-03-05">a while ago</time></p>', "time"),
        ("<p><time>5 March 2024</time></p>", "time"),
        ("<p>5 March 2024</p>", "dateline"),
        ('<script>var page = {"datePublished": "2024-03-05T08:00:00Z"}</script>', "script"),
    ],
    ids=["time", "time as text", "dateline", "script"],
)
def test_each_source_of_the_body_gives_a_date(body: str, source: str) -> None:
    found = metadata(ARTICLE, body).evidence("published")
    assert found is not None
    assert (as_date(found.value), found.source) == (date(2024, 3, 5), source)


def test_an_empty_page_has_no_metadata() -> None:
    read = Metadata.read(Page.parse(""))
    assert (read.title, read.authors, read.published, read.tags, read.images) == (None, (), None, (), ())
    assert read.evidence("title") is None


PAGES: Final = [
    "",
    f"<title>{HEADLINE} | Wood</title><h1>{HEADLINE} ¶</h1><meta property=og:site_name content=Wood>"
    "<meta name=author content='By Ann Oak, Ben Elm'><meta property=article:published_time content=2024-05-03T10:00Z>"
    "<meta name=description content=' About  oaks &amp; elms '><meta property=og:description content='About oaks'>"
    "<link rel=canonical href=/oaks><link rel='shortcut icon' href=/i><a rel='tag nofollow' href=/t>#trees</a>"
    "<a rel=license href=https://cc.example/by>CC</a><meta property=og:type content=article>"
    + json_ld(
        '{"@graph": [{"@type": "NewsArticle", "headline": "Oaks", "author": [{"@id": "#ann"}, {"name": "Ben Elm"}],'
        ' "datePublished": "2024-05-03", "dateModified": "2024-05-04", "keywords": "oak; elm, ash",'
        ' "publisher": {"name": "Wood"}, "image": {"url": "https://w.example/1.jpg"}},'
        ' {"@type": "Person", "@id": "#ann", "name": "Ann Oak", "url": "/ann"}, {"@type": ["WebPage", "FAQPage"]}]}'
    ),
    "<html lang=pt_br><title>A: B - C</title><h1>C</h1><h2>A: B</h2><time datetime=2023-02-01>x</time><p class=byline>"
    "By Ann Oak<p>Published 1 February 2023<img src=/a.png alt=a>",
    "<title>Wood</title><div itemscope itemtype=https://schema.org/NewsArticle itemref=k>"
    "<b itemprop=headline>Old oaks</b><i itemprop=author itemscope itemtype=https://schema.org/Person>"
    "<b itemprop=name>Ann Oak</b><img itemprop=image src=/a></i><p>Posted on May 3, 2024 10:30 AM EDT by Ben Elm"
    "<p>The fair of <time datetime=2011-02-01>1 May 2011</time> was a big one.<a rel=tag href=/t>ash</a>"
    "<img srcset='/o.jpg 2x' itemprop=image><a rel=license href=/l>CC</a></div>"
    "<p id=k><i itemprop=keywords>oak, elm</i><address>Ann Oak</address>",
    "<body class=h-entry><h1 class=p-name>Old oaks</h1><p class=p-summary>Of oaks"
    "<a class='p-author h-card' href=/a>Ann Oak</a><a class=p-category>oak</a>"
    "<time class=dt-published datetime='2024-05-03 10:30 +0200'>then</time>"
    "<div itemscope itemtype=https://schema.org/Comment><b itemprop=author>Ben Elm</b> 4 May 2024</div>",
]


def test_pickled_metadata_is_equal() -> None:
    read = Metadata.read(Page.parse(PAGES[1], "https://wood.example/oaks"), TODAY)
    assert Metadata.__module__ == "duramen.metadata.metadata"
    assert pickle.loads(pickle.dumps(read)).as_dict() == read.as_dict()


def test_repr_shows_the_known_fields() -> None:
    shown = repr(metadata('<meta property="og:site_name" content="Wood">'))
    assert shown == f"Metadata(title={HEADLINE!r}, site='Wood', language='en')"
    assert repr(Metadata.read(Page.parse(""))) == "Metadata()"


def test_repr_html_is_an_escaped_table_of_the_known_fields() -> None:
    shown = metadata('<meta name="description" content="1 &lt; 2 &amp; 3">')._repr_html_()
    assert "<tr><td>description</td><td>1 &lt; 2 &amp; 3</td><td>meta</td><td>0.80</td></tr>" in shown
    assert "<td>license</td>" not in shown
    assert shown.startswith("<table>")
