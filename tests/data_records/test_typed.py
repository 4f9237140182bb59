"""Conversion of texts."""

from __future__ import annotations

import pytest
from tests.data_records.pages import make_page, make_shop, make_tile, rows_by_wrapper

import duramen
from duramen.data_records.typed import (
    convert,
    parse_count,
    parse_iso_date,
    parse_number,
    parse_rating,
    unify_date_order,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,982", 1982), ("(22)", 22), ("4.6", 4.6), ("-2", -2), ("1.2k", 1200), ("3 500", 3500), ("2024", 2024)],
)
def test_numbers(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize("text", ["007", "765.448.8000", "1.2.3", "12 34", "12 apples", "1" * 20, ""])
def test_identifiers_are_no_numbers(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12 May 2024", "2024-05-12"),
        ("Decided 10/27/2023", "2023-10-27"),
        ("Mon Feb 03, 2010 8:04 pm", "2010-02-03T20:04"),
        ("2024-01-04 10:03", "2024-01-04T10:03"),
        ("2017年11月5日 12:50", "2017-11-05T12:50"),
        ("2 days ago", None),
        ("today", None),
    ],
)
def test_dates_are_iso(text: str, date: str | None) -> None:
    assert parse_iso_date(text) == date


def test_ratings_and_counts() -> None:
    text = "1,204 reviews with an average rating of 4.6 out of 5 stars"
    assert (parse_rating(text), parse_count(text)) == (4.6, 1204)
    assert parse_count("1.2k ratings") == 1200
    assert parse_rating("4,5 von 5") == 4.5


def test_a_text_that_cannot_be_converted_stays() -> None:
    assert convert("Call for price", "price") == "Call for price"
    assert convert("2 days ago", "date") == "2 days ago"
    assert convert("Call for price", "currency") is None


def test_raw_rows_hold_the_texts_of_the_page() -> None:
    table = duramen.records(make_shop())
    assert (table.rows[0]["price"], table.raw_rows[0]["price"]) == (19.5, "$19.50")
    assert table.rows[0]["currency"] == "USD"


@pytest.mark.parametrize(
    "price",
    [
        "<span class=price><b>$</b><b>{n}9</b><sup>50</sup></span>",
        "<span class=price><i class=off>${n}9.50</i><i><b>$</b><b>{n}9</b><b>.</b><b>50</b></i></span>",
        "<span class=price><b>${n}9</b><b>.50</b></span>",
    ],
)
def test_a_price_that_is_split_over_elements_is_one_value(price: str) -> None:
    tiles = "".join(make_tile(n, price=False, more=price.format(n=n)) for n in range(1, 9))
    table = duramen.records(make_page(f"<ul>{tiles}</ul>"))
    assert [row["price"] for row in table.rows[:2]] == [19.5, 29.5]
    assert not [name for name in table.names if name.startswith("price_")]
    assert rows_by_wrapper(table) == table.rows


def test_a_range_and_an_old_price_have_columns() -> None:
    def price(n: int) -> str:
        return f"<span>${n}0 - ${n}5</span>" if n % 2 else f"<span>${n}0</span><span>was ${n}9</span>"

    tiles = "".join(make_tile(n, price=False, more=f"<div class=cost>{price(n)}</div>") for n in range(1, 9))
    rows = duramen.records(make_page(f"<ul>{tiles}</ul>")).rows
    assert (rows[0]["price"], rows[0]["highest_price"], rows[0]["old_price"]) == (10.0, 15.0, None)
    assert (rows[1]["price"], rows[1]["highest_price"], rows[1]["old_price"]) == (20.0, None, 29.0)


def test_a_price_of_two_records_in_thirty_is_kept() -> None:
    tiles = "".join(make_tile(n, more=f"<em class=sale>from ${n}</em>" if n in (4, 20) else "") for n in range(1, 31))
    table = duramen.records(make_page(f"<ul>{tiles}</ul>"))
    assert [row["sale_price"] for row in table.rows if row.get("sale_price")] == [4.0, 20.0]


@pytest.mark.parametrize(
    ("texts", "unified"),
    [
        (["03-01-2022", "02-29-2028"], ["01.03.2022", "29.02.2028"]),
        (["03/01/2022 at noon", "31/01/2022", ""], ["03.01.2022 at noon", "31.01.2022", ""]),
        (["03/01/2022", "04/01/2022"], ["03/01/2022", "04/01/2022"]),
        (["31/01/2022", "01/31/2022"], ["31/01/2022", "01/31/2022"]),
        (["10.1.2.12.2020", "1 May 2020"], ["10.1.2.12.2020", "1 May 2020"]),
    ],
)
def test_dates_of_a_column_have_one_order(texts: list[str], unified: list[str]) -> None:
    assert unify_date_order(texts) == unified


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Montag, 3. März 2024, 14:20 Uhr", "2024-03-03T14:20"),
        ("12 de mayo de 2023", "2023-05-12"),
        ("1er août 2020", "2020-08-01"),
        ("5 lutego 2022 r.", "2022-02-05"),
        ("5 мая 2022 г.", "2022-05-05"),
        ("4 dicembre 2021", "2021-12-04"),
        ("7 mei 2021", "2021-05-07"),
        ("15 Okt. 2020", "2020-10-15"),
        ("12 marzipan cakes 2020", None),
    ],
)
def test_months_of_common_languages_are_read(text: str, expected: str | None) -> None:
    assert parse_iso_date(text) == expected
