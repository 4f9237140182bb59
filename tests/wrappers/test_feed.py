"""Reading feeds, and matching their items with pages."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime

import pytest

from duramen.dom.page import Page
from duramen.errors import InputError, MissingExtraError
from duramen.wrappers.feed import MAX_FEED_BYTES, Feed, FeedItem, match_items, read_feed


def rss(items: str, attributes: str = "", title: str = "Trees") -> bytes:
    channel = f"<channel><title>{title}</title><link>https://example.org/</link>{items}</channel>"
    return f'<?xml version="1.0"?><rss version="2.0"{attributes}>{channel}</rss>'.encode()


def json_feed(*items: object, **fields: object) -> bytes:
    return json.dumps(
        {"version": "https://jsonfeed.org/version/1.1", "title": "Trees", "items": items} | fields
    ).encode()


RSS_2 = rss(
    """<item><title>Oak &amp;amp; ash</title><link>https://example.org/oak</link><author>a@b.c (Ann)</author>
    <description>&lt;p&gt;Hard &lt;b&gt;wood&lt;/b&gt;.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;&lt;p&gt;Old.
    </description>    <pubDate>Wed, 02 Sep 2020 10:00:00 +0200</pubDate></item>"""
)
RSS_1 = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://example.org/"><title>Trees</title></channel>
<item rdf:about="https://example.org/oak"><title>Oak</title><link>https://example.org/oak</link>
<description>Hard wood.</description></item></rdf:RDF>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/">
<title type="html">&lt;i&gt;Trees</title>
<entry><title type="text">a &lt;b&gt; c</title><link href="oak"/><id>tag:1</id>
<updated>2020-09-02T10:00:00+02:00</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hard</p><p>wood.</p></div></content></entry></feed>"""
WHEN = datetime(2020, 9, 2, 8, tzinfo=UTC)


def test_rss_2() -> None:
    item = FeedItem("https://example.org/oak", "Oak & ash", "Hard wood. Old.", WHEN, "a@b.c (Ann)")
    assert read_feed(RSS_2) == Feed("Trees", (item,))


def test_rss_1() -> None:
    assert read_feed(RSS_1) == Feed("Trees", (FeedItem("https://example.org/oak", "Oak", "Hard wood."),))


def test_atom_declares_which_texts_are_markup() -> None:
    item = FeedItem("https://example.org/oak", "a <b> c", "Hard wood.", WHEN, content="Hard wood.")
    assert read_feed(ATOM) == Feed("Trees", (item,))


def test_json_feed() -> None:
    entry = {
        "id": "1",
        "url": "oak",
        "title": "Oak",
        "content_html": "<p>Hard <b>wood</b>.",
        "date_published": "2020-09-02T10:00:00+02:00",
        "authors": [{"name": "Ann"}, {"name": "Bo"}],
    }
    item = FeedItem("https://example.org/oak", "Oak", "Hard wood.", WHEN, "Ann, Bo", "Hard wood.")
    assert read_feed(json_feed(entry, home_page_url="https://example.org/")) == Feed("Trees", (item,))


def test_invalid_values_of_a_json_feed_are_ignored() -> None:
    data = json_feed(3, None, {}, {"id": 7, "title": ["x"], "summary": "Ash", "date_published": "yesterday"}, authors=5)
    assert read_feed(data).items == (FeedItem(None, "", "Ash"),)


def test_items_of_a_json_feed_without_urls_use_their_ids() -> None:
    items = read_feed(json_feed({"id": "https://example.org/1", "title": "a"}, {"id": "2", "title": "b"})).items
    assert [item.url for item in items] == ["https://example.org/1", None]


