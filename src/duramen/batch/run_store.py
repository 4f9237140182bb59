"""Persistent state of a run: request, plan, journal, report. A killed run resumes from it.

    run.json       the inputs, the settings and their fingerprint: they identify the run
    plan.jsonl     the splits, in order; the number of a split is that of its shard. Planned splits never change
    journal.jsonl  one line per finished shard, with its size and checksum, synced before the progress shows it
    report.json    the counts, written at the end

An incomplete last line is ignored and removed. Its split is planned, or processed, again with the same result and
under the same name.

The keys of these files are part of the format, because a run that an earlier version began must be resumable. In a line
of the plan, `piece` is a split, `met` are the files of a folder that have splits of their own, `seal` is the
fingerprint of all files of the line, `stamp` the size and modification time of one file, and `end` the number of an
input that is planned to its end. In `run.json`, `at` are the absolute paths of the inputs, `ending` is the suffix of
the output, and `texts` is true if each page has a file of its own.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Self

from duramen.batch.inputs.changes import check_planned_file, check_planned_pages
from duramen.batch.inputs.folder import RUN_FILE
from duramen.batch.inputs.splits import InputNotes, Split
from duramen.batch.outputs.checksums import FileDigest
from duramen.batch.outputs.output_paths import JOURNAL, LOCK, PLAN, OutputLayout, remove_leftovers
from duramen.batch.row import SCHEMA
from duramen.batch.settings import RunSettings
from duramen.batch.workers.shard import ShardResult
from duramen.errors import InputError, UsageError
from duramen.files import lock_file, sync_folder, write_all, write_atomically


class JsonLinesFile:
    """An append-only file of JSON lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        complete = 0
        if path.exists():
            with path.open("rb") as file:
                complete = sum(len(line) for line in file if line.endswith(b"\n"))
        self._file = path.open("ab", buffering=0)  # unbuffered: a failed write is not tried again on close
        self._file.truncate(complete)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        with self.path.open("rb") as file:
            yield from (json.loads(line) for line in file)

    def add(self, line: Mapping[str, Any], *, sync: bool) -> None:
        # ASCII, so that file names that are not Unicode survive the round trip.
        write_all(self._file, json.dumps(line).encode("ascii") + b"\n")
        if sync:
            self.sync()

    def sync(self) -> None:
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


@dataclass
class PlanState:
    """How far the planning has come."""

    split_count: int = 0
    last: dict[int, Split] = field(default_factory=dict)
    """The last planned split of each input, by the number of the input."""
    ended: set[int] = field(default_factory=set)
    """The inputs that are planned to their end."""
    notes: InputNotes = field(default_factory=InputNotes)


@dataclass
class Report:
    """The counts of a whole run, however often it was interrupted.

    `seconds`, `new_rows`, `lost_workers` and `repaired` describe the last part alone.
    """

    rows: int = 0
    empty: int = 0
    """Rows of pages on which no content was found."""
    bytes: int = 0
    shards: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """Error rows by kind."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Input records that are not pages, by kind."""
    problems: list[str] = field(default_factory=list)
    """Parts of the input that could not be read, one sentence each."""
    seconds: float = 0.0
    new_rows: int = 0
    lost_workers: int = 0
    repaired: list[str] = field(default_factory=list)
    """Shards that were missing or damaged and have been made again, one sentence each."""
    duplicates: int | None = None
    """Rows marked as duplicates, where that was requested."""
    finished: bool = False
    inputs: list[str] = field(default_factory=list)
    """The fingerprint of each input, once all inputs have been read."""
    single_file: FileDigest | None = None
    """Size and checksum of the one file that was written, if it is one."""

    def __repr__(self) -> str:
        counts = f"{self.empty:,} empty, {self.failed:,} failed"
        return f"<Report of {self.rows:,} rows: {counts}, {'finished' if self.finished else 'not finished'}>"

    @property
    def failed(self) -> int:
        """The number of error rows."""
        return sum(self.errors.values())

    @classmethod
    def from_results(cls, results: Iterable[ShardResult], notes: InputNotes) -> Report:
        report = cls(skipped=Counter(notes.skipped), problems=list(notes.problems))
        for result in sorted(results, key=lambda result: result.number):
            report.rows += result.rows
            report.empty += result.empty
            report.bytes += result.bytes
            report.shards += 1
            report.errors.update(result.errors)
            report.skipped.update(result.skipped)
            report.problems.extend(result.problems)
        return report

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Report:
        """Restore the counts of a finished run; those of its last part are left at zero."""
        report = cls(rows=saved["rows"], empty=saved["empty"], bytes=saved["bytes"], shards=saved["shards"])
        report.finished = saved["finished"]
        report.errors.update(saved["errors"])
        report.skipped.update(saved["skipped"])
        report.problems.extend(saved["problems"])
        report.inputs.extend(saved.get("inputs", ()))
        report.single_file = FileDigest(**saved["single_file"]) if saved.get("single_file") else None
        return report

    def as_dict(self) -> dict[str, Any]:
        return {
            "finished": self.finished,
            "rows": self.rows,
            "content": self.rows - self.failed - self.empty,
            "empty": self.empty,
            "failed": self.failed,
            "errors": dict(sorted(self.errors.items())),
            "skipped": dict(sorted(self.skipped.items())),
            "problems": self.problems,
            "bytes": self.bytes,
            "shards": self.shards,
            "new_rows": self.new_rows,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.new_rows / self.seconds, 2) if self.seconds else None,
            "lost_workers": self.lost_workers,
            "repaired": self.repaired,
            "duplicates": self.duplicates,
            "inputs": self.inputs,
            "single_file": None if self.single_file is None else asdict(self.single_file),
        }


