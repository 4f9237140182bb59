"""Variants that Pasternack and Roth (WWW 2009) name and do not print figures for, with intervals.

    python benchmarks/mss_variants.py DATA
    python benchmarks/mss_variants.py DATA --every 8

DATA is the folder with wcxb-dev, news-sites-dev and cleaneval-dev. All models are trained on articles of wcxb-dev and
scored on the other two sets: bigrams and unigrams, two unclosed tags, (p − ½)³, a perceptron in place of naive Bayes,
and the three formulas of confidence in the semi-supervised algorithm. Intervals are drawn by site.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from duramen.dom.page import Page
from duramen.evaluation import Example, Extractor, Results, choose, read_set
from duramen.evaluation.structure_results import compute_interval
from duramen.training.mss import MssTrainingSettings, learn, read_training_pages
from duramen.training.perceptron import Perceptron
from duramen.training.semi import train_semi
from mss_document import paragraph, table
from mss_experiments import score_all, with_title
from mss_training_data import make_extractor, save

SETTINGS = MssTrainingSettings(most_tags=0.5, tag_pairs=True, folds=0)
SUPERVISED = "mss-supervised"
FEATURES = {
    "trigram, open tag (the paper's)": SUPERVISED,
    "trigram": f"{SUPERVISED}:open_tag=no",
    "trigram, two open tags": f"{SUPERVISED}:tag_pair=yes",
    "bigram, open tag": f"{SUPERVISED}:order=2",
    "unigram, open tag": f"{SUPERVISED}:order=1",
    "(p − ½)³": f"{SUPERVISED}:exponent=3",
    "(p − ½)³, trigram": f"{SUPERVISED}:exponent=3:open_tag=no",
}
CLEANEVAL = {
    "mss-cleaneval": "mss-cleaneval",
    "mss-cleaneval, with the open tag": "mss-cleaneval:open_tag=yes",
    "mss-cleaneval, no bias": "mss-cleaneval:bias=0",
    "mss": "mss",
}
CONFIDENCES = ("window", "all", "inside")


def train(articles: Sequence[Example], folder: Path) -> dict[str, Path]:
    """Train the models: naive Bayes, and two perceptrons."""
    paths = {"bayes": save(learn(articles, SETTINGS).model(SETTINGS), folder / "bayes.npz")}
    pages = read_training_pages(articles, SETTINGS).pages
    for name, average in (("perceptron", False), ("averaged", True)):
        paths[name] = save(Perceptron(average=average).train(pages), folder / f"{name}.npz")
    return paths


def train_semi_models(news: Sequence[Example], start: Path, folder: Path) -> list[Extractor]:
    extractors = [make_extractor("mss-semi, each page alone", "mss-semi", [start])]
    groups = [example.site for example in news]
    # An empty name is the installed model, which is pruned.
    for begun, first in (("", str(start)), (", installed model", "")):
        for formula in CONFIDENCES:
            pages = (Page.parse(example.read()) for example in news)
            model = train_semi(pages, model=first, groups=groups, confidence=formula)
            path = save(model, folder / f"semi-{formula}{len(begun)}.npz")
            extractors.append(make_extractor(f"mss-semi{begun}, confidence: {formula}", "mss-semi", [path]))
    return extractors


def format_rows(results: Results, *, cleaneval: bool) -> list[list[str]]:
    rows = []
    for extractor in results.extractors:
        scores = [score for score in results.scores if score.extractor == extractor.name]
        groups = [score.example.site for score in scores]
        columns = [[score.score.words.f1 for score in scores], [score.score.best.f1 for score in scores]]
        if cleaneval:
            columns = [[score.score.cleaneval for score in scores], columns[0]]
        cells = []
        for values in columns:
            low, high = compute_interval(values, groups)
            cells.append(f"{100 * fmean(values):.1f} ({100 * low:.1f}–{100 * high:.1f})")
        rows.append([extractor.name, *cells])
    return rows


def site_rows(results: Results, names: Sequence[str]) -> list[list[str]]:
    by_site = results.by(lambda example: example.site)
    rows = []
    for site, summaries in by_site.items():
        f1 = {summary.extractor: 100 * summary.words.f1 for summary in summaries}
        rows.append([site, *(f"{f1[name]:.1f}" for name in names), f"{f1[names[1]] - f1[names[0]]:+.1f}"])
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/mss-variants.md"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    arguments = parser.parse_args()
    articles = choose(read_set(arguments.data / "wcxb-dev"), types=["article"])[:: arguments.every]
    news = [with_title(example) for example in read_set(arguments.data / "news-sites-dev")][:: arguments.every]
    mixed = read_set(arguments.data / "cleaneval-dev")[:: arguments.every]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        paths = train(articles, folder)
        print("trained", file=sys.stderr)
        features = [make_extractor(name, setting, [paths["bayes"]]) for name, setting in FEATURES.items()]
        features += [
            make_extractor(name, SUPERVISED, [paths[key]])
            for name, key in (("perceptron", "perceptron"), ("perceptron, weights averaged", "averaged"))
        ]
        semi = train_semi_models(news, paths["bayes"], folder)
        on_news = score_all(news, [*features, *semi])
        print("news", file=sys.stderr)
        cleaneval = [make_extractor(name, setting, [paths["bayes"]]) for name, setting in CLEANEVAL.items()]
        on_mixed = score_all(mixed, cleaneval)
    supervised, pooled = next(iter(FEATURES)), "mss-semi, confidence: window"
    parts = [
        "# Maximum subsequence segmentation: variants",
        paragraph(
            f"""Written by `python benchmarks/mss_variants.py DATA`; do not edit. Models of {len(articles)} articles of
            wcxb-dev, without pruning, scored on pages of other sites; `mss-semi` also starts from the installed model,
            which is pruned. In percent, with 95 % intervals by site.
            [methods/mss.md](../methods/mss.md) describes the method."""
        ),
        f"## News ({on_news.pages} pages of news-sites-dev)",
        table(["variant", "word F1", "F1 by position, best label"], format_rows(on_news, cleaneval=False)),
        "## Supervised and semi-supervised by template",
        table(["source", "supervised", "semi-supervised", "gain"], site_rows(on_news, [supervised, pooled])),
        f"## CleanEval ({on_mixed.pages} pages of cleaneval-dev)",
        paragraph(
            """The paper: text-only 87.8 (86.4–89.3), F1 92.0, on the 674 pages of the evaluation set; 92.6 and 95.7 on
            the 411 articles among them."""
        ),
        table(["variant", "text-only score", "word F1"], format_rows(on_mixed, cleaneval=True)),
    ]
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text("\n\n".join(parts) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
