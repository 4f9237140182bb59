"""Typed values: numbers, prices, dates, ratings and counts from the texts of a page.

A text that cannot be converted stays as it is: "Call for price" in a column of prices, "2 days ago" in one of dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, Literal

from duramen.data_records.month_names import translate_months
from duramen.data_records.prices import parse_amount, read_price
from duramen.dom.date_forms import find_date
from duramen.dom.dates import parse_date

ValueType = Literal[
    "text", "number", "price", "currency", "highest price", "old price", "date", "rating", "count", "first line"
]
"""How the text of a value is converted."""

TypedValue = str | float | int

MAX_NUMBER_DIGITS: Final = 15
"""Longer numbers are identifiers, and a float would change them."""
MAX_RATING: Final = 100.0

MAX_DATE_CHARS: Final = 60

_MONTHS: Final = 12

_NUMERIC_DATE = re.compile(r"(?<![\d./-])(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?![\d./-])")
_WORD = re.compile(r"[^\W\d_]+")
_CJK_DATE = re.compile(r"\d\s?[年년]\s?\d")
_SHORT_YEAR = re.compile(r"(?<!\d)(\d{1,2}[- ][A-Za-z]{3}[- ])(\d\d)(?![\d:])")
_CLOCK = re.compile(r"(?<![\d:])([0-2]?\d):([0-5]\d)(?::([0-5]\d))?(?!\d)(?:\s?([ap])\.?m\b)?", re.IGNORECASE)
_NUMBER = re.compile(r"[(#]?\s*+([-+−]?)\s*+(\d[\d.,'’\s\u00a0\u202f]*+)\)?")
_SCALED = re.compile(r"(\d+(?:[.,]\d+)?)\s?(k|m|tsd|mio|万)\b\.?\+?", re.IGNORECASE)
_OUT_OF = re.compile(
    r"(?<!\d)(\d++(?:[.,]\d++)?)\s*+(?:/|out\s+of|of|von|sur|de|di|van|av|z|из|su)\s*(\d{1,3})\b", re.IGNORECASE
)
_FIRST_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_COUNT = re.compile(r"(\d[\d.,'’\u00a0\u202f]*)(?:\s?(k|m)\b)?", re.IGNORECASE)
_YEN_SIGN = re.compile("[¥￥]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SCALES: Final = {"k": 1e3, "tsd": 1e3, "万": 1e4, "m": 1e6, "mio": 1e6}


def convert(text: str, value_type: ValueType, language: str | None = None) -> TypedValue | None:
    """Convert a text; None if the text has no such part (a currency, an old price)."""
    match value_type:
        case "price" | "currency" | "highest price" | "old price":
            return _convert_price(text, value_type, language)
        case "date":
            return parse_iso_date(text, language) or text
    converters: dict[str, Callable[[str], TypedValue | None]] = {
        "number": parse_number,
        "rating": parse_rating,
        "count": parse_count,
    }
    converter = converters.get(value_type)
    converted = None if converter is None else converter(text)
    return text if converted is None else converted


def guess_language(text: str) -> str | None:
    """Japanese or Chinese by the script of a text; None for other scripts."""
    if _HAN.search(text) is None:
        return None
    return "zh" if _KANA.search(text) is None else "ja"


def unify_date_order(texts: Sequence[str]) -> list[str]:
    """Write the numeric dates of a column with the day first, if one of them shows which number is the day.

    "03-01-2022" alone may be in March or in January; beside "02-29-2028" it is in March.
    """
    orders = [(int(match[1]), int(match[2])) for text in texts for match in _NUMERIC_DATE.finditer(text)]
    is_day_first = any(first > _MONTHS for first, _ in orders)
    if is_day_first == any(second > _MONTHS for _, second in orders):
        return list(texts)
    order = r"\1.\2.\3" if is_day_first else r"\2.\1.\3"  # with points, the day is first in all languages
    return [_NUMERIC_DATE.sub(order, text) for text in texts]


def parse_iso_date(text: str, language: str | None = None) -> str | None:
    """The date of a text in ISO 8601, with the time if the text has one; None if it has none.

    The names of months may be in one of the languages of `month_names`.
    """
    if len(text) > MAX_DATE_CHARS or not any(map(str.isdigit, text)):
        return None
    text = _SHORT_YEAR.sub(lambda match: f"{match[1]}{'19' if match[2] > '69' else '20'}{match[2]}", text)
    text = translate_months(find_date(text) or text)
    words = [word for word in _WORD.findall(text) if not word.isascii() or len(word) > 2]
    if any(not word.isascii() for word in words) and not _CJK_DATE.search(text):
        return None
    # With another language than English the words of a date are looked up in a large dictionary.
    moment = parse_date(text, "en" if words else language or "en-us")
    if moment is None:
        return None
    clock = None if isinstance(moment, datetime) else _CLOCK.search(text)
    if clock is None:
        return moment.isoformat()
    hour, half = int(clock[1]), (clock[4] or "").lower()[:1]
    if half:
        hour = hour % 12 + 12 * (half == "p")
    return (
        f"{moment.isoformat()}T{hour:02}:{clock[2]}" + (f":{clock[3]}" if clock[3] else "")
        if hour < 24
        else moment.isoformat()
    )


def _convert_price(text: str, value_type: ValueType, language: str | None) -> TypedValue | None:
    price = read_price(text)
    if value_type != "price":
        if price is None:
            return None
        currency = price.currency or None
        if currency == "JPY" and _YEN_SIGN.search(text) and (language or "").startswith("zh"):
            currency = "CNY"  # the sign of the yen is that of the yuan, too
        return {"currency": currency, "highest price": price.highest, "old price": price.old}[value_type]
    if price is not None:
        return price.amount
    number = parse_number(text)
    return text if number is None else float(number)


def parse_number(text: str) -> int | float | None:
    """The number that a text is: "1,982", "(22)", "3.5"; None for other texts and for identifiers such as "007"."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return _parse_scaled(text.strip())
    digits = match[2].strip().rstrip(".,")
    only_digits = re.sub(r"\D", "", digits)
    if len(only_digits) > MAX_NUMBER_DIGITS or (digits[0] == "0" and digits[1:2].isdigit()) or "  " in digits:
        return None
    if re.search(r"\s\d{1,2}(?:\s|$)|\s\d{4,}", digits) or not _is_well_grouped(digits):
        return None
    number = parse_amount(digits)
    number = -number if match[1] in ("-", "−") else number
    return int(number) if number.is_integer() and not re.search(r"[.,]\d{1,2}$", digits) else number


