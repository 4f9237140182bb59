"""The Markdown of methods is scored against that of a set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from duramen.cli import main
from duramen.errors import InputError, UsageError
from duramen.evaluation import Example, read_set
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.metrics.markdown_parts import read_parts
from duramen.evaluation.structure import (
    StructureRun,
    StructureScore,
    get_markdown_extractor,
    has_markdown,
    score_structure,
    score_structure_pages,
)
from duramen.evaluation.structure_results import StructureResults, compute_interval, make_worst_list

SENTENCES = (
    "The oak stands in the middle of the yard, and nobody remembers who planted it. In autumn its leaves cover the "
    "roof of the shed, the well, and the bench beside the door, and the children of the house sweep them up."
)
PAGE = (
    f"<html><body><nav><a href=/>Home</a></nav><article><h1>The oak</h1><p>{SENTENCES}</p><p>Its <a href=/age>age</a> "
    "is computed so:</p><pre><code>age = rings + 3</code></pre><table><tr><th>tree</th><th>rings</th></tr><tr>"
    f"<td>oak</td><td>400</td></tr></table><p>{SENTENCES.replace('oak', 'elm')}</p></article></body></html>"
)
GOLD = (
    f"# The oak\n\n{SENTENCES}\n\nIts [age](https://e.org/age) is computed so:\n\n```\nage = rings + 3\n```\n\n"
    f"| tree | rings |\n|---|---|\n| oak | 400 |\n\n{SENTENCES.replace('oak', 'elm')}\n"
)
MakeSet = Callable[..., Path]


def score(gold: str, markdown: str) -> StructureScore:
    return score_structure(read_parts(gold), read_parts(markdown))


def test_an_equal_document_is_right_in_all_that_the_reference_has() -> None:
    full = GOLD + "\n- item `c`\n\n![i](i.png) $x$ note[^1]\n\n[^1]: Note.\n"
    assert set(score(full, full).values.values()) == {1.0}
    assert list(score(GOLD, GOLD).values) == [
        "overall",
        "text",
        "code",
        "tables",
        "table structure",
        "headings",
        "links",
    ]
    assert score(GOLD, full).added == ("formulas", "list items", "images", "footnotes", "inline code")


def test_the_overall_score_is_the_mean_of_the_kinds_of_the_reference() -> None:
    values = score("abcd\n\n```\ncode\n```\n", "abcx\n\n```\ncoxx\n```\n\n$formula$").values
    assert values == {"overall": 0.625, "text": 0.75, "code": 0.5}


def test_nothing_is_wrong_everywhere() -> None:
    assert set(score(GOLD, "").values.values()) == {0.0}
    assert score("", GOLD).values == {}


def test_counted_kinds_are_scored_by_f1() -> None:
    assert score("# a\n\n# b", "# a\n\n## b\n\n# c").values["headings"] == pytest.approx(0.4)
    assert score("[a](x) [b](y)", "[a](x)").values["links"] == pytest.approx(2 / 3)


def test_a_failure_is_scored_as_an_empty_document(make_set: MakeSet) -> None:
    def fail(raw: bytes, example: Example) -> str:
        raise ValueError("no")

    folder = make_set(
        [{"id": "a", "markdown": GOLD, "page": PAGE}, {"id": "b", "markdown": GOLD, "html": "missing.gz"}]
    )
    good, failed = score_structure_pages(
        read_set(folder), [Extractor("fails", fail), Extractor("gold", lambda raw, example: GOLD)]
    )
    assert isinstance(good, list)
    assert isinstance(failed, InputError)
    assert [run.error for run in good] == ["ValueError: no", None]
    assert [run.score.values["overall"] for run in good] == [0.0, 1.0]


def test_sites_are_drawn_together() -> None:
    values = [0.0, 1.0] * 50
    low, high = compute_interval(values, [str(number) for number in range(100)])
    assert 0.38 < low < 0.44
    assert 0.56 < high < 0.62
    assert compute_interval(values, ["a", "b"] * 50) == (0.0, 1.0)
    assert compute_interval([0.5], ["a"]) == (0.5, 0.5)


def test_unknown_names_and_wrong_fields_are_refused(make_set: MakeSet) -> None:
    with pytest.raises(UsageError, match="did you mean 'trafilatura'"):
        get_markdown_extractor("trafilatur")
    with pytest.raises(UsageError, match="'justext' that writes Markdown"):
        get_markdown_extractor("justext")
    (example,) = read_set(make_set([{"id": "a", "markdown": ["x"]}]))
    with pytest.raises(InputError, match="'markdown' is not a string"):
        has_markdown(example)


def test_the_command_prints_and_writes_scores(
    make_set: MakeSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_set(
        [
            {"id": "same", "site": "e.org", "url": "https://e.org/a", "markdown": GOLD, "page": PAGE},
            {"id": "other", "site": "f.org", "markdown": "Not on the page\n\n$x$", "page": PAGE},
            {"id": "without", "page": PAGE},
        ]
    )
    results, scores = tmp_path / "results", tmp_path / "scores.md"
    command = ["evaluate", str(folder), "--structure", "--method", "auto,econ", "-o", str(results), "--worst", "1"]
    assert main([*command, "--write-scores", str(scores)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("trees (2 pages)\nkind")
    assert "auto, formulas:\n  0.000  trees/other" in printed
    assert "auto, code:" not in printed  # the only page with code is right
    report = json.loads((results / "structure.json").read_text())
    same = next(page for page in report["pages"] if page["id"] == "same" and page["method"] == "auto")
    assert same["scores"]["code"] == same["scores"]["tables"] == same["scores"]["links"] == 1
    assert [row["kind"] for row in report["sets"]["trees"]["auto"]][:2] == ["overall", "text"]
    added = {row["kind"]: row["added"] for row in report["sets"]["trees"]["auto"]}
    assert added["code"] == 1
    assert scores.read_text() == (results / "structure.md").read_text()
    assert "| overall | 2 |" in scores.read_text()


def test_a_set_without_markdown_is_refused(make_set: MakeSet, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(make_set([{"id": "a"}]))
    assert main(["evaluate", folder, "--structure"]) == 2
    assert "none of the pages has reference Markdown" in capsys.readouterr().err
    assert main(["evaluate", folder, "--worst", "3"]) == 2
    assert "give both" in capsys.readouterr().err


def test_the_worst_pages_come_first_and_right_pages_are_left_out() -> None:
    runs = [
        StructureRun("x", Example(f"page {value}", Path(), set="s"), StructureScore({"text": value}))
        for value in (0.5, 1.0, 0.25, 0.75)
    ]
    assert make_worst_list(StructureResults(runs), 2) == "x, text:\n  0.250  s/page 0.25\n  0.500  s/page 0.5"
    assert make_worst_list(StructureResults(runs[1:2]), 2) == ""
