"""Recognize feeds and sitemaps by the root element of their XML."""

from __future__ import annotations

import re

FEED_ROOTS = ("rss", "feed", "rdf")
SITEMAP_ROOTS = ("urlset", "sitemapindex")

_ROOT_ELEMENT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?><\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*+<(?:[\w.-]+:)?([\w.-]+)",
    re.DOTALL | re.IGNORECASE,
)


def find_root_element(head: bytes) -> str:
    """Return the name of the root element, in lower case and without prefix; '' if the data is not XML."""
    match = _ROOT_ELEMENT.match(head)
    return match[1].lower().decode("ascii", "replace") if match else ""
