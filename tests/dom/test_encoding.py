"""Bytes to text: who is believed, and what never fails."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.encoding import decode, find_codec, find_encoding, refuse_other_formats
from duramen.errors import NotHTMLError

GERMAN = "Die Bäume überragen die Häuser, größer als früher."
POLISH = "Wczoraj policja zatrzymała dwóch mężczyzn podejrzanych o kradzież. Obaj są mieszkańcami Łodzi."
RUSSIAN = "Вчера вечером полиция задержала двух мужчин, подозреваемых в краже."
GREEK = "Χθες το βράδυ η αστυνομία συνέλαβε δύο άνδρες που θεωρούνται ύποπτοι για κλοπή."
CHINESE = "昨天晚上，警方拘留了两名涉嫌盗窃的男子。据调查人员称，两人都是上海居民。"
TRADITIONAL = "昨天晚上，警方拘留了兩名涉嫌盜竊的男子。據調查人員稱，兩人都是臺北居民。"
JAPANESE = "昨夜、警察は窃盗の疑いで男性二人を逮捕した。二人はいずれも大阪府に住んでいるという。"
KOREAN = "어제 저녁 경찰은 절도 혐의로 남성 두 명을 체포했다. 두 사람 모두 부산에 살고 있다."
ARABIC = "ألقت الشرطة مساء أمس القبض على رجلين يشتبه في قيامهما بالسرقة."


def paragraph(text: str, encoding: str, head: str = "") -> bytes:
    return f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode(encoding)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_a_byte_order_mark_comes_before_everything(mark: bytes, encoding: str) -> None:
    data = mark + paragraph(GERMAN, encoding, '<meta charset="koi8-r">')
    assert find_encoding(data, "text/html; charset=koi8-r") == encoding
    assert decode(data, encoding).startswith("<html>")


def test_the_http_charset_comes_before_meta() -> None:
    data = paragraph(RUSSIAN, "koi8-r", '<meta charset="windows-1251">')
    assert find_encoding(data, 'text/html; charset="KOI8-R"') == "koi8-r"


def test_an_unknown_http_charset_is_ignored() -> None:
    data = paragraph(RUSSIAN, "cp1251", '<meta charset="windows-1251">')
    assert find_encoding(data, "text/html; charset=none") == "cp1251"


@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="windows-1251">',
        "<META CHARSET = windows-1251 >",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<!-- <meta charset="utf-8"> --><meta charset=windows-1251>',
        '<meta name=description content="on charset=koi8-r pages"><meta charset=windows-1251>',
        "<meta charset=nonsense><meta charset=windows-1251>",
        f"<style>{'a ' * 5000}</style><meta charset=windows-1251>",
    ],
)
def test_the_meta_charset_is_used(head: str) -> None:
    assert find_encoding(paragraph(RUSSIAN, "cp1251", head)) == "cp1251"


def test_the_xml_declaration_is_used() -> None:
    data = b'<?xml version="1.0" encoding="windows-1251"?>' + paragraph(RUSSIAN, "cp1251")
    assert find_encoding(data) == "cp1251"


def test_a_meta_that_declares_utf_16_is_ignored() -> None:
    assert find_encoding(paragraph(GERMAN, "utf-8", '<meta charset="utf-16">')) == "utf-8"


def test_valid_utf_8_overrides_a_legacy_meta() -> None:
    assert find_encoding(paragraph(GERMAN, "utf-8", '<meta charset="iso-8859-1">')) == "utf-8"


def test_a_legacy_meta_holds_for_pure_ascii() -> None:
    assert find_encoding(paragraph("plain", "ascii", '<meta charset="shift_jis">')) == "cp932"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("iso-8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("Shift_JIS", "cp932"),
        ("ks_c_5601-1987", "cp949"),
        ("iso-8859-9", "cp1254"),
        ("utf8", "utf-8"),
        ("x-mac-cyrillic", "mac-cyrillic"),
        ("base64", None),
        ("rot13", None),
        ("utf-7", None),
        ("", None),
        ("a\0b", None),
        ("no-such-thing", None),
    ],
)
def test_names_mean_what_the_web_means(name: str, expected: str | None) -> None:
    assert find_codec(name) == expected


def test_gb2312_pages_may_have_characters_of_gb18030() -> None:
    data = paragraph("朱镕基，囍", "gb18030", '<meta charset="gb2312">')
    assert "朱镕基，囍" in decode(data, find_encoding(data))


def test_iso_8859_1_pages_may_hold_curly_quotes() -> None:
    data = paragraph("it’s “so”", "cp1252", '<meta charset="iso-8859-1">')
    assert "it’s “so”" in decode(data, find_encoding(data))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "cp1252"),
        ("Only £5 — © 2003 Some Shop, all rights reserved", "cp1252"),
        (POLISH, "cp1250"),
        (POLISH, "iso8859-2"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (GREEK, "iso8859-7"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (ARABIC, "cp1256"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (JAPANESE, "iso2022_jp"),
    ],
)
def test_an_undeclared_encoding_is_detected(text: str, encoding: str) -> None:
    data = paragraph(text, encoding)
    assert text in decode(data, find_encoding(data))


def test_utf_8_with_one_invalid_byte_is_detected() -> None:
    data = paragraph(RUSSIAN, "utf-8") + b"\xff"
    assert decode(data, find_encoding(data)).endswith("\ufffd")


def test_a_chinese_page_with_one_invalid_byte_is_detected() -> None:
    data = paragraph(CHINESE, "gb18030").replace(b"</p>", b"\xff</p>")
    assert "警方拘留" in decode(data, find_encoding(data))


@given(st.binary(max_size=300), st.sampled_from([None, "text/html; charset=gbk", "text/html; charset=\0"]))
def test_decoding_never_fails(data: bytes, content_type: str | None) -> None:
    assert isinstance(decode(data, find_encoding(data, content_type)), str)


@pytest.mark.parametrize(
    ("filler", "expected"),
    [(b"a", "utf-8"), (b"a\xe9 ", "cp1252"), (b"<", "utf-8"), (b"\xc4\xe3\xba\xc3,", "gb18030")],
)
def test_long_pages_are_detected_by_a_bounded_part(filler: bytes, expected: str) -> None:
    assert find_encoding(filler * 3_000_000) == expected


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n...", "PDF"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"PK\x03\x04", "ZIP"),
        (b'  {"html": "text"}\n', "JSON"),
        (b"[1, 2, 3]", "JSON"),
        (b'<?xml version="1.0"?><!-- x --><rss version="2.0"><channel/></rss>', "a feed: duramen run"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'><title>Ring</title></feed>", "a feed"),
        ("<rdf:RDF><item/></rdf:RDF>", "a feed"),
        (b"<urlset><url><loc>https://ring.example/</loc></url></urlset>", "a sitemap: duramen run"),
        (b"\n<sitemapindex></sitemapindex>", "a sitemap"),
        ('{"a": 1}', "JSON"),
        ('{"html": "<p>a page in a string</p>"}', "JSON"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "RIFF"),
        (b"BZh91AY&SY...", "bzip2"),
        (bytes(range(1, 9)) * 40, "binary"),
    ],
)
def test_other_formats_are_named(data: str | bytes, kind: str) -> None:
    with pytest.raises(NotHTMLError, match=kind):
        refuse_other_formats(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"plain text, with a comma",
        b"<p>\0\0</p>",
        "é".encode("utf-16"),
        b"[draft] <p>text</p>",
        "{% if x %}<p>y</p>",
    ],
)
def test_pages_and_plain_text_pass(data: str | bytes) -> None:
    refuse_other_formats(data)
