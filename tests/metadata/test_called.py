"""What elements are called: the words of their classes and ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.metadata import called
from duramen.metadata.called import name_words

NAMES = [
    ("postMeta entry-date", None, {"post", "meta", "entry", "date"}),
    (None, "sideBar_2", {"side", "bar", "2"}),
    ("автор-имя", "By line", {"автор", "имя", "by", "line"}),
    ("", None, set()),
    ("a\nb\tc", "d", {"a", "b", "c", "d"}),
    ("HTMLBody x", None, {"htmlbody", "x"}),
]


@pytest.mark.parametrize(("classes", "name", "words"), NAMES)
def test_the_words_of_a_name(classes: str | None, name: str | None, words: set[str]) -> None:
    assert name_words(classes, name) == words


@given(st.lists(st.sampled_from([*"aZé-_ 0.中", "ab", "Cd", "\u0130"]), max_size=12).map("".join))
def test_the_words_are_what_the_expressions_find(both: str) -> None:
    found = called._parts.findall(called._capitals.sub(" ", both).lower())
    assert name_words(both, None) == name_words(None, both) == frozenset(found)
    assert not both.isascii() or called._ascii_words(both) == found


def test_a_name_is_read_no_further_than_a_name_goes() -> None:
    assert "end" not in name_words(f"{'x ' * 200}end", None)
