"""Marks and fixtures as partial gold: for evaluation, for training, and as a case of the tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.add_fixture import add_fixture

import duramen
from duramen.errors import InputError
from duramen.evaluation import read_set
from duramen.evaluation.run import make_reference
from duramen.evaluation.score import score
from duramen.training.auto.train import AutoTraining, TrainingSettings, read_training_set

PAGE = (
    "<title>Oak</title><nav><a href=/>Home page</a></nav>"
    "<article><p>The <b>oak</b>, an old tree, stands in the yard.</p>"
    "<p>It grows for five hundred years and more.</p></article><footer><p>All rights reserved by the yard.</p></footer>"
)
MARKS = {
    "id": "oak",
    "html": "elsewhere/oak.html",
    "must": ["The oak, an old tree, stands in the yard."],
    "must_not": ["All rights reserved by the yard.", "Home page"],
}


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    (tmp_path / "oak.html").write_text(PAGE, "utf-8")
    path = tmp_path / "oak.marks.json"
    path.write_text(json.dumps(MARKS), "utf-8")
    return path


def test_marks_are_a_set_of_one_page(marks: Path) -> None:
    (example,) = read_set(marks)
    assert example.is_partial
    assert example.set == "oak.marks"
    assert example.read().decode() == PAGE


def test_a_fixture_has_its_page_inside(marks: Path) -> None:
    (marks.parent / "oak.html").unlink()
    marks.write_text(json.dumps(MARKS | {"source": PAGE}), "utf-8")
    (example,) = read_set(marks)
    assert example.read().decode() == PAGE


def test_bad_marks_are_refused_in_words(marks: Path) -> None:
    marks.write_text("[1]", "utf-8")
    with pytest.raises(InputError, match="is not an object with an id"):
        read_set(marks)
    marks.write_text("{", "utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        read_set(marks)


@pytest.mark.parametrize(
    ("text", "precision", "recall"),
    [
        ("The oak, an old tree, stands in the yard. Whatever else.", 1.0, 1.0),
        ("The oak, an old tree, stands in the yard.\nHome page", 9 / 11, 1.0),
        ("Home page", 0.0, 0.0),
        ("Something that is not marked", 0.0, 0.0),
    ],
)
def test_only_marked_texts_count(marks: Path, text: str, precision: float, recall: float) -> None:
    (example,) = read_set(marks)
    scored = score(make_reference(example, example.read()), text)
    assert scored.words.precision == pytest.approx(precision)
    assert scored.words.recall == pytest.approx(recall)


def test_training_weighs_marked_blocks_alone(marks: Path) -> None:
    examples = read_set(marks)
    settings = TrainingSettings(folds=2)
    read = read_training_set(examples, settings, lambda: None)
    (page,) = read.groups[0]
    assert page.known is not None
    assert page.known.tolist() == [True, True, False, True]
    assert page.labels.tolist() == [0.0, 1.0, 0.0, 0.0]
    weights = AutoTraining(read, settings).weigh_blocks(page)
    assert (weights > 0.0).tolist() == page.known.tolist()
    assert read.pages == []  # the dictionary is learned from pages that are known as a whole


def test_a_fixture_becomes_a_case(marks: Path, tmp_path: Path) -> None:
    marks.write_text(json.dumps(MARKS | {"source": PAGE, "url": "https://yard.example/oak"}), "utf-8")
    folder = add_fixture(marks, "oak-in-the-yard", tmp_path / "pages")
    case = json.loads((folder / "case.json").read_text("utf-8"))
    assert case["must"] == MARKS["must"]
    assert case["url"] == "https://yard.example/oak"
    assert (folder / "page.html").read_text("utf-8") == PAGE
    assert (folder / "expected" / "text.txt").read_text("utf-8") == duramen.extract(PAGE).text + "\n"
    with pytest.raises(SystemExit, match="exists already"):
        add_fixture(marks, "oak-in-the-yard", tmp_path / "pages")
    with pytest.raises(SystemExit, match="no name of a case"):
        add_fixture(marks, "../oak", tmp_path / "pages")
