"""Structural patterns, their measures, and their relevance."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wrappers.sample_site import page, site

from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.wrappers import PAPER_SETTINGS, LearnSettings, Sample, rank_patterns
from duramen.wrappers.patterns import MEASURES, informativeness, make_pattern, signifier_density, unexpectedness

counts = st.integers(0, 2000)


@pytest.mark.parametrize(
    ("x", "y", "wanted"), [(8, 20, 0.2071), (3, 5, 0.2165), (1, 0, 0.3170), (0, 50, 0.0), (0, 0, 0.0)]
)
def test_signifier_density_has_the_worked_values(x: int, y: int, wanted: float) -> None:
    assert signifier_density(x, y) == pytest.approx(wanted, abs=5e-5)


@pytest.mark.parametrize(("x", "y", "wanted"), [(10, 26, 22.658), (3, 1, 5.558), (0, 0, 0.0)])
def test_unexpectedness_has_the_worked_values(x: int, y: int, wanted: float) -> None:
    assert unexpectedness(x, y, 20, 100) == pytest.approx(wanted, abs=5e-4)


@given(x=counts, y=counts, more_x=counts, more_y=counts)
def test_measures_are_never_negative_and_j_is_a_share(x: int, y: int, more_x: int, more_y: int) -> None:
    assert 0.0 <= signifier_density(x, y) < 1.0
    assert unexpectedness(x, y, x + more_x, y + more_y) >= 0.0
    assert informativeness(x, y, x + more_x, y + more_y) >= 0.0


@given(x=st.integers(1, 50), y=counts)
def test_one_more_signifier_in_place_of_another_term_makes_an_element_denser(x: int, y: int) -> None:
    assert signifier_density(x + 1, y) >= signifier_density(x, y + 1)


def test_the_measures_are_known_by_name() -> None:
    assert set(MEASURES) == {"ju", "j", "u"}
    assert MEASURES["ju"](10, 26, 20, 100) == pytest.approx(
        MEASURES["j"](10, 26, 20, 100) * MEASURES["u"](10, 26, 20, 100)
    )


def test_logarithms_are_natural() -> None:
    assert unexpectedness(1, 0, 1, 1) == pytest.approx(log(2))


def test_an_element_without_identifying_attributes_has_its_position_as_type() -> None:
    assert make_pattern(3, "p", {"style": "x", "onclick": "y", "id": "12"}, 98).type == "//p[@dfs=98]"
    assert make_pattern(3, "div", {"class": "a-1 b"}, 98).type == "//div[@class='a-']"
    assert make_pattern(3, "div", {"class": "a-1 b"}, 98, tolerant=False).type == "//div[@class='a-1 b']"
    assert make_pattern(1, "body", {}, 5).type == "//body"


def test_relevance_is_the_sum_times_pages_times_level() -> None:
    assert PAPER_SETTINGS.relevance(2.5, 4, 3) == 2.5 * 4 * 3
    assert LearnSettings(level=False).relevance(2.5, 4, 3) == 2.5 * 4
    assert LearnSettings(frequency=False).relevance(2.5, 4, 3) == 2.5 * 3


def test_the_article_is_the_most_relevant_pattern() -> None:
    best = rank_patterns(Sample.read(site()), PAPER_SETTINGS)[0]
    assert best.pattern.type == "//div[@class='story' and @id='main']"
    assert (best.level, best.n) == (2, 5)
    assert best.relevance == pytest.approx(sum(best.values) * 5 * 2)


def test_a_candidate_has_the_values_of_figure_3() -> None:
    best = rank_patterns(Sample.read([page(0), page(1, before="<p>One paragraph more.</p>")]), PAPER_SETTINGS)[0]
    assert best.paper_xpath.startswith("//div[contains(@class,'story') and contains(@id,'main') and (@dfs='")
    assert len(best.dfs) == 2
    assert best.dfs[1] == best.dfs[0] + 1


def test_the_most_informative_element_of_a_pattern_represents_the_page() -> None:
    pages = [
        Page.parse(
            f"<html lang=en><div class=box>Menu and {word}</div><div class=box>{word} {word} rare {word} thing</div>"
        )
        for word in ("oak", "lava", "dough")
    ]
    box = next(
        one for one in rank_patterns(Sample.read(pages), PAPER_SETTINGS) if one.pattern.type == "//div[@class='box']"
    )
    assert all(page.tree.text[node + 1].count(" ") == 4 for page, node in zip(pages, box.nodes, strict=True))


def test_coverage_is_the_weight_of_the_different_signifiers_over_their_number() -> None:
    pages = [
        Page.parse(f"<html lang=en><p id=a>{word} {word}</p><p id=b>{word} common</p>") for word in ("oak", "lava")
    ]
    first = next(
        one for one in rank_patterns(Sample.read(pages), LearnSettings(measure="coverage")) if one.pattern.tag == "p"
    )
    assert first.values == (1.0, 1.0)


def test_the_number_of_signifiers_decides_if_all_terms_are_signifiers() -> None:
    sample = Sample.read([Page.parse("<div><p>oak ash</p><p>elm beech pine</p></div>")])
    terms = dict.fromkeys("oak ash elm beech pine".split(), 0.2)
    assert rank_patterns(sample, LearnSettings(), [terms])[0].pattern.tag == "div"


def test_an_unknown_measure_raises_an_error() -> None:
    with pytest.raises(UsageError, match="unknown measure 'jj'"):
        LearnSettings(measure="jj")
