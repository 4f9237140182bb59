"""What an evaluation says: tables, JSON, picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

from duramen.errors import UsageError
from duramen.evaluation import Extractor, evaluate, read_set
from duramen.evaluation.as_json import as_json, dumps
from duramen.evaluation.columns import METRICS, metric, ordered
from duramen.evaluation.leaderboard import BARE_PARSE, markdown, plain_table, terminal_table
from duramen.evaluation.picture import draw

HALF = Extractor("half", lambda raw, example: example.text[: len(example.text) // 2])
ALL = Extractor("all", lambda raw, example: example.text)
FAILS = Extractor("fails", lambda raw, example: [][1])


@pytest.fixture
def results(make_set):
    rows = [
        {"id": "a", "site": "s", "type": "article", "lang": "en"},
        {"id": "b", "site": "s", "type": "forum", "must": ["oak"]},
    ]
    return evaluate(read_set(make_set(rows)), [HALF, ALL, FAILS])


def test_the_plain_table_is_aligned_and_ordered(results):
    lines = plain_table(results, "f1", timed=True).split("\n")
    assert [line.split()[0] for line in lines[:5]] == ["method", "all", "half", "fails", "lexbor"]
    assert len({len(line) for line in lines[:5]}) == 1
    assert max(map(len, lines)) <= 120


def test_the_plain_table_has_no_control_characters(results):
    assert all(c.isprintable() or c == "\n" for c in plain_table(results, "f1", timed=True))


def test_a_partial_table_says_so(results):
    results.partial = True
    assert "PARTIAL" in plain_table(results, "f1", timed=True)
    assert "PARTIAL" in markdown(results, "f1", timed=True)


def test_the_terminal_has_the_same_cells(results):
    table = terminal_table(results, "f1", timed=True)
    cells = [list(column.cells) for column in table.columns]
    assert cells[0] == ["all", "half", "fails", BARE_PARSE]
    assert table.columns[4].header == "F1"
    assert cells[4][0] == "1.00"


@pytest.mark.parametrize("name", list(METRICS))
def test_a_table_can_be_ordered_by_every_metric(results, name):
    rows = ordered(results.leaderboard(), metric(name))
    assert {row.extractor for row in rows} == {"all", "half", "fails"}
    assert plain_table(results, name, timed=True)


def test_less_is_better_for_some_metrics(results):
    assert [row.extractor for row in ordered(results.leaderboard(), metric("failures"))][-1] == "fails"


def test_an_unknown_metric_is_told_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'bigrams'"):
        metric("bigram")


def test_markdown_has_every_metric_and_the_groups(results):
    text = markdown(results, "f1", timed=True)
    for column in METRICS.values():
        assert f" {column.title} |" in text
    assert "| method | article (1) | forum (1) |" in text
    assert "| method | ? (1) | en (1) |" in text


def test_markdown_without_times_is_the_same_every_time(results, make_set):
    again = evaluate(read_set(make_set([], name="x").parent / "trees"), [HALF, ALL, FAILS])
    assert markdown(results, "f1", timed=False) == markdown(again, "f1", timed=False)
    assert "ms/page" not in markdown(results, "f1", timed=False)


def test_markdown_tables_are_tables(results):
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(markdown(results, "f1", timed=True))
    assert sum(token.type == "table_open" for token in tokens) == 3


def test_json_has_it_all(results):
    found = json.loads(dumps(results))
    assert [row["method"] for row in found["leaderboard"]] == ["all", "half", "fails"]
    assert found["leaderboard"][0]["words"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert found["by_site"]["trees/s"]["all"]["pages"] == 2
    assert set(found["by_type"]) == {"article", "forum"}
    assert set(found["by_lang"]) == {"en", "?"}
    assert set(found["by_set"]) == {"trees"}
    assert len(found["pages"]) == 6
    assert [failure["error"] for failure in found["failures"]] == ["IndexError: list index out of range"] * 2
    assert found["partial"] is False


def test_the_json_text_is_the_object(results):
    assert json.loads(dumps(results)) == json.loads(json.dumps(as_json(results)))


def test_the_picture_is_a_png(results, tmp_path):
    draw(results.leaderboard(), "title", tmp_path / "f1.png")
    assert (tmp_path / "f1.png").read_bytes().startswith(b"\x89PNG")


def test_the_picture_is_an_svg_when_its_name_ends_so(results, tmp_path):
    draw(results.leaderboard(), "title", tmp_path / "f1.svg")
    first = (tmp_path / "f1.svg").read_bytes()
    assert ElementTree.fromstring(first).tag.endswith("svg")
    draw(results.leaderboard(), "title", tmp_path / "f1.svg")
    assert (tmp_path / "f1.svg").read_bytes() == first


def test_another_kind_of_picture_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"must end in \.png or \.svg"):
        draw([], "title", tmp_path / "f1.gif")
