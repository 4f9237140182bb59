"""A run's books: what was asked for, what was planned, what is done. Whoever is killed goes on from them.

    run.json       the inputs and the settings, and their fingerprint: what makes this run and no other
    plan.jsonl     the pieces, in order; a piece's number is that of its shard. What was planned stays planned
    journal.jsonl  a line for each finished shard, on the disk before anybody is told
    report.json    at the end: the counts

A line that was not written to its end is as if it had never been: its piece is planned, or done, again, in the same
way and under the same name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self

from duramen.batch.changes import refuse_changed_file, refuse_changed_pages
from duramen.batch.item import Notes, Piece
from duramen.batch.locking import locked
from duramen.batch.place import Place
from duramen.batch.row import SCHEMA
from duramen.batch.settings import Settings
from duramen.batch.shards import Outcome, sync_folder, write_all, write_whole
from duramen.batch.sources.folder import RUN_FILE
from duramen.errors import InputError, UsageError

PLAN, JOURNAL, REPORT = "plan.jsonl", "journal.jsonl", "report.json"
LOCK = "lock"


class Lines:
    """A file of JSON lines that is only ever added to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        whole = 0
        if path.exists():
            with path.open("rb") as file:
                whole = sum(len(line) for line in file if line.endswith(b"\n"))
        self._file = path.open("ab", buffering=0)  # a write that fails leaves nothing behind to fail again
        self._file.truncate(whole)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        with self.path.open("rb") as file:
            yield from (json.loads(line) for line in file)

    def add(self, line: Mapping[str, Any], *, sync: bool) -> None:
        # In ASCII, so that names of files that are not Unicode come back as they were.
        write_all(self._file, json.dumps(line).encode("ascii") + b"\n")
        if sync:
            self.sync()

    def sync(self) -> None:
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


@dataclass
class Planned:
    """How far the planning has come."""

    pieces: int = 0
    last: dict[int, Piece] = field(default_factory=dict)
    """The last piece of each input that has been begun, by the input's number."""
    ended: set[int] = field(default_factory=set)
    notes: Notes = field(default_factory=Notes)


class Books:
    """The books of one run, open and locked: no two runs write the same.

    `clear` takes away what an earlier run has left; it is called when no other run is at work there.
    """

    def __init__(
        self, place: Place, inputs: Sequence[str], settings: Settings, clear: Callable[[], None] | None = None
    ) -> None:
        self.place = place
        self.inputs = inputs
        self.settings = settings
        self._clear = clear

    def __enter__(self) -> Self:
        self.place.work.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.place)
        try:
            if self._clear is not None:
                self._clear()
            self._open()
        except BaseException:
            self._lock.close()
            raise
        return self

    def _open(self) -> None:
        about = {
            "duramen": _version(),
            "schema": SCHEMA,
            "inputs": list(self.inputs),
            "at": [os.path.abspath(name) if "://" not in name else name for name in self.inputs],
            "ending": self.place.ending,
            "texts": self.place.texts is not None,
            "settings": self.settings.as_dict(),
            "fingerprint": self.settings.fingerprint(),
        }
        path = self.place.work / RUN_FILE
        if path.exists():
            _refuse_another(about, _load(path), self.place.out)
        else:
            write_whole(path, lambda file: file.write(json.dumps(about, indent=1).encode("ascii")))
        for folder in {self.place.work, self.place.shards}:
            for left in (*folder.glob("*.part"), *folder.glob("*.lines")):  # of a run that was killed
                left.unlink(missing_ok=True)
        self.plan = Lines(self.place.work / PLAN)
        self.journal = Lines(self.place.work / JOURNAL)

    def __exit__(self, *_: object) -> None:
        self.plan.close()
        self.journal.close()
        self._lock.close()

    def planned(self) -> Planned:
        """What the plan says, once more from its beginning; an `InputError` where an input has changed since."""
        planned = Planned()
        for line in self.plan:
            planned.notes.skipped.update(line.get("skipped", {}))
            planned.notes.problems.extend(line.get("problems", ()))
            if "piece" in line:
                planned.last[line["input"]] = Piece.from_dict(line["piece"])
                planned.pieces += 1
            elif "end" in line:
                planned.ended.add(line["end"])
            else:
                refuse_changed_file(line, self.place.out)
        refuse_changed_pages(self.plan, self.inputs, self.settings.reading, self.place.out)
        return planned

    def pieces(self) -> Iterator[Piece]:
        """The pieces that have been planned, in order."""
        return (Piece.from_dict(line["piece"]) for line in self.plan if "piece" in line)

    def finish(self, outcome: Outcome) -> None:
        """Enter a shard that has its name. Its piece is on the disk before it: no journal knows more than its plan."""
        self.plan.sync()
        self.journal.add(outcome.as_dict(), sync=True)

    def done(self) -> dict[int, Outcome]:
        """The finished pieces, by number."""
        outcomes = (Outcome.from_dict(line) for line in self.journal)
        return {outcome.number: outcome for outcome in outcomes if self.place.shard(outcome.number).exists()}


def _refuse_another(ours: Mapping[str, Any], theirs: Mapping[str, Any], out: str) -> None:
    keys = ("inputs", "at", "ending", "texts", "fingerprint")
    if all(ours[key] == theirs.get(key) for key in keys):
        return
    advice = "give another -o, or --overwrite to throw that run away"
    if (ours["inputs"], ours["at"]) != (theirs.get("inputs"), theirs.get("at")):
        there = ", ".join(theirs.get("inputs", [])[:3])
        raise UsageError(f"{out} holds the run of another input ({there}): {advice}")
    changed = [name for name in ("duramen", "ending", "texts") if ours[name] != theirs.get(name)]
    before = theirs.get("settings", {})
    for name, value in json.loads(json.dumps(ours["settings"])).items():
        if name not in ("timeout", "memory") and value != before.get(name):
            changed.append(name)
    raise UsageError(f"{out} holds a run with other settings ({', '.join(changed) or 'unknown ones'}): {advice}")


def _load(path: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(path.read_bytes())
    except ValueError:
        loaded = None
    if not isinstance(loaded, dict):
        raise InputError(f"{path} is damaged: --overwrite starts the run again")
    return loaded


def _locked(place: Place) -> IO[bytes]:
    taken = f"another run is writing to {place.out} now: wait for it, or give another -o"
    file = locked(place.work / LOCK, taken)
    sync_folder(place.work)
    return file


def _version() -> str:
    from duramen import __version__

    return __version__
