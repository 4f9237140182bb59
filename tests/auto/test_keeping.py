"""What is asked of kept blocks, the same compiled and not."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st
from written import both, needs_twins

from duramen.auto.keeping import Sizes, any_again, bounds, enclosed, most, runs, sizes

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


def marked(blocks: str) -> list[int]:
    """Blocks as letters: `k` was kept, `l` is a listing that was not, `K` one that was, `.` is anything else."""
    rows = array("d", [float(letter in "lK") for letter in blocks])
    return enclosed([letter in "kK" for letter in blocks], rows, 1, 0)


def test_listings_between_kept_blocks_are_enclosed() -> None:
    assert marked("kllk") == [1, 2]
    assert marked("klKlk") == [1, 3]
    assert marked("klklk.") == [1, 3]


def test_listings_at_an_end_or_beside_what_was_not_kept_are_not() -> None:
    assert marked("lk") == marked("kl") == marked("kl.k") == marked("k.lk") == marked("") == []
    assert marked("klkl.klk") == [1, 6]


def test_the_most_of_nothing_is_nothing() -> None:
    assert (most(array("d", (0.25, 0.75, 0.5))), most(array("d"))) == (0.75, 0.0)


@needs_twins
@given(kept_blocks)
def test_the_twins_agree(kept: list[bool]) -> None:
    words = array("q", range(1, len(kept) + 1))
    rows = array("d", [float(block % 3) for block in range(len(kept))])
    given = {
        "sizes": (words, kept),
        "bounds": (kept,),
        "runs": (kept, words, words),
        "any_again": (words, kept, rows, 1, 0, 2),
        "enclosed": (kept, rows, 1, 0),
        "most": (rows,),
    }
    for name, arguments in given.items():
        source, twin = both(f"keeping.{name}")
        assert source(*arguments) == twin(*arguments)