class RunStore:
    """The state of one run on disk, open and locked against other runs.

    `clear` removes the output of an earlier run. It is called once the lock is held.
    """

    def __init__(
        self,
        layout: OutputLayout,
        inputs: Sequence[str],
        settings: RunSettings,
        clear: Callable[[], None] | None = None,
    ) -> None:
        self.layout = layout
        self.inputs = inputs
        self.settings = settings
        self._clear = clear

    def __enter__(self) -> Self:
        self.layout.run_folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock_run(self.layout)
        try:
            if self._clear is not None:
                self._clear()
            self._open()
        except BaseException:
            self._lock.close()
            raise
        return self

    def _open(self) -> None:
        request = {
            "duramen": _get_version(),
            "schema": SCHEMA,
            "inputs": list(self.inputs),
            "at": [os.path.abspath(name) if "://" not in name else name for name in self.inputs],
            "ending": self.layout.suffix,
            "texts": self.layout.text_folder is not None,
            "settings": self.settings.as_dict(),
            "fingerprint": self.settings.fingerprint(),
        }
        path = self.layout.run_folder / RUN_FILE
        if path.exists():
            _refuse_other_run(request, _load_request(path), self.layout.out)
        else:
            write_atomically(path, lambda file: file.write(json.dumps(request, indent=1).encode("ascii")))
        remove_leftovers(self.layout)
        self.plan = JsonLinesFile(self.layout.run_folder / PLAN)
        self.journal = JsonLinesFile(self.layout.run_folder / JOURNAL)

    def __exit__(self, *_: object) -> None:
        self.plan.close()
        self.journal.close()
        self._lock.close()

    def read_plan(self) -> PlanState:
        """Read the plan from its beginning. Raises an `InputError` if an input has changed since."""
        state = PlanState()
        for line in self.plan:
            state.notes.skipped.update(line.get("skipped", {}))
            state.notes.problems.extend(line.get("problems", ()))
            if "piece" in line:
                state.last[line["input"]] = Split.from_dict(line["piece"])
                state.split_count += 1
            elif "end" in line:
                state.ended.add(line["end"])
            else:
                check_planned_file(line, self.layout.out)
        check_planned_pages(self.plan, self.inputs, self.settings.reading, self.layout.out)
        return state

    def read_splits(self) -> Iterator[Split]:
        """Read the planned splits, in order."""
        return (Split.from_dict(line["piece"]) for line in self.plan if "piece" in line)

    def record(self, result: ShardResult) -> None:
        """Add a finished shard to the journal.

        The plan is synced first, so that the journal never names a split that the plan does not have.
        """
        self.plan.sync()
        self.journal.add(result.as_dict(), sync=True)

    def read_results(self) -> dict[int, ShardResult]:
        """Read the results of all shards that were finished, by number. The last line of a shard counts."""
        results = (ShardResult.from_dict(line) for line in self.journal)
        return {result.number: result for result in results}


def _refuse_other_run(request: Mapping[str, Any], saved: Mapping[str, Any], out: str) -> None:
    """Raise a `UsageError` if the output holds a run with another request."""
    keys = ("inputs", "at", "ending", "texts", "fingerprint")
    if all(request[key] == saved.get(key) for key in keys):
        return
    advice = "choose another output (-o), or discard that run with --overwrite"
    if (request["inputs"], request["at"]) != (saved.get("inputs"), saved.get("at")):
        saved_inputs = ", ".join(saved.get("inputs", [])[:3])
        raise UsageError(f"{out} holds the run of another input ({saved_inputs}): {advice}")
    changed = [name for name in ("duramen", "ending", "texts") if request[name] != saved.get(name)]
    saved_settings = saved.get("settings", {})
    for name, value in json.loads(json.dumps(request["settings"])).items():
        if name not in ("timeout", "memory") and value != saved_settings.get(name):
            changed.append(name)
    raise UsageError(f"{out} holds a run with other settings ({', '.join(changed) or 'unknown ones'}): {advice}")


def _load_request(path: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(path.read_bytes())
    except ValueError:
        loaded = None
    if not isinstance(loaded, dict):
        raise InputError(f"{path} is damaged: start the run again with --overwrite")
    return loaded


def _lock_run(layout: OutputLayout) -> IO[bytes]:
    message = f"another run is writing to {layout.out}: wait for it, or choose another output (-o)"
    file = lock_file(layout.run_folder / LOCK, message)
    sync_folder(layout.run_folder)
    return file


def _get_version() -> str:
    from duramen import __version__

    return __version__
