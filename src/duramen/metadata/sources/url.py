"""The page's own URL as a source: a date in its path, the site in its host, the kind of page in its words."""

from __future__ import annotations

import re
from datetime import date
from typing import Final
from urllib.parse import unquote, urlsplit

from duramen.metadata.model import ARTICLE_URL, HOME_URL, OTHER_URL, SHOP_URL, UNKNOWN_URL, Claim
from duramen.metadata.text import word_key

URL: Final = "url"

# A URL that can be split at its punctuation: no user, no port, no escapes, nothing to strip.
_PLAIN_URL = re.compile(r"https?://([A-Za-z0-9._-]++)((?:/[!\"$&->@-~]*+)?+)(?:[?#][!-~]*+)?+")
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_NAMED_DAY = re.compile(
    r"/(?P<year>(?:19|20)\d\d)/(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
    r"/(?P<day>0?[1-9]|[12]\d|3[01])(?=/|$)",
    re.IGNORECASE,
)
_MONTH_NAMES: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = re.compile(r"/((?:19|20)\d\d)[/_-](0?[1-9]|1[0-2])(?:/|$)")
_FORUM = re.compile(
    r"//(?:www\.)?(?:forums?|community|discuss|discourse|bbs|boards?)\.|viewtopic|viewthread|showthread|showtopic"
    r"|[?&]topic=\d|/threads?[/.-]|/forums?/|/topic/\d|/t/[^/?]+/\d|/discussion/",
    re.IGNORECASE,
)
_SECOND_LEVEL_DOMAINS: Final = frozenset("co com org net ac gov edu or ne go".split())
_ARTICLE_WORDS: Final = frozenset(
    "blog blogs news article articles post posts story stories magazine insights journal press features opinion review"
    " reviews topic thread threads questions forum t p".split()
)
_SHOP_WORDS: Final = frozenset(
    "product products shop store collection collections category categories service services solutions pricing docs"
    " documentation wiki tag search api dp item tags".split()
)
_MAX_PATH_WORDS: Final = 8


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


def is_forum_url(url: str | None) -> bool:
    """Return whether a URL has the form of a forum's, by the host or the forum software."""
    return url is not None and _FORUM.search(url) is not None


def find_date(path: str) -> Claim | None:
    """Find the day in the path of a URL: `/2024/05/17/`, `/20240517-`, `/2024/may/17/`."""
    for year, _, month, day in _DAY.findall(path):
        if claim := _date_claim(int(year), int(month), int(day)):
            return claim
    for year, month, day in _NAMED_DAY.findall(path):
        if claim := _date_claim(int(year), _MONTH_NAMES.index(month.casefold()) + 1, int(day)):
            return claim
    return None


def _date_claim(year: int, month: int, day: int) -> Claim | None:
    try:
        return Claim(date(year, month, day).isoformat(), URL)
    except ValueError:  # the 31st of February is a number in the path, not a date
        return None


def find_month(path: str) -> tuple[int, int] | None:
    """Find the year and month in the path of a URL."""
    match = _MONTH.search(path)
    return (int(match[1]), int(match[2])) if match else None


def classify_path(path: str, month: tuple[int, int] | None) -> str:
    """Return the kind of page that the words of a path suggest, one of `URL_KINDS` or `UNKNOWN_URL`."""
    if not path:
        return UNKNOWN_URL
    if path == "/":
        return HOME_URL
    words = word_key(path.replace("_", " ")).split()[:_MAX_PATH_WORDS]
    if month or not _ARTICLE_WORDS.isdisjoint(words):
        return ARTICLE_URL
    return OTHER_URL if _SHOP_WORDS.isdisjoint(words) else SHOP_URL
