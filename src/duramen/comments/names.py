"""What authors of pages call the place of the comments, and one comment in it.

`class` and `id` are written for style sheets, but by people: `commentlist`, `comment-1234`, `kommentare`. A name is cut
into words at hyphens, underscores, capitals and digits, and the words are looked up; what is run together, as in
`commentlist`, is known by its beginning. A name with a word that says otherwise is none: `recent-comments` are those of
other pages, `comment-count` is a number, `commentform` is for the next one, a `commentator` writes for the paper.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.dom.tree import Attributes

NOTHING: Final = 0
ELSEWHERE: Final = 1
"""Comments, but of other pages, or not the comments themselves: all that is below it is left out."""
PLACE: Final = 2
"""Something to do with the comments of this page."""
ITEM: Final = 3
"""One comment."""

_ONE: Final = frozenset(
    "comment kommentar kommentti comentario comentari commentaire commento reactie komentarz komentar komentář"
    " komentara comentariu hozzaszolas komment yorum kommentariy koment pinglun binhluan ulasan komentaras"
    " комментарий коментар σχόλιο yorumu comentário".split()
)
_MANY: Final = frozenset(
    "comments kommentare kommentarer kommentit comentarios comentaris commentaires commenti reacties komentarze"
    " komentare komentari komentáře komentarzy kommentek hozzaszolasok yorumlar kommentarii kommentarij comentarii"
    " comentários disqus dsq livefyre fyre intensedebate"
    " комментарии коментари коментарі σχόλια usercomments".split()
)
_BEGINNINGS: Final = (
    "comment",
    "kommentar",
    "comentario",
    "commentaire",
    "komentar",
    "reacties",
    "yorumlar",
    "disqus",
)
_OTHERS: Final = frozenset("commentary commentaries commentator commentators commented commenting".split())
"""Words that begin like a comment and are none."""

_OF_OTHER_PAGES: Final = frozenset("recent latest newest popular trending widget sidebar".split())
_OF_PAGES: Final = frozenset("pingback pingbacks trackback trackbacks pings pinglist".split())
"""What other pages say of this one is said by no reader of it."""
_PARTS_OF_A_PAGE: Final = frozenset("footer header sidebar nav navigation menu".split())
_NOT_THEMSELVES: Final = frozenset(
    "form respond count counter counts number num no total link links policy rules guidelines feed rss nav navigation"
    " pagination pager pages open opened closed disabled off bubble icon button btn tools share login add leave write"
    " submit preview editor toggle header heading headline title label info notice help faq subscribe subscription"
    " options sort sorting filter is byline meta".split()
)
_ENDINGS_NOT_THEMSELVES: Final = ("form", "count", "counter", "link", "links", "num", "title", "policy", "button")

_find_words = re.compile(r"[^\W\d_]*[^\W\d_A-Z]|[A-Z]+|\d+").findall
_capitals = re.compile("(?<=[a-z])(?=[A-Z])")

_COMMENT_TYPES: Final = frozenset(("comment", "usercomments", "usercomment"))


def words_of(name: str) -> list[str]:
    """The words of one name, in lower case; numbers are words, too."""
    return re.findall(r"[^\W\d_]+|\d+", _capitals.sub(" ", name).lower())


def judge(attributes: Attributes) -> int:
    """What an element's attributes say it is: `NOTHING`, `ELSEWHERE`, `PLACE` or `ITEM`."""
    itemtype = attributes.get("itemtype")
    if itemtype and itemtype.strip().rpartition("/")[2].lower() in _COMMENT_TYPES:
        return ITEM
    itemprop = attributes.get("itemprop")
    if itemprop and itemprop.lower() in ("comment", "comments"):
        return ITEM
    found = NOTHING
    part = False
    for name in ("class", "id"):
        value = attributes.get(name)
        if value:
            for one in value.split()[:_MOST_NAMES]:
                verdict = judge_name(one)
                if verdict == ELSEWHERE:
                    return ELSEWHERE
                found = max(found, verdict)
                part = part or one.lower() in _PARTS_OF_A_PAGE
    return NOTHING if part else found


_MOST_NAMES: Final = 12


def is_heading(text: str) -> bool:
    """Whether a short line, such as "3 Comments", is the heading of the comments."""
    if len(text) > _LONGEST_HEADING:
        return False
    return judge_name(text) >= PLACE or (not text.isascii() and _find_unspaced(text) is not None)


_LONGEST_HEADING: Final = 40
_find_unspaced = re.compile("评论|評論|留言|コメント|댓글|ความคิดเห็น|تعليق|टिप्पण").search


@lru_cache(maxsize=1 << 12)
def judge_name(name: str) -> int:
    """The same of one word of a class, or of an id."""
    if len(name) > _LONGEST or _tells(name) is None:
        return NOTHING
    words = words_of(name)
    place = item = False
    for word in words:
        if word in _OF_PAGES:
            return ELSEWHERE
        if word in _ONE:
            item = place = True
        elif word in _MANY or (word.startswith(_BEGINNINGS) and word not in _OTHERS):
            place = True
            if word.endswith(_ENDINGS_NOT_THEMSELVES):
                return NOTHING
        elif word.startswith(("recentcomm", "latestcomm")):
            return ELSEWHERE
    if not place:
        return NOTHING
    for word in words:
        if word in _OF_OTHER_PAGES:
            return ELSEWHERE
        if word in _NOT_THEMSELVES:
            return NOTHING
    if not item:
        return PLACE
    rest = [word for word in words if not word.isdigit()]
    return ITEM if rest and rest[-1] in _ONE | _ITEM_WORDS else PLACE


_LONGEST: Final = 100
_WORDS: Final = {*_ONE, *_MANY, *_BEGINNINGS, *_OF_PAGES, "recentcomm", "latestcomm"}
_tells = re.compile(
    "|".join(sorted(word for word in _WORDS if not any(other in word for other in _WORDS - {word}))), re.IGNORECASE
).search
"""Most names, and most headings, hold none of the words: this says so before they are cut up."""
_ITEM_WORDS: Final = frozenset("item entry wrapper container box block post single div li row".split())
