"""Names of months in common languages, which are translated before a date is read.

A general parser for the dates of many languages costs more than all the rest of a page.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.dom.dates import MONTHS

_NAMES: Final = """
    januar jänner januari janvier enero gennaio janeiro stycznia styczeń января январь
    februar feber februari février febrero febbraio fevereiro lutego luty февраля февраль
    märz maart mars marzo março marca marzec марта март
    avril abril aprile kwietnia kwiecień апреля апрель
    mai mei mayo maggio maio maj maja мая май
    juni juin junio giugno junho czerwca czerwiec июня июнь
    juli juillet julio luglio julho lipca lipiec июля июль
    augustus augusti août agosto sierpnia sierpień августа август
    septembre septiembre settembre setembro września wrzesień сентября сентябрь
    oktober octobre octubre ottobre outubro października październik октября октябрь
    novembre noviembre novembro listopada listopad ноября ноябрь
    dezember décembre diciembre dicembre dezembro grudnia grudzień декабря декабрь
"""
"""The names of each month in German, Dutch, French, Spanish, Italian, Portuguese, Polish, Russian and Swedish."""
_SHORT_NAMES: Final = {
    "janv": "january",
    "févr": "february",
    "mär": "march",
    "mrz": "march",
    "avr": "april",
    "juil": "july",
    "okt": "october",
    "dez": "december",
    "déc": "december",
}
_ENGLISH: Final = _SHORT_NAMES | {
    name: month for month, line in zip(MONTHS, _NAMES.strip().splitlines(), strict=True) for name in line.split()
}
_DATE_WORDS = re.compile(
    rf"(?<!\w)(\d{{1,2}})(?:er|º|ª)?\.?\s+(?:de\s+)?({'|'.join(sorted(_ENGLISH, key=len, reverse=True))})\b\.?,?"
    r"(?:\s+(?:de\s+|del\s+)?(\d{4})\b(?:\s?(?:г|r)\b\.?)?)",
    re.IGNORECASE,
)


def translate_months(text: str) -> str:
    """The text with its dates in English: "am 3. März 2024" becomes "3 march 2024"."""
    match = _DATE_WORDS.search(text)
    if match is None:
        return text
    return f"{match[1]} {_ENGLISH[match[2].lower()]} {match[3]}{text[match.end() :]}"
