"""The loop over pages that extract, records and render share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Article, Run


def names_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_bad_page_does_not_stop_the_others(pages: Path, run: Run) -> None:
    (pages / "bad.html.gz").write_bytes(b"junk")
    (pages / "empty.html").write_text("")
    outcome = run("extract", "pages", "missing.html")
    assert outcome.status == 1
    assert outcome.out.count("==>") == 3
    assert outcome.err.splitlines()[-1] == "duramen: of 6 pages, 2 failed and 1 had no content"


def test_quiet_prints_only_failures(pages: Path, run: Run) -> None:
    (pages / "empty.html").write_text("")
    outcome = run("extract", "pages", "missing.html", "--quiet")
    assert outcome.err == "duramen: missing.html: no such file\n"


@pytest.mark.parametrize("target", ["page.html", ".", "./"])
def test_a_page_is_never_overwritten_by_its_content(target: str, page: Path, run: Run, article: Article) -> None:
    outcome = run("extract", "page.html", "-o", target, "--format", "html")
    assert outcome.status == 2
    assert "overwritten" in outcome.err
    assert page.read_text(encoding="utf-8") == article("oak")


def test_outputs_below_the_folder_are_not_read_again(pages: Path, run: Run) -> None:
    for _ in range(2):
        assert run("extract", "pages", "-o", "pages/out", "--format", "html").status == 0
    assert names_below(pages / "out") == ["ash.html", "beech.html", "sub/ash.html"]


def test_a_full_disk_leaves_no_half_file_and_stops_the_run(
    pages: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(source), None, str(target))

    monkeypatch.setattr("os.replace", replace)
    outcome = run("extract", "pages", "-o", "out")
    assert outcome.status == 1
    assert outcome.err == f"duramen: {Path('out/ash.txt')}: cannot be written: No space left on device\n"
    assert names_below(Path("out")) == []


def test_an_impossible_file_name_fails_only_its_page(pages: Path, run: Run) -> None:
    Path("out/ash.txt").mkdir(parents=True)
    outcome = run("extract", "pages", "-o", "out")
    assert outcome.status == 1
    assert f"{Path('out/ash.txt')}: cannot be written: " in outcome.err
    assert names_below(Path("out")) == ["beech.txt", "sub/ash.txt"]
