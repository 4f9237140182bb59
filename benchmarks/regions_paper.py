"""Repeat the experiments of Figueiredo et al. (main data region by rendering) on sets of result pages.

    python benchmarks/regions_paper.py DATA
    python benchmarks/regions_paper.py DATA --boxes boxes/ -o docs/results/regions.md --pictures docs/pictures

DATA is the folder with the sets records-yamada-dev, records-zhao1-dev and records-modern-dev. Chromium renders the
pages once; their boxes are stored in the folder --boxes, and later runs need no browser. The script writes a Markdown
file and two pictures, which are the same for the same boxes. `--every 10` is a quick trial on a tenth of the pages.
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
from regions_document import FIGURE_4, FIGURE_5, TABLE_4, RegionFindings
from regions_experiments import COUNT_VALUES, METHODS, RENDERED, SHARE_VALUES


def _default_box_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "duramen" / "boxes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument(
        "--boxes", type=Path, default=_default_box_folder(), help="folder for the boxes (default: %(default)s)"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/regions.md"))
    parser.add_argument("--pictures", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="use every N-th page only")
    arguments = parser.parse_args()
    missing = [name for name in experiments.SETS if not (arguments.data / name).is_dir()]
    if missing:
        parser.error(f"{arguments.data} is not the folder of the sets: it has no {', no '.join(missing)}")
    if arguments.every < 1:
        parser.error(f"--every {arguments.every} uses no page at all: give a number from 1 up")

    started = perf_counter()

    def log(step: str) -> None:
        print(f"{step}: after {perf_counter() - started:.0f} s", file=sys.stderr)

    with Browser() as browser:
        box_cache = BoxCache(arguments.boxes, browser)
        pages, left_out = experiments.read_pages(arguments.data, box_cache, arguments.every)
        versions = sorted({boxes.browser for list_page in pages if (boxes := box_cache.boxes(list_page.page))})
    log("pages and boxes")
    compared = {method: experiments.run_method(pages, method) for method in METHODS}
    log("methods")
    without = {stage: experiments.run_method(pages, f"{RENDERED}:without={stage}") for stage in TABLE_4}
    literal = experiments.run_method(pages, f"{RENDERED}:ancestors=no")
    literal_without_climb = experiments.run_method(pages, f"{RENDERED}:ancestors=no:without=climb")
    log("stages")
    values = dict.fromkeys(FIGURE_4, COUNT_VALUES) | dict.fromkeys(FIGURE_5, SHARE_VALUES)
    sweeps, sweeps_without_climb = (
        {name: experiments.sweep_parameter(pages, name, steps, options) for name, steps in values.items()}
        for options in ("", ":without=climb")
    )
    log("figures")
    findings = RegionFindings(
        pages,
        left_out,
        compared,
        literal,
        literal_without_climb,
        without,
        sweeps,
        sweeps_without_climb,
        ", ".join(versions) or "a browser",
    )
    findings.draw(arguments.pictures)
    findings.write(arguments.output, os.path.relpath(arguments.pictures, arguments.output.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
