"""What `duramen run --learn` gains and loses, page type by page type, and what looking for duplicates costs.

    python benchmarks/batch_sites.py DATA
    python benchmarks/batch_sites.py DATA -o docs/results/sites-in-a-run.md

DATA is the folder that holds the sets. Sites with five pages and more are learnt as the run learns them, from their own
pages without any label; every page is scored by the method alone, by whatever wrapper was learnt, and by the wrappers
that the run trusts. `--every 3` is a quick trial on a third of the sites.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from duramen import methods
from duramen.batch.dedup import fingerprints
from duramen.batch.inputs.splits import InputPage
from duramen.batch.sites.learning import MIN_SITE_PAGES, SAMPLE_PAGES
from duramen.batch.sites.lookup import MIN_ARTICLE_SHARE, MIN_CONFIDENCE, MIN_PROSE_SHARE, learn_site
from duramen.dom.page import Page
from duramen.errors import InputError, NotHTMLError
from duramen.evaluation import Example, read_set
from duramen.evaluation.metrics.ngrams import bigram_agreement, bigrams
from duramen.language import words
from duramen.wrappers import SamplePage, Wrapper, WrapperSet, learn_all

SETS = ("articles-2012-dev", "languages-dev", "feed-sites-dev", "news-sites-dev", "wcxb-dev")
FEWEST = {"wcxb-dev": 3}
"""wcxb-dev has other page types than articles, but few pages of a site."""


class Scores(NamedTuple):
    """F1 of a page."""

    method: float
    learnt: float
    trusted: float
    extracting: float
    """Seconds of the processor's time."""
    marking: float
    """The same, for the fingerprint of the text."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, help="where the table goes; standard output otherwise")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site only")
    arguments = parser.parse_args()
    found: defaultdict[tuple[str, str], list[Scores]] = defaultdict(list)
    fingerprints.make_signatures(["what is imported is no part of the time"])
    for name in SETS:
        print(name, file=sys.stderr)
        for kind, scores in score_set(arguments.data / name, FEWEST.get(name, MIN_SITE_PAGES), arguments.every):
            found[name, kind if name == "wcxb-dev" else "all"].append(scores)
    text = table(found, arguments.every)
    if arguments.output is None:
        print(text, end="")
    else:
        arguments.output.write_text(text, "utf-8")
    return 0


def score_set(folder: Path, fewest: int, every: int) -> Iterator[tuple[str, Scores]]:
    sites: defaultdict[str, list[Example]] = defaultdict(list)
    for example in read_set(folder):
        if example.text:
            sites[example.site].append(example)
    for site in sorted(site for site in sites if len(sites[site]) >= fewest)[::every]:
        yield from score_site(sites[site])


def score_site(examples: list[Example]) -> Iterator[tuple[str, Scores]]:
    items = [InputPage(example.id, 0, example.read(), example.url) for example in examples[:SAMPLE_PAGES]]
    trusted = learn_site(items).trusted
    learnt = _learnt(items)
    method = methods.get(methods.DEFAULT)
    for example in examples:
        try:
            page = Page.parse(example.read(), example.url)
        except NotHTMLError:
            continue
        started = time.process_time()
        alone = method(page).text
        extracted = time.process_time()
        fingerprints.make_signatures([alone])
        marked = time.process_time()
        by = [WrapperSet(some).extract(page, fallback=method).text if some else alone for some in (learnt, trusted)]
        scores = [_f1(example, text) for text in (alone, *by)]
        yield example.type, Scores(scores[0], scores[1], scores[2], extracted - started, marked - extracted)


def table(found: dict[tuple[str, str], list[Scores]], every: int) -> str:
    rows = []
    for (name, kind), scores in found.items():
        means = [f"{100 * fmean(getattr(one, column) for one in scores):.1f}" for column in Scores._fields[:3]]
        rows.append(f"| {name}{'' if kind == 'all' else f', {kind}'} | {len(scores)} | {' | '.join(means)} |")
    everything = [one for scores in found.values() for one in scores]
    cost = sum(one.marking for one in everything) / sum(one.extracting for one in everything)
    part = f" --every {every}" if every > 1 else ""
    return "\n".join(
        [
            "# Sites and duplicates in a run\n",
            f"Written by `python benchmarks/batch_sites.py DATA{part}`. F1 of word 2-grams in percent, over pages,",
            f"by `{methods.DEFAULT}` alone; with every wrapper that was learnt; with those that are trusted, as in",
            f"`duramen run --learn`: their pages agree ({MIN_CONFIDENCE:g} or more), and what they keep is an article, "
            "or",
            f"{MIN_PROSE_SHARE:.0%} of it prose, on {MIN_ARTICLE_SHARE:.0%} of their pages or more. Wrappers see the "
            "pages that are",
            "scored, but no labels.\n",
            f"| set | pages | {methods.DEFAULT} | all wrappers | trusted wrappers |",
            "|---|---:|---:|---:|---:|",
            *rows,
            f"\nThe fingerprint for near duplicates takes {cost:.1%} of the processor's time that extraction takes.\n",
        ]
    )


def _learnt(items: list[InputPage]) -> tuple[Wrapper, ...]:
    pages = []
    for item in items:
        try:
            pages.append(SamplePage(Page.parse(item.body, item.url), name=item.source))
        except NotHTMLError:
            continue
    try:
        return learn_all(pages).wrappers
    except InputError:
        return ()


def _f1(example: Example, text: str) -> float:
    return bigram_agreement(bigrams(words(example.text or "")), bigrams(words(text))).f1


if __name__ == "__main__":
    sys.exit(main())
