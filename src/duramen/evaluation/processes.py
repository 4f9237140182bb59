"""The scores of many pages from several processes at once.

Processes share the machine's memory and caches and slow each other down, so nothing is timed here.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from duramen.evaluation.extractors import Extractor
from duramen.evaluation.run import PageRun, score_pages
from duramen.evaluation.sets import Example

_extractors: list[Extractor] = []
"""What this process runs: made from names when it starts, since a function made in another one cannot be sent."""


def score_pages_in_processes(
    examples: Iterable[Example], names: Sequence[str | Extractor], jobs: int
) -> Iterator[PageRun]:
    """As `score_pages`, in the same order, for methods and peers by name, or extractors that can be sent."""
    # Spawned, not forked: a fork copies what other libraries' threads hold locked.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start, (list(names),)) as pool:
        try:
            yield from pool.map(_score, examples, chunksize=4)
        except BaseException:  # Ctrl-C above all: the pages that wait are not begun
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _start(names: list[str | Extractor]) -> None:
    from duramen.evaluation import extractor

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's business
    _extractors[:] = [extractor(name) for name in names]


def _score(example: Example) -> PageRun:
    (done,) = score_pages([example], _extractors, timed=False)
    return done
