"""The score of one extraction of one page, by every measure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from duramen.evaluation.gold import Gold
from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.metrics.bigrams import bigram_agreement, bigrams
from duramen.evaluation.metrics.cleaneval import text_only_score
from duramen.evaluation.metrics.positions import short_and_best
from duramen.evaluation.metrics.shingles import shingle_agreement, shingles
from duramen.evaluation.metrics.snippets import normalise, share_found
from duramen.evaluation.metrics.verdict import Verdict, verdict
from duramen.evaluation.metrics.words import word_agreement
from duramen.language import words


@dataclass(frozen=True)
class Score:
    """All from 0 to 1, and 1 is best, but for `must_not`: the share of unwanted snippets found. None: no snippets."""

    words: Agreement
    bigrams: Agreement
    shingles: Agreement
    short: Agreement
    best: Agreement
    cleaneval: float
    verdict: Verdict
    must: float | None
    must_not: float | None


def score(gold: Gold, text: str) -> Score:
    extracted = words(text)
    by_words = word_agreement(gold.counts, Counter(extracted))
    short, best = short_and_best(gold.labels, gold.page_words.place(extracted))
    normalised = normalise(text) if gold.must or gold.must_not else ""
    return Score(
        words=by_words,
        bigrams=bigram_agreement(gold.bigrams, bigrams(extracted)),
        shingles=shingle_agreement(gold.shingles, shingles(extracted)),
        short=short,
        best=best,
        cleaneval=text_only_score(gold.words, extracted, gold.places),
        verdict=verdict(by_words),
        must=share_found(gold.must, normalised),
        must_not=share_found(gold.must_not, normalised),
    )
