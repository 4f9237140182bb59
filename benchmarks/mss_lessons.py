"""What the experiments learn from: labelled pages, counted one by one, and models of any choice of them.

A page of a site that a model was trained on is never scored by it: folds part the sites, not the pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean

from duramen import methods
from duramen.dom.page import Page
from duramen.evaluation import Example, Extractor
from duramen.methods.mss.model import MssModel
from duramen.training.mss import Learnt, Settings, fold_of, learn

FOLDS = 5
PAPER = Settings(folds=0)
"""Pages are discarded as in section 5.1, and nothing is pruned."""


@dataclass(frozen=True)
class Lesson:
    """One labelled page, counted."""

    site: str
    learnt: Learnt
    flaw: str | None
    """Why the paper would discard it."""


def read_lessons(examples: Iterable[Example], shipped: Settings) -> list[Lesson]:
    """The pages that the paper's rules keep, and those that the rules of the model that ships keep besides."""
    lessons = []
    for example in examples:
        learnt = learn([example], PAPER)
        flaw = next(iter(learnt.discarded), None)
        if flaw:
            learnt = learn([example], replace(shipped, folds=0))
        lessons.append(Lesson(example.site, learnt, flaw))
    return lessons


def model_of(lessons: Iterable[Lesson], settings: Settings = PAPER) -> MssModel:
    return Learnt([counts for lesson in lessons for counts in lesson.learnt.counts]).model(settings)


def models_of_folds(lessons: Sequence[Lesson], settings: Settings, folder: Path, name: str) -> list[Path]:
    """A model for each fold, of the sites outside it."""
    return [
        save(
            model_of((lesson for lesson in lessons if fold_of(lesson.site, FOLDS) != fold), settings),
            folder / f"{name}-{fold}.npz",
        )
        for fold in range(FOLDS)
    ]


def save(model: MssModel, path: Path) -> Path:
    model.save(path)
    return path


@dataclass(frozen=True)
class Course:
    """What to learn from."""

    lessons: Sequence[Lesson]
    shipped: Settings
    """How the model that ships was learnt."""

    @property
    def main(self) -> list[Lesson]:
        """All that the model that ships was learnt from."""
        return [lesson for lesson in self.lessons if lesson.learnt.pages]

    @property
    def strict(self) -> list[Lesson]:
        """What the paper would not discard."""
        return [lesson for lesson in self.lessons if not lesson.flaw]

    def told(self) -> str:
        """What was learnt from, in a few sentences."""
        gone = Counter(lesson.flaw for lesson in self.lessons if lesson.flaw)
        qualities = [quality for lesson in self.main for quality in lesson.learnt.qualities]
        reasons = "; ".join(f"{number} had {why}" for why, number in gone.most_common()) or "none"
        return (
            f"Learnt from {len(qualities)} articles of {len({lesson.site for lesson in self.main})} sites of wcxb-dev, "
            f"labelled by their gold: the F1 of the labelled blocks against it is {fmean(qualities):.3f} in the mean. "
            f"The rules of section 5.1 would discard {gone.total()} of {len(self.lessons)} pages: {reasons}. Like the "
            f"model that ships, all models here have learnt from blocks with up to {self.shipped.most_tags:.0%} tags, "
            "unless their name says otherwise."
        )


@lru_cache(maxsize=1)
def parsed(raw: bytes, url: str | None = None) -> Page:
    """A page, parsed once however many methods read it in turn."""
    return Page.parse(raw, url=url)


def of_method(name: str, setting: str, models: Sequence[Path] = ()) -> Extractor:
    """A method by its name and parameters, called `name` on the tables.

    With one model it reads every page with that; with one a fold, each page with the model that has not seen its site.
    """
    choices = [methods.get(f"{setting}:model={model}") for model in models] or [methods.get(setting)]

    def run(raw: bytes, example: Example) -> str:
        method = choices[fold_of(example.site, FOLDS)] if len(choices) == FOLDS else choices[0]
        return method(parsed(raw, example.url)).text

    return Extractor(name, run)
