"""Redesigns: how often `wrapper.fits` notices one, false alarms, and the quality before and after.

    python benchmarks/site_redesigns.py DATA

- *names*: the copies of terms-drift-dev. A wrapper is learned from one copy of a page and asked about the next copy, in
  which more than half of the classes and ids are new. Most of them look the same: what matters is that no text is lost.
- *years*: news-sites-dev, five sites in four years. A wrapper is learned from five pages of one year and asked about
  the pages of another year (a redesign), and about the other five of its own year (a false alarm).

*broken* are the pages on which the XPaths alone have F1 below 0.8. There a second sign is compared with `wrapper.fits`:
the XPaths and `auto` agree by less than 70 %.

F1 of words: the old wrapper as XPaths alone and fused with `auto`, `auto` alone, and the wrapper learned again.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import duramen
from duramen import Page, Wrapper
from duramen.errors import InputError
from duramen.evaluation import Example, read_set
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.score_tables import make_markdown_table
from duramen.language import words
from duramen.site_model.comparison import compare_with_auto

SAMPLE = 5
MIN_EXACT_F1 = 0.8
MIN_AGREEMENT = 0.7
SIGNS = ("broken", "do not fit", "disagree", "others", "do not fit", "disagree")
COLUMNS = ("old wrapper, exact", "old wrapper, fused", "auto", "learned again, exact", "learned again, fused")


@dataclass
class Tally:
    """The pages of one kind: how many do not fit, and the scores."""

    asked: int = 0
    noticed: int = 0
    signs: list[tuple[bool, bool, bool]] = field(default_factory=list)
    """Whether the XPaths fail on a page, whether it does not fit, and whether they disagree with `auto`."""
    scores: list[tuple[float, ...]] = field(default_factory=list)

    def add(self, wrapper: Wrapper, again: Wrapper | None, page: Page, example: Example) -> None:
        self.asked += 1
        fits = wrapper.fits(page)
        self.noticed += not fits
        fails = score(example, wrapper.extract(page, mode="exact").text) < MIN_EXACT_F1
        [compared] = compare_with_auto(wrapper, [("", page)]).pages
        self.signs.append((fails, not fits, compared.agreement < MIN_AGREEMENT))
        if again is not None:
            contents = (
                wrapper.extract(page, mode="exact"),
                wrapper.extract(page),
                duramen.extract(page),
                again.extract(page, mode="exact"),
                again.extract(page),
            )
            self.scores.append(tuple(score(example, content.text) for content in contents))

    def row(self, name: str) -> list[str]:
        means = [f"{fmean(column):.3f}" for column in zip(*self.scores, strict=True)] or ["–"] * len(COLUMNS)
        return [name, str(self.asked), f"{self.noticed / max(self.asked, 1):.0%}", *self._count_signs(), *means]

    def _count_signs(self) -> list[str]:
        """Return the number of pages and the share with each sign.

        First those of the broken pages, then those of the others.
        """
        cells = []
        for is_broken in (True, False):
            signs = [given for fails, *given in self.signs if fails == is_broken]
            cells.append(str(len(signs)))
            cells += [f"{fmean(column):.0%}" for column in zip(*signs, strict=True)] or ["–"] * 2
        return cells


def score(example: Example, text: str) -> float:
    return word_agreement(Counter(words(example.text or "")), Counter(words(text))).f1


def parse(example: Example) -> Page:
    return Page.parse(example.read(), url=example.url)


def learn(pages: Sequence[Page]) -> Wrapper | None:
    try:
        return duramen.learn(pages)
    except InputError:
        return None


def measure_names(folder: Path) -> list[list[str]]:
    """Measure the steps of terms-drift-dev, apart for those that change the tag paths too."""
    documents: dict[str, list[Example]] = {}
    for example in read_set(folder / "terms-drift-dev"):
        documents.setdefault(example.id[:-11], []).append(example)  # the id ends with the day
    tallies = {"names and paths": Tally(), "names alone": Tally()}
    for copies in documents.values():
        for before, after in pairwise(copies):
            old, new = learn([parse(before)]), parse(after)
            if old is not None:
                same_paths = float(after.fields.get("overlap_paths", 1.0)) >= 0.5
                tallies["names alone" if same_paths else "names and paths"].add(old, learn([new]), new, after)
    return [tally.row(f"terms-drift-dev, {name}") for name, tally in tallies.items()]


def measure_years(folder: Path) -> list[list[str]]:
    """Measure the years of news-sites-dev."""
    designs: dict[str, list[Example]] = {}
    for example in read_set(folder / "news-sites-dev"):
        designs.setdefault(example.site, []).append(example)
    wrappers = {site: learn([parse(example) for example in pages[:SAMPLE]]) for site, pages in designs.items()}
    redesign, alarm = Tally(), Tally()
    for site, wrapper in wrappers.items():
        if wrapper is None:
            continue
        for other, pages in designs.items():
            if other.rpartition("-")[0] != site.rpartition("-")[0]:
                continue
            for example in pages[SAMPLE:]:
                page = parse(example)
                (alarm if other == site else redesign).add(wrapper, wrappers[other], page, example)
    return [redesign.row("news-sites-dev, another year"), alarm.row("news-sites-dev, the same year (false alarms)")]


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    rows = measure_names(folder) + measure_years(folder)
    print(make_markdown_table(["pages", "asked", "do not fit", *SIGNS, *COLUMNS], rows))


if __name__ == "__main__":
    main()
