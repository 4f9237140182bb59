"""Dates as pages write them, for machines and for readers.

ISO 8601, RFC 2822, dates in numbers and English dates are read here, in microseconds. Dates in the words of other
languages are read by dateparser (the extra `dates`): its import and the first date of a language cost as much as
parsing a hundred pages and more, a call about as much as parsing one, so it is loaded when the first such date is met;
where it is not installed those dates are not read.

A date with a time and a zone is an aware datetime. A time without a zone names no moment, and only the day is kept; so
does one whose zone is an abbreviation that means several.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from importlib.util import find_spec
from time import time
from typing import Final

from duramen.language.vocabulary import base

Moment = date | datetime
"""A day, or an aware moment."""

EXTRA: Final = "dates"

_EARLIEST_YEAR: Final = 1000
"""Before this stands what a program writes for want of a date: the year 0 or 1."""
_NO_DATES: Final = frozenset((date(1970, 1, 1), date(1969, 12, 31), date(1899, 12, 30)))  # the zero of some clocks
_LAST_OF_NO_DATES: Final = 1970

# Abbreviations that mean one zone. Left out are those that mean several, of which nothing on the page tells the right
# one: CST (Chicago's, China's, Cuba's), IST (India's, Ireland's, Israel's); and ET, PT, which depend on the season.
_NAMED_ZONES: Final = {
    name: timedelta(hours=hours)
    for hours, names in {
        -10: "HST",
        -9: "AKST HDT",
        -8: "PST AKDT",
        -7: "PDT MST",
        -6: "MDT",
        -5: "EST CDT",
        -4: "EDT",
        0: "WET",
        1: "CET WEST BST",
        2: "CEST MESZ EET SAST",
        3: "EEST MSK МСК",
        5: "PKT",
        7: "WIB",
        8: "SGT HKT AWST",
        9: "JST KST",
        10: "AEST",
        11: "AEDT",
        12: "NZST",
        13: "NZDT",
    }.items()
    for name in names.split()
}
_BRITISH_SUMMER: Final = ((3, 25), (10, 31))
"""Outside of this BST is not Britain's but Bangladesh's."""
_MOSCOW: Final = ("MSK", "МСК")
_MOSCOW_AHEAD: Final = (date(2011, 3, 27), date(2014, 10, 26))
"""When the clocks of Moscow stood an hour further ahead, in summer and in winter."""
_BEIJING: Final = ("北京时间", "北京時間")
_SIGN: Final = "[+\N{MINUS SIGN}-]"
# "10:00-11:30" is a span of time: an offset that is written so follows seconds, or a space.
_ZONE: Final = (
    rf"\(?(?P<zone>(?:UTC|GMT)(?:\s?{_SIGN}\s?\d{{1,2}}(?::?[0-5]\d)?(?!\d))?|\+\d\d:?\d\d|-\d{{4}}(?!\d)"
    rf"|(?:(?<=\s)|(?<=:\d\d:\d\d))-\d\d:\d\d|{_SIGN}\d\d(?![\d:])|Z|(?-i:{'|'.join(_NAMED_ZONES)})|мск)(?!\w)"
)
_TIME: Final = (
    r"(?<!\d)(?P<hour>[012]?\d)(?:[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?(?!\d)|(?=\s?[ap]\.?m\b))"
    r"(?:\s?(?P<half>[ap])\.?\s?m\b\.?)?"
)
# Between a date and its time: "5 March 2024 at 10:30", "5 marca 2024 r., godz. 10:30", "5 марта 2024 г. в 10:30".
_TIME_AFTER = re.compile(
    r"(?:\s*+T\s*+|\s*+(?:[rг]\.)?\s*+[,|·•@(–—-]?\s*+(?:at|um|à|o|ore|kl\.?|godz\.?|w|в|στις)?\s*+)"
    rf"{_TIME}(?:\s?Uhr)?\s*(?:{_ZONE})?",
    re.IGNORECASE,
)
# "10:30 AM EDT, Fri May 3, 2024"
_TIME_BEFORE = re.compile(rf"{_TIME}\s*{_ZONE}\)?\s*,?\s*(?:on\s+)?(?:[^\W\d_]+\.?,?\s+)?$", re.IGNORECASE)
_LONGEST_BEFORE: Final = 40
_MONTHS: Final = "january february march april may june july august september october november december".split()
_MONTH: Final = (
    rf"(?P<name>{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in _MONTHS).replace('sep(', 'sept?(')})\b\.?"
)
_YEAR: Final = r"(?P<year>\d{4})(?!\d)"
_DAY: Final = r"(?<!\d)(?P<day>[0-3]?\d)"

_FORMS: Final = [
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<!\d){_YEAR}([-/.])(?P<month>[01]?\d)\2(?P<day>[0-3]?\d)(?!\d)",
        r"(?<!\d)(?P<year>\d{4})\s?[年년]\s?(?P<month>[01]?\d)\s?[月월]\s?(?P<day>[0-3]?\d)\s?[日일号]?",
        rf"{_DAY}(?:st|nd|rd|th)?(?:\s+of)?[\s,.-]\s*{_MONTH},?[\s-]\s*{_YEAR}",
        rf"(?<![a-z]){_MONTH}\s*(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?:,|\s)\s*{_YEAR}",
        rf"(?<!\d){_YEAR},?\s{_MONTH}\s(?P<day>[0-3]?\d)(?![\d:])",  # as journals write it
    )
]
_COMPACT = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?:T?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?)?"
    r"(?P<zone>Z|[+-]\d{4})?$"
)
_NUMBERS = re.compile(r"(?<![\d.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
# 04.01.12: dots are for those who put the day first.
_SHORT = re.compile(r"(?<![\d.,/-])([0-3]\d)\.([01]\d)\.([0-6]\d)(?![\d.])")
_EPOCH = re.compile(r"\d{10}(?:\d{3})?$")
# A day, a word or two, a year, in either order: what a date in another language looks like.
_WORDED = re.compile(
    r"(?<!\d)[0-3]?\d(?!\d)[.ºª]?\s*(?:[^\W\d_]{1,4}\.?\s+)?[^\W\d_]{3,}\.?,?\s*(?:[^\W\d_]{1,3}\s+)?(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d\.?\s*[^\W\d_]{1,12}\.?\s*(?:[^\W\d_]{3,}\s*)?[0-3]?\d(?!\d)"
)
_MONTH_FIRST: Final = frozenset(("en-us", "en", "en-ph", ""))
"""Languages in which 3/4/2024 is the fourth of March; an English page need not say that it is American."""
_MOST_HOURS: Final = 14
_EASTERNMOST: Final = _MOST_HOURS * 3600
_SECONDS_A_DAY: Final = 86_400
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_TODAY: Final[dict[int, date]] = {}
"""The day that it was when that was last asked, by its number."""
_LONGEST: Final = 120
_LONGEST_SHORT: Final = 40
"""Characters of a line with a date whose year has two digits: in a longer one it is as likely to be something else."""
_LETTERS: Final = (
    (re.compile("[Α-ώ]"), ("el",)),
    (re.compile("[А-я]"), ("ru", "uk", "bg", "be", "sr")),
    (re.compile("[ąćęłńśźż]", re.IGNORECASE), ("pl",)),
)
"""Letters of languages that many English templates are used for."""
_LATIN: Final = ("es", "de", "fr", "it", "pt", "nl", "pl", "id", "tr", "sv", "da", "nb", "fi", "cs", "ro", "hu", "vi")
_OTHER: Final = ("ja", "zh", "ko", "ar", "fa", "he", "hi", "th")
"""Languages that are tried where a page declares none. All that dateparser knows would take it seconds to load."""


def read_date(value: str, lang: str | None = None) -> Moment | None:
    """The first date in a string that is a date, or has one and little else; None where there is none."""
    return _told(value.strip(), lang)


def _told(value: str, lang: str | None) -> Moment | None:
    if not value or len(value) > _LONGEST:
        return None
    if value[4:5] == "-" == value[7:8] and (found := _exact(value)) is not None:  # in any language
        if found.tzinfo is None:
            return _kept(found.date())
        return _kept(found.replace(microsecond=0) if found.microsecond else found)
    return _read(value, (lang or "").replace("_", "-").lower())


def _exact(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except ValueError:  # a date, but not only, or not quite
        return None


@lru_cache(maxsize=1024)
def _read(value: str, lang: str) -> Moment | None:
    if value.isdigit():
        return _digits(value)
    if not any(map(str.isdigit, value)):
        return None
    for form in _FORMS:
        if match := form.search(value):
            said = match.groupdict()
            month = int(said["month"]) if "month" in said else _month(said["name"])
            return _moment(int(said["year"]), month, int(said["day"]), _clock(value, match))
    if match := _COMPACT.match(value):
        return _moment(int(match["year"]), int(match["month"]), int(match["day"]), match.groupdict())
    if match := _NUMBERS.search(value):
        first, between, second, year = match[1], match[2], match[3], int(match[4])
        day, month = int(first), int(second)
        if month > 12 or (day <= 12 and between == "/" and lang in _MONTH_FIRST):
            day, month = month, day
        return _moment(year, month, day, _clock(value, match))
    if match := _WORDED.search(value):
        spoken = _spoken(match[0], base(lang))
        if spoken != ("en",):
            found = _by_dateparser(match[0], spoken)
            if found is None or isinstance(found, datetime):
                return found
            return _moment(found.year, found.month, found.day, _clock(value, match))
    if (match := _SHORT.search(value)) and len(value) <= _LONGEST_SHORT:
        return _moment(2000 + int(match[3]), int(match[2]), int(match[1]), _clock(value, match))
    return None


def _clock(value: str, match: re.Match[str]) -> dict[str, str | None]:
    """The time and the zone that stand beside a date: after it, or before it where they have a zone."""
    after = _TIME_AFTER.match(value, match.end())
    if after and (after["zone"] or not value.startswith(_BEIJING)):
        return after.groupdict()
    if after:
        return after.groupdict() | {"zone": "+0800"}
    before = _TIME_BEFORE.search(value, max(match.start() - _LONGEST_BEFORE, 0), match.start())
    return before.groupdict() if before else {}


def may_be_swapped(day: date) -> bool:
    """Whether there is another day whose figures are the same."""
    return day.day <= 12 and day.day != day.month


def swapped(value: str, day: date) -> date | None:
    """What a date in numbers says besides, if its day may be its month: 03/10/2023."""
    if not may_be_swapped(day) or value[4:5] == "-" or not (match := _NUMBERS.search(value)):
        return None  # most are written for machines, the year first
    if {int(match[1]), int(match[3])} != {day.day, day.month} or int(match[4]) != day.year:
        return None
    return date(day.year, day.day, day.month)


def _spoken(value: str, lang: str) -> tuple[str, ...]:
    """The languages that a date is in, by its letters where they tell: pages declare what their templates came with."""
    for letters, languages in _LETTERS:
        if letters.search(value):
            return (lang,) if lang in languages else languages
    if lang:
        return (lang,)
    return _LATIN if all(letter < "\u0250" for letter in value if letter.isalpha()) else _OTHER


def day_of(moment: Moment) -> date:
    """The day, where the moment was."""
    return moment.date() if isinstance(moment, datetime) else moment


def today() -> date:
    """The day that it is somewhere on Earth: a page from there is not from the future."""
    now = time()
    number = int(now + _EASTERNMOST) // _SECONDS_A_DAY
    found = _TODAY.get(number)
    if found is None:
        _TODAY.clear()
        found = _TODAY[number] = date.fromordinal(_FIRST_DAY + number)
    return found


def _digits(value: str) -> Moment | None:
    if _EPOCH.match(value) and value[0] == "1":
        return _kept(datetime.fromtimestamp(int(value[:10]), UTC))
    if match := _COMPACT.match(value):
        return _moment(int(match["year"]), int(match["month"]), int(match["day"]), match.groupdict())
    return None


def _month(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name[:3].casefold()))


def _moment(year: int, month: int, day: int, clock: dict[str, str | None]) -> Moment | None:
    try:
        found = date(year, month, day)
    except ValueError:  # the 31st of February
        return None
    zone = _zone(clock.get("zone") or "", found) if clock.get("hour") else None
    if zone is None:
        return _kept(found)
    hour = int(clock["hour"] or 0)
    if half := clock.get("half"):
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    try:
        return _kept(
            datetime(year, month, day, hour, int(clock["minute"] or 0), int(clock["second"] or 0), tzinfo=zone)
        )
    except ValueError:  # the 25th hour
        return _kept(found)


def _kept(found: Moment) -> Moment | None:
    if found.year > _LAST_OF_NO_DATES:
        return found
    return found if found.year >= _EARLIEST_YEAR and day_of(found) not in _NO_DATES else None


def _zone(value: str, day: date) -> timezone | None:
    """The zone that a time is given in; None where that is not sure."""
    name = value.upper()
    if name == "BST" and not _BRITISH_SUMMER[0] <= (day.month, day.day) <= _BRITISH_SUMMER[1]:
        return None
    if (known := _NAMED_ZONES.get(name)) is not None:
        is_ahead = name in _MOSCOW and _MOSCOW_AHEAD[0] <= day < _MOSCOW_AHEAD[1]
        return timezone(known + timedelta(hours=is_ahead))
    offset = re.sub(r"[\s:]|UTC|GMT|Z", "", name)
    if not offset:
        return UTC if value else None
    digits = offset[1:]
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
    if hours > _MOST_HOURS or minutes > 59:
        return None
    told = timedelta(hours=hours, minutes=minutes)
    return timezone(told if offset[0] == "+" else -told)


def _by_dateparser(value: str, languages: tuple[str, ...]) -> Moment | None:
    if find_spec("dateparser") is None:
        return None
    import dateparser

    settings = {"REQUIRE_PARTS": ["day", "month", "year"], "PARSERS": ["absolute-time"]}
    try:
        found = dateparser.parse(value, languages=list(languages), settings=settings)
    except ValueError:  # a language that it does not know
        return None
    if found is None:
        return None
    return _kept(found if found.tzinfo else found.date())
