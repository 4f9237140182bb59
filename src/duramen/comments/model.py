"""The data class of one comment."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from duramen.dom.dates import Moment, as_date, parse_date, today


@dataclass(frozen=True)
class Comment:
    """What one reader wrote under the page. Fields that the page does not show are None."""

    author: str | None
    stamp: str | None
    """Date or time as the page shows it: "October 18, 2012 8:44 PM", "3 hours ago"."""
    text: str
    depth: int = 0
    """0 for a comment on the page, 1 for a reply to such a comment, and so on."""
    parent: int | None = None
    """Index in the list of the comment that it replies to."""
    node: int = field(default=0, repr=False)
    """Element of the page's tree that holds the comment, or its date where it has no element of its own."""
    spans: tuple[range, ...] = field(default=(), repr=False)
    """Node ranges of its text."""
    all_spans: tuple[range, ...] = field(default=(), repr=False)
    """Node ranges of the whole comment: author, date, text and buttons."""
    machine_date: str | None = field(default=None, repr=False)
    """Date for machines (`<time datetime="…">`), if the page has one."""
    language: str | None = field(default=None, repr=False)
    """Declared language of the page: the order of day and month may depend on it."""

    @cached_property
    def date(self) -> Moment | None:
        """The day of the comment, or the exact time where the page gives time and zone.

        None where there is no date, or only a relative one ("3 hours ago"), or one in the future.
        """
        for value in (self.machine_date, self.stamp):
            if value and (date := parse_date(value, self.language)) and as_date(date) <= today():
                return date
        return None

    def as_dict(self) -> dict[str, object]:
        """Return the fields as in the JSON."""
        return {
            "author": self.author,
            "date": self.date.isoformat() if self.date else None,
            "stamp": self.stamp,
            "depth": self.depth,
            "parent": self.parent,
            "text": self.text,
        }
