"""Dates in text."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from duramen.dom import dates
from duramen.dom.dates import as_date, parse_date, swap_day_and_month
from duramen.metadata.sources.url import find_date


@pytest.mark.parametrize("line", ["Сегодня, 15:02", "10.0.0.12", "wersja 05.03.24.1", "32.13.24"])
def test_a_line_without_a_date_gives_none(line: str) -> None:
    assert parse_date(line, "ru") is None


def test_today_is_the_day_in_the_easternmost_zone() -> None:
    before = (datetime.now(UTC) + timedelta(hours=14)).date()
    assert before <= dates.today() <= (datetime.now(UTC) + timedelta(hours=14)).date()


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-05",
        "2024/03/05",
        "2024-3-5",
        "20240305",
        "March 5, 2024",
        "Mar. 5th, 2024",
        "5 March 2024",
        "2024 Mar 5",
        "Tuesday, 5 March, 2024",
        "Posted on 5th of March 2024",
        "3/5/2024",
        "05.03.2024",
        "2024年3月5日",
    ],
)
def test_parse_a_day(text: str) -> None:
    assert parse_date(text) == date(2024, 3, 5)


@pytest.mark.parametrize(
    "text", ["2024-03-05T10:00:00Z", "Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05 11:00 +0100", "1709632800"]
)
def test_parse_a_time(text: str) -> None:
    parsed = parse_date(text)
    assert isinstance(parsed, datetime)
    assert parsed == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_the_language_decides_the_order_of_day_and_month() -> None:
    assert parse_date("3/4/2024", "en-US") == date(2024, 3, 4)
    assert parse_date("3/4/2024", "en-GB") == date(2024, 4, 3)


def test_swap_day_and_month() -> None:
    assert swap_day_and_month("on 3/4/2024", date(2024, 3, 4)) == date(2024, 4, 3)
    assert swap_day_and_month("13/4/2024", date(2024, 4, 13)) is None
    assert swap_day_and_month("4/4/2024", date(2024, 4, 4)) is None
    assert swap_day_and_month("2024-03-04", date(2024, 3, 4)) is None
    assert swap_day_and_month("3/4/2024", date(2023, 3, 4)) is None
    assert parse_date("25/4/2024", "en-US") == date(2024, 4, 25)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "0000-00-00",
        "0001-01-01T00:00:00Z",
        "2024-02-31",
        "2024-13-01",
        "1970-01-01",
        "99999999999",
        "12:30",
    ],
)
def test_text_without_a_date_gives_none(text: str) -> None:
    assert parse_date(text) is None


@settings(deadline=None)
@given(st.text(max_size=150))
@example("3 ſep 2024")
@example("ſept 5, 2024 at 10:30 EſT")
def test_parse_date_accepts_any_text(text: str) -> None:
    parse_date(text, "en")


@pytest.mark.parametrize("month", ["sep", "SEP", "Sept", "ſep", "ſeptember"])
def test_a_long_s_in_a_month_is_an_s(month: str) -> None:
    assert parse_date(f"5 {month} 2024") == date(2024, 9, 5)
    parsed = find_date(f"/2024/{month}/05/oaks")
    assert parsed is not None
    assert parsed.value == "2024-09-05"


@settings(deadline=None)
@given(st.dates(date(1990, 1, 2), date(2200, 1, 1)))
def test_every_formatted_day_is_parsed_back(day: date) -> None:
    parsed = parse_date(day.isoformat())
    assert parsed is not None
    assert as_date(parsed) == day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("May 3, 2024 10:30 AM EST", "2024-05-03T10:30:00-05:00"),
        ("May 3, 2024 at 10:30 a.m. EDT", "2024-05-03T10:30:00-04:00"),
        ("May 3, 2024, 10:30 p.m. (PDT)", "2024-05-03T22:30:00-07:00"),
        ("May 3, 2024 | 12 a.m. MST", "2024-05-03T00:00:00-07:00"),
        ("Updated 10:30 AM EDT, Fri May 3, 2024", "2024-05-03T10:30:00-04:00"),
        ("10:30 GMT, 3 May 2024", "2024-05-03T10:30:00+00:00"),
        ("3 May 2024 22:30 GMT+8", "2024-05-03T22:30:00+08:00"),
        ("3 May 2024 22:30 UTC+5:30", "2024-05-03T22:30:00+05:30"),
        ("3 May 2024 22:30 UTC -3", "2024-05-03T22:30:00-03:00"),
        ("Fri May 03 2024 10:00:00 GMT+0200 (Central European Summer Time)", "2024-05-03T10:00:00+02:00"),
        ("3 May 2024 10:30 +0200", "2024-05-03T10:30:00+02:00"),
        ("2024-05-03 10:30:15 -05:00", "2024-05-03T10:30:15-05:00"),
        ("2024-05-03 10:30:00 CET", "2024-05-03T10:30:00+01:00"),
        ("03.05.2024, 10:30 Uhr MESZ", "2024-05-03T10:30:00+02:00"),
        ("03.05.2024 10:30 (мск)", "2024-05-03T10:30:00+03:00"),
        ("03.05.2012 10:30 MSK", "2012-05-03T10:30:00+04:00"),
        ("3 May 2024, 10.30pm BST", "2024-05-03T22:30:00+01:00"),
        ("北京时间2024年5月3日10:30", "2024-05-03T10:30:00+08:00"),
        ("20240503T103000Z", "2024-05-03T10:30:00+00:00"),
    ],
)
def test_a_time_with_a_zone_is_aware(text: str, expected: str) -> None:
    parsed = parse_date(text)
    assert parsed is not None
    assert parsed.isoformat() == expected


@pytest.mark.parametrize(
    "text",
    [
        "3 May 2024 22:30",
        "10:30, 3 May 2024",
        "3 May 2024 22:30 CST",  # Chicago's, or China's
        "3 May 2024 22:30 IST",  # India's, Ireland's, or Israel's
        "3 May 2024 22:30 ET",
        "3 May 2024, 10:30 est un jour",
        "3 May 2024 10:30-11:30",
        "3 May 2024 10:00-12:00",
        "3 May 2024 10:30 +99:00",
        "3 May 2024 25:30 GMT",
        "3 May 2024 10:30 Zulu",
        "3 May 2024, 7 min read",
        "2024年5月3日 10:30",
        "3 May 2024" + " " * 100 + "x",
    ],
)
def test_an_ambiguous_zone_leaves_the_day(text: str) -> None:
    assert parse_date(text) == date(2024, 5, 3)


def test_bst_is_british_only_in_summer() -> None:
    assert parse_date("3 January 2024 22:30 BST") == date(2024, 1, 3)


@pytest.mark.parametrize(
    ("text", "lang", "hours"),
    [
        ("5 марта 2024, 10:30 МСК", "ru", 3),
        ("5 марта 2024 г. в 10:30 (мск)", "ru", 3),
        ("5 marca 2024 r., godz. 10:30 CET", "pl", 1),
        ("5 Μαρτίου 2024, 10:30 EET", "el", 2),
    ],
)
def test_a_time_next_to_a_date_in_words(text: str, lang: str, hours: int) -> None:
    pytest.importorskip("dateparser")
    assert parse_date(text, lang) == datetime(2024, 3, 5, 10, 30, tzinfo=timezone(timedelta(hours=hours)))
