"""What a way through a crawl takes of the processors, on a machine that is never quite at rest.

What else runs on a machine only adds to what a way takes, so the least of several rounds counts. But a minute without
disturbance is rare where a second is not. So the crawl is taken in parts of two seconds or so; one way after the other
goes through each of them, round after round; and of each part the least counts. What a way takes for a crawl of one
page is its start. Each part has one, and a whole crawl has one in all: the others are taken off. The start is measured
once for each part and round, so that it is the least of many, and rather too much is left to a run than too little.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from batch_contenders import Cost
from batch_crawl import Crawled, write_warc

Way = Callable[[Path], Cost]


PAGES = 480
"""Of a part, about."""


def write_parts(folder: Path, pages: Sequence[Crawled]) -> tuple[Path, list[Path]]:
    """A crawl of one page, and the whole in parts, each a mixture like the others."""
    number = max(len(pages) // PAGES, 1)
    first, parts = folder / "first.warc.gz", [folder / f"part-{index}.warc.gz" for index in range(number)]
    write_warc(first, list(pages[:1]))
    for index, path in enumerate(parts):
        write_warc(path, list(pages[index::number]))
    return first, parts


def processor(ways: Mapping[str, Way], first: Path, parts: Sequence[Path], rounds: int) -> dict[str, float]:
    """Seconds of the processors that each way takes for the whole crawl."""
    start = dict.fromkeys(ways, math.inf)
    least = {(name, part): math.inf for name in ways for part in parts}
    for number in range(rounds):
        for part in parts:
            for name, way in ways.items():
                least[name, part] = min(least[name, part], way(part).processor)
            for name, way in ways.items():
                start[name] = min(start[name], way(first).processor)
        sums = {name: _whole(start[name], [least[name, part] for part in parts]) for name in ways}
        told = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in sums.items())
        print(f"in parts, round {number + 1}: {told}", file=sys.stderr)
    return sums


def _whole(start: float, parts: Sequence[float]) -> float:
    return start + sum(part - start for part in parts)
