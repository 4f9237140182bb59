"""What metadata costs on top of a tree that is there already, in bare parses by Lexbor.

    python benchmarks/metadata_speed.py SET [--every N] [--pressed]

Pages whose title, authors and date of publication come from the head are one group; those whose body has to be read
for them another. What is asked of each: title and language, as a row of a batch has them; those three; the usual
fields, with site, language, description, canonical address and lead image; every field; and all images.

Each is measured alone, as a crawl would meet it: a round over all pages for each of them, so that a page has just been
parsed and nothing else was read of it, and nothing is remembered from one reading of a page to the next but what the
few names of types and languages come down to, which are the same on all pages.
Times are the processor's, the least of some rounds over all pages: what else runs on a machine only adds to it. Only
their ratio to the parse of the same pages means anything. Much of it goes into fetching code that the parse has driven
out of the processor's caches: `--pressed` runs a program beside it that moves memory all the time.
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

from duramen.dom.page import Page
from duramen.evaluation import read_set
from duramen.metadata import Metadata, dates, names, strings, titles
from duramen.metadata.reading import FIELDS

_ROUNDS = 7
_REMEMBERED = (dates._read, names._names, strings.wide_key, titles.parts, titles.without_site)
_ROW = ("title", "language")
_THREE = ("title", "authors", "published")
_USUAL = (*_THREE, "site", "language", "description", "canonical", "image")
_EVERY = tuple(name for name in FIELDS if name != "images")
_MOVES_MEMORY = "data = bytearray(1 << 26)\nwhile True: bytes(data)"


def read(wanted: Sequence[str], page: Page) -> Metadata:
    """The metadata of a page once these fields have been asked for."""
    metadata = Metadata.read(page)
    for name in wanted:
        metadata.how(name)
    return metadata


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", metavar="SET")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one page of N (default: all)")
    parser.add_argument("--pressed", action="store_true", help="beside a program that moves memory")
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
    with _beside(args.pressed):
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
def _beside(is_pressed: bool) -> Iterator[None]:
    """With a program that moves memory beside it, if that is wanted."""
    if not is_pressed:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", _MOVES_MEMORY]) as beside:
        try:
            yield
        finally:
            beside.kill()


def _is_in_head(page: Page) -> bool:
    metadata = read(_THREE, page)
    return "body" not in vars(metadata.sources)  # which keep there what they have read


def _time(work: Callable[[], object]) -> float:
    for remembered in _REMEMBERED:
        remembered.cache_clear()
    start = process_time()
    work()
    return process_time() - start


if __name__ == "__main__":
    main()
