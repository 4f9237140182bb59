"""Time limits on texts that would be slow to search without bounds."""

from __future__ import annotations

import pytest

from duramen.comments.comment_fields import clean_name
from duramen.comments.finder import _is_excerpt
from duramen.comments.timestamps import may_mention_date
from duramen.dom.date_forms import is_clock

LONG = 200_000


@pytest.mark.parametrize("sign", ["-", "·", "1", "[...]"])
def test_long_texts_have_no_times_and_no_dates(sign: str) -> None:
    assert not is_clock(sign * LONG)
    assert not may_mention_date(sign * LONG + "x")


@pytest.mark.parametrize("sign", ["-", ", ", "a-"])
def test_long_texts_are_no_names(sign: str) -> None:
    assert clean_name("Ann " + sign * LONG + "at") is None


def test_a_name_is_found_before_a_long_text() -> None:
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
def test_an_excerpt_begins_and_ends_with_an_ellipsis(text: str, is_one: bool) -> None:
    assert _is_excerpt(text) is is_one
