"""Read the names of authors from bylines and fields: no "By", no roles, no degrees, no dates, no duplicates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from duramen.dom.text import has_han_or_kana, word_key
from duramen.metadata.model import NAME_FIELD_SOURCES, ORGANIZATION, PERSON, Author, Claim

_MAX_NAME_CHARS: Final = 80
_MAX_NAME_WORDS: Final = 8

_GREEK: Final = r"(?-i:[Α-ΩΆ-Ώ])[\w.]*"
# "By" and "author" in many languages, as they are written before a name.
BYLINE_START: Final = (
    r"(?:(?:originally\s+)?(?:written|posted|published|reported|created|authored|submitted|reviewed|story|article|text"
    r"|words|blog|post|started|asked|contributed|guest\s+post|a\s+guest\s+post)\s+(?:&\s+\w+\s+)?by\b|by\b|from\b(?=\s*:)|author\b(?:\(s\)|s\b)?"
    r"|about\s+the\s+author|words\b(?=\s*:)|von\b|vom?\b(?=\s*:)|autor(?:in|en|ka|e|a|es|as)?\b|verfasst\s+von|geschrieben\s+von|par\b|auteure?s?\b|écrit\s+par|publié\s+par"
    r"|por\b|escrito\s+por|publicado\s+por|di\b(?=\s+[A-Z])|a\s+cura\s+di|scritto\s+da|door\b|geschreven\s+door|av\b|af\b|przez\b|napisał[a]?\b|opracowanie"
    r"|opracował[ai]?\b|oprac\.|rozmawiał[ai]?\b|tekst(?=\s*:)|автор(?:ы|ом)?\b|текст(?=\s*:)|подготовил[аи]?\b|беседовал[аи]?\b|корреспондент(?=\s*:)"
    # A Greek sentence may begin with the article too, but only in a byline do two names follow.
    rf"|τ(?:ου|ης|ων)\b(?=\s+{_GREEK}\s+{_GREEK})|συντάκτ(?:ης|ρια|ες)|(?:επιμέλεια|ρεπορτάζ|κείμενο)(?=\s*:)|γράφ(?:ει|ουν)\b(?:\s+[οη]\b)?|από\b(?:\s+τ(?:ον?|ην?)\b)?"
    r"|(?:本报|本報|通讯员)?(?:记者|記者)|(?:作|发布|發佈)者|(?:责任)?编辑|撰文|撰稿人?|文(?=\s*[:：/／])|yazan|oleh\b)"
)
_BYLINE_FIRST_LETTERS: Final = frozenset(
    "abo art ask aut blo con cre doo esc fro ges gue nap ole opr ori par por pos prz pub rep rev roz scr sta sto sub"
    " tek tex ver wor wri yaz".split()
)
"""The first three letters of the longer ASCII words in `BYLINE_START`."""
_SHORT_BYLINE_WORDS: Final = frozenset("a af av by di vo".split())
"""The first two letters of the other ASCII words in it."""
_BYLINE_PREFIX = re.compile(rf"^(?:{BYLINE_START})\s*[:：/／-]?\s*", re.IGNORECASE)
# What follows a name on the same line: a date, a place, a separator.
_TEXT_AFTER_NAME = re.compile(
    r"\s*(?:[|•·●▪»–—／╱\n]|\s-\s|/\s|\(?\b(?:on|updated|published|posted|last|reviewed|edited|fact|medically|in|at|for|of\s+the)\b\s|"
    r"(?<=\s)[一-鿿]{0,3}(?:报道|報導|报导|報道)(?!\w)|(?<=\s)(?:摄影|攝影|整理|采访|採訪|综合|綜合)(?!\w)|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?\s+\d|\d{1,4}[./-]\d|\d{1,2}\s+\w+\s+\d{4}|\d+\s+min|\b(?:19|20)\d\d\b).*",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING_PREPOSITION = re.compile(r"\s+(?:in|on|at|for)$", re.IGNORECASE)
# Several Chinese names after 记者. Elsewhere a space may separate the two names of one Japanese person.
_HAN_NAMES = re.compile(r"[一-鿿]{2,4}(?:\s+[一-鿿]{2,4})+")
_MAX_HAN_NAME_CHARS: Final = 12
_BRACKETS = re.compile(r"\s*[(\[（【][^)\]）】]*[)\]）】]\s*")
_WEB_OR_MAIL_ADDRESS = re.compile(r"https?:|www\.|@\w|\S@\S|\.(?:com|org|net|html?|php)\b|^/", re.IGNORECASE)
_MAIL_ADDRESS = re.compile(r"[,;]?\s+\(?[\w.+-]+@[\w-]+\.[\w.-]+\)?")  # after a name
_MAIL_WITH_NAME = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+\s+\(([^()@]+)\)")  # "jane@wood.example (Jane Doe)", as in feeds
_WEB_AGENCY = re.compile(r"\bweb\s?(?:solutions|design|development|studio|agency)\b")  # made the site, not the text
_DOMAIN_NAME = re.compile(r"^[A-Z][\w-]+\.(?:com|org|net|io|ai)$")  # a company that is named like its domain
_NAME_SEPARATOR = re.compile(
    r"\s*(?:[;；、，]|,\s*(?:and|&|und|et|y|e|i|и|και)\s+|\s(?:and|und|et|och|og|и|και|oraz)\s|\s[&+]\s)\s*",
    re.IGNORECASE,
)
_ROLE_WORDS: Final = frozenset(
    "editor writer reporter correspondent contributor journalist columnist author founder co-founder cofounder"
    " ceo cto cfo coo cmo cpa cfp president manager director specialist expert analyst consultant coordinator"
    " producer photographer blogger officer head lead chief engineer developer designer strategist marketer"
    " professor lecturer researcher scientist dietitian nutritionist trainer coach attorney lawyer nurse"
    " physician doctor intern associate assistant staff senior junior freelance contributing managing executive"
    " redakteur redakteurin journalistin redaktor dziennikarz корреспондент редактор обозреватель συντάκτης vp"
    " svp owner partner educator representative".split()
)
_DEGREE = re.compile(
    r"^(?:(?:[A-Z][a-z]{0,2}\.?-?){1,3}[A-Z]{1,4}\.?|[A-Z]{2,6}\.?|(?:[A-Za-z]{1,3}\.){2,4}|ph\.?\s?d\.?|m\.?d\.?|jr\.?|sr\.?|i{2,3}|esq\.?|[A-Z-]{2,6}®?)"
    r"(?:[\s/-]+(?:[A-Z]{2,8}|[A-Z][a-z]?[A-Z]+|\d+|[A-Z.]{2,8}))*®?$"
)
_NOT_A_PERSON: Final = frozenset(
    "admin administrator webmaster root user guest unknown none null undefined author authors nobody default by n a na"
    " editor wordpress wpadmin adminuser superuser superadmin moderator unregistered"
    " mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday"
    " published posted profile posts comments share tweet follow login facebook twitter linkedin youtube instagram"
    " bluesky".split()
) | {
    "reading time",
    "blue sky",
    "written by",
    "user avatar",
    "deleted user",
    "guest user",
    "contact us",
    "about us",
    "member login",
    "press release",
    "media release",
}
_INTERFACE_WORDS: Final = frozenset(
    "newsletter newsletters headlines comments email print printable subscribe subscription rss permalink updated"
    " advertisement".split()
)
"""Words of page elements near a byline. No name has them."""
_BUTTON_WORDS: Final = frozenset(
    "get read view sign log follow share try start join learn see click download subscribe watch this how".split()
)
"""First words of buttons. No name of several words begins with them."""
_NUMBER = re.compile(r"^\d+$|\d[\d,.+%]*\s|^\d+\+")  # but jane99 is a user name
_TEMPLATE_VARIABLE = re.compile(r"^[a-z_]+(?:\.[a-z_]+){2,}$|[{}<>$]")  # in a template that was not filled in
_LETTER = re.compile(r"[^\W\d_]")
# Signs that a field for a name contains a whole byline.
_BYLINE_SIGN = re.compile(r"\d{4}|[|•·]|\s[-–—]\s|\b(?:by|on|updated|posted|published)\b", re.IGNORECASE)
_LAST_NAME_FIRST_SOURCES: Final = ("citation", "dublin-core")
"""Sources that may write the last name first."""
_LAST_NAME_FIRST_WORDS: Final = ((1, 1), (1, 2))
"""Numbers of words before and after the comma in "Doe, Jane"."""
_ORGANIZATION_PREPOSITIONS: Final = frozenset("for of in at the on".split())
"""Words inside names of organizations, but not in a list of people."""
# Two or three capitalized words: a name that needs no cleaning, if none of them is in `_NOT_PLAIN_WORDS`.
_PLAIN_NAME = re.compile(r"[A-Z][a-z]{1,20} [A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?")
_NOT_PLAIN_WORDS: Final = frozenset(re.findall("[a-z]+", BYLINE_START)) | frozenset(
    re.findall("[a-z]+", _TEXT_AFTER_NAME.pattern + _NAME_SEPARATOR.pattern)
).union(_BUTTON_WORDS, _INTERFACE_WORDS)

_LINE_WORDS: Final = frozenset(
    "on updated published posted last reviewed edited fact medically in at for of and und et och og oraz".split()
)
"""The ASCII words in `_TEXT_AFTER_NAME`, without months, which need a number, and in `_NAME_SEPARATOR`."""

_ORGANIZATION_WORDS: Final = frozenset(
    "team staff editors editorial newsroom inc llc ltd gmbh agency university institute association society press news"
    " magazine company group foundation department center centre council committee bureau office times post redaktion"
    " rédaction redacción redakcja редакция σύνταξη 编辑部 新华社".split()
)


def read_authors(claims: Sequence[Claim]) -> tuple[Author, ...]:
    """Return the people and organizations that claims name, each once, in order."""
    authors: dict[str, Author] = {}
    for claim in claims:
        for name in _read_claimed_names(claim):
            kind = claim.author_kind
            if kind is None and not _ORGANIZATION_WORDS.isdisjoint(word_key(name).split()):
                kind = ORGANIZATION
            authors.setdefault(word_key(name), Author(name, kind, claim.profile_url))
    return tuple(authors.values())


def _read_claimed_names(claim: Claim) -> Sequence[str]:
    value, source = claim.value, claim.source
    if is_plain_name(value):
        return [value]
    if claim.author_kind == ORGANIZATION:
        return _parse_names(value, claim.is_name, "", True)
    last_name_first = source if source in _LAST_NAME_FIRST_SOURCES else PERSON if claim.author_kind == PERSON else ""
    if source not in NAME_FIELD_SOURCES:
        return _parse_names(value, claim.is_name, last_name_first, False)
    # The value of a field for names is a name, unless it is a whole byline or has labels.
    bare = _drop_byline_start(value)
    if ":" in bare:
        return []
    is_name = bare == value and not _BYLINE_SIGN.search(value)
    return _parse_names(value, is_name, last_name_first, False)


def parse_names(value: str, *, is_name: bool = False, last_name_first: str = "", is_one: bool = False) -> list[str]:
    """Return the names in a byline or in a field for names.

    `is_name`: the value is a name or a list of names, not a line of text. `is_one`: it is the name of one organization.
    `last_name_first`: a source, or `person`, where the last name may come first: "Doe, Jane".
    """
    return list(_parse_names(value, is_name, last_name_first, is_one))


@lru_cache(maxsize=128)  # a page names its authors in several places
def _parse_names(value: str, is_name: bool, last_name_first: str, is_one: bool) -> Sequence[str]:
    if is_plain_name(value):
        return [value]
    if value.startswith(("https://", "http://")):  # `article:author` often has the URL of a profile
        return []
    if value.isalpha() and value.isascii() and _drop_byline_start(value) == value:
        return [value] if may_be_name(value) else []
    if "@" in value:
        if match := _MAIL_WITH_NAME.fullmatch(value):
            value = match[1]
        elif not is_name:
            value = _MAIL_ADDRESS.sub("", value)
    whole = _BRACKETS.sub(" ", value).strip()
    if _WEB_OR_MAIL_ADDRESS.search(whole) and not _DOMAIN_NAME.match(whole):
        return []
    if is_one:
        return [value] if may_be_name(value) else []
    value = _drop_byline_start(whole)
    if value != whole:  # "By Jane Doe in", before a link
        value = _TRAILING_PREPOSITION.sub("", _drop_byline_start(value))
    # Letters and spaces only: without one of the line words it is one name, and nothing follows it.
    is_one_name = value.isascii() and value.replace(" ", "").isalpha() and _LINE_WORDS.isdisjoint(value.lower().split())
    if not is_name and not is_one_name:
        line, value = value, _TEXT_AFTER_NAME.sub("", value)
        if value != line and value.endswith("ing") and value.isalpha() and value.islower():
            return []  # "By following the steps below"
    if last_name_first and value.count(",") == 1:
        value = _put_first_name_first(value, last_name_first)
    if value != whole and _HAN_NAMES.fullmatch(value):
        value = "、".join(value.split())
    names: dict[str, str] = {}
    for part in [value] if is_one_name or _is_organization_with_and(value, is_name) else _NAME_SEPARATOR.split(value):
        pieces = [piece.strip(" .,:*-–—") for piece in part.split(",")]
        for index, piece in enumerate(pieces):
            if index and _is_role_or_degree(piece):
                break  # after a role follows the employer
            if may_be_name(piece) and (is_name or " " not in piece or not _begins_sentence(piece)):
                names.setdefault(word_key(piece), piece)
            elif index == 0:
                break
        if not names:
            break  # a list of names begins with a name
    return list(names.values())


def is_plain_name(value: str) -> bool:
    """Return whether a value is two or three capitalized words that need no cleaning."""
    if not _PLAIN_NAME.fullmatch(value):
        return False
    lower = value.lower()
    return lower not in _NOT_A_PERSON and _NOT_PLAIN_WORDS.isdisjoint(lower.split())


def _put_first_name_first(value: str, source: str) -> str:
    """Turn "Doe, Jane" into "Jane Doe". In a citation all names are written so.

    Elsewhere "Jane Doe, John Roe" are two people, and in "Jane Doe, Reuters" the second is no name.
    """
    last, first = [part.strip() for part in value.split(",")]
    word_counts = len(last.split()), len(first.split())
    is_one_person = word_counts in _LAST_NAME_FIRST_WORDS or (source != PERSON and word_counts == (2, 1))
    if source != "citation" and not is_one_person:
        return value
    if not _ROLE_WORDS.isdisjoint(word_key(first).split()) or _DEGREE.match(first):
        return value
    return f"{first} {last}"


def _is_organization_with_and(value: str, is_name: bool) -> bool:
    """Return whether the value is one organization with "and" in its name: "Center for Drug Evaluation and Research".

    In a line of text it needs a word of organizations: "By Oak and Elm Society".
    """
    if ";" in value or "," in value:
        return False
    if not is_name and _ORGANIZATION_WORDS.isdisjoint(word_key(value).split()):
        return False
    sides = [len(side.split()) for side in _NAME_SEPARATOR.split(value)]
    is_uneven = sides[0] == 1 < sides[-1]
    return len(sides) > 1 and (is_uneven or not _ORGANIZATION_PREPOSITIONS.isdisjoint(value.split()))


def may_start_byline(text: str) -> bool:
    """Return False if a line cannot begin with `BYLINE_START`, by its first three letters.

    This is much faster than the expression, and most lines are no bylines.
    """
    start = text.lstrip("-| ")[:3]
    if not start.isascii():
        return True
    start = start.lower()
    return start in _BYLINE_FIRST_LETTERS or start[:2].rstrip() in _SHORT_BYLINE_WORDS


def _drop_byline_start(value: str) -> str:
    match = _BYLINE_PREFIX.match(value) if may_start_byline(value) else None
    return value if match is None else value[match.end() :]


def may_be_name(text: str) -> bool:
    """Return whether a text can be a name at all."""
    key = word_key(text)
    words = key.split()
    max_chars = _MAX_HAN_NAME_CHARS if has_han_or_kana(key) else _MAX_NAME_CHARS
    return (
        _LETTER.search(text) is not None
        and 1 < len(text) <= max_chars
        and len(words) <= _MAX_NAME_WORDS
        and key not in _NOT_A_PERSON
        and not (len(words) > 1 and words[0] in _BUTTON_WORDS)
        and _INTERFACE_WORDS.isdisjoint(words)
        and "©" not in text
        and not _NUMBER.search(text)
        and not _TEMPLATE_VARIABLE.match(text)
        and not _WEB_AGENCY.search(key)
    )


def _begins_sentence(text: str) -> bool:
    """Return whether several words are the beginning of a sentence, not a name.

    English lines end in "Staff writer" and in names of sites. Greek and Russian names do not end in lower case.
    """
    return text[0].islower() or (not text.isascii() and text.split()[-1].islower())


def _is_role_or_degree(text: str) -> bool:
    """Return whether a text after a comma is a degree, a role or an employer, not another name."""
    words = word_key(text).split()
    return len(words) <= 1 or not _ROLE_WORDS.isdisjoint(words) or _DEGREE.match(text) is not None
