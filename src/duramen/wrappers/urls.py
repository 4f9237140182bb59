"""URLs in normal form, and the site that a URL belongs to."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

_TRACKING_PARAMETER = re.compile(
    r"utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|_hs\w+|ns_\w+|at_\w+|wt_\w+|fbclid|gclid|gclsrc|dclid|wbraid|gbraid|msclkid|yclid"
    r"|twclid|igshid|mc_[ce]id|_ga|_gl|cmpid|ocid|ncid|s_cid|xtor|sh",
    re.IGNORECASE,
)
_FEED_VALUES = frozenset(["rss", "feed", "atom"])  # ?source=rss
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class NormalizedUrl(NamedTuple):
    """A URL without the parts that never distinguish two pages. The host of a relative URL is ''."""

    host: str
    path: str
    query: str


def normalize_url(url: str) -> NormalizedUrl | None:
    """Drop scheme, default port, final slash, fragment and tracking parameters; None for what is not a web URL."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:  # "http://[broken", "http://host:port"
        return None
    if parts.scheme not in ("http", "https", ""):
        return None
    host = (parts.hostname or "").rstrip(".")
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError:
            return None
    if port is not None and port != _DEFAULT_PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    query = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _TRACKING_PARAMETER.fullmatch(name) and value.lower() not in _FEED_VALUES
    ]
    return NormalizedUrl(host, _escape_path(parts.path).rstrip("/"), urlencode(sorted(query)))


def find_site_name(url: str | None) -> str | None:
    """Return the last two parts of the host name; three where the last two are as short as "co.uk"."""
    try:
        host = urlsplit(url or "").hostname
    except ValueError:  # "http://[broken"
        return None
    if not host or host.replace(".", "").isdigit():
        return host
    labels = host.split(".")
    is_short_suffix = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3:] if is_short_suffix else labels[-2:])


def join_url(base: str | None, url: str) -> str | None:
    """Make a URL absolute; None if it cannot be parsed."""
    try:
        return urljoin(base or "", url.strip())
    except ValueError:  # "http://[broken"
        return None


def _escape_path(path: str) -> str:
    """Use percent escapes only where they are needed, in capitals."""

    def unescape(match: re.Match[str]) -> str:
        byte = int(match[1], 16)
        return chr(byte) if byte in _UNRESERVED else match[0].upper()

    return quote(_ESCAPE.sub(unescape, path), safe="%/:@!$&'()*+,;=~")
