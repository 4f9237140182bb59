"""Features of blocks: right on a page of ten lines, finite on all pages."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from hypothesis import given
from tests.methods.auto.pages import DICTIONARY, NEWS, PAGES, blocks_of, made_pages

from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree
from duramen.methods.auto import features
from duramen.methods.auto.class_scores import ClassScorer
from duramen.methods.auto.features import COUNT, NAMES, SCORE_NAMES, Features, describe
from duramen.methods.auto.title import PageTitle, read_title
from duramen.training.auto.dataset import make_page


def described(html: str, dictionary: dict[str, int] | None = None, width: int = COUNT) -> Features:
    blocks = blocks_of(html)
    scorer = ClassScorer(DICTIONARY if dictionary is None else dictionary)
    return describe(blocks, scorer, read_title(blocks.tree), width)


def table(block_features: Features) -> list[dict[str, float]]:
    return [dict(zip(NAMES, row.tolist(), strict=False)) for row in block_features.matrix.T]


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
    assert column(news, "ends_sentence") == [0, 0, 0, 0, 1, 1, 1, 1, 0]
    assert column(news, "heading") == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert news[4]["commas"] == 5 / 35
    assert news[4]["bold"] == 1 / 35
    assert news[7]["digits"] == 4 / len("So true, 10 of 10.")
    assert news[7]["capitals"] == 1 / len("So true, 10 of 10.")
    assert news[6]["chars"] == len("Nice!")


def test_features_of_the_page(news: list[dict[str, float]]) -> None:
    assert column(news, "title_share") == [0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_a_text_that_contains_the_title_has_the_share_of_it() -> None:
    rows = table(describe(blocks_of("<p>the oak, a story</p>"), ClassScorer({}), PageTitle(text="the oak")))
    assert rows[0]["title_share"] == len("the oak") / len("the oak, a story")


def test_blocks_have_the_share_of_title_words() -> None:
    page = "<div><p>The old bridges close now.</p><p>Closed again in the winter.</p></div><div><p>Bridge</p></div>"
    rows = table(describe(blocks_of(page), ClassScorer({}), PageTitle(prefixes=("bridge", "close"))))
    assert column(rows, "title_words") == [1.0, 0.5, 0.0]
    assert column(rows, "container1_title_words") == [0.75, 0.75, 0.0]
    assert column(rows, "page_title_words") == [0.0, 0.0, 0.0]


def test_all_blocks_have_the_value_of_the_best_paragraph() -> None:
    long = "word " * features.MIN_PARAGRAPH_WORDS
    rows = table(
        describe(
            blocks_of(f"<p>{long} bridge</p><p>{long}</p><p>a</p>"),
            ClassScorer({}),
            PageTitle(prefixes=("bridge", "old")),
        )
    )
    assert column(rows, "page_title_words") == [0.5, 0.5, 0.5]


def test_repeated_texts(news: list[dict[str, float]]) -> None:
    assert column(news, "earlier_copies") == [0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert column(news, "copies") == [2, 1, 1, 1, 1, 1, 1, 1, 2]


def test_features_of_the_neighbors(news: list[dict[str, float]]) -> None:
    assert column(news, "words-1") == [-1, 1, 1, 1, 5, 35, 5, 1, 5]
    assert column(news, "words+1") == [1, 1, 5, 35, 5, 1, 5, 1, -1]
    assert column(news, "heading+1") == [0, 0, 1, 0, 0, 0, 0, 0, -1]
    assert column(news, "together-1") == [-1, 1, 1, 0, 1, 1, 0, 1, 1]
    assert news[0]["words_within_4"] == 1 + 1 + 1 + 5 + 35
    assert news[0]["links_within_4"] == 3 / 43
    assert set(column(news, "words_within_10")) == {55}
    assert news[8]["links_within_10"] == 4 / 55


def test_features_of_the_position_of_a_block(news: list[dict[str, float]]) -> None:
    assert column(news, "words_before")[:5] == [0, 1 / 55, 2 / 55, 3 / 55, 8 / 55]
    assert news[3]["blocks_before"] == 3 / 9
    assert column(news, "since_paragraph") == [99, 100, 101, 102, 103, 0, 1, 2, 3]
    assert column(news, "until_paragraph")[:5] == [3, 2, 1, 0, 103]
    assert column(news, "from_h1") == [-3, -2, -1, 0, 1, 2, 3, 4, 5]
    assert column(news, "from_heading") == [0, 1, 2, 3, 1, 2, 3, 4, 5]
    assert column(news, "under_heading") == [0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert described("<p>a").matrix[NAMES.index("from_h1")] == -999


def test_features_of_the_elements_around_a_block(news: list[dict[str, float]]) -> None:
    assert column(news, "nav") == [1, 1, 1, 0, 0, 0, 0, 0, 0]
    assert column(news, "main") == [0, 0, 0, 1, 1, 1, 0, 0, 0]
    assert column(news, "paragraph") == [0, 0, 0, 0, 1, 1, 0, 0, 0]
    assert column(news, "item") == column(news, "list") == column(news, "nav")
    assert column(news, "level") == [4, 4, 4, 3, 3, 3, 3, 3, 3]
    assert {name: news[0][name] for name in ("article", "table", "quote", "pre", "form")} == dict.fromkeys(
        ("article", "table", "quote", "pre", "form"), 0
    )


def test_names_of_the_elements_around_a_block(news: list[dict[str, float]]) -> None:
    body = (20 + 7 + 12) / 3  # post, body, role=main
    assert column(news, "own_score")[3:8] == [0, 0, 0, -25, -25]
    assert column(news, "nearest_score")[3:8] == [body, body, body, -25, -25]
    assert column(news, "parent_score")[3:8] == [body, body, body, -25, -25]
    assert column(news, "tag_score") == [0, 0, 0, 0, 9, 9, -2, -2, -2]
    assert column(news, "highest_score")[3:7] == [20, 20, 20, 0]
    assert column(news, "lowest_score")[3:7] == [-2, -2, -2, -25]
    assert column(news, "lowest_class_score")[3:7] == [0, 0, 0, -25]
    assert news[4]["score_sum"] == body - 1 + 4.5
    assert news[0]["lowest_score"] == -30


def test_peers(news: list[dict[str, float]]) -> None:
    assert column(news, "three_peers") == [3, 3, 3, 0, 0, 0, 3, 3, 3]
    assert column(news, "peers") == [3, 3, 3, 0, 2, 2, 3, 3, 3]
    assert column(news, "peers_words")[4:] == [35, 5, 1, 5, 1]
    assert column(news, "group_place") == [0, 1, 2, 0, 0, 1, 0, 1, 2]
    assert news[7]["group_share"] == 7 / 55
    assert news[7]["group_words"] == 7 / 3
    assert news[7]["group_before"] == 48 / 55
    assert column(news, "cluster_blocks") == [3, 3, 3, 1, 2, 2, 3, 3, 3]
    assert news[5]["cluster_share"] == 40 / 55
    assert column(news, "parent_images") == [0, 0, 0, 1, 1, 1, 0, 0, 0]


def test_circles_grow(news: list[dict[str, float]]) -> None:
    sizes = [[row[f"container{number}_blocks"] for number in range(3)] for row in news]
    assert sizes == [[1, 3, -1]] * 3 + [[1, 3, -1]] * 6
    assert news[4]["container0_words"] == 35
    assert news[4]["container1_words"] == 45
    assert news[4]["container1_share"] == 45 / 55
    assert news[4]["container1_place"] == 1 / 3
    assert news[4]["container1_paragraphs"] == 1 / 3


def test_rows_may_be_wider(news: list[dict[str, float]]) -> None:
    wide = described(NEWS, width=COUNT + 4)
    assert wide.matrix.shape == (COUNT + 4, len(wide))
    assert table(wide) == news
    assert not wide.matrix[COUNT:].any()


def test_an_empty_page_has_no_rows() -> None:
    block_features = described("")
    assert len(block_features) == block_features.matrix.size == 0


def test_names_do_not_matter_to_an_empty_dictionary() -> None:
    first = NAMES.index("own_score")
    assert not described(NEWS, {}).matrix[first : first + len(SCORE_NAMES)].any()


@given(made_pages())
def test_every_number_is_finite(html: str) -> None:
    assert bool(np.isfinite(described(html).matrix).all())


def names_agree(html: str) -> None:
    tree = Tree.parse(html)
    page = make_page(tree, read_title(tree), {}, 1, site="s", page_type="article")
    weights = array("q", range(-20, 5 * len(DICTIONARY) - 20, 5))
    scorer = ClassScorer(DICTIONARY, weights)
    page.set_scores(scorer)
    matrix = describe(find_blocks(tree), scorer, read_title(tree)).matrix
    assert np.array_equal(page.rows, matrix.T.astype(np.float32))


@pytest.mark.parametrize("html", [page for page in PAGES if len(blocks_of(page))])
def test_training_writes_the_same_numbers_on_written_pages(html: str) -> None:
    names_agree(html)


@given(made_pages().filter(lambda page: len(blocks_of(page)) > 0))
def test_training_writes_the_same_numbers(html: str) -> None:
    names_agree(html)


def test_flags_fit_their_bits() -> None:
    assert max(*features.TAG_FLAGS.values(), *features.ROLE_FLAGS.values()) == 1 << (len(features.FLAG_NAMES) - 1)
