"""The results of an evaluation: the scores of every page, and their means by set, type, language and site."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from duramen.evaluation.extractors import Extractor
from duramen.evaluation.metrics.agreement import Agreement, EconVerdict
from duramen.evaluation.run import PageRun, PageScore
from duramen.evaluation.score_tables import list_sets
from duramen.evaluation.sets import Example

CHART_PERCENTILES = (0.09, 0.25, 0.5, 0.75, 0.91)
"""The percentiles of the box chart of FOREST (figure 4): whisker, box, median, box, whisker."""


@dataclass(frozen=True)
class Summary:
    """One row of a leaderboard: means over the pages; `spread` holds percentiles of the word F1."""

    extractor: str
    version: str
    pages: int
    words: Agreement
    spread: tuple[float, ...]
    bigrams: Agreement
    shingles: Agreement
    short: Agreement
    best: Agreement
    cleaneval: float
    correct: float
    wrong: float
    missed: float
    must: float | None
    must_not: float | None
    failures: int
    milliseconds: float | None
    times_parse: float | None

    @property
    def median(self) -> float:
        return self.spread[2]


@dataclass
class Results:
    """The results so far; `partial` if the evaluation was stopped before the last page."""

    extractors: Sequence[Extractor]
    runs: list[PageRun] = field(default_factory=list, repr=False)
    partial: bool = False

    @property
    def scores(self) -> list[PageScore]:
        return [score for run in self.runs for score in run.scores]

    @property
    def failures(self) -> list[PageScore]:
        return [score for score in self.scores if score.error is not None]

    @property
    def unreadable(self) -> list[PageRun]:
        return [run for run in self.runs if run.unreadable is not None]

    @property
    def sets(self) -> list[str]:
        return list_sets(self.runs)

    @property
    def pages(self) -> int:
        """The number of pages scored."""
        return sum(bool(run.scores) for run in self.runs)

    @property
    def parse_milliseconds(self) -> float | None:
        """The mean time of a bare parse."""
        return _mean(run.parse_milliseconds for run in self.runs)

    def leaderboard(self) -> list[Summary]:
        """Return a row for every extractor, the highest word F1 first."""
        return _summarize_all(self.extractors, self.runs)

    def by(self, key: Callable[[Example], str]) -> dict[str, list[Summary]]:
        """Return a leaderboard for every group of pages: `results.by(lambda example: example.type)`."""
        groups: dict[str, list[PageRun]] = {}
        for run in self.runs:
            if run.scores:
                groups.setdefault(key(run.example), []).append(run)
        return {name: _summarize_all(self.extractors, runs) for name, runs in sorted(groups.items())}


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile of sorted values, interpolated linearly between the two nearest."""
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def _summarize_all(extractors: Sequence[Extractor], runs: Sequence[PageRun]) -> list[Summary]:
    scores: dict[str, list[PageScore]] = {extractor.name: [] for extractor in extractors}
    for run in runs:
        for score in run.scores:
            scores[score.extractor].append(score)
    parse = _mean(run.parse_milliseconds for run in runs)
    rows = [_summarize(extractor, scores[extractor.name], parse) for extractor in extractors if scores[extractor.name]]
    return sorted(rows, key=lambda row: -row.words.f1)


def _summarize(extractor: Extractor, pages: Sequence[PageScore], parse: float | None) -> Summary:
    scores = [page.score for page in pages]
    f1 = sorted(score.words.f1 for score in scores)
    milliseconds = _mean(page.milliseconds for page in pages)
    verdict_shares = {which: sum(score.verdict is which for score in scores) / len(scores) for which in EconVerdict}
    return Summary(
        extractor=extractor.name,
        version=extractor.version,
        pages=len(pages),
        words=_mean_agreement(score.words for score in scores),
        spread=tuple(percentile(f1, share) for share in CHART_PERCENTILES),
        bigrams=_mean_agreement(score.bigrams for score in scores),
        shingles=_mean_agreement(score.shingles for score in scores),
        short=_mean_agreement(score.short for score in scores),
        best=_mean_agreement(score.best for score in scores),
        cleaneval=fmean(score.cleaneval for score in scores),
        correct=verdict_shares[EconVerdict.CORRECT],
        wrong=verdict_shares[EconVerdict.WRONG],
        missed=verdict_shares[EconVerdict.MISSED],
        must=_mean(score.must for score in scores),
        must_not=_mean(score.must_not for score in scores),
        failures=sum(page.error is not None for page in pages),
        milliseconds=milliseconds,
        times_parse=milliseconds / parse if milliseconds is not None and parse else None,
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are not None."""
    given = [value for value in values if value is not None]
    return fmean(given) if given else None


def _mean_agreement(agreements: Iterable[Agreement]) -> Agreement:
    """Average each number over the pages, as table 1 of FOREST and MSS do: F1 is not computed from means."""
    return Agreement(*(fmean(numbers) for numbers in zip(*agreements, strict=True)))
