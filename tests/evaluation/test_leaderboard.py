"""The tables of an evaluation."""

from __future__ import annotations

import pytest

from duramen.errors import UsageError
from duramen.evaluation import Extractor, evaluate, read_set
from duramen.evaluation.leaderboard import (
    BARE_PARSE,
    METRICS,
    get_metric,
    make_markdown,
    make_plain_table,
    make_terminal_table,
    sort_rows,
)

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
    lines = make_plain_table(results, "f1", timed=True).split("\n")
    assert [line.split()[0] for line in lines[:5]] == ["method", "all", "half", "fails", "lexbor"]
    assert len({len(line) for line in lines[:5]}) == 1
    assert max(map(len, lines)) <= 120


def test_the_plain_table_has_no_control_characters(results):
    assert all(c.isprintable() or c == "\n" for c in make_plain_table(results, "f1", timed=True))


def test_a_partial_table_is_marked(results):
    results.partial = True
    assert "PARTIAL" in make_plain_table(results, "f1", timed=True)
    assert "PARTIAL" in make_markdown(results, "f1", timed=True)


def test_the_terminal_has_the_same_cells(results):
    table = make_terminal_table(results, "f1", timed=True)
    cells = [list(column.cells) for column in table.columns]
    assert cells[0] == ["all", "half", "fails", BARE_PARSE]
    assert table.columns[4].header == "F1"
    assert cells[4][0] == "1.00"


@pytest.mark.parametrize("name", list(METRICS))
def test_a_table_can_be_ordered_by_every_metric(results, name):
    rows = sort_rows(results.leaderboard(), get_metric(name))
    assert {row.extractor for row in rows} == {"all", "half", "fails"}
    assert make_plain_table(results, name, timed=True)


def test_less_is_better_for_some_metrics(results):
    assert [row.extractor for row in sort_rows(results.leaderboard(), get_metric("failures"))][-1] == "fails"


def test_for_an_unknown_metric_the_nearest_is_suggested():
    with pytest.raises(UsageError, match="did you mean 'bigrams'"):
        get_metric("bigram")


def test_markdown_has_every_metric_and_the_groups(results):
    text = make_markdown(results, "f1", timed=True)
    for column in METRICS.values():
        assert f" {column.title} |" in text
    assert "| method | article (1) | forum (1) |" in text
    assert "| method | ? (1) | en (1) |" in text


def test_markdown_without_times_is_the_same_every_time(results, make_set):
    again = evaluate(read_set(make_set([], name="x").parent / "trees"), [HALF, ALL, FAILS])
    assert make_markdown(results, "f1", timed=False) == make_markdown(again, "f1", timed=False)
    assert "ms/page" not in make_markdown(results, "f1", timed=False)


def test_markdown_tables_are_tables(results):
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(make_markdown(results, "f1", timed=True))
    assert sum(token.type == "table_open" for token in tokens) == 3
