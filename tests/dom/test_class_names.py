"""Words of class and id attributes; those of comments, and similar words with other meanings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom import class_names
from duramen.dom.class_names import COMMENT, CONTAINER, EXCLUDED, UNRELATED, name_words


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("comments", CONTAINER),
        ("commentlist", CONTAINER),
        ("comment-body", CONTAINER),
        ("kommentare", CONTAINER),
        ("disqus_thread", CONTAINER),
        ("comment", COMMENT),
        ("comment-1234", COMMENT),
        ("li-comment-1234", COMMENT),
        ("userComment", COMMENT),
        ("kommentar", COMMENT),
        ("comentario-12", COMMENT),
        ("recent-comments", EXCLUDED),
        ("widget_recent_comments", EXCLUDED),
        ("recentcomments", EXCLUDED),
        ("pingback", EXCLUDED),
        ("commentary", UNRELATED),
        ("commentator", UNRELATED),
        ("commentform", UNRELATED),
        ("comment-form", UNRELATED),
        ("comment-count", UNRELATED),
        ("comments-closed", UNRELATED),
        ("content", UNRELATED),
        ("moment", UNRELATED),
        ("", UNRELATED),
        ("comment" * 1000, UNRELATED),
    ],
)
def test_names_are_classified(name: str, verdict: int) -> None:
    assert class_names.classify_name(name) == verdict


def test_one_excluding_name_is_enough() -> None:
    assert class_names.classify({"class": "comment recent-comments", "id": None}) == EXCLUDED


def test_types_and_properties_of_schema_org_count() -> None:
    assert class_names.classify({"itemtype": "https://schema.org/Comment"}) == COMMENT
    assert class_names.classify({"itemtype": "http://schema.org/UserComments"}) == COMMENT
    assert class_names.classify({"itemprop": "comment"}) == COMMENT
    assert class_names.classify({"itemprop": "commentCount"}) == UNRELATED


def test_a_footer_with_a_comment_class_is_a_footer() -> None:
    assert class_names.classify({"id": "footer", "class": "comment b4"}) == UNRELATED


@pytest.mark.parametrize("text", ["Comments", "3 Comments", "Comments (12)", "Kommentare", "网友评论", "コメント"])
def test_headings_that_announce_comments(text: str) -> None:
    assert class_names.is_comments_heading(text)


@pytest.mark.parametrize(
    "text", ["Leave a comment", "No comments", "Contents", "A comment on what was said about the oaks"]
)
def test_other_headings_do_not_announce_comments(text: str) -> None:
    assert not class_names.is_comments_heading(text)


NAMES = [
    ("postMeta entry-date", None, {"post", "meta", "entry", "date"}),
    (None, "sideBar_2", {"side", "bar", "2"}),
    ("автор-имя", "By line", {"автор", "имя", "by", "line"}),
    ("", None, set()),
    ("a\nb\tc", "d", {"a", "b", "c", "d"}),
    ("HTMLBody x", None, {"htmlbody", "x"}),
]


@pytest.mark.parametrize(("classes", "name", "words"), NAMES)
def test_class_and_id_are_split_into_words(classes: str | None, name: str | None, words: set[str]) -> None:
    assert name_words(classes, name) == words


@given(st.lists(st.sampled_from([*"aZé-_ 0.中", "ab", "Cd", "\u0130"]), max_size=12).map("".join))
def test_words_end_at_capitals_and_punctuation(both: str) -> None:
    words = class_names._WORD.findall(class_names.CAMEL_CASE_BORDER.sub(" ", both).lower())
    assert name_words(both, None) == name_words(None, both) == frozenset(words)


def test_long_names_are_cut() -> None:
    assert "end" not in name_words(f"{'x ' * 200}end", None)


@pytest.mark.parametrize(
    ("text", "name"), [("ratingValue", "rating_value"), ("Price (EUR):", "price_eur"), ("card__title", "card_title")]
)
def test_names_are_converted_to_snake_case(text: str, name: str) -> None:
    assert class_names.to_snake_case(text) == name
