"""What a reader may ask of an output, and the addresses that it may then hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

# Browsers drop these from an address before they read it: "java\nscript:" is a scheme to them.
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SAFE_SCHEMES = frozenset("http https ftp mailto tel sms news magnet irc ircs xmpp geo doi".split())

# Where scripts that load pictures late keep the address; the first that is there counts.
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-hi-res-src")
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(
    r"^(?:data:|about:)|(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|loading|lazy|1x1|grey|gray)\b", re.I
)


@dataclass(frozen=True)
class Options:
    """Links and images are left out unless asked for; `base` is the address that relative ones are resolved against."""

    links: bool = False
    images: bool = False
    base: str | None = None


def address(value: str | None, base: str | None) -> str | None:
    """An address that is safe to write, or None: a scheme that runs code or hides data in it is no address."""
    if not value:
        return None
    value = value.strip()
    scheme = _SCHEME.match(_IGNORED.sub("", value))
    if scheme and scheme[1].lower() not in _SAFE_SCHEMES:
        return None
    value = re.sub(r"[\x00-\x1f\x7f]+", "", value)
    if base:
        try:
            value = urljoin(base, value)
        except ValueError:  # "http://[broken": the page's own slip; as it stands it is still what the page says
            return value or None
    return value or None


def picture(attributes: Mapping[str, str | None], base: str | None) -> str | None:
    """The address of an image: `src`, or what a late-loading script would put there when `src` is a stand-in.

    A `data:` address is no address: nearly all are stand-ins, and the rest would drown the text.
    """
    source = (attributes.get("src") or "").strip()
    if not source or _PLACEHOLDER.search(source):
        lazy = next((found for name in _LAZY if (found := attributes.get(name))), None)
        if lazy is None:
            candidates = next((found for name in _LAZY_SETS if (found := attributes.get(name))), "")
            lazy = next(iter(candidates.split()), None)
        source = lazy or source
    return address(source, base)
