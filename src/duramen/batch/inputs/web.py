"""Input: pages from the web: URLs, and the lists, feeds and sitemaps that hold them (`duramen.batch.crawl.seeds`).

Downloads are first written to segments of a WARC (`duramen.batch.crawl.warc_writer`); a split is one segment. So a
split can be read again and always gives the same pages, a resumed run downloads nothing twice, and pages are extracted
while others arrive. `ReadSettings.given` has the folder of the segments and the crawl settings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from duramen.batch.crawl import Crawler, CrawlSettings
from duramen.batch.crawl.seeds import make_target_streams
from duramen.batch.crawl.warc_writer import POSITION, REQUESTED, SOURCE, WarcSegments
from duramen.batch.inputs.splits import InputNotes, InputPage, Split
from duramen.batch.inputs.warc.reader import read_record
from duramen.batch.settings import CRAWL_SETTINGS_KEY, DOWNLOAD_FOLDER_KEY, ReadSettings
from duramen.errors import UsageError

KIND = "addresses"
_MAX_SEGMENT_PAGES = 256
"""Downloads are slow, and a row should not wait for thousands of others."""
_running_crawlers: set[Crawler] = set()


def find_splits(
    whole: Split, reading: ReadSettings, limits: Iterator[int], notes: InputNotes, after: Split | None
) -> Iterator[Split]:
    settings = CrawlSettings.from_json(dict(reading.given).get(CRAWL_SETTINGS_KEY) or "{}")
    with WarcSegments(find_segment_folder(whole, reading), settings.user_agent) as segments:
        last = Path(after.path).name if after is not None else ""
        for path in segments.finished():
            if (len(path.name), path.name) > (len(last), last):  # finished, but not yet in the plan
                yield _make_split(path)
        if not segments.is_complete:
            yield from _download(whole, settings, segments, limits, notes)


def _download(
    whole: Split, settings: CrawlSettings, segments: WarcSegments, limits: Iterator[int], notes: InputNotes
) -> Iterator[Split]:
    """Download all targets and give each segment when it is full."""
    done = segments.find_done()
    limit = min(next(limits), _MAX_SEGMENT_PAGES)
    with Crawler(make_target_streams(whole.names, settings, done), settings, done) as crawler, _stoppable(crawler):
        for result in crawler:
            segments.add(result)
            if segments.pages >= limit:
                yield _make_split(segments.finish())
                limit = min(next(limits), _MAX_SEGMENT_PAGES)
    if segments.pages:
        yield _make_split(segments.finish())
    for kind, number in crawler.skipped.items():
        notes.skip(kind, number)
    segments.mark_complete()


def read_pages(split: Split, reading: ReadSettings, notes: InputNotes) -> Iterator[InputPage]:
    from fastwarc.warc import ArchiveIterator

    with open(split.path, "rb") as file:
        index = -1
        for record in ArchiveIterator(file, parse_http=False):
            if REQUESTED not in record.headers:  # a redirect, or the warcinfo record
                continue
            index += 1
            source, position = record.headers.get(SOURCE) or "", int(record.headers.get(POSITION) or 0)
            if (error := split.unreadable.get(index)) is not None:
                yield InputPage(source, position, url=record.headers.get("WARC-Target-URI"), error=error)
                continue
            page = read_record(record, position, source, reading, notes)
            # The crawler and FastWARC may disagree on a response with two content types. No URL may go missing.
            yield page or InputPage(source, position, error="not-html: the response has contradictory content types")


def stop_splitting() -> None:
    """Stop the running downloads: `find_splits` raises a `CancelledError`."""
    for crawler in list(_running_crawlers):
        crawler.stop()


@contextmanager
def _stoppable(crawler: Crawler) -> Iterator[None]:
    _running_crawlers.add(crawler)
    try:
        yield
    finally:
        _running_crawlers.discard(crawler)


def measure(whole: Split, reading: ReadSettings) -> int | None:
    """Return None: the size is not known before the download."""
    return None


def find_segment_folder(whole: Split, reading: ReadSettings) -> Path:
    """Return the folder for the segments of these URLs. Each input of URLs has its own."""
    folder = dict(reading.given).get(DOWNLOAD_FOLDER_KEY)
    if folder is None:
        raise UsageError(f"pages from the web need a folder for downloads: the setting `{DOWNLOAD_FOLDER_KEY}`")
    name = hashlib.sha256("\n".join(whole.names).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Path(folder) / name


def _make_split(path: Path) -> Split:
    return Split(KIND, str(path), 0, None, size=path.stat().st_size)
