"""What each step after the classifier is worth, and a page's address; and whether the region of records knows better.

    python benchmarks/auto_steps.py DATA [--models FOLDER] [-o docs/results/auto-steps.md]

DATA is the folder of the sets. The default extractor reads every page as it is, without each of its steps
(`auto:without=STEP`), and without any; and on pages that it takes for lists and threads, what the method `region` finds
is taken instead, or joined with what was found. Pages of the sets that the model learnt from are read by models that
have not seen their sites: they are learnt first, as by `duramen train auto`, which takes a quarter of an hour, and kept
in `--models`, where a second run finds them. Needs the extra training.

A difference has the standard error of its mean over pages: what is below twice that is not known to be one.
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
from auto_choices import SETS as LEARNT
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

OTHERS = ("articles-2012-dev", "languages-dev", "cleaneval-dev", "news-sites-dev", "feed-sites-dev")
FOLDS = TrainingSettings().folds
LISTS = ("collection", "listing", "forum")
INSTEAD, BESIDES = "the region instead, on lists and threads", "the region besides, on lists and threads"
AS_IT_IS, NO_ADDRESS, RIGHT = "as it is", "its address", "the right type"

Scores = Mapping[str, float]
"""Of each way to read a page, the F1; and whether its type was told rightly."""

_PREFACE = """\
# What each step after the classifier is worth

`python benchmarks/auto_steps.py DATA`, duramen {version}. Word F1, mean over pages, times a thousand; of what is left
out or put in, the difference that it makes, with its standard error: what is below twice that is not known to be one.
The first four sets are read by models that have not seen the site at hand, the others by the model that is shipped,
which has seen none of theirs.
"""

_STEPS = """
What the steps are is said in [the chapter on the method](../methods/auto.md), 6 to 12. All of them were found by
looking at pages of these sets, on which they are scored here.

Without its address a page is told by the one that it claims (`og:url`), if any. Of the sets, wcxb-dev, forums-dev,
news-world-dev and most of feed-sites-dev have addresses. The type of page is right on {right:.0%} of the pages of
wcxb-dev, and without their addresses on {without:.0%}.
"""

_REGION = """
## Does the region of the records know better?

On pages of wcxb-dev, by their true type: what `region` finds instead of what `auto` does, and both together, on pages
that `auto` takes for a collection, a listing or a thread, but for those that it reads with nothing hidden. Where a row
says −, the region is worse.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("--models", type=Path, help="where the models without each fold are kept")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/auto-steps.md"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        models = arguments.models or Path(folder)
        if not all(path.is_file() for path in _paths(models)):
            learn(arguments.data, models)
        examples = [each for name in (*LEARNT, *OTHERS) for each in read_set(arguments.data / name)]
        examples = [each for each in examples if each.text is not None]
        with ProcessPoolExecutor() as pool:
            work = pool.map(partial(read, models=models), examples, chunksize=8)
            told = Console(stderr=True)
            found = list(track(work, description="reading", total=len(examples), console=told))
    arguments.output.write_text(document(examples, found), encoding="utf-8")
    return 0


def learn(data: Path, models: Path) -> None:
    """Learn the models without each fold, and keep them."""
    settings = TrainingSettings()
    examples = [each for name in LEARNT for each in read_set(data / name)]
    learning = AutoTraining(timed("reading", lambda: read_training_set(examples, settings, lambda: None)), settings)
    timed("growing", lambda: learning.run(lambda: None))
    models.mkdir(parents=True, exist_ok=True)
    for fold, path in enumerate(_paths(models)):
        learning.make_model(without=fold).save(path)


def _paths(models: Path) -> list[Path]:
    return [models / f"{fold}.npz" for fold in range(FOLDS)]


def read(example: Example, models: Path) -> Scores:
    """A page read in every way."""
    page = Page.parse(example.read(), url=example.url)
    gold = Counter(words(example.text or ""))
    path = str(_paths(models)[fold_of(example.site, FOLDS)]) if example.set in LEARNT else ""
    contents = {AS_IT_IS: Auto(model=path)(page)}
    for step in sorted(STEP_NAMES):
        contents[step] = Auto(model=path, without=step)(page)
    contents["all of them"] = Auto(model=path, without="+".join(sorted(STEP_NAMES)))(page)
    contents[NO_ADDRESS] = Auto(model=path)(replace(page, url=None))
    types = {f"{RIGHT}, {name}": contents[name].page_type == example.type for name in (AS_IT_IS, NO_ADDRESS)}
    contents |= with_region(page, contents[AS_IT_IS])
    return types | {name: word_agreement(gold, Counter(words(each.text))).f1 for name, each in contents.items()}


def with_region(page: Page, content: Content) -> dict[str, Content]:
    """What the region has instead, or besides, if the page is taken for one that has records."""
    region = duramen.extract(page, method="region") if content.page_type in LISTS and content.page is page else content
    if not region.spans:
        region = content
    both = sorted({*content.spans, *region.spans}, key=lambda span: (span.start, -span.stop))
    return {INSTEAD: region, BESIDES: replace(content, spans=tuple(both))}


def document(examples: Sequence[Example], found: Sequence[Scores]) -> str:
    by_set: dict[str, list[Scores]] = defaultdict(list)
    by_type: dict[str, list[Scores]] = defaultdict(list)
    for example, scores in zip(examples, found, strict=True):
        by_set[example.set].append(scores)
        if example.set == "wcxb-dev":
            by_type[example.type or "?"].append(scores)
    steps = [*sorted(STEP_NAMES), "all of them", NO_ADDRESS]
    right, without = (
        float(np.mean([scores[f"{RIGHT}, {name}"] for scores in by_set["wcxb-dev"]])) for name in (AS_IT_IS, NO_ADDRESS)
    )
    text = _PREFACE.format(version=__version__) + "\n" + table(by_set, {f"without {step}": step for step in steps})
    text += _STEPS.format(right=right, without=without) + _REGION + "\n"
    return text + table(dict(sorted(by_type.items())), {name: name for name in (INSTEAD, BESIDES)})


def table(groups: Mapping[str, Sequence[Scores]], rows: Mapping[str, str]) -> str:
    lines = [["", *groups], ["---", *("---:" for _ in groups)]]
    lines.append(
        [AS_IT_IS, *(f"{1000 * np.mean([each[AS_IT_IS] for each in group]):.0f}" for group in groups.values())]
    )
    for title, name in rows.items():
        differences = [np.array([each[name] - each[AS_IT_IS] for each in group]) for group in groups.values()]
        lines.append([title, *map(_difference, differences)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _difference(values: np.ndarray) -> str:
    if not values.any():
        return "0"
    mean, error = 1000 * values.mean(), 1000 * values.std() / len(values) ** 0.5
    return f"{mean:+.1f} ± {error:.1f}".replace("-", "−")


if __name__ == "__main__":
    sys.exit(main())
