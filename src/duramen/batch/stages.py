"""What a run does before its rows and after them, where it was asked to: learn the sites, mark the duplicates.

Most runs are asked for neither, and do not load what it takes.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.batch.books import Books
from duramen.batch.guarded import Each, each
from duramen.batch.place import Place
from duramen.batch.planning import Planning
from duramen.batch.settings import Settings
from duramen.batch.shards import Outcome
from duramen.batch.shelf import Shelf

if TYPE_CHECKING:
    from duramen.batch.duplicates import Marked

WRAPPERS = "wrappers"
"""The folder of the wrappers, in that of the run's books."""

Tell = Callable[[str], None]


def ready(settings: Settings, place: Place) -> Settings:
    """The settings as workers need them; a missing library is told before the run."""
    if settings.duplicates is not None:
        from duramen.batch.duplicates import check

        check(settings.duplicates)
    return replace(settings, wrappers=str(place.work / WRAPPERS)) if settings.learn else settings


def before(books: Books, plan: Callable[[], Planning], jobs: int, tell: Tell, run: Each = each) -> None:
    """Learn the wrappers that the run's settings name."""
    settings, work = books.settings, books.place.work
    if not settings.learn or settings.wrappers is None:
        return
    from duramen.batch.learning import learn

    planning = plan()
    try:
        while _next(planning):
            pass
    finally:
        planning.stop()
    found = learn(lambda: enumerate(books.pieces()), settings.reading, work, Path(settings.wrappers), jobs, tell, run)
    tell(f"{found.wrapped:,} of {found.sites:,} sites with five pages or more have wrappers: {settings.wrappers}")


def after(
    place: Place,
    outcomes: Iterable[Outcome],
    kind: str,
    jobs: int,
    tell: Tell,
    shelf: Shelf | None = None,
    run: Each = each,
) -> Marked:
    """Mark the duplicates in the finished shards."""
    from duramen.batch.duplicates import mark

    texts = None if place.texts is None else str(place.texts)
    tell(f"looking for duplicates ({kind})")
    rows = {outcome.number: outcome.rows for outcome in outcomes}
    found = mark(shelf or Shelf(str(place.shards), place.ending, texts), rows, kind, place.work, jobs, run)
    tell(f"{found.duplicates:,} of {found.rows:,} rows are marked as duplicates")
    return found


def _next(planning: Planning) -> bool:
    """Whether there was another piece."""
    while True:
        try:
            return planning.next(1.0) is not None
        except queue.Empty:
            continue
