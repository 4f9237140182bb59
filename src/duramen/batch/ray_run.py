"""The run on a Ray cluster: the same books and the same rows, pieces by Ray Data.

    planning ── pieces ── Ray Data ── shards (on a shared disk or in an object store)
                             └── outcomes ── journal

The driver plans, keeps the books and shows the progress; nodes read pieces and write shards themselves. Ray does again
what was lost with a node; a shard counts when the driver has its outcome in the journal, once.
"""

from __future__ import annotations

import json
import os
import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Self

from duramen.batch import ray_cluster, ray_pieces, stages
from duramen.batch.books import Books
from duramen.batch.opening import filesystem, is_elsewhere
from duramen.batch.place import FILES, FORMS, Place
from duramen.batch.pool import Counts, cores
from duramen.batch.ray_planning import RayPlanning
from duramen.batch.report import Report
from duramen.batch.run import Onlooker, Run, tell_of
from duramen.batch.shards import Job, Outcome
from duramen.batch.shelf import Shelf, put
from duramen.batch.sinks import DEFAULT, ending_of
from duramen.batch.sources import kind_of
from duramen.batch.sources.folder import RUN_FILE
from duramen.errors import RunError, UsageError


@dataclass
class RayRun(Run):
    """A run whose pieces are done by a cluster."""

    address: str | None = None
    """Of the cluster, as `ray.init` takes it; None for one on this machine."""
    shelf: Shelf | None = None
    """Where the shards go, if that is in an object store; the place is then for the books alone."""

    def __call__(self, onlooker: Onlooker | None = None, stdout: BinaryIO | None = None) -> Report:
        if self.shelf is not None and not self.overwrite:
            _refuse_strangers(self.shelf, self.place)
        with ray_cluster.cluster(self.address, self.jobs or None):
            report = super().__call__(onlooker, stdout)
        _sweep(self.place)
        return report

    def _clear(self) -> None:
        super()._clear()  # first: shards without books are refused, and books without shards are not
        if self.shelf is not None:
            system, found = _on(self.shelf)
            for path in found:
                system.rm_file(path)

    def _planning(self, books: Books, done: set[int], ahead: int) -> RayPlanning:
        return RayPlanning(books, done, ahead)

    def _pool(self, number: int) -> RayPool:
        settings = self.settings
        if self.shelf is not None and settings.learn:
            settings = replace(settings, wrappers=f"{self.shelf.folder}/{stages.WRAPPERS}")
        return RayPool(ray_pieces.Order(settings, self.place, os.getcwd(), self.shelf))

    def _before(self, books: Books, onlooker: Onlooker | None) -> None:
        jobs = self.jobs or cores()
        stages.before(books, lambda: self._planning(books, set(), jobs), jobs, tell_of(onlooker), ray_cluster.each)
        if self.shelf is not None and self.settings.wrappers is not None and self.settings.learn:
            for path in sorted(Path(self.settings.wrappers).iterdir()):
                text = path.read_bytes()
                put(f"{self.shelf.folder}/{stages.WRAPPERS}/{path.name}", _writer(text))

    def _after(self, done: Mapping[int, Outcome], onlooker: Onlooker | None) -> int:
        kind, jobs, tell = self.settings.duplicates or "", self.jobs or cores(), tell_of(onlooker)
        return stages.after(self.place, done.values(), kind, jobs, tell, self.shelf, ray_cluster.each).duplicates


