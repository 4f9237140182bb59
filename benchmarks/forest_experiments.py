"""Table 1 and figures 5 to 7 of FOREST, and the effect of each step that the paper does not have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median

from duramen import methods
from duramen.errors import DuramenError
from duramen.evaluation import peers
from duramen.evaluation.metrics.agreement import Agreement
from duramen.methods.forest.baselines import Coverage, Description, Sigfeed
from duramen.methods.forest.forest import Forest
from duramen.wrappers import Sample
from duramen.wrappers.patterns import rank_patterns
from duramen.wrappers.sample import find_signifiers
from duramen.wrappers.wrapper import KEEP_WHOLE_REGION, Wrapper
from forest_sites import (
    PAPER,
    Apply,
    Scores,
    Sites,
    apply,
    f1,
    mean,
    score_extractor,
    score_feed_items,
    score_single_pages,
    score_wrappers,
    split_in_groups,
)

DEFAULT_FOREST, PAPER_FOREST = Forest(), Forest(measure="ju", refined=False)
"""The default settings, and FOREST as published."""

LEARN_FROM = 5
"""Pages to learn from if other pages are scored."""

PAGE_COUNTS = tuple(range(1, 11))
SIGNIFIER_COUNTS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50)
SINGLE = ("econ", "mss-simple", "mss", "auto")
PEERS = ("boilerpy3", "readability-lxml", "trafilatura")

LEARNERS: dict[str, Forest] = {
    "forest, tf-idf": DEFAULT_FOREST,
    "forest, feed": replace(DEFAULT_FOREST, signifiers="feed"),
    "paper's form, tf-idf": PAPER_FOREST,
    "paper's form, feed": replace(PAPER_FOREST, signifiers="feed"),
    "coverage": Coverage(),
}
OF_FEED = "feed"
ELSE = "forest, else "


@dataclass(frozen=True)
class ScoreTable:
    """The scores of each method: learned from the scored pages (`paper`), and from other pages (`unseen`)."""

    sites: Sites
    paper: dict[str, Scores]
    unseen: dict[str, Scores]


def table_1(sites: Sites) -> ScoreTable:
    paper: dict[str, Scores] = {}
    unseen: dict[str, Scores] = {}
    for name, method in LEARNERS.items():
        if sites.has_feeds or not name.endswith(OF_FEED):
            (paper[name],) = score_wrappers(sites, method, PAPER)
            (unseen[name],) = score_wrappers(sites, method, LEARN_FROM)
    single = {"sigfeed": score_single_pages(sites, Sigfeed())}
    single["description"] = score_feed_items(sites, Description().extract_item, Description())
    names = [name for name in SINGLE if name in methods.names()]
    names += [name for name in PEERS if name not in peers.missing()]
    for name in names:
        try:
            single[name] = score_extractor(sites, name)
        except DuramenError as error:  # its model is missing
            print(f"without {name}: {error}")
    default = methods.get(methods.DEFAULT)
    combinations = make_combinations()
    for results, count in (paper, PAPER), (unseen, LEARN_FROM):
        scores = score_wrappers(sites, DEFAULT_FOREST, count, list(combinations.values()), otherwise=default)
        results |= dict(zip(combinations, scores, strict=True))
    return ScoreTable(sites, _ordered(paper | single), _ordered(unseen | single))


def _ordered(scores: dict[str, Scores]) -> dict[str, Scores]:
    """Sort: the wrapper, then FOREST as published with its baselines, then methods for single pages."""
    return dict(sorted(scores.items(), key=lambda pair: not pair[0].startswith("forest")))


def make_combinations() -> dict[str, Apply]:
    """Return the combinations of the wrapper with the default method."""
    default = methods.get(methods.DEFAULT)
    return {
        f"{ELSE}{methods.DEFAULT}": lambda wrapper, page: wrapper.extract(page, fallback=default),
        f"forest, within it {methods.DEFAULT}": lambda wrapper, page: wrapper.extract(
            page, fallback=default, within=default
        ),
    }


ScoreCurve = list[tuple[int, float]]


def figure_5(sites: Sites) -> dict[str, ScoreCurve]:
    """Return F1 by number of training pages. Small sites are left out, so that each point has the same pages."""
    # As many points as a third of the sites have pages for.
    most = max(count for count in PAGE_COUNTS if 3 * len(sites.at_least(count + 1).sites) >= len(sites.sites))
    large = sites.at_least(most + 1)
    counts = [count for count in PAGE_COUNTS if count <= most]
    curves: dict[str, ScoreCurve] = {}
    name, apply = next(iter(make_combinations().items()))
    default = methods.get(methods.DEFAULT)
    curves[name] = [
        (count, f1(score_wrappers(large, DEFAULT_FOREST, count, [apply], otherwise=default)[0])) for count in counts
    ]
    for name in ("forest, tf-idf", "forest, feed", "paper's form, tf-idf", "coverage"):
        if large.has_feeds or not name.endswith(OF_FEED):
            curves[name] = [(count, f1(score_wrappers(large, LEARNERS[name], count)[0])) for count in counts]
    name = "paper's form, tf-idf"
    curves[f"{name}, training pages"] = [
        (count, f1(score_wrappers(large, LEARNERS[name], count, split=split_in_groups)[0])) for count in counts
    ]
    curves["boilerpy3"] = [(count, value) for value in [f1(score_extractor(large, "boilerpy3"))] for count in counts]
    return curves


def figure_6(sites: Sites) -> dict[str, ScoreCurve]:
    """Return F1 by number of signifiers."""
    curves: dict[str, ScoreCurve] = {}
    for name in ("forest, tf-idf", "paper's form, tf-idf", "paper's form, feed"):
        if sites.has_feeds or not name.endswith(OF_FEED):
            method = LEARNERS[name]
            curves[name] = [
                (k, f1(score_wrappers(sites, replace(method, k=k), LEARN_FROM)[0])) for k in SIGNIFIER_COUNTS
            ]
    curves["sigfeed"] = [(k, f1(score_single_pages(sites, Sigfeed(k=k)))) for k in SIGNIFIER_COUNTS]
    return curves


MEASURES = {"j": "J", "u": "U", "ju": "J × U"}


def figure_7(sites: Sites) -> dict[str, dict[str, Agreement]]:
    """Return precision, recall and F1 by J, U and both, with each source of signifiers, by the paper's protocol."""
    sources = ["tfidf", *(["feed"] if sites.has_feeds else [])]
    return {
        source: {
            name: mean(score_wrappers(sites, replace(PAPER_FOREST, measure=measure, signifiers=source), PAPER)[0])
            for measure, name in MEASURES.items()
        }
        for source in sources
    }


