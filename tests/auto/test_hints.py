"""Names of elements: how they are cut into words, and what a dictionary says of them."""

from __future__ import annotations

import pytest
from written import DICTIONARY, blocks_of

from duramen.auto import hints
from duramen.auto.hints import NONE, names, score, scores, words


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ({}, []),
        ({"class": None, "id": ""}, []),
        ({"class": "sidebar Wide"}, ["sidebar", "Wide"]),
        ({"id": "main", "class": "x y"}, ["x", "y", "main"]),
        ({"role": "main", "itemprop": "articleBody"}, ["role=main", "prop=articleBody"]),
        ({"style": "post", "href": "/post"}, []),
    ],
)
def test_names_are_those_of_class_id_role_and_property(attributes: dict[str, str | None], found: list[str]) -> None:
    assert names(attributes) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("sidebar", ["sidebar"]),
        ("post-body", ["post-body", "post", "body"]),
        ("post_body", ["post_body", "post", "body"]),
        ("articleBody", ["articlebody", "article", "body"]),
        ("Sidebar", ["sidebar"]),
        ("a-b-cd", ["a-b-cd", "cd"]),
    ],
)
def test_names_are_cut_into_words(name: str, found: list[str]) -> None:
    assert words(name) == found


def test_of_a_long_class_the_beginning_is_read() -> None:
    assert names({"class": " ".join(f"c{number}" for number in range(20))}) == [
        f"c{n}" for n in range(hints.MOST_NAMES)
    ]


def test_words_say_together_what_they_mean_at_least_and_at_most() -> None:
    assert score(["post", "body", "unheard"], DICTIONARY) == (13.5, 0, 20, True)
    assert score(["post-body"], DICTIONARY) == (13.5, 0, 20, True)
    assert score(["comment"], DICTIONARY) == (-25.0, -25, 0, True)
    assert score(["comment", "post"], DICTIONARY) == (-2.5, -25, 20, True)


def test_words_that_no_one_knows_say_nothing() -> None:
    assert score(["unheard", "of"], DICTIONARY) == score([], DICTIONARY) == score(["post"], {}) == NONE


def test_an_unknown_name_is_tried_by_its_beginning() -> None:
    assert score(["commentlist"], DICTIONARY) == score(["comment"], DICTIONARY)
    assert score(["com"], DICTIONARY) == NONE


def test_the_longest_beginning_counts() -> None:
    assert score(["commentlist"], {"comm": 1, "comment": 2})[0] == 2


def test_a_name_of_which_a_part_is_known_is_not_tried_so() -> None:
    assert score(["commentlist-post"], DICTIONARY) == score(["post"], DICTIONARY)


def test_scores_of_elements_with_their_class_and_role() -> None:
    found = blocks_of("<div class='post-body wide' role=main>a</div><div class=' '>b</div><div>c</div>")
    values, classes, roles = scores(found.tree, found.node, DICTIONARY)
    assert values[2:] == [(13.0, 0, 20, True), NONE, NONE]
    assert classes[2:] == ["post-body", "", ""]
    assert roles[2:] == ["main", None, None]


def test_names_of_the_whole_page_say_nothing() -> None:
    found = blocks_of("<html class=post><body class=comment>a<div class=post>b</div>")
    assert scores(found.tree, found.node, DICTIONARY)[0] == [NONE, NONE, (20.0, 0, 20, True)]


def test_equal_names_have_equal_scores() -> None:
    found = blocks_of("<p class=comment>a</p><p class=comment>b</p><p id=comment>c</p>")
    assert len(set(scores(found.tree, found.node, DICTIONARY)[0][2:])) == 1
