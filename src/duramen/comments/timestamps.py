"""Dates of comments as the page shows them, and which of them are posting dates.

A date is recognized by its form alone, in any language: a time of day, a date in figures, a year beside a day, or a
number beside a word for "ago". Every text in the container of the comments is tested, so this must be cheap. The value
of the date is read later, once for each comment (`duramen.dom.dates`).

A date in the text of a comment ("I planted it on 3 May 2011.") has the same form, but a comment is posted once. Where
it has a `<time>`, an element with the name of a date, or a date on its own, the dates among its words belong to its
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from duramen.dom.blocks import Blocks
from duramen.dom.class_names import AUTHOR, BODY, COMMENT, DATE, PLAIN, find_part_role
from duramen.dom.tree import TEXT, Tree
from duramen.language import words

MAX_DATE_LINE_WORDS: Final = 14
"""Words of a line that can still be a date, with a name before it and a number after it."""
MAX_DATE_LINE_CHARS: Final = 140
_MIN_WORDS_OF_SPEECH: Final = 3
"""Words beside a date from which on the line may be part of the text."""
_SENTENCE_ENDS: Final = tuple(".!?…。！？")

_CLOCK = r"\b[0-2]?\d[:.h][0-5]\d(?::[0-5]\d)?(?!\d)"
_TIME = rf"{_CLOCK}\s?(?:[ap]\.?m\b|uhr)"
_FIGURES = r"\b\d{1,4}([-/.])[01]?\d\1\d{1,4}\b|\b\d{1,4}\. ?\d{1,2}\. ?\d{2,4}\b"
_YEAR = r"(?:\b\d{1,2}(?:st|nd|rd|th|\.|er)?,?\s.{0,24}?\b(?:19|20)\d\d\b)|(?:\b(?:19|20)\d\d\b.{0,16}?\b\d{1,2}\b)"
_CJK = r"\d{1,4}\s?[年月日년월일]"
_MONTH_DAY = (
    r"\b(?:jan|feb|fév|mar|mär|apr|avr|abr|may|mai|maj|jun|juin|jul|juil|aug|août|ago|sep|oct|okt|nov|dec|dez|dic|déc)"
    r"[a-zéû]*\.?\s\d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th|\.)?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\b"
)
_HYPHENATED = r"\b\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*-(?:\d{4}|\d\d)\b"
_UNIT = r"(?:secs?|mins?|hrs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
# A unit of time is required: "il y a un chêne", "vor dem Haus" and "hace mucho frío" are no dates.
_AGO = (
    rf"\b(?:(?:an?|one)\s{_UNIT}|\d+\s?(?:[smhdwy]|{_UNIT}))\b.{{0,24}}\bago\b"
    r"|\bvor\s(?:\w+\s){1,4}?(?:sek|min|std|stunde|tag|woche|monat|jahr)\w*"
    r"|\bil y a\s(?:\S+\s){1,4}?(?:[smhj]\b|sec|min|heure|jour|semaine|mois|ans?\b|année)\w*"
    r"|\b(?:hace|há)\s(?:\S+\s){1,4}?(?:[smhd]\b|seg|min|hora|d[ií]a|semana|mes|mês|año|ano)\w*"
    r"|\b\w+[\s'’](?:second|minut|or[ae]|giorn|settiman|mes[ei]|ann[oi])\w*\sfa\b"
    r"|\b\w+\s\w+\s(?:geleden|temu|sedan|siden|sitten|önce|назад|тому|πριν)\b"
    r"|\d+\s?(?:秒|分钟|分|小时|小時|时|天|日|週|周|か月|个月|年)\s?前"
    r"|\b(?:yesterday|gestern|hier|ayer|ieri|gisteren|wczoraj|вчера)\b.{0,8}\d"
)
_SHORT = r"^\W*\d{1,2}\s?(?:s|m|min|mins|h|hr|hrs|d|w|wk|mo|mos|y|yr|yrs|j|std|tage?)(?=$|\W|(?-i:[A-Z]))"
_find_date_form = re.compile(
    f"(?:{_TIME})|{_FIGURES}|{_YEAR}|{_CJK}|{_MONTH_DAY}|{_HYPHENATED}|{_AGO}|{_SHORT}", re.IGNORECASE
).search
_match_clock = re.compile(rf"\W*(?:at|um|à|a las|alle|@)?\W*{_CLOCK}\s?\W*", re.IGNORECASE).fullmatch
_match_edit_note = re.compile(
    r"\W*(?:last |zuletzt )?(?:edited|updated|modified|bearbeitet|geändert|modifié|editado|изменено)\b", re.IGNORECASE
).match
_has_digit = re.compile(r"\d").search
_AGO_WORDS: Final = ("ago", "vor", "il y a", "hace", "há", "fa", "geleden", "temu", "sedan", "назад", "önce")
_has_ago = re.compile(rf"\b(?:{'|'.join(_AGO_WORDS)})\b", re.IGNORECASE).search
_WORD_BEFORE_DATE = re.compile(r"([^\W\d_]{3,})\.?,?\s+$")
_has_word = re.compile(r"[^\W\d_]{3,}").search
_is_not_month = re.compile(r"posted|written|comment|the|von|par|por|says?|said|wrote", re.IGNORECASE).fullmatch
_DATE_WORDS = re.compile(
    r"\b(?:at|on|um|[ap]\.?m|uhr|gmt|utc)\b\.?|[\d年月日時时分秒前后星期週周上下午년월일오전후]+", re.IGNORECASE
)

SIGNATURE_PREFIXES: Final = (
    "posted by", "written by", "by ", "comment by", "left by", "geschrieben von", "von ", "publié par", "posté par",
    "par ", "publicado por", "escrito por", "por ", "enviado por", "scritto da", "pubblicato da", "geplaatst door",
    "napisał", "opublikował", "написал", "автор",
)  # fmt: skip
"""Beginnings of the line under a comment."""

_DAY_NAMES: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun today"
    " yesterday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag heute gestern lundi mardi"
    " mercredi jeudi vendredi samedi dimanche hier lunes martes miércoles jueves viernes sábado domingo hoy ayer lunedì"
    " martedì mercoledì giovedì venerdì sabato domenica oggi ieri segunda-feira terça-feira quarta-feira quinta-feira"
    " sexta-feira hoje ontem maandag dinsdag woensdag donderdag vrijdag zaterdag zondag vandaag gisteren poniedziałek"
    " wtorek środa czwartek piątek sobota niedziela dziś dzisiaj wczoraj понедельник вторник среда четверг пятница"
    " суббота воскресенье сегодня вчера δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή σήμερα χθες".split()
)

# How a block holds its date, from the weakest sign of a posting date to the strongest.
_NO_DATE: Final = 0
_IN_SENTENCE: Final = 1
"""In a sentence, or as the time of an edit."""
_IN_LINE: Final = 2
"""In a line with some words, which may be a sentence, or name the author."""
_ALONE: Final = 3
"""With next to nothing beside it."""
_MARKED: Final = 4
"""In an element with the name of a date."""

_MAX_MARKING_LEVELS: Final = 4
"""Elements around a date that may mark it: those further out hold more than the date."""


def find_date(text: str) -> str | None:
    """Return the part of a short text that is a date; None where there is none."""
    text = text.strip()  # indentation may be longer than the date
    return None if len(text) > MAX_DATE_LINE_CHARS else _find_date(text)


@lru_cache(maxsize=1 << 12)  # each text is tested several times, and many comments share their last words
def _find_date(text: str) -> str | None:
    if _has_digit(text) is None:
        lower = text.lower()
        if (
            not any(word in lower for word in _AGO_WORDS) or _has_ago(text) is None
        ):  # the words first: most texts end here
            return None
    match = None if "://" in text or "www." in text else _find_date_form(text)
    if match is None or len(text.split()) > MAX_DATE_LINE_WORDS:
        return None
    start = match.start()
    month = None if _has_word(match[0]) else _WORD_BEFORE_DATE.search(text, 0, start)
    if month is not None and not _is_not_month(month[1]):
        start = month.start()
    return text[start:].strip(" \t\n\r\xa0|·•-–—»#[](),;")


def has_date(text: str) -> bool:
    """Return whether a short text holds a date or a time."""
    return find_date(text) is not None


def is_clock(text: str) -> bool:
    """Return whether a text is only a time of day. Beside a date it belongs to it; alone it may be a duration."""
    return len(text) <= MAX_DATE_LINE_CHARS and _match_clock(text) is not None


def is_edit_note(text: str) -> bool:
    """Return whether a text tells when a comment was edited, not when it was posted."""
    return _match_edit_note(text) is not None


def is_day_name(text: str) -> bool:
    """Return whether a text is the name of a day, as before a date: "Thursday", "today"."""
    return text.lower() in _DAY_NAMES


def is_dated_sentence(text: str) -> bool:
    """Return whether a short text with a date ends like a sentence and has a word beside its date."""
    return text.rstrip().endswith(_SENTENCE_ENDS) and bool(_count_words_beside_date(text))


def may_mention_date(text: str) -> bool:
    """Return whether the date in a short text may be mentioned, or of an edit: there are words beside it.

    A line that begins like a signature mentions no date.
    """
    if text.strip().lower().startswith(SIGNATURE_PREFIXES):
        return False
    return is_edit_note(text) or is_dated_sentence(text) or _count_words_beside_date(text) >= _MIN_WORDS_OF_SPEECH


def _count_words_beside_date(text: str) -> int:
    """Count the words beside the date, without words that belong to dates: "at", "PM", 星期五."""
    match = _find_date_form(text) if len(text) <= MAX_DATE_LINE_CHARS else None
    if match is None:
        return len(words(text))
    before = text[: match.start()]
    if not _has_word(match[0]):
        before = _WORD_BEFORE_DATE.sub("", before)
    return len(words(_DATE_WORDS.sub(" ", f"{before} {text[match.end() :]}")))


def find_posting_dates(
    blocks: Blocks, classes: Sequence[int], searched: Sequence[bool]
) -> tuple[list[bool], list[bool]]:
    """Return for each block whether it has a posting date, and whether it has a mentioned date."""
    strengths = [_rate_date(blocks, block) if is_searched else _NO_DATE for block, is_searched in enumerate(searched)]
    mentioned = [False] * len(strengths)
    if _IN_SENTENCE in strengths or _IN_LINE in strengths:
        for block in _find_mentioned(strengths, _find_comment_elements(blocks, classes), searched):
            mentioned[block] = True
    posting = [bool(strength) and not mention for strength, mention in zip(strengths, mentioned, strict=True)]
    return posting, mentioned


def _find_mentioned(strengths: Sequence[int], comments: Sequence[int], searched: Sequence[bool]) -> list[int]:
    """Return the blocks whose date is mentioned in a text."""
    dated_blocks: dict[int, list[int]] = {}
    for block, comment in enumerate(comments):
        if strengths[block]:
            dated_blocks.setdefault(comment, []).append(block)
    mentioned: list[int] = []
    only_sentences: list[int] = []  # comments that have dates in sentences, and no other
    for comment, own in dated_blocks.items():
        weak = [block for block in own if strengths[block] < _ALONE]
        if 2 * len(weak) <= len(own) or (comment >= 0 and any(strengths[block] == _MARKED for block in own)):
            mentioned += weak
            continue
        sentences = [block for block in weak if strengths[block] == _IN_SENTENCE]
        if len(sentences) < len(own):
            mentioned += sentences
        elif comment >= 0:
            only_sentences.append(comment)
    # If most comments are like that, this page writes its posting dates so.
    count = len({comment for comment, inside in zip(comments, searched, strict=True) if inside and comment >= 0})
    if 2 * len(only_sentences) < count:
        mentioned += [block for comment in only_sentences for block in dated_blocks[comment]]
    return mentioned


def _find_comment_elements(blocks: Blocks, classes: Sequence[int]) -> list[int]:
    """Return for each block the innermost element around it with the name of a comment; −1 where there is none."""
    comment_of: list[int] = []
    for element, verdict in enumerate(classes):
        parent = blocks.parent[element]
        comment_of.append(element if verdict == COMMENT else comment_of[parent] if parent >= 0 else -1)
    return [comment_of[owner] for owner in blocks.owner]


def _rate_date(blocks: Blocks, block: int) -> int:
    """Return how a block holds its date; the strongest sign where it holds several."""
    tree = blocks.tree
    tags, first = tree.tag, blocks.first[block]
    strength = _MARKED if tags[tree.parent[first]] == "time" else _NO_DATE
    for node in range(first, blocks.last[block] + 1):
        if strength == _MARKED:
            break
        tag = tags[node]
        if tag == "time":
            strength = _MARKED
        elif tag == TEXT and has_date(tree.text[node]):
            strength = max(strength, _rate_text(tree, node))
    return _IN_SENTENCE if strength and is_edit_note(blocks.text[block]) else strength


def _rate_text(tree: Tree, node: int) -> int:
    text = tree.text[node]
    around, role = tree.parent[node], PLAIN
    for _ in range(_MAX_MARKING_LEVELS):
        role = find_part_role(tree.tag[around], tree.attributes[around])
        if role == DATE:
            return _MARKED
        around = tree.parent[around]
        if role != PLAIN or around < 0:
            break
    if role == AUTHOR and len(text.split()) == 1:
        return _NO_DATE  # the name "3dPrint.at"
    if not may_mention_date(text):
        return _IN_LINE if role == BODY else _ALONE  # "When did it fall?" – "3 May 2011"
    return _IN_SENTENCE if is_dated_sentence(text) or is_edit_note(text) else _IN_LINE
