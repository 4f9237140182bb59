"""What is told in fewer steps is told as it would be in all of them, and the same with a compiler and without."""

from __future__ import annotations

import pickle
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Final
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import HEADLINE, TODAY, json_ld

from duramen.dom.page import Page
from duramen.metadata import Metadata, addresses, characters, dates, fields, json_repair, strings, titles
from duramen.metadata import names as names_of
from duramen.metadata.names import names

PIECES: Final = [
    *"ab |-–:»›｜_/\\<>·Aé’&;#=$",
    "  ",
    "\n",
    "\u00a0",
    "\u200b",
    "\u00ad",
    "一",
    "中",
    "&amp",
    "&lt;",
    "&w=1",
]
_MARK: Final = re.compile(r"\s+(?:[|–—\-·•:»«/~<>]|::|--|\\)+\s+|\s*[|»›｜]\s*|:\s+|[-_](?=[一-鿿])|(?<=[一-鿿])[-_]")
TEXTS: Final = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(TEXTS)
@example("a -一 - b|")
@example("a - : b -- c:: d")
def test_a_title_is_cut_where_the_expression_cuts_it(title: str) -> None:
    found, start = [], 0
    for match in _MARK.finditer(title):
        if match.start() > start:
            found.append((start, match.start(), match[0].strip()))
        start = match.end()
    if start < len(title):
        found.append((start, len(title), ""))
    assert [tuple(part) for part in titles.parts(title)] == found


@given(TEXTS)
def test_what_is_tidy_stays_as_it_is(value: str) -> None:
    assert not characters.is_tidy(value) or strings.tidy(value) == value
    said = strings._TAG.sub(" ", unescape(value))
    assert strings.tidy(value) == " ".join(strings._NOT_TEXT.sub("", said).split())
    assert strings.tidy("x" + value + "\ud800") == " ".join(
        strings._NOT_TEXT.sub("", strings._TAG.sub(" ", unescape("x" + value)) + "\ufffd").split()
    )


@given(TEXTS)
@example("Straße — ﬁn’s")
def test_a_key_is_the_words_in_lower_case(value: str) -> None:
    assert strings.key(value) == " ".join(re.findall(r"\w+", normalize("NFKC", value).casefold()))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Kevin", ["Kevin"]),
        ("raoul", ["raoul"]),
        ("admin", []),
        ("By", []),
        ("Autorin", []),
        ("Yazanov", ["ov"]),
        ("x", []),
    ],
)
def test_one_word_is_a_name_or_none(value: str, found: list[str]) -> None:
    assert names(value) == found


def test_what_names_gives_is_the_callers_own() -> None:
    names("Kevin").append("somebody else")
    assert names("Kevin") == ["Kevin"]


@pytest.mark.parametrize("deep", [1, 199, 200, 201, 5000])
@pytest.mark.parametrize("mark", ["", "é", "中"])
def test_json_that_is_nested_too_deep_is_not_read(deep: int, mark: str) -> None:
    text = "[" * deep + f'"{mark}"' + "]" * deep
    assert bool(json_repair.loads(text)) == (deep <= 200)
    assert json_repair.loads("[" + "{}," * 300 + f'"{mark}"]')


def test_today_is_the_day_in_the_easternmost_zone() -> None:
    before = (datetime.now(UTC) + timedelta(hours=14)).date()
    assert before <= dates.today() <= (datetime.now(UTC) + timedelta(hours=14)).date()


PAGES: Final = [
    "",
    f"<title>{HEADLINE} | Wood</title><h1>{HEADLINE} ¶</h1><meta property=og:site_name content=Wood>"
    "<meta name=author content='By Ann Oak, Ben Elm'><meta property=article:published_time content=2024-05-03T10:00Z>"
    "<meta name=description content=' About  oaks &amp; elms '><meta property=og:description content='About oaks'>"
    "<link rel=canonical href=/oaks><link rel='shortcut icon' href=/i><a rel='tag nofollow' href=/t>#trees</a>"
    "<a rel=license href=https://cc.example/by>CC</a><meta property=og:type content=article>"
    + json_ld(
        '{"@graph": [{"@type": "NewsArticle", "headline": "Oaks", "author": [{"@id": "#ann"}, {"name": "Ben Elm"}],'
        ' "datePublished": "2024-05-03", "dateModified": "2024-05-04", "keywords": "oak; elm, ash",'
        ' "publisher": {"name": "Wood"}, "image": {"url": "https://w.example/1.jpg"}},'
        ' {"@type": "Person", "@id": "#ann", "name": "Ann Oak", "url": "/ann"}, {"@type": ["WebPage", "FAQPage"]}]}'
    ),
    "<html lang=pt_br><title>A: B - C</title><h1>C</h1><h2>A: B</h2><time datetime=2023-02-01>x</time><p class=byline>"
    "By Ann Oak<p>Published 1 February 2023<img src=/a.png alt=a>",
    "<title>Wood</title><div itemscope itemtype=https://schema.org/NewsArticle itemref=k>"
    "<b itemprop=headline>Old oaks</b><i itemprop=author itemscope itemtype=https://schema.org/Person>"
    "<b itemprop=name>Ann Oak</b><img itemprop=image src=/a></i><p>Posted on May 3, 2024 10:30 AM EDT by Ben Elm"
    "<p>The fair of <time datetime=2011-02-01>1 May 2011</time> was a big one.<a rel=tag href=/t>ash</a>"
    "<img srcset='/o.jpg 2x' itemprop=image><a rel=license href=/l>CC</a></div>"
    "<p id=k><i itemprop=keywords>oak, elm</i><address>Ann Oak</address>",
    "<body class=h-entry><h1 class=p-name>Old oaks</h1><p class=p-summary>Of oaks"
    "<a class='p-author h-card' href=/a>Ann Oak</a><a class=p-category>oak</a>"
    "<time class=dt-published datetime='2024-05-03 10:30 +0200'>then</time>"
    "<div itemscope itemtype=https://schema.org/Comment><b itemprop=author>Ben Elm</b> 4 May 2024</div>",
]