def test_a_description_beside_the_whole_content() -> None:
    namespace = ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    data = rss(
        "<item><description>Short</description><content:encoded>&lt;p&gt;Long</content:encoded></item>", namespace
    )
    (item,) = read_feed(data).items
    assert (item.description, item.content) == ("Short", "Long")


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ("<guid>https://example.org/g</guid>", "https://example.org/g"),
        ('<guid isPermaLink="false">https://example.org/g</guid>', None),
        ('<guid isPermaLink="false">g</guid><link> https://example.org/l </link>', "https://example.org/l"),
        ("<link>/here</link>", "https://example.org/here"),
        ("<link>http://[broken</link>", None),
    ],
)
def test_the_url_of_an_item(item: str, url: str | None) -> None:
    assert read_feed(rss(f"<item><title>t</title>{item}</item>")).items[0].url == url


def test_relative_links_are_relative_to_the_base_or_the_feed() -> None:
    item = "<item><link>oak</link></item>"
    assert read_feed(rss(item, ' xml:base="https://a.org/x/"'), "https://b.org/f").items[0].url == "https://a.org/x/oak"
    assert read_feed(rss(item), "https://b.org/y/feed").items[0].url == "https://b.org/y/oak"


def test_the_original_url_of_feedburner_items_is_used() -> None:
    namespace = ' xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"'
    item = "<item><link>http://feeds.org/~r/1</link><feedburner:origLink>https://a.org/1</feedburner:origLink></item>"
    assert read_feed(rss(item, namespace)).items[0].url == "https://a.org/1"


@pytest.mark.parametrize(
    ("declared", "used"), [("utf-8", "latin-1"), ("bogus", "utf-8"), ("iso-8859-1", "latin-1"), ("utf-16", "utf-16")]
)
def test_correct_and_wrong_encoding_declarations(declared: str, used: str) -> None:
    text = rss("<item><title>café</title></item>").decode().replace('"1.0"', f'"1.0" encoding="{declared}"', 1)
    assert read_feed(text.encode(used)).items[0].title == "café"
    assert read_feed(text.encode(used), "https://example.org/feed").items[0].title == "café"


def test_one_broken_byte_does_not_change_the_encoding() -> None:
    data = rss(f"<item><title>Лес</title><description>{'Дерево и лес, сосна и дуб. ' * 20}</description></item>")
    assert read_feed(data.replace("Лес".encode(), "Лес".encode()[:-1])).items[0].title == "Ле\ufffd"


def test_a_truncated_feed_gives_its_complete_items() -> None:
    data = rss("<item><title>one</title></item><item><title>two")
    assert [item.title for item in read_feed(data[: data.index(b"two")]).items] == ["one"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the feed is empty"),
        (b" \n", "the feed is empty"),
        (rss(""), "the feed 'Trees' has no items"),
        (rss("", title=""), "the feed has no items"),
        (json_feed(), "the feed 'Trees' has no items"),
        (json_feed(items=None), "the feed 'Trees' has no items"),
        (b"Trees of the north", "neither XML nor JSON"),
        (b"\x89PNG\r\n\x1a\n\0\0", "neither XML nor JSON"),
        (b"<?xml version='1.0'?><opml><body/></opml>", "neither RSS nor Atom"),
        (b"<!DOCTYPE html><title>t</title><p>x", "an HTML page, not a feed, and it names no feed"),
        (
            b"<html><link rel=alternate type=application/rss+xml href=/f.xml>",
            "it names its feed, https://example.org/f.xml",
        ),
        (b'{"version": "1.0", "items": []}', "JSON, but not a JSON Feed"),
        (b"[1, 2]", "JSON, but not a JSON Feed"),
        (b'{"version": "https://jsonfeed', "not valid JSON: Unterminated string"),
        (b'{"a":' * 200_000, "not valid JSON: it is nested too deeply"),
        (b"<" * (MAX_FEED_BYTES + 1), "has 20 MB: duramen reads feeds of up to 20 MB"),
        (rss("<item><title>&#99999999999;</title></item>") + b"<", "feedparser cannot read it"),
    ],
    ids=range(17),
)
def test_data_that_is_no_feed_raises_one_sentence(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_feed(data, "https://example.org/")


def test_nested_entities_are_not_expanded() -> None:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    dtd = f'<!DOCTYPE rss [<!ENTITY l0 "lol">{entities}]>'.encode()
    data = rss("<item><title>t</title><description>&l9;</description></item>").replace(b"<rss", dtd + b"<rss", 1)
    start = time.process_time()
    assert len(read_feed(data).items[0].description) < 100
    assert time.process_time() - start < 5


def test_entities_do_not_read_files() -> None:
    dtd = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "file://{__file__}">]>'.encode()
    data = rss("<item><title>a&x;b</title></item>").replace(b"<rss", dtd + b"<rss", 1)
    assert "Feeds" not in read_feed(data).items[0].title