def _is_well_grouped(digits: str) -> bool:
    """False for "765.448.8000" and "1.2.3": telephone numbers and versions."""
    groups = re.split(r"[.,'’\s\u00a0\u202f]", digits)
    return len(groups) <= 2 or (
        len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:-1]) and bool(len(groups[-1]) in (1, 2, 3))
    )


def _parse_scaled(text: str) -> int | None:
    match = _SCALED.fullmatch(text)
    return None if match is None else round(float(match[1].replace(",", ".")) * _SCALES[match[2].lower()])


def parse_rating(text: str) -> float | None:
    """The rating in a text: "4.6 out of 5", "4,5", "Rated 3.5 stars"."""
    match = _OUT_OF.search(text)
    if match is None:
        match = _FIRST_NUMBER.search(text)
        if match is None:
            return None
        number = match[0]
    else:
        number = match[1]
    rating = parse_amount(number) if len(number) < MAX_NUMBER_DIGITS else MAX_RATING + 1
    return rating if rating <= MAX_RATING else None


def parse_count(text: str) -> int | None:
    """The first whole number in a text: "83 reviews", "(1,204)", "1.2k ratings"."""
    match = _COUNT.search(text)
    if match is None or len(match[1]) > MAX_NUMBER_DIGITS:
        return None
    number = match[1].rstrip(".,'’\u00a0\u202f")
    if match[2]:
        return round(float(number.replace(",", ".")) * _SCALES[match[2].lower()]) if number.count(".") < 2 else None
    return int(parse_amount(number))
