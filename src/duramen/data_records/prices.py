"""Prices: find the amounts of money in a short text, with their currencies.

A text may have one price ("from $508,000"), a range ("$149.00 - $159.00"), or an old and a new price ("was $20, now
$12"). Of an old and a new price the lower one is valid.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

MAX_PRICE_CHARS: Final = 40
"""A longer text is a sentence, which may name a price."""
MAX_PRICES_CHARS: Final = 120
"""Length of a text that has an old and a new price."""

_CURRENCY_CODES: Final = {
    "$": "USD",
    "us$": "USD",
    "a$": "AUD",
    "au$": "AUD",
    "c$": "CAD",
    "ca$": "CAD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "r$": "BRL",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "￥": "JPY",
    "円": "JPY",
    "元": "CNY",
    "rmb": "CNY",
    "₹": "INR",
    "₩": "KRW",
    "원": "KRW",
    "₽": "RUB",
    "руб": "RUB",
    "₺": "TRY",
    "tl": "TRY",
    "₫": "VND",
    "₴": "UAH",
    "грн": "UAH",
    "₪": "ILS",
    "฿": "THB",
    "₱": "PHP",
    "zł": "PLN",
    "kč": "CZK",
    "lei": "RON",
    "лв": "BGN",
    "kr": "SEK",
}
_CASED_CODES: Final = {"Rs": "INR", "р": "RUB", "Rp": "IDR", "RM": "MYR", "Ft": "HUF", "Fr": "CHF"}
"""Signs that are other words in other letters: "20 ft" is a length, "2 rm" a size."""
_CODES: Final = (
    "USD EUR GBP JPY CNY CHF BRL INR SEK NOK DKK PLN CZK HUF RON AUD CAD NZD HKD SGD MXN ZAR KRW RUB TRY UAH ILS THB"
    " PHP IDR MYR VND AED SAR ARS CLP COP"
).split()
_SYMBOLS: Final = "|".join(
    sorted((re.escape(symbol) for symbol in _CURRENCY_CODES if not symbol.isalpha()), key=len, reverse=True)
)
_WORDS: Final = "|".join(symbol for symbol in _CURRENCY_CODES if symbol.isalpha())
_CURRENCY: Final = (
    rf"(?:{_SYMBOLS}|(?<![^\W\d_])(?:{_WORDS}|{'|'.join(_CODES)}|(?-i:{'|'.join(_CASED_CODES)}))(?![^\W\d_])\.?)"
)
_AMOUNT: Final = r"\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,4})?(?!\d)"
_PRICE = re.compile(
    rf"(?P<before>{_CURRENCY})\s*(?P<first>{_AMOUNT})|(?P<second>{_AMOUNT})\s*(?:(?P<after>{_CURRENCY})|,-|,–)",
    re.IGNORECASE,
)
_BETWEEN_RANGE = re.compile(r"\s*(?:[-–—~]|to|bis|à|a|до|up to)\s*", re.IGNORECASE)
_SPACES = re.compile(r"[\s'’\u00a0\u202f]")
_MARKS = re.compile("[.,]")
_has_digit = re.compile(r"\d").search


class Price(NamedTuple):
    """An amount of money in a text."""

    amount: float
    currency: str
    """The ISO 4217 code. "$" is USD and "kr" is SEK: other countries use these signs, too."""
    start: int
    end: int


class PriceText(NamedTuple):
    """What a text says about a price."""

    amount: float
    currency: str
    highest: float | None = None
    """The upper end of a range."""
    old: float | None = None
    """The price before a reduction."""


@lru_cache(maxsize=1 << 12)
def find_prices(text: str) -> tuple[Price, ...]:
    """Find the amounts of money in a short text."""
    if len(text) > MAX_PRICES_CHARS or _has_digit(text) is None:
        return ()
    prices = []
    for match in _PRICE.finditer(text):
        amount = parse_amount(match["first"] or match["second"])
        sign = (match["before"] or match["after"] or "").rstrip(".")
        currency = _CASED_CODES.get(sign) or _CURRENCY_CODES.get(sign.lower(), sign.upper())
        prices.append(Price(amount, currency, match.start(), match.end()))
    return tuple(prices)


def read_price(text: str) -> PriceText | None:
    """Read the price of a text; None if it has none."""
    prices = find_prices(text)
    if not prices:
        return None
    first = prices[0]
    others = [price for price in prices[1:] if price.amount != first.amount]
    currency = next((price.currency for price in prices if price.currency), "")
    if not others:
        return PriceText(first.amount, currency)
    lowest, highest = (choose(price.amount for price in prices) for choose in (min, max))
    if len(prices) == 2 and _BETWEEN_RANGE.fullmatch(text[first.end : prices[1].start]):
        return PriceText(lowest, currency, highest=highest)
    return PriceText(lowest, currency, old=highest)


def parse_amount(text: str) -> float:
    """The number that an amount means. The last point or comma is decimal, if not exactly three digits follow it."""
    digits = _SPACES.sub("", text)
    at = max(digits.rfind("."), digits.rfind(","))
    whole, fraction = (digits[:at], digits[at + 1 :]) if at >= 0 else (digits, "")
    groups_thousands = (len(fraction) == 3 and whole != "0") or (at >= 0 and digits[at] in whole)
    number = _MARKS.sub("", digits) if groups_thousands else f"{_MARKS.sub('', whole)}.{fraction}"
    return float(number)
