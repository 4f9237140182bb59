"""Measure the time of every verb on pages that are hard to read, at two sizes: which grows too fast?

    python benchmarks/scaling.py
    python benchmarks/scaling.py --verbs learn,records --pages "deep,nested" --kb 400

For each verb and each generator of `tests/hostile/generators.py`: processor seconds per megabyte at the larger size,
and the exponent of growth from a quarter of that size. Listed are those above the limit (2 seconds per megabyte), or
which grow faster than linearly and would exceed it at ten megabytes. A measurement ends after `--limit` seconds. The
exit status is 1 if one is listed.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.hostile.generators import GENERATORS, Generator
from tests.hostile.verbs import PAGES_READ, VERBS

import duramen

SECONDS_PER_MB = 2.0
MIN_SECONDS = 0.05
"""Shorter measurements say nothing about growth."""
LARGEST_MB = 10.0
"""Growth counts if the limit would be exceeded at this size."""
STEP = 4


class TooSlowError(BaseException):
    """A measurement takes longer than it may; not an Exception, so that no verb catches it."""


@dataclass(frozen=True)
class Cost:
    """Seconds of a verb on a page, small and large."""

    verb: str
    page: str
    megabytes: float
    seconds: float
    small_megabytes: float
    small_seconds: float
    is_stopped: bool

    @property
    def per_mb(self) -> float:
        return self.seconds / self.megabytes

    @property
    def exponent(self) -> float:
        if self.small_seconds < MIN_SECONDS / STEP or self.megabytes <= self.small_megabytes:
            return 1.0
        return math.log(self.seconds / self.small_seconds) / math.log(self.megabytes / self.small_megabytes)

    @property
    def is_bad(self) -> bool:
        if self.is_stopped or (self.per_mb > SECONDS_PER_MB and self.seconds > 2 * MIN_SECONDS):
            return True
        growth = (LARGEST_MB / self.megabytes) ** (self.exponent - 1)
        return self.seconds > MIN_SECONDS and self.exponent > 1.2 and self.per_mb * growth > SECONDS_PER_MB

    def __str__(self) -> str:
        stopped = " (stopped)" if self.is_stopped else ""
        return (
            f"{self.verb:24} {self.page:32} {self.megabytes * 1000:7.0f} kB {self.seconds:7.2f} s"
            f" {self.per_mb:8.2f} s/MB  exponent {self.exponent:.2f}{stopped}"
        )


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TooSlowError` after so many seconds of processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def measure(run: Callable[[], object], limit: float) -> tuple[float, bool]:
    """Return the seconds of a function, and whether it was stopped."""
    start = time.process_time()
    try:
        with limited(limit), suppress(duramen.DuramenError):
            run()
    except TooSlowError:
        return time.process_time() - start, True
    return time.process_time() - start, False


def make_page(generator: Generator, size: int) -> str:
    """Return a page of about so many bytes."""
    fixed, grown = len(generator(16).encode()), len(generator(144).encode())
    number = max(16, int((size - fixed) / max((grown - fixed) / 128, 0.1)))
    return generator(number)


def measure_all(verbs: list[str], pages: list[str], kilobytes: float, limit: float) -> Iterator[Cost]:
    for name in pages:
        htmls = [make_page(GENERATORS[name], int(kilobytes * 1000 / step)) for step in (STEP, 1)]
        for verb in verbs:
            small_size, size = (PAGES_READ.get(verb, 1) * len(html.encode()) / 1e6 for html in htmls)
            small, is_stopped = measure(partial(VERBS[verb], htmls[0]), limit)
            large = small
            if not is_stopped:
                large, is_stopped = measure(partial(VERBS[verb], htmls[1]), limit)
            else:
                size = small_size
            yield Cost(verb, name, size, large, small_size, small, is_stopped)


def choose(names: list[str], words: str) -> list[str]:
    return [name for name in names if any(word in name for word in words.split(","))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbs", default="", help="words in the names of verbs, with commas (default: all)")
    parser.add_argument("--pages", default="", help="words in the names of generators (default: all)")
    parser.add_argument("--kb", type=float, default=200, help="size of the larger page (default: 200)")
    parser.add_argument("--limit", type=float, default=10, help="seconds after which a measurement is stopped")
    parser.add_argument("--all", action="store_true", help="list all measurements")
    arguments = parser.parse_args()
    verbs, pages = choose(list(VERBS), arguments.verbs), choose(list(GENERATORS), arguments.pages)
    for verb in verbs:  # imports and models are loaded
        measure(partial(VERBS[verb], GENERATORS["paragraphs"](5)), 60)
    count = bad = 0
    for cost in measure_all(verbs, pages, arguments.kb, arguments.limit):
        count += 1
        bad += cost.is_bad
        if cost.is_bad or arguments.all:
            print(cost, flush=True)
    print(f"{count} measurements ({len(verbs)} verbs, {len(pages)} pages): {bad} too slow or growing too fast")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
