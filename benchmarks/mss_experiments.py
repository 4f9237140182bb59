"""The experiments of Pasternack and Roth (WWW 2009), one function each, on modern sets.

All models are trained on other sites than they are scored on. Scores are those of `duramen.evaluation`: words by
position, against the short and the best label (section 7); words as multisets; CleanEval's text-only score (section
7.7).
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
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.metrics.positions import short_and_best
from duramen.evaluation.run import make_reference
from duramen.evaluation.score import Reference
from duramen.language import words
from duramen.methods.mss.model import MssModel
from duramen.methods.mss.simple import MssSimple
from duramen.methods.mss.supervised import MssSupervised, find_best_block, logistic, make_content
from duramen.methods.mss.tokens import Tokens, tokenize
from duramen.methods.mss.variants import Mss
from duramen.training.mss import find_fold
from duramen.training.semi import train_semi
from mss_training_data import (
    FOLDS,
    PAPER,
    CountedPage,
    TrainingData,
    make_extractor,
    make_fold_models,
    make_model,
    parse_cached,
    save,
)

PENALTIES = (1.0, 1.5, 2.0, 2.5, 3.0, 3.25, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0)
REPEATS = 5

LONGEST, SIMPLE, SUPERVISED, HR = "longest-cell", "mss-simple", "mss-supervised", "mss-hr"
SEMI, SEMI_BY_SITE = "mss-semi", "mss-semi, one model per site"
NO_OPEN_TAG, TEMPERED = "trigrams alone", "trigrams alone, sharpness .3"
SEMI_TEMPERED = f"{SEMI}, started with {TEMPERED}"
CLEAN_PAPER, CLEAN_GENTLE = f"{TEMPERED}, cleaned by the paper's rules", f"{TEMPERED}, cleaned gently"
MSS = "mss"
PRUNED = ", pruned as the installed model"
STRICT = ", pages discarded as in section 5.1"
SHIPPED = ", installed model"

_TEMPERED = "mss-supervised:open_tag=no:sharpness=0.3"


def with_title(example: Example) -> Example:
    """Set the title to the first line of the text, where news-sites-dev has it; the short label omits it."""
    return replace(example, title=next(filter(None, map(str.strip, (example.text or "").splitlines())), None))


def shared_sites(training: Sequence[Example], score_all: Sequence[Example]) -> list[str]:
    """Return the hosts of training pages with the name of a scored source: `cnn-2005` and `edition.cnn.com`.

    The scored pages have no URLs, so a source is identified by its name alone.
    """
    names = {example.site.rpartition("-")[0] for example in score_all}
    hosts = {host for e in training for host in (e.site, urlsplit(e.url or "").hostname or "")}
    return sorted(host for host in hosts if names & set(host.split(".")))


def tables_by_source(examples: Sequence[Example], model: Path, folder: Path) -> Results:
    """Tables 1 to 8: every method on every source."""
    pooled = save(semi_model(examples, model), folder / "semi.npz")
    tempered = save(semi_model(examples, model, open_tag=False, sharpness=0.3), folder / "semi-tempered.npz")
    apart = {}
    for number, site in enumerate(dict.fromkeys(example.site for example in examples)):
        own = [example for example in examples if example.site == site]
        apart[site] = make_extractor(site, "mss-semi", [save(semi_model(own, model), folder / f"semi-{number}.npz")])
    extractors = [
        make_extractor(LONGEST, "longest-cell"),
        make_extractor(SIMPLE, "mss-simple"),
        make_extractor(SUPERVISED, "mss-supervised", [model]),
        make_extractor(HR, "mss-hr", [model]),
        make_extractor(SEMI, "mss-semi", [pooled]),
        Extractor(SEMI_BY_SITE, lambda raw, example: apart[example.site].run(raw, example)),
        make_extractor(NO_OPEN_TAG, "mss-supervised:open_tag=no", [model]),
        make_extractor(TEMPERED, _TEMPERED, [model]),
        make_extractor(MSS, "mss", [model]),
        make_extractor(SEMI_TEMPERED, "mss-semi", [tempered]),
        make_extractor(SUPERVISED + SHIPPED, "mss-supervised"),
        make_extractor(MSS + SHIPPED, "mss"),
    ]
    return score_all(examples, extractors)


def semi_model(examples: Sequence[Example], start: Path, **parameters: Any) -> MssModel:
    """Train the semi-supervised algorithm on these pages; their reference texts are not used."""
    pages = (Page.parse(example.read()) for example in examples)
    return train_semi(pages, model=str(start), groups=[example.site for example in examples], **parameters)


def cross_validate(examples: Sequence[Example], data: TrainingData, folder: Path) -> Results:
    """Articles of many sites, in five folds by site."""
    models = make_fold_models(data.main, PAPER, folder, "fold")
    strict = make_fold_models(data.strict, PAPER, folder, "strict")
    pruned = make_fold_models(data.main, data.shipped, folder, "pruned")
    extractors = [
        make_extractor(LONGEST, "longest-cell"),
        make_extractor(SIMPLE, "mss-simple"),
        make_extractor(SUPERVISED, "mss-supervised", models),
        make_extractor(HR, "mss-hr", models),
        make_extractor(NO_OPEN_TAG, "mss-supervised:open_tag=no", models),
        make_extractor(TEMPERED, _TEMPERED, models),
        make_extractor(CLEAN_PAPER, f"{_TEMPERED}:clean=paper", models),
        make_extractor(CLEAN_GENTLE, "mss:back_off=no", models),
        make_extractor(MSS, "mss", models),
        make_extractor(SUPERVISED + STRICT, "mss-supervised", strict),
        make_extractor(MSS + STRICT, "mss", strict),
        make_extractor(SUPERVISED + PRUNED, "mss-supervised", pruned),
        make_extractor(MSS + PRUNED, "mss", pruned),
        *find_installed("trafilatura"),
    ]
    return score_all(examples, extractors)


def cleaneval(examples: Sequence[Example], model: Path) -> Results:
    """The three changes of section 7.7 one by one, and the open tag, which it does not mention."""
    extractors = [
        make_extractor(SIMPLE, "mss-simple"),
        make_extractor(SUPERVISED, "mss-supervised", [model]),
        make_extractor(HR, "mss-hr", [model]),
        make_extractor(NO_OPEN_TAG, "mss-supervised:open_tag=no", [model]),
        make_extractor(MSS, "mss", [model]),
        make_extractor("mss-cleaneval", "mss-cleaneval", [model]),
        *(
            make_extractor(f"single tokens, {tag}{bias} bias", f"mss-cleaneval:open_tag={value}:bias={number}", [model])
            for tag, value in (("open tag, ", "yes"), ("", "no"))
            for bias, number in (("no", 0), ("the paper's", 0.14))
        ),
        *find_installed(*peers.names()),
    ]
    return score_all(examples, extractors)


def find_installed(*names: str) -> list[Extractor]:
    return [peers.get(name) for name in names if name not in peers.missing()]


def score_all(examples: Sequence[Example], extractors: Sequence[Extractor]) -> Results:
    results = Results(extractors, list(score_pages(examples, extractors, timed=False)))
    for failure in results.failures:
        if failure.extractor in peers.names():  # its score is that of an empty text
            continue
        raise RuntimeError(f"{failure.extractor} failed on {failure.example.id}: {failure.error}")
    return results


def penalty_sweep(examples: Sequence[Example]) -> list[float]:
    """Return the mean word F1 of simple MSS for each tag score."""
    scores_by_penalty: list[list[float]] = [[] for _ in PENALTIES]
    for example in examples:
        page, gold = parse_cached(example.read()), Reference(example.text or "", "")
        cache: dict[object, float] = {}
        for scores, penalty in zip(scores_by_penalty, PENALTIES, strict=True):
            content = MssSimple(tag_score=-penalty)(page)
            if content.spans not in cache:
                cache[content.spans] = word_agreement(gold.counts, _counts(content)).f1
            scores.append(cache[content.spans])
    return [fmean(scores) for scores in scores_by_penalty]


@dataclass(frozen=True)
class Point:
    """The mean F1 of models of a number of sources, and the standard deviation over the draws."""

    sources: int
    mean: float
    spread: float


Curves = dict[str, list[Point]]


def source_curves(news: Sequence[Example], articles: Sequence[Example], data: TrainingData) -> dict[str, Curves]:
    """Figure 2 on half of the news pages, and on half of one fold of the articles with models of the other folds."""
    other_folds = [page for page in data.main if find_fold(page.site, FOLDS)]
    held_out = [example for example in articles if find_fold(example.site, FOLDS) == 0]
    return {
        "news-sites-dev": SourceCurve(news[::2]).draw(data.main),
        "articles of wcxb-dev": SourceCurve(held_out[::2]).draw(other_folds),
    }


class SourceCurve:
    """Figure 2: F1 against short labels by number of training sources, for a few random orders of the sources."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.pages: list[tuple[Page, Tokens, Reference]] = []
        for example in examples:
            raw = example.read()
            page = Page.parse(raw)
            self.pages.append((page, tokenize(page.tree), make_reference(example, raw)))
        self._cache: dict[tuple[str, int, tuple[int, int] | None], float] = {}

    def draw(self, pages: Sequence[CountedPage], seed: int = 2009) -> Curves:
        """Return the curves of the paper's classifier and of `mss`."""
        curves: dict[str, dict[int, list[float]]] = {SUPERVISED: {}, MSS: {}}
        for repeat in range(REPEATS):
            for sources, model in grow_models(pages, Random(seed + repeat)):
                for method in (MssSupervised(), Mss()):
                    curves[method.name].setdefault(sources, []).append(self.f1(method, model))
        return {
            name: [Point(sources, fmean(each), stdev(each)) for sources, each in curve.items()]
            for name, curve in curves.items()
        }

    def f1(self, method: MssSupervised, model: MssModel) -> float:
        scores = []
        for number, (page, tokens, gold) in enumerate(self.pages):
            odds, _ = model.log_odds(tokens, method.order, open_tag=method.open_tag, back_off=method.back_off)
            block = find_best_block(method.scores(tokens, logistic(method.sharpness * odds)), tokens)
            key = method.name, number, block
            if key not in self._cache:
                text = make_content(method, page, tokens, block, 0.0).text if block else ""
                self._cache[key] = short_and_best(gold.placed_texts, gold.page_words.place(words(text)))[0].f1
            scores.append(self._cache[key])
        return fmean(scores)


def grow_models(pages: Sequence[CountedPage], random: Random) -> Iterator[tuple[int, MssModel]]:
    """Yield models of 1, 2, 4 … all sources; each includes the sources of the one before."""
    by_site: dict[str, list[CountedPage]] = {}
    for page in pages:
        by_site.setdefault(page.site, []).append(page)
    order = sorted(by_site)
    random.shuffle(order)
    sources = 1
    while sources < len(order):
        yield sources, make_model(page for site in order[:sources] for page in by_site[site])
        sources *= 2
    yield len(order), make_model(pages)


def _counts(content: Content) -> Counter[str]:
    return Counter(words(content.text))
