"""Regions and records against the gold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duramen import methods
from duramen.cli import main
from duramen.dom.tree import Tree
from duramen.errors import InputError
from duramen.evaluation import read_set
from duramen.evaluation.record_values import count_values
from duramen.evaluation.records import (
    ReferenceEntry,
    ReferenceRecords,
    find_container,
    has_records,
    read_records,
    score_entries,
    score_records,
)
from duramen.evaluation.records_results import RecordResults, score_record_pages

ABOUT = "Solid wood and woven paper cord, number {n}, by hand."
ITEM = "<li class='r'><h3><a href='/{n}'>Chair {n}</a></h3><p>{about}</p></li>"
LIST = "<ul id='list'>" + "".join(ITEM.format(n=n, about=ABOUT.format(n=n)) for n in range(8)) + "</ul>"
PAGE = f"<nav><a href=/>Home</a></nav><main><h1>Chairs</h1>{LIST}</main>"


def nodes(tree: Tree, tag: str) -> list[int]:
    return [node for node, name in enumerate(tree.tag) if name == tag]


@pytest.fixture
def tree() -> Tree:
    return Tree.parse(PAGE)


def test_the_region_is_the_lowest_element_around_the_records(tree: Tree) -> None:
    items = nodes(tree, "li")
    assert find_container(tree, items) == nodes(tree, "ul")[0]
    assert find_container(tree, items[:1]) == nodes(tree, "ul")[0]


def test_a_region_around_it_contains_it_and_is_not_it(tree: Tree) -> None:
    gold = ReferenceRecords(tuple(nodes(tree, "li")))
    records = [(node,) for node in nodes(tree, "li")]
    right = score_records(tree, gold, nodes(tree, "ul")[0], records)
    assert (right.exact, right.contained, right.precision, right.recall) == (True, True, 1.0, 1.0)
    around = score_records(tree, gold, tree.body, records)
    assert (around.exact, around.contained) == (False, True)
    assert not score_records(tree, gold, nodes(tree, "nav")[0], []).contained


def test_an_anchor_without_text_marks_the_record_around_it() -> None:
    tree = Tree.parse("<div>" + "".join(f"<a name={n}></a><p>The text of record {n}.</p>" for n in range(3)) + "</div>")
    anchors, texts = nodes(tree, "a"), nodes(tree, "p")
    gold = ReferenceRecords(tuple(anchors), complete=False)
    with_them = score_records(tree, gold, nodes(tree, "div")[0], list(zip(anchors, texts, strict=True)))
    assert (with_them.found, with_them.right) == (3, 3)
    assert score_records(tree, gold, nodes(tree, "div")[0], [(text,) for text in texts]).right == 0


def test_two_records_in_one_are_wrong(tree: Tree) -> None:
    items = nodes(tree, "li")
    pairs = [tuple(items[at : at + 2]) for at in range(0, 8, 2)]
    score = score_records(tree, ReferenceRecords(tuple(items)), nodes(tree, "ul")[0], pairs)
    assert (score.found, score.right) == (4, 0)


def test_half_a_record_is_wrong_if_the_reference_is_complete(tree: Tree) -> None:
    titles = [(node,) for node in nodes(tree, "h3")]
    assert score_records(tree, ReferenceRecords(tuple(nodes(tree, "li"))), nodes(tree, "ul")[0], titles).right == 0


def test_a_head_matches_its_record(tree: Tree) -> None:
    items = [(node,) for node in nodes(tree, "li")]
    gold = ReferenceRecords(tuple(nodes(tree, "a")[1:]), complete=False)
    assert score_records(tree, gold, nodes(tree, "ul")[0], items).right == 8


def test_optional_records_are_neither_right_nor_wrong(tree: Tree) -> None:
    items = nodes(tree, "li")
    gold = ReferenceRecords(tuple(items[1:]), optional=(items[0],))
    for found in (items, items[1:]):
        score = score_records(tree, gold, nodes(tree, "ul")[0], [(node,) for node in found])
        assert (score.precision, score.recall) == (1.0, 1.0)


def test_no_list_is_right_on_a_page_without_list(tree: Tree) -> None:
    assert score_records(tree, ReferenceRecords(()), None, []).exact
    wrong = score_records(tree, ReferenceRecords(()), nodes(tree, "ul")[0], [(nodes(tree, "li")[0],)])
    assert (wrong.exact, wrong.precision) == (False, 0.0)


def test_posts_are_known_by_their_words(tree: Tree) -> None:
    posts = [ReferenceEntry(ABOUT.format(n=n)) for n in range(8)]
    score = score_entries(tree, posts, [(node,) for node in nodes(tree, "li")])
    assert (score.precision, score.recall) == (1.0, 1.0)
    assert score_entries(tree, posts, [(nodes(tree, "ul")[0],)]).recall == 1 / 8


def test_the_body_is_no_right_region_if_no_record_is_right() -> None:
    tree = Tree.parse("".join(f"<div><p>Record {n}</p></div><hr>" for n in range(4)))
    gold = ReferenceRecords(tuple(nodes(tree, "div")))
    assert score_records(tree, gold, tree.body, [(node,) for node in nodes(tree, "div")]).exact
    assert not score_records(tree, gold, tree.body, [(node,) for node in nodes(tree, "hr")]).exact


def test_a_summary_with_the_title_of_the_next_record_is_no_record() -> None:
    tree = Tree.parse("".join(f"<h3>Title {n}</h3><p>A summary that is longer than title {n}</p>" for n in range(4)))
    titles, summaries = nodes(tree, "h3"), nodes(tree, "p")
    gold = ReferenceRecords(tuple(titles), complete=False)
    assert score_records(tree, gold, tree.body, list(zip(titles, summaries, strict=True))).right == 4
    assert score_records(tree, gold, tree.body, list(zip(summaries, titles[1:], strict=False))).right == 0


def test_values_are_compared_with_the_column_that_has_most_of_them() -> None:
    rows: list[dict[str, Any]] = [
        {"title": f"Chair {n}", "link": f"http://a.example/{n}/", "day": f"{n} May 2024", "text": "Oak"} for n in (1, 2)
    ]
    values = [
        {"name": f"Chair {n}", "url": f"https://a.example/{n}", "date": f"2024-05-0{n}", "wood": "Ash"} for n in (1, 2)
    ]
    matches = {place: ReferenceEntry("", value) for place, value in enumerate(values)}
    counts = count_values(rows, matches)
    assert counts == {"name": (2, 2), "url": (2, 2), "date": (2, 2), "wood": (0, 2)}


def test_a_set_of_articles_counts_the_claimed_lists(
    make_set: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "a", "page": PAGE, "type": "article"}, {"id": "b", "page": "<p>None.</p>", "type": "article"}]
    folder = make_set([*rows, {"id": "c", "page": PAGE, "type": "listing"}])
    assert main(["evaluate", str(folder), "--records", "--method", "region", "-o", str(tmp_path / "out")]) == 0
    assert "1 of 2" in capsys.readouterr().out


def test_values_of_entries_are_scored_with_the_columns(make_set: Callable[..., Path], tmp_path: Path) -> None:
    entries = [{"text": f"Chair {n} {ABOUT.format(n=n)}", "title": f"Chair {n}"} for n in range(8)]
    folder = make_set([{"id": "a", "page": PAGE, "records": entries, "text": None}])
    assert main(["evaluate", str(folder), "--records", "--method", "records", "-o", str(tmp_path / "out")]) == 0
    assert '"title": 1.0' in (tmp_path / "out" / "entries.json").read_text()


def test_gold_expressions_may_be_any_xpath(make_set: Callable[..., Path]) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "page": PAGE, "records_xpath": "//h3[a]/.."},
        {"id": "b", "page": PAGE},
        {"id": "c", "page": PAGE, "records_xpath": "//table"},
    ]
    examples = read_set(make_set(rows))
    tree = Tree.parse(PAGE)
    assert has_records(examples)
    assert read_records(examples[0], tree).records == tuple(nodes(tree, "li"))
    assert not read_records(examples[1], tree).records
    with pytest.raises(InputError, match="selects nothing"):
        read_records(examples[2], tree)


def test_a_method_is_scored_on_regions_and_a_record_finder_on_records(make_set: Callable[..., Path]) -> None:
    examples = read_set(make_set([{"id": "a", "page": PAGE, "records_xpath": "//li"}]))
    results = RecordResults()
    for _ in score_record_pages(examples, [(name, methods.get(name)) for name in ("region", "econ")], results):
        pass
    region, econ = results.summaries()
    assert (region.exact, region.precision, region.recall) == (1.0, 1.0, 1.0)
    assert econ.precision is None


def test_the_command_line_scores_such_sets(make_set: Callable[..., Path], tmp_path: Path, capsys: Any) -> None:
    folder = make_set([{"id": "a", "page": PAGE, "records_xpath": "//li", "text": None}])
    status = main(["evaluate", str(folder), "--method", "region", "-o", str(tmp_path / "out")])
    assert status == 0
    assert "region" in capsys.readouterr().out
    assert (tmp_path / "out" / "records.json").is_file()
