"""`duramen train mss` from end to end."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.training_sets import interrupt_training, nothing_written, one_line, write_set

from duramen.evaluation.sets import DATA_VARIABLE
from duramen.methods.mss.model import MssModel

if TYPE_CHECKING:
    from tests.cli.conftest import Article, Run

TREES = "oak ash elm yew fir birch beech larch alder hazel".split()

MakeSet = Callable[..., str]


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)


def _read_article(html: str) -> str:
    """Return the text of the article of a page."""
    inner = html.partition("<article>")[2].partition("</article>")[0]
    for tag in ("</p>", "</h1>"):
        inner = inner.replace(tag, "\n")
    return "".join(part.rpartition(">")[2] for part in inner.split("<"))


@pytest.fixture
def make_set(folder: Path, article: Article) -> MakeSet:
    """Write a set of articles on trees, each of its own site, with what the caller changes in every row."""

    def make(name: str = "trees", rows: int = len(TREES), **changes: Any) -> str:
        pages = [(tree, article(tree), _read_article(article(tree))) for tree in TREES[:rows]]
        write_set(folder / name, pages, "example", **changes)
        return name

    return make


def test_it_writes_a_model_and_a_report(run: Run, make_set: MakeSet) -> None:
    outcome = run("train", "mss", make_set(), "-o", "model.npz")
    assert (outcome.status, outcome.err) == (0, "")
    heads = [line.split()[0] for line in outcome.out.splitlines()]
    assert heads == ["pages", "labels", "n-grams", "held", "held", "written"]
    assert outcome.out.startswith("pages        10 of trees (sites: 10; trees)\n")
    assert outcome.out.endswith(f"written      model.npz, {Path('model.npz').stat().st_size:,} bytes\n")
    assert MssModel.load(Path("model.npz")).card["pages"] == 10


def test_the_written_model_can_be_used(run: Run, make_set: MakeSet, page: Path) -> None:
    assert run("train", "mss", make_set(), "-o", "model.npz", "--quiet").status == 0
    outcome = run("extract", page, "--method", "mss-supervised:model=model.npz")
    assert outcome.status == 0
    assert "The heartwood of oak" in outcome.out
    assert "Privacy" not in outcome.out


def test_quiet_prints_nothing(run: Run, make_set: MakeSet) -> None:
    assert run("train", "mss", make_set(), "-o", "model.npz", "--quiet") == (0, "", "")
    assert Path("model.npz").is_file()


def test_show_prints_the_card(run: Run, make_set: MakeSet) -> None:
    run("train", "mss", make_set(), "-o", "model.npz", "--folds", "2", "--smoothing", "0.5")
    outcome = run("train", "mss", "--show", "model.npz")
    assert outcome.status == 0
    card = json.loads(outcome.out)
    assert card["parameters"]["folds"] == 2
    assert card["parameters"]["smoothing"] == 0.5
    assert card["sets"][0]["name"] == "trees"
    assert len(card["scores"]["methods"]["mss-supervised"]["folds"]) == 2


def test_show_reports_a_file_that_is_not_a_model(run: Run, page: Path) -> None:
    outcome = run("train", "mss", "--show", page)
    assert outcome.status == 1
    assert one_line(outcome) == f"{page}: not a model of duramen, or a damaged one: train it again"


def test_pruning_makes_the_model_smaller_and_is_reported(run: Run, make_set: MakeSet) -> None:
    name = make_set()
    run("train", "mss", name, "-o", "whole.npz", "--folds", "0", "--quiet")
    outcome = run("train", "mss", name, "-o", "pruned.npz", "--folds", "2", "--at-least", "3", "--faintest", "0.5")
    assert outcome.status == 0
    assert "pruning      mss-supervised: " in outcome.out
    assert Path("pruned.npz").stat().st_size < Path("whole.npz").stat().st_size


def test_without_folds_there_are_no_scores(run: Run, make_set: MakeSet) -> None:
    outcome = run("train", "mss", make_set(), "-o", "model.npz", "--folds", "0")
    assert "held out" not in outcome.out
    assert MssModel.load(Path("model.npz")).card["scores"] == {}


def test_pages_of_one_site_are_learned_but_not_scored(run: Run, make_set: MakeSet) -> None:
    outcome = run("train", "mss", make_set(site="one"), "-o", "model.npz")
    assert outcome.status == 0
    assert outcome.err.startswith("duramen: no scores: ")


def test_only_articles_are_used_by_default(run: Run, make_set: MakeSet) -> None:
    articles, forums = make_set(), make_set("threads", type="forum")
    options = ["-o", "model.npz", "--folds", "0"]
    assert "pages        10 of" in run("train", "mss", articles, forums, *options).out
    assert "pages        20 of" in run("train", "mss", articles, forums, *options, "--type", "article,forum").out
    assert "pages        20 of" in run("train", "mss", articles, forums, *options, "--type", "all").out


def test_limit_takes_the_first_sites(run: Run, make_set: MakeSet) -> None:
    assert "pages        4 of" in run("train", "mss", make_set(), "-o", "m.npz", "--folds", "0", "--limit", "4").out


def test_a_set_named_twice_is_read_once(run: Run, make_set: MakeSet) -> None:
    name = make_set()
    assert "pages        10 of" in run("train", "mss", name, f"./{name}", "-o", "m.npz", "--folds", "0").out


def test_discarded_pages_are_reported_by_reason(run: Run, make_set: MakeSet) -> None:
    outcome = run("train", "mss", make_set(), make_set("bare", rows=3, text=None), "-o", "m.npz", "--folds", "0")
    assert outcome.status == 0
    assert "discarded    no gold text: 3\n" in outcome.out


def test_an_unreadable_page_is_reported_and_the_rest_is_used(run: Run, make_set: MakeSet) -> None:
    name = make_set()
    Path(name, "html", "elm.html.gz").unlink()
    outcome = run("train", "mss", name, "-o", "model.npz")
    assert outcome.status == 1
    assert outcome.err.startswith("duramen: not used: trees/elm: ")
    assert "pages        9 of" in outcome.out
    assert "discarded    cannot be read: 1\n" in outcome.out


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"rows": 0}, 2, "there is nothing to learn from: the set has no pages"),
        (
            {"text": None},
            2,
            "none of the pages has a reference text to learn from; --semi learns from pages without one",
        ),
        ({"type": "forum"}, 2, "no page is of the type article: choose with --type of forum, or all"),
        ({"text": "Heartwood"}, 1, "no page can be used for training: fewer than 50 words and symbols: 10"),
        ({"text": "Ganz andere"}, 1, "no page can be used for training: no word of the gold text on the page: 10"),
    ],
)
def test_a_set_without_usable_pages_is_reported(
    run: Run, make_set: MakeSet, folder: Path, changes: dict[str, Any], status: int, said: str
) -> None:
    outcome = run("train", "mss", make_set(**changes), "-o", "new/model.npz")
    assert outcome.status == status
    assert one_line(outcome) == said
    assert nothing_written(folder)
    assert not (folder / "new").exists()


def test_a_missing_set_is_reported(run: Run, folder: Path) -> None:
    outcome = run("train", "mss", "nowhere", "-o", "model.npz")
    assert outcome.status == 2
    assert one_line(outcome).startswith("there is no set 'nowhere'")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "there is nothing to learn from: name a set of pages"),
        (["trees"], "no output was named: add -o model.npz"),
        (["trees", "-o", "trees"], "trees is a folder, but a model is a file: give -o another name"),
        (["trees", "-o", "new/"], "new/ is a folder, but a model is a file: give -o another name"),
        (
            ["trees", "-o", "m.npz", "--start", "x.npz"],
            "--start works only with --semi: labeled pages need no model to start from",
        ),
        (
            ["trees", "-o", "m.npz", "--show", "x.npz"],
            "--show prints the card of a model and trains none: leave out the sets and -o",
        ),
        (
            ["--semi", "trees", "-o", "m.npz", "--folds", "2"],
            "--folds is for labeled pages and does not work with --semi",
        ),
        (
            ["--semi", "trees", "-o", "m.npz", "--at-least", "2"],
            "--at-least is for labeled pages and does not work with --semi",
        ),
    ],
)
def test_wrong_usage_is_reported(run: Run, make_set: MakeSet, folder: Path, arguments: list[str], said: str) -> None:
    make_set(rows=1)
    outcome = run("train", "mss", *arguments)
    assert outcome.status == 2
    assert one_line(outcome) == said
    assert nothing_written(folder)


@pytest.mark.parametrize(
    "option",
    ["--folds=1", "--folds=-1", "--at-least=0", "--smoothing=0", "--smoothing=nan", "--most-tags=1.1", "--limit=x"],
)
def test_a_value_that_makes_no_sense_is_refused(run: Run, folder: Path, option: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run("train", "mss", "trees", "-o", "model.npz", option)
    assert caught.value.code == 2


def test_the_family_must_be_named(run: Run, folder: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        run("train")
    assert caught.value.code == 2


def test_debug_may_be_the_last_option(run: Run, make_set: MakeSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.training.mss.label", lambda tokens, gold: 1 / 0)
    name = make_set(rows=1)
    assert "Traceback" not in run("train", "mss", name, "-o", "model.npz").err
    assert "Traceback" in run("train", "mss", name, "-o", "model.npz", "--debug").err


def test_an_output_below_a_file_is_reported_before_work(run: Run, make_set: MakeSet, page: Path) -> None:
    outcome = run("train", "mss", make_set(), "-o", page / "model.npz")
    assert outcome.status == 2
    assert one_line(outcome) == f"{page / 'model.npz'} cannot be written: {page} is not a folder"


def test_a_folder_without_permission_is_reported_before_work(
    run: Run, make_set: MakeSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    outcome = run("train", "mss", make_set(), "-o", "closed/model.npz")
    assert outcome.status == 1
    assert one_line(outcome) == f"closed/model.npz cannot be written: no permission to write in the folder {folder}"
    assert nothing_written(folder)


def test_a_disk_that_fills_leaves_the_old_model(
    run: Run, make_set: MakeSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("model.npz").write_bytes(b"old")

    def fail(file: Any, **arrays: Any) -> None:
        file.write(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numpy.savez_compressed", fail)
    outcome = run("train", "mss", make_set(), "-o", "model.npz", "--folds", "0")
    assert outcome.status == 1
    assert one_line(outcome) == "model.npz: the model cannot be written: no space left on device"
    assert Path("model.npz").read_bytes() == b"old"
    assert [path.name for path in folder.glob("*npz*")] == ["model.npz"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs Unix signals")
def test_ctrl_c_writes_nothing(make_set: MakeSet, folder: Path, environment: dict[str, str]) -> None:
    arguments = ["mss", make_set(), "-o", "new/model.npz"]
    err = interrupt_training("duramen.training.mss", "label", arguments, environment)
    assert err.startswith("duramen: stopped after ")
    assert err.endswith(" of 10 pages; no model was written\n")
    assert err.count("\n") == 1
    assert nothing_written(folder)
    assert not (folder / "new").exists()


def test_semi_learns_from_a_folder_of_pages(run: Run, pages: Path) -> None:
    outcome = run("train", "mss", "--semi", pages, "-o", "semi.npz")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith("pages        3, without labels; sources: 1\n")
    assert len(MssModel.load(Path("semi.npz")).importance)
    assert run("extract", pages / "ash.html", "--method", "mss-semi:model=semi.npz").status == 0


def test_semi_takes_the_sites_of_a_set_for_sources(run: Run, make_set: MakeSet) -> None:
    name = make_set(text=None)
    assert run("train", "mss", "--semi", name, "-o", "semi.npz", "--quiet") == (0, "", "")
    card = json.loads(run("train", "mss", "--show", "semi.npz").out)
    assert sorted(card["sources"]) == sorted(f"trees/{tree}.example" for tree in TREES)


def test_semi_starts_from_the_model_that_is_named(run: Run, make_set: MakeSet) -> None:
    name = make_set()
    run("train", "mss", name, "-o", "start.npz", "--folds", "0")
    assert run("train", "mss", "--semi", name, "--start", "start.npz", "-o", "semi.npz").status == 0
    assert run("train", "mss", "--semi", name, "--start", "nowhere.npz", "-o", "other.npz").status == 1
    assert not Path("other.npz").exists()


def test_semi_skips_files_that_are_not_pages(run: Run, pages: Path) -> None:
    Path("paper.pdf").write_bytes(b"%PDF-1.7 and so on")
    outcome = run("train", "mss", "--semi", pages, "paper.pdf", "missing.html", "-o", "semi.npz")
    assert outcome.status == 1
    assert [line.split(":")[1] for line in outcome.err.splitlines()] == [" paper.pdf", " missing.html"]
    assert MssModel.load(Path("semi.npz")).card["pages"] == 3


def test_semi_without_pages_is_an_error(run: Run, make_set: MakeSet, folder: Path) -> None:
    outcome = run("train", "mss", "--semi", make_set(rows=0), "-o", "semi.npz")
    assert outcome.status == 1
    assert one_line(outcome) == "there are no pages to learn from"
    assert nothing_written(folder)
