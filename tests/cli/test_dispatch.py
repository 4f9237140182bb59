"""The command as a whole: help, version, the list of methods, the imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import duramen
from duramen import methods
from duramen.build_info import describe_build, explain_build

if TYPE_CHECKING:
    from tests.cli.conftest import Run

SCRIPT = """
import sys
from duramen.cli import main

assert main(["extract", "page.html"]) == 0
print(*sorted(sys.modules), file=sys.stderr)
"""


def test_alone_it_prints_its_help(run: Run) -> None:
    outcome = run()
    assert outcome.status == 0
    assert outcome.out.startswith("usage: duramen")
    assert "examples:" in outcome.out


@pytest.mark.parametrize("verb", [[], ["extract"], ["methods"], ["evaluate"]])
def test_every_help_has_examples(verb: list[str], run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        run(*verb, "--help")
    assert "examples:" in capsys.readouterr().out


def test_the_version_is_printed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        run("--version")
    assert capsys.readouterr().out == f"duramen {duramen.__version__} ({describe_build()}){explain_build()}\n"


def test_an_installation_without_compiled_modules_says_so(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duramen.build_info.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"^0$"):
        run("--version")
    version, advice = capsys.readouterr().out.splitlines()
    assert version.endswith("(pure Python)")
    assert "many times slower" in advice
    assert "C compiler" in advice


def test_an_unknown_verb_is_wrong_usage(run: Run) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        run("extrude")


def test_methods_are_listed_with_their_papers(run: Run) -> None:
    outcome = run("methods")
    assert outcome.status == 0
    for name in methods.names():
        method = methods.get(name)
        assert any(line.startswith(f"{name} ") and method.summary in line for line in outcome.out.splitlines())
        assert method.paper in outcome.out
    assert outcome.out.count("the default") == 1


def test_methods_are_listed_for_a_program(run: Run) -> None:
    rows = json.loads(run("methods", "--format", "json").out)
    assert [row["name"] for row in rows] == methods.names()
    assert [row["name"] for row in rows if row["default"]] == [methods.DEFAULT]
    assert all(row["summary"] for row in rows)


def test_an_unexpected_error_outside_a_page_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def names() -> list[str]:
        raise RuntimeError("out of order")

    monkeypatch.setattr(methods, "names", names)
    assert run("methods") == (1, "", "duramen: unexpected RuntimeError: out of order (--debug shows the traceback)\n")
    assert "Traceback" in run("methods", "--debug").err


def test_ctrl_c_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def names() -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(methods, "names", names)
    assert run("methods") == (130, "", "duramen: stopped\n")


def test_extract_imports_nothing_it_does_not_need(page: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    rooms = {name for name in done.stderr.split() if name.count(".") < 2}
    for heavy in (
        "matplotlib",
        "lightgbm",
        "rich",
        "trafilatura",
        "http.client",
        "duramen.evaluation",
        "duramen.net.fetch",
    ):
        assert heavy not in rooms
