"""From probabilities to a choice of blocks, in seven ways."""

from __future__ import annotations

from array import array
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.written import blocks_of, made_pages

from duramen.dom.blocks import Blocks
from duramen.dom.tree import Tree
from duramen.methods.auto.inference import FEWEST, SWITCH, WAYS, choose
from duramen.methods.auto.threshold import read, sharpened


def blocks_with(words: list[int], parent: list[int] | None = None, owner: list[int] | None = None) -> Blocks:
    """Blocks by hand: only what the choice looks at."""
    parent = [-1] if parent is None else parent
    none = [0] * len(words)
    return Blocks(
        tree=Tree([], [], [], [], []),
        first=none,
        last=none,
        text=[""] * len(words),
        words=words,
        linked=none,
        bold=none,
        owner=none if owner is None else owner,
        node=list(range(len(parent))),
        parent=parent,
        start=[0] * len(parent),
        stop=[0] * len(parent),
        images=[0] * len(parent),
    )


def kinds(count: int) -> array[int]:
    """Each block of a kind of its own."""
    return array("q", range(count))


def kept(way: str, words: list[int], p: list[float], sharpness: float = 1.0, of: tuple[int, ...] | None = None) -> str:
    of_kinds = kinds(len(words)) if of is None else array("q", of)
    chosen = choose(way, blocks_with(words), array("d", p), of_kinds, sharpness).kept
    return "".join("x" if each else "-" for each in chosen)


@pytest.mark.parametrize("way", WAYS)
def test_an_empty_page_has_nothing_to_choose(way: str) -> None:
    assert choose(way, blocks_of(""), array("d"), array("q"), 1.0).kept == []


@pytest.mark.parametrize("way", WAYS)
def test_clear_pages_are_clear_in_every_way(way: str) -> None:
    assert kept(way, [3, 40, 50, 4], [0.02, 0.99, 0.98, 0.01]) == "-xx-"


@pytest.mark.parametrize("way", WAYS)
def test_the_expected_f1_is_told_in_every_way(way: str) -> None:
    words, p = [3, 40, 50], array("d", [0.1, 0.9, 0.8])
    of_kinds = array("q", (1, 0, 0))
    doubts = {"one-doubt": array("q", (0, 0, 0)), "each-doubt": kinds(3)}.get(way, of_kinds)
    told = read(array("d", words), p, doubts)
    assert choose(way, blocks_with(words), p, of_kinds, 1.0).expected == told.expected


def test_expected_f1_doubts_each_kind_by_itself() -> None:
    words, p = [100, *[30] * 20], [0.99, *[0.45] * 20]
    of = (0, *[1] * 20)  # a story, and teasers of one kind
    found = {way: kept(way, words, p, of=of) for way in ("each-doubt", "expected-f1", "one-doubt")}
    assert found == {"each-doubt": "x" * 21, "expected-f1": "x" + "-" * 20, "one-doubt": "x" + "-" * 20}
    of = (0, *(1 + place // 2 for place in range(20)))  # teasers of ten kinds
    found = {way: kept(way, words, p, of=of) for way in ("each-doubt", "expected-f1", "one-doubt")}
    assert found == {"each-doubt": "x" * 21, "expected-f1": "x" * 21, "one-doubt": "x" + "-" * 20}


def test_threshold_is_a_half() -> None:
    assert kept("threshold", [10, 10, 10], [0.49, 0.5, 0.51]) == "--x"


def test_threshold_knows_sharpness() -> None:
    assert kept("threshold", [10, 10, 10], [0.3, 0.6, 0.8], 2.0) == "--x"
    assert kept("threshold", [10, 10, 10], [0.3, 0.6, 0.8], 0.5) == "xxx"


def test_the_maximum_subsequence_bridges_a_gap() -> None:
    assert kept("maximum-subsequence", [20, 3, 20, 30, 6], [0.9, 0.1, 0.9, 0.1, 0.9]) == "xxx--"


def test_no_positive_sum_is_no_run() -> None:
    assert kept("maximum-subsequence", [20, 3], [0.4, 0.5]) == "--"


@given(made_pages(), st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=45, max_size=45))
def test_the_maximum_subsequence_is_one_run(html: str, p: list[float]) -> None:
    found = blocks_of(html)
    chosen = choose("maximum-subsequence", found, array("d", p[: len(found)]), kinds(len(found)), 1.0).kept
    assert len("".join("x" if each else " " for each in chosen).split()) <= 1


def test_segments_may_be_several_but_none_is_a_scrap() -> None:
    words = [20, 30, 20, 30, 2]
    p = [0.9, 0.1, 0.9, 0.1, 1.0]
    assert kept("segments", words, p) == "x-x--"
    assert kept("segments", [*words[:-1], int(FEWEST)], p) == "x-x-x"


def test_in_the_tree_a_scrap_follows_what_is_around_it() -> None:
    assert kept("tree", [30, 2, 30], [0.95, 0.1, 0.95]) == "xxx"
    assert kept("tree", [30, 2, 30], [0.05, 0.9, 0.05]) == "---"
    assert kept("tree", [30, 30, 30], [0.05, 0.9, 0.05]) == "-x-"


@st.composite
def small_trees(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[float]]:
    """The element around each element, and of each block its element, its words and its probability."""
    elements = draw(st.integers(1, 4))
    parent = [-1, *(draw(st.integers(0, element - 1)) for element in range(1, elements))]
    count = draw(st.integers(1, 5))
    owner = [draw(st.integers(0, elements - 1)) for _ in range(count)]
    words = [draw(st.integers(1, 12)) for _ in range(count)]
    return parent, owner, words, [draw(st.integers(0, 16)) / 16 for _ in range(count)]


@given(small_trees(), st.sampled_from([0.5, 1.0, 2.0]))
def test_the_choice_in_the_tree_is_the_best_of_all(
    tree: tuple[list[int], list[int], list[int], list[float]], sharpness: float
) -> None:
    parent, owner, words, chances = tree
    p = array("d", chances)
    gains = [size * (each - 0.5) for size, each in zip(words, sharpened(p, sharpness), strict=True)]

    def best(of_blocks: tuple[bool, ...]) -> float:
        """The worth of a choice of blocks, with the elements in and out as suits it best."""
        gain = sum(each for each, here in zip(gains, of_blocks, strict=True) if here)
        prices = []
        for state in product((False, True), repeat=len(parent)):
            switches = sum(state[e] != (above >= 0 and state[above]) for e, above in enumerate(parent))
            switches += sum(here != state[around] for here, around in zip(of_blocks, owner, strict=True))
            prices.append(switches)
        return gain - SWITCH * min(prices)

    chosen = choose("tree", blocks_with(words, parent, owner), p, kinds(len(words)), sharpness).kept
    assert best(tuple(chosen)) == pytest.approx(max(map(best, product((False, True), repeat=len(words)))))
