"""Normalization of text."""

from __future__ import annotations

import re
from html import unescape
from typing import Final
from unicodedata import normalize

from hypothesis import example, given
from hypothesis import strategies as st

from duramen.metadata import text

PIECES: Final = [
    *"ab |-–:»›｜_/\\<>·Aé’&;#=$",
    "  ",
    "\n",
    "\u00a0",
    "\u200b",
    "\u00ad",
    "一",
    "中",
    "&amp",
    "&lt;",
    "&w=1",
]


TEXTS: Final = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(TEXTS)
def test_clean_text_removes_tags_entities_and_invisible_characters(value: str) -> None:
    said = text._TAG.sub(" ", unescape(value))
    assert text.clean_text(value) == " ".join(text._NOT_TEXT.sub("", said).split())
    assert text.clean_text("x" + value + "\ud800") == " ".join(
        text._NOT_TEXT.sub("", text._TAG.sub(" ", unescape("x" + value)) + "\ufffd").split()
    )


@given(TEXTS)
@example("Straße — ﬁn’s")
def test_word_key_is_the_words_in_lower_case(value: str) -> None:
    assert text.word_key(value) == " ".join(re.findall(r"\w+", normalize("NFKC", value).casefold()))


@given(TEXTS, TEXTS)
@example("Old oaks, é", "old OAKS … É")
@example("one two", "one twofold")
@example("one two…", "one two")
@example("a =\u0338 b", "a = b")
@example("cafe\u0301 a", "caf\u00e9 A!")
@example("", "…")
def test_values_with_equal_keys_have_the_same_words(one: str, other: str) -> None:
    for value in (one, other):
        assert text.word_key(value) == " ".join(re.findall(r"\w+", normalize("NFKC", value).casefold()))
    for first, second in ((one, other), (one, one.swapcase()), (one + " " + other, one + "-" + other)):
        assert text.have_same_words(first, second) == (text.word_key(first) == text.word_key(second))


@given(TEXTS, TEXTS)
def test_values_without_possible_entities_are_unchanged(one: str, other: str) -> None:
    value = f"{one}&{other}"
    assert text._may_contain_entity(value) or unescape(value) == value
