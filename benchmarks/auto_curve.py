"""Learning curve of the default extractor: F1 by the number of sites it was trained on.

    python benchmarks/auto_curve.py DATA [-o docs/results/auto-curve.md]

DATA is the folder with wcxb-dev, news-world-dev, chinese-dev and forums-dev. Models are trained as by `duramen train
auto`, with one seed, on an eighth, a quarter, a half and all of the sites; each page is scored by a model that has not
seen its site. In the last row, the model was trained on all pages, including the scored one: an upper bound. Blocks
above the page's cut-off are kept, without the steps after it. F1 is that of words by position. Takes half an hour and
needs the extra training; `--limit 100` is a quick trial on a hundred sites of each set.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from zlib import crc32

from auto_choices import SETS, ScoredPage, kept_f1, mean_by_type, score_with_trees
from duramen import __version__
from duramen.evaluation import choose, read_set
from duramen.training.auto.train import AutoTraining, TrainingSet, TrainingSettings, read_training_set
from mss_paper import timed

SHARES = (1 / 8, 1 / 4, 1 / 2, 1.0)
OWN = "all, and the page itself"

_score = partial(kept_f1, name="trees, two passes")

_PREFACE = """\
# Learning curve of the default extractor

`python benchmarks/auto_curve.py DATA`, duramen {version}: {pages:,} pages of {sets}.
The default's trees, trained with one seed; blocks above the page's cut-off are kept; F1 of words by position, mean over
pages. Every page is scored by a model that was trained on a part of the other sites, and in the last row by one that
was trained on it too.

"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/auto-curve.md"))
    parser.add_argument("--limit", type=int, metavar="N", help="take the first N sites of each set only")
    arguments = parser.parse_args()
    examples = choose((each for name in SETS for each in read_set(arguments.data / name)), limit=arguments.limit)
    settings = TrainingSettings(seeds=1)
    gathered = timed("reading", lambda: read_training_set(examples, settings, lambda: None))
    rows: dict[str, tuple[int, Mapping[str, float]]] = {}
    for share in SHARES:
        learning = AutoTraining(select_share(gathered, share), settings)
        name = f"{share:.3g} of the sites" if share < 1 else "all but the page's own"
        timed(f"growing, {name}", partial(learning.run, lambda: None))
        page_count = len(learning.training_set.groups)
        rows[name] = page_count, mean_by_type(score_held_out(learning, gathered), _score)
        if share == 1.0:
            rows[OWN] = page_count, mean_by_type(score_with_trees(learning.make_model(), gathered.pages), _score)
    arguments.output.write_text(format_document(rows, len(gathered.pages)), encoding="utf-8")
    return 0


def select_share(gathered: TrainingSet, share: float) -> TrainingSet:
    """Return the pages of a share of the sites. A larger share contains every smaller one."""
    return replace(gathered, groups=[group for group in gathered.groups if draw_number(group[0].site) < share])


def draw_number(site: str) -> float:
    """Return a number from 0 to 1 for a site, independent of the checksum that assigns its fold."""
    return crc32(b"curve " + site.encode()) / 2**32


def score_held_out(learning: AutoTraining, gathered: TrainingSet) -> Iterable[ScoredPage]:
    """Score all pages with trees that have not seen their sites."""
    folds = learning.settings.folds
    for fold in range(folds):
        model = learning.make_model(without=fold)
        yield from score_with_trees(model, [page for page in gathered.pages if page.fold(folds) == fold])


def format_document(rows: Mapping[str, tuple[int, Mapping[str, float]]], pages: int) -> str:
    kinds = sorted(kind for kind in rows[OWN][1] if kind != "all")
    columns = ["all", *kinds]
    lines = [f"| trained on | pages | {' | '.join(columns)} |", "|---|---:|" + "---:|" * len(columns)]
    for name, (page_count, scores) in rows.items():
        cells = (f"{scores[kind]:.3f}".lstrip("0") for kind in columns)
        lines.append(f"| {name} | {page_count:,} | {' | '.join(cells)} |")
    sets = ", ".join(SETS[:-1]) + f" and {SETS[-1]}"
    return _PREFACE.format(version=__version__, pages=pages, sets=sets) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
