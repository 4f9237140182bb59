"""Questions about URLs: the absolute and the normal form, host, site and path, and whether it is safe to write."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from unicodedata import category
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit

_TRACKING_PARAMETER = re.compile(
    r"utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|_hs\w+|ns_\w+|at_\w+|wt_\w+|fbclid|gclid|gclsrc|dclid|wbraid|gbraid|msclkid|yclid"
    r"|twclid|igshid|mc_[ce]id|_ga|_gl|cmpid|ocid|ncid|s_cid|xtor|sh",
    re.IGNORECASE,
)
_FEED_VALUES = frozenset(["rss", "feed", "atom"])  # ?source=rss
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

# Browsers drop these characters before they parse a URL: they read "java\nscript:" as a scheme.
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20\x7f]+")
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]+")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Browsers accept any number of slashes and backslashes before a host.
_HOST = re.compile(r"(?:https?|ftp):[/\\]*+([^/\\?#]*+)", re.IGNORECASE)
# Characters that no host has by the URL standard. U+FFFD is where bytes could not be decoded.
_IMPOSSIBLE_IN_HOST = re.compile(r"[\ufffd<>^|]")
_NEVER_ASSIGNED = frozenset(["Cn", "Co", "Cs"])
_SAFE_SCHEMES = frozenset("http https ftp mailto tel sms news magnet irc ircs xmpp geo doi".split())

# A URL that can be split at its punctuation: no user, no port, no escapes, nothing to strip.
_PLAIN_URL = re.compile(r"https?://([A-Za-z0-9._-]++)((?:/[!\"$&->@-~]*+)?+)(?:[?#][!-~]*+)?+")
# An absolute URL that `urljoin` returns as it is: no dots to resolve in its path.
_ABSOLUTE_URL = re.compile(
    r"https?://[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)*+(?:/(?!\.)[!\"$-.0->@-~]*+)++(?:\?[!\"$-~]++)?+(?:#[!-~]++)?+"
)
# A relative URL that `urljoin` only appends to its base: it has no `.` or `..` to resolve, and no scheme.
_PLAIN_RELATIVE_URL = re.compile(
    r"/?+(?:[A-Za-z0-9_~%!$&'()*+,@=-][A-Za-z0-9_~%!$&'()*+,@=.-]*+(?:/(?![/.])|/?+\Z|(?=\?)))++"
    r"(?:\?[A-Za-z0-9_~%!$&'()*+,@=./-]++)?+"
)
_PAGE_SUFFIX = re.compile(r"\.(?:html|htm|xhtml)(?:\.gz)?$", re.IGNORECASE)
_MAX_NAME_CHARS: Final = 60
"""Of a file name made from a URL: at most 240 bytes, and file systems allow 255."""
_SECOND_LEVEL_DOMAINS: Final = frozenset("co com org net ac gov edu or ne go".split())
# The hosts and paths of forums and of their software. `/topic/coffee` is more often a topic of a news site or of an
# encyclopedia than of a forum.
_FORUM = re.compile(
    r"//(?:[^/?#@]*\.)?(?:[\w-]*forums?|communit(?:y|ies)|discuss(?:ions?)?|discourse|bbs|boards?|reddit|lemmy)\."
    r"|viewtopic|viewthread|showthread|showtopic|[?&]topic=\d|/threads?[/.-]|/forums?[/.]|/topic/\d|/t/[^/?]+/\d"
    r"|/discussions?/",
    re.IGNORECASE | re.ASCII,
)


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
    url = url.strip()
    try:
        if _PLAIN_RELATIVE_URL.fullmatch(url):  # `urljoin` takes ten times as long
            return _find_bases(base or "")[url[0] == "/"] + url
        return urljoin(base or "", url)
    except ValueError:  # "http://[broken"
        return None


@lru_cache(maxsize=64)  # a page has one base
def _find_bases(base: str) -> tuple[str, str]:
    """Return what `urljoin` puts before plain relative URLs.

    The first is for URLs that do not start with a slash, the second for those that do.
    """
    return urljoin(base, "x")[:-1], urljoin(base, "/x")[:-2]


def make_absolute(url: str, base: str | None) -> str:
    """Make a URL absolute; one that cannot be parsed stays as it is."""
    absolute = join_url(base, url)
    return url if absolute is None else absolute


def resolve_safe_url(url: str | None, base: str | None) -> str | None:
    """Return an absolute URL that is safe to write; None if it runs code, embeds data or has an impossible host."""
    if not url:
        return None
    if _ABSOLUTE_URL.fullmatch(url):  # most URLs: nothing to resolve, and `urljoin` takes ten times as long
        return url
    url = url.strip()
    scheme = _SCHEME.match(_IGNORED_BY_BROWSERS.sub("", url))
    if scheme and scheme[1].lower() not in _SAFE_SCHEMES:
        return None
    absolute = make_absolute(_CONTROL_CHARACTERS.sub("", url), base)
    return None if _has_impossible_host(absolute) else absolute or None


def _has_impossible_host(url: str) -> bool:
    """Return whether no browser would look up the host of a URL.

    Such a URL leads nowhere, or only looks like one that leads somewhere else.
    """
    match = _HOST.match(url)
    if match is None:
        return False
    if _IMPOSSIBLE_IN_HOST.search(match[1]):
        return True
    if match[1].isascii():
        return False
    host = match[1].rpartition("@")[2].partition(":")[0]
    try:
        encoded = host.encode("idna").decode("ascii")
    except UnicodeError:  # a control character, a separator, or letters of both directions in one label
        return True
    return " " in encoded or ".." in encoded or any(category(character) in _NEVER_ASSIGNED for character in host)


def resolve_data_url(url: str | None, base: str | None) -> str:
    """Return the absolute URL of a link as data; "" for fragments, scripts and inline data.

    Unlike `resolve_safe_url` this keeps the schemes of apps, such as `whatsapp:`. Without them, 1 in 400 pages loses a
    column of its table.
    """
    url = (url or "").strip()
    if not url or url.startswith(("#", "javascript:", "data:")):
        return ""
    return url if _ABSOLUTE_URL.fullmatch(url) else make_absolute(url, base)


def split_host_and_path(url: str | None) -> tuple[str, str]:
    """Return the host in lower case without `www.`, and the path, at least `/`; '' for what the URL does not have."""
    url = url or ""
    if plain := _PLAIN_URL.fullmatch(url):  # nearly all URLs; `urlsplit` takes ten times as long
        return plain[1].lower().removeprefix("www."), plain[2] or "/"
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:  # "http://[broken"
        return "", ""
    return host.removeprefix("www."), unquote(parts.path) or ("/" if parts.netloc else "")


def brand_of_host(host: str) -> str:
    """Return the part of a host that names the site: `bbc` of `news.bbc.co.uk`."""
    labels = host.split(".")[:-1]
    while len(labels) > 1 and labels[-1] in _SECOND_LEVEL_DOMAINS:
        labels.pop()
    return labels[-1].replace("-", "") if labels else ""


def make_file_path(url: str) -> PurePosixPath:
    """Make a relative path of a URL's host and path; characters that a file system may not allow are replaced."""
    try:
        parts = urlsplit(url)
    except ValueError:  # a malformed host: fetching it reports that
        return PurePosixPath("address")
    path = _PAGE_SUFFIX.sub("", unquote(parts.path))
    segments = [parts.netloc.rpartition("@")[2], *path.split("/")]
    if path.endswith("/") or not path:
        segments.append("index")
    if parts.query:
        segments[-1] += f"-{unquote(parts.query)}"
    safe = [re.sub(r"[^\w.-]+", "-", segment).strip(".-")[:_MAX_NAME_CHARS] for segment in segments]
    return PurePosixPath(*[segment for segment in safe if segment] or ["address"])


def is_forum_url(url: str | None) -> bool:
    """Return whether a URL is that of a forum, by its host or its forum software."""
    return url is not None and _FORUM.search(url) is not None


def _escape_path(path: str) -> str:
    """Use percent escapes only where they are needed, in capitals."""

    def unescape(match: re.Match[str]) -> str:
        byte = int(match[1], 16)
        return chr(byte) if byte in _UNRESERVED else match[0].upper()

    return quote(_ESCAPE.sub(unescape, path), safe="%/:@!$&'()*+,;=~")
