"""Pages from the web: addresses, and the lists, feeds and sitemaps that hold them (`duramen.batch.seeds`).

What is downloaded is written into segments of a WARC first (`duramen.batch.keeping`); a piece is a segment. So a piece
can be read as often as need be and always gives the same items, nothing is downloaded twice when a run is killed and
goes on, and pages are extracted while others arrive. The settings come with `Reading.given`: `downloads` is the folder
of the segments, and `manners` says how to behave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from duramen.batch.download import Crawl, Manners
from duramen.batch.item import Item, Notes, Piece
from duramen.batch.keeping import POSITION, REQUESTED, SOURCE, Segments
from duramen.batch.seeds import streams
from duramen.batch.settings import Reading
from duramen.batch.sources.warc import item_of
from duramen.errors import UsageError

KIND = "addresses"
_MOST = 256
"""Pages of a segment at most: downloads are slow, and a row should not wait for thousands of others."""
_UNDER_WAY: set[Crawl] = set()


def cut(whole: Piece, reading: Reading, limits: Iterator[int], notes: Notes, after: Piece | None) -> Iterator[Piece]:
    manners = Manners.from_json(given(reading, "manners") or "{}")
    with Segments(folder_of(whole, reading), manners.user_agent) as segments:
        seen = Path(after.path).name if after is not None else ""
        for path in segments.finished():
            if (len(path.name), path.name) > (len(seen), seen):  # finished, but its piece was not noted any more
                yield _piece(path)
        if not segments.is_complete:
            yield from _downloaded(whole, manners, segments, limits, notes)


def _downloaded(
    whole: Piece, manners: Manners, segments: Segments, limits: Iterator[int], notes: Notes
) -> Iterator[Piece]:
    """The segments as they fill."""
    done = segments.done()
    limit = min(next(limits), _MOST)
    with Crawl(streams(whole.names, manners, done), manners, done) as crawl, _stoppable(crawl):
        for outcome in crawl:
            segments.add(outcome)
            if segments.pages >= limit:
                yield _piece(segments.finish())
                limit = min(next(limits), _MOST)
    if segments.pages:
        yield _piece(segments.finish())
    for why, number in crawl.skipped.items():
        notes.skip(why, number)
    segments.complete()


def read(piece: Piece, reading: Reading, notes: Notes) -> Iterator[Item]:
    from fastwarc.warc import ArchiveIterator

    with open(piece.path, "rb") as file:
        index = -1
        for record in ArchiveIterator(file, parse_http=False):
            if REQUESTED not in record.headers:  # a redirect, or the warcinfo
                continue
            index += 1
            source, position = record.headers.get(SOURCE) or "", int(record.headers.get(POSITION) or 0)
            if (lost := piece.lost.get(index)) is not None:
                yield Item(source, position, url=record.headers.get("WARC-Target-URI"), error=lost)
                continue
            item = item_of(record, position, source, reading, notes)
            # An answer with two types, say, of which we believed one and FastWARC the other: no address goes missing.
            yield item or Item(source, position, error="not-html: the page contradicts itself on what it is")


def stop() -> None:
    """End the downloads under way: no more pieces are wanted. Their `cut` raises a `CancelledError`."""
    for crawl in list(_UNDER_WAY):
        crawl.stop()


@contextmanager
def _stoppable(crawl: Crawl) -> Iterator[None]:
    _UNDER_WAY.add(crawl)
    try:
        yield
    finally:
        _UNDER_WAY.discard(crawl)


def size(whole: Piece, reading: Reading) -> int | None:
    """Nobody knows how much there is on the web."""
    return None


def folder_of(whole: Piece, reading: Reading) -> Path:
    """Where the segments of these addresses are; others, of the same run, have another folder."""
    folder = given(reading, "downloads")
    if folder is None:
        raise UsageError("pages from the web need a folder to be kept in: the setting `downloads`")
    name = hashlib.sha256("\n".join(whole.names).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Path(folder) / name


def given(reading: Reading, name: str) -> str | None:
    return dict(reading.given).get(name)


def _piece(path: Path) -> Piece:
    return Piece(KIND, str(path), 0, None, size=path.stat().st_size)
