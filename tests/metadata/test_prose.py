"""A date in a sentence is not the page's; one in a dateline is."""

from __future__ import annotations

from datetime import date

import pytest
from tests.metadata.metadata_pages import metadata

FAIR = date(2011, 5, 3)


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "The fair opened on 3 May 2011 and closed late."),
        ("en", "The fair opened on <b>3 May 2011</b> and closed late."),
        ("en", "The fair opened on <time datetime=2011-05-03>3 May 2011</time> and closed late."),
        ("en", "It opened on 3 May 2011."),
        ("en", "On 3 May 2011 the fair opened and many came."),
        ("en", "3 May 2011 was a day to remember."),
        ("en", "Since <a href=/fair>3 May 2011</a> nobody has seen the oak that stood here."),
        ("de", "Die Messe wurde am 3. Mai 2011 eröffnet und dauerte lange."),
        ("el", "Η έκθεση άνοιξε στις 3 Μαΐου 2011 και έκλεισε αργά."),
        ("pl", "Targi otwarto 3 maja 2011 roku i trwały one tydzień."),
        ("ru", "Ярмарка открылась 3 мая 2011 года и продолжалась неделю."),
        ("zh", "展会于2011年5月3日开幕，观众很多。"),
    ],
)
def test_a_date_in_a_sentence_is_not_the_pages(lang: str, line: str) -> None:
    assert metadata("", f"<p>{line}</p>", lang=lang).published is None


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "3 May 2011"),
        ("en", "3 May 2011."),
        ("en", "London, 3 May 2011"),
        ("en", "LONDON, 3 May 2011 – The fair opened today."),
        ("en", "Tuesday, 3 May 2011, 10:30"),
        ("en", "Published on 3 May 2011 by the team of the Forester."),
        ("en", "This article was published on 3 May 2011 and has been read often."),
        ("en", "By Jane Doe, staff writer and lover of trees, 3 May 2011"),
        ("en", "3 May 2011 | 5 min read | filed in oak trees and elms"),
        ("en", "<span>Jane Doe</span> <i>3 May 2011</i> <a>oak</a> <a>elms</a> <a>trees</a>"),
        ("en", "Every oak falls at last.<br>3 May 2011<br>It may take a while."),
        ("zh", "http://www.news.example 2011年05月03日15:57"),
        ("zh", "2011年05月03日 10:30 来源：新华网，作者：王小明"),
    ],
)
def test_a_date_in_a_dateline_is_the_pages(lang: str, line: str) -> None:
    assert metadata("", f"<div>{line}</div>", lang=lang).published == FAIR


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("el", "Τρίτη, 3 Μαΐου 2011, 10:37"),
        ("es", "martes, 3 de mayo de 2011 a las 10:30 horas"),
        ("pl", "wtorek, 3 maja 2011 r."),
        ("pl", "Warszawa, dnia 3 maja 2011 roku."),
        ("ru", "Хакасия, 03 мая 2011, 11:10 — Диетологи США, основываясь на данных, составили рейтинг."),
    ],
)
def test_words_beside_a_date_in_words_make_no_sentence(lang: str, line: str) -> None:
    pytest.importorskip("dateparser")
    assert metadata("", f"<p>{line}</p>", lang=lang).published == FAIR


def test_a_line_of_a_thousand_dates() -> None:
    assert metadata("", "<p>" + "<b>3 May 2011</b> they all came <i>and left</i> again " * 20_000).published is None
