"""The experiments of Pasternack and Roth (WWW 2009), one function each, on sets of pages of today.

Everything scored here was learnt on other sites. Scores are those of `duramen.evaluation`: words by position, against
the short and the best label (section 7); words as multisets; CleanEval's text-only score (section 7.7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any
from urllib.parse import urlsplit

from duramen.content import Content
from duramen.dom.page import Page
from duramen.evaluation import Example, Extractor, Results, peers, score_pages
from duramen.evaluation.gold import Gold
from duramen.evaluation.metrics.positions import short_and_best
from duramen.evaluation.metrics.words import word_agreement
from duramen.evaluation.run import gold_of
from duramen.language import words
from duramen.methods.mss.model import MssModel
from duramen.methods.mss.mss import Mss
from duramen.methods.mss.simple import MssSimple
from duramen.methods.mss.supervised import MssSupervised, best_block, content_of, probability
from duramen.methods.mss.tokens import Tokens, tokenize
from duramen.training.mss import fold_of
from duramen.training.semi import train_semi
from mss_lessons import FOLDS, PAPER, Course, Lesson, model_of, models_of_folds, of_method, parsed, save

PENALTIES = (1.0, 1.5, 2.0, 2.5, 3.0, 3.25, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0)
REPEATS = 5

LONGEST, SIMPLE, SUPERVISED, HR = "longest-cell", "mss-simple", "mss-supervised", "mss-hr"
SEMI, SEMI_BY_SITE = "mss-semi", "mss-semi, each site apart"
NO_OPEN_TAG, TEMPERED = "trigrams alone", "trigrams alone, sharpness .3"
SEMI_TEMPERED = f"{SEMI}, begun with {TEMPERED}"
CLEAN_PAPER, CLEAN_GENTLE = f"{TEMPERED}, cleaned by the paper's rules", f"{TEMPERED}, cleaned gently"
MSS = "mss"
PRUNED = ", pruned as the model that ships"
STRICT = ", pages discarded as in section 5.1"
SHIPPED = ", the model that ships"

_TEMPERED = "mss-supervised:open_tag=no:sharpness=0.3"


def titled(example: Example) -> Example:
    """news-sites-dev has the title as the first line of the text: the short label is the text without it."""
    return replace(example, title=next(filter(None, map(str.strip, (example.text or "").splitlines())), None))


def shared_sites(training: Sequence[Example], scored: Sequence[Example]) -> list[str]:
    """Hosts of training pages that bear the name of a scored source: `cnn-2005` and `edition.cnn.com`.

    The scored pages have no addresses, so a source is known by its name alone.
    """
    names = {example.site.rpartition("-")[0] for example in scored}
    hosts = {host for e in training for host in (e.site, urlsplit(e.url or "").hostname or "")}
    return sorted(host for host in hosts if names & set(host.split(".")))


def tables_by_source(examples: Sequence[Example], model: Path, folder: Path) -> Results:
    """Tables 1 to 8: every method on every source."""
    pooled = save(semi_model(examples, model), folder / "semi.npz")
    tempered = save(semi_model(examples, model, open_tag=False, sharpness=0.3), folder / "semi-tempered.npz")
    apart = {}
    for number, site in enumerate(dict.fromkeys(example.site for example in examples)):
        own = [example for example in examples if example.site == site]
        apart[site] = of_method(site, "mss-semi", [save(semi_model(own, model), folder / f"semi-{number}.npz")])
    extractors = [
        of_method(LONGEST, "longest-cell"),
        of_method(SIMPLE, "mss-simple"),
        of_method(SUPERVISED, "mss-supervised", [model]),
        of_method(HR, "mss-hr", [model]),
        of_method(SEMI, "mss-semi", [pooled]),
        Extractor(SEMI_BY_SITE, lambda raw, example: apart[example.site].run(raw, example)),
        of_method(NO_OPEN_TAG, "mss-supervised:open_tag=no", [model]),
        of_method(TEMPERED, _TEMPERED, [model]),
        of_method(MSS, "mss", [model]),
        of_method(SEMI_TEMPERED, "mss-semi", [tempered]),
        of_method(SUPERVISED + SHIPPED, "mss-supervised"),
        of_method(MSS + SHIPPED, "mss"),
    ]
    return scored(examples, extractors)


def semi_model(examples: Sequence[Example], start: Path, **parameters: Any) -> MssModel:
    """What the semi-supervised algorithm learns from these pages; their labels stay unread."""
    pages = (Page.parse(example.read()) for example in examples)
    return train_semi(pages, model=str(start), groups=[example.site for example in examples], **parameters)


def cross_validated(examples: Sequence[Example], course: Course, folder: Path) -> Results:
    """Articles of many sites, in five folds by site."""
    models = models_of_folds(course.main, PAPER, folder, "fold")
    strict = models_of_folds(course.strict, PAPER, folder, "strict")
    pruned = models_of_folds(course.main, course.shipped, folder, "pruned")
    extractors = [
        of_method(LONGEST, "longest-cell"),
        of_method(SIMPLE, "mss-simple"),
        of_method(SUPERVISED, "mss-supervised", models),
        of_method(HR, "mss-hr", models),
        of_method(NO_OPEN_TAG, "mss-supervised:open_tag=no", models),
        of_method(TEMPERED, _TEMPERED, models),
        of_method(CLEAN_PAPER, f"{_TEMPERED}:clean=paper", models),
        of_method(CLEAN_GENTLE, "mss:back_off=no", models),
        of_method(MSS, "mss", models),
        of_method(SUPERVISED + STRICT, "mss-supervised", strict),
        of_method(MSS + STRICT, "mss", strict),
        of_method(SUPERVISED + PRUNED, "mss-supervised", pruned),
        of_method(MSS + PRUNED, "mss", pruned),
        *installed("trafilatura"),
    ]
    return scored(examples, extractors)


def cleaneval(examples: Sequence[Example], model: Path) -> Results:
    """The three changes of section 7.7 one by one, and the open tag, of which it says nothing."""
    extractors = [
        of_method(SIMPLE, "mss-simple"),
        of_method(SUPERVISED, "mss-supervised", [model]),
        of_method(HR, "mss-hr", [model]),
        of_method(NO_OPEN_TAG, "mss-supervised:open_tag=no", [model]),
        of_method(MSS, "mss", [model]),
        of_method("mss-cleaneval", "mss-cleaneval", [model]),
        *(
            of_method(f"single tokens, {tag}{bias} bias", f"mss-cleaneval:open_tag={value}:bias={number}", [model])
            for tag, value in (("open tag, ", "yes"), ("", "no"))
            for bias, number in (("no", 0), ("the paper's", 0.14))
        ),
        *installed(*peers.names()),
    ]
    return scored(examples, extractors)


def installed(*names: str) -> list[Extractor]:
    return [peers.get(name) for name in names if name not in peers.missing()]


def scored(examples: Sequence[Example], extractors: Sequence[Extractor]) -> Results:
    results = Results(extractors, list(score_pages(examples, extractors, timed=False)))
    for failure in results.failures:
        if failure.extractor in peers.names():  # its score is that of an empty text
            continue
        raise RuntimeError(f"{failure.extractor} failed on {failure.example.id}: {failure.error}")
    return results


def penalty_sweep(examples: Sequence[Example]) -> list[float]:
    """The mean word F1 of simple MSS for each price of a tag."""
    found: list[list[float]] = [[] for _ in PENALTIES]
    for example in examples:
        page, gold = parsed(example.read()), Gold(example.text or "", "")
        known: dict[object, float] = {}
        for scores, penalty in zip(found, PENALTIES, strict=True):
            content = MssSimple(tag_score=-penalty)(page)
            if content.spans not in known:
                known[content.spans] = word_agreement(gold.counts, _counts(content)).f1
            scores.append(known[content.spans])
    return [fmean(scores) for scores in found]


@dataclass(frozen=True)
class Point:
    """The mean F1 of models of so many sources, and the spread over the draws."""

    sources: int
    mean: float
    spread: float


Curves = dict[str, list[Point]]


def source_curves(news: Sequence[Example], articles: Sequence[Example], course: Course) -> dict[str, Curves]:
    """Figure 2 on half of the news pages, and on half of the articles of one fold, learnt from the other folds."""
    apart = [lesson for lesson in course.main if fold_of(lesson.site, FOLDS)]
    held_out = [example for example in articles if fold_of(example.site, FOLDS) == 0]
    return {
        "news-sites-dev": SourceCurve(news[::2]).draw(course.main),
        "articles of wcxb-dev": SourceCurve(held_out[::2]).draw(apart),
    }


class SourceCurve:
    """Figure 2: F1 against short labels for more and more training sources, in a random order, drawn a few times."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.pages: list[tuple[Page, Tokens, Gold]] = []
        for example in examples:
            raw = example.read()
            page = Page.parse(raw)
            self.pages.append((page, tokenize(page.tree), gold_of(example, raw)))
        self._known: dict[tuple[str, int, tuple[int, int] | None], float] = {}

    def draw(self, lessons: Sequence[Lesson], seed: int = 2009) -> Curves:
        """The curve of the paper's classifier, and of ours."""
        found: dict[str, dict[int, list[float]]] = {SUPERVISED: {}, MSS: {}}
        for repeat in range(REPEATS):
            for sources, model in growing(lessons, Random(seed + repeat)):
                for method in (MssSupervised(), Mss()):
                    found[method.name].setdefault(sources, []).append(self.f1(method, model))
        return {
            name: [Point(sources, fmean(each), stdev(each)) for sources, each in curve.items()]
            for name, curve in found.items()
        }

    def f1(self, method: MssSupervised, model: MssModel) -> float:
        found = []
        for number, (page, tokens, gold) in enumerate(self.pages):
            odds, _ = model.log_odds(tokens, method.order, open_tag=method.open_tag, back_off=method.back_off)
            block = best_block(method.scores(tokens, probability(method.sharpness * odds)), tokens)
            key = method.name, number, block
            if key not in self._known:
                text = content_of(method, page, tokens, block, 0.0).text if block else ""
                self._known[key] = short_and_best(gold.labels, gold.page_words.place(words(text)))[0].f1
            found.append(self._known[key])
        return fmean(found)


def growing(lessons: Sequence[Lesson], random: Random) -> Iterator[tuple[int, MssModel]]:
    """Models of 1, 2, 4 … all sources: each has those of the one before."""
    by_site: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        by_site.setdefault(lesson.site, []).append(lesson)
    order = sorted(by_site)
    random.shuffle(order)
    sources = 1
    while sources < len(order):
        yield sources, model_of(lesson for site in order[:sources] for lesson in by_site[site])
        sources *= 2
    yield len(order), model_of(lessons)


def _counts(content: Content) -> Counter[str]:
    return Counter(words(content.text))
