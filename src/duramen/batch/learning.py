"""Wrappers for the sites of a run, before its first row: survey, sample, learn.

    every piece ── survey ── a line for each page: its site and a key
                                │  for each site with pages enough those with the smallest keys
    some pieces ── collect ── the sample
                                │
                              learn ── wrappers/example.org.json … and wrappers/sites.json

A page's key is a hash of its address, so the sample is a chance one, and the same whatever the order in which pieces
are read and by how many. What is known so far stands in a database beside the run's books, piece by piece and site by
site: a run that is killed goes on from there. Nothing grows with the input but that file: SQLite sorts on disk.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from duramen.batch.guarded import Each, each
from duramen.batch.item import Item, Notes, Piece
from duramen.batch.settings import Reading
from duramen.batch.shards import write_whole
from duramen.batch.sites import INDEX, Lesson, file_name, index, learn_site, site_of
from duramen.batch.sources import source
from duramen.errors import RunError
from duramen.wrappers.wrapper_file import dumps

LEAST: Final = 5
"""Pages that a site must have: from as many on FOREST's wrappers are good."""

SAMPLE: Final = 32
"""Pages of a site that are learnt from: eight to ten of each of its three or four templates."""

LARGEST: Final = 2_000_000
"""Bytes of a page that may be in a sample."""

PATIENCE: Final = 600.0
"""Seconds for a piece or a site."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS surveyed (piece INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS page (site TEXT, key INTEGER, piece INTEGER, place INTEGER);
CREATE TABLE IF NOT EXISTS chosen (site TEXT, key INTEGER, piece INTEGER, place INTEGER);
CREATE TABLE IF NOT EXISTS collected (piece INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS sample (site TEXT, key INTEGER, piece INTEGER, place INTEGER, about TEXT, body BLOB);
CREATE TABLE IF NOT EXISTS learnt (site TEXT PRIMARY KEY, files TEXT, notes TEXT);
"""
_CHOOSE: Final = """
INSERT INTO chosen SELECT site, key, piece, place FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY site ORDER BY key, piece, place) AS rank,
              COUNT(*) OVER (PARTITION BY site) AS pages FROM page)
WHERE rank <= ? AND pages >= ?
"""


@dataclass(frozen=True)
class Learnt:
    """What came of it."""

    sites: int
    """Sites with pages enough."""
    wrapped: int
    """Those of them that have a trusted wrapper."""


@dataclass(frozen=True)
class Survey:
    """A piece to be read; with `places`, for the pages at these."""

    number: int
    piece: Piece
    reading: Reading
    places: frozenset[int] | None = None


def survey(task: Survey) -> list[tuple[str, int, int]]:
    """For each page that could be learnt from: its site, its key, its place in the piece."""
    found = []
    for place, item in enumerate(_items(task)):
        if (site := _eligible(item)) is not None:
            found.append((site, _key(item), place))
    return found


def collect(task: Survey) -> list[tuple[int, str, bytes]]:
    """The wanted pages of a piece: place, what is known of the page, its bytes packed."""
    found = []
    for place, item in enumerate(_items(task)):
        if task.places is not None and place in task.places:
            about = {"source": item.source, "position": item.position, "url": item.url}
            about |= {"content_type": item.content_type, "text": isinstance(item.body, str)}
            body = item.body.encode("utf-8", "surrogatepass") if isinstance(item.body, str) else item.body
            found.append((place, json.dumps(about), zlib.compress(body, 1)))
    return found


def learn(
    pieces: Callable[[], Iterator[tuple[int, Piece]]],
    reading: Reading,
    work: Path,
    folder: Path,
    jobs: int,
    tell: Callable[[str], None],
    run: Each = each,
) -> Learnt:
    """Learn the sites of all pieces into a folder of wrappers; what is there already is not done again.

    `pieces` gives them all with their numbers, as often as it is asked. `tell` gets a line a stage, and one for
    whatever could not be read.
    """
    path = work / "sites.sqlite"
    if (folder / INDEX).exists() and not path.exists():
        files = json.loads((folder / INDEX).read_text("utf-8"))["sites"]
        return Learnt(len(files), sum(map(bool, files.values())))
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob("*.part"):  # of a run that was killed
        left.unlink()
    try:
        with closing(sqlite3.connect(path)) as database:
            # What sits on a network's disk must do without shared memory, so this is no write-ahead log.
            database.executescript("PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = FILE;" + _TABLES)
            lessons = _Lessons(database, reading, jobs, tell, run)
            lessons.survey(pieces)
            lessons.collect(pieces)
            lessons.learn(folder)
            found = lessons.index()
            _save(folder / INDEX, index(found, lessons.notes()))
    except sqlite3.Error as error:  # a full disk, a damaged file
        raise RunError(f"{path}: {error}: make room, or start again with --overwrite") from error
    for left in work.glob(f"{path.name}*"):
        left.unlink()
    return Learnt(len(found), sum(map(bool, found.values())))


