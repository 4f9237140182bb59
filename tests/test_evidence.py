"""The documents with measurements: their stamps, and whether they are older than the code they measure."""

from __future__ import annotations

import gzip
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import evidence  # noqa: E402
import evidence_stamp as stamps  # noqa: E402


@pytest.mark.parametrize("check", list(evidence.check_documents()), ids=lambda check: str(check.path.name))
def test_a_document_is_current_or_says_that_it_is_stale(check: evidence.Check) -> None:
    hint = "make it again (make evidence), or run  python benchmarks/evidence.py --mark-stale"
    assert check.state != "outdated", f"{check.path} is older than the code that it measures: {hint}"


def test_a_fingerprint_ignores_comments_and_docstrings_only(tmp_path: Path) -> None:
    def code(source: str) -> str:
        path = tmp_path / f"module{len(list(tmp_path.iterdir()))}.py"
        path.write_text(source)
        return stamps.read_code(path)

    plain = code('x = "# no comment"\ndef f():\n    return x\n')
    assert plain == code('"""Doc."""\nx = "# no comment"  # why\n\n\ndef f():\n    """Doc."""\n    return x\n')
    assert plain != code('x = "# another"\ndef f():\n    return x\n')


def test_the_closure_follows_late_imports_and_skips_those_of_type_checkers() -> None:
    found = stamps.find_closure(["duramen.methods.mss.supervised"])
    assert "duramen.methods.mss.tokens" in found  # imported inside a function
    assert "duramen.methods.mss.model" in found
    assert "duramen.methods.mss.tokens" not in stamps.find_closure(
        ["duramen.methods.mss.supervised"], ["duramen.methods.mss"]
    )


def test_a_stamp_is_put_read_and_replaced() -> None:
    text = stamps.put_stamp("# Title\n\nText.\n", "econ", "0123abcd", "python benchmarks/x.py DATA", "every page")
    assert stamps.read_stamp(text) == stamps.Stamp("econ", "0123abcd")
    assert "by `python benchmarks/x.py DATA`: every page." in text
    assert "Machine ratio" in text
    again = stamps.put_stamp(stamps.mark_stale(text), "econ", "4567", "python x.py", "every page")
    assert again.count("Made on") == 1
    assert stamps.read_stale(again) is None
    assert again.endswith("# Title\n\nText.\n")


def test_a_stale_document_says_since_when_and_is_marked_once() -> None:
    text = stamps.mark_stale("# Title\n", "2026-11-18")
    assert stamps.read_stale(text) == "2026-11-18"
    assert stamps.mark_stale(text, "2027-01-01") == text


def test_every_part_has_a_name_of_its_own_and_modules_that_exist() -> None:
    names = [part.name for part in evidence.PARTS]
    assert len(names) == len({*names})
    for part in evidence.PARTS:
        assert part.fingerprint() == part.fingerprint()


def make_tiny_sets(folder: Path) -> None:
    for name, extra in {
        "chinese-dev": {"lang": "zh"},
        "languages-dev": {"lang": "el"},
        "news-world-dev": {"country": "at"},
    }.items():
        (folder / name / "html").mkdir(parents=True)
        rows = []
        for number in range(6):
            story = [f"The oak of yard {number} is old, and {word} remembers it." for word in "nobody she he".split()]
            paragraphs = "".join(f"<p>{sentence}</p>" for sentence in story)
            html = f"<nav><a href=/>Home</a></nav><main>{paragraphs}</main><footer>Contact us</footer>"
            (folder / name / "html" / f"{number}.html.gz").write_bytes(gzip.compress(html.encode()))
            row = {"id": str(number), "html": f"html/{number}.html.gz", "site": f"site{number}", "type": "article"}
            rows.append(json.dumps(row | {"text": "\n".join(story)} | extra))
        (folder / name / "manifest.jsonl").write_text("\n".join(rows) + "\n")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, BENCHMARKS / "evidence.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_a_part_is_made_on_a_sample_and_is_then_current(tmp_path: Path) -> None:
    make_tiny_sets(tmp_path / "sets")
    options: list[str | Path] = [tmp_path / "sets", "--part", "econ", "--sample", "-o", tmp_path / "docs"]
    first = run(*options)
    assert first.returncode == 0, first.stderr
    text = (tmp_path / "docs" / "results" / "econ.md").read_text()
    assert stamps.read_stamp(text) is not None
    assert "## Table II" in text
    assert "econ | 100.0 / 0.0 / 0.0" in text
    second = run(*options)
    assert "0 parts made, 1 were current" in second.stderr


