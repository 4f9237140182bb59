from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from duramen.cli import main
from duramen.evaluation.metadata import FieldTally, is_near, is_right


@pytest.mark.parametrize(
    ("field", "gold", "said", "right", "near"),
    [
        ("title", "Oaks & elms", "oaks, elms!", True, True),
        ("title", "Of old oaks and elms", "Of old oaks and the elms", False, True),
        ("title", "Oaks", "Elms", False, False),
        ("author", "Jane Doe, MD", "Jane Doe", True, True),
        ("author", "Jane Doe, John Roe", "John Roe; Jane Doe", True, True),
        ("author", "Jane Doe and John Roe", "Jane Doe", False, True),
        ("author", "Jane Doe", None, False, False),
        ("date", "2024-03-05", "2024-03-05", True, True),
        ("date", "2024-03", "2024-03-05", True, True),
        ("date", "2024-03-05", "2024-03-06", False, False),
    ],
)
def test_what_is_right_and_near(field: str, gold: str, said: str | None, right: bool, near: bool) -> None:
    assert (is_right(field, gold, said), is_near(field, gold, said)) == (right, near)


def test_a_value_for_a_field_without_reference_is_wrong() -> None:
    tally = FieldTally()
    tally.add("author", None, "Jane Doe")
    tally.add("author", None, None)
    tally.add("author", "Jane Doe", None)
    assert (tally.pages, tally.silent, tally.without, tally.false) == (1, 1, 2, 1)


def test_the_command_prints_a_table_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "trees"
    (folder / "html").mkdir(parents=True)
    page = "<title>Of oaks</title><h1>Of oaks</h1><p>Text."
    (folder / "html" / "a.html.gz").write_bytes(gzip.compress(page.encode()))
    (folder / "manifest.jsonl").write_text(json.dumps({"id": "a", "title": "Of oaks"}) + "\n", "utf-8")
    scores = tmp_path / "scores.md"
    assert main(["evaluate", str(folder), "--metadata", "--no-time", "--write-scores", str(scores)]) == 0
    assert "duramen      title" in capsys.readouterr().out.replace("duramen  title", "duramen      title")
    assert "| duramen | title | 1 | 1.000 |" in scores.read_text("utf-8")


def test_a_set_without_gold_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.jsonl").write_text('{"id": "a"}\n', "utf-8")
    assert main(["evaluate", str(tmp_path), "--metadata"]) == 2
    assert "reference title" in capsys.readouterr().err
