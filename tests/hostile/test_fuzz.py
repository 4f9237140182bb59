"""A short run of `benchmarks/fuzz.py` with a fixed seed, and its own failures."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / "fuzz.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_changed_pages_break_nothing(tmp_path: Path) -> None:
    done = run("--pages", "25", "--seconds", "60", "--seed", "3", "--failures", str(tmp_path))
    # Time depends on what else the machine does; `test_scaling.py` counts work.
    failures = [path.read_text("utf-8") for path in tmp_path.glob("*.txt") if not path.name.startswith("slow-")]
    assert failures == [], done.stdout
    assert " pages, " in done.stdout, done.stderr


def test_one_verb_for_each_small_page(tmp_path: Path) -> None:
    done = run("--one-verb", "--pages", "400", "--seconds", "60", "--seed", "3", "--failures", str(tmp_path))
    failures = [path.read_text("utf-8") for path in tmp_path.glob("*.txt") if not path.name.startswith("slow-")]
    assert failures == [], done.stdout
    assert "records wrapper " in done.stdout, done.stderr


def test_a_failure_is_written_with_its_page(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, 'benchmarks'); import fuzz, duramen;"
        "duramen.records = lambda page: 1 / 0;"
        f"sys.argv = ['fuzz', '--pages', '1', '--no-pure', '--failures', {str(tmp_path)!r}]; sys.exit(fuzz.main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert re.search(r"exception: [1-9]", done.stdout)  # every verb that calls it fails
    (page,) = tmp_path.glob("exception-*.html")
    assert "ZeroDivisionError" in page.with_suffix(".txt").read_text("utf-8")
    assert "nothing fails" in run("--replay", str(page)).stdout


def test_atheris_is_named_if_it_is_missing(tmp_path: Path) -> None:
    code = "import sys; sys.modules['atheris'] = None; import fuzz_atheris; sys.exit(fuzz_atheris.main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT / "benchmarks")
    assert done.returncode == 2
    assert done.stderr == "this needs atheris: install it with  pip install atheris\n"
