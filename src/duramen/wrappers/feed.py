"""What a site's feed says of its pages: address, title and description, in the words of those who wrote them.

RSS 2.0, RSS 1.0 and Atom are read by `feedparser`, which knows their dialects and their mistakes; JSON Feed by the
standard library. Markup in titles and descriptions becomes the text that a reader would see, by way of a Tree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from urllib.parse import urljoin

from duramen import output, xpath
from duramen.dom.encoding import decode, find_encoding
from duramen.dom.tree import Tree
from duramen.errors import InputError, MissingExtraError
from duramen.wrappers.addresses import match

__all__ = ["MAX_BYTES", "Feed", "FeedItem", "match", "read_feed"]

MAX_BYTES = 20_000_000
"""Feeds larger than this are refused: they are somebody's archive, or a mistake."""

_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_DECLARATION = re.compile(rb"<\?xml\b[^>]*>")
_OFFERED = (
    "//link[@href and (@type='application/rss+xml' or @type='application/atom+xml' or @type='application/feed+json')]"
    "/@href"
)


@dataclass(frozen=True)
class FeedItem:
    """One item; `url` and `published` are None and the texts are '' where the feed is silent."""

    url: str | None
    title: str = ""
    description: str = ""
    published: datetime | None = None
    author: str = ""
    content: str = ""
    """The whole text, where the feed carries it beside or instead of a description."""


@dataclass(frozen=True)
class Feed:
    """The items of a feed, in its order."""

    title: str
    items: tuple[FeedItem, ...]
    url: str | None = None


def read_feed(data: bytes, url: str | None = None) -> Feed:
    """Read RSS, Atom or JSON Feed. `url` is where it came from: relative links are relative to it.

    Raises `InputError` where there is no feed to read, or one without items.
    """
    if len(data) > MAX_BYTES:
        raise InputError(
            f"the feed has {len(data) / 1e6:.0f} MB: duramen reads up to {MAX_BYTES / 1e6:.0f} MB of a feed"
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
        # A stream, since feedparser would open what looks like an address.
        found = feedparser.parse(BytesIO(_as_utf8(data)), **options)
    except Exception as error:  # whatever its handlers run into, from OverflowError to KeyError
        raise InputError(f"the feed is broken, and feedparser stumbles over it: {error}") from error
    if not found.get("version"):
        raise InputError(_what_else(data, url))
    home = _resolve(found.feed.get("link"), url)
    items = (_xml_item(entry, url or home, found.version.startswith("atom")) for entry in found.entries)
    return Feed(_text(found.feed.get("title_detail")), tuple(item for item in items if _says_something(item)), url)


def _as_utf8(data: bytes) -> bytes:
    """The same text in UTF-8: feedparser guesses boldly where a byte is broken or the declared encoding is wrong."""
    encoding = find_encoding(data)
    if encoding == "utf-8":  # perhaps by its own word alone: see whether that is so
        encoding = find_encoding(_DECLARATION.sub(b"", data, count=1))
    return decode(data, encoding).encode()


def _xml_item(entry: Mapping[str, Any], base: str | None, atom: bool) -> FeedItem:
    # FeedBurner's links go through its own counter; the page's address stands beside them.
    address = entry.get("feedburner_origlink") or entry.get("link")
    # Of RSS's guid, feedparser knows whether it is a permanent link. Atom's id is an address, perhaps the page's.
    address = address or (_web_address(entry.get("id")) if atom else None)
    content = _text(next(iter(entry.get("content") or ()), None))
    when = entry.get("published_parsed")
    if when is None and "updated_parsed" in entry:  # asked for by name where it is missing, feedparser warns
        when = entry["updated_parsed"]
    return FeedItem(
        _resolve(address, base),
        _text(entry.get("title_detail")),
        _text(entry.get("summary_detail")) or content,
        _date(*when[:6]) if when else None,
        _tidy(entry.get("author")),
        content,
    )


def _what_else(data: bytes, url: str | None) -> str:
    """What bytes are that are no feed."""
    if _HTML.match(data):
        offered = [_resolve(href, url) for href in xpath.strings(Tree.parse(data), _OFFERED)]
        named = f": it names its feed, {offered[0]}" if offered else ", and it names no feed"
        return f"this is an HTML page, not a feed{named}"
    if data.lstrip().startswith(b"<"):
        return "this is markup, but neither RSS nor Atom"
    return "this is neither XML nor JSON: RSS, Atom or JSON Feed is wanted"


def _read_json(data: bytes, url: str | None) -> Feed:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        why = "it nests too deep" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"the feed is not sound JSON: {why}") from None
    if not isinstance(found, dict) or not str(found.get("version", "")).startswith("https://jsonfeed.org/version/"):
        raise InputError("this is JSON, but not a JSON Feed: its version is no address at jsonfeed.org")
    entries = found.get("items")
    base = url or _string(found.get("feed_url")) or _string(found.get("home_page_url"))
    entries = entries if isinstance(entries, list) else []
    items = [_json_item(entry, base) for entry in entries if isinstance(entry, dict)]
    return Feed(_tidy(found.get("title")), tuple(filter(_says_something, items)), url)


def _json_item(entry: Mapping[str, Any], base: str | None) -> FeedItem:
    authors = entry.get("authors") if isinstance(entry.get("authors"), list) else [entry.get("author")]
    names = [_tidy(author.get("name")) for author in authors or () if isinstance(author, dict)]
    content = _tidy(entry.get("content_text")) or _html_text(_string(entry.get("content_html")))
    return FeedItem(
        _resolve(_string(entry.get("url")) or _web_address(entry.get("id")), base),
        _tidy(entry.get("title")),
        _tidy(entry.get("summary")) or content,
        _iso_date(_string(entry.get("date_published"))),
        ", ".join(filter(None, names)),
        content,
    )


def _says_something(item: FeedItem) -> bool:
    return bool(item.url or item.title or item.description)


def _text(detail: Mapping[str, Any] | None) -> str:
    """A text construct of feedparser's: its value and whether that is markup."""
    if not detail:
        return ""
    value = _string(detail.get("value"))
    return _tidy(value) if detail.get("type") == "text/plain" else _html_text(value)


def _html_text(html: str) -> str:
    if "<" not in html and "&" not in html:
        return _tidy(html)
    tree = Tree.parse(html)
    return _tidy(output.write_text(tree, (range(len(tree)),), output.Options()))


def _tidy(value: object) -> str:
    return " ".join(_string(value).split())


def _string(value: object) -> str:
    """The value if it is a string, with half surrogate pairs, which JSON can hold, made visible."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _web_address(value: object) -> str:
    return value if isinstance(value, str) and re.match("https?://", value, re.IGNORECASE) else ""


def _resolve(address: str | None, base: str | None) -> str | None:
    if not address or not address.strip():
        return None
    try:
        return urljoin(base or "", address.strip())
    except ValueError:  # "http://[broken"
        return None


def _date(*parts: int) -> datetime | None:
    try:
        return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:  # a second 60, a year 0: not worth an error
        return None


def _iso_date(value: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
