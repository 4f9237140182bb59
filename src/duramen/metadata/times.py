"""`<time>`: moments that a page marks as such, and what each is called."""

from __future__ import annotations

from typing import Final

from duramen.metadata.body import Body
from duramen.metadata.called import name_words
from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.head import Head
from duramen.metadata.prose import is_in_prose
from duramen.metadata.strings import text_of, tidy

SOURCE: Final = "time"

_PUBLISHED: Final = frozenset("published publish pubdate posted publication entry created date".split())
_CHANGED: Final = frozenset("updated modified update revised edited reviewed changed".split())
_OF_EVENTS: Final = frozenset("start starts startdate dtstart end ends enddate dtend expires valid deadline".split())
"""When something begins that the page tells of, or ends."""
_LONGEST: Final = 80
_MOST: Final = 200


def read_times(head: Head, body: Body) -> Claims:
    """What the `<time>` elements claim that stand in the page's own parts."""
    claims = no_claims()
    tree = head.tree
    for node in body.own(head.nodes("time")[:_MOST]):
        own = tree.attributes[node]
        shown = text_of(tree, node, _LONGEST + 1)
        words = name_words(own.get("class"), own.get("itemprop")) | frozenset(_before(body, node).lower().split())
        value = tidy(own.get("datetime")) or shown
        if not value or len(value) > _LONGEST:
            continue
        if words & _OF_EVENTS:
            continue
        if words & _CHANGED:
            claims["modified"].append(Claim(value, SOURCE, "", node))
        else:
            of = "published" if words & _PUBLISHED or "pubdate" in own else ""
            if of or not is_in_prose(tree, node):
                claims["published"].append(Claim(value, SOURCE, of, node))
    return claims


def _before(body: Body, node: int) -> str:
    """The text right before an element, if it is short: "Updated", "Published on"."""
    tree = body.tree
    for at in range(node - 1, max(node - 4, 0), -1):
        text = tree.text[at].strip(" \t\r\n:|·•-–—")
        if text:
            return text if len(text) <= 30 else ""
    return ""
