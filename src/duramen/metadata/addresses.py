"""What the page's address says: a date in its path, words of its title in the last part, the site in its host."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from duramen.metadata.claims import Claim

SOURCE: Final = "url"

_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_NAMED = re.compile(
    r"/(?P<year>(?:19|20)\d\d)/(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
    r"/(?P<day>0?[1-9]|[12]\d|3[01])(?=/|$)",
    re.IGNORECASE,
)
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = re.compile(r"/((?:19|20)\d\d)[/_-](0?[1-9]|1[0-2])(?:/|$)")
_SECOND_LEVEL: Final = frozenset("co com org net ac gov edu or ne go".split())


def host_of(address: str | None) -> str:
    """The host in lower case, without `www.`; '' where there is none."""
    try:
        host = urlsplit(address or "").hostname or ""
    except ValueError:  # "http://[broken"
        return ""
    return host.removeprefix("www.")


@lru_cache(maxsize=256)
def brand_of(host: str) -> str:
    """The part of a host that is the site's name: `bbc` of `news.bbc.co.uk`."""
    parts = host.split(".")[:-1]
    while len(parts) > 1 and parts[-1] in _SECOND_LEVEL:
        parts.pop()
    return parts[-1].replace("-", "") if parts else ""


def path_of(address: str | None) -> str:
    """The path of an address, `/` at least; '' where there is no address."""
    try:
        parts = urlsplit(address or "")
    except ValueError:  # "http://[broken"
        return ""
    return unquote(parts.path) or ("/" if parts.netloc else "")


def date_in(path: str) -> Claim | None:
    """The day that the path of an address names: `/2024/05/17/`, `/20240517-`, `/2024/may/17/`."""
    numbers = [(year, month, day) for year, _, month, day in _DAY.findall(path)]
    numbers += [(year, _MONTHS.index(month.lower()) + 1, day) for year, month, day in _NAMED.findall(path)]
    for year, month, day in numbers:
        try:
            return Claim(date(int(year), int(month), int(day)).isoformat(), SOURCE)
        except ValueError:  # the 31st of February is a number in the path, not a date
            continue
    return None


def month_in(path: str) -> tuple[int, int] | None:
    """The year and the month that the path of an address names."""
    match = _MONTH.search(path)
    return (int(match[1]), int(match[2])) if match else None
