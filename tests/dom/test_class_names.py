"""Class and id words of comments, and similar words with other meanings."""

from __future__ import annotations

import pytest

from duramen.dom import class_names
from duramen.dom.class_names import COMMENT, CONTAINER, EXCLUDED, UNRELATED


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


@pytest.mark.parametrize(
    ("text", "name"), [("ratingValue", "rating_value"), ("Price (EUR):", "price_eur"), ("card__title", "card_title")]
)
def test_names_are_converted_to_snake_case(text: str, name: str) -> None:
    assert class_names.to_snake_case(text) == name
