"""Dates, names and titles as strings."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from math import fsum

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from duramen.metadata.addresses import date_in
from duramen.metadata.choosing import score
from duramen.metadata.claims import Claim
from duramen.metadata.dates import day_of, read_date, swapped
from duramen.metadata.names import authors, names
from duramen.metadata.options import Option
from duramen.metadata.titles import without_site


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
def test_a_day_is_read(text: str) -> None:
    assert read_date(text) == date(2024, 3, 5)


@pytest.mark.parametrize(
    "text", ["2024-03-05T10:00:00Z", "Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05 11:00 +0100", "1709632800"]
)
def test_a_moment_is_read(text: str) -> None:
    found = read_date(text)
    assert isinstance(found, datetime)
    assert found == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_the_language_decides_on_the_order_of_numbers() -> None:
    assert read_date("3/4/2024", "en-US") == date(2024, 3, 4)
    assert read_date("3/4/2024", "en-GB") == date(2024, 4, 3)


def test_what_else_a_date_in_numbers_may_say() -> None:
    assert swapped("on 3/4/2024", date(2024, 3, 4)) == date(2024, 4, 3)
    assert swapped("13/4/2024", date(2024, 4, 13)) is None
    assert swapped("4/4/2024", date(2024, 4, 4)) is None
    assert swapped("2024-03-04", date(2024, 3, 4)) is None
    assert swapped("3/4/2024", date(2023, 3, 4)) is None
    assert read_date("25/4/2024", "en-US") == date(2024, 4, 25)


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
def test_what_is_no_date_is_none(text: str) -> None:
    assert read_date(text) is None


@settings(deadline=None)
@given(st.text(max_size=150))
@example("3 ſep 2024")
@example("ſept 5, 2024 at 10:30 EſT")
def test_any_text_may_be_asked_for_a_date(text: str) -> None:
    read_date(text, "en")


@pytest.mark.parametrize("month", ["sep", "SEP", "Sept", "ſep", "ſeptember"])
def test_an_old_s_is_one(month: str) -> None:
    assert read_date(f"5 {month} 2024") == date(2024, 9, 5)
    found = date_in(f"/2024/{month}/05/oaks")
    assert found is not None
    assert found.value == "2024-09-05"


@settings(deadline=None)
@given(st.dates(date(1990, 1, 2), date(2200, 1, 1)))
def test_every_day_is_read_back(day: date) -> None:
    found = read_date(day.isoformat())
    assert found is not None
    assert day_of(found) == day


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("By Jane Doe", ["Jane Doe"]),
        ("Written by Jane Doe, Staff Writer", ["Jane Doe"]),
        ("Jane Doe, MD, PhD and John Roe", ["Jane Doe", "John Roe"]),
        ("By Jane Doe | March 5, 2024", ["Jane Doe"]),
        ("by Jane Doe on March 5, 2024", ["Jane Doe"]),
        ("Jane Doe (Editor)", ["Jane Doe"]),
        ("Jane Doe, John Roe & Ann Poe", ["Jane Doe", "John Roe", "Ann Poe"]),
        ("Jane Doe; jane doe", ["Jane Doe"]),
        ("Byron Smith", ["Byron Smith"]),
        ("By following the steps below", []),
        ("记者 王小明 李四 报道", ["王小明", "李四"]),
        ("Jane Doe (@jdoe)", ["Jane Doe"]),
        ("@jdoe", []),
        ("Sat", []),
        ("profile", []),
        ("Reading Time", []),
        ("Get Started free", []),
        ("Read More", []),
        ("Newsletters", []),
        ("FREE EMAIL HEADLINES", []),
        ("Comments Email Print Got a story?", []),
        ("Published", []),
        ("Updated", []),
        ("Media Release", []),
        ("© Jane Doe", []),
        ("By Jane Doe in", ["Jane Doe"]),
        ("Jane Page", ["Jane Page"]),
        ("By Oak and Elm Society", ["Oak and Elm Society"]),
        ("By Jane and John Doe", ["Jane", "John Doe"]),
        ("By focusing on the oaks", []),
        ("https://example.org/jane", []),
    ],
)
def test_names_are_cleaned(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_a_citation_turns_names_round() -> None:
    assert names("Doe, Jane", turned="citation") == ["Jane Doe"]
    assert names("van der Doe, Jane Mary", turned="citation") == ["Jane Mary van der Doe"]


@pytest.mark.parametrize(
    ("text", "turned", "found"),
    [
        ("Doe, Jane", "dublin-core", ["Jane Doe"]),
        ("Doe Roe, Jane", "dublin-core", ["Jane Doe Roe"]),
        ("Jane Doe, John Roe", "dublin-core", ["Jane Doe", "John Roe"]),
        ("Doe, Jane Mary", "person", ["Jane Mary Doe"]),
        ("Jane Doe, Reuters", "person", ["Jane Doe"]),
        ("Doe, PhD", "person", ["Doe"]),
        ("Doe, Editor", "person", ["Doe"]),
        ("Doe, Jane", "", ["Doe"]),
    ],
)
def test_elsewhere_names_are_turned_round_where_they_are_clearly_one(text: str, turned: str, found: list[str]) -> None:
    assert names(text, is_name=True, turned=turned) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Center for Drug Evaluation and Research", ["Center for Drug Evaluation and Research"]),
        ("Food and Drug Administration", ["Food and Drug Administration"]),
        ("Human in the Loop", ["Human in the Loop"]),
        ("annette thurmon", ["annette thurmon"]),
        ("Jane Doe and John Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe, Editor at The Forester", ["Jane Doe"]),
        ("By Jane Doe in London", ["Jane Doe"]),
        ("Author: Jane Doe", ["Jane Doe"]),
        ("Jane Doe | March 2024", ["Jane Doe"]),
        ("content: Jane Doe; design: John Roe", []),
    ],
)
@pytest.mark.parametrize("source", ["meta", "dublin-core", "citation"])
def test_what_a_field_for_names_holds_is_a_name(value: str, found: list[str], source: str) -> None:
    assert [one.name for one in authors([Claim(value, source)])] == found


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_may_be_asked_for_names(text: str) -> None:
    found = names(text)
    assert len({name.casefold() for name in found}) == len(found)


@pytest.mark.parametrize(
    ("title", "sites", "brand", "bare"),
    [
        ("Oaks | The Forester", ["The Forester"], "", "Oaks"),
        ("The Forester: Oaks", ["The Forester"], "", "Oaks"),
        ("Oaks - Forester.example", [], "forester", "Oaks"),
        ("Oaks - and elms", [], "forester", "Oaks - and elms"),
        ("The Forester", ["The Forester"], "", "The Forester"),
        ("Oaks – New York Times", [], "nyt", "Oaks"),
    ],
)
def test_the_name_of_the_site_is_taken_off(title: str, sites: list[str], brand: str, bare: str) -> None:
    assert without_site(title, tuple(sites), brand) == bare


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("2024-03-05T10:30:15.250Z", "2024-03-05T10:30:15+00:00"),
        ("2024-03-05T10:30:15", "2024-03-05"),
        ("2024-03-05T10:30:15-0600", "2024-03-05T10:30:15-06:00"),
        ("2024-03-05T10:61:00Z", "2024-03-05"),
        ("2024-03-05 in the morning", "2024-03-05"),
    ],
)
def test_a_date_that_is_written_for_machines(said: str, read: str) -> None:
    found = read_date(said)
    assert (found and found.isoformat()) == read


def test_a_sum_of_signs_does_not_depend_on_their_order() -> None:
    weights = {"bias": 0.1, "one": 0.2, "two": 0.3, "three": -0.6}
    assert score(Option("", frozenset(("one", "two", "three")), ()), weights) == fsum(weights.values())


def test_a_plain_name_and_one_that_only_looks_plain() -> None:
    assert names("Jane Mary Doe") == ["Jane Mary Doe"]
    assert names("Doe And Roe") == ["Doe", "Roe"]
    assert names("By Jane Doe") == ["Jane Doe"]


@pytest.mark.parametrize(
    ("said", "read"),
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
def test_a_time_with_a_zone_is_a_moment(said: str, read: str) -> None:
    found = read_date(said)
    assert found is not None
    assert found.isoformat() == read


@pytest.mark.parametrize(
    "said",
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
def test_a_time_whose_zone_is_not_sure_leaves_the_day(said: str) -> None:
    assert read_date(said) == date(2024, 5, 3)


def test_british_summer_has_an_end() -> None:
    assert read_date("3 January 2024 22:30 BST") == date(2024, 1, 3)


@pytest.mark.parametrize(
    ("said", "lang", "hours"),
    [
        ("5 марта 2024, 10:30 МСК", "ru", 3),
        ("5 марта 2024 г. в 10:30 (мск)", "ru", 3),
        ("5 marca 2024 r., godz. 10:30 CET", "pl", 1),
        ("5 Μαρτίου 2024, 10:30 EET", "el", 2),
    ],
)
def test_a_time_beside_a_date_in_words(said: str, lang: str, hours: int) -> None:
    pytest.importorskip("dateparser")
    assert read_date(said, lang) == datetime(2024, 3, 5, 10, 30, tzinfo=timezone(timedelta(hours=hours)))
