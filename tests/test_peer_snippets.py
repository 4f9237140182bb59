"""The snippets of other libraries in docs/coming-from/ run, where these libraries are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted((ROOT / "docs" / "coming-from").glob("*.md"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_the_snippet_of_the_peer_runs(document: Path, tmp_path: Path) -> None:
    (snippet,) = re.findall(r"^```py\n(.*?)^```", document.read_text("utf-8"), flags=re.M | re.S)
    names = re.findall(r"^(?:import|from) (\w+)", snippet, flags=re.M)
    for name in names:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed (duramen[peers])")
    folder = shutil.copytree(ROOT / "examples", tmp_path / "examples")
    # A process of its own: the other libraries give warnings that these tests would raise.
    done = subprocess.run([sys.executable, "-c", snippet], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
