"""Choose the settings of FOREST by cross-validation over all sets with sites, by site, with intervals.

    python benchmarks/forest_choices.py DATA
    python benchmarks/forest_choices.py DATA --every 4 --sets news-sites-dev,feed-sites-dev

Every wrapper is learned from other pages of the site than it is scored on. Scores are F1 of word 2-grams. The measure
(J × U or U) is chosen in five folds of sites: on the sites of four folds, and scored on the fifth. Beside it: the other
sources of signifiers that the paper names (section 5), and its two filters (section 4, challenges).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from duramen.evaluation import read_set
from duramen.evaluation.structure_results import compute_interval
from duramen.methods.forest.forest import Forest
from duramen.training.mss import find_fold
from forest_sites import ParsedPage, Sites, score_wrappers
from mss_document import paragraph, table

SETS = ("news-sites-dev", "feed-sites-dev", "articles-2012-dev", "languages-dev", "wcxb-dev", "news-world-dev")
FOLDS = 5
MIN_PAGES = 3
MAX_PAGES = 8
"""Pages of a site that are used, the first of them: a large site counts no more than eight pages."""
MAX_SOURCE_SITES = 12
"""Sites of a set in the table of sources and filters, drawn with a fixed seed: it has nine rows for each set."""
SEED = 32
COUNTS = (2, 5)

Chosen = dict[str, Forest]
FORMS: Chosen = {"refined": Forest(), "paper's form": Forest(refined=False)}
MEASURES = ("u", "ju")
VARIANTS: dict[str, Callable[[Forest], Forest]] = {
    "tf-idf": lambda method: method,
    "metadata": lambda method: replace(method, signifiers="metadata"),
    "anchors": lambda method: replace(method, signifiers="anchors"),
    "query": lambda method: replace(method, signifiers="query"),
    "feed": lambda method: replace(method, signifiers="feed"),
    "feed, 2-grams": lambda method: replace(method, signifiers="feed-bigrams"),
    "tf-idf, lists of links foreign": lambda method: replace(method, foreign="links"),
    "tf-idf, comments foreign": lambda method: replace(method, foreign="comments"),
    "tf-idf, both foreign": lambda method: replace(method, foreign="both"),
}


@dataclass(frozen=True)
class SiteScores:
    """The F1 of the pages of one site, for each form, number of pages and measure."""

    set: str
    site: str
    f1: dict[tuple[str, int, str], list[float]]


def read_sites(folder: Path, name: str, every: int) -> Sites:
    """Read sites with enough pages, with the words of each page's title as its query."""
    sites = Sites.read(name, read_set(folder / name), MIN_PAGES, every)
    return Sites(name, {site: [_with_query(page) for page in pages[:MAX_PAGES]] for site, pages in sites.sites.items()})


def _with_query(page: ParsedPage) -> ParsedPage:
    tree = page.sample_page.page.tree
    title = next((node for node, tag in enumerate(tree.tag) if tag == "title"), None)
    query = "" if title is None else " ".join(tree.text[title + 1 : tree.end[title]])
    return replace(page, sample_page=replace(page.sample_page, query=query))


def score_site(name: str, site: str, pages: list[ParsedPage]) -> SiteScores:
    own = Sites(name, {site: pages})
    scores = {}
    for form, method in FORMS.items():
        for count in COUNTS:
            for measure in MEASURES:
                agreements = score_wrappers(own, replace(method, measure=measure), count)[0]
                scores[form, count, measure] = [agreement.f1 for agreement in agreements]
    return SiteScores(name, site, scores)


def measure_table(sites: Sequence[SiteScores], form: str) -> str:
    rows = []
    for name in [*dict.fromkeys(site.set for site in sites), "all"]:
        own = [site for site in sites if name in (site.set, "all")]
        for count in COUNTS:
            u, ju = ([value for site in own for value in site.f1[form, count, measure]] for measure in MEASURES)
            groups = [f"{site.set}/{site.site}" for site in own for _ in site.f1[form, count, "u"]]
            low, high = compute_interval([both - alone for both, alone in zip(ju, u, strict=True)], groups)
            cells = [f"{100 * fmean(values):.1f}" for values in (u, ju)]
            rows.append([name, str(len(own)), str(count), *cells, f"{100 * low:+.1f} to {100 * high:+.1f}"])
    return table(["set", "sites", "learned from", "U", "J × U", "difference, 95 %"], rows)


