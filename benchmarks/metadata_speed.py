"""Measure the cost of metadata after parsing, in units of a bare parse by Lexbor.

    python benchmarks/metadata_speed.py SET [--every N] [--busy-memory]

Pages are in two groups: those whose title, authors and publication date come from the head, and those whose body is
read too. The steps are: title and language, as in a row of a batch; title, authors and date; the usual fields, with
site, language, description, canonical URL and lead image; every field; and all images.

Each step is measured alone, in a round over all pages, on a page that was just parsed. The caches of values are cleared
before each page, as in a crawl. Times are processor times, the minimum of several rounds. Only their ratio to the bare
parse of the same pages is meaningful. `--busy-memory` runs a second program that fills the processor's memory caches.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import process_time

from rich.console import Console
from rich.progress import track
from selectolax.lexbor import LexborHTMLParser

from duramen.dom import dates, text
from duramen.dom.page import Page
from duramen.evaluation import read_set
from duramen.metadata import Metadata, author_names, title
from duramen.metadata.metadata import FIELDS

_ROUNDS = 7
_CACHES = (dates._parse, author_names._parse_names, text.word_key, title.split_title, title.drop_site_name)
_ROW = ("title", "language")
_THREE = ("title", "authors", "published")
_USUAL = (*_THREE, "site", "language", "description", "canonical", "image")
_EVERY = tuple(name for name in FIELDS if name != "images")
_MOVES_MEMORY = "data = bytearray(1 << 26)\nwhile True: bytes(data)"


def read(wanted: Sequence[str], page: Page) -> Metadata:
    """Read these fields of a page."""
    metadata = Metadata.read(page)
    for name in wanted:
        metadata.evidence(name)
    return metadata


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", metavar="SET")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one page of N (default: all)")
    parser.add_argument("--busy-memory", action="store_true", help="run a second program that moves memory")
    args = parser.parse_args()
    works: dict[str, Callable[[Page], object]] = {
        "title, language": partial(read, _ROW),
        "title, authors, published": partial(read, _THREE),
        "the usual fields": partial(read, _USUAL),
        "every field": partial(read, _EVERY),
        "and all images, as_dict": lambda page: Metadata.read(page).as_dict(),
    }
    pages = [(example.url, example.read()) for example in read_set(args.set)[:: args.every]]
    heads = [_is_in_head(Page.parse(raw, url=url)) for url, raw in pages]
    bare = [float("inf")] * len(pages)
    spent = {name: bare.copy() for name in works}
    with _move_memory(args.busy_memory):
        for _ in track(range(_ROUNDS), description="measuring", console=Console(stderr=True)):
            for place, (_, raw) in enumerate(pages):
                bare[place] = min(bare[place], _time(partial(LexborHTMLParser, raw)))
            for name, work in works.items():
                times = spent[name]
                for place, (url, raw) in enumerate(pages):
                    times[place] = min(times[place], _time(partial(work, Page.parse(raw, url=url))))
    for in_head, where in ((True, "in the head"), (False, "in the body, too")):
        group = [place for place, is_so in enumerate(heads) if is_so == in_head]
        print(f"{len(group)} pages with their metadata {where}")
        for name, times in spent.items() if group else ():
            share = sum(times[place] for place in group) / sum(bare[place] for place in group)
            print(f"  {name:28} {share:6.2f} of a bare parse")


@contextmanager
def _move_memory(is_wanted: bool) -> Iterator[None]:
    """Run a second program that moves memory, if wanted."""
    if not is_wanted:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", _MOVES_MEMORY]) as process:
        try:
            yield
        finally:
            process.kill()


def _is_in_head(page: Page) -> bool:
    metadata = read(_THREE, page)
    return "body" not in vars(metadata.sources)


def _time(work: Callable[[], object]) -> float:
    for cache in _CACHES:
        cache.cache_clear()
    start = process_time()
    work()
    return process_time() - start


if __name__ == "__main__":
    main()
