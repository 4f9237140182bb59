"""A run that an earlier version of the code began is resumed. Its state is stored here as that version wrote it."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from tests.batch.batch_pages import rows_of

import duramen
from duramen.cli import main

MODIFIED_NS = 1_700_000_000_000_000_000
HTML = (
    "<html><body><article>"
    + "<p>The heartwood of an oak is brown and dry, and holds the tree upright.</p>" * 5
    + "</article></body></html>"
)
VERSION = "0.test"
FINGERPRINT = "de0c9b55b819e39ee57070ba73f4ece73ad28272030525c41aab10ff43d0dce8"
"""Of the settings below and VERSION."""
SETTINGS = {
    "method": "econ",
    "format": "text",
    "links": False,
    "images": False,
    "timeout": 60.0,
    "memory": None,
    "modules": [],
    "wrappers": None,
    "learn": False,
    "duplicates": None,
    "fields": ["title", "language", "authors", "published", "modified", "description", "tags", "site", "image"],
    "reading": {
        "html_column": "html",
        "url_column": "url",
        "include": [],
        "exclude": [],
        "max_bytes": 50_000_000,
        "given": [],
    },
}
PLAN = """\
{"input": 0, "path": "dump.jsonl", "stamp": {"size": 470, "mtime_ns": 1700000000000000000}}
{"input": 0, "piece": {"kind": "jsonl", "path": "dump.jsonl", "start": 0, "stop": 470, "names": [], "size": 470}}
{"end": 0}
{"input": 1, "piece": {"kind": "files", "path": "pages", "start": 0, "stop": null, "names": ["a.html", "b.html"], \
"size": 850}, "seal": "249d04fb9612df7cbe4001a787d70e5a"}
{"end": 1}
"""
JOURNAL = """\
{"number": 0, "rows": 1, "empty": 0, "bytes": 425, "size": 470, "errors": {}, "skipped": {"blank line": 2}, \
"problems": []}
"""
COMMAND = ["run", "dump.jsonl", "pages", "-o", "out", "--method", "econ", "--jobs", "1"]


@pytest.fixture
def interrupted_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of two inputs: the first is extracted, the second is planned."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(duramen, "__version__", VERSION)
    Path("pages").mkdir()
    files = {"pages/a.html": HTML, "pages/b.html": HTML}
    files["dump.jsonl"] = json.dumps({"html": HTML, "url": "https://ring.example/"}) + "\n"
    for name, text in files.items():
        Path(name).write_text(text, "utf-8")
        os.utime(name, ns=(MODIFIED_NS, MODIFIED_NS))
    state = Path("out/_duramen")
    state.mkdir(parents=True)
    request = {
        "duramen": VERSION,
        "schema": 2,
        "inputs": ["dump.jsonl", "pages"],
        "at": [str(tmp_path / "dump.jsonl"), str(tmp_path / "pages")],
        "ending": ".jsonl.gz",
        "texts": False,
        "settings": SETTINGS,
        "fingerprint": FINGERPRINT,
    }
    (state / "run.json").write_text(json.dumps(request, indent=1), "utf-8")
    (state / "plan.jsonl").write_text(PLAN, "utf-8")
    (state / "journal.jsonl").write_text(JOURNAL, "utf-8")
    with gzip.open("out/part-00000.jsonl.gz", "wt", encoding="utf-8") as shard:
        shard.write(json.dumps({"source": "dump.jsonl", "position": 0, "text": "of the earlier version"}) + "\n")
    return tmp_path / "out"


def test_finished_shards_are_kept_and_planned_splits_are_extracted(
    interrupted_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(COMMAND) == 0
    assert "resuming after 1 row" in capsys.readouterr().err
    assert [row["text"] for row in rows_of(interrupted_run / "part-00000.jsonl.gz")] == ["of the earlier version"]
    rows = rows_of(interrupted_run / "part-00001.jsonl.gz")
    assert [(row["source"], row["error"]) for row in rows] == [("pages/a.html", None), ("pages/b.html", None)]
    assert (interrupted_run / "_duramen/plan.jsonl").read_text("utf-8") == PLAN
    report = json.loads((interrupted_run / "_duramen/report.json").read_bytes())
    assert (report["rows"], report["new_rows"], report["skipped"]) == (3, 2, {"blank line": 2})


def test_a_changed_page_is_noticed_by_the_stored_fingerprint(
    interrupted_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("pages/b.html").write_text(HTML + "\n", "utf-8")
    assert main(COMMAND) == 1
    assert "pages/b.html has changed since the run in out began" in capsys.readouterr().err
