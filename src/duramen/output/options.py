"""Options of the outputs, and the addresses of links and images that are safe to write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

# Browsers drop these characters before they read an address: "java\nscript:" is a scheme to them.
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20\x7f]+")
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]+")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SAFE_SCHEMES = frozenset("http https ftp mailto tel sms news magnet irc ircs xmpp geo doi".split())

# Attributes in which lazy-loading scripts keep the address of an image, in order of preference.
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-hi-res-src")
_LAZY_SOURCE_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(
    r"^(?:data:|about:)|(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|loading|lazy|1x1|grey|gray)\b", re.I
)


@dataclass(frozen=True)
class OutputOptions:
    """What to write besides text: links, images. `base` is the address that relative addresses are resolved against."""

    links: bool = False
    images: bool = False
    base: str | None = None


def resolve_safe_url(url: str | None, base: str | None) -> str | None:
    """Return an absolute address that is safe to write; None for schemes that run code or embed data."""
    if not url:
        return None
    url = url.strip()
    scheme = _SCHEME.match(_IGNORED_BY_BROWSERS.sub("", url))
    if scheme and scheme[1].lower() not in _SAFE_SCHEMES:
        return None
    url = _CONTROL_CHARACTERS.sub("", url)
    if base:
        try:
            url = urljoin(base, url)
        except ValueError:  # "http://[broken": written as the page has it
            return url or None
    return url or None


def find_image_url(attributes: Mapping[str, str | None], base: str | None) -> str | None:
    """Return the address of an image: `src`, or the lazy-loading attribute where `src` is a placeholder.

    `data:` addresses are dropped: nearly all are placeholders, and the others would drown the text.
    """
    url = (attributes.get("src") or "").strip()
    if not url or _PLACEHOLDER.search(url):
        lazy = next((value for name in _LAZY_SOURCES if (value := attributes.get(name))), None)
        if lazy is None:
            source_set = next((value for name in _LAZY_SOURCE_SETS if (value := attributes.get(name))), "")
            lazy = next(iter(source_set.split()), None)
        url = lazy or url
    return resolve_safe_url(url, base)
