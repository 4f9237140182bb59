"""The cut-off is the best of all, and the other strategies choose what they say."""

from __future__ import annotations

from itertools import compress, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.pages import blocks_of, made_pages

from duramen.dom.blocks import Blocks
from duramen.dom.tree import Tree
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.threshold import (
    MIN_SEGMENT_WORDS,
    RUN_PENALTY_WORDS,
    SIMULATED_REFERENCES,
    STRATEGIES,
    SWITCH_PENALTY_WORDS,
    Integers,
    find_runs,
    maximize_expected_f1,
    raise_to_power,
    select_blocks,
    smooth_by_cluster,
)

Page = list[tuple[int, float]]
"""Of each block its words and its probability."""
pages = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 20).map(lambda n: n / 20)), min_size=1, max_size=9)


def sizes_and_chances(page: Page) -> tuple[Floats, Floats]:
    return np.array([words for words, _ in page], float), np.array([p for _, p in page], float)


def apart(page: Page) -> Integers:
    return np.arange(len(page))


def together(page: Page) -> Integers:
    return np.zeros(len(page), np.int64)


def runs(kept: list[bool]) -> int:
    return sum(here and not before for here, before in zip(kept, [False, *kept], strict=False))


def f1(page: Page, kept: list[bool], content: list[bool]) -> float:
    """Of what was kept, with the price of its runs."""
    sizes = [words for words, _ in page]
    both = sum(size for size, here, there in zip(sizes, kept, content, strict=True) if here and there)
    size = sum(compress(sizes, kept)) + sum(compress(sizes, content)) + RUN_PENALTY_WORDS * runs(kept)
    return 2 * both / size if both else 0.0


def expected(page: Page, kept: list[bool], cluster: Integers) -> float:
    """The mean F1 with the contents that are guessed."""
    mean = 0.0
    for guess in range(SIMULATED_REFERENCES):
        levels = [
            ((1 + 7 * number % (SIMULATED_REFERENCES - 1)) * guess + 13 * number) % SIMULATED_REFERENCES
            for number in cluster
        ]
        content = [p * SIMULATED_REFERENCES > level + 0.5 for (_, p), level in zip(page, levels, strict=True)]
        mean += f1(page, kept, content) / SIMULATED_REFERENCES
    return mean


def kept(page: Page, cluster: Integers | None = None) -> list[bool]:
    return maximize_expected_f1(*sizes_and_chances(page), apart(page) if cluster is None else cluster).kept.tolist()


def test_confident_content_is_kept_and_the_rest_is_not() -> None:
    assert kept([(5, 0.0), (40, 1.0), (30, 0.9), (10, 0.05)]) == [False, True, True, False]


def test_the_cut_off_is_the_pages_own() -> None:
    assert kept([(40, 0.3), (40, 0.01)]) == [True, False]
    assert kept([(40, 0.99), (40, 0.3)]) == [True, False]


def test_every_run_costs_a_penalty() -> None:
    assert kept([(20, 0.9), (1, 0.5), (9, 0.0), (9, 0.0)]) == [True, True, False, False]
    assert kept([(20, 0.9), (9, 0.0), (9, 0.0), (1, 0.5)]) == [True, False, False, False]


def test_no_blocks_give_an_empty_selection() -> None:
    assert not len(maximize_expected_f1(np.zeros(0), np.zeros(0), np.zeros(0, np.int64)).kept)
    nothing = maximize_expected_f1(*sizes_and_chances([(5, 0.0), (6, 0.0)]), np.array((0, 1)))
    assert (nothing.kept.tolist(), nothing.expected_f1) == ([False, False], 0.0)


def test_if_no_block_is_probable_the_best_is_kept_with_a_low_expected_f1() -> None:
    page = [(5, 0.004), (6, 0.004), (30, 0.0001)]
    reading = maximize_expected_f1(*sizes_and_chances(page), together(page))
    assert reading.kept.tolist() == [True, True, False]
    assert 0.0 < reading.expected_f1 < 0.005


def test_a_cluster_of_unsure_blocks_is_dropped_unless_more_probable_than_not() -> None:
    story = [(100, 0.99)] * 3
    of_kinds = np.array([0] * 3 + [1] * 20)
    for teaser, is_kept in ((0.3, False), (0.45, False), (0.55, True)):
        page = [*story, *[(30, teaser)] * 20]
        assert kept(page, of_kinds) == [True] * 3 + [is_kept] * 20
    page = [*story, *[(30, 0.45)] * 20]
    assert all(kept(page))  # each by itself, half of them would be content for sure


