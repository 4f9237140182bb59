"""Learn the weights of the evidence of other pages, and compare them by site.

    python benchmarks/site_weights.py DATA
    python benchmarks/site_weights.py DATA --sites 40 -o docs/results/site-weights.md

A logistic regression on the blocks of a page: the log-odds of `auto` are the offset, the strengths of the evidence are
the features, and each weight has the sign that its meaning demands. It is fitted on sets that models may be trained on,
scored on the sites of the other folds, and measured on sets that it has not seen. The number of pages is part of the
strengths. DATA is the folder of the sets.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation import read_set
from duramen.evaluation.learned_wrappers import make_sample_page, split_site
from duramen.evaluation.score_tables import make_markdown_table
from duramen.evaluation.sets import Example
from duramen.evaluation.site_scores import score_text
from duramen.language import words
from duramen.methods.auto.method import Auto, is_list_of_things
from duramen.site_model import SiteModel
from duramen.site_model.evidence import LIST_SHARE, WEIGHTS, EvidenceWeights
from duramen.site_model.fusion import extract_fused, read_site_model, weigh_region
from duramen.site_model.model import ScoredPage
from duramen.training.auto.dataset import fold_of, label_blocks, label_marked_blocks
from duramen.wrappers import Wrapper, learn

TRAINING = ("wcxb-dev", "news-world-dev", "forums-dev", "terms-dev", "recipes-dev")
MEASURED = ("news-sites-dev", "feed-sites-dev", "articles-2012-dev")
COUNTS = (1, 2, 5)
FOLDS = 5
MAX_TEST_PAGES = 3
"""Of each split, so that large sites do not decide."""
L2 = 0.001
"""Per page: without it, a weight that few sites need has no bound."""
BOUNDS = EvidenceWeights((-4, 0), (-4, 0), (-4, 0), (0, 1), (0, 1), (0, 4), (-4, 0), (0, 4))  # type: ignore[arg-type]


class Case(NamedTuple):
    """A page, after learning from `pages` other pages of its site."""

    example: Example
    pages: int
    seen: ScoredPage
    model: SiteModel
    wrapper: Wrapper | None
    strengths: np.ndarray[Any, Any]
    """A column for each weight, a row for each block whose label is known."""
    offset: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]
    shares: np.ndarray[Any, Any]
    """The share of each block in the words of the page."""
    f1: float
    """That of `auto`."""


def read_cases(folder: Path, max_sites: int) -> Iterator[Case]:
    """Yield the pages of a set, of at most `max_sites` sites that have several."""
    sites: dict[str, list[Example]] = {}
    for example in read_set(folder):
        if example.text or example.is_partial:
            sites.setdefault(example.site, []).append(example)
    several = [pages for _, pages in sorted(sites.items()) if len(pages) > 1]
    random.Random(28).shuffle(several)
    for pages in several[:max_sites]:
        pages = list({page.id: page for page in pages}.values())[:12]
        seen = {page.id: SiteModel().score(Page.parse(page.read(), url=page.url)) for page in pages}
        sketches = {page.id: SiteModel().sketch(seen[page.id]) for page in pages}
        for count in (count for count in COUNTS if count < len(pages)):
            for split in split_site(pages, count):
                model = SiteModel()
                for page in split.training:
                    model.add_sketch(sketches[page.id])
                try:
                    learned = learn([make_sample_page(page) for page in split.training])
                    wrapper: Wrapper | None = replace(learned, site_model=model.to_json())
                except InputError:  # nothing can be learned from these pages
                    wrapper = None
                for page in split.test[:MAX_TEST_PAGES]:
                    if (case := make_case(page, count, seen[page.id], model, wrapper)) is not None:
                        yield case


def make_case(example: Example, count: int, seen: ScoredPage, model: SiteModel, wrapper: Wrapper | None) -> Case | None:
    """Return the case of a page; None if there is no evidence or no label."""
    measured = model.measure(seen)
    if measured is None:
        return None
    blocks = seen.scored.blocks
    region = weigh_region(wrapper, blocks, wrapper.find_spans(seen.page.tree)) if wrapper else None
    strengths = np.vstack([measured.strengths, np.zeros(len(blocks)) if region is None else region]).T
    if example.is_partial:
        counted = label_marked_blocks(blocks, example.must, example.must_not)
    else:
        counted = label_blocks(blocks, words(example.text or ""))
    known = np.array([first in counted for first in blocks.first], bool)
    hits = np.array([counted.get(first, (0, 0)) for first in blocks.first], np.float64)[known]
    if not known.any() or not hits[:, 1].sum():
        return None
    content = Auto().extract(seen.page, None, seen.scored)
    share = LIST_SHARE if is_list_of_things(content.type_log_odds) else 1.0
    return Case(
        example,
        count,
        seen,
        model,
        wrapper,
        share * strengths[known],
        seen.sketch.log_odds[known],
        hits[:, 0] / np.maximum(hits[:, 1], 1.0),
        hits[:, 1] / hits[:, 1].sum(),
        0.0 if example.is_partial else score_text(example, content.text),
    )


def fit(cases: Sequence[Case]) -> EvidenceWeights:
    """Return the weights with the highest likelihood, each with its sign."""
    from scipy.optimize import minimize

    strengths, offset, labels, shares = (
        np.concatenate([getattr(case, name) for case in cases]) for name in ("strengths", "offset", "labels", "shares")
    )

    # `auto` was trained on these sets and is surer there than on others: the last weight takes a part of it back.
    strengths = np.column_stack([strengths, offset])

    def measure_loss(weights: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        log_odds = offset + strengths @ weights
        loss = shares @ (np.logaddexp(0.0, log_odds) - labels * log_odds)
        slope = strengths.T @ (shares * (1.0 / (1.0 + np.exp(-log_odds)) - labels))
        penalty = L2 * len(cases)
        return loss + penalty * weights @ weights / 2.0, slope + penalty * weights

    bounds = [*BOUNDS, (-1, 0)]
    weights = minimize(measure_loss, np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B").x
    return EvidenceWeights(*weights[:-1].tolist())


def score(case: Case, weights: EvidenceWeights) -> float:
    """Return the word F1 of the fusion with these weights."""
    model = read_site_model(case.wrapper) if case.wrapper else case.model
    model.weights = weights
    content = extract_fused(case.wrapper, case.seen) if case.wrapper else model.extract(case.seen)
    return score_text(case.example, content.text)


def make_candidates(learned: EvidenceWeights) -> dict[str, EvidenceWeights]:
    """Return the weights to compare."""
    fields = {"title": learned.title, "byline": learned.byline}
    return {"in use": WEIGHTS, "in use, fields learned": WEIGHTS._replace(**fields), "learned": learned}


def make_rows(name: str, cases: Sequence[tuple[Case, dict[str, EvidenceWeights]]]) -> list[list[str]]:
    """Return a row for each number of pages.

    It has the F1 of `auto`, what each candidate adds, and the number of sites that lose.
    """
    rows = []
    for count in COUNTS:
        here = [(case, candidates) for case, candidates in cases if case.pages == count]
        if not here:
            continue
        sites = [case.example.site for case, _ in here]
        row = [name, str(count), str(len(set(sites))), str(len(here)), f"{np.mean([case.f1 for case, _ in here]):.4f}"]
        for candidate in here[0][1]:
            gains = np.array([score(case, candidates[candidate]) - case.f1 for case, candidates in here])
            by_site = {
                site: np.mean([gain for gain, at in zip(gains, sites, strict=True) if at == site]) for site in sites
            }
            row += [f"{gains.mean():+.4f}", str(sum(gain < -0.05 for gain in by_site.values()))]
        rows.append(row)
        print(*row, file=sys.stderr)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("--sites", type=int, default=10**6, help="sites of a set, drawn at random (default: all)")
    parser.add_argument("-o", "--output", type=Path, help="file for the document (default: standard output)")
    arguments = parser.parse_args()
    missing = [name for name in (*TRAINING, *MEASURED) if not (arguments.data / name).is_dir()]
    if missing:
        parser.error(f"{arguments.data} is not the folder of the sets: it has no {', no '.join(missing)}")
    training = {name: list(read_cases(arguments.data / name, arguments.sites)) for name in TRAINING}
    every = [case for cases in training.values() for case in cases]
    by_fold = {
        fold: make_candidates(fit([case for case in every if fold_of(case.example.site, FOLDS) != fold]))
        for fold in range(FOLDS)
    }
    learned = fit(every)
    print(learned, file=sys.stderr)
    rows = []
    for name, cases in training.items():
        full = [case for case in cases if not case.example.is_partial]
        rows += make_rows(name, [(case, by_fold[fold_of(case.example.site, FOLDS)]) for case in full])
    for name in MEASURED:
        candidates = make_candidates(learned)
        rows += make_rows(name, [(case, candidates) for case in read_cases(arguments.data / name, arguments.sites)])
    text = format_document(learned, [candidates["learned"] for candidates in by_fold.values()], rows)
    if arguments.output is None:
        print(text, end="")
    else:
        arguments.output.write_text(text, "utf-8")
    return 0


def format_document(learned: EvidenceWeights, folds: list[EvidenceWeights], rows: list[list[str]]) -> str:
    weights = [
        [name, f"{WEIGHTS[at]:+.2f}", f"{learned[at]:+.2f}", ", ".join(f"{fold[at]:+.2f}" for fold in folds)]
        for at, name in enumerate(EvidenceWeights._fields)
    ]
    head = ["set", "pages learned from", "sites", "pages", "auto"]
    for candidate in make_candidates(learned):
        head += [f"{candidate} − auto", "sites worse by > 0.05"]
    return "\n".join(
        [
            "# Weights of the evidence of a site\n",
            f"Written on {date.today()} by `python benchmarks/site_weights.py {' '.join(['DATA', *sys.argv[2:]])}`.",
            f"Learned on {', '.join(TRAINING)}, {FOLDS} folds by site; word F1 of the fused wrapper. The rows of these",
            f"sets are scored with the weights of the other folds; {', '.join(MEASURED)} are not trained on.",
            "recipes-dev has partial gold: it is trained on and not scored.\n",
            make_markdown_table(["weight", "in use", "learned", "in each fold"], weights),
            "",
            make_markdown_table(head, rows),
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
