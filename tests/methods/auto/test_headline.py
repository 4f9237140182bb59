"""The headline: the block that repeats the most of the title."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import DICTIONARY, blocks_of, both, needs_compiled

from duramen.methods.auto.columns import COUNT, NAMES
from duramen.methods.auto.features import describe
from duramen.methods.auto.headline import count_headings, find_headline
from duramen.methods.auto.title import read_sayings

BLOG = """<title>Rain at last | Notes from the valley</title>
<body><div id=top><h1><a href=/>Notes from the valley</a></h1><p>A gardener's log</p></div>
<div id=middle><div class=post><h2>Rain at last</h2><p>It rained.</p><h3>Later</h3><p>It rained again.</p></div></div>
<div id=side><h2>About me</h2><p>I have a garden in a valley, with a pond and forty kinds of beans.</p></div>"""


def rows_of(html: str) -> list[dict[str, float]]:
    blocks = blocks_of(html)
    rows = describe(blocks, DICTIONARY, read_sayings(blocks.tree)).rows
    return [dict(zip(NAMES, rows[at : at + COUNT], strict=True)) for at in range(0, len(rows), COUNT)]


def found(lower: list[str], title: str, heading: list[int], linked: list[int] | None = None) -> tuple[int, list[float]]:
    titled, words = array("d", bytes(8 * len(lower))), array("q", [len(text.split()) for text in lower])
    links = array("q", linked or [0] * len(lower))
    return find_headline(lower, title, array("q", heading), words, links, titled), list(titled)


def test_the_block_that_repeats_most_of_the_title_is_the_headline() -> None:
    lower = ["the valley", "rain at last", "it rained."]
    assert found(lower, "rain at last | the valley", [0, 0, 0]) == (1, [1.0, 1.0, 0.0])


def test_a_heading_comes_before_other_blocks() -> None:
    lower = ["rain at last | home", "rain at last"]
    assert found(lower, "rain at last | home", [0, 2])[0] == 1


def test_what_is_no_link_comes_before_the_name_of_the_site() -> None:
    lower = ["notes from the valley", "rain at last"]
    assert found(lower, "rain at last | notes from the valley", [1, 2], [4, 0])[0] == 1


def test_of_those_alike_the_first() -> None:
    assert found(["rain at last", "rain at last"], "rain at last", [2, 2])[0] == 0


def test_a_block_may_hold_the_title_and_more() -> None:
    assert found(["new: rain at last!"], "rain at last", [1]) == (0, [12 / 18])


@pytest.mark.parametrize("text", ["rain", "rain at last " * 16])
def test_the_very_short_and_the_long_are_none(text: str) -> None:
    assert found([text], "rain at last", [1]) == (-1, [0.0])


def test_a_title_in_the_midst_of_a_word_or_a_sentence_is_no_headline() -> None:
    assert found(["newsletter"], "news", [0]) == (-1, [0.4])
    assert found(["latest news"], "a", [0])[0] == -1


def test_where_no_spaces_are_written_fewer_characters_are_a_headline() -> None:
    assert found(["北京时间", "新浪网新闻中心首页"], "北京时间_新浪网新闻中心首页", [1, 0], [0, 9])[0] == 0
    assert found(["home"], "home and garden", [1])[0] == -1


def test_of_two_blocks_that_hold_the_title_the_first() -> None:
    text = "rain at last, o" + " again!"  # 15 / 22 · 22 is not 15
    assert found([text, "rain at last, o"], "rain at last, o", [1, 1])[0] == 0


def test_without_a_title_there_is_none() -> None:
    assert found(["rain at last"], "", [1]) == (-1, [0.0])
    assert found([], "rain at last", []) == (-1, [])


def test_headings_and_sections_are_counted() -> None:
    headings, sections = array("q", bytes(48)), array("q", bytes(48))
    count_headings(array("q", (1, 0, 2, 3, 0, 2)), 2, headings, sections)
    assert list(headings) == [1, 1, 2, 3, 3, 4]
    assert list(sections) == [1, 1, 2, 2, 2, 3]  # the heading of the third level is below the headline


def test_below_a_headline_that_is_no_heading_every_heading_begins_a_section() -> None:
    headings, sections = array("q", bytes(24)), array("q", bytes(24))
    count_headings(array("q", (0, 6, 2)), 0, headings, sections)
    assert headings == sections == array("q", (0, 1, 2))


def test_rows_tell_how_far_the_headline_is() -> None:
    rows = rows_of(BLOG)
    assert [row["from_headline"] for row in rows] == [place - 2 for place in range(8)]
    assert [row["words_from_headline"] for row in rows][1:4] == [-3, 0, 3]


def test_the_post_meets_its_headline_before_the_column_beside_it_does() -> None:
    rows = rows_of(BLOG)
    post, side = rows[3], rows[-1]
    assert (post["with_headline_up"], post["with_headline_down"], post["with_headline_blocks"]) == (1, 1, 4)
    assert (side["with_headline_up"], side["with_headline_down"], side["with_headline_blocks"]) == (2, 3, len(rows))
    assert (post["sections_from_headline"], side["sections_from_headline"]) == (0, 1)
    assert side["headings_from_headline"] == 2
    assert post["headline_level"] == side["headline_level"] == 2


def test_without_a_headline_rows_say_so() -> None:
    for row in rows_of("<p>one</p><p>two</p>"):
        assert row["from_headline"] == row["sections_from_headline"] == -999
        assert row["with_headline_blocks"] == row["headline_level"] == -1


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, list[tuple[str, int, int]]]:
    """A title, and blocks that are parts of it, hold it, or are neither: each with its level and its linked words."""
    title = draw(st.text(alphabet="ab 春节", max_size=20))
    part = st.builds(lambda a, b: title[a:b], st.integers(0, 20), st.integers(0, 20))
    text = st.one_of(
        part, part.map(lambda text: text + title), st.just(title * 12), st.text(alphabet="ab ", max_size=12)
    )
    return title, draw(st.lists(st.tuples(text, st.integers(0, 6), st.integers(0, 2)), max_size=8))


@needs_compiled
@given(pages())
def test_the_twin_finds_the_same(page: tuple[str, list[tuple[str, int, int]]]) -> None:
    title, blocks = page
    lower, heading = [text for text, *_ in blocks], array("q", [level for _, level, _ in blocks])
    words, linked = array("q", [2] * len(blocks)), array("q", [links for *_, links in blocks])
    pure, twin = both("methods.auto.headline.find_headline")
    seen = [array("d", bytes(8 * len(lower))) for _ in range(2)]
    headline = pure(lower, title, heading, words, linked, seen[0])
    assert headline == twin(lower, title, heading, words, linked, seen[1])
    assert seen[0] == seen[1]
    if headline >= 0:
        counts = [[array("q", bytes(8 * len(lower))) for _ in range(2)] for _ in range(2)]
        for count, into in zip(both("methods.auto.headline.count_headings"), counts, strict=True):
            count(heading, headline, *into)
        assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("html", "headline"),
    [
        ("<title>It's raining | Log</title><h1>Log of rain</h1><h2>It’s raining</h2><p>At last.", 1),
        ("<title>Rain: what we know</title><h1>Log</h1><h1>Why the rain came</h1><p>At last.", 1),
        (
            "<title>Rain: what we know</title><h1><a href=/>All on rain</a></h1><h2>Why the rain</h2><p>At last.",
            -1,
        ),
        ("<title>Rain</title><h1>— ! —</h1><p>At last.", -1),  # a heading without words repeats nothing
        ("<h1>— ! —</h1><p>At last.", -1),
        ("<title></title><h1>Why the rain came</h1><p>At last.", -1),
    ],
)
def test_the_headline_before_the_content(html: str, headline: int) -> None:
    blocks = blocks_of(html)
    known = describe(blocks, DICTIONARY, read_sayings(blocks.tree))
    columns = NAMES.index("title"), NAMES.index("links")
    source, twin = both("methods.auto.headline.headline_before")
    for find in (source, twin or source):
        assert find(len(blocks), blocks.text, known, *columns) == headline
