"""The page's own URL as a source: a date in its path, the kind of page in its words."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from duramen.dom.dates import MONTHS, month_number
from duramen.dom.text import word_key
from duramen.metadata.model import ARTICLE_URL, HOME_URL, OTHER_URL, SHOP_URL, UNKNOWN_URL, Claim

URL: Final = "url"

_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_NAMED_DAY = re.compile(
    rf"/(?P<year>(?:19|20)\d\d)/(?P<month>{'|'.join(month[:3] for month in MONTHS)})[a-z]{{0,6}}"
    r"/(?P<day>0?[1-9]|[12]\d|3[01])(?=/|$)",
    re.IGNORECASE,
)
_MONTH = re.compile(r"/((?:19|20)\d\d)[/_-](0?[1-9]|1[0-2])(?:/|$)")
_ARTICLE_WORDS: Final = frozenset(
    "blog blogs news article articles post posts story stories magazine insights journal press features opinion review"
    " reviews topic thread threads questions forum t p".split()
)
_SHOP_WORDS: Final = frozenset(
    "product products shop store collection collections category categories service services solutions pricing docs"
    " documentation wiki tag search api dp item tags".split()
)
_MAX_PATH_WORDS: Final = 8


def find_date(path: str) -> Claim | None:
    """Find the day in the path of a URL: `/2024/05/17/`, `/20240517-`, `/2024/may/17/`."""
    for year, _, month, day in _DAY.findall(path):
        if claim := _date_claim(int(year), int(month), int(day)):
            return claim
    for year, month, day in _NAMED_DAY.findall(path):
        if claim := _date_claim(int(year), month_number(month), int(day)):
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
