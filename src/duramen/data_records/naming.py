"""What columns are called: what the page calls them where it does, else by what they hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from duramen.data_records.alignment import HEADINGS, Source
from duramen.data_records.kinds import Kind
from duramen.data_records.meanings import meaning, plain
from duramen.data_records.steps import Path

_LONGEST_USER = 40
_USER = re.compile(r"user|author|member|poster|nick|login|contributor|byline|owner", re.IGNORECASE)
_OF_THE_USER = re.compile(
    r"title|banner|rank|status|info|stat|avatar|since|joined|regist|group|count|image|extra|badge", re.IGNORECASE
)
_PROFILE = re.compile(
    r"[/?&=._-](?:users?|members?|memberlist|membre\d*|profiles?|profil|u|author|mitglied\w*)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Known:
    """What is known of a column before it has a name."""

    path: Path
    source: Source
    kind: Kind
    label: str = ""
    """A text that stands before it in every record, or the head of its column in a table."""
    length: float = 0.0
    """How long its values are, on the average."""
    address: str = ""
    """Where one of its values leads."""
    filled: float = 1.0
    """The share of the records that have it."""
    microdata: str = ""
    """What microdata calls it."""
    different: int = 0
    """How many different values it has."""
    line: bool = False
    """Whether it is a line of an element that has several."""


def name_all(columns: Sequence[Known]) -> list[str]:
    """A name for each column, no two the same."""
    wanted = _posts(columns, [_name(column) for column in columns])
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


def _name(column: Known) -> str:
    said = _said(column)
    if column.source == "link":
        return f"{said}_link" if said and not said.endswith(("link", "url", "href")) else said or "link"
    if column.source == "image":
        return said if said and re.search("im(?:g|age)|photo|pict|thumb|avatar|logo|icon|cover", said) else "image"
    if column.source == "time":
        return "date"
    if said:
        return said
    if column.path and column.path[-1].tag in HEADINGS:
        return "title"
    return column.kind if column.kind != "text" else "text"


def _said(column: Known) -> str:
    """What the page calls it: microdata, the label before it, its class, the heading or the class around it."""
    if column.microdata:
        return plain(column.microdata)
    if column.label:
        return plain(column.label)
    for step in reversed(column.path[-3:]):
        if step.attribute and (name := meaning(step.name)):
            return name
        if step.tag in HEADINGS:
            return "title"
    return ""


def _posts(columns: Sequence[Known], names: list[str]) -> list[str]:
    """Where there are writers, dates and long texts, the records are posts: their columns are user, date and text."""
    places = range(len(columns))
    written = [place for place in places if _is_written(columns[place])]
    if not written:
        return names
    longest = max(written, key=lambda place: columns[place].length)
    dates = [place for place in places if columns[place].kind == "date" or columns[place].source == "time"]
    users = [place for place in written if place != longest and _is_user(columns[place])]
    users.sort(key=lambda place: (not _leads_to_one(columns[place]), not _USER.search(_own_name(columns[place]))))
    if not dates or not users or columns[longest].length < 60:
        return names
    # No two posts are of the same minute; the day on which a member joined stands in all of his posts, and as a line
    # beside his name.
    posted = max(dates, key=lambda place: (not _is_beside(columns[place], columns[users[0]]), columns[place].different))
    return [
        "text" if place == longest else "date" if place == posted else "user" if place == users[0] else name
        for place, name in enumerate(names)
    ]


def _is_written(column: Known) -> bool:
    return column.source in ("text", "prose") and column.kind == "text"


def _is_user(column: Known) -> bool:
    """Whether a column names people: it says so, or what is around it, or it leads to their pages; and most have it."""
    if not 1 < column.length < _LONGEST_USER or 2 * column.filled <= 1 or _OF_THE_USER.search(_own_name(column)):
        return False
    said = (column.label, *(step.name for step in column.path[-3:]))
    return _leads_to_one(column) or any(map(_USER.search, said))


def _is_beside(column: Known, user: Known) -> bool:
    """Whether a column is a line of the element that names the user, or says itself that it is about him."""
    beside = column.line and user.path[: len(column.path)] == column.path
    return beside or _OF_THE_USER.search(column.label) is not None


def _own_name(column: Known) -> str:
    """What a column itself is called, or the nearest element around it that has a name."""
    return column.microdata or column.label or next((step.name for step in reversed(column.path) if step.name), "")


def _leads_to_one(column: Known) -> bool:
    return _PROFILE.search(column.address) is not None
