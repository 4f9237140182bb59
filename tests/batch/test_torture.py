"""Signals to random processes of a run and damage to its shards: the rows are those of a quiet run."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.batch.batch_pages import environment

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by /proc")


def load_torture() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks/torture.py"
    spec = importlib.util.spec_from_file_location("torture", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["torture"] = module  # dataclasses look it up
    spec.loader.exec_module(module)
    return module


def test_a_tortured_run_gives_the_rows_of_a_quiet_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    torture = load_torture()
    figures = torture.torture(pages=200, kills=5, seconds=None, seed=4)
    assert figures.kills == 5
    assert figures.faults == []
    assert (figures.rounds, figures.rows) == (1, 200)
    assert (figures.lost, figures.repeated, figures.different) == (0, 0, 0)
