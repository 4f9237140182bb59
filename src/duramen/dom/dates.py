"""Parse dates as pages write them, for machines and for readers.

ISO 8601, RFC 2822, numeric and English dates are parsed here, in microseconds. Dates in the words of other languages
are parsed by dateparser (the extra `dates`). Its import and the first date of a language cost as much as parsing a
hundred pages, and each call as much as parsing one. It is loaded for the first such date; if it is not installed, these
dates are not read.

A date with a time and a zone becomes an aware datetime. A time without a zone is dropped, and only the day is kept; so
is a time whose zone is an ambiguous abbreviation.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from importlib.util import find_spec
from typing import Final

from duramen.language.vocabulary import primary_subtag

Moment = date | datetime
"""A day, or an aware datetime."""

EXTRA: Final = "dates"

_EARLIEST_YEAR: Final = 1000
"""Programs write earlier years, such as 0 or 1, if they have no date."""
_ZERO_DATES: Final = frozenset(
    (date(1970, 1, 1), date(1969, 12, 31), date(1899, 12, 30))
)  # zero of the clocks of some systems
_LAST_ZERO_YEAR: Final = 1970

# Abbreviations of one zone only. Ambiguous ones are left out: CST (Chicago, China, Cuba), IST (India, Ireland,
# Israel); and ET and PT, which depend on the season.
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
_BRITISH_SUMMER_TIME: Final = ((3, 25), (10, 31))
"""Month and day. Outside of these, BST is the time of Bangladesh, not of Britain."""
_MOSCOW_ZONES: Final = ("MSK", "МСК")
_MOSCOW_SUMMER_TIME: Final = (date(2011, 3, 27), date(2014, 10, 26))
"""In these years Moscow had summer time all year, one hour ahead of its zone."""
_BEIJING_TIME: Final = ("北京时间", "北京時間")
_SIGN: Final = "[+\N{MINUS SIGN}-]"
# "10:00-11:30" is a period. An offset of this form follows seconds or a space.
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
_MAX_CHARS_BEFORE: Final = 40
MONTHS: Final = "january february march april may june july august september october november december".split()
_MONTH: Final = (
    rf"(?P<name>{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS).replace('sep(', 'sept?(')})\b\.?"
)
_YEAR: Final = r"(?P<year>\d{4})(?!\d)"
_DAY: Final = r"(?<!\d)(?P<day>[0-3]?\d)"

_DATE_FORMS: Final = [
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<!\d){_YEAR}([-/.])(?P<month>[01]?\d)\2(?P<day>[0-3]?\d)(?!\d)",
        r"(?<!\d)(?P<year>\d{4})\s?[年년]\s?(?P<month>[01]?\d)\s?[月월]\s?(?P<day>[0-3]?\d)\s?[日일号]?",
        rf"{_DAY}(?:st|nd|rd|th)?(?:\s+of)?[\s,.-]\s*{_MONTH},?[\s-]\s*{_YEAR}",
        rf"(?<![a-z]){_MONTH}\s*(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?:,|\s)\s*{_YEAR}",
        rf"(?<!\d){_YEAR},?\s{_MONTH}\s(?P<day>[0-3]?\d)(?![\d:])",  # as in journals
    )
]
_COMPACT_DATE = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?:T?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?)?"
    r"(?P<zone>Z|[+-]\d{4})?$"
)
_NUMERIC_DATE = re.compile(r"(?<![\d.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
# 04.01.12: with dots the day comes first.
_TWO_DIGIT_YEAR = re.compile(r"(?<![\d.,/-])([0-3]\d)\.([01]\d)\.([0-6]\d)(?![\d.])")
_UNIX_TIME = re.compile(r"\d{10}(?:\d{3})?$")
# A date in another language: a day, one or two words and a year, in either order.
_DATE_IN_WORDS = re.compile(
    r"(?<!\d)[0-3]?\d(?!\d)[.ºª]?\s*(?:[^\W\d_]{1,4}\.?\s+)?[^\W\d_]{3,}\.?,?\s*(?:[^\W\d_]{1,3}\s+)?(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d\.?\s*[^\W\d_]{1,12}\.?\s*(?:[^\W\d_]{3,}\s*)?[0-3]?\d(?!\d)"
)
_MONTH_FIRST_LANGUAGES: Final = frozenset(("en-us", "en", "en-ph", ""))
"""Languages in which 3/4/2024 is the fourth of March. Pages in plain `en` are often American."""
_MAX_OFFSET_HOURS: Final = 14
_MAX_CHARS: Final = 120
_MAX_CHARS_TWO_DIGIT_YEAR: Final = 40
"""In longer lines, a date with a two-digit year is as likely to be another number."""
_LANGUAGE_LETTERS: Final = (
    (re.compile("[Α-ώ]"), ("el",)),
    (re.compile("[А-я]"), ("ru", "uk", "bg", "be", "sr")),
    (re.compile("[ąćęłńśźż]", re.IGNORECASE), ("pl",)),
)
"""Letters that show the language. Many pages in these languages declare that of an English template."""
_LATIN_LANGUAGES: Final = (
    "es",
    "de",
    "fr",
    "it",
    "pt",
    "nl",
    "pl",
    "id",
    "tr",
    "sv",
    "da",
    "nb",
    "fi",
    "cs",
    "ro",
    "hu",
    "vi",
)
_OTHER_LANGUAGES: Final = ("ja", "zh", "ko", "ar", "fa", "he", "hi", "th")
"""Languages that are tried if a page declares none. dateparser would need seconds to load all that it knows."""


def parse_date(value: str, language: str | None = None) -> Moment | None:
    """Return the first date in a string that is a date, or has one and little else; None if there is none."""
    value = value.strip()
    if not value or len(value) > _MAX_CHARS:
        return None
    if value[4:5] == "-" == value[7:8]:  # ISO 8601, in any language
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:  # more than a date, or not quite one
            pass
        else:
            return _drop_implausible(moment.date() if moment.tzinfo is None else moment.replace(microsecond=0))
    return _parse(value, (language or "").replace("_", "-").lower())


@lru_cache(maxsize=1024)
def _parse(value: str, language: str) -> Moment | None:
    if value.isdigit():
        return _parse_digits(value)
    if not any(map(str.isdigit, value)):
        return None
    for form in _DATE_FORMS:
        if match := form.search(value):
            groups = match.groupdict()
            month = int(groups["month"]) if "month" in groups else month_number(groups["name"])
            return _make_moment(int(groups["year"]), month, int(groups["day"]), _find_clock(value, match))
    if match := _COMPACT_DATE.match(value):
        return _make_moment(int(match["year"]), int(match["month"]), int(match["day"]), match.groupdict())
    if match := _NUMERIC_DATE.search(value):
        day, separator, month, year = int(match[1]), match[2], int(match[3]), int(match[4])
        if month > 12 or (day <= 12 and separator == "/" and language in _MONTH_FIRST_LANGUAGES):
            day, month = month, day
        return _make_moment(year, month, day, _find_clock(value, match))
    if match := _DATE_IN_WORDS.search(value):
        languages = _guess_languages(match[0], primary_subtag(language))
        if languages != ("en",):
            moment = _parse_with_dateparser(match[0], languages)
            if moment is None or isinstance(moment, datetime):
                return moment
            return _make_moment(moment.year, moment.month, moment.day, _find_clock(value, match))
    if (match := _TWO_DIGIT_YEAR.search(value)) and len(value) <= _MAX_CHARS_TWO_DIGIT_YEAR:
        return _make_moment(2000 + int(match[3]), int(match[2]), int(match[1]), _find_clock(value, match))
    return None


def _find_clock(value: str, match: re.Match[str]) -> dict[str, str | None]:
    """Return the time and zone next to a date: after it, or before it if they have a zone."""
    after = _TIME_AFTER.match(value, match.end())
    if after:
        is_beijing = not after["zone"] and value.startswith(_BEIJING_TIME)
        return after.groupdict() | ({"zone": "+0800"} if is_beijing else {})
    before = _TIME_BEFORE.search(value, max(match.start() - _MAX_CHARS_BEFORE, 0), match.start())
    return before.groupdict() if before else {}


def is_swappable(day: date) -> bool:
    """Return whether there is another day with the day and month exchanged."""
    return day.day <= 12 and day.day != day.month


def swap_day_and_month(value: str, day: date) -> date | None:
    """Return the other day that a numeric date may mean: 03/10/2023; None if it is clear.

    `day` is the day that `parse_date` returns for the value.
    """
    if not is_swappable(day) or value[4:5] == "-" or not (match := _NUMERIC_DATE.search(value)):
        return None
    if {int(match[1]), int(match[3])} != {day.day, day.month} or int(match[4]) != day.year:
        return None
    return date(day.year, day.day, day.month)


def _guess_languages(value: str, language: str) -> tuple[str, ...]:
    """Return the languages that a date may be in: by its letters if they show it, else the declared one."""
    for letters, languages in _LANGUAGE_LETTERS:
        if letters.search(value):
            return (language,) if language in languages else languages
    if language:
        return (language,)
    return _LATIN_LANGUAGES if all(letter < "\u0250" for letter in value if letter.isalpha()) else _OTHER_LANGUAGES


def as_date(moment: Moment) -> date:
    """Return the day of a moment, in its own time zone."""
    return moment.date() if isinstance(moment, datetime) else moment


def today() -> date:
    """Return the current day in the easternmost time zone: a page from there is not from the future."""
    return (datetime.now(UTC) + timedelta(hours=_MAX_OFFSET_HOURS)).date()


def _parse_digits(value: str) -> Moment | None:
    if _UNIX_TIME.match(value) and value[0] == "1":
        return _drop_implausible(datetime.fromtimestamp(int(value[:10]), UTC))
    if match := _COMPACT_DATE.match(value):
        return _make_moment(int(match["year"]), int(match["month"]), int(match["day"]), match.groupdict())
    return None


def month_number(name: str) -> int:
    """Return the number of an English month, whose name may be cut after three letters: 5 for "May"."""
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name[:3].casefold()))


def _make_moment(year: int, month: int, day: int, clock: dict[str, str | None]) -> Moment | None:
    try:
        only_day = date(year, month, day)
    except ValueError:  # the 31st of February
        return None
    zone = _parse_zone(clock.get("zone") or "", only_day) if clock.get("hour") else None
    if zone is None:
        return _drop_implausible(only_day)
    hour = int(clock["hour"] or 0)
    if half := clock.get("half"):
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    try:
        return _drop_implausible(
            datetime(year, month, day, hour, int(clock["minute"] or 0), int(clock["second"] or 0), tzinfo=zone)
        )
    except ValueError:  # the 25th hour
        return _drop_implausible(only_day)


def _drop_implausible(moment: Moment) -> Moment | None:
    """Return None for the dates that programs write if they have none."""
    if moment.year > _LAST_ZERO_YEAR:
        return moment
    return moment if moment.year >= _EARLIEST_YEAR and as_date(moment) not in _ZERO_DATES else None


def _parse_zone(value: str, day: date) -> timezone | None:
    """Return the time zone with this name or offset on a day; None if that is not certain."""
    name = value.upper()
    if name == "BST" and not _BRITISH_SUMMER_TIME[0] <= (day.month, day.day) <= _BRITISH_SUMMER_TIME[1]:
        return None
    if (named_offset := _NAMED_ZONES.get(name)) is not None:
        is_ahead = name in _MOSCOW_ZONES and _MOSCOW_SUMMER_TIME[0] <= day < _MOSCOW_SUMMER_TIME[1]
        return timezone(named_offset + timedelta(hours=is_ahead))
    sign_and_digits = re.sub(r"[\s:]|UTC|GMT|Z", "", name)
    if not sign_and_digits:
        return UTC if value else None
    digits = sign_and_digits[1:]
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
    if hours > _MAX_OFFSET_HOURS or minutes > 59:
        return None
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(offset if sign_and_digits[0] == "+" else -offset)


def _parse_with_dateparser(value: str, languages: tuple[str, ...]) -> Moment | None:
    if find_spec("dateparser") is None:
        return None
    import dateparser

    settings = {"REQUIRE_PARTS": ["day", "month", "year"], "PARSERS": ["absolute-time"]}
    try:
        moment = dateparser.parse(value, languages=list(languages), settings=settings)
    except ValueError:  # a language that dateparser does not know
        return None
    if moment is None:
        return None
    return _drop_implausible(moment if moment.tzinfo else moment.date())
