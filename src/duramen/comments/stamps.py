"""The date and time under which a comment was posted, as it stands on the page.

A stamp is told by its form alone, whatever the language: a time of day, a date in figures, a year beside a day, or a
number beside a word that says "ago". Whether a text *is* a date is asked of every piece of text in the place of the
comments, so this must be cheap; what date it is, is read later, of one stamp a comment (`duramen.metadata`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.language import words

MOST_WORDS: Final = 14
"""Words of a line that can still be a stamp, with a name before it and a number behind it."""

_CLOCK = r"\b[0-2]?\d[:.h][0-5]\d(?::[0-5]\d)?(?!\d)"
_TIME = rf"{_CLOCK}\s?(?:[ap]\.?m\b|uhr)"
_FIGURES = r"\b\d{1,4}([-/.])[01]?\d\1\d{1,4}\b|\b\d{1,4}\. ?\d{1,2}\. ?\d{2,4}\b"
_YEAR = r"(?:\b\d{1,2}(?:st|nd|rd|th|\.|er)?,?\s.{0,24}?\b(?:19|20)\d\d\b)|(?:\b(?:19|20)\d\d\b.{0,16}?\b\d{1,2}\b)"
_CJK = r"\d{1,4}\s?[年月日년월일]"
_MONTH_DAY = (
    r"\b(?:jan|feb|fév|mar|mär|apr|avr|abr|may|mai|maj|jun|juin|jul|juil|aug|août|ago|sep|oct|okt|nov|dec|dez|dic|déc)"
    r"[a-zéû]*\.?\s\d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th|\.)?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\b"
)
_UNIT = r"(?:secs?|mins?|hrs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
# "Il y a un chêne", "vor dem Haus" and "hace mucho frío" count nothing: the word for the time tells.
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
_find = re.compile(f"(?:{_TIME})|{_FIGURES}|{_YEAR}|{_CJK}|{_MONTH_DAY}|{_AGO}|{_SHORT}", re.IGNORECASE).search
_is_clock = re.compile(rf"\W*(?:at|um|à|a las|alle|@)?\W*{_CLOCK}\s?\W*", re.IGNORECASE).fullmatch
_is_change = re.compile(
    r"\W*(?:last |zuletzt )?(?:edited|updated|modified|bearbeitet|geändert|modifié|editado|изменено)\b", re.IGNORECASE
).match
_has_digit = re.compile(r"\d").search
_has_ago = re.compile(r"\b(?:ago|vor|il y a|hace|há|fa|geleden|temu|sedan|назад|önce)\b", re.IGNORECASE).search


_before = re.compile(r"([^\W\d_]{3,})\.?,?\s+$")
_has_word = re.compile(r"[^\W\d_]{3,}").search
_is_no_month = re.compile(r"posted|written|comment|the|von|par|por|says?|said|wrote", re.IGNORECASE).fullmatch


def is_stamp(text: str) -> bool:
    """Whether a short text holds a date or a time."""
    return find_stamp(text) is not None


def is_clock(text: str) -> bool:
    """Whether a text is a time of day and nothing else, which beside a date belongs to it; alone it may be a length."""
    return len(text) <= _LONGEST and _is_clock(text) is not None


def is_change(text: str) -> bool:
    """Whether a text tells when a comment was changed, not when it was posted."""
    return _is_change(text) is not None


def is_weekday(text: str) -> bool:
    """Whether a text is the name of a day, as it stands before a date: "Thursday", "today"."""
    return text.lower() in _DAYS


def is_sentence(text: str) -> bool:
    """Whether a short text with a date ends as a sentence does, and has a word beside its date."""
    return text.rstrip().endswith(_ENDS) and bool(_beside(text))


def may_be_said(text: str) -> bool:
    """Whether the date in a short text may be one that somebody speaks of, or of a change: there are words beside it.

    A line that begins as signatures do is none of these.
    """
    if text.strip().lower().startswith(SIGNATURES):
        return False
    return is_change(text) or is_sentence(text) or _beside(text) >= _SOME


def _beside(text: str) -> int:
    """How many words a text has beside its date, and beside what the forms of dates leave over: "at", "PM", 星期五."""
    found = _find(text) if len(text) <= _LONGEST else None
    if found is None:
        return len(words(text))
    before = _before.sub("", text[: found.start()]) if not _has_word(found[0]) else text[: found.start()]
    return len(words(_of_dates.sub(" ", f"{before} {text[found.end() :]}")))


_SOME: Final = 3
_ENDS: Final = tuple(".!?…。！？")
_of_dates = re.compile(
    r"\b(?:at|on|um|[ap]\.?m|uhr|gmt|utc)\b\.?|[\d年月日時时分秒前后星期週周上下午년월일오전후]+", re.IGNORECASE
)

SIGNATURES: Final = (
    "posted by", "written by", "by ", "comment by", "left by", "geschrieben von", "von ", "publié par", "posté par",
    "par ", "publicado por", "escrito por", "por ", "enviado por", "scritto da", "pubblicato da", "geplaatst door",
    "napisał", "opublikował", "написал", "автор",
)  # fmt: skip
"""How the line under a comment begins."""

_DAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun today"
    " yesterday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag heute gestern lundi mardi"
    " mercredi jeudi vendredi samedi dimanche hier lunes martes miércoles jueves viernes sábado domingo hoy ayer lunedì"
    " martedì mercoledì giovedì venerdì sabato domenica oggi ieri segunda-feira terça-feira quarta-feira quinta-feira"
    " sexta-feira hoje ontem maandag dinsdag woensdag donderdag vrijdag zaterdag zondag vandaag gisteren poniedziałek"
    " wtorek środa czwartek piątek sobota niedziela dziś dzisiaj wczoraj понедельник вторник среда четверг пятница"
    " суббота воскресенье сегодня вчера δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή σήμερα χθες".split()
)


def find_stamp(text: str) -> str | None:
    """The part of a short text that is a date; None where there is none."""
    text = text.strip()  # indentation may be longer than the date
    return None if len(text) > _LONGEST else _stamp_in(text)


@lru_cache(maxsize=1 << 12)  # of one text it is asked several times, and many comments end in the same words
def _stamp_in(text: str) -> str | None:
    if _has_digit(text) is None and _has_ago(text) is None:
        return None
    found = None if "://" in text or "www." in text else _find(text)
    if found is None or len(text.split()) > MOST_WORDS:
        return None
    start = found.start()
    word = None if _has_word(found[0]) else _before.search(text, 0, start)
    if word is not None and not _is_no_month(word[1]):
        start = word.start()
    return text[start:].strip(" \t\n\r\xa0|·•-–—»#[](),;")


_LONGEST: Final = 140
