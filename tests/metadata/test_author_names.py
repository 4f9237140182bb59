"""Names in bylines and fields."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from duramen.metadata import author_names
from duramen.metadata.author_names import parse_names, read_authors
from duramen.metadata.model import Claim


@given(
    st.lists(st.sampled_from(["Jane", "DOE", "Roe", "By", "Ph", "x", "A", "É", " ", " ", "a" * 21, "-"]), max_size=7)
)
@example(["Jane", " ", "A" + "a" * 20])
@example(["Jane", " ", "A" + "a" * 21])
def test_a_plain_name_is_parsed_as_itself(pieces: list[str]) -> None:
    value = "".join(pieces)
    if author_names.is_plain_name(value):
        parsed = [
            author_names.parse_names(value, is_name=is_name, is_one=is_one)
            for is_name in (False, True)
            for is_one in (False, True)
        ]
        assert parsed == [[value]] * 4


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Kevin", ["Kevin"]),
        ("raoul", ["raoul"]),
        ("admin", []),
        ("By", []),
        ("Autorin", []),
        ("Yazanov", ["ov"]),
        ("x", []),
    ],
)
def test_one_word_is_a_name_or_none(value: str, found: list[str]) -> None:
    assert parse_names(value) == found


def test_the_returned_list_is_not_shared() -> None:
    parse_names("Kevin").append("somebody else")
    assert parse_names("Kevin") == ["Kevin"]


_NAME: Final = [
    "Jane",
    "DOE",
    "on",
    "of the",
    "and",
    "Und",
    "by",
    "web design",
    "news",
    "-",
    "7",
    ".com",
    "@",
    "(x)",
    ",",
]


@given(st.lists(st.sampled_from(_NAME), max_size=5).map(" ".join))
@example("Great Day Editorial Team")
@example("Jane Doe Roe Poe and John Doe")
def test_plain_words_are_not_changed_by_the_expressions(value: str) -> None:
    plain = (
        value.isascii()
        and value.replace(" ", "").isalpha()
        and author_names._LINE_WORDS.isdisjoint(value.lower().split())
    )
    if plain:
        assert author_names._TEXT_AFTER_NAME.sub("", value) == value
        assert author_names._NAME_SEPARATOR.split(value) == [value]
    assert author_names._drop_byline_start(value) == author_names._BYLINE_PREFIX.sub("", value)


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
    assert parse_names(text) == found


def test_citations_have_the_last_name_first() -> None:
    assert parse_names("Doe, Jane", last_name_first="citation") == ["Jane Doe"]
    assert parse_names("van der Doe, Jane Mary", last_name_first="citation") == ["Jane Mary van der Doe"]


@pytest.mark.parametrize(
    ("text", "last_name_first", "found"),
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
def test_last_name_first_is_recognized_if_it_is_one_person(text: str, last_name_first: str, found: list[str]) -> None:
    assert parse_names(text, is_name=True, last_name_first=last_name_first) == found


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
def test_a_field_for_names_contains_names(value: str, found: list[str], source: str) -> None:
    assert [one.name for one in read_authors([Claim(value, source)])] == found


@settings(deadline=None)
@given(st.text(max_size=200))
def test_parse_names_accepts_any_text(text: str) -> None:
    found = parse_names(text)
    assert len({name.casefold() for name in found}) == len(found)


def test_capitalized_words_are_not_always_a_name() -> None:
    assert parse_names("Jane Mary Doe") == ["Jane Mary Doe"]
    assert parse_names("Doe And Roe") == ["Doe", "Roe"]
    assert parse_names("By Jane Doe") == ["Jane Doe"]
