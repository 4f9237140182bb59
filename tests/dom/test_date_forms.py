"""Dates are recognized by their form, in any language."""

from __future__ import annotations

import pytest

from duramen.dom.date_forms import find_date, has_date, is_clock


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("November 12, 2012 at 10:31 am", "November 12, 2012 at 10:31 am"),
        ("12. Mai 2021, 14:05 Uhr", "12. Mai 2021, 14:05 Uhr"),
        ("22/11/2024 à 09:47", "22/11/2024 à 09:47"),
        ("2012-08-09T10:16", "2012-08-09T10:16"),
        ("2024年5月3日", "2024年5月3日"),
        ("3 hours ago", "3 hours ago"),
        ("vor 3 Stunden", "vor 3 Stunden"),
        ("il y a 2 jours", "il y a 2 jours"),
        ("8d", "8d"),
        ("8dReply", "8dReply"),
        ("an hour ago", "an hour ago"),
        ("1 year, 2 months ago", "1 year, 2 months ago"),
        ("5 лет назад", "5 лет назад"),
        ("hace 3 horas", "hace 3 horas"),
        ("há um dia", "há um dia"),
        ("3 ore fa", "3 ore fa"),
        ("vor einem Tag", "vor einem Tag"),
        ("5年前", "5年前"),
        ("16-Jun-20 16:12", "16-Jun-20 16:12"),
        ("17 de fev", "17 de fev"),
        ("2012 October 3", "2012 October 3"),
        ("Posted by: Ben at October 28, 2012 04:59 PM", "October 28, 2012 04:59 PM"),
        ("written by Tony, October 24, 2012", "October 24, 2012"),
    ],
)
def test_a_date_is_found(text: str, stamp: str) -> None:
    assert find_date(text) == stamp


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Reply",
        "4:14",
        "3 comments",
        "1.",
        "I was there in 1999",
        "I played under it as a child many years ago.",
        "I am sure it was long ago",
        "1st..",
        "10 miles",
        "+44 (0)20 3353 2000",
        "2005年韩国最新电影",
        "Rosé 2025, France ($14)",
        "Die Eiche stand vor dem Haus.",
        "Il y a un chêne dans notre jardin.",
        "Hace mucho frío en la casa",
        "http://example.org/2012/10/28/oak.html",
        "On 3 May 2012 we all went out to see the oak, and what a sight it was, to be sure, said Ann",
    ],
)
def test_no_date_is_found(text: str) -> None:
    assert not has_date(text)


def test_a_time_of_day_alone_is_a_clock() -> None:
    assert is_clock("@ 12:22")
    assert not is_clock("at 12:22 we left")