@dataclass(frozen=True)
class ChosenPattern:
    """The pattern that a measure chooses on a site, and the median number of terms of its elements."""

    site: str
    clue: str
    level: int
    terms: float


def find_chosen_patterns(sites: Sites, measure: str) -> list[ChosenPattern]:
    """Return the pattern that a measure chooses on each site, learned from all its pages."""
    chosen = []
    for site, pages in sites.sites.items():
        sample = Sample.read([page.sample_page for page in pages])
        settings = replace(PAPER_FOREST.settings, measure=measure)
        best = rank_patterns(sample, settings, find_signifiers(sample, "tfidf", 10))[0]
        lengths = [
            page.terms_before[page.tree.end[node]] - page.terms_before[node]
            for page, node in zip(sample.pages, best.nodes, strict=True)
            if node >= 0
        ]
        chosen.append(ChosenPattern(site, best.pattern.type, best.level, median(lengths)))
    return chosen


def _parts(**changes: bool) -> Apply:
    return lambda wrapper, page: replace(wrapper, keep=replace(wrapper.keep, **changes))(page)


def _bare(wrapper: Wrapper, page: object) -> object:
    return replace(wrapper, keep=KEEP_WHOLE_REGION)(page)  # type: ignore[arg-type]


PARTS: dict[str, Apply] = {
    "default": apply,
    "without the headline": _parts(headline=False),
    "without leads": _parts(leads=False),
    "with captions": _parts(captions=True),
    "with comments": _parts(comments=True),
    "with repeated text and lists of links": _parts(repeats=True),
    "the whole region": _bare,  # type: ignore[dict-item]
}

VARIANTS: dict[str, Callable[[Forest], Forest]] = {
    "default": lambda method: method,
    "full attribute values (tolerant form off)": lambda method: replace(method, tolerant=False),
    "level factor off": lambda method: replace(method, level=False),
    "page factor p off": lambda method: replace(method, frequency=False),
}


def effect_of_parts(sites: Sites) -> dict[str, Agreement]:
    """Return the scores with other `KeepOptions`; the wrappers are learned from other pages."""
    scores = score_wrappers(sites, DEFAULT_FOREST, LEARN_FROM, list(PARTS.values()))
    return {name: mean(each) for name, each in zip(PARTS, scores, strict=True)}


def effect_of_factors(sites: Sites, method: Forest, count: int) -> dict[str, float]:
    return {name: f1(score_wrappers(sites, change(method), count)[0]) for name, change in VARIANTS.items()}
