"""Wrappers for the sites of a run, learned before its first row: survey, sample, learn.

    all splits ── survey ── one line per page: its site and a key
                               │  for each site with enough pages, those with the smallest keys
    some splits ── collect ── the sample
                               │
                             learn ── wrappers/example.org.json … and wrappers/sites.json

The key of a page is a hash of its URL, so the sample is random, and the same in whatever order the splits are read. A
database in the run folder stores what is known so far, split by split and site by site: a killed run resumes from it.
Only that file grows with the input: SQLite sorts on disk.
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

from duramen.batch.inputs import input_module
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings
from duramen.batch.sites.lookup import (
    SITE_INDEX,
    SiteWrappers,
    find_site,
    format_site_index,
    learn_site,
    make_file_name,
)
from duramen.errors import RunError
from duramen.files import write_atomically
from duramen.processes import TaskRunner, run_tasks
from duramen.wrappers.wrapper_json import format_wrapper

MIN_SITE_PAGES: Final = 5
"""Pages that a site must have: from five on the wrappers of FOREST are good."""

SAMPLE_PAGES: Final = 32
"""Pages of a site to learn from: eight to ten of each of its three or four templates."""

MAX_SAMPLE_PAGE_BYTES: Final = 2_000_000

TASK_TIMEOUT_SECONDS: Final = 600.0
"""For one split or one site."""

_DATABASE: Final = "sites.sqlite"
# The names of tables and columns are part of the format: interrupted runs are resumed. A "piece" is a split, a "place"
# the index of a page in it.
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS surveyed (piece INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS page (site TEXT, key INTEGER, piece INTEGER, place INTEGER);
CREATE TABLE IF NOT EXISTS chosen (site TEXT, key INTEGER, piece INTEGER, place INTEGER);
CREATE TABLE IF NOT EXISTS collected (piece INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS sample (site TEXT, key INTEGER, piece INTEGER, place INTEGER, about TEXT, body BLOB);
CREATE TABLE IF NOT EXISTS learned (site TEXT PRIMARY KEY, files TEXT, notes TEXT);
"""
_CHOOSE_SAMPLE: Final = """
INSERT INTO chosen SELECT site, key, piece, place FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY site ORDER BY key, piece, place) AS rank,
              COUNT(*) OVER (PARTITION BY site) AS pages FROM page)
WHERE rank <= ? AND pages >= ?
"""

NumberedSplits = Callable[[], Iterator[tuple[int, Split]]]
"""Gives all splits with their numbers, each time it is called."""


@dataclass(frozen=True)
class LearningSummary:
    """Counts of the learned sites."""

    sites: int
    """Sites with enough pages."""
    wrapped: int
    """Sites with a trusted wrapper."""


@dataclass(frozen=True)
class SplitTask:
    """A split to read; `wanted` are the indices of the pages to collect."""

    number: int
    split: Split
    reading: ReadSettings
    wanted: frozenset[int] | None = None


def survey_split(task: SplitTask) -> list[tuple[str, int, int]]:
    """Return the site, the key and the index of each page that can be learned from."""
    pages = []
    for index, input_page in enumerate(_read_pages(task)):
        if (site := _find_eligible_site(input_page)) is not None:
            pages.append((site, _make_page_key(input_page), index))
    return pages


def collect_pages(task: SplitTask) -> list[tuple[int, str, bytes]]:
    """Return the wanted pages of a split: index, description, compressed body."""
    pages = []
    for index, input_page in enumerate(_read_pages(task)):
        if task.wanted is not None and index in task.wanted:
            body = input_page.body
            description = {
                "source": input_page.source,
                "position": input_page.position,
                "url": input_page.url,
                "content_type": input_page.content_type,
                "text": isinstance(body, str),
            }
            data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
            pages.append((index, json.dumps(description), zlib.compress(data, 1)))
    return pages


def learn_sites(
    splits: NumberedSplits,
    reading: ReadSettings,
    run_folder: Path,
    wrapper_folder: Path,
    jobs: int,
    log: Callable[[str], None],
    run_tasks: TaskRunner = run_tasks,
) -> LearningSummary:
    """Learn the sites of all splits into a folder of wrappers. What is already there is not learned again.

    `log` gets one line per stage, and one for each split that could not be read.
    """
    path = run_folder / _DATABASE
    if (wrapper_folder / SITE_INDEX).exists() and not path.exists():
        return _summarize(json.loads((wrapper_folder / SITE_INDEX).read_text("utf-8"))["sites"])
    wrapper_folder.mkdir(parents=True, exist_ok=True)
    for leftover in wrapper_folder.glob("*.part"):  # of a run that was killed
        leftover.unlink()
    try:
        with closing(sqlite3.connect(path)) as database:
            # No write-ahead log: it needs shared memory, which network disks do not have.
            database.executescript("PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = FILE;" + _TABLES)
            stages = _LearningStages(database, reading, jobs, log, run_tasks)
            stages.survey(splits)
            stages.collect(splits)
            stages.learn(wrapper_folder)
            files = stages.read_files()
            _save_text(wrapper_folder / SITE_INDEX, format_site_index(files, stages.read_notes()))
    except sqlite3.Error as error:  # a full disk, a damaged file
        raise RunError(f"{path}: {error}: free some space, or start again with --overwrite") from error
    for leftover in run_folder.glob(f"{path.name}*"):
        leftover.unlink()
    return _summarize(files)


def _summarize(files: dict[str, list[str]]) -> LearningSummary:
    return LearningSummary(len(files), sum(map(bool, files.values())))


