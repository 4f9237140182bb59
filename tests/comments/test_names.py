"""Names that say "comments", and names that only look like it."""

from __future__ import annotations

import pytest

from duramen.comments import names
from duramen.comments.names import ELSEWHERE, ITEM, NOTHING, PLACE


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("comments", PLACE),
        ("commentlist", PLACE),
        ("comment-body", PLACE),
        ("kommentare", PLACE),
        ("disqus_thread", PLACE),
        ("comment", ITEM),
        ("comment-1234", ITEM),
        ("li-comment-1234", ITEM),
        ("userComment", ITEM),
        ("kommentar", ITEM),
        ("comentario-12", ITEM),
        ("recent-comments", ELSEWHERE),
        ("widget_recent_comments", ELSEWHERE),
        ("recentcomments", ELSEWHERE),
        ("pingback", ELSEWHERE),
        ("commentary", NOTHING),
        ("commentator", NOTHING),
        ("commentform", NOTHING),
        ("comment-form", NOTHING),
        ("comment-count", NOTHING),
        ("comments-closed", NOTHING),
        ("content", NOTHING),
        ("moment", NOTHING),
        ("", NOTHING),
        ("comment" * 1000, NOTHING),
    ],
)
def test_what_a_name_says(name: str, verdict: int) -> None:
    assert names.judge_name(name) == verdict


def test_one_name_that_says_elsewhere_is_enough() -> None:
    assert names.judge({"class": "comment recent-comments", "id": None}) == ELSEWHERE


def test_types_and_properties_of_schema_org_count() -> None:
    assert names.judge({"itemtype": "https://schema.org/Comment"}) == ITEM
    assert names.judge({"itemtype": "http://schema.org/UserComments"}) == ITEM
    assert names.judge({"itemprop": "comment"}) == ITEM
    assert names.judge({"itemprop": "commentCount"}) == NOTHING


def test_a_footer_that_is_called_a_comment_is_a_footer() -> None:
    assert names.judge({"id": "footer", "class": "comment b4"}) == NOTHING


@pytest.mark.parametrize("text", ["Comments", "3 Comments", "Comments (12)", "Kommentare", "网友评论", "コメント"])
def test_headings_that_announce_comments(text: str) -> None:
    assert names.is_heading(text)


@pytest.mark.parametrize(
    "text", ["Leave a comment", "No comments", "Contents", "A comment on what was said about the oaks"]
)
def test_headings_that_do_not(text: str) -> None:
    assert not names.is_heading(text)
