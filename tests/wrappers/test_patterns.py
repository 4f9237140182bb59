"""Structural patterns, and the measures J, U and I."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