class _Lessons:
    """The three stages, each of which goes on where it was."""

    def __init__(
        self, database: sqlite3.Connection, reading: Reading, jobs: int, tell: Callable[[str], None], run: Each
    ) -> None:
        self.database = database
        self.reading = reading
        self.jobs = jobs
        self.tell = tell
        self.each = run

    def survey(self, pieces: Callable[[], Iterator[tuple[int, Piece]]]) -> None:
        if self._any("chosen"):
            return
        known = self._known("surveyed")
        self.tell("looking for the sites of the input")
        tasks = (Survey(number, piece, self.reading) for number, piece in pieces() if number not in known)
        for done in self.each(survey, tasks, self.jobs, PATIENCE):
            number = done.task.number
            self._problem(done.error, done.task.piece)
            rows = [(site, key, number, place) for site, key, place in done.result or ()]
            with self.database:
                self.database.executemany("INSERT INTO page VALUES (?, ?, ?, ?)", rows)
                self.database.execute("INSERT INTO surveyed VALUES (?)", (number,))
        with self.database:
            self.database.execute(_CHOOSE, (SAMPLE, LEAST))
            self.database.execute("DELETE FROM page")

    def collect(self, pieces: Callable[[], Iterator[tuple[int, Piece]]]) -> None:
        wanted = {number for (number,) in self.database.execute("SELECT DISTINCT piece FROM chosen")}
        wanted -= self._known("collected")
        if not wanted:
            return
        self.tell("collecting a sample of each site")
        tasks = (self._collection(number, piece) for number, piece in pieces() if number in wanted)
        for done in self.each(collect, tasks, self.jobs, PATIENCE):
            number = done.task.number
            self._problem(done.error, done.task.piece)
            sites = self._places(number)
            rows = [(*sites[place], number, place, about, body) for place, about, body in done.result or ()]
            with self.database:
                self.database.executemany("INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)", rows)
                self.database.execute("INSERT INTO collected VALUES (?)", (number,))

    def learn(self, folder: Path) -> None:
        self.database.execute("CREATE INDEX IF NOT EXISTS by_site ON sample (site, key)")
        known = self._known("learnt")
        sites = [site for (site,) in self.database.execute("SELECT DISTINCT site FROM chosen ORDER BY site")]
        self.tell(f"learning {len(sites):,} sites")
        tasks = ((site, self._sample(site)) for site in sites if site not in known)
        for done in self.each(_learn, tasks, self.jobs, PATIENCE):
            site = done.task[0]
            lesson = done.result or Lesson((), (done.error or "",))
            files = [file_name(site, number) for number in range(len(lesson.wrappers))]
            for name, wrapper in zip(files, lesson.wrappers, strict=True):
                _save(folder / name, dumps(wrapper))
            with self.database:
                values = (site, json.dumps(files), json.dumps(lesson.notes))
                self.database.execute("INSERT INTO learnt VALUES (?, ?, ?)", values)

    def index(self) -> dict[str, list[str]]:
        return {site: json.loads(files) for site, files in self.database.execute("SELECT site, files FROM learnt")}

    def notes(self) -> dict[str, list[str]]:
        return {site: json.loads(notes) for site, notes in self.database.execute("SELECT site, notes FROM learnt")}

    def _collection(self, number: int, piece: Piece) -> Survey:
        return Survey(number, piece, self.reading, frozenset(self._places(number)))

    def _places(self, piece: int) -> dict[int, tuple[str, int]]:
        rows = self.database.execute("SELECT place, site, key FROM chosen WHERE piece = ?", (piece,))
        return {place: (site, key) for place, site, key in rows}

    def _sample(self, site: str) -> list[tuple[str, bytes]]:
        order = "SELECT about, body FROM sample WHERE site = ? ORDER BY key, piece, place"
        return self.database.execute(order, (site,)).fetchall()

    def _known(self, table: str) -> set[Any]:
        return {first for first, *_ in self.database.execute(f"SELECT * FROM {table}")}

    def _any(self, table: str) -> bool:
        return self.database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None

    def _problem(self, error: str | None, piece: Piece) -> None:
        if error is not None:
            self.tell(f"{piece.path}: nothing was learnt from a piece at {piece.start:,}: {error}")


def _save(path: Path, text: str) -> None:
    write_whole(path, lambda file: file.write(text.encode()))


def _learn(task: tuple[str, list[tuple[str, bytes]]]) -> Lesson:
    return learn_site(_item(json.loads(about), zlib.decompress(body)) for about, body in task[1])


def _item(about: dict[str, Any], body: bytes) -> Item:
    page = body.decode("utf-8", "surrogatepass") if about.pop("text") else body
    return Item(body=page, **about)


def _items(task: Survey) -> Iterator[Item]:
    return source(task.piece.kind).read(task.piece, task.reading, Notes())


def _eligible(item: Item) -> str | None:
    """The site of a page that can be learnt from."""
    if item.error is not None or item.status not in (None, 200) or not 0 < len(item.body) <= LARGEST:
        return None
    return site_of(item)


def _key(item: Item) -> int:
    name = item.url or f"{item.source}#{item.position}"
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).digest()) >> 1
