"""Words of class and id attributes, and what they say about an element.

`class` and `id` are written for style sheets, but by people: `commentlist`, `post-author`, `relatedLinks`. The rules
about them are here: the words of page parts and of fields, of layout, advertisements and navigation, and the meaning of
names for comments (container, one comment, author, date, text, button).

For comments, the words of a name are looked up; compounds such as `commentlist` are recognized by their beginning. A
word with another meaning overrides: `recent-comments` are those of other pages, `comment-count` is a number,
`commentform` is for the next comment, a `commentator` writes for the newspaper.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.dom.lexbor import CAMEL_CASE_BORDER
from duramen.dom.tree import Attributes

_MAX_NAME_CHARS: Final = 300
_WORD = re.compile(r"[^\W_]+")
_WORD_OR_NUMBER = re.compile(r"[^\W\d_]+|\d+")


def split_words(value: str, *, split_digits: bool = False) -> list[str]:
    """Split a class or id value into words in lower case: `postMeta entry-date` has post, meta, entry, date.

    With `split_digits`, numbers are words of their own: `comment12` has comment and 12.
    """
    lower = value if value.islower() else CAMEL_CASE_BORDER.sub(" ", value).lower()
    return (_WORD_OR_NUMBER if split_digits else _WORD).findall(lower)


@lru_cache(maxsize=1 << 12)  # elements have the same classes again and again
def name_words(classes: str | None, element_id: str | None) -> frozenset[str]:
    """Return the words of a class and an id, of at most `_MAX_NAME_CHARS` characters."""
    both = f"{classes} {element_id}" if classes and element_id else classes or element_id or ""
    return frozenset(split_words(both[:_MAX_NAME_CHARS]))


# Parts of a page.

FOREIGN_WORDS: Final = frozenset(
    "comment comments commentlist disqus respond reply replies related recommended recommendations recommendation"
    " nav navbar navigation menu popular trending promo teaser teasers upsell carousel recirc recirculation copyright"
    " cookie cookies consent modal popup subscribe signup breadcrumb breadcrumbs latest readmore ad ads advert".split()
)
"""Words of page parts that are about something else, or by someone else."""
TRAILING_WORDS: Final = frozenset(
    "comment comments commentlist disqus replies related recommended recommendations recommendation".split()
)
"""The foreign words of parts that follow the main text. Such a part is not the main text, however long it is."""
SIDE_WORDS: Final = frozenset("sidebar aside footer rail".split())
"""Words of parts beside the main text. They may be about the page or not."""

AUTHOR_WORDS: Final = frozenset("author authors byline writer contributor autor auteur autore автор".split())
NAME_WORDS: Final = frozenset(("name", "fullname", "displayname"))
USER_WORDS: Final = frozenset(("username", "bigusername", "postuser", "poster", "user"))
DATE_WORDS: Final = frozenset(
    "date published pubdate publishdate posted datetime timestamp publication dateline time fecha datum data".split()
)
MODIFIED_WORDS: Final = frozenset("updated modified update lastmod revised edited reviewed".split())
BYLINE_WORDS: Final = AUTHOR_WORDS | NAME_WORDS | USER_WORDS | DATE_WORDS | MODIFIED_WORDS
"""Words that designers use for authors and dates."""
FIELD_WORDS: Final = BYLINE_WORDS | frozenset(("entry", "hentry", "p", "dt", "vcard", "fn"))
"""The same, and words of microformats."""
PORTRAIT_WORDS: Final = frozenset(("avatar", "author"))
PICTURE_WORDS: Final = frozenset(("avatar", "caption"))
"""Words of portraits, and of what has a picture and its caption."""
COMMENT_HEADING_WORDS: Final = frozenset(
    "comments replies kommentare commentaires comentarios commenti reacties комментарии".split()
)
"""Words of a heading above comments."""

# `<time>` elements: their class, their itemprop, and the text before them.
TIME_PUBLISHED_WORDS: Final = frozenset("published publish pubdate posted publication entry created date".split())
TIME_MODIFIED_WORDS: Final = frozenset("updated modified update revised edited reviewed changed".split())
TIME_EVENT_WORDS: Final = frozenset(
    "start starts startdate dtstart end ends enddate dtend expires valid deadline".split()
)
"""Words of the start or end of an event."""

# Navigation and advertisements. These are patterns on whole names, not sets of words: `footer-links2` and `sideBar` are
# one name, and the letters "ad" are a word only where capitals or hyphens bound them.
NAVIGATION_PATTERN: Final = re.compile(
    r"(?i:menu|footer|side-?bar|breadcrumb|dropdown|navigation|navbar)|(?:^|[-_])(?i:nav)(?:$|[-_A-Z])"
)
"""Matches class words of navigation, footers and side columns."""
ADVERT_PATTERN: Final = re.compile(
    r"(?:(?:^|[-_])(?i:ads?|advert\w*|sponsored)|(?<=[a-z])Ads?)(?=$|[-_A-Z0-9])|adsbygoogle|adsense"
)
"""Matches class words of advertisements: `ad`, `list-ad`, `AdHolder`, `googleAd`."""
ADVERT_LETTERS: Final = re.compile("ad|sponsored", re.IGNORECASE)
"""A cheap test: text without these letters has no match of `ADVERT_PATTERN`."""
_RELATION_PATTERN = re.compile(r"(?:^|[-_])(?i:with|has|no|without)(?:[-_]|(?=[A-Z]))")
"""Matches words about a neighbor of the element, not the element itself: `with-sidebar`, `body--hasSidebar`."""


def has_class_word(pattern: re.Pattern[str], *values: str | None) -> bool:
    """True if a word of these class and id values matches; words such as `with-sidebar` are ignored."""
    return any(
        pattern.search(word)
        for value in values
        if value
        for word in value.split()
        if not _RELATION_PATTERN.search(word)
    )


def has_caption_word(value: str) -> bool:
    """True if a class, id or tag names a caption, also as a part of a word: `figcaption`, `imagecaption`."""
    return "caption" in value.lower()


# Layout and style.

_BEM_BLOCK = re.compile(r".*__(?=.)")
_LAYOUT_WORD = re.compile(
    r"(?:col|row|grid|wrap|wrapper|container|inner|outer|box|block|item|left|right|top|bottom|clear|clearfix|pull|float"
    r"|text|span|div|link|a|li|td|p|h[1-6]|btn|button|flex|d|m|p|w|mb|mt|ml|mr|pt|pb|px|py|first|last|odd|even|content|"
    r"small|medium|large|center|hidden|visible|active|js|xs|sm|md|lg|xl|list|main|body|cell|field|value|label|unit|"
    r"element|module|widget|section|desc?|"
    r"font|bold|semibold|extrabold|normal|light|thin|italic|line|through|strike|underline|uppercase|lowercase|capitalize|"
    r"truncate|clamp|leading|tracking|relative|absolute|sticky|inline|rounded|border|shadow|bg|gap|space|full|auto|none|"
    r"sr|only|primary|secondary|red|green|blue|gray|grey|white|black|orange|yellow|opacity|hover|max|min|h|base|gold)"
    r"\d*"
)
_MAX_SNAKE_CASE_CHARS: Final = 30


def remove_bem_block(token: str) -> str:
    """Return a class token without the block that it begins with: `title` of `card__title`."""
    return _BEM_BLOCK.sub("", token)


@lru_cache(maxsize=1 << 12)
def find_meaning(token: str) -> str:
    """Return what a class token says about the content, in snake case; "" if it only describes layout or style.

    `card__title` gives `title`; `col-md-4` and `font-bold` give "".
    """
    name = to_snake_case(remove_bem_block(token))
    has_meaning = any(len(word) > 1 and not _LAYOUT_WORD.fullmatch(word) for word in name.split("_"))
    return name if has_meaning else ""


def to_snake_case(text: str) -> str:
    """Write a name in lower case with underscores between its words, at most `_MAX_SNAKE_CASE_CHARS` long."""
    return "_".join(split_words(text))[:_MAX_SNAKE_CASE_CHARS].rstrip("_")


# Comments.

# What an element is for comments, by its names. A larger number is a stronger statement.
UNRELATED: Final = 0
EXCLUDED: Final = 1
"""Comments of other pages, or not the comments themselves: everything below it is left out."""
CONTAINER: Final = 2
"""Something that belongs to the comments of this page."""
COMMENT: Final = 3
"""One comment."""

# What a part of a comment is, by its names.
PLAIN: Final = 0
AUTHOR: Final = 1
DATE: Final = 2
BODY: Final = 3
CONTROL: Final = 4

_SINGULAR_WORDS: Final = frozenset(
    "comment kommentar kommentti comentario comentari commentaire commento reactie komentarz komentar komentář"
    " komentara comentariu hozzaszolas komment yorum kommentariy koment pinglun binhluan ulasan komentaras"
    " комментарий коментар σχόλιο yorumu comentário".split()
)
_PLURAL_WORDS: Final = frozenset(
    "comments kommentare kommentarer kommentit comentarios comentaris commentaires commenti reacties komentarze"
    " komentare komentari komentáře komentarzy kommentek hozzaszolasok yorumlar kommentarii kommentarij comentarii"
    " comentários disqus dsq livefyre fyre intensedebate"
    " комментарии коментари коментарі σχόλια usercomments".split()
)
_PREFIXES: Final = (
    "comment",
    "kommentar",
    "comentario",
    "commentaire",
    "komentar",
    "reacties",
    "yorumlar",
    "disqus",
)
_FALSE_FRIENDS: Final = frozenset("commentary commentaries commentator commentators commented commenting".split())
"""Words that begin like "comment" and have another meaning."""

_OTHER_PAGE_WORDS: Final = frozenset("recent latest newest popular trending widget sidebar".split())
_OTHER_PAGE_PREFIXES: Final = ("recentcomm", "latestcomm")
_PINGBACK_WORDS: Final = frozenset("pingback pingbacks trackback trackbacks pings pinglist".split())
"""References from other pages: no reader wrote them."""
_PAGE_PARTS: Final = frozenset("footer header sidebar nav navigation menu".split())
_NOT_COMMENTS_WORDS: Final = frozenset(
    "form respond count counter counts number num no total link links policy rules guidelines feed rss nav navigation"
    " pagination pager pages open opened closed disabled off bubble icon button btn tools share login add leave write"
    " submit preview editor toggle header heading headline title label info notice help faq subscribe subscription"
    " options sort sorting filter is byline meta".split()
)
_NOT_COMMENTS_SUFFIXES: Final = ("form", "count", "counter", "link", "links", "num", "title", "policy", "button")
_ITEM_WORDS: Final = frozenset("item entry wrapper container box block post single div li row".split())
_COMMENT_TYPES: Final = frozenset(("comment", "usercomments", "usercomment"))

_NO_NAMES: Final = (UNRELATED, False)
_MAX_NAMES: Final = 12
_MAX_COMMENT_NAME_CHARS: Final = 100
_MAX_HEADING_CHARS: Final = 40

_DIGITS = re.compile(r"\d+")
_find_unspaced_heading = re.compile("评论|評論|留言|コメント|댓글|ความคิดเห็น|تعليق|टिप्पण").search

_KNOWN_WORDS: Final = {*_SINGULAR_WORDS, *_PLURAL_WORDS, *_PREFIXES, *_PINGBACK_WORDS, *_OTHER_PAGE_PREFIXES}
_find_known_word = re.compile(
    "|".join(sorted(word for word in _KNOWN_WORDS if not any(other in word for other in _KNOWN_WORDS - {word}))),
    re.IGNORECASE,
).search
"""A quick test: most names and headings contain none of the words."""

_ROLE_OF_LAST_WORD: Final = {
    **dict.fromkeys(
        "author fn username user commenter nick nickname name poster by byline vcard member screenname handle creator"
        " authorname commentauthor autor auteur autore benutzer usuario nom nombre nome nutzer".split(),
        AUTHOR,
    ),
    **dict.fromkeys(
        "date time timestamp datetime published ago posted created datum fecha data datepublished commenttime dtstart"
        " stamp when commentdate postdate datecreated".split(),
        DATE,
    ),
    **dict.fromkeys(
        "text body content message title subject commenttext commentbody texte texto inhalt"
        " bericht post paragraph description".split(),
        BODY,
    ),
}
_CONTROL_WORDS: Final = frozenset(
    "reply replylink reply-to respond antworten repondre responder actions action tools toolbar flag report abuse vote"
    " votes voting rating ratings karma like likes dislike permalink share sharing controls control recommend"
    " recommended score edit delete moderate badge badges fans num number count avatar gravatar photo collapse expand"
    " options menu jump parent button buttons links favorite follow signature sig quotelink says said".split()
)
_ROLE_OF_PROPERTY: Final = {
    **dict.fromkeys(("author", "creator", "name"), AUTHOR),
    **dict.fromkeys(("datepublished", "datecreated", "commenttime", "datemodified"), DATE),
    **dict.fromkeys(("text", "commenttext", "description", "articlebody"), BODY),
}
_ROLE_OF_TAG: Final = {"cite": AUTHOR, "time": DATE, "button": CONTROL, "blockquote": BODY}
_MAX_ROLE_CLASSES: Final = 6


def is_comments_heading(text: str) -> bool:
    """Return whether a short line, such as "3 Comments", is the heading of the comments."""
    if len(text) > _MAX_HEADING_CHARS:
        return False
    return classify_name(text) >= CONTAINER or (not text.isascii() and _find_unspaced_heading(text) is not None)


def classify(attributes: Attributes) -> int:
    """Return `UNRELATED`, `EXCLUDED`, `CONTAINER` or `COMMENT` by the attributes of an element."""
    item_type = attributes.get("itemtype")
    if item_type and item_type.strip().rpartition("/")[2].lower() in _COMMENT_TYPES:
        return COMMENT
    item_property = attributes.get("itemprop")
    if item_property and item_property.lower() in ("comment", "comments"):
        return COMMENT
    classes, identity = attributes.get("class"), attributes.get("id")
    of_classes, is_page_part = _classify_names(classes) if classes else _NO_NAMES
    if not identity or of_classes == EXCLUDED:
        return UNRELATED if is_page_part else of_classes
    if len(identity) <= _MAX_COMMENT_NAME_CHARS:
        identity = _DIGITS.sub("0", identity)  # numbers mean nothing, but would make every `comment-1234` a new key
    of_id, id_is_page_part = _classify_names(identity)
    if of_id == EXCLUDED:
        return EXCLUDED
    return UNRELATED if is_page_part or id_is_page_part else max(of_classes, of_id)


@lru_cache(maxsize=1 << 12)
def _classify_names(value: str) -> tuple[int, bool]:
    """Classify the value of `class` or `id`; return also whether it names a part of every page, such as a footer."""
    strongest = UNRELATED
    is_page_part = False
    for name in value.split()[:_MAX_NAMES]:
        verdict = classify_name(name)
        if verdict == EXCLUDED:
            return EXCLUDED, False
        strongest = max(strongest, verdict)
        is_page_part = is_page_part or name.lower() in _PAGE_PARTS
    return strongest, is_page_part


@lru_cache(maxsize=1 << 12)
def classify_name(name: str) -> int:
    """Return the same as `classify`, for one class or one id."""
    if len(name) > _MAX_COMMENT_NAME_CHARS or _find_known_word(name) is None:
        return UNRELATED
    words = split_words(name, split_digits=True)
    is_related = is_singular = False
    for word in words:
        if word in _PINGBACK_WORDS:
            return EXCLUDED
        if word in _SINGULAR_WORDS:
            is_singular = is_related = True
        elif word in _PLURAL_WORDS or (word.startswith(_PREFIXES) and word not in _FALSE_FRIENDS):
            is_related = True
            if word.endswith(_NOT_COMMENTS_SUFFIXES):
                return UNRELATED
        elif word.startswith(_OTHER_PAGE_PREFIXES):
            return EXCLUDED
    if not is_related:
        return UNRELATED
    for word in words:
        if word in _OTHER_PAGE_WORDS:
            return EXCLUDED
        if word in _NOT_COMMENTS_WORDS:
            return UNRELATED
    if not is_singular:
        return CONTAINER
    letters = [word for word in words if not word.isdigit()]
    return COMMENT if letters and (letters[-1] in _SINGULAR_WORDS or letters[-1] in _ITEM_WORDS) else CONTAINER


def find_part_role(tag: str, attributes: Attributes) -> int:
    """Return what an element in a comment holds, by its tag and its names; `PLAIN` where these say nothing."""
    if not attributes:
        return _ROLE_OF_TAG.get(tag, PLAIN)
    item_property = attributes.get("itemprop")
    if item_property and (role := _ROLE_OF_PROPERTY.get(item_property.lower(), PLAIN)):
        return role
    classes, identity = attributes.get("class"), attributes.get("id")
    if classes and (role := _find_role_of_classes(classes)):
        return role
    if identity and (role := _find_role_of_name(_DIGITS.sub("0", identity))):
        return role
    return _ROLE_OF_TAG.get(tag, PLAIN)


@lru_cache(maxsize=1 << 12)
def _find_role_of_classes(classes: str) -> int:
    for name in classes.split()[:_MAX_ROLE_CLASSES]:
        if role := _find_role_of_name(name):
            return role
    return PLAIN


@lru_cache(maxsize=1 << 12)
def _find_role_of_name(name: str) -> int:
    """Return the role that the last word of a name tells, or `CONTROL` for a control word anywhere in it."""
    words = [word for word in split_words(name, split_digits=True) if not word.isdigit()]
    if not words:
        return PLAIN
    role = _ROLE_OF_LAST_WORD.get(words[-1], PLAIN)
    return CONTROL if not role and not _CONTROL_WORDS.isdisjoint(words) else role
