"""What is asked of kept blocks, the same compiled and not."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import both, needs_compiled

from duramen.methods.auto.rows import Features
from duramen.methods.auto.selection import Sizes, any_again, beside, bounds, most, runs, sizes

kept_blocks = st.lists(st.booleans(), max_size=12)


def test_sizes_are_those_of_what_was_kept_and_of_the_page() -> None:
    assert sizes(array("q", (3, 5, 7)), [True, False, True]) == Sizes(2, 10, 15)
    assert sizes(array("q"), []) == Sizes(0, 0, 0)


def test_bounds_are_the_first_and_the_last_block() -> None:
    assert bounds([False, True, False, True, False]) == (1, 3)
    assert bounds([True]) == (0, 0)
    assert bounds([False, False]) == bounds([]) == (-1, -1)


def test_blocks_that_follow_each_other_are_one_run() -> None:
    first, last = array("q", (1, 4, 8, 9)), array("q", (2, 6, 8, 12))
    assert runs([True, True, False, True], first, last) == [range(1, 7), range(9, 13)]
    assert runs([False] * 4, first, last) == runs([], array("q"), array("q")) == []


def test_only_what_is_long_and_kept_and_said_again_is_a_copy() -> None:
    words, rows = array("q", (20, 20, 3)), array("d", (0, 1, 0, 2, 0, 2))
    assert any_again(words, [False, True, False], rows, 2, 1, 15)
    assert not any_again(words, [True, False, True], rows, 2, 1, 15)
    assert not any_again(array("q"), [], array("d"), 2, 1, 15)


def page(
    kept: str, listings: str, owner: list[int], elements: list[tuple[int, int, int]]
) -> tuple[list[bool], Features]:
    """Blocks of which some were kept and some are listings, `x`, and the elements around, what is in them and where."""
    parent, start, stop = (array("q", column) for column in zip(*elements, strict=True))
    rows = array("d", [float(letter == "x") for letter in listings])
    nothing = array("q", bytes(8 * len(kept)))
    features = Features(rows, 1, array("d", rows), array("q", owner), parent, start, stop, nothing, nothing, 1)
    return [letter == "x" for letter in kept], features


BODY, COLUMN, ASIDE = (-1, 0, 4), (0, 0, 3), (0, 3, 4)


def test_listings_beside_kept_blocks_are_told_wherever_they_stand() -> None:
    paragraph, before, after = (1, 0, 1), (1, 1, 2), (1, 2, 3)
    elements = [BODY, COLUMN, paragraph, before, after, ASIDE]
    assert beside(*page("x...", ".xxx", [2, 3, 4, 5], elements), 0) == [1, 2]
    assert beside(*page("..x.", "xx.x", [2, 3, 4, 5], elements), 0) == [0, 1]
    assert beside(*page("x...", ".xxx", [1, 3, 4, 5], elements), 0) == [1, 2]  # the text stands in the column itself
    assert beside(*page("....", ".xxx", [2, 3, 4, 5], elements), 0) == []
    assert beside(*page("xxxx", ".xxx", [2, 3, 4, 5], elements), 0) == []


def test_what_holds_nothing_but_a_listing_stands_where_it_stands() -> None:
    paragraph, figure, row, cell = (1, 0, 1), (1, 1, 3), (3, 1, 3), (4, 1, 2)
    elements = [BODY, COLUMN, paragraph, figure, row, cell, ASIDE]
    assert beside(*page("x...", ".xxx", [2, 5, 4, 6], elements), 0) == [1, 2]
    assert beside(*page("x...", ".x.x", [2, 5, 4, 6], elements), 0) == []  # what else the figure holds was not kept


def test_where_all_is_listings_none_stands_beside_another() -> None:
    assert beside(*page(".x", "xx", [0, 0], [(-1, 0, 2)]), 0) == []


def test_the_most_of_nothing_is_nothing() -> None:
    assert (most(array("d", (0.25, 0.75, 0.5))), most(array("d"))) == (0.75, 0.0)


def _nested(count: int) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Each block in an element of its own, which holds all that follow."""
    return list(range(count)), [(block - 1, block, count) for block in range(count)] or [(-1, 0, 0)]


@needs_compiled
@given(kept_blocks)
def test_the_twins_agree(kept: list[bool]) -> None:
    words = array("q", range(1, len(kept) + 1))
    rows = array("d", [float(block % 3) for block in range(len(kept))])
    given = {
        "sizes": (words, kept),
        "bounds": (kept,),
        "runs": (kept, words, words),
        "any_again": (words, kept, rows, 1, 0, 2),
        "beside": (kept, page("." * len(kept), "x." * 6, *_nested(len(kept)))[1], 0),
        "most": (rows,),
    }
    for name, arguments in given.items():
        source, twin = both(f"methods.auto.selection.{name}")
        assert source(*arguments) == twin(*arguments)