def test_without_feedparser_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "feedparser", None)
    with pytest.raises(MissingExtraError, match=r"duramen\[feeds\]"):
        read_feed(RSS_2)
    assert read_feed(json_feed({"title": "JSON needs none"})).items


def page(url: str | None, head: str = "") -> Page:
    return Page.parse(f"<html><head><title>t</title>{head}</head><body><p>x</body></html>", url)


def items(*urls: str | None) -> list[FeedItem]:
    return [FeedItem(url, title=str(number)) for number, url in enumerate(urls)]


def matched(urls: list[str | None], *pages: Page) -> list[str | None]:
    return [item.title if item else None for item in match_items(items(*urls), pages)]


def test_pages_get_the_items_with_their_urls() -> None:
    pages = [page("http://a.org/2/"), page("https://a.org/1#top"), page(None), page("https://a.org/3")]
    assert matched(["https://a.org/1", None, "https://a.org/2?utm_medium=rss"], *pages) == ["2", "0", None, None]


def test_the_canonical_link_is_used_if_the_url_does_not_match() -> None:
    canonical = "<link rel='canonical' href='/story'>"
    assert matched(["https://a.org/story"], page("https://a.org/amp/1", canonical)) == ["0"]
    assert matched(["https://a.org/story"], page(None, "<meta property=og:url content=http://a.org/story>")) == ["0"]
    own, other = page("https://a.org/story"), page("https://a.org/amp", canonical)
    assert matched(["https://a.org/story"], other, own) == [None, "0"]


def test_www_and_index_files_are_ignored_last() -> None:
    assert matched(["https://a.org/x"], page("https://www.a.org/x/index.html")) == ["0"]
    pages = [page("https://www.a.org/x"), page("https://a.org/x")]
    assert matched(["https://a.org/x"], *pages) == [None, "0"]
    assert matched(["https://a.org/x", "https://www.a.org/x"], *pages) == ["1", "0"]


def test_a_url_without_a_host_is_matched_by_its_path() -> None:
    assert matched(["https://a.org/x"], page("/x/")) == ["0"]
    assert matched(["/x"], page("https://a.org/x")) == ["0"]
    assert matched(["/x", "/y"], page("/y"), page("/x")) == ["1", "0"]
    assert matched(["https://b.org/x"], page("https://a.org/x")) == [None]


def test_an_item_is_given_to_one_page_only() -> None:
    twice = [page("http://a.org/x"), page("https://a.org/x")]
    assert matched(["https://a.org/x"], *twice) == ["0", None]
    assert matched(["https://a.org/x", "https://a.org/x?utm_id=2", "https://a.org/x#3"], *twice) == ["0", "1"]


def test_broken_urls_match_nothing() -> None:
    assert matched(["http://[x"], page("http://[x", "<link rel=canonical href='http://[x'>")) == [None]


def test_matching_takes_linear_time() -> None:
    pages = [page(f"https://a.org/{number}") for number in range(3_000)]
    start = time.process_time()
    found = matched([f"http://a.org/{number}/" for number in reversed(range(3_000))], *pages)
    assert found[:2] == ["2999", "2998"]
    assert time.process_time() - start < 5
