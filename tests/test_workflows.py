"""The workflow files of the hosting service are valid, and run the same commands as a developer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_matches_the_schema(path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_workflow_and_ci_call_make_test() -> None:
    assert "make test" in (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")
