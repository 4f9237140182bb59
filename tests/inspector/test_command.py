"""`duramen inspect` on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.inspector.conftest import EXAMPLES

import duramen
from duramen.cli import main
from duramen.wrappers import WrapperSet

PAGE = EXAMPLES / "page.html"


def read_data(report: Path) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', report.read_text("utf-8"), re.DOTALL)
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])["report"]
    return data


def test_the_report_is_named_after_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["inspect", str(PAGE)]) == 0
    report = tmp_path / "page.report.html"
    data = read_data(report)
    assert data["page"]["title"] == "Heartwood: the part of a tree that has stopped living"
    assert data["records"] is None
    # Nothing of the page is markup of the report.
    assert report.read_text("utf-8").count("<script") == 2


def test_other_methods_wrappers_gold_and_records(tmp_path: Path) -> None:
    site = sorted((EXAMPLES / "site").rglob("*.html"))
    wrapper = tmp_path / "site.json"
    duramen.learn([duramen.Page.parse(path.read_bytes()) for path in site]).save(wrapper)
    gold = tmp_path / "gold.txt"
    gold.write_text(duramen.extract(site[0]).text, "utf-8")
    output = tmp_path / "report.html"
    command = ["inspect", str(site[0]), "-o", str(output), "--method", "auto,econ", "--records"]
    assert main([*command, "--wrapper", str(wrapper), "--gold", str(gold)]) == 0
    data = read_data(output)
    assert [(one["name"], one["kind"]) for one in data["comparisons"]] == [
        ("gold", "gold"),
        ("econ", "method"),
        ("site.json", "wrapper"),
    ]
    assert data["comparisons"][0]["f1"] == 1.0
    assert all(len(one["shares"]) == len(data["blocks"]["text"]) for one in data["comparisons"])
    assert data["records"] is not None


def test_a_site_model_shows_what_the_site_repeats(tmp_path: Path) -> None:
    site = sorted((EXAMPLES / "site").rglob("*.html"))
    model = tmp_path / "model.json"
    duramen.SiteModel.learn(path.read_bytes() for path in site[1:]).save(model)
    output = tmp_path / "report.html"
    assert main(["inspect", str(site[0]), "-o", str(output), "--site", str(model)]) == 0
    assert max(read_data(output)["blocks"]["repeated"]) >= 1
    assert main(["inspect", str(site[0]), "-o", str(output), "--site", str(model), "--method", "econ"]) == 2


@pytest.mark.parametrize("kind", ["folder", "wrapper", "wrappers"])
def test_a_folder_or_a_wrapper_shows_what_the_site_repeats(kind: str, tmp_path: Path) -> None:
    folder = EXAMPLES / "site"
    pages = [duramen.Page.parse(path.read_bytes()) for path in sorted(folder.rglob("*.html"))]
    known = folder if kind == "folder" else tmp_path / "site.json"
    if kind == "wrapper":
        duramen.learn(pages).save(known)
    elif kind == "wrappers":
        WrapperSet((duramen.learn(pages), duramen.learn(pages[:3]))).save(known)
    output = tmp_path / "report.html"
    assert main(["inspect", str(EXAMPLES / "willow.html"), "-o", str(output), "--site", str(known)]) == 0
    written = output.read_text("utf-8")
    assert "repeated on 5 of 5 pages" in written
    assert ("the wrapper keeps it" in written) == (kind != "folder")
    assert ("the wrapper does not keep it" in written) == (kind != "folder")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a page"),
        (["missing.html"], "missing.html: no such file"),
        ([str(EXAMPLES)], "one page"),
        ([str(PAGE), "--method", "no-method"], "no-method"),
        ([str(PAGE), "--method", "auto,no-method"], "no-method"),
        ([str(PAGE), "--method", "trafilatura"], "use --method auto,trafilatura"),
        ([str(PAGE), "--method", "trafilatura,econ"], "trafilatura is a peer"),
        ([str(PAGE), "--gold", "missing.txt"], "missing.txt"),
        ([str(PAGE), "--wrapper", "missing.json"], "missing.json"),
        (["--serve", str(PAGE)], "leave INPUT"),
    ],
)
def test_mistakes_are_named(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["inspect", *arguments]) in (1, 2)
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("html", "is_warned"), [("<p></p>", True), ("", True), ("<p>Oak.</p>", False)])
def test_a_page_without_words_is_warned_of(
    html: str, is_warned: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(html)
    assert main(["inspect", str(page), "-o", str(tmp_path / "report.html")]) == 0
    assert ("warning: " in (message := capsys.readouterr().err)) == is_warned, message


def test_a_peer_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.evaluation.peers.find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)
    assert main(["inspect", str(PAGE), "--method", "auto,trafilatura"]) == 2
