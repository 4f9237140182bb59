"""Read feeds, and match their items with saved pages.

RSS 2.0, RSS 1.0 and Atom are parsed by `feedparser`, which knows their dialects and common errors; JSON Feed is parsed
by the standard library. Markup in titles and descriptions is converted to visible text.

Items and pages are matched by URL. One page has many URLs: with http or https, with or without a final slash, with
tracking parameters. Differences that never matter are removed first (`urls.normalize_url`). Those that matter now and
then, `www.` and `index.html`, are removed only for what is still unmatched; the same holds for the URLs that a page
declares itself.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from duramen import output, xpath
from duramen.dom.encoding import decode, find_encoding, replace_lone_surrogates
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.dom.urls import NormalizedUrl, join_url, normalize_url
from duramen.errors import InputError, MissingExtraError

MAX_FEED_BYTES = 20_000_000
"""Larger feeds are refused: they are archives or mistakes."""

_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_XML_DECLARATION = re.compile(rb"<\?xml\b[^>]*>")
_FEED_LINKS = (
    "//link[@href and (@type='application/rss+xml' or @type='application/atom+xml' or @type='application/feed+json')]"
    "/@href"
)
_CANONICAL_LINK = "//link[contains(concat(' ', normalize-space(@rel), ' '), ' canonical ')]/@href"
_OPEN_GRAPH_URL = "//meta[@property='og:url']/@content"
_INDEX_FILE = re.compile(r"/index\.(?:html?|php)$", re.IGNORECASE)


@dataclass(frozen=True)
class FeedItem:
    """One item of a feed; missing values are None for `url` and `published`, and '' for texts."""

    url: str | None
    title: str = ""
    description: str = ""
    published: datetime | None = None
    author: str = ""
    content: str = ""
    """The full text, if the feed has it."""


@dataclass(frozen=True)
class Feed:
    """A feed: its title and its items in order."""

    title: str
    items: tuple[FeedItem, ...]
    url: str | None = None


def read_feed(data: bytes, url: str | None = None) -> Feed:
    """Read RSS, Atom or JSON Feed. `url` is the URL of the feed; relative links are resolved against it.

    Raises `InputError` if the data is not a feed or has no items.
    """
    if len(data) > MAX_FEED_BYTES:
        raise InputError(
            f"the feed has {len(data) / 1e6:.0f} MB: duramen reads feeds of up to {MAX_FEED_BYTES / 1e6:.0f} MB"
        )
    if not data.strip():
        raise InputError("the feed is empty: there is nothing in it")
    is_json = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    feed = _read_json(data, url) if is_json else _read_xml(data, url)
    if not feed.items:
        raise InputError(f"the feed {feed.title!r} has no items" if feed.title else "the feed has no items")
    return feed


def _read_xml(data: bytes, url: str | None) -> Feed:
    try:
        import feedparser
    except ImportError:
        raise MissingExtraError("feedparser", "feeds") from None
    headers = {"content-type": "application/xml; charset=utf-8"} | ({"content-location": url} if url else {})
    options = {"response_headers": headers, "sanitize_html": False, "resolve_relative_uris": False}
    try:
        # Pass a stream: feedparser would fetch a string that looks like a URL.
        parsed = feedparser.parse(BytesIO(_convert_to_utf8(data)), **options)
    except Exception as error:  # feedparser's handlers raise many types, from OverflowError to KeyError
        raise InputError(f"the feed is broken, and feedparser cannot read it: {error}") from error
    if not parsed.get("version"):
        raise InputError(_explain_no_feed(data, url))
    home = _resolve(parsed.feed.get("link"), url)
    items = (_parse_xml_item(entry, url or home, parsed.version.startswith("atom")) for entry in parsed.entries)
    return Feed(_parse_text(parsed.feed.get("title_detail")), tuple(filter(_has_values, items)), url)


def _convert_to_utf8(data: bytes) -> bytes:
    """Convert a feed to UTF-8: feedparser guesses badly if a byte is broken or the declared encoding is wrong."""
    encoding = find_encoding(data)
    if encoding == "utf-8":  # perhaps only because it is declared: check without the declaration
        encoding = find_encoding(_XML_DECLARATION.sub(b"", data, count=1))
    return decode(data, encoding).encode()


def _parse_xml_item(entry: Mapping[str, Any], base: str | None, is_atom: bool) -> FeedItem:
    # FeedBurner's links go through its own counter; the URL of the page is in a separate field.
    url = entry.get("feedburner_origlink") or entry.get("link")
    # For RSS, feedparser uses the guid if it is a permanent link. Atom's id is a URI, often the URL of the page.
    url = url or (_web_url(entry.get("id")) if is_atom else None)
    content = _parse_text(next(iter(entry.get("content") or ()), None))
    time = entry.get("published_parsed")
    if time is None and "updated_parsed" in entry:  # feedparser warns if a missing value is read
        time = entry["updated_parsed"]
    return FeedItem(
        _resolve(url, base),
        _parse_text(entry.get("title_detail")),
        _parse_text(entry.get("summary_detail")) or content,
        _make_date(*time[:6]) if time else None,
        _normalize_space(entry.get("author")),
        content,
    )


def _explain_no_feed(data: bytes, url: str | None) -> str:
    """Say what the data is if it is not a feed."""
    if _HTML_START.match(data):
        feeds = [_resolve(href, url) for href in xpath.select_strings(Tree.parse(data), _FEED_LINKS)]
        hint = f": it names its feed, {feeds[0]}" if feeds else ", and it names no feed"
        return f"this is an HTML page, not a feed{hint}"
    if data.lstrip().startswith(b"<"):
        return "this is markup, but neither RSS nor Atom"
    return "this is neither XML nor JSON: RSS, Atom or JSON Feed is wanted"


def _read_json(data: bytes, url: str | None) -> Feed:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"the feed is not valid JSON: {why}") from None
    if not isinstance(parsed, dict) or not str(parsed.get("version", "")).startswith("https://jsonfeed.org/version/"):
        raise InputError("this is JSON, but not a JSON Feed: its version is no address at jsonfeed.org")
    entries = parsed.get("items")
    base = url or _string(parsed.get("feed_url")) or _string(parsed.get("home_page_url"))
    entries = entries if isinstance(entries, list) else []
    items = [_parse_json_item(entry, base) for entry in entries if isinstance(entry, dict)]
    return Feed(_normalize_space(parsed.get("title")), tuple(filter(_has_values, items)), url)


def _parse_json_item(entry: Mapping[str, Any], base: str | None) -> FeedItem:
    authors = entry.get("authors") if isinstance(entry.get("authors"), list) else [entry.get("author")]
    names = [_normalize_space(author.get("name")) for author in authors or () if isinstance(author, dict)]
    content = _normalize_space(entry.get("content_text")) or _html_to_text(_string(entry.get("content_html")))
    return FeedItem(
        _resolve(_string(entry.get("url")) or _web_url(entry.get("id")), base),
        _normalize_space(entry.get("title")),
        _normalize_space(entry.get("summary")) or content,
        _parse_iso_date(_string(entry.get("date_published"))),
        ", ".join(filter(None, names)),
        content,
    )


def _has_values(item: FeedItem) -> bool:
    return bool(item.url or item.title or item.description)


def _parse_text(detail: Mapping[str, Any] | None) -> str:
    """Convert a text construct of feedparser, a value and its type, to plain text."""
    if not detail:
        return ""
    value = _string(detail.get("value"))
    return _normalize_space(value) if detail.get("type") == "text/plain" else _html_to_text(value)


def _html_to_text(html: str) -> str:
    if "<" not in html and "&" not in html:
        return _normalize_space(html)
    tree = Tree.parse(html)
    return _normalize_space(output.write_text(tree, (range(len(tree)),), output.OutputOptions()))


def _normalize_space(value: object) -> str:
    return " ".join(_string(value).split())


def _string(value: object) -> str:
    """Return the value if it is a string, else ''; lone surrogates, which JSON may hold, become U+FFFD."""
    return replace_lone_surrogates(value) if isinstance(value, str) else ""


def _web_url(value: object) -> str:
    return value if isinstance(value, str) and re.match("https?://", value, re.IGNORECASE) else ""


def _resolve(url: str | None, base: str | None) -> str | None:
    return join_url(base, url) if url and url.strip() else None


def _make_date(*parts: int) -> datetime | None:
    try:
        return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:  # a second 60, a year 0
        return None


def _parse_iso_date(value: str) -> datetime | None:
    try:
        date = datetime.fromisoformat(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def match_items(items: Iterable[FeedItem], pages: Sequence[Page]) -> tuple[FeedItem | None, ...]:
    """Return for each page its item, or None. An item is given to one page only, the first in order."""
    matches: list[FeedItem | None] = [None] * len(pages)
    unmatched = [(item, url) for item in items if item.url and (url := normalize_url(item.url))]
    declared_urls: dict[int, list[NormalizedUrl]] = {}
    for key in (_exact, _without_www, _without_index_file):
        unmatched = _pair_by_url(unmatched, matches, lambda index: _own_url(pages[index]), key)
        # Finding the declared URLs takes longer than reading `page.url`, so it is done only for pages without a match.
        for index, item in enumerate(matches):
            if item is None and index not in declared_urls:
                declared_urls[index] = _find_declared_urls(pages[index])
        unmatched = _pair_by_url(unmatched, matches, declared_urls.__getitem__, key)
    _pair_by_url(unmatched, matches, lambda index: _own_url(pages[index]), _path_only, one_without_host=True)
    return tuple(matches)


def _pair_by_url(
    items: list[tuple[FeedItem, NormalizedUrl]],
    matches: list[FeedItem | None],
    urls_of_page: Callable[[int], list[NormalizedUrl]],
    key: Callable[[NormalizedUrl], NormalizedUrl],
    one_without_host: bool = False,
) -> list[tuple[FeedItem, NormalizedUrl]]:
    """Give items to pages without one if the keys of their URLs are equal; return the items left over.

    With `one_without_host`, pair only if exactly one of the two URLs has a host.
    """
    pages_by_key: defaultdict[tuple[NormalizedUrl, bool], deque[int]] = defaultdict(deque)
    for index, match in enumerate(matches):
        if match is None:
            for url in urls_of_page(index):
                pages_by_key[key(url), one_without_host and not url.host].append(index)
    left: list[tuple[FeedItem, NormalizedUrl]] = []
    for item, url in items:
        candidates = pages_by_key.get((key(url), one_without_host and bool(url.host)), deque())
        while candidates and matches[candidates[0]] is not None:
            candidates.popleft()
        if candidates:
            matches[candidates.popleft()] = item
        else:
            left.append((item, url))
    return left


def _own_url(page: Page) -> list[NormalizedUrl]:
    url = normalize_url(page.url) if page.url else None
    return [url] if url else []


def _find_declared_urls(page: Page) -> list[NormalizedUrl]:
    """Return the canonical URL and the Open Graph URL that the page declares."""
    urls: list[NormalizedUrl] = []
    for href in (
        xpath.select_strings(page.tree, _CANONICAL_LINK)[:1] + xpath.select_strings(page.tree, _OPEN_GRAPH_URL)[:1]
    ):
        joined = join_url(page.base, href)
        url = normalize_url(joined) if joined is not None else None
        if url and url not in urls:
            urls.append(url)
    return urls


def _exact(url: NormalizedUrl) -> NormalizedUrl:
    return url


def _without_www(url: NormalizedUrl) -> NormalizedUrl:
    return url._replace(host=url.host.removeprefix("www."))


def _without_index_file(url: NormalizedUrl) -> NormalizedUrl:
    return _without_www(url)._replace(path=_INDEX_FILE.sub("", url.path))


def _path_only(url: NormalizedUrl) -> NormalizedUrl:
    return _without_index_file(url)._replace(host="")
