"""Recognize dates in texts by their form alone, in many languages.

A date is a time of day, a date in figures, a year beside a day, or a number beside a word for "ago". The value of the
date is not read (`dates.parse_date` does that), so that every short text of a page can be tested.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

MAX_DATE_LINE_WORDS: Final = 14
"""Words of a line that can still be a date, with a name before it and a number after it."""
MAX_DATE_LINE_CHARS: Final = 140

_CLOCK = r"\b[0-2]?\d[:.h][0-5]\d(?::[0-5]\d)?(?!\d)"
_TIME = rf"{_CLOCK}\s?(?:[ap]\.?m\b|uhr)"
_FIGURES = r"\b\d{1,4}([-/.])[0-3]?\d\1\d{1,4}\b|\b\d{1,4}\. ?\d{1,2}\. ?\d{2,4}\b"
# Between a day and its year there are no figures: "20 3353 2000" is a phone number.
_YEAR = (
    r"\b\d{1,2}(?:st|nd|rd|th|\.|er)?,?\s\D{0,24}?\b(?:19|20)\d\d\b"
    r"|\b(?:19|20)\d\d[\s,./-]{1,3}(?:[^\W\d_]{1,12}[\s,.-]{1,3})?\d{1,2}\b"
)
_CJK = r"\d{4}\s?[年년]\s?\d{1,2}|\d{1,2}\s?[月日월일]"
_MONTH = (
    r"(?:jan|feb|f[ée]v|mar|mär|mrz|apr|avr|abr|ma[iyj]|juin|jun|juil|jul|aug|août|ago|sep|o[ck]t|nov|dec|dez|dic|déc"
    r"|янв|фев|апр|мая|июн|июл|авг|сен|окт|ноя|дек)[^\W\d_]*\.?"
)
_MONTH_DAY = (
    rf"\b{_MONTH}\s\d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th|\.|er)?(?:\s|-){_MONTH}"
    r"|\b\d{1,2}\sde\s(?:ene|jan|feb|fev|mar|abr|ma[iy]|jun|jul|ago|se[pt]|o[cu]t|nov|di[cz]|dez)"
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
    f"{_TIME}|{_FIGURES}|{_YEAR}|{_CJK}|{_MONTH_DAY}|{_HYPHENATED}|{_AGO}|{_SHORT}", re.IGNORECASE
).search
_match_clock = re.compile(rf"\W*(?:at|um|à|a las|alle|@)?\W*{_CLOCK}\s?\W*", re.IGNORECASE).fullmatch
_has_digit = re.compile(r"\d").search
_AGO_WORDS: Final = ("ago", "vor", "il y a", "hace", "há", "fa", "geleden", "temu", "sedan", "назад", "önce")
_has_ago = re.compile(rf"\b(?:{'|'.join(_AGO_WORDS)})\b", re.IGNORECASE).search
_WORD_BEFORE_DATE = re.compile(r"(?<![^\W\d_])([^\W\d_]{3,}+)\.?,?\s++$")
_has_word = re.compile(r"[^\W\d_]{3,}").search
_is_not_month = re.compile(r"posted|written|comment|the|von|par|por|says?|said|wrote", re.IGNORECASE).fullmatch

_DATE_WORDS = re.compile(
    r"\b(?:at|on|um|[ap]\.?m|uhr|gmt|utc)\b\.?|[\d年月日時时分秒前后星期週周上下午년월일오전후]+", re.IGNORECASE
)
_DAY_NAMES: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun today"
    " yesterday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag heute gestern lundi mardi"
    " mercredi jeudi vendredi samedi dimanche hier lunes martes miércoles jueves viernes sábado domingo hoy ayer lunedì"
    " martedì mercoledì giovedì venerdì sabato domenica oggi ieri segunda-feira terça-feira quarta-feira quinta-feira"
    " sexta-feira hoje ontem maandag dinsdag woensdag donderdag vrijdag zaterdag zondag vandaag gisteren poniedziałek"
    " wtorek środa czwartek piątek sobota niedziela dziś dzisiaj wczoraj понедельник вторник среда четверг пятница"
    " суббота воскресенье сегодня вчера δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή σήμερα χθες".split()
)


def find_date(text: str) -> str | None:
    """Return the part of a short text that is a date; None where there is none."""
    text = text.strip()  # indentation may be longer than the date
    return None if len(text) > MAX_DATE_LINE_CHARS else _find_date(text)


@lru_cache(maxsize=1 << 12)  # each text is tested several times, and many comments share their last words
def _find_date(text: str) -> str | None:
    if _has_digit(text) is None:
        lower = text.lower()
        # The plain search comes first: most texts end here.
        if not any(word in lower for word in _AGO_WORDS) or _has_ago(text) is None:
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


def is_day_name(text: str) -> bool:
    """Return whether a text is the name of a day, as before a date: "Thursday", "today"."""
    return text.lower() in _DAY_NAMES


def remove_date(text: str) -> str:
    """Return a short text without its date and without words that belong to dates: "at", "PM", 星期五."""
    match = _find_date_form(text) if len(text) <= MAX_DATE_LINE_CHARS else None
    if match is None:
        return text
    before = text[: match.start()]
    if not _has_word(match[0]):
        before = _WORD_BEFORE_DATE.sub("", before)
    return _DATE_WORDS.sub(" ", f"{before} {text[match.end() :]}")
