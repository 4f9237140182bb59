"""What comments cost on pages made to be expensive. Without the bounds these would not end while anybody waits."""

from __future__ import annotations

import pytest

from duramen.comments.finding import _is_excerpt
from duramen.comments.reading import clean_name
from duramen.comments.stamps import is_clock, may_be_said

LONG = 200_000


@pytest.mark.parametrize("sign", ["-", "·", "1", "[...]"])
def test_long_texts_are_no_clocks_and_hold_no_dates(sign: str) -> None:
    assert not is_clock(sign * LONG)
    assert not may_be_said(sign * LONG + "x")


@pytest.mark.parametrize("sign", ["-", ", ", "a-"])
def test_long_texts_are_no_names(sign: str) -> None:
    assert clean_name("Ann " + sign * LONG + "at") is None


def test_a_name_stands_before_what_is_said_however_long_that_is() -> None:
    assert clean_name("Ann Alder says: " + "oaks " * LONG) == "Ann Alder"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("[...] as the oak shows [...]", True),
        ("[…] as the oak shows […] !", True),
        ("[...] as the oak shows [...] and more", False),
        ("[...]", False),
        ("[...][…]", True),
        ("as the oak shows [...]", False),
        ("[...]" * LONG + "x", False),
    ],
)
def test_a_piece_of_another_page_begins_and_ends_in_the_middle(text: str, is_one: bool) -> None:
    assert _is_excerpt(text) is is_one
