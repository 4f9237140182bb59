"""Measure the effect of each step after the classifier, of a page's URL, and of using the region of records.

    python benchmarks/auto_steps.py DATA [--models FOLDER] [-o docs/results/auto-steps.md]

DATA is the folder of the sets. The default extractor runs on every page with all steps, without each one of them
(`auto:without=STEP`), and without any. On pages that it classifies as lists or threads, the result of the method
`region` is used instead, or added. Pages of the sets that the model was trained on are extracted by models that have
not seen their sites. These are trained first, as by `duramen train auto`, which takes a quarter of an hour, and are
saved in `--models` for the next run. Needs the extra training.

A difference has the standard error of its mean over pages. A difference below twice its error may be chance.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

import duramen
from auto_choices import SETS as TRAINING_SETS
from auto_choices import list_model_files, save_models
from duramen import __version__
from duramen.content import Content
from duramen.dom.page import Page
from duramen.evaluation import Example, read_set
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.language import words
from duramen.methods.auto.method import STEP_NAMES, Auto
from duramen.training.auto.dataset import fold_of
from duramen.training.auto.train import AutoTraining, TrainingSettings, read_training_set
from mss_paper import timed

OTHER_SETS = ("articles-2012-dev", "languages-dev", "cleaneval-dev", "news-sites-dev", "feed-sites-dev")
FOLDS = TrainingSettings().folds
LIST_TYPES = ("collection", "listing", "forum")
INSTEAD, ADDED = "the region instead, on lists and threads", "the region added, on lists and threads"
ALL_STEPS, NO_URL, RIGHT = "all steps", "its URL", "the right type"

Scores = Mapping[str, float]
"""The F1 of each variant on a page, and whether its type was classified correctly."""

_PREFACE = """\
# The effect of each step after the classifier

`python benchmarks/auto_steps.py DATA`, duramen {version}. Word F1, mean over pages, times a thousand; for each
variant the difference to it, with its standard error. A difference below twice its error may be chance. The first four
sets are extracted by models that have not seen the site of the page, the others by the shipped model, which was not
trained on them.
"""

_STEPS = """
[The chapter on the method](../methods/auto.md) describes the steps, 6 to 12. All of them were developed on pages of
these sets, on which they are scored here.

Without its URL, a page is classified by the URL that it declares (`og:url`), if any. Of the sets, wcxb-dev, forums-dev,
news-world-dev and most of feed-sites-dev have URLs. The type of page is right on {right:.0%} of the pages of wcxb-dev,
and without their URLs on {without:.0%}.
"""

_REGION = """
## The region of records instead

On pages of wcxb-dev, by their true type: the result of `region` instead of that of `auto`, and both together, on pages
that `auto` classifies as a collection, a listing or a thread, except those that it reads again with hidden elements. A
negative value means that the region is worse.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("--models", type=Path, help="folder for the models without each fold")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/auto-steps.md"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="score every N-th page of each set only")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        models = arguments.models or Path(folder)
        if not all(path.is_file() for path in _paths(models)):
            train_models(arguments.data, models)
        sets = [read_set(arguments.data / name) for name in (*TRAINING_SETS, *OTHER_SETS)]
        sets = [[each for each in examples if each.text is not None] for examples in sets]
        examples = [each for examples in sets for each in examples[:: arguments.every]]
        with ProcessPoolExecutor() as pool:
            work = pool.map(partial(score_variants, models=models), examples, chunksize=8)
            console = Console(stderr=True)
            scores = list(track(work, description="extracting", total=len(examples), console=console))
    arguments.output.write_text(format_document(examples, scores), encoding="utf-8")
    return 0


def train_models(data: Path, models: Path) -> None:
    """Train a model without each fold, and save them."""
    settings = TrainingSettings()
    examples = [each for name in TRAINING_SETS for each in read_set(data / name)]
    learning = AutoTraining(timed("reading", lambda: read_training_set(examples, settings, lambda: None)), settings)
    timed("growing", lambda: learning.run(lambda: None))
    save_models(learning, models)


def _paths(models: Path) -> list[Path]:
    return list_model_files(models, FOLDS)


def score_variants(example: Example, models: Path) -> Scores:
    """Extract a page by every variant, and score the results."""
    page = Page.parse(example.read(), url=example.url)
    gold = Counter(words(example.text or ""))
    path = str(_paths(models)[fold_of(example.site, FOLDS)]) if example.set in TRAINING_SETS else ""
    contents = {ALL_STEPS: Auto(model=path)(page)}
    for step in sorted(STEP_NAMES):
        contents[step] = Auto(model=path, without=step)(page)
    contents["all of them"] = Auto(model=path, without="+".join(sorted(STEP_NAMES)))(page)
    contents[NO_URL] = Auto(model=path)(replace(page, url=None))
    types = {f"{RIGHT}, {name}": contents[name].page_type == example.type for name in (ALL_STEPS, NO_URL)}
    contents |= add_region_variants(page, contents[ALL_STEPS])
    return types | {name: word_agreement(gold, Counter(words(each.text))).f1 for name, each in contents.items()}


def add_region_variants(page: Page, content: Content) -> dict[str, Content]:
    """Return the contents with the region instead, and with the region added, if the page is a list or a thread."""
    region = (
        duramen.extract(page, method="region") if content.page_type in LIST_TYPES and content.page is page else content
    )
    if not region.spans:
        region = content
    both = sorted({*content.spans, *region.spans}, key=lambda span: (span.start, -span.stop))
    return {INSTEAD: region, ADDED: replace(content, spans=tuple(both))}


def format_document(examples: Sequence[Example], page_scores: Sequence[Scores]) -> str:
    by_set: dict[str, list[Scores]] = defaultdict(list)
    by_type: dict[str, list[Scores]] = defaultdict(list)
    for example, scores in zip(examples, page_scores, strict=True):
        by_set[example.set].append(scores)
        if example.set == "wcxb-dev":
            by_type[example.type or "?"].append(scores)
    steps = [*sorted(STEP_NAMES), "all of them", NO_URL]
    right, without = (
        float(np.mean([scores[f"{RIGHT}, {name}"] for scores in by_set["wcxb-dev"]])) for name in (ALL_STEPS, NO_URL)
    )
    text = (
        _PREFACE.format(version=__version__) + "\n" + format_table(by_set, {f"without {step}": step for step in steps})
    )
    text += _STEPS.format(right=right, without=without) + _REGION + "\n"
    return text + format_table(dict(sorted(by_type.items())), {name: name for name in (INSTEAD, ADDED)})


def format_table(groups: Mapping[str, Sequence[Scores]], rows: Mapping[str, str]) -> str:
    lines = [["", *groups], ["---", *("---:" for _ in groups)]]
    lines.append(
        [ALL_STEPS, *(f"{1000 * np.mean([each[ALL_STEPS] for each in group]):.0f}" for group in groups.values())]
    )
    for title, name in rows.items():
        differences = [np.array([each[name] - each[ALL_STEPS] for each in group]) for group in groups.values()]
        lines.append([title, *map(_difference, differences)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _difference(values: np.ndarray) -> str:
    if not values.any():
        return "0"
    mean, error = 1000 * values.mean(), 1000 * values.std() / len(values) ** 0.5
    return f"{mean:+.1f} ± {error:.1f}".replace("-", "−")


if __name__ == "__main__":
    sys.exit(main())
