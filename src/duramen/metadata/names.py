"""Names of authors, cleaned: no "By", no roles, no degrees, no dates, nobody twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from duramen.metadata.claims import Author, Claim
from duramen.metadata.strings import has_han, key

_LONGEST: Final = 80
_MOST_WORDS: Final = 8

_GREEK: Final = r"(?-i:[Α-ΩΆ-Ώ])[\w.]*"
# "By" in the languages of the press, as it stands before a name.
BY: Final = (
    r"(?:(?:originally\s+)?(?:written|posted|published|reported|created|authored|submitted|reviewed|story|article|text"
    r"|words|blog|post|started|asked|contributed|guest\s+post|a\s+guest\s+post)\s+(?:&\s+\w+\s+)?by\b|by\b|from\b(?=\s*:)|author\b(?:\(s\)|s\b)?"
    r"|about\s+the\s+author|words\b(?=\s*:)|von\b|vom?\b(?=\s*:)|autor(?:in|en|ka|e|a|es|as)?\b|verfasst\s+von|geschrieben\s+von|par\b|auteure?s?\b|écrit\s+par|publié\s+par"
    r"|por\b|escrito\s+por|publicado\s+por|di\b(?=\s+[A-Z])|a\s+cura\s+di|scritto\s+da|door\b|geschreven\s+door|av\b|af\b|przez\b|napisał[a]?\b|opracowanie"
    r"|opracował[ai]?\b|oprac\.|rozmawiał[ai]?\b|tekst(?=\s*:)|автор(?:ы|ом)?\b|текст(?=\s*:)|подготовил[аи]?\b|беседовал[аи]?\b|корреспондент(?=\s*:)"
    # Of a thousand sentences that begin with the article only a byline goes on with two names.
    rf"|τ(?:ου|ης|ων)\b(?=\s+{_GREEK}\s+{_GREEK})|συντάκτ(?:ης|ρια|ες)|(?:επιμέλεια|ρεπορτάζ|κείμενο)(?=\s*:)|γράφ(?:ει|ουν)\b(?:\s+[οη]\b)?|από\b(?:\s+τ(?:ον?|ην?)\b)?"
    r"|(?:本报|本報|通讯员)?(?:记者|記者)|(?:作|发布|發佈)者|(?:责任)?编辑|撰文|撰稿人?|文(?=\s*[:：/／])|yazan|oleh\b)"
)
_BY_STARTS: Final = frozenset(
    "or wr po pu re cr au su st ar te bl wo as co gu by fr ab vo ve ge pa es di sc do av af pr na op ro ya ol".split()
) | {"a"}
"""What the words of `BY` begin with that are of ASCII."""
_BEFORE = re.compile(rf"^(?:{BY})\s*[:：/／-]?\s*", re.IGNORECASE)
# What ends a name in a line that goes on: a date, a place, a mark.
_AFTER = re.compile(
    r"\s*(?:[|•·●▪»–—／╱\n]|\s-\s|/\s|\(?\b(?:on|updated|published|posted|last|reviewed|edited|fact|medically|in|at|for|of\s+the)\b\s|"
    r"(?<=\s)[一-鿿]{0,3}(?:报道|報導|报导|報道)(?!\w)|(?<=\s)(?:摄影|攝影|整理|采访|採訪|综合|綜合)(?!\w)|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?\s+\d|\d{1,4}[./-]\d|\d{1,2}\s+\w+\s+\d{4}|\d+\s+min|\b(?:19|20)\d\d\b).*",
    re.IGNORECASE | re.DOTALL,
)
_OPEN_END = re.compile(r"\s+(?:in|on|at|for)$", re.IGNORECASE)
# Names in Chinese characters, which stand in a row after 记者; elsewhere a space parts the two names of a Japanese.
_HAN_NAMES = re.compile(r"[一-鿿]{2,4}(?:\s+[一-鿿]{2,4})+")
_LONGEST_HAN: Final = 12
_BRACKETS = re.compile(r"\s*[(\[（【][^)\]）】]*[)\]）】]\s*")
_ADDRESS = re.compile(r"https?:|www\.|@\w|\S+@\S+|\.(?:com|org|net|html?|php)\b|^/", re.IGNORECASE)
_ADDRESSES: Final = ("https://", "http://")
_MAIL = re.compile(r"[,;]?\s+\(?[\w.+-]+@[\w-]+\.[\w.-]+\)?")  # what stands after a name
_MAIL_OF = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+\s+\(([^()@]+)\)")  # as feeds name an author
_MAKER = re.compile(r"\bweb\s?(?:solutions|design|development|studio|agency)\b")  # of the site, not of the text
_DOMAIN = re.compile(r"^[A-Z][\w-]+\.(?:com|org|net|io|ai)$")  # a company that is called by its address
_BETWEEN = re.compile(
    r"\s*(?:[;；、，]|,\s*(?:and|&|und|et|y|e|i|и|και)\s+|\s(?:and|und|et|och|og|и|και|oraz)\s|\s[&+]\s)\s*",
    re.IGNORECASE,
)
_ROLE: Final = frozenset(
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
_NOBODY: Final = frozenset(
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
_CHROME: Final = frozenset(
    "newsletter newsletters headlines comments email print printable subscribe subscription rss permalink updated"
    " advertisement".split()
)
"""Words that stand beside a byline and in no name."""
_ASKING: Final = frozenset(
    "get read view sign log follow share try start join learn see click download subscribe watch this how".split()
)
"""What buttons begin with, and names that have more words do not."""
_NUMBER = re.compile(r"^\d+$|\d[\d,.+%]*\s|^\d+\+")  # a user may be called jane99
_VARIABLE = re.compile(r"^[a-z_]+(?:\.[a-z_]+){2,}$|[{}<>$]")  # of a template that was not filled in
_LETTER = re.compile(r"[^\W\d_]")
# What a field that is made for a name holds if somebody put a whole line into it.
_LINE = re.compile(r"\d{4}|[|•·]|\s[-–—]\s|\b(?:by|on|updated|posted|published)\b", re.IGNORECASE)
_NAMING: Final = frozenset(("meta", "dublin-core", "citation"))
"""Sources whose fields are made for a name."""
_TURNING: Final = ("citation", "dublin-core")
"""Sources that write the last name first."""
_LAST_FIRST: Final = ((1, 1), (1, 2))
"""The words before the comma and after it."""
_WITHIN: Final = frozenset("for of in at the on".split())
"""Words that stand in the names of organisations, and in no list of people."""
# Two or three words that begin with a capital: a name that needs no cleaning, if none of them is one of these.
_PLAIN = re.compile(r"[A-Z][a-z]{1,20} [A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?")
_LONGEST_PLAIN: Final = 21
_NO_NAMES: Final = frozenset(re.findall("[a-z]+", BY)) | frozenset(
    re.findall("[a-z]+", _AFTER.pattern + _BETWEEN.pattern)
).union(_ASKING, _CHROME)


_JOINING: Final = frozenset(
    "on updated published posted last reviewed edited fact medically in at for of and und et och og oraz".split()
)
"""The words of ASCII letters in `_AFTER`, but for months, which need figures, and in `_BETWEEN`, but for its commas."""

_ORGANISATION: Final = frozenset(
    "team staff editors editorial newsroom inc llc ltd gmbh agency university institute association society press news"
    " magazine company group foundation department center centre council committee bureau office times post redaktion"
    " rédaction redacción redakcja редакция σύνταξη 编辑部 新华社".split()
)


def authors(claims: Sequence[Claim]) -> tuple[Author, ...]:
    """The people and organisations that some claims name, each once, in order."""
    found: dict[str, Author] = {}
    for claim in claims:
        for name in _claimed(claim):
            kind = claim.kind if claim.kind == "person" else _kind(name, claim.kind)
            found.setdefault(key(name), Author(name, kind, claim.url))
    return tuple(found.values())


def _claimed(claim: Claim) -> list[str]:
    value, source, kind = claim.value, claim.source, claim.kind
    if is_plain(value):
        return [value]
    if kind == "organisation":
        return _names(value, claim.is_name, "", True)
    turned = source if source in _TURNING else "person" if kind == "person" else ""
    return _declared(value, turned) if source in _NAMING else _names(value, claim.is_name, turned, False)


def _declared(value: str, turned: str) -> list[str]:
    """The names in a field that is made for a name: the value is one, unless it is a line, or has labels."""
    bare = _without_by(value)
    if ":" in bare:
        return []
    return _names(value, bare == value and not _LINE.search(value), turned, False)


def names(value: str, *, is_name: bool = False, turned: str = "", is_one: bool = False) -> list[str]:
    """The names in a byline or in a field that holds names; `is_one` says that it is the name of one organisation.

    `turned` is a source, or "person", where the last name may come first: "Doe, Jane".
    """
    return list(_names(value, is_name, turned, is_one))


@lru_cache(maxsize=128)  # a page says who wrote it in several places
def _names(value: str, is_name: bool, turned: str, is_one: bool) -> list[str]:
    if is_plain(value):
        return [value]
    if value.startswith(_ADDRESSES):  # as `article:author` often is: of a profile
        return []
    if value.isalpha() and value.isascii() and _without_by(value) == value:  # a word that the rest would leave as it is
        return [value] if is_somebody(value) else []
    if "@" in value:
        if match := _MAIL_OF.fullmatch(value):
            value = match[1]
        elif not is_name:
            value = _MAIL.sub("", value)
    whole = (_BRACKETS.sub(" ", value) if _may_have_brackets(value) else value).strip()
    if _may_be_address(whole) and _ADDRESS.search(whole) and not _DOMAIN.match(whole):
        return []
    if is_one:
        return [value] if is_somebody(value) else []
    value = _without_by(whole)
    if value != whole:  # "By Jane Doe in", before a link
        value = _OPEN_END.sub("", _without_by(value))
    # Words without a mark or a figure go on as a line does, or name several, only by one of a few words.
    is_one_name = value.isascii() and value.replace(" ", "").isalpha() and _JOINING.isdisjoint(value.lower().split())
    if not is_name and not is_one_name:
        line, value = value, _AFTER.sub("", value)
        if value != line and value.endswith("ing") and value.isalpha() and value.islower():
            return []  # "By following what stands below"
    if turned and value.count(",") == 1:
        value = _turned(value, turned)
    if value != whole and _HAN_NAMES.fullmatch(value):
        value = "、".join(value.split())
    found: dict[str, str] = {}
    for part in [value] if is_one_name or _is_body(value, is_name) else _BETWEEN.split(value):
        pieces = [piece.strip(" .,:*-–—") for piece in part.split(",")]
        for place, piece in enumerate(pieces):
            if place and _is_title(piece):
                break  # what follows a role is where it is held
            if is_somebody(piece) and (is_name or " " not in piece or not _is_sentence(piece)):
                found.setdefault(key(piece), piece)
            elif place == 0:
                break
        if not found:
            break  # what begins with nobody is no list of names
    return list(found.values())


def is_plain(value: str) -> bool:
    """Whether a value is a name that needs no cleaning, and that everybody reads as one."""
    if not _PLAIN.fullmatch(value):
        return False
    said = value.lower()
    return said not in _NOBODY and _NO_NAMES.isdisjoint(said.split())


def _asks(said: str) -> bool:
    first, _, rest = said.partition(" ")
    return bool(rest) and first in _ASKING


def _turned(value: str, source: str) -> str:
    """A name whose last part comes first, turned round: "Doe, Jane". In a citation all are written so.

    Elsewhere "Jane Doe, John Roe" are two people, and a person of "Jane Doe, Reuters" is one.
    """
    last, first = [part.strip() for part in value.split(",")]
    words = len(last.split()), len(first.split())
    is_one = source == "citation" or words in _LAST_FIRST or (source != "person" and words == (2, 1))
    if not is_one or not _ROLE.isdisjoint(key(first).split()) or _DEGREE.match(first):
        return value
    return f"{first} {last}"


def _is_body(value: str, is_name: bool) -> bool:
    """Whether the name of an organisation has an "and" in it: "Center for Drug Evaluation and Research".

    In a line it has to be called one: "By Oak and Elm Society".
    """
    if ";" in value or "," in value or not (is_name or not _ORGANISATION.isdisjoint(key(value).split())):
        return False
    sides = [len(side.split()) for side in _BETWEEN.split(value)]
    return len(sides) > 1 and (sides[0] == 1 < sides[-1] or not _WITHIN.isdisjoint(value.split()))


def _may_have_brackets(value: str) -> bool:
    """Whether a bracket opens in a value: in most names none does."""
    return "(" in value or "[" in value or not value.isascii()


def _may_be_address(value: str) -> bool:
    """Whether a value has any of the marks without which it holds no address."""
    return "." in value or ":" in value or "@" in value or "/" in value


def may_begin_with_by(text: str) -> bool:
    """Whether a line may begin as bylines do: of ASCII, with two letters that one of the words of `BY` begins with."""
    for place in range(len(text)):
        character = text[place]
        if character >= "\x80":
            return True
        if character not in "-| ":
            start = text[place : place + 2]
            return not start.isascii() or start.lower().rstrip() in _BY_STARTS
    return False


def _without_by(value: str) -> str:
    match = _BEFORE.match(value) if may_begin_with_by(value) else None
    return value if match is None else value[match.end() :]


def is_somebody(name: str) -> bool:
    """Whether a string can be a name at all."""
    said = key(name)
    is_worded = name.replace(" ", "").isalpha()  # it has letters, no figure, and no mark of a variable
    return (
        (is_worded or bool(_LETTER.search(name)))
        and 1 < len(name) <= (_LONGEST if said.isascii() or not has_han(said) else _LONGEST_HAN)
        and len(said.split()) <= _MOST_WORDS
        and said not in _NOBODY
        and not _asks(said)
        and _CHROME.isdisjoint(said.split())
        and "©" not in name
        and (is_worded or not (_NUMBER.search(name) or _VARIABLE.match(name)))
        and not ("web" in said and _MAKER.search(said))
    )


def _is_sentence(piece: str) -> bool:
    """Whether words in a line are a sentence, or begin one, rather than a name."""
    # English lines end in "Staff writer" and in sites' own names, in whatever letters; Greek and Russian names do not.
    return piece[0].islower() or (not piece.isascii() and piece.split()[-1].islower())


def _is_title(piece: str) -> bool:
    """Whether what follows a comma is no other name but a degree, a role, a place of work."""
    said = key(piece).split()
    return not said or len(said) == 1 or bool(_ROLE.intersection(said)) or _DEGREE.match(piece) is not None


def _kind(name: str, told: str | None) -> str | None:
    if told is not None:
        return told
    return None if _ORGANISATION.isdisjoint(key(name).split()) else "organisation"
