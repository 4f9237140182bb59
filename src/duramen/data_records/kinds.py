"""What kind of thing the values of a column are: a price, a date, a number, an address, or text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

Kind = Literal["link", "image", "price", "date", "number", "text"]

MOSTLY: Final = 0.7
"""The share of the values of a column that must be of a kind."""

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
_LONGEST_DATE = 60
_LONGEST_PRICE = 40


def kind_of(values: Sequence[str]) -> Kind:
    """The kind of most of the values, which are not empty."""
    if not values:
        return "text"
    tests: dict[Kind, Callable[[str], bool]] = {"price": is_price, "date": is_date, "number": is_number}
    for kind, test in tests.items():
        if sum(map(test, values)) >= MOSTLY * len(values):
            return kind
    return "text"


def is_price(value: str) -> bool:
    """A sum of money, with a word or two around it at most."""
    return len(value) <= _LONGEST_PRICE and _PRICE.search(value) is not None


def is_date(value: str) -> bool:
    """A date, or how long ago something was."""
    return len(value) <= _LONGEST_DATE and _DATE.search(value) is not None


def is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value.strip()) is not None
