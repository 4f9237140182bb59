"""Measure the processor time of learning and applying a wrapper, compared with other methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from time import process_time
from typing import NamedTuple

from duramen import methods
from duramen.dom.page import Page
from duramen.wrappers import Wrapper, learn
from forest_sites import Sites

_REPEATS = 5
_PAGES = 10


class LearningTime(NamedTuple):
    """The time of learning from ten pages of a site, and their mean size."""

    site: str
    kilobytes: float
    seconds: float


def measure_learning(sites: Sites, near: float = 100.0) -> list[LearningTime]:
    """Return the times, parsing included, for the five sites whose pages are nearest to `near` kilobytes."""
    sizes = {
        site: [page.example.read() for page in pages[:_PAGES]]
        for site, pages in sites.sites.items()
        if len(pages) >= _PAGES
    }
    means = {site: sum(map(len, raws)) / len(raws) / 1000 for site, raws in sizes.items()}
    nearest = sorted(means, key=lambda site: abs(means[site] - near))[:5]
    return [LearningTime(site, means[site], _best(partial(learn, sizes[site]))) for site in sorted(nearest)]


def measure_applying(sites: Sites, names: Sequence[str]) -> dict[str, float]:
    """Return milliseconds per page, without parsing, of a wrapper learned from half of the pages and of methods."""
    variants: dict[str, Callable[[Wrapper, Page], object]] = {"a wrapper": lambda wrapper, page: wrapper(page)}
    variants |= {name: _method(name) for name in names}
    tasks = []
    for pages in sites.sites.values():
        wrapper = learn([page.sample_page for page in pages[::2]])
        tasks += [(wrapper, page.example.read()) for page in pages[1::2]]
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(_REPEATS):
        for name, apply in variants.items():
            parsed = [(wrapper, Page.parse(raw)) for wrapper, raw in tasks]
            start = process_time()
            for wrapper, page in parsed:
                apply(wrapper, page)
            times[name].append((process_time() - start) / len(parsed) * 1000)
    return {name: median(seconds) for name, seconds in times.items()}


def _method(name: str) -> Callable[[Wrapper, Page], object]:
    method = methods.get(name)
    return lambda wrapper, page: method(page)


def _best(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(_REPEATS):
        start = process_time()
        work()
        seconds.append(process_time() - start)
    return min(seconds)
