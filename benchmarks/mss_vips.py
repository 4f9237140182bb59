"""Tables 9 and 10 of Pasternack and Roth (WWW 2009): VIPS by template, with a perfect choice and with the simple one.

    python benchmarks/mss_vips.py DATA
    python benchmarks/mss_vips.py DATA --every 4 --coherence 6,8,10

DATA is the folder with news-sites-dev. The pages are laid out by Chromium without the network, so without their
external styles; boxes are not kept. As in the paper, words are compared as bags of words.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import RenderError
from duramen.evaluation import Example, read_set
from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.score import list_acceptable_texts
from duramen.evaluation.structure_results import compute_interval
from duramen.language import words
from duramen.methods.mss.supervised import MssSupervised
from duramen.methods.vips.method import Vips
from duramen.rendering.browser import Browser
from mss_document import paragraph, table, three
from mss_experiments import with_title

COHERENCE = (6, 8, 10)
GRANULARITY = 8
"""The paper's best."""
PAPER = {"short": "90.8 / 98.4 / 94.1", "best": "93.8 / 98.4 / 95.8"}


@dataclass(frozen=True)
class VipsScores:
    """The scores of one page: by the best segment against the short and the best label, and by the most points."""

    example: Example
    segments: int
    short: Agreement
    best: Agreement
    simple: Agreement
    supervised: Agreement
    """By mss-supervised, for comparison: as a bag of words against the best label."""


def score_page(example: Example, page: Page, method: Vips) -> VipsScores:
    golds = [Counter(text) for text in list_acceptable_texts(words(example.text or ""), example.title)]
    segments = method.segments(page)
    texts = []
    for segment in segments:
        spans = tuple(sorted(segment.spans, key=lambda span: span.start))
        texts.append(Counter(words(Content(page, method.name, "a segment", spans, 1.0).text)))

    def choose(golds: Sequence[Counter[str]], texts: Sequence[Counter[str]]) -> Agreement:
        return max((word_agreement(gold, text) for gold in golds for text in texts), key=lambda one: one.f1)

    simple, supervised = (Counter(words(each(page).text)) for each in (method, MssSupervised()))
    return VipsScores(
        example,
        len(segments),
        choose(golds[:1], texts or [Counter()]),
        choose(golds, texts or [Counter()]),
        choose(golds, [simple]),
        choose(golds, [supervised]),
    )


def mean(scores: Sequence[Agreement]) -> Agreement:
    return Agreement(*(fmean(values) for values in zip(*scores, strict=True)))


def make_row(name: str, scores: Sequence[VipsScores]) -> list[str]:
    columns = ([getattr(score, which) for score in scores] for which in ("short", "best", "simple", "supervised"))
    return [name, *(three(mean(column)) for column in columns), f"{fmean(score.segments for score in scores):.0f}"]


def make_document(by_coherence: dict[int, list[VipsScores]], failed: int) -> str:
    scores = by_coherence[GRANULARITY] if GRANULARITY in by_coherence else next(iter(by_coherence.values()))
    sites: dict[str, list[VipsScores]] = {}
    for score in scores:
        sites.setdefault(score.example.site, []).append(score)
    head = ["source", "short: P / R / F1", "best: P / R / F1", "points: P / R / F1", "mss-supervised", "segments"]
    groups = [score.example.site for score in scores]
    low, high = compute_interval([score.best.f1 for score in scores], groups)
    parts = [
        "# VIPS: tables 9 and 10 of the paper on maximum subsequence segmentation",
        paragraph(
            f"""Written by `python benchmarks/mss_vips.py DATA`; do not edit. {len(scores)} pages of {len(sites)}
            templates of news-sites-dev, laid out by Chromium without the network, so without their external styles;
            {failed} pages could not be laid out. [methods/vips.md](../methods/vips.md) describes the method. Precision,
            recall and F1 of bags of words, as in the paper. *Short* and *best*: the segment with the highest F1 against
            the text without its title, and against the text with or without it, as if a perfect choice existed.
            *Points*: the segment with the most points, one for a word, minus two for a tag. The permitted degree of
            coherence is {GRANULARITY}. 95 % interval of the best F1, by site: {100 * low:.1f} to {100 * high:.1f}."""
        ),
        table(
            head,
            [
                *(make_row(site, own) for site, own in sorted(sites.items())),
                make_row("**all**", scores),
                ["*the paper, 450 pages*", PAPER["short"], PAPER["best"], "– / – / 89.7", "94.0 / 99.0 / 95.4", "104"],
            ],
        ),
        "## Degrees of coherence",
        table(["permitted", *head[1:]], [make_row(str(degree), own) for degree, own in by_coherence.items()]),
    ]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/vips.md"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    parser.add_argument("--coherence", default=",".join(map(str, COHERENCE)), help="degrees, with commas")
    arguments = parser.parse_args()
    if not (arguments.data / "news-sites-dev").is_dir():
        parser.error(f"{arguments.data} is not the folder of the sets: it has no news-sites-dev")
    examples = [with_title(example) for example in read_set(arguments.data / "news-sites-dev")][:: arguments.every]
    degrees = [int(degree) for degree in arguments.coherence.split(",")]
    by_coherence: dict[int, list[VipsScores]] = {degree: [] for degree in degrees}
    failed = 0
    with Browser() as browser:
        rendered = browser.render_all(Page.parse(example.read()) for example in examples)
        for example, page in zip(examples, rendered, strict=True):
            if isinstance(page, RenderError):
                failed += 1
                continue
            for degree, scores in by_coherence.items():
                scores.append(score_page(example, page, Vips(coherence=degree)))
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(make_document(by_coherence, failed), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
