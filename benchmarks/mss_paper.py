"""Reproduce the tables and figures of Pasternack and Roth (WWW 2009) on modern sets.

    python benchmarks/mss_paper.py DATA
    python benchmarks/mss_paper.py DATA -o docs/results/mss.md --pictures docs/pictures

DATA is the folder with the sets wcxb-dev, news-sites-dev and cleaneval-dev. The script writes one Markdown file and two
pictures; the same pages give the same files. `--every 10` is a quick trial on a tenth of the pages.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import mss_experiments as experiments
from duramen.evaluation import choose, read_set
from duramen.methods.mss import model as mss
from duramen.training.mss import MssTrainingSettings
from mss_document import Findings
from mss_training_data import TrainingData, count_pages, make_model, save

T = TypeVar("T")


def timed(what: str, work: Callable[[], T]) -> T:
    started = perf_counter()
    result = work()
    print(f"{what}: {perf_counter() - started:.0f} s", file=sys.stderr)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/mss.md"))
    parser.add_argument("--pictures", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    arguments = parser.parse_args()

    articles = choose(read_set(arguments.data / "wcxb-dev"), types=["article"])[:: arguments.every]
    news = [experiments.with_title(example) for example in read_set(arguments.data / "news-sites-dev")][
        :: arguments.every
    ]
    mixed = read_set(arguments.data / "cleaneval-dev")[:: arguments.every]
    shared = experiments.shared_sites(articles, news)
    if shared:
        parser.error(f"pages of {', '.join(shared)} would be both trained on and scored")
    shipped = MssTrainingSettings(**mss.load().card["parameters"])
    data = TrainingData(timed("labels", lambda: count_pages(articles, shipped)), shipped)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model = timed("model", lambda: save(make_model(data.main), folder / "all.npz"))
        by_source = timed("sources", lambda: experiments.tables_by_source(news, model, folder))
        on_mixed = timed("CleanEval", lambda: experiments.cleaneval(mixed, model))
        validated = timed("folds", lambda: experiments.cross_validate(articles, data, folder))
    sweeps = {
        "news-sites-dev": timed("tag score, news", lambda: experiments.penalty_sweep(news)),
        "articles of wcxb-dev": timed("tag score, articles", lambda: experiments.penalty_sweep(articles)),
    }
    curves = timed("training sources", lambda: experiments.source_curves(news, articles, data))
    results = Findings(data, by_source, validated, on_mixed, sweeps, curves)
    results.draw(arguments.pictures)
    results.write(arguments.output, os.path.relpath(arguments.pictures, arguments.output.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
