"""Bylines and datelines as papers write them in Greek, Polish, Russian and Chinese."""

from __future__ import annotations

from datetime import date

import pytest
from tests.metadata.metadata_pages import metadata, names

from duramen.metadata.dates import read_date

ARTICLE = '<meta property="og:type" content="article">'


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
def test_a_byline_names_its_author(lang: str, byline: str, authors: list[str]) -> None:
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
def test_a_line_that_only_begins_like_a_byline_names_nobody(lang: str, line: str) -> None:
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
def test_a_dateline_in_words_is_read_whatever_the_template_declares(lang: str, line: str) -> None:
    pytest.importorskip("dateparser")
    assert metadata(ARTICLE, f"<p>{line}</p>", lang=lang).published == date(2024, 3, 5)


@pytest.mark.parametrize("line", ["2024年03月05日08:03", "2024年3月5日", "時間：2024年 03月05日", "05.03.24 20:42"])
def test_a_dateline_in_numbers_is_read(line: str) -> None:
    assert metadata(ARTICLE, f"<p>{line}</p>", lang="zh").published == date(2024, 3, 5)


@pytest.mark.parametrize("line", ["Сегодня, 15:02", "10.0.0.12", "wersja 05.03.24.1", "32.13.24"])
def test_a_line_without_a_date_gives_none(line: str) -> None:
    assert read_date(line, "ru") is None


def test_an_encoding_is_no_language() -> None:
    assert metadata(lang="utf-8").language is None
