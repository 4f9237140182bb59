"""Names of elements: how they are cut into words, and what a dictionary says of them."""

from __future__ import annotations

from array import array

import pytest
from tests.methods.auto.pages import DICTIONARY, blocks_of

from duramen.methods.auto.class_scores import (
    MAX_CACHED_NAMES,
    MAX_NAMES,
    WEIGHT_SCALE,
    ClassScorer,
    ElementNames,
    ElementScore,
    read_names,
    split_name,
)
from duramen.methods.auto.features import NAMES, describe
from duramen.methods.auto.title import PageTitle

NONE = ElementScore()


def score(names: list[str], dictionary: dict[str, int]) -> ElementScore:
    return ClassScorer(dictionary).score_names(names)[0]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({}, []),
        ({"class": None, "id": ""}, []),
        ({"class": "sidebar Wide"}, ["sidebar", "Wide"]),
        ({"id": "main", "class": "x y"}, ["x", "y", "main"]),
        ({"role": "main", "itemprop": "articleBody"}, ["role=main", "prop=articleBody"]),
        ({"style": "post", "href": "/post"}, []),
    ],
)
def test_names_are_those_of_class_id_role_and_property(attributes: dict[str, str | None], expected: list[str]) -> None:
    assert read_names(attributes) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sidebar", ["sidebar"]),
        ("post-body", ["post-body", "post", "body"]),
        ("post_body", ["post_body", "post", "body"]),
        ("articleBody", ["articlebody", "article", "body"]),
        ("Sidebar", ["sidebar"]),
        ("a-b-cd", ["a-b-cd", "cd"]),
    ],
)
def test_names_are_cut_into_words(name: str, expected: list[str]) -> None:
    assert split_name(name) == expected


def test_of_a_long_class_the_beginning_is_read() -> None:
    assert read_names({"class": " ".join(f"c{number}" for number in range(20))}) == [f"c{n}" for n in range(MAX_NAMES)]


def test_an_element_has_the_lowest_and_highest_score_of_its_words() -> None:
    assert score(["post", "body", "unheard"], DICTIONARY) == (13.5, 0, 20, True)
    assert score(["post-body"], DICTIONARY) == (13.5, 0, 20, True)
    assert score(["comment"], DICTIONARY) == (-25.0, -25, 0, True)
    assert score(["comment", "post"], DICTIONARY) == (-2.5, -25, 20, True)


def test_unknown_words_have_no_score() -> None:
    assert score(["unheard", "of"], DICTIONARY) == score([], DICTIONARY) == score(["post"], {}) == NONE


def test_an_unknown_name_is_tried_by_its_beginning() -> None:
    assert score(["commentlist"], DICTIONARY) == score(["comment"], DICTIONARY)
    assert score(["com"], DICTIONARY) == NONE


def test_the_longest_beginning_counts() -> None:
    assert score(["commentlist"], {"comm": 1, "comment": 2})[0] == 2


def test_a_name_with_a_known_word_is_not_tried_by_its_beginning() -> None:
    assert score(["commentlist-post"], DICTIONARY) == score(["post"], DICTIONARY)


def named(html: str) -> ElementNames:
    blocks = blocks_of(html)
    return ClassScorer(DICTIONARY).read_elements(blocks.tree, blocks.node)


def scores(element_names: ElementNames) -> list[ElementScore]:
    """Of each element."""
    return [ElementScore(*element_names.scores[number].tolist()) for number in element_names.combination]


def test_scores_of_elements_with_their_class_and_role() -> None:
    element_names = named("<div class='post-body wide' role=main>a</div><div class=' '>b</div><div>c</div>")
    assert scores(element_names)[2:] == [(13.0, 0, 20, True), NONE, NONE]
    assert [element_names.first_class[number] for number in element_names.combination[2:]] == ["post-body", "", ""]
    assert [element_names.role[number] for number in element_names.combination[2:]] == ["main", None, None]


def test_the_first_word_of_a_class_is_kept() -> None:
    element_names = named("<p class='a b'>a</p><p class=' a'>b</p><p class='b a'>c</p><p id=a>d</p>")
    assert [element_names.first_class[number] for number in element_names.combination[2:]] == ["a", "a", "b", ""]


def test_names_about_comments_are_marked() -> None:
    element_names = named(
        "<p class='x Comments'>a</p><p id=recommended>b</p><p id=commentary>c</p><p role=comment>d</p>"
    )
    assert [element_names.is_comment[number] for number in element_names.combination[2:]] == [1, 0, 1, 0]


def test_names_of_the_whole_page_have_no_score() -> None:
    element_names = named("<html class=post><body class=comment>a<div class=post>b</div><p class=comment>c")
    assert scores(element_names) == [NONE, NONE, (20.0, 0, 20, True), (-25.0, -25, 0, True)]
    assert [element_names.is_comment[number] for number in element_names.combination] == [0, 1, 0, 1]


def test_equal_names_are_read_once() -> None:
    element_names = named("<p class=comment>a</p><p class=comment>b</p><p id=comment>c</p>")
    assert len(set(element_names.combination[2:4])) == 1
    assert len(set(scores(element_names)[2:])) == 1


WEIGHTS = array("q", [int(WEIGHT_SCALE) * weight for weight in (3, -5, 0, -7, 2, 1, 4, -2)])
"""Of p, nav, div, comment, post, body, main and side."""


def path_weights(html: str) -> list[float]:
    """What lies on the way to each block."""
    described = describe(blocks_of(html), ClassScorer(DICTIONARY, WEIGHTS), PageTitle())
    return list(described.matrix[NAMES.index("path_weight")])


def test_the_scores_of_words_on_a_path_are_added() -> None:
    assert path_weights("<div class=post><p class=body>a<p class=comment>b</div><nav>c</nav>") == [
        2 + 1 + 3,
        2 - 7 + 3,
        -5,
    ]


def test_a_word_counts_once_on_a_path() -> None:
    assert path_weights("<div class='post post-body'><div class=post><p class=post>a</div></div>") == [2 + 1 + 3]


def test_a_word_counts_again_on_another_path() -> None:
    assert path_weights("<div class=post>a</div><div class=post>b</div><div>c</div>") == [2, 2, 0]


def test_words_of_the_whole_page_do_not_count() -> None:
    assert path_weights("<html class=comment><body class=post>a<p>b") == [0, 3]


def test_a_name_known_by_its_beginning_alone_does_not_count() -> None:
    assert path_weights("<div class=commentlist>a</div>") == [0]


def test_without_weights_all_path_weights_are_zero() -> None:
    matrix = describe(blocks_of("<p class=post>a"), ClassScorer(DICTIONARY), PageTitle()).matrix
    assert matrix[NAMES.index("path_weight")] == 0


def test_no_elements_have_no_paths() -> None:
    nothing = array("q")
    scorer = ClassScorer(DICTIONARY, WEIGHTS)
    assert not len(scorer.sum_path_weights(nothing, nothing, nothing, array("q", (0,)), []))


def test_many_names_that_share_a_hash_do_not_slow_it_down() -> None:
    names = [f"c{number * 65536}" for number in range(40_000)]
    scorer = ClassScorer(DICTIONARY)
    assert not any(scorer.score_names([name])[0].is_known for name in names)
    assert len(scorer._cache) <= MAX_CACHED_NAMES
