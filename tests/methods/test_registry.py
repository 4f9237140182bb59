"""Methods by name, with parameters."""

from __future__ import annotations

import pytest

from duramen import methods
from duramen.errors import UsageError
from duramen.methods.econ import Econ
from duramen.methods.longest_cell import LongestCell
from duramen.methods.mss.simple import MssSimple


def test_a_name_gives_the_papers_parameters() -> None:
    assert methods.get("mss-simple") == MssSimple()


def test_parameters_follow_the_name() -> None:
    assert methods.get("mss-simple:tag_score=-2:word_score=0.5") == MssSimple(tag_score=-2.0, word_score=0.5)
    assert methods.get("econ:skip_wrappers=no") == Econ(skip_wrappers=False)
    assert methods.get("longest-cell:cells=td+li") == LongestCell(cells=frozenset({"td", "li"}))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ecom", "did you mean 'econ'"),
        ("zzz", "choose one of auto, coreex"),
        ("mss-simple:tag_scor=1", "did you mean 'tag_score'"),
        ("mss-simple:tag_score=cheap", "'cheap' is no value for tag_score, which is -3.25 by default"),
        ("mss-simple:tag_score", "'' is no value"),
        ("mss-simple:tag_score=nan", "'nan' is no value"),
        ("econ:skip_wrappers=maybe", "'maybe' is no value"),
    ],
)
def test_what_is_not_known_is_said(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        methods.get(name)