@dataclass
class RayPool:
    """Takes all jobs, then hands them to Ray Data, and gives the outcomes as they come."""

    order: ray_pieces.Order
    _jobs: list[Job] = field(default_factory=list)
    _left: int = 0
    _counts: Counts = field(default_factory=Counts)
    _found: queue.Queue[Outcome | BaseException] = field(default_factory=queue.Queue)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # The thread may sit and wait for a piece: leaving the cluster ends that, or else the next outcome.
        self._stopped.set()

    @property
    def idle(self) -> int:
        """Any number of jobs can be begun, as long as none is at work."""
        return 0 if self._thread is not None else 1

    @property
    def busy(self) -> bool:
        return self._left > 0

    def counts(self) -> Counts:
        return self._counts

    def begin(self, job: Job) -> None:
        self._jobs.append(job)
        self._left += 1

    def no_more(self) -> None:
        """All jobs are known: let the cluster begin."""
        if self._jobs:
            self._thread = threading.Thread(target=self._run, name="duramen ray", daemon=True)
            self._thread.start()

    def finished(self, timeout: float) -> list[Outcome]:
        """Wait for outcomes, for so long at most."""
        outcomes: list[Outcome] = []
        with suppress(queue.Empty):
            while True:
                found = self._found.get(timeout=0 if outcomes else timeout)
                if isinstance(found, BaseException):
                    raise found
                self._note(found)
                outcomes.append(found)
        return outcomes

    def _note(self, outcome: Outcome) -> None:
        self._left -= 1
        self._counts.pages += outcome.rows
        self._counts.bytes += outcome.bytes
        self._counts.failed += sum(outcome.errors.values())
        shard = self.order.place.shard(outcome.number)
        if self.order.shelf is not None:
            shard.touch()  # what the books take as a sign that it is there
        elif not shard.exists():
            raise RunError(
                f"{shard.absolute()} was written by a node with a disk of its own: give -o a path that every"
                " node sees, or one such as s3://bucket/folder"
            )

    def _run(self) -> None:
        try:
            for row in self._rows():
                if self._stopped.is_set():
                    return
                if row["broken"]:
                    raise RunError(row["broken"])
                self._found.put(Outcome.from_dict(json.loads(row["outcome"])))
        except BaseException as error:  # whatever it is, it is the run's to answer
            self._found.put(error if isinstance(error, RunError) else RunError(f"Ray gave up: {_last_line(error)}"))

    def _rows(self) -> Iterator[dict[str, Any]]:
        data = ray_cluster.data()
        # A block a piece: what is lost with a node, and done again, is a piece.
        rows = data.from_items([ray_pieces.piece_row(job) for job in self._jobs], override_num_blocks=len(self._jobs))
        rows = rows.map(ray_pieces.do, fn_kwargs={"order": self.order}, num_cpus=1)
        yield from rows.iter_rows()


def inputs_elsewhere(inputs: Iterable[str]) -> list[str]:
    """The inputs with patterns (s3://bucket/crawl/*.warc.gz) and folders (s3://bucket/crawl/) in object stores spelt
    out, in the order of their names."""
    found: list[str] = []
    for name in inputs:
        if not is_elsewhere(name) or kind_of(name) == "addresses" or not re.search(r"[*?\[]|/$", name):
            found.append(name)
            continue
        system, path = filesystem(name)
        names = system.find(path) if name.endswith("/") else system.glob(path)
        below = sorted(system.unstrip_protocol(one) for one in names if kind_of(one) != "files" or _is_page(one))
        if not below:
            raise UsageError(f"{name}: there are no pages and no WARCs, JSON Lines or Parquet files")
        found += below
    return found


def place_elsewhere(out: str, form: str | None) -> tuple[Place, Shelf]:
    """Where the books are and where the shards go, for an OUT such as s3://bucket/folder."""
    if ending_of(out) is not None:
        raise UsageError(f"{out}: in an object store a run writes a folder of shards: leave the ending away")
    if form == FILES:
        raise UsageError("a file for each page is for disks: in an object store a run writes a folder of shards")
    if form is not None and form not in FORMS:
        raise UsageError(f"unknown form {form!r}: choose one of {', '.join(FORMS)}")
    filesystem(out)  # a missing library is told now
    folder = out.rstrip("/")
    ending = f".{form}" if form else DEFAULT
    work = Path(f"{folder.rpartition('/')[2]}.run")
    return Place(out, ending, work, work), Shelf(folder, ending)


def _on(shelf: Shelf) -> tuple[Any, list[str]]:
    """The file system of a shelf, and the shards that are there, in whatever form."""
    system, name = filesystem(shelf.folder)
    return system, [path for path in system.glob(f"{name}/part-*") if ending_of(path) is not None]


def _refuse_strangers(shelf: Shelf, place: Place) -> None:
    """Say no to a folder that holds what this run's books do not know."""
    if _on(shelf)[1] and not (place.work / RUN_FILE).exists():
        raise UsageError(
            f"{shelf.folder} holds shards, and {place.work}, the books of their run, is not here:"
            " go on from where it was started, give another -o, or --overwrite"
        )


def _sweep(place: Place) -> None:
    """Take away what nodes had begun to write when they were lost."""
    for left in (*place.work.glob("*.lines"), *place.work.glob("*.part"), *place.shards.glob("*.part")):
        left.unlink(missing_ok=True)


def _is_page(name: str) -> bool:
    return re.search(r"\.x?html?(\.gz)?$", name, re.IGNORECASE) is not None


def _writer(data: bytes) -> Callable[[BinaryIO], object]:
    return lambda file: file.write(data)


def _last_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[-1] if lines else ''}"
