"""Methods that learn from the pages of a site, scored on pages they have seen, and on pages they have not."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen import methods
from duramen.cli import main
from duramen.errors import InputError
from duramen.evaluation import Example, learned_wrappers, read_set
from duramen.evaluation.sets import DATA_VARIABLE
from duramen.methods.forest.forest import Forest

WORDS = {
    "oak": "bark rings sapwood timber acorn carpenter",
    "lava": "crater ash magma basalt summit tremor",
    "dough": "yeast oven flour crust loaf butter",
    "hive": "honey queen swarm nectar wax drone",
}


def row(topic: str, site: str = "ring", **more: object) -> dict[str, object]:
    lines = [f"The {topic} has {one}, and the {topic} was never without its {one}." for one in WORDS[topic].split()]
    page = (
        f"<html lang=en><head><title>{topic}</title></head><body><div id=nav><a href=/>Home</a></div>"
        f"<div id=story>{''.join(f'<p>{line}</p>' for line in lines)}</div><div id=foot>All rights reserved</div>"
    )
    return {"id": f"{site}-{topic}", "site": site, "text": " ".join(lines), "page": page, **more}


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(DATA_VARIABLE, raising=False)


@pytest.fixture
def ring(make_set) -> Path:
    return make_set([row(topic) for topic in WORDS], name="ring-set")


def examples(count: int, site: str = "s") -> list[Example]:
    return [Example(f"{site}{number}", Path("none"), "set", site) for number in range(count)]


@given(st.integers(2, 40), st.data())
def test_every_page_is_scored_once_after_the_given_number_of_others(count: int, data: st.DataObject) -> None:
    after = data.draw(st.integers(1, count - 1))
    pages = examples(count)
    lessons = learned_wrappers.split_site(pages, after)
    scored = [example.id for lesson in lessons for example in lesson.test]
    assert sorted(scored) == sorted(example.id for example in pages)
    for lesson in lessons:
        assert len({example.id for example in lesson.training}) == after
        assert not {example.id for example in lesson.training} & {example.id for example in lesson.test}


def test_pages_with_a_feed_item_are_learned_from_first_where_that_counts() -> None:
    pages = [
        replace(page, fields={"feed_item": {"title": "x"}} if page.id in ("s4", "s7") else {}) for page in examples(9)
    ]
    for lesson in learned_wrappers.split_site(pages, 2, by_feed=True):
        scored = {page.id for page in lesson.test}
        learned = {page.id for page in lesson.training}
        assert {"s4", "s7"} - scored <= learned


def test_sites_with_too_few_pages_are_named() -> None:
    pages = [*examples(6, "large"), *examples(4, "small"), *examples(2, "pair"), *examples(1, "single")]
    made = learned_wrappers.make_plan(pages, 5)
    assert (made.small_sites, made.single_pages) == (["set/small"], ["set/pair", "set/single"])
    assert len(made.splits) == 6 + 4
    assert list(learned_wrappers.describe_plan(made, 5)) == [
        "fewer than 6 pages, so learned from all but the scored page: set/small",
        "too few pages to learn from, so each is extracted alone: set/pair, set/single",
    ]


def test_all_pages_are_learned_from_and_scored_in_the_protocol_of_the_paper() -> None:
    made = learned_wrappers.make_plan([*examples(3, "a"), *examples(1, "b")], None)
    assert [(len(lesson.training), len(lesson.test)) for lesson in made.splits] == [(3, 3)]
    assert made.single_pages == ["set/b"]


def test_what_was_learned_can_be_sent_to_another_process(ring: Path) -> None:
    pages = read_set(ring)
    method = methods.get("forest")
    assert isinstance(method, Forest)
    taught = pickle.loads(pickle.dumps(learned_wrappers.learn_extractor(method, "forest", pages, 2)))
    text = taught.run(pages[0].read(), pages[0])
    assert "The oak has bark" in text
    assert "rights" not in text


def test_a_lesson_that_fails_fails_on_its_pages(make_set) -> None:
    pages = read_set(make_set([{"id": name, "site": "one", "text": "x", "page": "<p></p>"} for name in "abc"]))
    method = methods.get("forest")
    assert isinstance(method, Forest)
    taught = learned_wrappers.learn_extractor(method, "forest", pages, None)
    with pytest.raises(InputError, match="the 3 pages are all the same"):
        taught.run(pages[0].read(), pages[0])


def test_description_is_the_text_of_the_feed_item(make_set) -> None:
    item = {"title": "Of oaks", "description": "They stand."}
    pages = read_set(make_set([row(topic, feed_item=item) for topic in WORDS]))
    method = methods.get("description")
    assert isinstance(method, Forest)
    taught = learned_wrappers.learn_extractor(method, "description", pages, 2)
    assert taught.run(pages[0].read(), pages[0]) == "Of oaks\n\nThey stand."


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("count", ["2", "all"])
def test_the_command_line_learns_and_scores(ring: Path, count: str, jobs: str, capsys) -> None:
    arguments = ["--method", "forest,econ", "--learn", count, "--no-picture", "--no-time", "--jobs", jobs]
    assert main(["evaluate", str(ring), *arguments]) == 0
    rows = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()[1:3]]
    assert sorted(rows) == ["econ", f"forest (after {count})"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--method", "econ", "--learn", "2"], "--learn is for methods that learn from a site, such as forest"),
        (["--learn", "0"], "'0' is neither a number from 1 up nor all"),
    ],
)
def test_wrong_usage_is_reported(ring: Path, arguments: list[str], sentence: str, capsys) -> None:
    try:
        status = main(["evaluate", str(ring), *arguments])
    except SystemExit as stop:
        status = int(str(stop))
    assert status == 2
    assert sentence in capsys.readouterr().err


def test_methods_that_learn_something_else_are_not_given_samples_of_a_site() -> None:
    names = ["auto", "mss-semi", "forest", "coverage", "sigfeed", "description", "forest:k=5", "trafilatura"]
    assert list(learned_wrappers.find_learners(names)) == ["forest", "coverage", "sigfeed", "description", "forest:k=5"]


def test_a_method_that_trains_a_model_is_scored_without_learning(ring: Path, capsys) -> None:
    arguments = ["--method", "forest,mss-semi", "--learn", "2", "--no-picture", "--no-time"]
    assert main(["evaluate", str(ring), *arguments]) == 0
    rows = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()[1:3]]
    assert sorted(rows) == ["forest (after 2)", "mss-semi"]
