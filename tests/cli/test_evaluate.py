"""`duramen evaluate` from end to end."""

from __future__ import annotations

import json
import sys

import pytest

from duramen import methods
from duramen.cli import main
from duramen.evaluation import Extractor, peers
from duramen.evaluation.sets import DATA_VARIABLE


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(DATA_VARIABLE, raising=False)


@pytest.fixture
def trees(make_set):
    return str(make_set([{"id": name, "site": f"site-{name}", "type": "article"} for name in "abc"]))


def test_it_prints_a_leaderboard_and_writes_its_files(trees, tmp_path, capsys):
    assert main(["evaluate", trees, "--method", methods.DEFAULT]) == 0
    out = capsys.readouterr().out
    assert out.split("\n")[1].split()[:2] == [methods.DEFAULT, "3"]
    assert "\x1b" not in out
    folder = tmp_path / "evaluation-results"
    assert sorted(path.name for path in folder.iterdir()) == ["f1.png", "leaderboard.md", "results.json"]
    assert json.loads((folder / "results.json").read_text("utf-8"))["pages_scored"] == 3


def test_all_methods_run_by_default(trees, capsys):
    assert main(["evaluate", trees, "--no-picture", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in methods.names())


def test_no_time_and_no_picture(trees, tmp_path, capsys):
    arguments = ["--no-time", "--no-picture", "-o", "there", "--method", methods.DEFAULT]
    assert main(["evaluate", trees, *arguments]) == 0
    assert "ms/page" not in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["leaderboard.md", "results.json"]


def test_the_picture_may_have_another_name(trees, tmp_path):
    assert main(["evaluate", trees, "--method", methods.DEFAULT, "--picture", "box.svg"]) == 0
    assert (tmp_path / "evaluation-results" / "box.svg").read_text("utf-8").startswith("<?xml")


def test_the_scores_to_check_in_have_no_times(trees, tmp_path):
    assert main(["evaluate", trees, "--method", methods.DEFAULT, "--no-picture", "--write-scores", "scores.md"]) == 0
    text = (tmp_path / "scores.md").read_text("utf-8")
    assert f"| {methods.DEFAULT} | 3 |" in text
    assert "ms/page" not in text


def test_a_bare_name_is_looked_for_in_the_data_folder(trees, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    monkeypatch.chdir("/")
    assert main(["evaluate", "trees", "--no-picture", "-o", str(tmp_path / "o"), "--method", methods.DEFAULT]) == 0
    assert "3 pages of trees" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "there is no set 'nowhere'"),
        (["{trees}", "--method", "ekon"], "did you mean 'econ'"),
        (["{trees}", "--metric", "f2"], "there is no metric 'f2'"),
        (["{trees}", "--metric", "ms", "--no-time"], "--metric ms is a time"),
        (["{trees}", "--lang", "de"], "no page is of these"),
        (["{trees}", "--picture", "f1.gif"], "must have a name that ends in .png or .svg"),
        (["{trees}", "-o", "{trees}/manifest.jsonl"], "give -o another name"),
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(trees, arguments, message, capsys):
    assert main(["evaluate", *(argument.format(trees=trees) for argument in arguments)]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""


def test_pages_without_gold_are_counted(make_set, capsys):
    folder = make_set([{"id": "a"}, {"id": "b", "text": None}])
    assert main(["evaluate", str(folder), "--no-picture", "--method", methods.DEFAULT]) == 0
    assert "left out, because they have no reference text: 1 page\n" in capsys.readouterr().err


def test_a_set_without_any_gold_is_wrong_usage(make_set, capsys):
    assert main(["evaluate", str(make_set([{"id": "b", "text": None}]))]) == 2
    assert "reference text" in capsys.readouterr().err


def test_a_page_that_cannot_be_read_is_named(trees, tmp_path, capsys):
    (tmp_path / "trees" / "html" / "b.html.gz").unlink()
    assert main(["evaluate", trees, "--no-picture", "--method", methods.DEFAULT, "--write-scores", "s.md"]) == 1
    told = capsys.readouterr()
    assert "the page 'b'" in told.err
    assert "2 pages of trees" in told.out
    assert not (tmp_path / "s.md").exists()


def fake(monkeypatch, run):
    monkeypatch.setattr("duramen.evaluation.get_extractor", lambda name, prepare: Extractor(name, run))


def test_failures_are_named_at_the_end(trees, monkeypatch, capsys):
    def fail(raw, example):
        raise ValueError("no leaves on this" if example.id == "a" else "no leaves on that")

    fake(monkeypatch, fail)
    assert main(["evaluate", trees, "--no-picture", "--method", "fake"]) == 0
    told = capsys.readouterr().err
    assert "fake failed on 1 page, trees/a the first: ValueError: no leaves on this" in told
    assert "fake failed on 2 pages, trees/b the first: ValueError: no leaves on that" in told


def test_ctrl_c_leaves_what_was_scored(trees, tmp_path, monkeypatch, capsys):
    def stop_at_c(raw, example):
        if example.id == "c":
            raise KeyboardInterrupt
        return example.text

    fake(monkeypatch, stop_at_c)
    assert main(["evaluate", trees, "--no-picture", "--method", "fake", "--write-scores", "scores.md"]) == 130
    assert "PARTIAL, stopped by hand: 2 pages" in capsys.readouterr().out
    assert json.loads((tmp_path / "evaluation-results" / "results.json").read_text("utf-8"))["partial"] is True
    assert not (tmp_path / "scores.md").exists()


def test_ctrl_c_before_the_first_page(trees, monkeypatch, capsys):
    def stop(raw, example):
        raise KeyboardInterrupt

    fake(monkeypatch, stop)
    assert main(["evaluate", trees, "--no-picture", "--method", "fake"]) == 130
    assert "before a page was scored" in capsys.readouterr().err


def test_missing_peers_are_named_and_the_others_run(trees, monkeypatch, capsys):
    monkeypatch.setattr(peers, "missing", lambda: ["trafilatura"])
    seen = []
    monkeypatch.setattr(
        "duramen.evaluation.get_extractor",
        lambda name, prepare: seen.append(name) or Extractor(name, lambda raw, example: ""),
    )
    assert main(["evaluate", trees, "--no-picture", "--method", "fake", "--peers"]) == 0
    assert "without trafilatura: this needs trafilatura" in capsys.readouterr().err
    assert seen == ["fake", *(name for name in peers.names() if name != "trafilatura")]


def test_no_peer_at_all_names_the_extra(trees, monkeypatch, capsys):
    monkeypatch.setattr(peers, "missing", peers.names)
    assert main(["evaluate", trees, "--peers"]) != 0
    assert "duramen[peers]" in capsys.readouterr().err


def test_without_matplotlib_a_message_replaces_the_picture(trees, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["evaluate", trees, "--method", methods.DEFAULT]) == 0
    assert "no picture: this needs matplotlib" in capsys.readouterr().err
    assert not (tmp_path / "evaluation-results" / "f1.png").exists()


def test_several_processes_score_the_same(trees, tmp_path):
    for jobs in "12":
        options = ["--no-picture", "--no-time", "-o", jobs, "--method", methods.DEFAULT, "--jobs", jobs]
        assert main(["evaluate", trees, *options]) == 0
    assert (tmp_path / "1" / "results.json").read_bytes() == (tmp_path / "2" / "results.json").read_bytes()


def test_several_processes_have_no_times(trees, capsys):
    assert main(["evaluate", trees, "--no-picture", "--method", methods.DEFAULT, "--jobs", "2"]) == 0
    assert "ms/page" not in capsys.readouterr().out
