"""What more pages to learn from would bring: the default extractor's F1 by how many sites it has learnt from.

    python benchmarks/auto_curve.py DATA [-o docs/results/auto-curve.md]

DATA is the folder that holds wcxb-dev, news-world-dev, chinese-dev and forums-dev. All is learnt as by `duramen train
auto`, with one seed, from an eighth of the sites, a quarter, a half and all of them; each page is read by a model that
has not seen its site, and in a last row by the one that has learnt from all pages, this one too: no way to learn from
the same pages can be expected to pass that. Kept is what stands above the page's cut-off, and no step follows.
F1 is that of words by position. Takes half an hour and the extra training; `--limit 100` is a quick trial on a hundred
sites of each set.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from zlib import crc32

from auto_choices import SETS, Judged, by_type, judged_by_trees, kept_f1
from duramen import __version__
from duramen.evaluation import choose, read_set
from duramen.training.auto.train import AutoTraining, TrainingSet, TrainingSettings, read_training_set
from mss_paper import timed

SHARES = (1 / 8, 1 / 4, 1 / 2, 1.0)
OWN = "all, and the page itself"

_score = partial(kept_f1, name="trees, asked twice")

_PREFACE = """\
# What more pages to learn from would bring

`python benchmarks/auto_curve.py DATA`, duramen {version}: {pages:,} pages of {sets}.
The default's trees, grown with one seed; kept is what stands above the page's cut-off; F1 of words by position, mean
over pages. Every page is read by a model that has learnt from a part of the other sites, and in the last row by one
that has learnt from it.

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
        learning = AutoTraining(part(gathered, share), settings)
        name = f"{share:.3g} of the sites" if share < 1 else "all but the page's own"
        timed(f"growing, {name}", partial(learning.run, lambda: None))
        lessons = len(learning.training_set.groups)
        rows[name] = lessons, by_type(held_out(learning, gathered), _score)
        if share == 1.0:
            rows[OWN] = lessons, by_type(judged_by_trees(learning.make_model(), gathered.pages), _score)
    arguments.output.write_text(document(rows, len(gathered.pages)), encoding="utf-8")
    return 0


def part(gathered: TrainingSet, share: float) -> TrainingSet:
    """The pages of a share of the sites; those of a smaller share are among those of a larger one."""
    return replace(gathered, groups=[group for group in gathered.groups if draw(group[0].site) < share])


def draw(site: str) -> float:
    """A number from 0 up to 1 that is the site's own; not the checksum that deals the folds."""
    return crc32(b"curve " + site.encode()) / 2**32


def held_out(learning: AutoTraining, gathered: TrainingSet) -> Iterable[Judged]:
    """All pages by the trees that have not seen their sites."""
    folds = learning.settings.folds
    for fold in range(folds):
        model = learning.make_model(without=fold)
        yield from judged_by_trees(model, [page for page in gathered.pages if page.fold(folds) == fold])


def document(rows: Mapping[str, tuple[int, Mapping[str, float]]], pages: int) -> str:
    kinds = sorted(kind for kind in rows[OWN][1] if kind != "all")
    columns = ["all", *kinds]
    lines = [f"| learnt from | pages | {' | '.join(columns)} |", "|---|---:|" + "---:|" * len(columns)]
    for name, (lessons, scores) in rows.items():
        cells = (f"{scores[kind]:.3f}".lstrip("0") for kind in columns)
        lines.append(f"| {name} | {lessons:,} | {' | '.join(cells)} |")
    sets = ", ".join(SETS[:-1]) + f" and {SETS[-1]}"
    return _PREFACE.format(version=__version__, pages=pages, sets=sets) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