def test_metadata_can_be_pickled() -> None:
    read = Metadata.read(Page.parse(PAGES[1], "https://wood.example/oaks"), TODAY)
    assert Metadata.__module__ == "duramen.metadata.reading"
    assert pickle.loads(pickle.dumps(read)).as_dict() == read.as_dict()


_PARTS: Final = [*"ab /?#%@:[].-_é\t\n\\&=~", "//", "http", "https://", "www.", "W.Example", "%C3%A9", "2024", "/05/"]


@given(st.lists(st.sampled_from(_PARTS), max_size=10).map("".join), st.sampled_from(["", "https://", "http://w.de"]))
@example("www.Wood.example/a//b;c?d=[e]#f", "https://")
@example("user@wood.example:80/a", "http://")
@example("[broken/a", "http://")
@example("wood.example", "https://")
@example("wood.example?a", "https://")
@example("wood.example/a\n", "https://")
@example("/a b", "https://wood.example")
def test_an_address_is_split_as_the_standard_library_splits_it(rest: str, start: str) -> None:
    try:
        parts = urlsplit(start + rest)
        host, path = (parts.hostname or "").removeprefix("www."), unquote(parts.path) or ("/" if parts.netloc else "")
    except ValueError:
        host = path = ""
    assert addresses.host_and_path(start + rest) == (host, path)


@given(
    st.lists(st.sampled_from(["forum", "S", "boards", ".", "/t/", "a", "/", "7", "topic=", "?"]), max_size=6).map(
        "".join
    )
)
@example("//www.FORUM.example/")
@example("//di\u017fcuss.example/")
@example("/Show\u017fhread")
@example("/viewTOPIC")
def test_an_address_is_a_forum_s_where_the_expression_says_so(address: str) -> None:
    assert addresses.is_of_forum(address) == bool(addresses._FORUM.search(address))


@given(st.text(st.sampled_from("axXzZ-_1é ,"), max_size=6))
@example("en-US")
@example("xx-DE")
@example("en-1A")
def test_a_language_tag_is_what_the_expression_says(value: str) -> None:
    match = fields._LANGUAGE.match(value.strip().split(",")[0].strip())
    if not match or match[1].lower() in ("und", "xx", "utf"):
        expected = None
    else:
        parts = (match[1].lower(), match[2] and match[2].title(), match[3] and match[3].upper())
        expected = "-".join(filter(None, parts))
    assert fields.language_tag(value) == expected


@given(st.text(st.sampled_from("/-_0129abjn"), max_size=16).map("/2{}/".format))
@example("/2020/05/17/")
@example("/1999/jan/3/")
def test_a_date_is_looked_for_where_a_year_may_stand(path: str) -> None:
    month = addresses._MONTH.search(path)
    assert addresses.month_in(path) == ((int(month[1]), int(month[2])) if month else None)
    if addresses._DAY.search(path) or addresses._NAMED.search(path):
        assert addresses._may_name_year(path)


@given(TEXTS, TEXTS)
@example("Old oaks, é", "old OAKS … É")
@example("one two", "one twofold")
@example("one two…", "one two")
@example("a =\u0338 b", "a = b")
@example("cafe\u0301 a", "caf\u00e9 A!")
@example("", "…")
def test_values_are_alike_that_have_the_same_key(one: str, other: str) -> None:
    said = [" ".join(re.findall(r"\w+", normalize("NFKC", value).casefold())) for value in (one, other)]
    for first, second in ((one, other), (one, one.swapcase()), (one + " " + other, one + "-" + other)):
        assert strings.alike(first, second) == strings._alike(first, second)
        assert strings.alike(first, second) == (strings.key(first) == strings.key(second))
    assert [strings.key(one), strings.key_once(other)] == said
    assert not one.isascii() or characters.ascii_key(one) == said[0]


@given(TEXTS, TEXTS)
def test_what_may_hold_an_entity_is_looked_through(one: str, other: str) -> None:
    value = f"{one}&{other}"
    assert strings._may_hold_entity(value) or unescape(value) == value


_NAME: Final = [
    "Jane",
    "DOE",
    "on",
    "of the",
    "and",
    "Und",
    "by",
    "web design",
    "news",
    "-",
    "7",
    ".com",
    "@",
    "(x)",
    ",",
]


@given(st.lists(st.sampled_from(_NAME), max_size=5).map(" ".join))
@example("Great Day Editorial Team")
@example("Jane Doe Roe Poe and John Doe")
def test_a_name_of_plain_words_is_what_all_expressions_leave(value: str) -> None:
    plain = value.isascii() and value.replace(" ", "").isalpha() and names_of._JOINING.isdisjoint(value.lower().split())
    if plain:
        assert names_of._AFTER.sub("", value) == value
        assert names_of._BETWEEN.split(value) == [value]
    assert names_of._may_be_address(value) or not names_of._ADDRESS.search(value)
    assert names_of._without_by(value) == names_of._BEFORE.sub("", value)
