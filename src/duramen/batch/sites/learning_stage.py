"""Models of the sites of a run, learned before its first row: sample, then learn.

    all splits ── sample ── at most 32 pages of each site, those with the smallest keys
                               │
                             learn ── a model of each template, and the frame of each site

The key of a page is a hash of its URL, so the sample is random, and the same in whatever order the splits are read.
The input is read once; nothing is parsed but the sample. All is in one SQLite file in the run folder: the sample while
the run learns, then the models, which the workers read. A killed run resumes from it. Only that file grows with the
number of sites; memory does not grow.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from heapq import heappush, heapreplace
from pathlib import Path
from typing import Any, Final, NamedTuple

from duramen.batch.inputs import input_module
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.settings import ReadSettings
from duramen.batch.sites.lookup import find_site
from duramen.dom.page import Page
from duramen.errors import InputError, RunError
from duramen.processes import TaskRunner, run_tasks
from duramen.site_model.model import ScoredPage, SiteModel
from duramen.site_model.sites import SiteModels

SAMPLE_PAGES: Final = 32
"""Pages of a site to learn from: eight to ten of each of its three or four templates."""

MIN_SITE_PAGES: Final = 2
"""Pages that a site must have: a page is compared with the others."""

MAX_SAMPLE_PAGE_BYTES: Final = 2_000_000

TASK_TIMEOUT_SECONDS: Final = 600.0
"""For one split or one site."""

# The names of tables and columns are part of the format: interrupted runs are resumed.
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS sampled (split INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS sample (site TEXT, key INTEGER, split INTEGER, page INTEGER, description TEXT, body BLOB);
CREATE INDEX IF NOT EXISTS sample_by_site ON sample (site, key, split, page);
CREATE TABLE IF NOT EXISTS learned (site TEXT PRIMARY KEY, error TEXT);
CREATE TABLE IF NOT EXISTS model (site TEXT, template INTEGER, json BLOB, PRIMARY KEY (site, template));
CREATE TABLE IF NOT EXISTS frame (site TEXT PRIMARY KEY, pages INTEGER, text TEXT);
CREATE TABLE IF NOT EXISTS finished (sites INTEGER);
"""
_DROP_LARGER_KEYS: Final = """
DELETE FROM sample WHERE rowid IN
    (SELECT rowid FROM sample WHERE site = ? ORDER BY key, split, page LIMIT -1 OFFSET ?)
"""

NumberedSplits = Callable[[], Iterator[tuple[int, Split]]]
"""Gives all splits with their numbers, each time it is called."""


@dataclass(frozen=True)
class SplitTask:
    """A split to read."""

    number: int
    split: Split
    reading: ReadSettings


class SampledPage(NamedTuple):
    """A page of a sample. Pages of one site are ordered by the key."""

    key: int
    page_index: int
    """The index of the page in its split."""
    description: str
    """All of the `InputPage` but its body, as JSON."""
    body: bytes
    """The compressed body."""


class LearnedSite(NamedTuple):
    """What the sample of a site shows."""

    models: list[str]
    """The models of its templates, as JSON."""
    frame_pages: int
    """Pages that the frame was read from; 0 if the site has none."""
    frame: str
    """The texts that repeat on its pages, each once."""


def sample_split(task: SplitTask) -> dict[str, list[SampledPage]]:
    """Return the pages of a split with the smallest keys, for each site."""
    heaps: dict[str, list[tuple[int, int, SampledPage]]] = defaultdict(list)
    pages = input_module(task.split.kind).read_pages(task.split, task.reading, InputNotes())
    for index, input_page in enumerate(pages):
        if (site := _find_eligible_site(input_page)) is None:
            continue
        key, heap = _make_page_key(input_page), heaps[site]
        order = -key, -index  # the first of a heap is the page that a smaller key replaces
        if len(heap) < SAMPLE_PAGES:
            heappush(heap, (*order, _pack_page(key, index, input_page)))
        elif order > heap[0][:2]:
            heapreplace(heap, (*order, _pack_page(key, index, input_page)))
    return {site: [page for *_, page in heap] for site, heap in heaps.items()}


def learn_site(site: str, sample: list[SampledPage]) -> LearnedSite:
    """Learn the models and the frame of a site. The result depends only on the pages."""
    pages = []
    for input_page in map(_unpack_page, sample):
        headers = {"content-type": input_page.content_type} if input_page.content_type else None
        try:
            pages.append(Page.parse(input_page.body, input_page.url, headers))
        except InputError:
            continue  # not HTML: the row of the page reports it
    scored = [SiteModel().score(page) for page in pages]
    models = SiteModels()
    for one in scored:
        models.add(one, site)
    learned = models.by_host.get(site, [])
    frame_pages, frame = _read_frame(models, site, scored)
    return LearnedSite([model.to_json() for model in learned if len(model) >= MIN_SITE_PAGES], frame_pages, frame)


def _read_frame(models: SiteModels, site: str, pages: list[ScoredPage]) -> tuple[int, str]:
    """Return the number of pages with repeated texts, and these texts, each once, in the order of the pages."""
    texts: dict[str, None] = {}
    frame_pages = 0
    for page in pages:
        model = models.find_model(page, site) or SiteModel()
        repeated = model.find_frame(page)
        texts.update(dict.fromkeys(repeated))
        frame_pages += bool(repeated)
    return frame_pages, "\n".join(texts)


