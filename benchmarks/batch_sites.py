"""Measure the F1 of `duramen run --learn` by page type, and the cost of the fingerprints for duplicates.

    python benchmarks/batch_sites.py DATA
    python benchmarks/batch_sites.py DATA -o docs/results/sites-in-a-run.md

DATA is the folder of the sets. Wrappers are learned for sites with at least five pages, as in a run, without labels.
Every page is scored by the default method alone, with all learned wrappers, and with those that a run accepts.
`--every 3` is a quick trial on a third of the sites.
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
from duramen.batch.sites.lookup import MIN_ARTICLE_SHARE, MIN_CONFIDENCE, MIN_PROSE_SHARE, learn_site
from duramen.batch.sites.site_wrappers import MIN_SITE_PAGES, SAMPLE_PAGES
from duramen.dom.page import Page
from duramen.errors import InputError, NotHTMLError
from duramen.evaluation import Example, read_set
from duramen.evaluation.metrics.ngrams import bigram_agreement, bigrams
from duramen.language import words
from duramen.wrappers import SamplePage, Wrapper, WrapperSet, learn_all

SETS = ("articles-2012-dev", "languages-dev", "feed-sites-dev", "news-sites-dev", "wcxb-dev")
MIN_PAGES = {"wcxb-dev": 3}
"""wcxb-dev has page types other than articles, but few pages per site."""


class Scores(NamedTuple):
    """F1 of a page by the method, with all wrappers and with accepted ones; seconds of processor time."""

    method: float
    all_wrappers: float
    accepted_wrappers: float
    extract_seconds: float
    fingerprint_seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, help="file for the table (default: standard output)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site only")
    arguments = parser.parse_args()
    groups: defaultdict[tuple[str, str], list[Scores]] = defaultdict(list)
    fingerprints.make_signatures(["a first call, so that imports are not measured"])
    for name in SETS:
        print(name, file=sys.stderr)
        for page_type, scores in score_set(arguments.data / name, MIN_PAGES.get(name, MIN_SITE_PAGES), arguments.every):
            groups[name, page_type if name == "wcxb-dev" else "all"].append(scores)
    text = format_document(groups, arguments.every)
    if arguments.output is None:
        print(text, end="")
    else:
        arguments.output.write_text(text, "utf-8")
    return 0


def score_set(folder: Path, min_pages: int, every: int) -> Iterator[tuple[str, Scores]]:
    sites: defaultdict[str, list[Example]] = defaultdict(list)
    for example in read_set(folder):
        if example.text:
            sites[example.site].append(example)
    for site in sorted(site for site in sites if len(sites[site]) >= min_pages)[::every]:
        yield from score_site(sites[site])


def score_site(examples: list[Example]) -> Iterator[tuple[str, Scores]]:
    sample = [InputPage(example.id, 0, example.read(), example.url) for example in examples[:SAMPLE_PAGES]]
    accepted = learn_site(sample).trusted
    learned = _learn_wrappers(sample)
    method = methods.get(methods.DEFAULT)
    for example in examples:
        try:
            page = Page.parse(example.read(), example.url)
        except NotHTMLError:
            continue
        started = time.process_time()
        text = method(page).text
        extracted = time.process_time()
        fingerprints.make_signatures([text])
        fingerprinted = time.process_time()
        by_wrappers = [
            WrapperSet(wrappers).extract(page, fallback=method).text if wrappers else text
            for wrappers in (learned, accepted)
        ]
        f1s = [_f1(example, each) for each in (text, *by_wrappers)]
        yield example.type, Scores(f1s[0], f1s[1], f1s[2], extracted - started, fingerprinted - extracted)


def format_document(groups: dict[tuple[str, str], list[Scores]], every: int) -> str:
    rows = []
    for (name, page_type), scores in groups.items():
        means = [f"{100 * fmean(getattr(one, column) for one in scores):.1f}" for column in Scores._fields[:3]]
        rows.append(f"| {name}{'' if page_type == 'all' else f', {page_type}'} | {len(scores)} | {' | '.join(means)} |")
    all_scores = [one for scores in groups.values() for one in scores]
    cost = sum(one.fingerprint_seconds for one in all_scores) / sum(one.extract_seconds for one in all_scores)
    part = f" --every {every}" if every > 1 else ""
    return "\n".join(
        [
            "# Sites and duplicates in a run\n",
            f"Written by `python benchmarks/batch_sites.py DATA{part}`. F1 of word 2-grams, percent, mean over pages:",
            f"of `{methods.DEFAULT}` alone; with all learned wrappers; with the wrappers that `duramen run --learn`",
            f"accepts. It accepts a wrapper if its confidence is at least {MIN_CONFIDENCE:g}, and if on at least "
            f"{MIN_ARTICLE_SHARE:.0%} of",
            f"the pages its content is an article, or at least {MIN_PROSE_SHARE:.0%} prose. Wrappers are learned from "
            "the scored",
            "pages, but without labels.\n",
            f"| set | pages | {methods.DEFAULT} | all wrappers | accepted wrappers |",
            "|---|---:|---:|---:|---:|",
            *rows,
            f"\nThe fingerprint for near duplicates takes {cost:.1%} of the processor time of the extraction.\n",
        ]
    )


def _learn_wrappers(sample: list[InputPage]) -> tuple[Wrapper, ...]:
    pages = []
    for each in sample:
        try:
            pages.append(SamplePage(Page.parse(each.body, each.url), name=each.source))
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
