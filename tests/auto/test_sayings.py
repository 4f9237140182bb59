"""What a page says of itself in its head and in JSON-LD."""

from __future__ import annotations

import pytest

from duramen.auto.sayings import Sayings, read_sayings
from duramen.tree import Tree

LONG = "Half of the crown lay in the garden after the storm, and the wood was kept."


def said(html: str) -> Sayings:
    return read_sayings(Tree.parse(html))


def test_a_page_may_say_nothing() -> None:
    assert said("<p>words</p>") == Sayings("", "", "")
    assert said("") == Sayings()


def test_the_title_is_in_lower_case_with_single_spaces() -> None:
    assert said("<title> The \n OAK </title>").title == "the oak"


def test_the_title_for_search_engines_is_added() -> None:
    assert said("<title>The oak | Yard</title><meta property=og:title content='The Oak'>").title.split("\n") == [
        "the oak | yard",
        "the oak",
    ]


def test_titles_in_the_body_are_not_the_pages() -> None:
    assert said("<body><p>a<svg><title>Icon</title></svg>").title == ""


@pytest.mark.parametrize("name", ["name=description", "property='og:description'", "name='Twitter:Description'"])
def test_the_beginning_of_a_description_is_kept(name: str) -> None:
    assert said(f'<meta {name} content="{LONG}">').description == LONG[:40].lower()


def test_the_first_description_counts() -> None:
    other = "Quite another description, which is long enough to be one."
    assert said(
        f"<meta name=description content='{LONG}'><meta name=og:description content='{other}'>"
    ).description == (LONG[:40].lower())


def test_a_short_description_is_none() -> None:
    assert said("<meta name=description content='Our news.'>").description == ""
    assert said("<meta name=description><meta content=x>").description == ""


def test_json_ld_is_read_wherever_it_stands() -> None:
    data = '{"articleBody": "One\\nTwo \\"three\\" and\\/or FOUR"}'
    found = said(f"<script>var x</script><body><p>a</p><script type='application/ld+json'>{data}</script>").data
    assert 'one two "three" and/or four' in found
    assert "var x" not in found


def test_a_flood_of_json_ld_is_cut() -> None:
    assert len(said(f"<script type=application/ld+json>{'x' * 300_000}</script>").data) <= 200_000