def test_a_part_without_its_sets_is_reported(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    done = run(tmp_path / "sets", "--part", "econ", "-o", tmp_path / "docs")
    assert done.returncode == 1
    assert "has no chinese-dev" in done.stderr
    assert not (tmp_path / "docs" / "results" / "econ.md").exists()


def test_the_machine_ratio_is_that_to_a_recorded_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = json.loads(stamps.REFERENCE.read_text("utf-8"))
    assert reference["date"] >= "2026-11-18"
    monkeypatch.setattr(stamps, "_work", lambda: 3 * reference["seconds"])
    assert stamps.measure_machine() == pytest.approx(3.0)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(evidence.EXTRAS, "peers", ("no_such_module",))
    assert evidence.find_missing_extras(["evaluation", "peers"]) == {"peers": ["no_such_module"]}
    part = evidence.Part("trial", "{python} --version", "trial.md", ("evidence_stamp",), extras=("peers",))
    assert not evidence.Maker(tmp_path, tmp_path).make(part)


def test_parts_that_measure_time_come_last_and_alone() -> None:
    made: list[str] = []

    def make(part: evidence.Part) -> bool:
        made.append(part.name)
        return part.name != "speed"

    assert evidence.make_parts(evidence.PARTS, make, 2) == ["speed"]
    timed = [part.name for part in evidence.PARTS if part.is_timed]
    assert made[-len(timed) :] == timed
    assert sorted(made) == sorted(part.name for part in evidence.PARTS)


def test_status_1_of_a_measurement_is_a_finding_only_with_a_document(tmp_path: Path) -> None:
    script = "import pathlib, sys; {write} sys.exit(1)"
    for name, write in (("written", "pathlib.Path(r'{out}').write_text('# Title\\n');"), ("unwritten", "")):
        command = f'{{python}} -c "{script.format(write=write)}" # {{out}}'
        part = evidence.Part(name, command, f"{name}.md", ("evidence_stamp",), status_is_finding=True)
        assert evidence.Maker(tmp_path, tmp_path).make(part) == (name == "written")
        assert (tmp_path / f"{name}.md").exists() == (name == "written")


def test_what_a_killed_run_has_left_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "trial.new").write_text("# Cut o")
    part = evidence.Part(
        "trial", '{python} -c "raise SystemExit(1)" # {out}', "trial.md", ("evidence_stamp",), status_is_finding=True
    )
    assert not evidence.Maker(tmp_path, tmp_path).make(part)
    assert not (tmp_path / "trial.md").exists()


def test_scores_of_pages_are_read_again_after_a_kill(tmp_path: Path) -> None:
    leaderboard = importlib.import_module("leaderboard")
    part = tmp_path / "set.jsonl"
    leaderboard.cut_broken_line(part)
    part.write_text('{"id": "a"}\n{"id": "b", "sco', "utf-8")
    leaderboard.cut_broken_line(part)
    with part.open("a", encoding="utf-8") as file:
        file.write('{"id": "b"}\n')
    assert [page["id"] for page in leaderboard.read_pages(part)] == ["a", "b"]


def make_printing_part(**options: object) -> evidence.Part:
    command = """{python} -c "print('# Title'); print('{sample}')" """
    return evidence.Part("trial", command, "trial.md", ("evidence_stamp",), prints=True, **options)  # type: ignore[arg-type]


def test_a_sample_is_named_in_the_stamp_and_is_not_enough_for_a_full_run(tmp_path: Path) -> None:
    part = make_printing_part(sample="--every 3", pages="every third page")
    assert evidence.Maker(tmp_path, tmp_path).make(part)
    text = (tmp_path / "trial.md").read_text()
    assert ": every third page.\n" in text
    assert text.endswith("# Title\n--every 3\n")

    def find_state(full: bool) -> list[str]:
        return [check.state for check in evidence.check_documents(tmp_path, [part], full=full)]

    assert (find_state(full=False), find_state(full=True)) == (["current"], ["outdated"])
    assert evidence.Maker(tmp_path, tmp_path, full=True).make(part)
    assert (find_state(full=False), find_state(full=True)) == (["current"], ["current"])
    assert ": every page.\n" in (tmp_path / "trial.md").read_text()


def test_a_document_without_a_stamp_is_outdated(tmp_path: Path) -> None:
    (tmp_path / "trial.md").write_text("# Title\n")
    assert [check.state for check in evidence.check_documents(tmp_path, [make_printing_part()])] == ["outdated"]


def test_notes_around_a_result_are_kept(tmp_path: Path) -> None:
    document = tmp_path / "trial.md"
    document.write_text(f"# Notes\n\n{evidence.BEGIN}\nold\n\n{evidence.END}\nAfterwards.\n")
    assert evidence.Maker(tmp_path, tmp_path).make(make_printing_part(has_notes=True))
    text = document.read_text()
    assert text.startswith("> Made on")
    assert "# Notes\n\n<!-- measured: begin -->\n\n# Title\n\n<!-- measured: end -->\n\nAfterwards.\n" in text
    assert "old" not in text


def test_documents_with_notes_have_a_place_for_the_result() -> None:
    for part in evidence.PARTS:
        if part.has_notes:
            assert "new result" in evidence.put_between_markers(evidence.DOCS / part.document, "new result")


def test_a_fingerprint_covers_modules_written_in_cython() -> None:
    assert "duramen.dom._lexbor" in stamps.find_closure(["duramen.dom.page"])
