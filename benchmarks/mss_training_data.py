"""The training data of the experiments: labeled pages, counted one by one.

A page is never scored by a model that was trained on its site: folds are made of sites, not of pages.
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
from duramen.training.mss import LabeledCounts, MssTrainingSettings, find_fold, learn

FOLDS = 5
PAPER = MssTrainingSettings(folds=0)
"""Pages are discarded as in section 5.1, and nothing is pruned."""


@dataclass(frozen=True)
class CountedPage:
    """The counts of one labeled page."""

    site: str
    counts: LabeledCounts
    flaw: str | None
    """Why the paper would discard the page."""


def count_pages(examples: Iterable[Example], shipped: MssTrainingSettings) -> list[CountedPage]:
    """Count the pages that the paper's rules keep, and those that only the rules of the installed model keep."""
    pages = []
    for example in examples:
        counts = learn([example], PAPER)
        flaw = next(iter(counts.discarded), None)
        if flaw:
            counts = learn([example], replace(shipped, folds=0))
        pages.append(CountedPage(example.site, counts, flaw))
    return pages


def make_model(pages: Iterable[CountedPage], settings: MssTrainingSettings = PAPER) -> MssModel:
    return LabeledCounts([counts for page in pages for counts in page.counts.folds]).model(settings)


def make_fold_models(
    pages: Sequence[CountedPage], settings: MssTrainingSettings, folder: Path, name: str
) -> list[Path]:
    """Make a model for each fold from the sites outside it."""
    return [
        save(
            make_model((page for page in pages if find_fold(page.site, FOLDS) != fold), settings),
            folder / f"{name}-{fold}.npz",
        )
        for fold in range(FOLDS)
    ]


def save(model: MssModel, path: Path) -> Path:
    model.save(path)
    return path


@dataclass(frozen=True)
class TrainingData:
    """The counted pages, and the settings of the installed model."""

    pages: Sequence[CountedPage]
    shipped: MssTrainingSettings
    """The settings of the installed model."""

    @property
    def main(self) -> list[CountedPage]:
        """The pages that the installed model was trained on."""
        return [page for page in self.pages if page.counts.pages]

    @property
    def strict(self) -> list[CountedPage]:
        """The pages that the paper would not discard."""
        return [page for page in self.pages if not page.flaw]

    def describe(self) -> str:
        """Describe the training data in a few sentences."""
        discarded = Counter(page.flaw for page in self.pages if page.flaw)
        qualities = [quality for page in self.main for quality in page.counts.qualities]
        reasons = "; ".join(f"{number} had {why}" for why, number in discarded.most_common()) or "none"
        return (
            f"The models are trained on {len(qualities)} articles of {len({page.site for page in self.main})} sites of "
            "wcxb-dev, whose labels come from the reference texts: the F1 of the labeled blocks is "
            f"{fmean(qualities):.3f} on average. The rules of section 5.1 would discard {discarded.total()} of "
            f"{len(self.pages)} pages: {reasons}. Like the installed model, all models here are trained on blocks with "
            f"up to {self.shipped.most_tags:.0%} tags, unless their name has another rule."
        )


@lru_cache(maxsize=1)
def parse_cached(raw: bytes, url: str | None = None) -> Page:
    """Parse a page, once for all methods that read it in turn."""
    return Page.parse(raw, url=url)


def make_extractor(name: str, setting: str, models: Sequence[Path] = ()) -> Extractor:
    """Return an extractor for a method with parameters, called `name` in the tables.

    With one model it is used for all pages; with one for each fold, each page gets the model without its site.
    """
    choices = [methods.get(f"{setting}:model={model}") for model in models] or [methods.get(setting)]

    def run(raw: bytes, example: Example) -> str:
        method = choices[find_fold(example.site, FOLDS)] if len(choices) == FOLDS else choices[0]
        return method(parse_cached(raw, example.url)).text

    return Extractor(name, run)
