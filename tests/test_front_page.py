"""The tables of README.md are those that `benchmarks/front_page.py` writes from the recorded results."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"


@pytest.fixture
def front_page(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("front_page")


def test_the_tables_are_those_of_the_results(front_page: Any) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    quality = front_page.make_quality(json.loads((RESULTS / "leaderboard.json").read_text("utf-8")))
    speed = front_page.make_speed(json.loads((RESULTS / "speed.json").read_text("utf-8")))
    assert front_page.replace_between(front_page.replace_between(readme, "quality", quality), "speed", speed) == readme


def test_training_data_is_marked(front_page: Any) -> None:
    rows = {"auto": {"version": "1", "f1": 0.99}, "peer": {"version": "2", "f1": 0.5}}
    results = {
        "command": "command",
        "duramen": "1",
        "peers": {"peer": "2"},
        "trained_on": {"auto": {"seen-dev": 0.75}},
        "seed": 1,
        "sets": [
            {"set": name, "pages": 3, "pages_of_set": 3, "date": "2026-11-18", "rows": rows}
            for name in ("seen-dev", "new-dev")
        ],
    }
    quality = front_page.make_quality(results)
    assert "| **auto** | .990 | .990 |" in quality
    assert "| **auto** | .750 | .750† |" in quality
    assert "| peer | .500 | .500 |" in quality


@pytest.mark.parametrize("times_parse", [None, 2.0])
def test_the_leaderboard_has_a_column_of_times_only_if_they_were_measured(
    front_page: Any, times_parse: float | None
) -> None:
    document = importlib.import_module("leaderboard_document")
    row = dict.fromkeys((*document.MEASURES, "correct"), 0.5) | {"failures": 0}
    rows = {"auto": row | {"times_parse": 7.0}, "peer": row | {"times_parse": times_parse}}
    table = document.make_measures_table({"new-dev": {"rows": rows}}, ["auto", "peer"], ["new-dev"])
    assert ("× parse" in table) is (times_parse is not None)
    assert "–" not in table


def test_a_readme_without_markers_is_refused(front_page: Any) -> None:
    with pytest.raises(SystemExit, match="no markers of quality"):
        front_page.replace_between("# duramen\n", "quality", "")
