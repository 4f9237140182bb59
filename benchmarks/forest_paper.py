"""Reproduce the table and the figures of Oita and Senellart (FOREST, 2012) on other sets.

    python benchmarks/forest_paper.py DATA
    python benchmarks/forest_paper.py DATA -o docs/results/forest.md --pictures docs/pictures

DATA is the folder with the sets news-sites-dev, feed-sites-dev and articles-2012-dev. The script writes one Markdown
file and four pictures. `--every 3` is a quick trial on a third of the sites; `--sites 20 --pages 11` takes a sample of
twenty sites of each set. It needs the extras evaluation and peers.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import forest_experiments as experiments
import forest_speed
from duramen.evaluation import read_set
from forest_document import Findings
from forest_experiments import DEFAULT_FOREST, LEARN_FROM, PAPER_FOREST
from forest_sites import PAPER, Sites
from mss_paper import timed

T = TypeVar("T")

SETS = ("news-sites-dev", "feed-sites-dev", "articles-2012-dev")
MIN_PAGES = 3
"""Pages of a site: two to learn from, one to score."""

SINGLE = ("mss-simple", "coreex", "econ", "mss")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/forest.md"))
    parser.add_argument("--pictures", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site only")
    parser.add_argument("--sites", type=int, metavar="N", help="at most N sites of each set (default: all)")
    parser.add_argument("--pages", type=int, metavar="N", help="at most N pages of each site (default: all)")
    arguments = parser.parse_args()

    def read() -> list[Sites]:
        bounds = arguments.every, arguments.sites, arguments.pages
        return [Sites.read(name, read_set(arguments.data / name), MIN_PAGES, *bounds) for name in SETS]

    sets = timed("reading", read)

    def on_each(what: str, work: Callable[[Sites], T]) -> dict[str, T]:
        return {sites.name: timed(f"{what}, {sites.name}", partial(work, sites)) for sites in sets}

    measured = on_each("measures", experiments.figure_7)
    results = Findings(
        tables=list(on_each("table 1", experiments.table_1).values()),
        pages=on_each("pages", experiments.figure_5),
        signifiers=on_each("signifiers", experiments.figure_6),
        measures={f"{name}, {source}": agreement for name, by in measured.items() for source, agreement in by.items()},
        chosen={measure: experiments.find_chosen_patterns(sets[0], measure) for measure in ("j", "ju")},
        parts=on_each("parts", experiments.effect_of_parts),
        factors=on_each("factors", lambda sites: experiments.effect_of_factors(sites, PAPER_FOREST, PAPER)),
        held_out=on_each(
            "factors, held out", lambda sites: experiments.effect_of_factors(sites, DEFAULT_FOREST, LEARN_FROM)
        ),
        measure_learning=timed("learning", lambda: forest_speed.measure_learning(sets[0])),
        measure_applying=timed("applying", lambda: forest_speed.measure_applying(sets[0], SINGLE)),
    )
    results.draw(arguments.pictures)
    results.write(arguments.output, os.path.relpath(arguments.pictures, arguments.output.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
