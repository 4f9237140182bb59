"""What is told of each block: right on a page of ten lines, finite on all, the same compiled."""

from __future__ import annotations

import math
from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.methods.auto.written import DICTIONARY, NEWS, PAGES, blocks_of, both, made_pages, needs_compiled

from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree
from duramen.methods.auto import columns, features
from duramen.methods.auto.columns import COUNT, HINTS, NAMES
from duramen.methods.auto.features import describe
from duramen.methods.auto.rows import Features
from duramen.methods.auto.title import Sayings, read_sayings
from duramen.training.auto.pages import labelled


def described(html: str, dictionary: dict[str, int] | None = None, width: int = COUNT) -> Features:
    found = blocks_of(html)
    return describe(found, DICTIONARY if dictionary is None else dictionary, read_sayings(found.tree), width)


def table(known: Features) -> list[dict[str, float]]:
    rows = np.frombuffer(known.rows, np.float64).reshape(-1, known.width)
    return [dict(zip(NAMES, row.tolist(), strict=False)) for row in rows]


@pytest.fixture(scope="module")
def news() -> list[dict[str, float]]:
    """Home, News, Sport; heading, two paragraphs; three comments."""
    return table(described(NEWS))


def column(rows: list[dict[str, float]], name: str) -> list[float]:
    return [row[name] for row in rows]


def test_every_number_has_one_name() -> None:
    assert len(set(NAMES)) == len(NAMES) == COUNT


def test_the_block_itself(news: list[dict[str, float]]) -> None:
    assert column(news, "words") == [1, 1, 1, 5, 35, 5, 1, 5, 1]
    assert column(news, "links") == [1, 1, 1, 0, 0, 0.2, 0, 0, 0]
    assert column(news, "end") == [0, 0, 0, 0, 1, 1, 1, 1, 0]
    assert column(news, "heading") == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert news[4]["commas"] == 5 / 35
    assert news[4]["bold"] == 1 / 35
    assert news[7]["digits"] == 4 / len("So true, 10 of 10.")
    assert news[7]["capitals"] == 1 / len("So true, 10 of 10.")
    assert news[6]["length"] == len("Nice!")


