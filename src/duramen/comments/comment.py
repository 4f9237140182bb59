"""One comment of a reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from duramen.metadata.dates import Moment, day_of, read_date, today


@dataclass(frozen=True)
class Comment:
    """What one reader wrote under the page. What the page does not show is None."""

    author: str | None
    stamp: str | None
    """When it was written, as the page says it: "October 18, 2012 8:44 PM", "3 hours ago"."""
    text: str
    depth: int = 0
    """0 for a comment on the page, 1 for a reply to such a one, and so on."""
    parent: int | None = None
    """The place in the list of the comment that it replies to."""
    node: int = field(default=0, repr=False)
    """The element of the page's tree that it stands in, or that holds its date where it has none of its own."""
    spans: tuple[range, ...] = field(default=(), repr=False)
    """The nodes of its text."""
    whole: tuple[range, ...] = field(default=(), repr=False)
    """The nodes of all that belongs to it: author, date, text and buttons."""
    moment: str | None = field(default=None, repr=False)
    """When it was written, as the page says it to machines (`<time datetime="…">`)."""
    language: str | None = field(default=None, repr=False)
    """Of the page, as far as it says: a date may depend on it."""

    @cached_property
    def date(self) -> Moment | None:
        """The day on which it was written, or the moment where the page gives time and zone.

        None where there is no date, or only one that counts back from a day unknown ("3 hours ago"), or is to come.
        """
        for value in (self.moment, self.stamp):
            if value and (found := read_date(value, self.language)) and day_of(found) <= today():
                return found
        return None

    def as_dict(self) -> dict[str, object]:
        """Its fields, as they stand in the JSON."""
        return {
            "author": self.author,
            "date": self.date.isoformat() if self.date else None,
            "stamp": self.stamp,
            "depth": self.depth,
            "parent": self.parent,
            "text": self.text,
        }
