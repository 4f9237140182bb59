"""Duplicates are marked, in every form, the same whoever did the work."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.batch.batch_pages import command, environment, rows_of, run

from duramen.batch.dedup.duplicates import EXACT, NEAR, check_kind, mark_duplicates
from duramen.batch.outputs.store import ShardStore
from duramen.batch.row import SCHEMA
from duramen.errors import InputError, UsageError
from duramen.processes import TaskResult

pytest.importorskip("rensa")


def here(function: Any, tasks: Any, jobs: int, seconds: float) -> Any:
    """Does the tasks in this process, the last first: an order that no test may notice."""
    for task in reversed(list(tasks)):
        yield TaskResult(task, function(task))


def text_of(seed: int, words: int = 120) -> list[str]:
    choice = random.Random(seed)
    return [f"word{choice.randrange(5000)}" for _ in range(words)]


def changed(words: list[str], layout: int) -> str:
    return " ".join([*words[:layout], "other", *words[layout + 1 :]])


# Number 0 comes again with other spaces (3) and with another word (4), which comes again itself (6).
ONE, TWO = text_of(1), text_of(2)
TEXTS: list[str | None] = [" ".join(ONE), " ".join(TWO), "", "\n ".join(ONE), changed(ONE, 60), None, changed(ONE, 60)]


def shelf_of(folder: Path, shards: list[list[str | None]], **more: object) -> tuple[ShardStore, dict[int, int]]:
    shard_store, position = ShardStore(str(folder), ".jsonl.gz"), 0
    for number, texts in enumerate(shards):
        rows = []
        for text in texts:
            rows.append({"source": "s.warc", "position": position, "text": text, "duplicate_of": None, **more})
            position += 1
        shard_store.replace(number, rows)
    return shard_store, {number: len(texts) for number, texts in enumerate(shards)}


def marks(shard_store: ShardStore, rows: dict[int, int]) -> list[str | None]:
    return [row["duplicate_of"] for number in rows for row in shard_store.read_rows(number)]


@pytest.mark.parametrize("cut", [1, 3, 7])
@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (EXACT, [None, None, None, "s.warc#0", None, None, "s.warc#4"]),
        (NEAR, [None, None, None, "s.warc#0", "s.warc#0", None, "s.warc#0"]),
    ],
)
def test_later_rows_are_marked_with_the_first(tmp_path: Path, kind: str, wanted: list[str | None], cut: int) -> None:
    shard_store, rows = shelf_of(tmp_path, [TEXTS[at : at + cut] for at in range(0, len(TEXTS), cut)])
    found = mark_duplicates(shard_store, rows, kind, tmp_path, 1, here)
    assert marks(shard_store, rows) == wanted
    assert (found.rows, found.duplicates) == (7, sum(one is not None for one in wanted))


def test_marking_again_gives_the_same_marks_and_removes_old_ones(tmp_path: Path) -> None:
    shard_store, rows = shelf_of(tmp_path, [TEXTS[:4], TEXTS[4:]])
    mark_duplicates(shard_store, rows, NEAR, tmp_path, 1, here)
    before = [Path(shard_store.path(number)).read_bytes() for number in rows]
    mark_duplicates(shard_store, rows, NEAR, tmp_path, 1, here)
    assert [Path(shard_store.path(number)).read_bytes() for number in rows] == before
    mark_duplicates(shard_store, rows, EXACT, tmp_path, 1, here)
    assert marks(shard_store, rows) == [None, None, None, "s.warc#0", None, None, "s.warc#4"]


def test_shards_without_duplicates_are_not_rewritten_and_no_files_remain(tmp_path: Path) -> None:
    shard_store, rows = shelf_of(tmp_path / "out", [["one text"], ["another"]])
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    mark_duplicates(shard_store, rows, EXACT, tmp_path / "work", 1, here)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == before
    assert not list((tmp_path / "work").iterdir())


def test_a_run_without_rows_has_no_duplicates(tmp_path: Path) -> None:
    assert mark_duplicates(ShardStore(str(tmp_path), ".jsonl"), {}, NEAR, tmp_path, 1, here).rows == 0
    shard_store, rows = shelf_of(tmp_path, [[]])
    assert mark_duplicates(shard_store, rows, EXACT, tmp_path, 1, here).duplicates == 0


def test_a_shard_that_lost_rows_is_named(tmp_path: Path) -> None:
    shard_store, _ = shelf_of(tmp_path, [TEXTS])
    with pytest.raises(InputError, match=r"part-00000.* has 7 rows, but 9 were written"):
        mark_duplicates(shard_store, {0: 9}, EXACT, tmp_path, 1, here)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="exact, near"):
        check_kind("fuzzy")


def page(words: str) -> str:
    """A page whose content is all of its words."""
    halves = words.split()
    middle = len(halves) // 2
    if not halves:
        return "<html></html>"
    return f"<html><body><p>{' '.join(halves[:middle])}.</p><p>{' '.join(halves[middle:])}.</p></body></html>"


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.jsonl"
    pages = [page(text or "") for text in TEXTS] + [page(" ".join(text_of(n))) for n in range(10, 110)]
    path.write_text("".join(json.dumps({"html": html}) + "\n" for html in pages), "utf-8")
    return path


def places_of(dump: Path) -> list[int]:
    places, layout = [], 0
    for line in dump.read_bytes().splitlines(keepends=True):
        places.append(layout)
        layout += len(line)
    return places


def in_order(rows: list[dict[str, object]]) -> list[object]:
    return [row["duplicate_of"] for row in sorted(rows, key=lambda row: int(str(row["position"])))]


@pytest.mark.parametrize(
    ("out", "more"), [("out.jsonl.gz", ()), ("out", ("--as", "jsonl")), ("texts", ("--as", "files"))]
)
def test_a_run_marks_its_rows_in_every_output_format(
    tmp_path: Path, dump: Path, out: str, more: tuple[str, ...]
) -> None:
    asked = ("--duplicates", "near", "--method", "mss-simple", "--jobs", 2)
    done = run(dump, "-o", tmp_path / out, *asked, *more)
    assert done.returncode == 0, done.stderr
    path = tmp_path / out / "index.jsonl" if more[1:] == ("files",) else tmp_path / out
    first = f"{dump}#{places_of(dump)[0]}"
    assert in_order(rows_of(path)) == [None, None, None, first, first, None, first] + [None] * 100
    assert "3 of 107 rows as duplicates" in done.stderr


def test_rows_on_standard_output_are_marked_too(dump: Path) -> None:
    done = run(dump, "-o", "-", "--duplicates", "exact", "--method", "mss-simple", "--quiet")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["duplicate_of"] is not None for row in rows[:7]] == [False, False, False, True, False, False, True]


def test_parquet_is_marked(tmp_path: Path, dump: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = run(dump, "-o", tmp_path / "out.parquet", "--duplicates", "exact", "--method", "mss-simple")
    assert done.returncode == 0, done.stderr
    table = parquet.read_table(tmp_path / "out.parquet")
    assert sum(value is not None for value in table.column("duplicate_of").to_pylist()) == 2
    assert table.schema.metadata[b"duramen.schema"] == str(SCHEMA).encode()


def test_another_kind_of_duplicates_is_another_run(tmp_path: Path, dump: Path) -> None:
    assert run(dump, "-o", tmp_path / "out", "--method", "mss-simple").returncode == 0
    done = run(dump, "-o", tmp_path / "out", "--method", "mss-simple", "--duplicates", "exact")
    assert done.returncode == 2
    assert "duplicates" in done.stderr


def test_marking_that_was_killed_starts_again(tmp_path: Path, dump: Path) -> None:
    asked = (dump, "--duplicates", "near", "--method", "mss-simple", "--jobs", 1)
    assert run(*asked, "-o", tmp_path / "whole").returncode == 0
    begun = subprocess.Popen(command((*asked, "-o", tmp_path / "out")), env=environment(), stderr=subprocess.PIPE)
    assert begun.stderr is not None
    for line in begun.stderr:
        if b"looking for duplicates" in line:
            begun.kill()
    begun.wait()
    begun.stderr.close()
    assert not (tmp_path / "out" / "_duramen" / "report.json").exists()
    again = run(*asked, "-o", tmp_path / "out")
    assert again.returncode == 0, again.stderr
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "whole")
    assert not (tmp_path / "out" / "_duramen" / "duplicates").exists()


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, start: int, size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    shard_store, rows = shelf_of(tmp_path, [TEXTS])
    with pytest.raises(OSError, match="No space left"):
        mark_duplicates(shard_store, rows, NEAR, tmp_path, 1, here)
    assert marks(shard_store, rows) == [None] * 7
    assert not (tmp_path / "duplicates").exists()
