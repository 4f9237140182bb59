"""What the pieces of a comment are, by what their elements are called: its author, its date, its text, or a button."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from duramen.comments.names import words_of
from duramen.dom.tree import Attributes

PLAIN: Final = 0
AUTHOR: Final = 1
STAMP: Final = 2
BODY: Final = 3
CONTROL: Final = 4

_LAST_WORDS: Final = {
    **dict.fromkeys(
        "author fn username user commenter nick nickname name poster by byline vcard member screenname handle creator"
        " authorname commentauthor autor auteur autore benutzer usuario nom nombre nome nutzer".split(),
        AUTHOR,
    ),
    **dict.fromkeys(
        "date time timestamp datetime published ago posted created datum fecha data datepublished commenttime dtstart"
        " stamp when commentdate postdate datecreated".split(),
        STAMP,
    ),
    **dict.fromkeys(
        "text body content message title subject commenttext commentbody texte texto inhalt"
        " bericht post paragraph description".split(),
        BODY,
    ),
}
_CONTROLS: Final = frozenset(
    "reply replylink reply-to respond antworten repondre responder actions action tools toolbar flag report abuse vote"
    " votes voting rating ratings karma like likes dislike permalink share sharing controls control recommend"
    " recommended score edit delete moderate badge badges fans num number count avatar gravatar photo collapse expand"
    " options menu jump parent button buttons links favorite follow signature sig quotelink says said".split()
)
_PROPERTIES: Final = {
    **dict.fromkeys(("author", "creator", "name"), AUTHOR),
    **dict.fromkeys(("datepublished", "datecreated", "commenttime", "datemodified"), STAMP),
    **dict.fromkeys(("text", "commenttext", "description", "articlebody"), BODY),
}
_TAGS: Final = {"cite": AUTHOR, "time": STAMP, "button": CONTROL, "blockquote": BODY}
_MOST_NAMES: Final = 6


def role(tag: str, attributes: Attributes) -> int:
    """What an element holds, as far as its own name tells; `PLAIN` where it does not."""
    if not attributes:
        return _TAGS.get(tag, PLAIN)
    itemprop = attributes.get("itemprop")
    if itemprop and (found := _PROPERTIES.get(itemprop.lower(), PLAIN)):
        return found
    found = _role_of_names(attributes.get("class") or "", attributes.get("id") or "")
    return found or _TAGS.get(tag, PLAIN)


@lru_cache(maxsize=1 << 12)
def _role_of_names(classes: str, identity: str) -> int:
    for name in (*classes.split()[:_MOST_NAMES], identity):
        words = [word for word in words_of(name) if not word.isdigit()]
        if words:
            found = _LAST_WORDS.get(words[-1], PLAIN)
            if not found and not _CONTROLS.isdisjoint(words):
                found = CONTROL
            if found:
                return found
    return PLAIN
