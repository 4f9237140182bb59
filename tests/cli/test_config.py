"""Defaults of options from duramen.toml and pyproject.toml."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run


def test_the_file_gives_the_defaults(run: Run, page: Path) -> None:
    Path("duramen.toml").write_text('[extract]\nformat = "json"\nmethod = "econ"\n')
    assert json.loads(run("extract", page).out)["method"] == "econ"


def test_the_command_line_overrides_the_file(run: Run, page: Path) -> None:
    Path("duramen.toml").write_text('[extract]\nformat = "json"\nlinks = true\n')
    assert run("extract", page, "--format", "text", "--no-links").out == run("extract", page, "--config", "none").out


def test_pyproject_gives_defaults_and_duramen_toml_overrides_it(run: Run, page: Path) -> None:
    Path("pyproject.toml").write_text('[tool.duramen]\nlayers = []\n[tool.duramen.defaults.extract]\nformat = "json"\n')
    assert run("extract", page).out.startswith("{")
    Path("duramen.toml").write_text('[extract]\nformat = "xml"\n')
    assert run("extract", page).out.startswith("<document")


def test_a_project_without_the_table_changes_nothing(run: Run, page: Path) -> None:
    Path("pyproject.toml").write_text("[tool.duramen]\nlayers = []\n")
    assert run("extract", page).status == 0


@pytest.mark.parametrize(
    ("text", "name"),
    [('[tool.duramen.extract]\nformat = "json"\n', "extract"), ('[tool.duramen]\nformat = "json"\n', "format")],
)
def test_a_table_one_level_too_high_is_an_error(text: str, name: str, run: Run, page: Path) -> None:
    Path("pyproject.toml").write_text(text)
    outcome = run("extract", page)
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{name} of [tool.duramen] is not read" in outcome.err
    assert "[tool.duramen.defaults.VERB]" in outcome.err
    assert run("extract", page, "--config", "none").status == 0


def test_the_nearest_folder_above_counts(run: Run, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("duramen.toml").write_text('[extract]\nformat = "json"\n')
    (page.parent / "inner").mkdir()
    monkeypatch.chdir(page.parent / "inner")
    assert run("extract", page).out.startswith("{")


def test_a_file_can_be_named(run: Run, page: Path) -> None:
    Path("mine.toml").write_text('[extract]\nformat = "json"\n')
    assert run("extract", page, "--config", "mine.toml").out.startswith("{")
    assert run("extract", page, "--config=mine.toml").out.startswith("{")
    assert "there is no file other.toml" in run("extract", page, "--config", "other.toml").err


def test_lists_become_values(run: Run, pages: Path) -> None:
    Path("duramen.toml").write_text('[run]\nfields = ["title", "site"]\nexclude = ["*.htm"]\nquiet = true\n')
    assert run("run", pages, "-o", "out.jsonl", "--jobs", "1").status == 0
    rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert [row["source"] for row in rows] == [f"{pages}/ash.html", f"{pages}/sub/ash.html"]
    assert {row["language"] for row in rows} == {None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[extract]\nformt = "json"\n', "no option of extract is named 'formt': did you mean 'format'?"),
        ('[extrct]\nformat = "json"\n', "no verb is named 'extrct': did you mean 'extract'?"),
        ('[extract]\nformat = "pdf"\n', "format of [extract] is 'pdf': choose from text, markdown"),
        ('[extract]\nlinks = "yes"\n', "links of [extract] is true or false, not 'yes'"),
        ("[extract]\ntimeout = -1\n", "timeout of [extract]: '-1' is not a number of seconds above 0"),
        ("[extract]\nformat = [[1]]\n", "choose from text, markdown"),
        ('[extract]\nwrapper = "a.json"\n', "wrapper of [extract] is a list of strings"),
        ('[extract]\nimport = ["os"]\n', "import can only be given on the command line"),
        ('[run]\noverwrite = true\n[extract]\nformat = "pdf"\n', "choose from text"),
        ("extract = 1\n", "[extract] is not a table of options"),
        ("[train.mss]\nfolds = 3\n[extract]\noutput = '/'\n", "output can only be given on the command line"),
        ("[extract\n", "duramen.toml cannot be read"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(text: str, message: str, run: Run, page: Path) -> None:
    Path("duramen.toml").write_text(text)
    outcome = run("extract", page)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_parts_of_train_have_tables_of_their_own(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("duramen.toml").write_text("[train.auto]\ntrees = 7\n")
    with pytest.raises(SystemExit, match=r"^0$"):
        run("train", "--help")
    assert "defaults from duramen.toml: --trees 7" in capsys.readouterr().out


def test_the_help_shows_the_file_and_its_values(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("duramen.toml").write_text('[extract]\nformat = "json"\nimages = false\n')
    with pytest.raises(SystemExit, match=r"^0$"):
        run("extract", "--help")
    assert "defaults from duramen.toml: --format json --no-images" in capsys.readouterr().out
