"""Prices in texts."""

from __future__ import annotations

import pytest

from duramen.data_records.prices import PriceText, parse_amount, read_price


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("$10.99", PriceText(10.99, "USD")),
        ("1.299,00 €", PriceText(1299.0, "EUR")),
        ("from $508,000", PriceText(508000.0, "USD")),
        ("12 345 kr", PriceText(12345.0, "SEK")),
        ("45,-", PriceText(45.0, "")),
        ("CHF 12.50", PriceText(12.5, "CHF")),
        ("$149.00 - $159.00", PriceText(149.0, "USD", highest=159.0)),
        ("was $20, now $12", PriceText(12.0, "USD", old=20.0)),
        ("$104.93 compared to $139.95", PriceText(104.93, "USD", old=139.95)),
        ("$5 $5", PriceText(5.0, "USD")),
    ],
)
def test_prices_are_read(text: str, price: PriceText) -> None:
    assert read_price(text) == price


@pytest.mark.parametrize("text", ["20 ft", "2 rm flat", "5-22 lbs", "no price", "", "$", "x" * 200 + "$1"])
def test_other_texts_have_no_price(text: str) -> None:
    assert read_price(text) is None


@pytest.mark.parametrize(
    ("text", "amount"),
    [("1,234", 1234), ("1.234,5", 1234.5), ("1,234.50", 1234.5), ("0.123", 0.123), ("1 234", 1234), ("12,5", 12.5)],
)
def test_points_and_commas_of_amounts(text: str, amount: float) -> None:
    assert parse_amount(text) == amount
