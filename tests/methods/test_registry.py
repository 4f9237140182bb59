"""Find methods by name, with parameters."""

from __future__ import annotations

import pytest

from duramen import methods
from duramen.errors import UsageError
from duramen.methods.econ import Econ
from duramen.methods.longest_cell import LongestCell
from duramen.methods.mss.simple import MssSimple


def test_a_method_has_the_parameters_of_its_paper() -> None:
    assert methods.get("mss-simple") == MssSimple()


def test_parameters_follow_the_name_after_colons() -> None:
    assert methods.get("mss-simple:tag_score=-2:word_score=0.5") == MssSimple(tag_score=-2.0, word_score=0.5)
    assert methods.get("econ:skip_wrappers=no") == Econ(skip_wrappers=False)
    assert methods.get("longest-cell:cells=td+li") == LongestCell(cells=frozenset({"td", "li"}))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ecom", "did you mean 'econ'"),
        ("zzz", "choose one of auto, coreex"),
        ("mss-simple:tag_scor=1", "did you mean 'tag_score'"),
        ("mss-simple:tag_score=cheap", "'cheap' is not a value for tag_score; its default is -3.25"),
        ("mss-simple:tag_score", "'' is not a value for"),
        ("mss-simple:tag_score=nan", "'nan' is not a value for"),
        ("econ:skip_wrappers=maybe", "'maybe' is not a value for"),
    ],
)
def test_unknown_names_and_bad_values_raise_a_clear_error(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        methods.get(name)
