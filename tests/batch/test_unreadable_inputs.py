"""An input_page that cannot be read costs itself only, in every source: the others are as they were."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.batch.batch_pages import page, response, write_pages, write_warc

from duramen.batch.inputs import files, growing_split_sizes, input_module, parse_inputs
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.settings import ReadSettings, RunSettings
from duramen.batch.workers.shard import SplitJob, make_shard

ERROR = "crash: the worker was stopped by SIGSEGV"


def as_files(folder: Path) -> Path:
    return write_pages(folder / "pages", map(page, range(6)))


def as_jsonl(folder: Path) -> Path:
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps({"html": page(n).decode()}) + "\n\n" for n in range(6)))
    return path


def as_warc(folder: Path) -> Path:
    pytest.importorskip("fastwarc")
    redirect = response("http://a.example/r", b"", "Location: /", "301 Moved")
    return write_warc(folder / "a.warc.gz", [redirect, *(response(f"http://a.example/{n}", page(n)) for n in range(6))])


def as_parquet(folder: Path) -> Path:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pytest.importorskip("pyarrow").table({"html": [page(n).decode() for n in range(6)]})
    parquet.write_table(table, folder / "a.parquet")
    return folder / "a.parquet"


@pytest.mark.parametrize("write", [as_files, as_jsonl, as_warc, as_parquet])
def test_an_unreadable_page_is_replaced_by_its_error(tmp_path: Path, write: object) -> None:
    (whole,) = parse_inputs([str(write(tmp_path))])  # type: ignore[operator]
    (split,) = input_module(whole.kind).find_splits(whole, ReadSettings(), growing_split_sizes(), InputNotes(), None)
    read = input_module(split.kind).read_pages
    before = list(read(split, ReadSettings(), InputNotes()))
    after = list(read(replace(split, unreadable={3: ERROR}), ReadSettings(), InputNotes()))
    assert [input_page for n, input_page in enumerate(after) if n != 3] == [
        input_page for n, input_page in enumerate(before) if n != 3
    ]
    assert (after[3].source, after[3].position, after[3].url) == (before[3].source, before[3].position, before[3].url)
    assert (after[3].error, after[3].body) == (ERROR, b"")


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (ZeroDivisionError("in a library"), "unreadable"),
        (MemoryError(), "memory"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "memory"),
    ],
)
def test_an_unexpected_error_of_a_reader_costs_one_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: Exception, kind: str
) -> None:
    pages, read = write_pages(tmp_path / "pages", map(page, range(6))), files.read_pages

    def stumbling(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
        notes.skip("counted once")
        for input_page in read(split, reading, notes):
            if "00002" in input_page.source and input_page.error is None:
                raise raised
            yield input_page

    monkeypatch.setattr(files, "read_pages", stumbling)
    layout = OutputLayout.choose(str(tmp_path / "out"))
    layout.run_folder.mkdir(parents=True)
    names = tuple(sorted(path.name for path in pages.iterdir()))
    split = Split("files", str(pages), 0, len(names), names)
    result = make_shard(SplitJob(0, split), RunSettings(method="econ"), layout, "a")
    assert (result.rows, result.errors, result.problems) == (6, {kind: 1}, ())
    assert result.skipped == {"counted once": 1}
