"""Figures that hand-written documents quote from generated ones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import figures  # noqa: E402

RESULT = """\
# Scores

| method | F1 | P / R | the paper's |
| --- | ---: | ---: | ---: |
| oak |  | 90.1 / 80.2 | 95.0 |
| elm | .912 | 1 / 2 |  |

## Others (2 pages)

| method | F1 |
| --- | ---: |
| oak | 71.5 (60.1–80.2) |
| ash | −3 ± 1 |
"""


@pytest.mark.parametrize(
    ("place", "figure"),
    [
        ("Scores > elm > F1", ".912"),
        ("Scores > oak > P / R > 2", "80.2"),
        ("Scores > oak > 4", "95.0"),
        ("Scores > oak & 95.0 > P / R > 1", "90.1"),
        ("Others > oak > F1", "71.5"),
        ("Others > ash > F1", "−3"),
    ],
)
def test_a_figure_is_read_from_its_cell(place: str, figure: str) -> None:
    assert figures.read_figure(RESULT, place) == figure


@pytest.mark.parametrize(
    "place",
    ["Scores > fir > F1", "Nothing > oak > F1", "Scores > oak > F1", "Scores > oak > 5", "Scores > oak > P / R > 3"],
)
def test_a_figure_that_does_not_exist_is_an_error(place: str) -> None:
    with pytest.raises(LookupError):
        figures.read_figure(RESULT, place)


def test_a_quoted_figure_is_replaced_and_other_links_are_kept(tmp_path: Path) -> None:
    (tmp_path / "result.md").write_text(RESULT, "utf-8")
    document = tmp_path / "text.md"
    document.write_text(
        'F1 is [1](result.md "Scores > elm > F1"), see [all](result.md) and [one](result.md "One").', "utf-8"
    )
    filled = figures.fill(document)
    assert filled == 'F1 is [.912](result.md "Scores > elm > F1"), see [all](result.md) and [one](result.md "One").'
    document.write_text('[1](result.md "Scores > elm > Recall")', "utf-8")
    with pytest.raises(SystemExit, match="has no figure"):
        figures.fill(document)


@pytest.mark.parametrize("path", figures.list_documents(), ids=lambda path: str(path.name))
def test_quoted_figures_are_those_of_the_results(path: Path) -> None:
    assert figures.fill(path) == path.read_text("utf-8"), "run  python benchmarks/figures.py"
