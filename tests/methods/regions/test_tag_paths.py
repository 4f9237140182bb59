"""A page as a sequence of symbols, and the part of it that cannot be split."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.tree import Tree
from duramen.methods.regions.path_counts import main_part, symbols


def test_elements_have_the_symbol_of_their_path() -> None:
    tree = Tree.parse("<ul><li>a<li>b</ul><ol><li>c</ol><ul></ul>")
    found = symbols(tree, tree.body)
    assert [tree.tag[node] for node in found] == ["body", "ul", "li", "li", "ol", "li", "ul"]
    assert list(found.values()) == [0, 1, 2, 2, 3, 4, 1]


def part(word: str, least: float = 0.2) -> str:
    start, stop = main_part([ord(letter) for letter in word], least)
    return word[start:stop]


def test_the_larger_part_is_kept() -> None:
    assert part("xyxyABABABABAB") == "ABABABABAB"


def test_it_is_split_as_often_as_it_can_be() -> None:
    assert part("xyxyABABABABABuvuvu") == "ABABABABAB"


def test_rare_symbols_between_the_parts_are_set_aside() -> None:
    assert part("xyxqyxyABABqABABAB") == "ABABqABABAB"  # q stands in both, and would join them


def test_what_cannot_be_split_stays_whole() -> None:
    assert part("ABABAB") == "ABABAB"
    assert part("AAAA") == "AAAA"
    assert part("") == ""


def test_a_part_that_is_too_small_does_not_count() -> None:
    assert part("abcdefgh", least=0.5) == "abcdefgh"


@given(st.text("abcd", max_size=40), st.floats(0, 1))
def test_the_part_is_large_enough_and_inside(word: str, least: float) -> None:
    start, stop = main_part([ord(letter) for letter in word], least)
    assert 0 <= start <= stop <= len(word)
    assert stop - start >= least * len(word)
