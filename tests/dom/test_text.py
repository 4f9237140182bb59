"""The text of an element, and values from markup."""

from __future__ import annotations

import re
from html import unescape
from typing import Final
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from duramen.dom import text
from duramen.dom.text import read_text
from duramen.dom.tree import Tree


def words_of(html: str) -> list[str]:
    return read_text(Tree.parse(html)).split()


def test_inline_elements_join():
    assert words_of("<p><b>W</b>ord <i>an<u>oth</u>er</i></p>") == ["Word", "another"]


@pytest.mark.parametrize("html", ["<p>a<p>b", "<div>a</div>b", "a<br>b", "a<div>b</div>", "<td>a</td><td>b</td>"])
def test_other_elements_separate_words(html):
    assert words_of(f"<table><tr>{html}</table>" if "<td" in html else html) == ["a", "b"]


def test_the_end_of_a_block_separates_words_at_any_depth():
    assert words_of("<div><section><p><b>a</b></p></section></div><b>b</b>") == ["a", "b"]


def test_invisible_text_is_left_out():
    assert words_of("<title>t</title><body><script>s</script><style>c</style><noscript>n</noscript>a") == ["a"]


def test_deep_pages_are_read():
    assert words_of("<div>" * 20_000 + "oak") == ["oak"]


# Values

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
    without_tags = text._TAG.sub(" ", unescape(value))
    assert text.clean_text(value) == " ".join(text._NOT_TEXT.sub("", without_tags).split())
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
def test_values_with_equal_word_keys_have_the_same_words(one: str, other: str) -> None:
    for first, second in ((one, other), (one, one.swapcase()), (one + " " + other, one + "-" + other)):
        assert text.have_same_words(first, second) == (text.word_key(first) == text.word_key(second))


@given(TEXTS, TEXTS)
def test_values_without_possible_entities_are_unchanged(one: str, other: str) -> None:
    value = f"{one}&{other}"
    assert text._may_contain_entity(value) or unescape(value) == value