def learn_sites(
    splits: NumberedSplits,
    reading: ReadSettings,
    path: Path,
    jobs: int,
    log: Callable[[str], None],
    run_tasks: TaskRunner = run_tasks,
) -> int:
    """Learn the sites of all splits into a database, and return their number. What is done is not repeated.

    `log` gets one line per stage, and one for each split and site that could not be read.
    """
    try:
        with closing(sqlite3.connect(path)) as database:
            # No write-ahead log: it needs shared memory, which network disks do not have.
            database.executescript("PRAGMA journal_mode = TRUNCATE; PRAGMA temp_store = FILE;" + _TABLES)
            if (finished := database.execute("SELECT sites FROM finished").fetchone()) is not None:
                return int(finished[0])
            stages = _LearningStages(database, reading, jobs, log, run_tasks)
            stages.sample(splits)
            stages.learn()
            return stages.finish()
    except sqlite3.Error as error:  # a full disk, a damaged file
        raise RunError(f"{path}: {error}: free some space, or start again with --overwrite") from error


def read_frames(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the site, the number of pages and the text of each frame."""
    with closing(sqlite3.connect(path)) as database:
        yield from database.execute("SELECT site, pages, text FROM frame ORDER BY site")


class _LearningStages:
    """The stages. Each one continues where it was interrupted."""

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

    def sample(self, splits: NumberedSplits) -> None:
        """Read all splits, and keep the pages of each site with the smallest keys."""
        done = self._first_column("sampled")
        self.log("sampling the sites of the input")
        tasks = (SplitTask(number, split, self.reading) for number, split in splits() if number not in done)
        for result in self.run_tasks(sample_split, tasks, self.jobs, TASK_TIMEOUT_SECONDS):
            number, split = result.task.number, result.task.split
            if result.error is not None:
                self.log(f"{split.path}: nothing was learned from a split at {split.start:,}: {result.error}")
            with self.database:
                for site, pages in (result.result or {}).items():
                    rows = [(site, page.key, number, page.page_index, page.description, page.body) for page in pages]
                    self.database.executemany("INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)", rows)
                    self.database.execute(_DROP_LARGER_KEYS, (site, SAMPLE_PAGES))
                self.database.execute("INSERT INTO sampled VALUES (?)", (number,))

    def learn(self) -> None:
        """Learn the models of each site that has enough pages."""
        done = self._first_column("learned")
        query = "SELECT site FROM sample GROUP BY site HAVING COUNT(*) >= ? ORDER BY site"
        sites = [site for (site,) in self.database.execute(query, (MIN_SITE_PAGES,))]
        self.log(f"learning {len(sites):,} {'site' if len(sites) == 1 else 'sites'}")
        tasks = ((site, self._read_sample(site)) for site in sites if site not in done)
        for result in self.run_tasks(_learn_sample, tasks, self.jobs, TASK_TIMEOUT_SECONDS):
            site = result.task[0]
            if result.error is not None:
                self.log(f"{site}: nothing was learned: {result.error}")
            learned = result.result or LearnedSite([], 0, "")
            models = [(site, number, zlib.compress(text.encode())) for number, text in enumerate(learned.models)]
            with self.database:
                self.database.executemany("INSERT INTO model VALUES (?, ?, ?)", models)
                if learned.frame_pages:
                    frame = site, learned.frame_pages, learned.frame
                    self.database.execute("INSERT INTO frame VALUES (?, ?, ?)", frame)
                self.database.execute("INSERT INTO learned VALUES (?, ?)", (site, result.error))

    def finish(self) -> int:
        """Remove the sample, and return the number of sites with a model."""
        count: int = self.database.execute("SELECT COUNT(DISTINCT site) FROM model").fetchone()[0]
        with self.database:
            self.database.execute("DELETE FROM sample")
            self.database.execute("INSERT INTO finished VALUES (?)", (count,))
        self.database.execute("VACUUM")
        return count

    def _read_sample(self, site: str) -> list[SampledPage]:
        query = "SELECT key, page, description, body FROM sample WHERE site = ? ORDER BY key, split, page"
        return [SampledPage(*row) for row in self.database.execute(query, (site,))]

    def _first_column(self, table: str) -> set[Any]:
        return {first for first, *_ in self.database.execute(f"SELECT * FROM {table}")}


def _learn_sample(task: tuple[str, list[SampledPage]]) -> LearnedSite:
    return learn_site(*task)


def _pack_page(key: int, index: int, input_page: InputPage) -> SampledPage:
    body = input_page.body
    description = {
        "source": input_page.source,
        "position": input_page.position,
        "url": input_page.url,
        "content_type": input_page.content_type,
        "text": isinstance(body, str),
    }
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    return SampledPage(key, index, json.dumps(description), zlib.compress(data, 1))


def _unpack_page(page: SampledPage) -> InputPage:
    description = json.loads(page.description)
    data = zlib.decompress(page.body)
    body = data.decode("utf-8", "surrogatepass") if description.pop("text") else data
    return InputPage(body=body, **description)


def _find_eligible_site(input_page: InputPage) -> str | None:
    """Return the site of a page that can be learned from; None for other pages."""
    is_sound = input_page.error is None and input_page.status in (None, 200)
    if not is_sound or not 0 < len(input_page.body) <= MAX_SAMPLE_PAGE_BYTES:
        return None
    return find_site(input_page)


def _make_page_key(input_page: InputPage) -> int:
    name = input_page.url or f"{input_page.source}#{input_page.position}"
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).digest()) >> 1
