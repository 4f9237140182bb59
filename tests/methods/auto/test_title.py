"""The title of a page, and the headline that repeats it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.methods.auto.pages import DICTIONARY, blocks_of

from duramen.dom.tree import Tree
from duramen.methods.auto.class_scores import ClassScorer
from duramen.methods.auto.features import NAMES, describe, find_titles
from duramen.methods.auto.title import PageTitle, find_headline, find_headline_before, read_title


def title_of(html: str) -> PageTitle:
    return read_title(Tree.parse(html))


def test_a_page_may_have_no_title() -> None:
    assert title_of("<p>words</p>") == title_of("") == PageTitle("", ())


def test_the_title_is_in_lower_case_with_single_spaces() -> None:
    assert title_of("<title> The \n OAK </title>").text == "the oak"


def test_the_first_title_with_words_is_used() -> None:
    assert title_of("<title> </title><title>The oak</title><title>The elm</title>").text == "the oak"


def test_the_title_for_social_media_is_read_where_there_is_no_other() -> None:
    social = "<meta property=og:title content='The Oak'>"
    assert title_of(f"{social}<title>The oak | Yard</title>").text == "the oak | yard"
    assert title_of(social).text == "the oak"
    assert title_of("<meta property=og:title><p>a").text == ""


def test_titles_in_the_body_are_not_the_pages() -> None:
    assert title_of("<body><p>a<svg><title>Icon</title></svg>").text == ""


def test_long_words_of_the_title_are_title_words() -> None:
    assert title_of("<title>Old bridges, closed in 1900!</title>").prefixes == ("bridge", "closed")


def test_in_scripts_without_spaces_two_characters_are_a_title_word() -> None:
    assert title_of("<title>树木心材 oaks</title>").prefixes == ("树木", "木心", "心材", "oaks")


def test_title_words_are_few_and_unique() -> None:
    words = [f"{letter * 4}x" for letter in "abcdefghijklmnopq"]
    assert title_of(f"<title>{' '.join(words + words)}</title>").prefixes == tuple(words[:12])


def test_only_the_beginning_of_a_very_long_title_is_read() -> None:
    title = read_title(Tree.parse(f"<title>{'a' * 1_000_000}</title>")).text
    assert title == "a" * 1000


BLOG = """<title>Rain at last | Notes from the valley</title>
<body><div id=top><h1><a href=/>Notes from the valley</a></h1><p>A gardener's log</p></div>
<div id=middle><div class=post><h2>Rain at last</h2><p>It rained.</p><h3>Later</h3><p>It rained again.</p></div></div>
<div id=side><h2>About me</h2><p>I have a garden in a valley, with a pond and forty kinds of beans.</p></div>"""


def rows_of(html: str) -> list[dict[str, float]]:
    blocks = blocks_of(html)
    matrix = describe(blocks, ClassScorer(DICTIONARY), read_title(blocks.tree)).matrix
    return [dict(zip(NAMES, row.tolist(), strict=True)) for row in matrix.T]


def headline_of(
    lower: list[str], title: str, heading: list[int], linked: list[int] | None = None
) -> tuple[int, list[float]]:
    share, words = np.zeros(len(lower)), [len(text.split()) for text in lower]
    candidates = find_titles(lower, title)
    return find_headline(candidates, lower, title, heading, words, linked or [0] * len(lower), share), list(share)


def test_the_block_that_repeats_most_of_the_title_is_the_headline() -> None:
    lower = ["the valley", "rain at last", "it rained."]
    assert headline_of(lower, "rain at last | the valley", [0, 0, 0]) == (1, [1.0, 1.0, 0.0])


def test_a_heading_comes_before_other_blocks() -> None:
    lower = ["rain at last | home", "rain at last"]
    assert headline_of(lower, "rain at last | home", [0, 2])[0] == 1


def test_text_without_a_link_is_preferred_to_the_name_of_the_site() -> None:
    lower = ["notes from the valley", "rain at last"]
    assert headline_of(lower, "rain at last | notes from the valley", [1, 2], [4, 0])[0] == 1


def test_the_first_of_equal_blocks_is_the_headline() -> None:
    assert headline_of(["rain at last", "rain at last"], "rain at last", [2, 2])[0] == 0


def test_a_block_may_hold_the_title_and_more() -> None:
    assert headline_of(["new: rain at last!"], "rain at last", [1]) == (0, [12 / 18])


@pytest.mark.parametrize("text", ["rain", "rain at last " * 16])
def test_very_short_and_long_blocks_are_no_headline(text: str) -> None:
    assert headline_of([text], "rain at last", [1]) == (-1, [0.0])


def test_a_title_inside_a_word_or_a_sentence_is_no_headline() -> None:
    assert headline_of(["newsletter"], "news", [0]) == (-1, [0.4])
    assert headline_of(["latest news"], "a", [0])[0] == -1


def test_in_scripts_without_spaces_a_headline_has_fewer_characters() -> None:
    assert headline_of(["北京时间", "新浪网新闻中心首页"], "北京时间_新浪网新闻中心首页", [1, 0], [0, 9])[0] == 0
    assert headline_of(["home"], "home and garden", [1])[0] == -1


def test_the_first_of_two_blocks_with_the_title_is_the_headline() -> None:
    text = "rain at last, o" + " again!"  # 15 / 22 · 22 is not 15
    assert headline_of([text, "rain at last, o"], "rain at last, o", [1, 1])[0] == 0


def test_without_a_title_there_is_no_headline() -> None:
    assert headline_of(["rain at last"], "", [1]) == (-1, [0.0])
    assert headline_of([], "rain at last", []) == (-1, [])


def test_rows_have_the_distance_to_the_headline() -> None:
    rows = rows_of(BLOG)
    assert [row["from_headline"] for row in rows] == [place - 2 for place in range(8)]
    assert [row["words_from_headline"] for row in rows][1:4] == [-3, 0, 3]


def test_the_post_is_nearer_to_its_headline_than_the_sidebar() -> None:
    rows = rows_of(BLOG)
    post, side = rows[3], rows[-1]
    assert (post["headline_ancestor_up"], post["headline_ancestor_down"], post["headline_ancestor_blocks"]) == (1, 1, 4)
    assert (side["headline_ancestor_up"], side["headline_ancestor_down"], side["headline_ancestor_blocks"]) == (
        2,
        3,
        len(rows),
    )
    assert (post["sections_from_headline"], side["sections_from_headline"]) == (0, 1)
    assert side["headings_from_headline"] == 2
    assert post["headline_level"] == side["headline_level"] == 2


def test_rows_mark_a_missing_headline() -> None:
    for row in rows_of("<p>one</p><p>two</p>"):
        assert row["from_headline"] == row["sections_from_headline"] == -999
        assert row["headline_ancestor_blocks"] == row["headline_level"] == -1


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
    block_features = describe(blocks, ClassScorer(DICTIONARY), read_title(blocks.tree))
    share, links = (block_features.matrix[NAMES.index(name)] for name in ("title_share", "links"))
    before = find_headline_before(
        len(blocks), blocks.text, block_features.title, share, links, block_features.heading, block_features.words
    )
    assert before == headline


def test_sections_are_counted_by_headings_of_the_headlines_level() -> None:
    page = "<title>The oak and storm</title><h1>a</h1>b<h2>The oak and storm</h2><h3>c</h3>d<h2>e</h2>"
    rows = rows_of(page)
    assert [row["headings_from_headline"] for row in rows] == [-1, -1, 0, 1, 1, 2]
    assert [row["sections_from_headline"] for row in rows] == [-1, -1, 0, 0, 0, 1]  # an h3 is below the headline


def test_below_a_headline_that_is_no_heading_every_heading_starts_a_section() -> None:
    rows = rows_of("<title>The oak and storm</title><p>The oak and storm</p><h6>a</h6><h2>b</h2>")
    assert [row["sections_from_headline"] for row in rows] == [0, 1, 2]
