"""Feeds as lists of addresses: RSS, Atom and JSON Feed, read by `duramen.wrappers.feed`."""

from __future__ import annotations

import re

from duramen.batch.sources.sitemaps import root_of
from duramen.wrappers.feed import read_feed

_ROOTS = ("rss", "feed", "rdf")
_OPEN, _CLOSED = (b"<item", b"<entry"), (b"</item>", b"</entry>")
_END = re.compile(rb"</(?:[\w.-]+:)?(?:rss|feed|rdf)\s*>", re.IGNORECASE)
_TAIL = 4096
_JSON_FEED = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{(?=.{0,2000}?"https:\\?/\\?/jsonfeed\.org\\?/version\\?/)', re.DOTALL)


def is_feed(data: bytes) -> bool:
    """Whether the data looks like a feed, by its first element or its version."""
    return root_of(data) in _ROOTS or _JSON_FEED.match(data) is not None


def is_cut_off(data: bytes) -> bool:
    """Whether a feed in XML ends before its first element does. Of one in UTF-16 nothing is known."""
    return root_of(data) in _ROOTS and b"\0" not in data[:_TAIL] and _END.search(data[-_TAIL:]) is None


def addresses_of(data: bytes, url: str | None) -> list[tuple[int, str]]:
    """The addresses of a feed's items, with their numbers from 1; an `InputError` where it cannot be read.

    An item that is cut off is left out: its address may be.
    """
    items = read_feed(data, url).items
    if is_cut_off(data) and max(map(data.rfind, _OPEN)) > max(map(data.rfind, _CLOSED)):
        items = items[:-1]
    return [(number, item.url) for number, item in enumerate(items, 1) if item.url]