def test_what_the_page_says_of_itself(news: list[dict[str, float]]) -> None:
    assert column(news, "title") == [0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_a_text_that_holds_the_title_is_told_by_how_much() -> None:
    known = table(describe(blocks_of("<p>the oak, a story</p>"), {}, Sayings(title="the oak")))
    assert known[0]["title"] == len("the oak") / len("the oak, a story")


def test_blocks_tell_of_what_the_title_tells() -> None:
    page = "<div><p>The old bridges close now.</p><p>Closed again in the winter.</p></div><div><p>Bridge</p></div>"
    known = table(describe(blocks_of(page), {}, Sayings(signs=("bridge", "close"))))
    assert column(known, "told") == [1.0, 0.5, 0.0]
    assert column(known, "told1") == [0.75, 0.75, 0.0]
    assert column(known, "told_page") == [0.0, 0.0, 0.0]


def test_the_paragraph_that_tells_most_is_told_to_all() -> None:
    long = "word " * features.LONG
    known = table(
        describe(blocks_of(f"<p>{long} bridge</p><p>{long}</p><p>a</p>"), {}, Sayings(signs=("bridge", "old")))
    )
    assert column(known, "told_page") == [0.5, 0.5, 0.5]


def test_repeated_texts(news: list[dict[str, float]]) -> None:
    assert column(news, "repeated") == [0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert column(news, "repeats") == [2, 1, 1, 1, 1, 1, 1, 1, 2]


def test_neighbours(news: list[dict[str, float]]) -> None:
    assert column(news, "words-1") == [-1, 1, 1, 1, 5, 35, 5, 1, 5]
    assert column(news, "words+1") == [1, 1, 5, 35, 5, 1, 5, 1, -1]
    assert column(news, "heading+1") == [0, 0, 1, 0, 0, 0, 0, 0, -1]
    assert column(news, "together-1") == [-1, 1, 1, 0, 1, 1, 0, 1, 1]
    assert news[0]["words4"] == 1 + 1 + 1 + 5 + 35
    assert news[0]["links4"] == 3 / 43
    assert set(column(news, "words10")) == {55}
    assert news[8]["links10"] == 4 / 55


def test_where_a_block_stands(news: list[dict[str, float]]) -> None:
    assert column(news, "before")[:5] == [0, 1 / 55, 2 / 55, 3 / 55, 8 / 55]
    assert news[3]["share"] == 3 / 9
    assert column(news, "long_before") == [99, 100, 101, 102, 103, 0, 1, 2, 3]
    assert column(news, "long_after")[:5] == [3, 2, 1, 0, 103]
    assert column(news, "from_h1") == [-3, -2, -1, 0, 1, 2, 3, 4, 5]
    assert column(news, "from_heading") == [0, 1, 2, 3, 1, 2, 3, 4, 5]
    assert column(news, "under") == [0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert described("<p>a").rows[NAMES.index("from_h1")] == -999


def test_what_holds_a_block(news: list[dict[str, float]]) -> None:
    assert column(news, "nav") == [1, 1, 1, 0, 0, 0, 0, 0, 0]
    assert column(news, "main") == [0, 0, 0, 1, 1, 1, 0, 0, 0]
    assert column(news, "paragraph") == [0, 0, 0, 0, 1, 1, 0, 0, 0]
    assert column(news, "item") == column(news, "list") == column(news, "nav")
    assert column(news, "level") == [4, 4, 4, 3, 3, 3, 3, 3, 3]
    assert {name: news[0][name] for name in ("article", "table", "quote", "pre", "form")} == dict.fromkeys(
        ("article", "table", "quote", "pre", "form"), 0
    )


def test_names_of_what_holds_a_block(news: list[dict[str, float]]) -> None:
    body = (20 + 7 + 12) / 3  # post, body, role=main
    assert column(news, "own")[3:8] == [0, 0, 0, -25, -25]
    assert column(news, "near")[3:8] == [body, body, body, -25, -25]
    assert column(news, "around1")[3:8] == [body, body, body, -25, -25]
    assert column(news, "tag") == [0, 0, 0, 0, 9, 9, -2, -2, -2]
    assert column(news, "highest")[3:7] == [20, 20, 20, 0]
    assert column(news, "lowest")[3:7] == [-2, -2, -2, -25]
    assert column(news, "lowest_word")[3:7] == [0, 0, 0, -25]
    assert news[4]["sum"] == body - 1 + 4.5
    assert news[0]["lowest"] == -30


def test_peers(news: list[dict[str, float]]) -> None:
    assert column(news, "peers3") == [3, 3, 3, 0, 0, 0, 3, 3, 3]
    assert column(news, "peers") == [3, 3, 3, 0, 2, 2, 3, 3, 3]
    assert column(news, "peers_words")[4:] == [35, 5, 1, 5, 1]
    assert column(news, "group_place") == [0, 1, 2, 0, 0, 1, 0, 1, 2]
    assert news[7]["group_share"] == 7 / 55
    assert news[7]["group_words"] == 7 / 3
    assert news[7]["group_before"] == 48 / 55
    assert column(news, "alike") == [3, 3, 3, 1, 2, 2, 3, 3, 3]
    assert news[5]["alike_share"] == 40 / 55
    assert column(news, "images1") == [0, 0, 0, 1, 1, 1, 0, 0, 0]


def test_circles_grow(news: list[dict[str, float]]) -> None:
    sizes = [[row[f"circle{number}_blocks"] for number in range(3)] for row in news]
    assert sizes == [[1, 3, -1]] * 3 + [[1, 3, -1]] * 6
    assert news[4]["circle0_words"] == 35
    assert news[4]["circle1_words"] == 45
    assert news[4]["circle1_share"] == 45 / 55
    assert news[4]["circle1_place"] == 1 / 3
    assert news[4]["circle1_long"] == 1 / 3


def test_rows_may_be_wider(news: list[dict[str, float]]) -> None:
    wide = described(NEWS, width=COUNT + 4)
    rows = np.frombuffer(wide.rows, np.float64).reshape(-1, COUNT + 4)
    assert table(wide) == news
    assert not rows[:, COUNT:].any()


def test_an_empty_page_has_no_rows() -> None:
    known = described("")
    assert len(known) == len(known.rows) == 0


def test_names_do_not_matter_to_an_empty_dictionary() -> None:
    rows = np.frombuffer(described(NEWS, {}).rows, np.float64).reshape(-1, COUNT)
    assert not rows[:, NAMES.index("own") : NAMES.index("own") + HINTS].any()


@given(made_pages())
def test_every_number_is_finite(html: str) -> None:
    assert all(map(math.isfinite, described(html).rows))


def names_agree(html: str) -> None:
    tree = Tree.parse(html)
    page = labelled(tree, read_sayings(tree), {}, 1, site="s", article=True, kind="article")
    weights = array("q", range(-20, 5 * len(DICTIONARY) - 20, 5))
    page.set_names(DICTIONARY, weights)
    told = describe(find_blocks(tree), DICTIONARY, read_sayings(tree), COUNT, weights)
    rows = np.frombuffer(told.rows, np.float64).reshape(-1, COUNT)
    assert np.array_equal(page.rows, rows.astype(np.float32))


@pytest.mark.parametrize("html", [page for page in PAGES if len(blocks_of(page))])
def test_training_writes_the_same_numbers_on_written_pages(html: str) -> None:
    names_agree(html)


@given(made_pages().filter(lambda page: len(blocks_of(page)) > 0))
def test_training_writes_the_same_numbers(html: str) -> None:
    names_agree(html)


def numbers(known: Features) -> dict[str, Any]:
    return {
        name: list(value) if name not in ("width", "kinds", "is_commented", "currencies") else value
        for name, value in vars(known).items()
    }


def same(html: str) -> None:
    found = blocks_of(html)
    pure, twin = both("methods.auto.features.describe")
    asked = found, DICTIONARY, read_sayings(found.tree), COUNT + 2
    assert numbers(pure(*asked)) == numbers(twin(*asked))


@needs_compiled
@pytest.mark.parametrize("html", PAGES)
def test_the_twin_tells_the_same_of_written_pages(html: str) -> None:
    same(html)


@needs_compiled
@given(made_pages())
def test_the_twin_tells_the_same(html: str) -> None:
    same(html)


def test_flags_fit_their_bits() -> None:
    assert max(*columns.FLAGS.values(), *columns.ROLES.values()) == 1 << (columns.BITS - 1)
