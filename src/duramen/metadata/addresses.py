"""What the page's address says: a date in its path, words of its title in the last part, the site in its host."""

from __future__ import annotations

import re
from datetime import date
from typing import Final
from urllib.parse import unquote, urlsplit

from duramen.metadata.claims import NOWHERE, Claim
from duramen.metadata.options import NO_ADDRESS
from duramen.metadata.strings import key

URL: Final = "url"

# An address that is split where its marks stand: no user, no port, and nothing that is escaped or to be left out.
_PLAIN = re.compile(r"https?://([A-Za-z0-9._-]++)((?:/[!\"$&->@-~]*+)?+)(?:[?#][!-~]*+)?+")
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_NAMED = re.compile(
    r"/(?P<year>(?:19|20)\d\d)/(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
    r"/(?P<day>0?[1-9]|[12]\d|3[01])(?=/|$)",
    re.IGNORECASE,
)
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = re.compile(r"/((?:19|20)\d\d)[/_-](0?[1-9]|1[0-2])(?:/|$)")
_FORUM = re.compile(
    r"//(?:www\.)?(?:forums?|community|discuss|discourse|bbs|boards?)\.|viewtopic|viewthread|showthread|showtopic"
    r"|[?&]topic=\d|/threads?[/.-]|/forums?/|/topic/\d|/t/[^/?]+/\d|/discussion/",
    re.IGNORECASE,
)
_FORUM_WORDS: Final = ("forum", "community", "discuss", "discourse", "bbs", "board", "topic", "thread", "/t/")
_SECOND_LEVEL: Final = frozenset("co com org net ac gov edu or ne go".split())
_WRITTEN: Final = frozenset(
    "blog blogs news article articles post posts story stories magazine insights journal press features opinion review"
    " reviews topic thread threads questions forum t p".split()
)
_WARES: Final = frozenset(
    "product products shop store collection collections category categories service services solutions pricing docs"
    " documentation wiki tag search api dp item tags".split()
)


def host_and_path(address: str | None) -> tuple[str, str]:
    """The host of an address in lower case, without `www.`, and its path, `/` at least; '' where there is none."""
    address = address or ""
    if plain := _plain(address):  # as nearly all are: `urlsplit` takes ten times as long
        host, path = plain
        return host.lower().removeprefix("www."), path or "/"
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:  # "http://[broken"
        return "", ""
    return host.removeprefix("www."), unquote(parts.path) or ("/" if parts.netloc else "")


def _plain(address: str) -> tuple[str, str] | None:
    """The host and the path of an address that is split where its marks stand; None for any other."""
    found = _PLAIN.fullmatch(address)
    return None if found is None else (found[1], found[2])


def brand_of(host: str) -> str:
    """The part of a host that is the site's name: `bbc` of `news.bbc.co.uk`."""
    parts = host.split(".")[:-1]
    while len(parts) > 1 and parts[-1] in _SECOND_LEVEL:
        parts.pop()
    return parts[-1].replace("-", "") if parts else ""


def is_of_forum(address: str | None) -> bool:
    """Whether an address is written as those of forums are, by their programs or their hosts."""
    return address is not None and _may_be_of_forum(address) and _FORUM.search(address) is not None


def _may_be_of_forum(address: str) -> bool:
    """Whether an address has a word without which it is no forum's: the expression looks at every character."""
    said = address.lower()
    for word in _FORUM_WORDS:
        if word in said:
            return True
    return not address.isascii()  # which may write these letters in another way


def _may_name_year(path: str) -> bool:
    """Whether the path of an address may have a year in it: most have none."""
    return "20" in path or "19" in path


def date_in(path: str) -> Claim | None:
    """The day that the path of an address names: `/2024/05/17/`, `/20240517-`, `/2024/may/17/`."""
    if not _may_name_year(path):
        return None
    for year, _, month, day in _DAY.findall(path):
        if found := _claim(int(year), int(month), int(day)):
            return found
    for year, month, day in _NAMED.findall(path):
        if found := _claim(int(year), _MONTHS.index(month.casefold()) + 1, int(day)):
            return found
    return None


def _claim(year: int, month: int, day: int) -> Claim | None:
    try:
        said = date(year, month, day).isoformat()
    except ValueError:  # the 31st of February is a number in the path, not a date
        return None
    return Claim(said, URL, "", NOWHERE, False, None, None)


def month_in(path: str) -> tuple[int, int] | None:
    """The year and the month that the path of an address names."""
    match = _MONTH.search(path) if _may_name_year(path) else None
    return (int(match[1]), int(match[2])) if match else None


def address_kind(path: str, month: tuple[int, int] | None) -> str:
    """What the words of an address's path say of its page, of `ADDRESS_KINDS`; nothing where it is not known."""
    if not path:
        return NO_ADDRESS
    if path == "/":
        return "at home"
    if month:
        return "in writings"
    words = key(path.replace("_", " ")).split()[:8]
    if not _WRITTEN.isdisjoint(words):
        return "in writings"
    return "in places" if _WARES.isdisjoint(words) else "in wares"
