"""The method tag-path: a page as a sequence of tag paths, and the part of it that cannot be split."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.methods.regions.tag_path import TagPath, find_main_part, number_tag_paths

MENU = "<ul id=menu>" + "<li><a href=/>Home</a></li>" * 6 + "</ul>"
RESULT = "<div class=result><h3><a href=/r>A result</a></h3><p>Some words that tell of it.</p><i>3 stars</i></div>"
PAGE = f"<div id=top>{MENU}</div><div id=main><h1>Results</h1>{RESULT * 8}<p>next</p></div><div id=foot><p>x</p></div>"


def region_id(method: TagPath, page: Page) -> str | None:
    node = method(page).node
    return None if node is None else page.tree.attributes[node].get("id") or page.tree.tag[node]


def test_elements_of_one_tag_path_have_the_same_id() -> None:
    tree = Tree.parse("<ul><li>a<li>b</ul><ol><li>c</ol><ul></ul>")
    numbers = number_tag_paths(tree, tree.body)
    assert [tree.tag[node] for node in numbers] == ["body", "ul", "li", "li", "ol", "li", "ul"]
    assert list(numbers.values()) == [0, 1, 2, 2, 3, 4, 1]


def part(word: str, least: float = 0.2) -> str:
    start, stop = find_main_part([ord(letter) for letter in word], least)
    return word[start:stop]


def test_the_larger_part_is_kept() -> None:
    assert part("xyxyABABABABAB") == "ABABABABAB"


def test_a_part_is_split_as_often_as_possible() -> None:
    assert part("xyxyABABABABABuvuvu") == "ABABABABAB"


def test_rare_ids_in_both_parts_are_ignored() -> None:
    assert part("xyxqyxyABABqABABAB") == "ABABqABABAB"  # q stands in both, and would join them


def test_a_sequence_that_cannot_be_split_is_one_part() -> None:
    assert part("ABABAB") == "ABABAB"
    assert part("AAAA") == "AAAA"
    assert part("") == ""


def test_a_part_that_is_too_small_is_not_kept() -> None:
    assert part("abcdefgh", least=0.5) == "abcdefgh"


@given(st.text("abcd", max_size=40), st.floats(0, 1))
def test_the_main_part_is_large_enough_and_inside_the_sequence(word: str, least: float) -> None:
    start, stop = find_main_part([ord(letter) for letter in word], least)
    assert 0 <= start <= stop <= len(word)
    assert stop - start >= least * len(word)


def test_the_region_is_the_part_whose_paths_occur_nowhere_else() -> None:
    assert region_id(TagPath(), Page.parse(PAGE.replace("div id=main", "section id=main"))) == "main"


def test_the_region_is_the_body_if_nothing_can_be_split_off() -> None:
    assert region_id(TagPath(least=1.0), Page.parse(PAGE)) == "body"
