"""The script that repeats the experiments of the paper."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "regions_paper.py"


def test_a_folder_without_the_data_sets_is_refused_with_a_message(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "it has no records-yamada-dev" in done.stderr
    assert "Traceback" not in done.stderr
