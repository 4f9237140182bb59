"""`duramen render`, and the boxes of other verbs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from duramen.dom.page import Page
from duramen.errors import NoBrowserError
from duramen.rendering.boxes import Boxes, fingerprint
from duramen.rendering.find_browser import find_browser

if TYPE_CHECKING:
    from tests.cli.conftest import Run


@pytest.fixture
def chromium() -> None:
    try:
        find_browser()
    except NoBrowserError:
        pytest.skip("no Chromium here")


@pytest.fixture
def no_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURAMEN_CHROMIUM", "no-such-browser")


def made_up(path: Path) -> Boxes:
    """Boxes for a page that no browser has seen."""
    tree = Page.parse(path.read_bytes()).tree
    return Boxes(fingerprint(tree), tuple((0.0, 0.0, 1.0, 1.0) for _ in tree.tag), (1280, 1024))


@pytest.mark.usefixtures("chromium")
def test_boxes_are_written_and_fit_their_page(page: Path, run: Run) -> None:
    assert run("render", page, "-o", "page.boxes.json").status == 0
    boxes = Boxes.load("page.boxes.json")
    assert any(boxes.on(Page.parse(page.read_bytes())).tree.box or ())
    assert boxes.browser


@pytest.mark.usefixtures("chromium")
def test_a_folder_of_pages_becomes_a_folder_of_boxes(pages: Path, run: Run) -> None:
    (pages / "bad.html").write_bytes(b"%PDF-1.4 ...")
    outcome = run("render", pages, "-o", "boxes")
    assert outcome.status == 1
    assert "bad.html" in outcome.err
    assert sorted(path.name for path in Path("boxes").rglob("*.json")) == [
        "ash.boxes.json",
        "ash.boxes.json",
        "beech.boxes.json",
    ]


@pytest.mark.usefixtures("chromium")
def test_several_pages_on_standard_output_are_lines_of_json(pages: Path, run: Run) -> None:
    lines = [json.loads(line) for line in run("render", pages).out.splitlines()]
    assert [Path(line["input"]).name for line in lines] == ["ash.html", "beech.htm", "ash.html"]
    assert all(line["boxes"] for line in lines)


@pytest.mark.usefixtures("chromium")
def test_the_page_that_scripts_make_is_written(folder: Path, run: Run) -> None:
    (folder / "page.html").write_text("<p>a</p><script>document.body.append('by a script')</script>")
    outcome = run("render", "page.html", "--scripts", "--format", "html")
    assert outcome.status == 0
    assert outcome.out.count("by a script") == 2


def test_boxes_with_scripts_are_refused(page: Path, run: Run) -> None:
    outcome = run("render", page, "--scripts")
    assert outcome.status == 2
    assert "--format html" in outcome.err


@pytest.mark.usefixtures("no_chromium")
@pytest.mark.parametrize("verb", [("render",), ("extract", "--render")])
def test_without_chromium_the_error_explains_the_installation(verb: tuple[str, ...], page: Path, run: Run) -> None:
    outcome = run(*verb, page)
    assert outcome.status == 1
    assert "apt install chromium" in outcome.err
    assert outcome.out == ""


@pytest.mark.usefixtures("no_chromium")
def test_kept_boxes_need_no_browser(page: Path, run: Run) -> None:
    made_up(page).save("page.boxes.json")
    outcome = run("extract", page, "--boxes", "page.boxes.json")
    assert outcome.status == 0
    assert "The heartwood of oak" in outcome.out


@pytest.mark.usefixtures("no_chromium")
def test_boxes_in_a_folder_are_matched_by_page_and_not_by_name(pages: Path, run: Run) -> None:
    for number, path in enumerate(sorted(pages.rglob("*.htm*"))):
        boxes = Path("boxes", f"{number}.boxes.json")
        boxes.parent.mkdir(exist_ok=True)
        made_up(path).save(boxes)
    assert run("extract", pages, "--boxes", "boxes").status == 0


@pytest.mark.usefixtures("chromium")
def test_a_folder_of_boxes_grows_by_what_is_rendered(page: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("extract", page, "--render", "--boxes", "kept").status == 0
    (kept,) = Path("kept").iterdir()
    before = kept.stat().st_mtime_ns
    assert run("extract", page, "--render", "--boxes", "kept").status == 0
    assert kept.stat().st_mtime_ns == before


@pytest.mark.usefixtures("no_chromium")
def test_methods_are_scored_with_boxes(folder: Path, run: Run) -> None:
    items = "<li><p>one</p></li><li><p>two</p></li><li><p>three</p></li>"
    set_of_one = folder / "results"
    (set_of_one / "html").mkdir(parents=True)
    page = set_of_one / "html" / "a.html"
    page.write_text(f"<h1>Results</h1><ol>{items}</ol>")
    gold = {"id": "a", "html": "html/a.html", "records_xpath": "//li", "head_only": False}
    (set_of_one / "manifest.jsonl").write_text(json.dumps(gold))
    (folder / "boxes").mkdir()
    made_up(page).save("boxes/a.boxes.json")
    exact = []
    for options in ([], ["--boxes", "boxes"]):
        outcome = run("evaluate", set_of_one, "--method", "rendered-region", "--no-time", *options)
        assert outcome.status == 0
        exact.append(outcome.out.splitlines()[-1].split()[1])
    assert exact == ["0.000", "1.000"]


def test_boxes_of_another_page_are_refused(page: Path, pages: Path, run: Run) -> None:
    made_up(pages / "ash.html").save("ash.boxes.json")
    outcome = run("extract", page, "--boxes", "ash.boxes.json")
    assert outcome.status == 1
    assert "another page" in outcome.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--boxes", "nowhere"], "no nowhere"),
        (["--boxes", "nowhere.boxes.json"], "cannot be read"),
        (["--boxes", "page.boxes.json", "--render"], "choose one"),
        (["--boxes", "page.boxes.json", "other.html"], "name a folder"),
    ],
)
def test_options_that_cannot_be_fulfilled_are_reported(options: list[str], said: str, page: Path, run: Run) -> None:
    made_up(page).save("page.boxes.json")
    outcome = run("extract", *options, page)
    assert outcome.status in (1, 2)
    assert said in outcome.err
    assert outcome.out == ""