def choose_by_folds(sites: Sequence[SiteScores], form: str) -> tuple[list[str], float]:
    """Return the measure chosen for each fold, and the mean F1 of the folds by the choice made without them."""
    chosen, values = [], []
    for fold in range(FOLDS):
        held = [site for site in sites if find_fold(site.site, FOLDS) == fold]
        others = [site for site in sites if find_fold(site.site, FOLDS) != fold]
        best = max(MEASURES, key=lambda measure: _mean_of_sets(others, form, measure))
        chosen.append({"u": "U", "ju": "J × U"}[best])
        values += [value for site in held for count in COUNTS for value in site.f1[form, count, best]]
    return chosen, fmean(values) if values else 0.0


def _mean_of_sets(sites: Sequence[SiteScores], form: str, measure: str) -> float:
    """Return the mean over the sets, so that no set outweighs the others."""
    by_set: dict[str, list[float]] = {}
    for site in sites:
        by_set.setdefault(site.set, []).extend(value for count in COUNTS for value in site.f1[form, count, measure])
    return fmean(map(fmean, by_set.values())) if by_set else 0.0


def source_table(sets: Sequence[Sites]) -> str:
    rows = []
    for all_sites in sets:
        names = sorted(all_sites.sites)
        drawn = sorted(random.Random(SEED).sample(names, min(MAX_SOURCE_SITES, len(names))))
        sites = Sites(all_sites.name, {site: all_sites.sites[site] for site in drawn})
        for name, change in VARIANTS.items():
            if name.startswith("feed") and not sites.has_feeds:
                continue
            if name == "anchors" and not any(page.example.url for page in sites.pages):
                continue
            cells = []
            for method in (Forest(), Forest(measure="ju", refined=False)):
                scores = score_wrappers(sites, change(method), COUNTS[-1])[0]
                cells.append(f"{100 * fmean(agreement.f1 for agreement in scores):.1f}")
            rows.append([f"{sites.name} ({len(sites.sites)} sites)", name, *cells])
        print(f"sources, {sites.name}", file=sys.stderr)
    return table(["set", "signifiers", "default", "paper's form (J × U)"], rows)


def make_document(scores: Sequence[SiteScores], sources: str) -> str:
    parts = [
        "# FOREST: measure, sources and filters",
        paragraph(
            f"""Written by `python benchmarks/forest_choices.py DATA`; do not edit. F1 of word 2-grams in percent, on
            sites with at least {MIN_PAGES} pages, the first {MAX_PAGES} of each; wrappers are learned from other pages
            of the site, from all others if there are fewer. The intervals are of the difference (J × U minus U), with
            sites drawn together."""
        ),
    ]
    for form in FORMS:
        chosen, value = choose_by_folds(scores, form)
        parts += [
            f"## {form[0].upper()}{form[1:]}",
            measure_table(scores, form),
            paragraph(
                f"""Chosen by cross-validation, in {FOLDS} folds of sites, each set with the same weight:
                {", ".join(chosen)}. F1 with the choice that was made without the fold: {100 * value:.1f}."""
            ),
        ]
    parts += [
        "## Sources of signifiers, and the two filters",
        paragraph(
            f"""Learned from {COUNTS[-1]} other pages, on at most {MAX_SOURCE_SITES} sites of each set, drawn with the
            seed {SEED}. The query of a page is the words of its title. The filters: words
            in lists of links, and in elements named comments, are no signifiers. The default has both, the paper's form
            none."""
        ),
        sources,
    ]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/forest-choices.md"))
    parser.add_argument("--sets", default=",".join(SETS), help="names of sets, with commas")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site only")
    arguments = parser.parse_args()
    names = [name for name in arguments.sets.split(",") if (arguments.data / name).is_dir()]
    if not names:
        parser.error(f"{arguments.data} has none of these sets: {arguments.sets}")
    sets = [sites for name in names if (sites := read_sites(arguments.data, name, arguments.every)).sites]
    if not sets:
        parser.error(f"no site of these sets has {MIN_PAGES} pages")
    scores = []
    for sites in sets:
        scores += [score_site(sites.name, site, pages) for site, pages in sites.sites.items()]
        print(f"measures, {sites.describe()}", file=sys.stderr)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(make_document(scores, source_table(sets)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
