"""`duramen train auto` from end to end."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import lightgbm
import numpy as np
import pytest
from tests.cli.training_sets import interrupt_training, nothing_written, one_line, write_set

from duramen.cli import main
from duramen.evaluation.sets import DATA_VARIABLE
from duramen.methods.auto.model import AutoModel

if TYPE_CHECKING:
    from tests.cli.conftest import Run

TREES = "oak ash elm yew fir birch beech larch".split()
SMALL = ("--trees", "5", "--seeds", "3", "--leaves", "4", "--folds", "2")
PLACES = "yard field park lane hill dale ford mill farm wood moor glen".split()

MakeSet = Callable[..., str]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """On sets so small, threads that wait for each other take longer than the work."""
    many = lightgbm.train
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lightgbm, "train", lambda settings, *rest: many({**settings, "num_threads": 1}, *rest))
        yield


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)


def article(tree: str) -> tuple[str, str]:
    """A page with a menu, an article and a footer, of many blocks each, and the text of the article."""
    texts = [
        f"The {tree} of the {place} is number {number}, and people come from afar to see it, in spring above all."
        for number, place in enumerate(PLACES * 2)
    ]
    menu = "".join(f"<li><a href='/{place}'>{place}</a></li>" for place in PLACES)
    paragraphs = "".join(f"<p>{text}</p>" for text in texts)
    head = f"<title>On {tree}</title><nav><ul>{menu}</ul></nav>"
    return f"{head}<div class=post>{paragraphs}</div><ul class=foot>{menu}</ul>", "\n".join(texts)


def thread(tree: str) -> tuple[str, str]:
    """A page of posts, and their text."""
    posts = [f"Post {number} on the {tree}: it says what was said before, and signs it." for number in range(9)]
    items = "".join(f"<li class=post><p>{post}</p></li>" for post in posts)
    return f"<nav><a href=/>Forum</a></nav><ul class=thread>{items}</ul><footer>Terms</footer>", "\n".join(posts)


def write_tree_set(folder: Path, rows: int = len(TREES), **changes: Any) -> str:
    """Write a set of articles (or threads) on trees."""
    make_page = thread if changes.get("type") == "forum" else article
    pages = [(tree, *make_page(tree)) for tree in TREES[:rows]]
    write_set(folder, pages, f"{folder.name}.example", **changes)
    return str(folder)


@pytest.fixture
def make_set(folder: Path) -> MakeSet:
    def make(name: str = "trees", **changes: Any) -> str:
        write_tree_set(folder / name, **changes)
        return name

    return make


class Trained(NamedTuple):
    path: Path
    status: int
    out: str
    err: str


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Articles and threads."""
    folder = tmp_path_factory.mktemp("sets")
    return [write_tree_set(folder / "trees"), write_tree_set(folder / "threads", rows=6, type="forum")]


