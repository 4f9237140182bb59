"""What a page says it is about."""

from __future__ import annotations

from duramen.dom.tree import Tree
from duramen.methods.auto.title import Sayings, read_sayings


def said(html: str) -> Sayings:
    return read_sayings(Tree.parse(html))


def test_a_page_may_say_nothing() -> None:
    assert said("<p>words</p>") == said("") == Sayings("", ())


def test_the_title_is_in_lower_case_with_single_spaces() -> None:
    assert said("<title> The \n OAK </title>").title == "the oak"


def test_the_first_title_counts_that_says_something() -> None:
    assert said("<title> </title><title>The oak</title><title>The elm</title>").title == "the oak"


def test_the_title_for_social_media_is_read_where_there_is_no_other() -> None:
    social = "<meta property=og:title content='The Oak'>"
    assert said(f"{social}<title>The oak | Yard</title>").title == "the oak | yard"
    assert said(social).title == "the oak"
    assert said("<meta property=og:title><p>a").title == ""


def test_titles_in_the_body_are_not_the_pages() -> None:
    assert said("<body><p>a<svg><title>Icon</title></svg>").title == ""


def test_long_words_of_the_title_are_signs() -> None:
    assert said("<title>Old bridges, closed in 1900!</title>").signs == ("bridge", "closed")


def test_where_no_spaces_are_written_two_characters_are_a_sign() -> None:
    assert said("<title>树木心材 oaks</title>").signs == ("树木", "木心", "心材", "oaks")


def test_signs_are_few_and_each_is_there_once() -> None:
    words = [f"{letter * 4}x" for letter in "abcdefghijklmnopq"]
    assert said(f"<title>{' '.join(words + words)}</title>").signs == tuple(words[:12])


def test_of_a_title_without_end_the_beginning_is_read() -> None:
    title = read_sayings(Tree.parse(f"<title>{'a' * 1_000_000}</title>")).title
    assert title == "a" * 1000
