"""The end of a run: join its shards into one file, write its report, and find it again later.

A run is finished once its report says so. If one file was requested, the shards are joined and removed; then the report
has the size and the checksum of that file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from duramen.batch.outputs.checksums import FileDigest, HashingWriter, compute_digest
from duramen.batch.outputs.formats import get_output_format
from duramen.batch.outputs.output_paths import JOURNAL, PLAN, REPORT, OutputLayout, remove_leftovers
from duramen.batch.run_store import Report
from duramen.errors import InputError
from duramen.files import write_atomically


def finish_run(layout: OutputLayout, report: Report) -> None:
    """Join the shards, if one file was requested, and write the report. After that the run is finished."""
    if layout.single_file is not None:
        shards = [layout.shard_path(number) for number in range(report.shards)]
        report.single_file = _join_shards(shards, layout.single_file, layout.suffix)
    report.finished = True
    write_report(layout, report)
    _remove_joined_shards(layout)
    remove_leftovers(layout)


def write_report(layout: OutputLayout, report: Report) -> None:
    """Write the report of a run, finished or interrupted."""
    text = json.dumps(report.as_dict(), indent=1) + "\n"
    write_atomically(layout.run_folder / REPORT, lambda file: file.write(text.encode("ascii")))


def load_finished_report(layout: OutputLayout) -> Report | None:
    """Load the report of a finished run; None if there is none."""
    path = layout.run_folder / REPORT
    if not path.exists() or (layout.single_file is not None and not layout.single_file.exists()):
        return None
    saved = json.loads(path.read_bytes())
    if not saved["finished"]:
        return None
    _remove_joined_shards(layout)
    return Report.from_dict(saved)


def check_single_file(path: Path, report: Report, text_folder: Path | None, *, verify: bool) -> None:
    """Raise an `InputError` if the one file of a finished run is damaged: its shards do not exist any more.

    With `verify`, its checksum and the text files that it names are examined, too.
    """
    if report.single_file is None or not path.is_file():  # of an earlier version, or a device
        return
    size = path.stat().st_size
    reason = None
    if size != report.single_file.bytes:
        reason = f"has {size:,} bytes instead of {report.single_file.bytes:,}"
    elif verify:
        with path.open("rb") as file:
            if compute_digest(file) != report.single_file:
                reason = "has another checksum"
        if reason is None and (missing := _find_missing_text(path, text_folder)) is not None:
            reason = f"names {missing}, which is gone"
    if reason is not None:
        raise InputError(
            f"{path} is not as the run has written it: it {reason}; make it again with --overwrite, or move it away"
        )


def _find_missing_text(index: Path, text_folder: Path | None) -> str | None:
    """Return the name of a text file that the index of a finished run names, but that does not exist."""
    if text_folder is None:
        return None
    with index.open("rb") as lines:
        names = (json.loads(line)["file"] for line in lines)
        return next((name for name in names if name and not (text_folder / name).is_file()), None)


def _remove_joined_shards(layout: OutputLayout) -> None:
    """Remove the shards, the plan and the journal once the shards have been joined into one file."""
    if layout.single_file is None:
        return
    shards = layout.shard_folder.glob(f"part-*{layout.suffix}")
    for path in (*shards, layout.run_folder / PLAN, layout.run_folder / JOURNAL):
        path.unlink(missing_ok=True)


def _join_shards(shards: Sequence[Path], path: Path, suffix: str) -> FileDigest:
    """Join shards into one file and return its digest."""
    digests = []

    def join(file: BinaryIO) -> None:
        hashing = HashingWriter(file)
        get_output_format(suffix).join(_open_each(shards), cast(BinaryIO, hashing))
        digests.append(hashing.digest)

    # A run that is killed meanwhile leaves a large file, which the resumed run must find and replace.
    name = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:12]
    write_atomically(path, join, temporary_name=f".duramen-run-{name}.part")
    return digests[0]


def _open_each(paths: Sequence[Path]) -> Iterator[BinaryIO]:
    for path in paths:
        with path.open("rb") as file:
            yield file
