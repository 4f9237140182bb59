"""The columns of posts: who wrote a post, when, and its text.

Records with a user, a date and a long text are posts. On the page of a thread the authors and dates of its posts may be
known beside (`PostValues`); then the columns that have these values are the ones of user and date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from duramen.data_records.column_evidence import (
    MIN_ROLE_SHARE,
    NAMING_STEPS,
    ColumnEvidence,
    links_to_profile,
    own_name,
)
from duramen.data_records.column_roles import MAX_USER_CHARS, USER_WORD
from duramen.dom.tag_sets import HEADING_TAGS

MIN_POST_CHARS: Final = 60
"""Mean length of the longest text of posts."""
MIN_TITLE_CHARS: Final = 15
"""Mean length of linked texts that are titles; numbers of posts and names of users are shorter."""
_ABOUT_USER = re.compile(
    r"title|banner|rank|status|info|stat|avatar|since|joined|regist|group|count|image|extra|badge", re.IGNORECASE
)


@dataclass(frozen=True)
class PostValues:
    """Authors and dates of the posts of a thread, as the page shows them; None for a record without."""

    authors: Sequence[str | None]
    dates: Sequence[str | None]


def find_columns_of_posts(columns: Sequence[ColumnEvidence], known: PostValues | None = None) -> dict[int, str]:
    """Return the columns `user`, `date` and `text` if the records are posts; else none."""
    if known is not None and (found := _find_known_columns(columns, known)):
        return found
    numbers = range(len(columns))
    texts = [number for number in numbers if columns[number].is_text and columns[number].kind == "text"]
    if not texts:
        return {}
    longest = max(texts, key=lambda number: columns[number].mean_chars)
    dates = [number for number in numbers if _is_date(columns[number])]
    users = [number for number in texts if number != longest and _is_user(columns[number])]
    users.sort(
        key=lambda number: (not links_to_profile(columns[number]), not USER_WORD.search(own_name(columns[number])))
    )
    if not dates or not users or columns[longest].mean_chars < MIN_POST_CHARS:
        return {}
    if columns[users[0]].label and _has_labels(columns, users[0]):
        return {}
    if any(column.kind == "price" for column in columns) or _has_title(columns, longest, users[0]):
        return {}
    user = users[0]
    # No two posts have the same minute. The date on which a member joined is in all posts of the member, often as a
    # line beside the user name.
    posted = max(
        dates,
        key=lambda number: (
            not _is_about_user(columns[number], columns[user]),
            len(set(columns[number].filled)),
        ),
    )
    return {longest: "text", posted: "date", user: "user"}


def is_role_of_post(column: ColumnEvidence, role: str) -> bool:
    """False for roles of other records: "Senior member" is no title, and a signature no description of the post."""
    if role == "title":
        is_titled = bool(HEADING_TAGS & column.tags) or column.class_name in ("title", "subject")
        return is_titled and not USER_WORD.search(own_name(column)) and column.itemprop.lower() != "jobtitle"
    if role == "url":
        return not links_to_profile(column)
    return role not in ("snippet", "author", "rating", "availability", "price", "old_price")


def _find_known_columns(columns: Sequence[ColumnEvidence], known: PostValues) -> dict[int, str]:
    """Return the columns that have the known authors and dates, and the one with the longest texts."""
    texts = {number: column for number, column in enumerate(columns) if column.is_text and column.kind == "text"}
    dates = {number: column for number, column in enumerate(columns) if _is_date(column)}
    longest = max(  # not the listings that few posts have
        texts,
        key=lambda number: (texts[number].filled_share >= MIN_ROLE_SHARE, texts[number].mean_chars),
        default=-1,
    )
    user = _find_equal(texts, known.authors, longest)
    date = _find_equal(dates, known.dates, -1)
    return {longest: "text", date: "date", user: "user"} if min(longest, user, date) >= 0 else {}


def _is_date(column: ColumnEvidence) -> bool:
    return (column.kind == "date" or column.source == "time") and not column.is_clock


def _find_equal(columns: Mapping[int, ColumnEvidence], values: Sequence[str | None], excluded: int) -> int:
    """Return the column of which most values are the given ones, or have them in them; -1 if there is none."""
    known = sum(value is not None for value in values)
    best, most = -1, MIN_ROLE_SHARE * known
    for number, column in columns.items():
        pairs = [(text, value) for text, value in zip(column.texts, values, strict=True) if text and value]
        same = sum(1.0 * (text == value) + 0.9 * (text != value and value in text) for text, value in pairs)
        if number != excluded and known and same >= most and same > 0:
            best, most = number, same + 0.01
    return best


def _has_labels(columns: Sequence[ColumnEvidence], user: int) -> bool:
    """True if other texts of the records have labels, too, and not about a user: records of a catalog, no posts."""
    return any(
        number != user
        and column.is_text
        and column.kind == "text"
        and column.label
        and not _ABOUT_USER.search(column.label)
        for number, column in enumerate(columns)
    )


def _has_title(columns: Sequence[ColumnEvidence], longest: int, user: int) -> bool:
    """True if records have titles of their own with links: they are articles or questions, and no posts."""
    return any(
        number not in (longest, user)
        and column.is_text
        and column.filled_share >= MIN_ROLE_SHARE
        and column.distinct_share >= 0.8
        and any(column.urls)
        and (bool(HEADING_TAGS & column.tags) or column.class_name == "title" or _is_linked_title(column))
        for number, column in enumerate(columns)
    )


def _is_linked_title(column: ColumnEvidence) -> bool:
    """True if each value is a text of some length that links to a page of its own, and to no person."""
    return (
        column.kind == "text"
        and column.mean_chars >= MIN_TITLE_CHARS
        and len(set(filter(None, column.urls))) >= 0.8 * len(column.filled)
        and not links_to_profile(column)
        and not any("#" in url for url in column.urls)
    )


def _is_user(column: ColumnEvidence) -> bool:
    """True if most records have a short value that is named as a user, or that links to a profile."""
    if not 1 < column.mean_chars < MAX_USER_CHARS or 2 * column.filled_share <= 1:
        return False
    if _ABOUT_USER.search(own_name(column)):
        return False
    names = (column.label, column.header, *(step.name for step in column.path[-NAMING_STEPS:]))
    return links_to_profile(column) or any(map(USER_WORD.search, names))


def _is_about_user(column: ColumnEvidence, user: ColumnEvidence) -> bool:
    """True if a column is a line of the element with the user name, or its label is about the user ("Joined")."""
    is_beside_user = column.is_line and user.path[: len(column.path)] == column.path
    return is_beside_user or _ABOUT_USER.search(column.label) is not None
