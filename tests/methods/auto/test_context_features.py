"""The second look: what the answers for other blocks say of a block."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.auto.pages import NEWS, blocks_of, made_pages

from duramen.methods.auto import features
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.class_scores import ClassScorer
from duramen.methods.auto.context_features import COUNT, NAMES, add_context
from duramen.methods.auto.features import Features
from duramen.methods.auto.title import PageTitle
from duramen.methods.mss.subsequence import maximum_subsequence

WIDTH = features.COUNT + COUNT


def described(html: str) -> Features:
    return features.describe(blocks_of(html), ClassScorer({}), PageTitle(), WIDTH)


def chances(block_features: Features, seed: int) -> Floats:
    return np.asarray(np.random.default_rng(seed).integers(0, 101, len(block_features)) / 100)


def rows_of(block_features: Features) -> list[dict[str, float]]:
    table = block_features.matrix[features.COUNT :].T
    return [dict(zip(NAMES, row.tolist(), strict=True)) for row in table]


P = np.array([0.1, 0.0, 0.1, 0.7, 0.9, 0.8, 0.2, 0.4, 0.0])
WORDS = [1, 1, 1, 5, 35, 5, 1, 5, 1]


@pytest.fixture(scope="module")
def news() -> list[dict[str, float]]:
    block_features = described(NEWS)
    assert list(block_features.words) == WORDS
    add_context(block_features, P)
    return rows_of(block_features)


def column(rows: list[dict[str, float]], name: str) -> list[float]:
    return [row[name] for row in rows]


def mean(low: int, high: int) -> float:
    return sum(p * w for p, w in list(zip(P, WORDS, strict=True))[low:high]) / sum(WORDS[low:high])


def test_every_number_has_one_name() -> None:
    assert len(set(NAMES)) == len(NAMES) == COUNT


def test_the_features_before_it_stay() -> None:
    block_features = described(NEWS)
    before = block_features.matrix[: features.COUNT].copy()
    add_context(block_features, P)
    assert np.array_equal(block_features.matrix[: features.COUNT], before)


def test_probabilities_of_the_neighbors(news: list[dict[str, float]]) -> None:
    assert column(news, "p") == list(P)
    assert column(news, "p-1") == [-1, *P[:-1]]
    assert column(news, "p-2") == [-1, -1, *P[:-2]]
    assert column(news, "p+1") == [*P[1:], -1]
    assert column(news, "p+2") == [*P[2:], -1, -1]


def test_means_over_enclosing_levels_clusters_and_page(news: list[dict[str, float]]) -> None:
    assert column(news, "p_container0") == pytest.approx(list(P))
    assert news[4]["p_container1"] == pytest.approx(mean(3, 6))
    assert news[4]["p_container2"] == pytest.approx(mean(0, 9))
    assert news[4]["p_cluster"] == news[5]["p_cluster"] == pytest.approx(mean(4, 6))
    assert set(column(news, "p_most")) == {0.9}
    assert news[0]["p_mean"] == pytest.approx(mean(0, 9))
    assert news[8]["p_within_4"] == pytest.approx(mean(4, 9))


def test_the_best_run(news: list[dict[str, float]]) -> None:
    assert column(news, "in_run") == [0, 0, 0, 1, 1, 1, 0, 0, 0]
    assert column(news, "from_run") == [-3, -2, -1, 0, 0, 0, 1, 2, 3]
    assert column(news, "p_run") == pytest.approx([mean(3, 6)] * 9)


def test_context_before_after_and_above_a_block(news: list[dict[str, float]]) -> None:
    total = mean(0, 9) * sum(WORDS)
    assert news[4]["content_before"] == pytest.approx((0.1 + 0.1 + 3.5) / total)
    assert news[4]["content_after"] == pytest.approx((4 + 0.2 + 2) / total)
    assert news[4]["surer_words"] == pytest.approx(35 / 55)
    assert news[5]["surer_words"] == pytest.approx(40 / 55)
    assert news[5]["surer_content"] == pytest.approx((0.9 * 35 + 4) / total)
    assert max(column(news, "f1_if_last")) == 1.0


def test_distance_to_the_core(news: list[dict[str, float]]) -> None:
    assert column(news, "from_core") == [place - 4 for place in range(9)]
    assert (news[4]["core_ancestor_up"], news[4]["core_ancestor_down"], news[4]["core_ancestor_blocks"]) == (0, 0, 1)
    assert (news[5]["core_ancestor_up"], news[5]["core_ancestor_down"], news[5]["core_ancestor_blocks"]) == (1, 1, 3)
    assert news[5]["core_ancestor_p"] == pytest.approx(mean(3, 6))
    assert news[0]["core_ancestor_blocks"] == 9
    assert news[0]["core_ancestor_p"] == pytest.approx(mean(0, 9))


def test_a_long_block_with_low_probability_is_no_core() -> None:
    block_features = described(f"<p>{'menu ' * 2000}</p><p>{'text ' * 70}</p>")
    add_context(block_features, np.array((0.1, 0.9)))
    assert column(rows_of(block_features), "from_core") == [-1, 0]


def test_a_page_without_probable_blocks() -> None:
    block_features = described(NEWS)
    add_context(block_features, np.zeros(len(block_features)))
    rows = rows_of(block_features)
    assert set(column(rows, "in_run")) == set(column(rows, "f1_if_last")) == set(column(rows, "p_run")) == {0.0}


def test_an_empty_page_stays_empty() -> None:
    block_features = described("")
    add_context(block_features, np.zeros(0))
    assert block_features.matrix.size == 0


@given(made_pages(), st.integers(0, 99))
def test_numbers_are_finite_and_the_run_is_the_maximum_subsequence(html: str, seed: int) -> None:
    block_features = described(html)
    p = chances(block_features, seed)
    add_context(block_features, p)
    assert np.isfinite(block_features.matrix).all()
    gains = [size * (each - 0.5) for size, each in zip(block_features.words, p, strict=True)]
    run = maximum_subsequence(gains)
    inside = [bool(row["in_run"]) for row in rows_of(block_features)]
    assert sum(gain for gain, kept in zip(gains, inside, strict=True) if kept) == pytest.approx(run.value if run else 0)
    assert "".join("x" if kept else " " for kept in inside).strip().count(" ") == 0


def test_the_numbers_fill_the_row() -> None:
    assert COUNT == 5 + features.CONTAINERS + 18
