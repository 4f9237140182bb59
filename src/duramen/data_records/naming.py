"""Naming: names of columns by what they mean in the record.

A column has a role if its values, its place in the record or the page itself show it (`column_roles`). Names come, in
this order, from header cells and labels ("Salary:"), from the role, from microdata, and from class words that name a
field (`field_words`); a column without any of these is named by the kind of its values. Columns with the common roles
have the same names on every page:

    title url image price currency highest_price old_price sale_price rating reviews date author location
    availability phone snippet

Records with a user, a date and a long text are posts, and these columns are `user`, `date` and `text`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from duramen.data_records.column_evidence import ColumnEvidence, name_of_microdata
from duramen.data_records.column_roles import FILE_SIZE, ICON, LOOKS_LIKE_URL, ROLES, find_roles, may_have_role
from duramen.data_records.post_columns import PostValues, find_columns_of_posts, is_role_of_post
from duramen.dom.class_names import to_snake_case

_KIND_NAMES: Final = frozenset(("text", "number", "link"))


@dataclass(frozen=True)
class ColumnName:
    """The name of a column, and its role; a column may have a role and another name, from a header cell."""

    name: str
    role: str = ""


def name_columns(columns: Sequence[ColumnEvidence], known_posts: PostValues | None = None) -> list[ColumnName]:
    """A name for each column, no two the same."""
    roles = find_roles(columns)
    posts = find_columns_of_posts(columns, known_posts)
    if posts:
        roles = {number: role for number, role in roles.items() if is_role_of_post(columns[number], role)}
    wanted = [_find_name(column, roles.get(number, "")) for number, column in enumerate(columns)]
    if posts:  # "Senior member"
        wanted = [
            "user_title" if name == "title" and number not in roles else name for number, name in enumerate(wanted)
        ]
    wanted = [posts.get(number, name) for number, name in enumerate(wanted)]
    _name_links(columns, wanted)
    # Those with a role, and those that the page names, have the first right to a name.
    order = sorted(range(len(wanted)), key=lambda number: (number not in posts, number not in roles, number))
    names: dict[int, str] = {}
    used: Counter[str] = Counter()
    taken: set[str] = set()
    for number in order:
        name = unique = wanted[number]
        used[name] += 1
        if used[name] > 1:
            unique = f"{name}_{used[name]}"
        while unique in taken:
            used[name] += 1
            unique = f"{name}_{used[name]}"
        taken.add(unique)
        names[number] = unique
    return [
        ColumnName(names[number], posts.get(number, roles.get(number, "")) if posts else roles.get(number, ""))
        for number in range(len(columns))
    ]


def _name_links(columns: Sequence[ColumnEvidence], names: list[str]) -> None:
    """Name links that have no name by the text that has the same target."""
    name_of_urls = {
        column.urls: name for column, name in zip(columns, names, strict=True) if column.is_text and any(column.urls)
    }
    for number, column in enumerate(columns):
        name = name_of_urls.get(column.urls, "") if names[number] == "link" else ""
        if name and name not in _KIND_NAMES:
            names[number] = f"{name}_link"


def are_posts(names: Sequence[ColumnName]) -> bool:
    """True if the columns are those of posts."""
    return {"user", "date", "text"} <= {name.role for name in names}


def _find_name(column: ColumnEvidence, role: str) -> str:
    label = to_snake_case(column.own_label)
    if label and role in ("price", "old_price") and not column.header and "price" not in label:
        return role  # "Was:", "Now:"
    if label:
        if column.source == "link":
            return "url" if role == "url" and not column.header else f"{label}_link"
        return f"{label}_image" if column.source == "image" and column.header else label
    if role:
        return role
    name = name_of_microdata(column) or column.class_name
    if column.source == "link":
        return f"{name}_link" if name and not name.endswith(("link", "url")) else name or "link"
    if column.source == "image":
        return name if name in ("avatar", "logo") else "icon" if column.has_form(ICON) else "image"
    if name in ROLES and not may_have_role(column, name):
        name = ""
    if column.is_clock and name in ("", "date"):
        return "time"
    if column.source == "time" or (column.kind == "date" and not name):
        return "date"
    if column.is_text and column.has_form(LOOKS_LIKE_URL, whole=True) and not column.is_list and column.kind == "text":
        return "displayed_url"
    if column.is_text and column.has_form(FILE_SIZE, whole=True) and not column.counted_word:
        return "size"
    return column.counted_word or name or column.kind
