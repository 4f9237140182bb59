"""Steps after the classifier: which blocks are beside kept ones, and in which ranges."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duramen
from duramen.methods.auto.features import Features
from duramen.methods.auto.postprocess import _find_blocks_in, find_blocks_beside
from duramen.methods.auto.threshold import Mask


def page(
    kept: str, listings: str, owner: list[int], elements: list[tuple[int, int, int]]
) -> tuple[Mask, Mask, Features]:
    """Blocks of which some were kept and some are listings, `x`, and the elements around, what is in them and where."""
    parent, start, stop = (np.array(column) for column in zip(*elements, strict=True))
    nothing = np.zeros(len(kept), np.int64)
    features = Features(
        np.zeros((0, len(kept))), np.ones(len(kept)), np.array(owner), parent, start, stop, nothing, nothing
    )
    return np.array(list(kept)) == "x", np.array(list(listings)) == "x", features


BODY, COLUMN, ASIDE = (-1, 0, 4), (0, 0, 3), (0, 3, 4)


def test_listings_beside_kept_blocks_are_found_anywhere() -> None:
    paragraph, before, after = (1, 0, 1), (1, 1, 2), (1, 2, 3)
    elements = [BODY, COLUMN, paragraph, before, after, ASIDE]
    assert find_blocks_beside(*page("x...", ".xxx", [2, 3, 4, 5], elements)) == [1, 2]
    assert find_blocks_beside(*page("..x.", "xx.x", [2, 3, 4, 5], elements)) == [0, 1]
    assert find_blocks_beside(*page("x...", ".xxx", [1, 3, 4, 5], elements)) == [
        1,
        2,
    ]  # in the column itself
    assert find_blocks_beside(*page("....", ".xxx", [2, 3, 4, 5], elements)) == []
    assert find_blocks_beside(*page("xxxx", ".xxx", [2, 3, 4, 5], elements)) == []


def test_an_element_with_only_a_listing_has_the_position_of_the_listing() -> None:
    paragraph, figure, row, cell = (1, 0, 1), (1, 1, 3), (3, 1, 3), (4, 1, 2)
    elements = [BODY, COLUMN, paragraph, figure, row, cell, ASIDE]
    assert find_blocks_beside(*page("x...", ".xxx", [2, 5, 4, 6], elements)) == [1, 2]
    assert find_blocks_beside(*page("x...", ".x.x", [2, 5, 4, 6], elements)) == []  # the figure holds more


def test_on_a_page_of_listings_none_is_beside_another() -> None:
    assert find_blocks_beside(*page(".x", "xx", [0, 0], [(-1, 0, 2)])) == []


def test_blocks_in_overlapping_ranges_are_found() -> None:
    first = np.array([1, 5, 9, 12, 30, 50])
    assert _find_blocks_in([(0, 10), (4, 6), (11, 20)], first).tolist() == [True, True, True, True, False, False]


def test_a_link_under_a_table_is_no_note_of_it() -> None:
    page = (Path(__file__).parents[2] / "pages" / "structure" / "table-note" / "page.html").read_text("utf-8")
    note = "Data of the forest office as of March 2024."
    assert note in page
    assert "29 words" not in duramen.extract(page.replace(note, '<a href="/all">See all 29 words</a>')).text