class _LearningStages:
    """The three stages. Each one continues where it was interrupted."""

    def __init__(
        self,
        database: sqlite3.Connection,
        reading: ReadSettings,
        jobs: int,
        log: Callable[[str], None],
        run_tasks: TaskRunner,
    ) -> None:
        self.database = database
        self.reading = reading
        self.jobs = jobs
        self.log = log
        self.run_tasks = run_tasks

    def survey(self, splits: NumberedSplits) -> None:
        """Note the site and the key of each page, then choose the samples."""
        if self._has_rows("chosen"):
            return
        done = self._first_column("surveyed")
        self.log("looking for the sites of the input")
        tasks = (SplitTask(number, split, self.reading) for number, split in splits() if number not in done)
        for result in self.run_tasks(survey_split, tasks, self.jobs, TASK_TIMEOUT_SECONDS):
            number = result.task.number
            self._log_error(result.error, result.task.split)
            rows = [(site, key, number, index) for site, key, index in result.result or ()]
            with self.database:
                self.database.executemany("INSERT INTO page VALUES (?, ?, ?, ?)", rows)
                self.database.execute("INSERT INTO surveyed VALUES (?)", (number,))
        with self.database:
            self.database.execute(_CHOOSE_SAMPLE, (SAMPLE_PAGES, MIN_SITE_PAGES))
            self.database.execute("DELETE FROM page")

    def collect(self, splits: NumberedSplits) -> None:
        """Store the pages of the samples."""
        wanted = {number for (number,) in self.database.execute("SELECT DISTINCT piece FROM chosen")}
        wanted -= self._first_column("collected")
        if not wanted:
            return
        self.log("collecting a sample of each site")
        tasks = (self._make_collection(number, split) for number, split in splits() if number in wanted)
        for result in self.run_tasks(collect_pages, tasks, self.jobs, TASK_TIMEOUT_SECONDS):
            number = result.task.number
            self._log_error(result.error, result.task.split)
            chosen = self._chosen_pages(number)
            rows = [
                (*chosen[index], number, index, description, body) for index, description, body in result.result or ()
            ]
            with self.database:
                self.database.executemany("INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)", rows)
                self.database.execute("INSERT INTO collected VALUES (?)", (number,))

    def learn(self, folder: Path) -> None:
        """Learn the wrappers of each site and save them."""
        self.database.execute("CREATE INDEX IF NOT EXISTS by_site ON sample (site, key)")
        done = self._first_column("learned")
        sites = [site for (site,) in self.database.execute("SELECT DISTINCT site FROM chosen ORDER BY site")]
        self.log(f"learning {len(sites):,} sites")
        tasks = ((site, self._read_sample(site)) for site in sites if site not in done)
        for result in self.run_tasks(_learn_sample, tasks, self.jobs, TASK_TIMEOUT_SECONDS):
            site = result.task[0]
            wrappers = result.result or SiteWrappers((), (result.error or "",))
            files = [make_file_name(site, number) for number in range(len(wrappers.trusted))]
            for name, wrapper in zip(files, wrappers.trusted, strict=True):
                _save_text(folder / name, format_wrapper(wrapper))
            with self.database:
                values = (site, json.dumps(files), json.dumps(wrappers.notes))
                self.database.execute("INSERT INTO learned VALUES (?, ?, ?)", values)

    def read_files(self) -> dict[str, list[str]]:
        return {site: json.loads(files) for site, files in self.database.execute("SELECT site, files FROM learned")}

    def read_notes(self) -> dict[str, list[str]]:
        return {site: json.loads(notes) for site, notes in self.database.execute("SELECT site, notes FROM learned")}

    def _make_collection(self, number: int, split: Split) -> SplitTask:
        return SplitTask(number, split, self.reading, frozenset(self._chosen_pages(number)))

    def _chosen_pages(self, number: int) -> dict[int, tuple[str, int]]:
        rows = self.database.execute("SELECT place, site, key FROM chosen WHERE piece = ?", (number,))
        return {index: (site, key) for index, site, key in rows}

    def _read_sample(self, site: str) -> list[tuple[str, bytes]]:
        query = "SELECT about, body FROM sample WHERE site = ? ORDER BY key, piece, place"
        return self.database.execute(query, (site,)).fetchall()

    def _first_column(self, table: str) -> set[Any]:
        return {first for first, *_ in self.database.execute(f"SELECT * FROM {table}")}

    def _has_rows(self, table: str) -> bool:
        return self.database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None

    def _log_error(self, error: str | None, split: Split) -> None:
        if error is not None:
            self.log(f"{split.path}: nothing was learned from a split at {split.start:,}: {error}")


def _save_text(path: Path, text: str) -> None:
    write_atomically(path, lambda file: file.write(text.encode()))


def _learn_sample(task: tuple[str, list[tuple[str, bytes]]]) -> SiteWrappers:
    return learn_site(_make_page(json.loads(description), zlib.decompress(body)) for description, body in task[1])


def _make_page(description: dict[str, Any], data: bytes) -> InputPage:
    body = data.decode("utf-8", "surrogatepass") if description.pop("text") else data
    return InputPage(body=body, **description)


def _read_pages(task: SplitTask) -> Iterator[InputPage]:
    return input_module(task.split.kind).read_pages(task.split, task.reading, InputNotes())


def _find_eligible_site(input_page: InputPage) -> str | None:
    """Return the site of a page that can be learned from; None for other pages."""
    is_sound = input_page.error is None and input_page.status in (None, 200)
    if not is_sound or not 0 < len(input_page.body) <= MAX_SAMPLE_PAGE_BYTES:
        return None
    return find_site(input_page)


def _make_page_key(input_page: InputPage) -> int:
    name = input_page.url or f"{input_page.source}#{input_page.position}"
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).digest()) >> 1
