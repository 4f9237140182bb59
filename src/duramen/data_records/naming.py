"""Naming: names of columns from the page (microdata, labels, classes, headings), else from the kind of values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from duramen.data_records.columns import FieldPath, ValueSource
from duramen.data_records.fitting import TEXT_SOURCES
from duramen.data_records.values import ValueKind
from duramen.dom.class_names import find_meaning, to_snake_case
from duramen.dom.elements import HEADING_TAGS

MAX_USER_CHARS: Final = 40
"""Mean length of user names."""
MIN_POST_CHARS: Final = 60
"""Mean length of the longest text of posts."""
NAMING_STEPS: Final = 3
"""Steps at the end of a path whose classes may name a column."""

_USER = re.compile(r"user|author|member|poster|nick|login|contributor|byline|owner", re.IGNORECASE)
_ABOUT_USER = re.compile(
    r"title|banner|rank|status|info|stat|avatar|since|joined|regist|group|count|image|extra|badge", re.IGNORECASE
)
_PROFILE_URL = re.compile(
    r"[/?&=._-](?:users?|members?|memberlist|membre\d*|profiles?|profil|u|author|mitglied\w*)\b", re.IGNORECASE
)
_IMAGE_NAME = re.compile("im(?:g|age)|photo|pict|thumb|avatar|logo|icon|cover")


@dataclass(frozen=True)
class ColumnEvidence:
    """What is known of a column before it has a name."""

    path: FieldPath
    source: ValueSource
    kind: ValueKind
    label: str = ""
    """The text before the value in every record, or the header cell of the table column."""
    mean_chars: float = 0.0
    """Mean length of the values."""
    url: str = ""
    """Link target of one of the values."""
    filled_share: float = 1.0
    """Share of the records that have a value."""
    itemprop: str = ""
    """The name in microdata."""
    distinct_values: int = 0
    """Number of different values."""
    is_line: bool = False
    """True if the value is one line of an element that has several."""


def name_columns(columns: Sequence[ColumnEvidence]) -> list[str]:
    """A name for each column, no two the same."""
    wanted = _rename_columns_of_posts(columns, [_find_name(column) for column in columns])
    used: Counter[str] = Counter()
    names: dict[str, None] = {}
    for name in wanted:
        used[name] += 1
        unique = name if used[name] == 1 else f"{name}_{used[name]}"
        while unique in names:
            used[name] += 1
            unique = f"{name}_{used[name]}"
        names[unique] = None
    return list(names)


def _find_name(column: ColumnEvidence) -> str:
    name = _name_on_page(column)
    if column.source == "link":
        return f"{name}_link" if name and not name.endswith(("link", "url", "href")) else name or "link"
    if column.source == "image":
        return name if name and _IMAGE_NAME.search(name) else "image"
    if column.source == "time":
        return "date"
    if name:
        return name
    if column.path and column.path[-1].tag in HEADING_TAGS:
        return "title"
    return column.kind


def _name_on_page(column: ColumnEvidence) -> str:
    """The name that the page gives: microdata, label, class, or the heading or class around the value."""
    if column.itemprop:
        return to_snake_case(column.itemprop)
    if column.label:
        return to_snake_case(column.label)
    for step in reversed(column.path[-NAMING_STEPS:]):
        if step.attribute and (name := find_meaning(step.name)):
            return name
        if step.tag in HEADING_TAGS:
            return "title"
    return ""


def _rename_columns_of_posts(columns: Sequence[ColumnEvidence], names: list[str]) -> list[str]:
    """Records with a user, a date and a long text are posts: name these columns `user`, `date` and `text`."""
    numbers = range(len(columns))
    texts = [number for number in numbers if _is_text_column(columns[number])]
    if not texts:
        return names
    longest = max(texts, key=lambda number: columns[number].mean_chars)
    dates = [number for number in numbers if columns[number].kind == "date" or columns[number].source == "time"]
    users = [number for number in texts if number != longest and _is_user(columns[number])]
    users.sort(
        key=lambda number: (not _links_to_profile(columns[number]), not _USER.search(_own_name(columns[number])))
    )
    if not dates or not users or columns[longest].mean_chars < MIN_POST_CHARS:
        return names
    user = users[0]
    # No two posts have the same minute. The date on which a member joined is in all posts of the member, often as a
    # line beside the user name.
    posted = max(
        dates,
        key=lambda number: (not _is_about_user(columns[number], columns[user]), columns[number].distinct_values),
    )
    return [
        "text" if number == longest else "date" if number == posted else "user" if number == user else name
        for number, name in enumerate(names)
    ]


def _is_text_column(column: ColumnEvidence) -> bool:
    return column.source in TEXT_SOURCES and column.kind == "text"


def _is_user(column: ColumnEvidence) -> bool:
    """True if most records have a short value that is named as a user, or that links to a profile."""
    if not 1 < column.mean_chars < MAX_USER_CHARS or 2 * column.filled_share <= 1:
        return False
    if _ABOUT_USER.search(_own_name(column)):
        return False
    names = (column.label, *(step.name for step in column.path[-NAMING_STEPS:]))
    return _links_to_profile(column) or any(map(_USER.search, names))


def _is_about_user(column: ColumnEvidence, user: ColumnEvidence) -> bool:
    """True if a column is a line of the element with the user name, or its label is about the user ("Joined")."""
    is_beside_user = column.is_line and user.path[: len(column.path)] == column.path
    return is_beside_user or _ABOUT_USER.search(column.label) is not None


def _own_name(column: ColumnEvidence) -> str:
    """The name of the column itself, or of the nearest element around it that has one."""
    return column.itemprop or column.label or next((step.name for step in reversed(column.path) if step.name), "")


def _links_to_profile(column: ColumnEvidence) -> bool:
    return _PROFILE_URL.search(column.url) is not None