def train(path: Path, *arguments: str) -> Trained:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["train", "auto", *arguments, "-o", str(path), *SMALL])
    return Trained(path, status, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def trained(sets: list[str], tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Training takes a second or two: most tests look at this one model."""
    return train(tmp_path_factory.mktemp("model") / "model.npz", *sets)


def contents(path: Path) -> dict[str, Any]:
    """All that a model file holds, but for the date in its card."""
    with np.load(path, allow_pickle=False) as archive:
        found = {name: archive[name].tolist() for name in archive.files}
    card = json.loads(found.pop("card"))
    assert card.pop("date")
    return {**found, "card": card}


def test_it_writes_a_model_and_a_report(trained: Trained) -> None:
    assert (trained.status, trained.err) == (0, "")
    *scores, written = trained.out.splitlines()
    assert written == f"written      {trained.path}, {trained.path.stat().st_size:,} bytes"
    heads = [line.partition(":")[0].removeprefix("held out").strip() for line in scores]
    assert heads == ["threads", "threads, forum", "trees", "trees, article", "type of page"]


def test_the_model_has_the_requested_size(trained: Trained) -> None:
    model = AutoModel.load(trained.path)
    assert (len(model.first), len(model.second)) == (3 * 2, 3 * 5)
    assert 15 < len(model.second.value) <= 60
    assert list(model.types) == ["article", "forum"]
    assert model.dictionary["post"] > 0 > model.dictionary["foot"]


def test_the_card_is_shown(run: Run, trained: Trained) -> None:
    outcome = run("train", "auto", "--show", trained.path)
    assert outcome.status == 0
    card = json.loads(outcome.out)
    assert card["pages"] == 14
    assert card["sets"] == [
        {"name": "trees", "credit": "trees", "pages": 8, "sites": 8},
        {"name": "threads", "credit": "threads", "pages": 6, "sites": 6},
    ]
    assert card["parameters"]["folds"] == 2
    assert (card["parameters"]["boosting"]["trees"], card["parameters"]["seeds"]) == (5, 3)
    assert card["scores"]["trees"]["pages"] == 8


def test_sites_that_were_held_out_are_read_well(trained: Trained) -> None:
    assert AutoModel.load(trained.path).card["scores"]["trees"]["f1"] > 0.8


@pytest.mark.parametrize("favor", ["precision", "balance", "recall"])
def test_the_written_model_can_be_used(run: Run, folder: Path, trained: Trained, favor: str) -> None:
    Path("page.html").write_text(article("hazel")[0], "utf-8")
    outcome = run("extract", "page.html", "--method", f"auto:model={trained.path}:favor={favor}")
    assert outcome.status == 0
    assert "The hazel of the glen is number 23" in outcome.out


def test_an_unknown_favor_is_reported(run: Run, page: Path) -> None:
    outcome = run("extract", page, "--method", "auto:favor=speed")
    assert outcome.status == 2
    assert one_line(outcome) == "auto: favor is one of balance, precision, recall, not 'speed'"


def test_trained_again_it_differs_in_nothing_but_the_date(trained: Trained, sets: list[str], folder: Path) -> None:
    again = train(folder / "again.npz", "--quiet", *sets)
    assert (again.status, again.out, again.err) == (0, "", "")
    assert contents(again.path) == contents(trained.path)


def test_another_seed_makes_another_model(trained: Trained, sets: list[str], folder: Path) -> None:
    first, second = contents(trained.path), contents(train(folder / "other.npz", "--seed", "2", *sets).path)
    assert first["card"]["parameters"]["seed"] == 1
    assert second["card"]["parameters"]["boosting"]["seed"] == second["card"]["parameters"]["seed"] == 2
    assert first["look_feature"] != second["look_feature"]


def test_unusable_pages_are_counted_and_the_rest_is_used(run: Run, make_set: MakeSet) -> None:
    name, bare = make_set(), make_set("bare", rows=3, text=None)
    Path(name, "html", "elm.html.gz").unlink()
    asked = [name, f"./{name}", bare, "--limit", "7"]  # the set that is named twice is read once
    outcome = run("train", "auto", *asked, "-o", "model.npz", *SMALL)
    assert outcome.status == 1
    assert outcome.err.startswith("duramen: not used: trees/elm: ")
    assert outcome.err.count("\n") == 1
    card = AutoModel.load(Path("model.npz")).card
    assert (card["pages"], card["unreadable"], card["unusable"]) == (6, 1, 3)
    assert set(card["scores"]) == {"trees", "trees, article", "type of page"}
    assert card["scores"]["trees"]["pages"] == 6


def test_without_lightgbm_the_error_explains_the_installation(
    run: Run, make_set: MakeSet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    outcome = run("train", "auto", make_set(), "-o", "model.npz", *SMALL)
    assert outcome.status == 2
    assert one_line(outcome) == "this needs lightgbm: install it with  pip install 'duramen[training]'"
    assert nothing_written(folder)


def test_too_few_sites_are_reported(run: Run, make_set: MakeSet, folder: Path) -> None:
    outcome = run("train", "auto", make_set(site="one"), "-o", "model.npz", "--folds", "2")
    assert outcome.status == 1
    assert one_line(outcome) == "too few sites to learn from: 1 cannot fill 2 parts; see --folds"
    assert nothing_written(folder)


def test_a_reference_text_that_is_not_on_the_page_is_reported(run: Run, make_set: MakeSet, folder: Path) -> None:
    outcome = run("train", "auto", make_set(text="Quite other words altogether"), "-o", "model.npz", *SMALL)
    assert outcome.status == 1
    assert one_line(outcome) == "no page can be used for training: none has a reference text that occurs on the page"
    assert nothing_written(folder)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "there is nothing to learn from: name a set of pages"),
        (["trees"], "no output was named: add -o model.npz"),
        (["trees", "-o", "trees"], "trees is a folder, but a model is a file: give -o another name"),
        (
            ["trees", "--show", "x.npz"],
            "--show prints the card of a model and trains none: leave out the sets and -o",
        ),
    ],
)
def test_wrong_usage_is_reported(run: Run, make_set: MakeSet, folder: Path, arguments: list[str], said: str) -> None:
    make_set(rows=1)
    outcome = run("train", "auto", *arguments)
    assert outcome.status == 2
    assert one_line(outcome) == said
    assert nothing_written(folder)


def test_a_set_without_gold_is_reported(run: Run, make_set: MakeSet, folder: Path) -> None:
    outcome = run("train", "auto", make_set(text=None), "-o", "model.npz")
    assert outcome.status == 2
    assert one_line(outcome) == "none of the pages has a reference text to learn from"
    assert nothing_written(folder)


@pytest.mark.parametrize("option", ["--folds=1", "--seeds=0", "--trees=0", "--leaves=1", "--seed=-1", "--limit=x"])
def test_a_value_that_makes_no_sense_is_refused(
    run: Run, folder: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        run("train", "auto", "trees", "-o", "model.npz", option)
    assert caught.value.code == 2
    name, _, value = option.partition("=")
    assert f"argument {name}: {value!r} is not a whole number from " in capsys.readouterr().err


def test_show_reports_a_file_that_is_not_a_model(run: Run, page: Path) -> None:
    outcome = run("train", "auto", "--show", page)
    assert outcome.status == 1
    assert one_line(outcome) == f"{page}: not a model of duramen, or a damaged one: train it again"


@pytest.mark.skipif(sys.platform == "win32", reason="needs Unix signals")
def test_ctrl_c_writes_nothing(make_set: MakeSet, folder: Path, environment: dict[str, str]) -> None:
    arguments = ["auto", make_set(), "-o", "new/model.npz", *SMALL]
    err = interrupt_training("duramen.training.auto.train", "label_blocks", arguments, environment)
    assert err == "duramen: stopped before the end; no model was written\n"
    assert nothing_written(folder)
    assert not (folder / "new").exists()
