"""Kinds of values: price, date, number, link, image or text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

ValueKind = Literal["link", "image", "price", "date", "number", "text"]

MIN_KIND_SHARE: Final = 0.7
"""A column has a kind if at least this share of its values has it."""
MAX_DATE_CHARS: Final = 60
MAX_PRICE_CHARS: Final = 40

_CURRENCY = (
    r"(?:[$€£¥₹₩₽₺₫₴₪฿]|(?:R|US|A|C)\$|kr\.?|zł|Kč|Ft|lei|USD|EUR|GBP|JPY|CHF|BRL|INR|SEK|NOK|DKK|PLN|CZK|TL|руб\.?|р\."
    r"|元|円)"
)
_AMOUNT = r"\d[\d.,'’\s\u00a0\u202f]*"
_PRICE = re.compile(rf"(?:{_CURRENCY}\s*{_AMOUNT}|{_AMOUNT}\s*(?:{_CURRENCY}|,-))", re.IGNORECASE)
_NUMBER = re.compile(r"[-+±~#]?\s*\d[\d.,\s\u00a0\u202f]*\s*(?:%|°|\(\d+\))?|\(\d[\d.,]*\)|\d+(?:[.,]\d+)?\s*/\s*\d+")
_MONTH = (
    r"(?:jan|feb|f[ée]v|mar|m[äa]r|mrz|apr|avr|abr|ma[iyj]|jun|juin|jul|juil|aug|ao[uû]|ago|sep|set|oct|okt|out|nov|"
    r"dec|dez|d[ée]c|dic|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)\w*\.?"
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}|\d{{4}}[./]\d{{1,2}}[./]\d{{1,2}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?[\s-]+(?:de\s+)?{_MONTH}(?:[\s,'’-]+(?:de\s+)?\d{{2,4}})?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:[\s,]+['’]?\d{{2,4}})?"
    r"|\d{4}年\d{1,2}月(?:\d{1,2}日)?"
    r"|\d+\s+(?:second|minute|hour|day|week|month|year|sekunde|minute|stunde|tag|woche|monat|jahr)\w*\s+ago"
    r"|(?:today|yesterday|heute|gestern|hier|hoy|ayer|hoje|ontem)\b)",
    re.IGNORECASE,
)


def kind_of_values(values: Sequence[str]) -> ValueKind:
    """The kind that most of the values have. The values must not be empty strings."""
    if not values:
        return "text"
    tests: dict[ValueKind, Callable[[str], bool]] = {"price": is_price, "date": is_date, "number": is_number}
    for kind, test in tests.items():
        if sum(map(test, values)) >= MIN_KIND_SHARE * len(values):
            return kind
    return "text"


def is_price(value: str) -> bool:
    """True for an amount of money with at most a few words around it."""
    return len(value) <= MAX_PRICE_CHARS and _PRICE.search(value) is not None


def is_date(value: str) -> bool:
    """True for a date, or for an age such as "2 days ago"."""
    return len(value) <= MAX_DATE_CHARS and _DATE.search(value) is not None


def is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value.strip()) is not None
