"""One comment of a reader."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Comment:
    """What one reader wrote under the page. What the page does not show is None."""

    author: str | None
    stamp: str | None
    """When it was written, as the page says it: "3 hours ago", "October 18, 2012 8:44 PM"."""
    text: str
    depth: int
    """0 for a comment on the page, 1 for a reply to such a one, and so on."""
    parent: int | None
    """The place in the list of the comment that it replies to."""
    node: int = field(repr=False)
    """The element of the page's tree that it stands in, or that holds its date where it has none of its own."""
    spans: tuple[range, ...] = field(repr=False, default=())
    """The nodes of its text; those of all of it, with author and date, in `whole`."""
    whole: tuple[range, ...] = field(repr=False, default=())
