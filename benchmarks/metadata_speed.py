"""What metadata costs on top of a tree that is there already, in bare parses by Lexbor.

    python benchmarks/metadata_speed.py SET [--every N]

Pages whose title, authors and date of publication come from the head are one group; those whose body has to be read
for them another. What is asked of each: title and language, as a row of a batch has them; those three; the usual
fields, with site, language, description, canonical address and lead image; every field; and all images. Nothing is
remembered from one reading of a page to the next.
Times are the processor's, in one run; only their ratio to the parse of the same pages means anything.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

from selectolax.lexbor import LexborHTMLParser

from duramen.evaluation import read_set
from duramen.metadata import Metadata, dates, strings, titles
from duramen.metadata.reading import FIELDS
from duramen.page import Page

_TIMES = 7
_REMEMBERED = (dates._read, strings.key, titles.parts, titles.without_site)
_ROW = ("title", "language")
_THREE = ("title", "authors", "published")
_USUAL = (*_THREE, "site", "language", "description", "canonical", "image")
_EVERY = tuple(name for name in FIELDS if name != "images")


def fields(names: Sequence[str], page: Page) -> Metadata:
    """The metadata of a page once these fields have been asked for."""
    metadata = Metadata.read(page)
    for name in names:
        metadata.how(name)
    return metadata


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", metavar="SET")
    parser.add_argument("--every", type=int, default=5, metavar="N", help="one page of N (default: 5)")
    args = parser.parse_args()
    works: dict[str, Callable[[Page], object]] = {
        "title, language": partial(fields, _ROW),
        "title, authors, published": partial(fields, _THREE),
        "the usual fields": partial(fields, _USUAL),
        "every field": partial(fields, _EVERY),
        "and all images, as_dict": lambda page: Metadata.read(page).as_dict(),
    }
    parsed = {True: 0.0, False: 0.0}
    spent = {(name, where): 0.0 for name in works for where in parsed}
    pages = {True: 0, False: 0}
    for example in read_set(args.set)[:: args.every]:
        raw = example.read()
        metadata = fields(_THREE, Page.parse(raw, url=example.url))  # warm, and tells the groups apart
        in_head = "body" not in vars(metadata.sources)
        pages[in_head] += 1
        parsed[in_head] += _least(partial(LexborHTMLParser, raw))
        for name, work in works.items():
            page = Page.parse(raw, url=example.url)
            spent[name, in_head] += _least(partial(work, page))
    for in_head, where in ((True, "in the head"), (False, "in the body, too")):
        print(f"{pages[in_head]} pages with their metadata {where}")
        for name in works:
            print(f"  {name:28} {spent[name, in_head] / max(parsed[in_head], 1e-9):6.2f} of a bare parse")


def _least(work: Callable[[], object]) -> float:
    """The shortest of a few runs: what a busy machine adds to the others is not the work's."""
    times = []
    for _ in range(_TIMES):
        for remembered in _REMEMBERED:
            remembered.cache_clear()
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
