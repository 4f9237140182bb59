"""Names of elements: how they are cut into words, and what a dictionary says of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import DICTIONARY, blocks_of, both, needs_compiled

from duramen.methods.auto import class_scores as hints
from duramen.methods.auto.class_scores import NONE, Names, Score, names, read_names, score, words


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


def named(html: str) -> Names:
    found = blocks_of(html)
    return read_names(found.tree, found.node, DICTIONARY)


def scores(told: Names) -> list[Score]:
    """Of each element."""
    return [tuple(told.said[4 * number : 4 * number + 4]) for number in told.which]  # type: ignore[misc]


def test_scores_of_elements_with_their_class_and_role() -> None:
    told = named("<div class='post-body wide' role=main>a</div><div class=' '>b</div><div>c</div>")
    assert scores(told)[2:] == [(13.0, 0, 20, True), NONE, NONE]
    assert [told.first[number] for number in told.which[2:]] == [1, 0, 0]
    assert [told.role[number] for number in told.which[2:]] == ["main", None, None]


def test_the_first_word_of_a_class_has_a_number() -> None:
    told = named("<p class='a b'>a</p><p class=' a'>b</p><p class='b a'>c</p><p id=a>d</p>")
    assert [told.first[number] for number in told.which[2:]] == [1, 1, 2, 0]


def test_names_that_speak_of_comments_are_noted() -> None:
    told = named("<p class='x Comments'>a</p><p id=recommended>b</p><p id=commentary>c</p><p role=comment>d</p>")
    assert [told.commented[number] for number in told.which[2:]] == [1, 0, 1, 0]


def test_names_of_the_whole_page_say_nothing() -> None:
    told = named("<html class=post><body class=comment>a<div class=post>b</div><p class=comment>c")
    assert scores(told) == [NONE, NONE, (20.0, 0, 20, True), (-25.0, -25, 0, True)]
    assert [told.commented[number] for number in told.which] == [0, 1, 0, 1]


def test_equal_names_are_read_once() -> None:
    told = named("<p class=comment>a</p><p class=comment>b</p><p id=comment>c</p>")
    assert len(set(told.which[2:4])) == 1
    assert len(set(scores(told)[2:])) == 1


@needs_compiled
@given(
    st.lists(
        st.sampled_from(
            [
                "post-body",
                "Side_menu",
                "commentList",
                "  x  ",
                "a-b",
                "postBody2",
                "é-post",
                "role",
                "-",
                "",
                "SIDE",
                "om",
                "ment",
            ]
        ),
        max_size=12,
    ).map(" ".join),
    st.sampled_from(
        ["", " id=post", " id='Side x'", " role=main", " role='post x'", " itemprop=post id=é", " class=x"]
    ),
)
def test_the_twin_reads_the_same(name: str, more: str) -> None:
    found = blocks_of(f"<body><div class='{name}'{more}>a<p{more}>b<p class='{name}'>c</div>")
    first, second = (
        vars(function(found.tree, found.node, DICTIONARY)) for function in both("methods.auto.class_scores.read_names")
    )
    assert first == second
