"""The source `bylines`."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import ARTICLE, TEXT, metadata, names

from duramen.metadata import author_names
from duramen.metadata.sources import bylines

BY: Final = (
    "Originally written by,Posted by,published & edited by,Reported by,created by,AUTHORED BY,submitted by,reviewed by"
    ",story by,Article by,text by,words by,blog by,post by,started by,asked by,contributed by,guest post by"
    ",a guest post by,by,from:,author,about the author,words:,von,vom:,autorin,verfasst von,geschrieben von,par"
    ",auteures,écrit par,publié par,por,escrito por,publicado por,di,a cura di,scritto da,door,geschreven door,av,af"
    ",przez,napisała,opracowanie,opracował,oprac.,rozmawiał,tekst:,автор,текст:,подготовил,беседовали,корреспондент:"
    ",του Νίκου Παππά,συντάκτης,επιμέλεια:,γράφει ο,από τον,本报记者,作者,责任编辑,撰文,撰稿,文:,yazan,oleh"
).split(",")
"""All ways to begin a byline that `author_names.BYLINE_START` has."""


LINES: Final = st.lists(
    st.sampled_from([*BY, *"-|·– :.aK1ſıİ©", "Jane Doe", "2024", "Updated", "(c)", "All Rights", "更新", "edited"]),
    max_size=5,
)


@given(LINES.map("".join) | LINES.map(" ".join))
def test_quick_checks_of_lines_agree_with_the_expressions(line: str) -> None:
    text = " ".join(line.split())
    if bylines._BYLINE.match(text) or bylines._BYLINE_START_ONLY.match(text):
        assert author_names.may_start_byline(text)
        assert bylines._starts_byline(text)
    if bylines._INNER_BYLINE.search(text):
        assert bylines._may_have_year(text) or ":" in text
    if bylines._YEAR.search(text) or bylines._NAME_AND_DATE.match(text):
        assert bylines._may_have_year(text)
    assert bylines._has_date(text) == bool(bylines._YEAR.search(text) or bylines._SHORT_DATE.search(text))
    if bylines._LINE_WITH_BYLINE.match(text):
        assert author_names.may_start_byline(text)


@pytest.mark.parametrize("by", BY)
def test_every_byline_start_passes_the_quick_check(by: str) -> None:
    tabbed = by.replace(" ", "\t")
    for line in (f"{by} Jane Doe", f"— {by.title()} Jane Doe", f"-{by.upper()}", f"{tabbed}\tJane Doe"):
        if re.match(rf"[-— ]*(?:{author_names.BYLINE_START})", line, re.IGNORECASE):
            assert author_names.may_start_byline(line)


@pytest.mark.parametrize(
    ("lang", "byline", "authors"),
    [
        ("el", "Του Νίκου Παππά", ["Νίκου Παππά"]),
        ("el", "Της ΜΑΡΙΑΣ ΠΑΠΠΑ", ["ΜΑΡΙΑΣ ΠΑΠΠΑ"]),
        ("el", "Γράφει η Μαρία Παππά", ["Μαρία Παππά"]),
        ("el", "Συντάκτης: Νίκος Παππάς", ["Νίκος Παππάς"]),
        ("el", "Ρεπορτάζ: Νίκος Παππάς", ["Νίκος Παππάς"]),
        ("pl", "Autor: Jan Kowalski", ["Jan Kowalski"]),
        ("pl", "Tekst: Anna Nowak", ["Anna Nowak"]),
        ("pl", "Opracowała Anna Nowak", ["Anna Nowak"]),
        ("pl", "Rozmawiał: Jan Kowalski", ["Jan Kowalski"]),
        ("ru", "Автор: Иван Петров", ["Иван Петров"]),
        ("ru", "Авторы: Иван Петров и Анна Иванова", ["Иван Петров", "Анна Иванова"]),
        ("ru", "Текст: Анна Иванова", ["Анна Иванова"]),
        ("ru", "Подготовила Анна Иванова", ["Анна Иванова"]),
        ("ru", "Беседовал Иван Петров", ["Иван Петров"]),
        ("zh", "作者：王小明", ["王小明"]),
        ("zh", "记者 王小明", ["王小明"]),
        ("zh", "记者王小明", ["王小明"]),
        ("zh", "文/王小明", ["王小明"]),
        ("zh-TW", "記者陳鈞凱／台北報導", ["陳鈞凱"]),
        ("zh", "本报记者 王小明 李红", ["王小明", "李红"]),
        ("zh-TW", "【台灣日報記者潘姿羽台北報導】春節期間，老樹倒下，無人受傷。", ["潘姿羽"]),
        ("zh-TW", "【林媛玲╱新北報導】老樹昨天倒下，無人受傷。", ["林媛玲"]),
        ("zh", "老树昨天倒下（记者 王小明）", ["王小明"]),
    ],
)
def test_a_byline_in_another_language_names_its_author(lang: str, byline: str, authors: list[str]) -> None:
    assert names(metadata(ARTICLE, f"<p>{byline}</p><p>2024-03-05</p>", lang=lang)) == authors


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("el", "Της Παρασκευής το βράδυ έπεσε η βελανιδιά"),
        ("pl", "Autor zdjęcia nieznany"),
        ("ru", "Автор не указан"),
        ("zh", "记者了解到，这一平台今天上线。"),
        ("zh", "文化部今天宣布新规定"),
    ],
)
def test_a_line_that_only_begins_like_a_byline_gives_no_author(lang: str, line: str) -> None:
    assert names(metadata(ARTICLE, f"<p>{line}</p><p>2024-03-05</p>", lang=lang)) == []


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("el", "Τρίτη, 5 Μαρτίου 2024, 10:37"),
        ("el", "Ημερομηνία δημοσίευσης: 5 Μαρτίου 2024"),
        ("en", "05 Μαρτίου 2024"),
        ("pl", "wtorek, 5 marca 2024 r."),
        ("pl", "05.03.2024, godz. 10:15"),
        ("ru", "время публикации: 5 марта 2024 г., 11:57"),
        ("en", "5 марта 2024"),
    ],
)
def test_a_dateline_in_words_is_read_whatever_the_declared_language(lang: str, line: str) -> None:
    pytest.importorskip("dateparser")
    assert metadata(ARTICLE, f"<p>{line}</p>", lang=lang).published == date(2024, 3, 5)


@pytest.mark.parametrize("line", ["2024年03月05日08:03", "2024年3月5日", "時間：2024年 03月05日", "05.03.24 20:42"])
def test_a_dateline_in_numbers_is_read(line: str) -> None:
    assert metadata(ARTICLE, f"<p>{line}</p>", lang="zh").published == date(2024, 3, 5)


@pytest.mark.parametrize(
    ("lang", "body", "name"),
    [
        ("el", "<p>Του Νίκου Παππά</p><p>5 Μαρτίου 2024</p>", "Νίκου Παππά"),
        ("pl", "<p>Autor: Jan Kowalski</p><p>5 marca 2024</p>", "Jan Kowalski"),
        ("ru", "<p>Автор: Иван Петров</p><p>5 марта 2024</p>", "Иван Петров"),
        ("zh", "<p>作者：王小明</p><p>2024年3月5日</p>", "王小明"),
        ("de", "<p>Von Anna Müller</p><p>5. März 2024</p>", "Anna Müller"),
    ],
)
def test_bylines_and_datelines_are_read_in_other_languages(lang: str, body: str, name: str) -> None:
    pytest.importorskip("dateparser")
    read = metadata(ARTICLE, body, lang=lang)
    assert (names(read), read.published) == ([name], date(2024, 3, 5))


@pytest.mark.parametrize(
    "line",
    [
        "© 2019 The Forester",
        "Copyright 5 May 2019 The Forester",
        "(c) 2019-05-05",
        "All rights reserved, 5 May 2019",
        "Copyright © <time datetime=2019-05-05>2019</time> The Forester",
        "<span>©</span> <span>5 May 2019</span>",
        "&copy; <b>5 May 2019</b>",
    ],
)
@pytest.mark.parametrize("place", ["{line}{text}", "{text}{line}"], ids=["before the text", "after it"])
def test_the_year_of_a_copyright_is_no_date(line: str, place: str) -> None:
    assert metadata(ARTICLE, place.format(line=f"<p>{line}</p>", text=TEXT)).published is None


@pytest.mark.parametrize(
    ("lang", "line", "authors"),
    [
        ("en", "Posted on March 5, 2024 by Jane Doe", ["Jane Doe"]),
        ("en", "March 5, 2024 at 10:30 AM by Jane Doe", ["Jane Doe"]),
        ("en", "March 5, 2024 | By: Jane Doe", ["Jane Doe"]),
        ("en", "Published March 5, 2024, by Jane Doe and John Roe", ["Jane Doe", "John Roe"]),
        ("en", "Since 2024 by all accounts oaks fall", []),
        ("pl", "Opublikowano: 05.03.2024, autor: Jan Kowalski", ["Jan Kowalski"]),
        ("pl", "Źródło: PAP | Autor: Jan Kowalski", ["Jan Kowalski"]),
        ("ru", "05.03.2024 | Автор: Иван Петров", ["Иван Петров"]),
        ("el", "05.03.2024 | Συντάκτης: Νίκος Παππάς", ["Νίκος Παππάς"]),
        ("zh", "2024-03-05 来源：新华网 作者：王小明 编辑：李红", ["王小明"]),
        ("zh", "2024年3月5日 记者：王小明", ["王小明"]),
        ("zh", "记者 王小明 北京报道", ["王小明"]),
    ],
)
def test_a_byline_may_be_inside_a_line(lang: str, line: str, authors: list[str]) -> None:
    assert names(metadata(ARTICLE, f"<p>{line}</p>", lang=lang)) == authors


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
def test_a_date_in_a_sentence_is_ignored(lang: str, line: str) -> None:
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
def test_a_date_in_a_dateline_is_read(lang: str, line: str) -> None:
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
def test_words_next_to_a_date_make_no_sentence(lang: str, line: str) -> None:
    pytest.importorskip("dateparser")
    assert metadata("", f"<p>{line}</p>", lang=lang).published == FAIR


def test_a_line_with_thousands_of_dates() -> None:
    assert metadata("", "<p>" + "<b>3 May 2011</b> they all came <i>and left</i> again " * 20_000).published is None
