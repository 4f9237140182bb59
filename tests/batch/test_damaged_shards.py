"""Shards that are lost, cut or changed are noticed and made again; what the run has not written stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.batch.batch_pages import page, rows_of, write_pages

from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.run import Run
from duramen.batch.run_store import Report
from duramen.batch.settings import RunSettings
from duramen.batch.workers.pool import ProgressCounts
from duramen.cli import main
from duramen.errors import InputError, RunError

SETTINGS = RunSettings(method="econ")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_pages(tmp_path / "pages", (page(n) for n in range(60)))


def run(pages: Path, out: Path, settings: RunSettings = SETTINGS, *, form: str | None = None, **more: object) -> Report:
    layout = OutputLayout.choose(str(out), form, text_root=str(pages))
    return Run([str(pages)], layout, settings, 1, **more)(None)  # type: ignore[arg-type]


def saved_report(out: Path) -> dict[str, object]:
    loaded: dict[str, object] = json.loads((out / "_duramen/report.json").read_bytes())
    return loaded


def read_shards(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.glob("part-*"))}


def remove(path: Path) -> None:
    path.unlink()


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


class Saboteur:
    """A listener that damages the first shard as soon as it is there, once or always."""

    def __init__(self, out: Path, damage: object, always: bool = False) -> None:
        self.shard, self.damage, self.always, self.left = out / "part-00000.jsonl.gz", damage, always, True
        self.messages: list[str] = []

    def start(self, total: int | None, size: int, rows: int) -> None: ...

    def update(self, counts: ProgressCounts, size: int) -> None:
        if self.left and self.shard.exists():
            self.damage(self.shard)  # type: ignore[operator]
            self.left = self.always

    def log(self, message: str) -> None:
        self.messages.append(message)


@pytest.mark.parametrize("damage", [remove, halve, flip])
def test_a_shard_damaged_during_the_run_is_made_again(pages: Path, tmp_path: Path, damage: object) -> None:
    run(pages, tmp_path / "whole")
    out = tmp_path / "out"
    saboteur = Saboteur(out, damage)
    report = Run([str(pages)], OutputLayout.choose(str(out)), SETTINGS, 1)(saboteur)
    assert not saboteur.left, "the shard was damaged"
    assert (report.rows, len(report.repaired)) == (60, 1)
    assert read_shards(out) == read_shards(tmp_path / "whole")
    assert str(saved_report(out)["repaired"]).startswith("['part-00000.jsonl.gz (")
    assert any("made again: part-00000.jsonl.gz" in message for message in saboteur.messages)


def test_a_run_whose_shards_always_disappear_ends_with_a_message(pages: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"removed or changed while the run is active: part-00000.jsonl.gz \(missing\)"):
        Run([str(pages)], OutputLayout.choose(str(tmp_path / "out")), SETTINGS, 1)(
            Saboteur(tmp_path / "out", remove, always=True)
        )


@pytest.mark.parametrize(("damage", "verify"), [(remove, False), (halve, False), (flip, True)])
def test_a_shard_damaged_after_the_run_is_made_again(
    pages: Path, tmp_path: Path, damage: object, verify: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["run", str(pages), "-o", str(out), "--method", "econ", "--jobs", "1"]
    assert main(words) == 0
    before = read_shards(out)
    damage(out / "part-00000.jsonl.gz")  # type: ignore[operator]
    capsys.readouterr()
    assert main([*words, *(["--verify"] if verify else [])]) == 0
    output = capsys.readouterr().err
    assert "missing or damaged, and made again: part-00000.jsonl.gz (" in output
    assert "60 rows: 60 with content" in output
    assert read_shards(out) == before
    assert saved_report(out)["finished"] is True
    assert main([*words, "--verify"]) == 0
    assert "already finished (60 rows)" in capsys.readouterr().err


def test_a_changed_bit_is_found_only_with_verify(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(pages, out)
    flip(out / "part-00000.jsonl.gz")
    assert run(pages, out).repaired == []
    assert run(pages, out, verify=True).repaired == ["part-00000.jsonl.gz (changed)"]


def test_a_file_that_took_the_place_of_a_shard_is_kept(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(pages, out)
    (out / "part-00000.jsonl.gz").write_text("precious")
    (out / "notes.part").write_text("precious")
    assert len(run(pages, out).repaired) == 1
    assert len(rows_of(out)) == 60
    assert [path.read_text() for path in (out / "_duramen/damaged").iterdir()] == ["precious"]
    assert (out / "notes.part").read_text() == "precious"


def test_a_shard_that_cannot_be_made_again_is_reported_and_the_others_stay(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(pages, out)
    halve(out / "part-00000.jsonl.gz")
    before = read_shards(out)
    pages.rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"part-00000.jsonl.gz \(.* bytes instead of .*\) cannot be made again"):
        run(pages, out)
    assert read_shards(out) == before


def test_marks_of_duplicates_are_made_again(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", (page(n % 10) for n in range(60)))
    out, settings = tmp_path / "out", RunSettings(method="econ", duplicates="exact")
    report = run(pages, out, settings)
    before = read_shards(out)
    assert report.duplicates == 50
    assert run(pages, out, settings, verify=True).repaired == []
    remove(out / "part-00001.jsonl.gz")
    report = run(pages, out, settings)
    assert (report.duplicates, len(report.repaired)) == (50, 1)
    assert read_shards(out) == before


def test_a_damaged_single_file_is_refused_and_kept(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run(pages, out)
    assert run(pages, out, verify=True).rows == 60
    whole = out.read_bytes()
    flip(out)
    assert run(pages, out).rows == 60
    with pytest.raises(InputError, match="another checksum"):
        run(pages, out, verify=True)
    out.write_bytes(whole + b"{}\n")
    with pytest.raises(InputError, match=r"is not as the run has written it: it has .* bytes instead of"):
        run(pages, out)
    assert out.read_bytes() == whole + b"{}\n"
    assert run(pages, out, overwrite=True).rows == 60
    assert out.read_bytes() == whole


def test_a_text_file_that_disappears_during_the_run_is_written_again(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    saboteur = Saboteur(out, remove)
    saboteur.shard = out / "00000.html.txt"
    layout = OutputLayout.choose(str(out), "files", text_root=str(pages))
    report = Run([str(pages)], layout, SETTINGS, 1)(saboteur)
    assert not saboteur.left
    assert report.repaired == ["part-00000.jsonl (without 00000.html.txt)"]
    assert len(list(out.glob("*.txt"))) == len(rows_of(out / "index.jsonl")) == 60


def test_verify_reports_a_text_file_that_is_gone_after_the_run(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(pages, out, form="files")
    assert run(pages, out, form="files", verify=True).rows == 60
    remove(out / "00007.html.txt")
    with pytest.raises(InputError, match=r"index.jsonl is not as the run .* it names 00007.html.txt, which is gone"):
        run(pages, out, form="files", verify=True)


def test_temporary_files_of_killed_workers_are_hidden_and_removed(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()

    class Left(Saboteur):
        def update(self, counts: ProgressCounts, size: int) -> None:
            (out / ".duramen-0123456789ab.part").touch()
            (out / "_duramen/00007.abcd.lines").touch()

    Run([str(pages)], OutputLayout.choose(str(out)), SETTINGS, 1)(Left(out, remove))
    assert {path.name for path in out.iterdir() if not path.name.startswith("part-")} == {"_duramen"}
    assert not list((out / "_duramen").glob("*.lines"))
