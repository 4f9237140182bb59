"""The tables and figures of Figueiredo et al. (the main data region by rendering), redone on sets of result pages.

    python benchmarks/regions_paper.py DATA
    python benchmarks/regions_paper.py DATA --boxes kept/ -o docs/results/regions.md --pictures docs/pictures

DATA is the folder that holds the sets records-yamada-dev, records-zhao1-dev and records-modern-dev. Chromium lays the
pages out once; their boxes are kept in the folder of --boxes, and later runs need no browser. Written are one Markdown
file and two pictures, the same for the same boxes. `--every 10` is a quick trial on a tenth of the pages.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import perf_counter

import regions_experiments as experiments
from duramen.rendering.browser import Browser
from duramen.rendering.cache import BoxCache
from regions_document import FIGURE_4, FIGURE_5, TABLE_4, Findings
from regions_experiments import COUNTS, METHODS, RENDERED, SHARES


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "duramen" / "boxes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("--boxes", type=Path, default=_cache(), help="where boxes are kept (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/regions.md"))
    parser.add_argument("--pictures", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    arguments = parser.parse_args()
    missing = [name for name in experiments.SETS if not (arguments.data / name).is_dir()]
    if missing:
        parser.error(f"{arguments.data} is not the folder of the sets: it has no {', no '.join(missing)}")
    if arguments.every < 1:
        parser.error(f"--every {arguments.every} takes no page at all: name a number from 1 up")

    started = perf_counter()

    def tell(what: str) -> None:
        print(f"{what}: after {perf_counter() - started:.0f} s", file=sys.stderr)

    with Browser() as browser:
        kept = BoxCache(arguments.boxes, browser)
        pages, left_out = experiments.read(arguments.data, kept, arguments.every)
        versions = sorted({boxes.browser for listed in pages if (boxes := kept.boxes(listed.page))})
    tell("pages and boxes")
    compared = {method: experiments.places(pages, method) for method in METHODS}
    tell("methods")
    without = {stage: experiments.places(pages, f"{RENDERED}:without={stage}") for stage in TABLE_4}
    literal = experiments.places(pages, f"{RENDERED}:ancestors=no")
    literal_alone = experiments.places(pages, f"{RENDERED}:ancestors=no:without=climb")
    tell("stages")
    values = dict.fromkeys(FIGURE_4, COUNTS) | dict.fromkeys(FIGURE_5, SHARES)
    sweeps, alone = (
        {name: experiments.sweep(pages, name, steps, besides) for name, steps in values.items()}
        for besides in ("", ":without=climb")
    )
    tell("figures")
    found = Findings(
        pages, left_out, compared, literal, literal_alone, without, sweeps, alone, ", ".join(versions) or "a browser"
    )
    found.draw(arguments.pictures)
    found.write(arguments.output, os.path.relpath(arguments.pictures, arguments.output.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
