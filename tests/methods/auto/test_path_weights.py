"""Ways: what the words from the page down to an element weigh together."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import DICTIONARY, PAGES, blocks_of, both, made_pages, needs_compiled

from duramen.methods.auto.columns import COUNT, NAMES
from duramen.methods.auto.features import describe
from duramen.methods.auto.path_weights import SCALE, weigh
from duramen.methods.auto.title import Sayings

WEIGHTS = array("q", [int(SCALE) * weight for weight in (3, -5, 0, -7, 2, 1, 4, -2)])
"""Of p, nav, div, comment, post, body, main and side."""


def ways(html: str) -> list[float]:
    """What lies on the way to each block."""
    rows = describe(blocks_of(html), DICTIONARY, Sayings(), COUNT, WEIGHTS).rows
    return list(rows[NAMES.index("way") :: COUNT])


def test_the_words_on_a_way_are_added() -> None:
    assert ways("<div class=post><p class=body>a<p class=comment>b</div><nav>c</nav>") == [2 + 1 + 3, 2 - 7 + 3, -5]


def test_a_word_counts_once_on_a_way() -> None:
    assert ways("<div class='post post-body'><div class=post><p class=post>a</div></div>") == [2 + 1 + 3]


def test_a_word_counts_again_on_another_way() -> None:
    assert ways("<div class=post>a</div><div class=post>b</div><div>c</div>") == [2, 2, 0]


def test_words_of_the_whole_page_do_not_count() -> None:
    assert ways("<html class=comment><body class=post>a<p>b") == [0, 3]


def test_a_name_known_by_its_beginning_alone_does_not_count() -> None:
    assert ways("<div class=commentlist>a</div>") == [0]


def test_without_weights_nothing_weighs() -> None:
    rows = describe(blocks_of("<p class=post>a"), DICTIONARY, Sayings(), COUNT).rows
    assert rows[NAMES.index("way")] == 0


def test_no_elements_have_no_ways() -> None:
    nothing = array("q")
    assert weigh(nothing, nothing, nothing, array("q", (0,)), nothing, WEIGHTS) == array("d")


@needs_compiled
@pytest.mark.parametrize("html", PAGES)
def test_the_twin_weighs_written_pages_alike(html: str) -> None:
    pure, twin = both("methods.auto.features.describe")
    asked = blocks_of(html), DICTIONARY, Sayings(), COUNT, WEIGHTS
    assert pure(*asked).rows == twin(*asked).rows


@needs_compiled
@given(made_pages(), st.lists(st.integers(-99, 99), min_size=len(DICTIONARY), max_size=len(DICTIONARY)))
def test_the_twin_weighs_the_same(html: str, weights: list[int]) -> None:
    pure, twin = both("methods.auto.features.describe")
    asked = blocks_of(html), DICTIONARY, Sayings(), COUNT, array("q", weights)
    assert pure(*asked).rows == twin(*asked).rows