def test_each_cluster_has_its_own_threshold() -> None:
    """In one cluster, all teasers are content or none; in twenty clusters, some surely are."""
    page = [(100, 0.99), *[(30, 0.45)] * 40]
    of_kinds = np.array([0, *(1 + place // 2 for place in range(40))])
    assert not any(kept(page, together(page))[1:])
    assert all(kept(page, of_kinds))


def test_the_score_of_a_post_moves_halfway_to_the_weighted_mean_of_its_cluster() -> None:
    words, p = sizes_and_chances([(10, 0.9), (30, 0.1), (7, 0.6)])
    assert list(smooth_by_cluster(words, p, np.array((4, 4, 2)))) == pytest.approx([0.6, 0.2, 0.6])
    assert not len(smooth_by_cluster(np.zeros(0), np.zeros(0), np.zeros(0, np.int64)))
    words, p = sizes_and_chances([(10, 0.9), (10, 0.01)])
    assert smooth_by_cluster(words, p, np.array((0, 0)))[1] == 0.01  # it is surely none


@pytest.mark.parametrize("number", range(60))
def test_each_cluster_takes_all_threshold_levels(number: int) -> None:
    for share in (0.25, 0.5, 0.75):
        reading = maximize_expected_f1(np.array((1000.0,)), np.array((share,)), np.array((number,)))
        assert reading.expected_f1 == pytest.approx(
            share * 2000 / (2000 + RUN_PENALTY_WORDS), abs=0.5 / SIMULATED_REFERENCES
        )


@given(pages, st.data())
def test_no_other_cut_off_is_better(page: Page, data: st.DataObject) -> None:
    cluster = np.array(data.draw(st.lists(st.integers(0, 99), min_size=len(page), max_size=len(page))))
    reading = maximize_expected_f1(*sizes_and_chances(page), cluster)
    order = sorted(range(len(page)), key=lambda block: -page[block][1])
    cuts = [[block in order[:count] for block in range(len(page))] for count in range(len(page) + 1)]
    assert reading.kept.tolist() in cuts
    assert reading.expected_f1 == pytest.approx(max(expected(page, kept, cluster) for kept in cuts))
    assert reading.expected_f1 == pytest.approx(expected(page, reading.kept.tolist(), cluster))


@given(pages, st.sampled_from([0.5, 1.0, 2.0]))
def test_kept_blocks_are_more_probable_than_dropped_ones(page: Page, exponent: float) -> None:
    kept = maximize_expected_f1(*sizes_and_chances(page), apart(page), exponent).kept.tolist()
    inside = [p for (_, p), here in zip(page, kept, strict=True) if here]
    outside = [p for (_, p), here in zip(page, kept, strict=True) if not here]
    assert not inside or not outside or min(inside) >= max(outside)


def test_sharpness_keeps_less_and_its_opposite_more() -> None:
    page = [(20, 0.95), (20, 0.7), (20, 0.5), (20, 0.3), (20, 0.1)]
    kept = [
        int(maximize_expected_f1(*sizes_and_chances(page), apart(page), exponent).kept.sum())
        for exponent in (2.0, 1.0, 0.5)
    ]
    assert kept == sorted(kept)
    assert kept[0] < kept[2]


def test_powers_of_probabilities_by_squares_and_roots() -> None:
    p = np.array([0.0, 0.25, 1.0])
    assert raise_to_power(p, 1.0) is p
    assert list(raise_to_power(p, 2.0)) == [0.0, 0.0625, 1.0]
    assert list(raise_to_power(p, 0.5)) == [0.0, 0.5, 1.0]
    with pytest.raises(ValueError, match="the exponent is"):
        raise_to_power(p, 3.0)


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


def clusters(count: int) -> Integers:
    """Each block of a kind of its own."""
    return np.arange(count)


def kept_by(
    strategy: str, words: list[int], p: list[float], exponent: float = 1.0, of: tuple[int, ...] | None = None
) -> str:
    of_clusters = clusters(len(words)) if of is None else np.array(of)
    chosen = select_blocks(strategy, blocks_with(words), np.array(p), of_clusters, exponent).kept
    return "".join("x" if each else "-" for each in chosen)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_empty_page_has_nothing_to_select_blocks(strategy: str) -> None:
    assert select_blocks(strategy, blocks_of(""), np.zeros(0), np.zeros(0, np.int64), 1.0).kept.tolist() == []


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_agrees_on_clear_pages(strategy: str) -> None:
    assert kept_by(strategy, [3, 40, 50, 4], [0.02, 0.99, 0.98, 0.01]) == "-xx-"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_gives_the_expected_f1(strategy: str) -> None:
    words, p = [3, 40, 50], np.array([0.1, 0.9, 0.8])
    of_clusters = np.array((1, 0, 0))
    cluster = {"one-cluster": np.array((0, 0, 0)), "no-clusters": clusters(3)}.get(strategy, of_clusters)
    best = maximize_expected_f1(np.array(words, float), p, cluster)
    assert select_blocks(strategy, blocks_with(words), p, of_clusters, 1.0).expected_f1 == best.expected_f1


def test_expected_f1_has_a_threshold_for_each_cluster() -> None:
    words, p = [100, *[30] * 20], [0.99, *[0.45] * 20]
    of = (0, *[1] * 20)  # a story, and teasers of one kind
    kept = {strategy: kept_by(strategy, words, p, of=of) for strategy in ("no-clusters", "expected-f1", "one-cluster")}
    assert kept == {"no-clusters": "x" * 21, "expected-f1": "x" + "-" * 20, "one-cluster": "x" + "-" * 20}
    of = (0, *(1 + place // 2 for place in range(20)))  # teasers of ten kinds
    kept = {strategy: kept_by(strategy, words, p, of=of) for strategy in ("no-clusters", "expected-f1", "one-cluster")}
    assert kept == {"no-clusters": "x" * 21, "expected-f1": "x" * 21, "one-cluster": "x" + "-" * 20}


def test_threshold_is_a_half() -> None:
    assert kept_by("threshold", [10, 10, 10], [0.49, 0.5, 0.51]) == "--x"


def test_sharpness_changes_the_threshold() -> None:
    assert kept_by("threshold", [10, 10, 10], [0.3, 0.6, 0.8], 2.0) == "--x"
    assert kept_by("threshold", [10, 10, 10], [0.3, 0.6, 0.8], 0.5) == "xxx"


def test_the_maximum_subsequence_bridges_a_gap() -> None:
    assert kept_by("maximum-subsequence", [20, 3, 20, 30, 6], [0.9, 0.1, 0.9, 0.1, 0.9]) == "xxx--"


def test_no_positive_sum_is_no_run() -> None:
    assert kept_by("maximum-subsequence", [20, 3], [0.4, 0.5]) == "--"


@given(made_pages(), st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=45, max_size=45))
def test_the_maximum_subsequence_is_one_run(html: str, p: list[float]) -> None:
    blocks = blocks_of(html)
    chosen = select_blocks("maximum-subsequence", blocks, np.array(p[: len(blocks)]), clusters(len(blocks)), 1.0).kept
    assert len("".join("x" if each else " " for each in chosen).split()) <= 1


def test_several_segments_are_possible_but_no_short_one() -> None:
    words = [20, 30, 20, 30, 2]
    p = [0.9, 0.1, 0.9, 0.1, 1.0]
    assert kept_by("segments", words, p) == "x-x--"
    assert kept_by("segments", [*words[:-1], int(MIN_SEGMENT_WORDS)], p) == "x-x-x"


def test_in_the_tree_a_short_block_follows_its_surroundings() -> None:
    assert kept_by("tree", [30, 2, 30], [0.95, 0.1, 0.95]) == "xxx"
    assert kept_by("tree", [30, 2, 30], [0.05, 0.9, 0.05]) == "---"
    assert kept_by("tree", [30, 30, 30], [0.05, 0.9, 0.05]) == "-x-"


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
    tree: tuple[list[int], list[int], list[int], list[float]], exponent: float
) -> None:
    parent, owner, words, chances = tree
    p = np.array(chances)
    gains = [size * (each - 0.5) for size, each in zip(words, raise_to_power(p, exponent), strict=True)]

    def best(of_blocks: tuple[bool, ...]) -> float:
        """The worth of a choice of blocks, with the elements in and out as suits it best."""
        gain = sum(each for each, here in zip(gains, of_blocks, strict=True) if here)
        prices = []
        for state in product((False, True), repeat=len(parent)):
            switches = sum(state[e] != (above >= 0 and state[above]) for e, above in enumerate(parent))
            switches += sum(here != state[around] for here, around in zip(of_blocks, owner, strict=True))
            prices.append(switches)
        return gain - SWITCH_PENALTY_WORDS * min(prices)

    chosen = select_blocks("tree", blocks_with(words, parent, owner), p, clusters(len(words)), exponent).kept
    assert best(tuple(chosen)) == pytest.approx(max(map(best, product((False, True), repeat=len(words)))))


def test_runs_are_ranges_of_kept_blocks() -> None:
    assert find_runs(np.array([True, True, False, True])) == [(0, 2), (3, 4)]
    assert find_runs(np.zeros(3, bool)) == find_runs(np.zeros(0, bool)) == []
