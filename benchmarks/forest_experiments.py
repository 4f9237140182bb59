"""Table 1 and figures 5, 6 and 7 of FOREST, and what the wrapper gains by each thing that the paper does not have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median

from duramen import methods
from duramen.errors import DuramenError
from duramen.evaluation import peers
from duramen.evaluation.metrics.agreement import Agreement
from duramen.methods.forest.coverage import Coverage
from duramen.methods.forest.description import Description
from duramen.methods.forest.forest import Forest
from duramen.methods.forest.sigfeed import Sigfeed
from duramen.wrappers import Sample
from duramen.wrappers.parts import BODY
from duramen.wrappers.relevance import rank
from duramen.wrappers.signifiers import find_signifiers
from duramen.wrappers.wrapper import Wrapper
from forest_sites import (
    PAPER,
    Apply,
    Scores,
    Sites,
    alone,
    apply,
    described,
    each_alone,
    f1,
    in_groups,
    learnt,
    mean,
)

SHIPPED, PRINTED = Forest(), Forest(measure="ju", refined=False)
"""The wrapper as it comes, and FOREST as it was published."""

HONEST = 5
"""Pages learnt from where the pages scored are others."""

COUNTS = tuple(range(1, 11))
KS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50)
SINGLE = ("econ", "mss-simple", "mss", "auto")
PEERS = ("boilerpy3", "readability-lxml", "trafilatura")

LEARNERS: dict[str, Forest] = {
    "forest, tf-idf": SHIPPED,
    "forest, feed": replace(SHIPPED, signifiers="feed"),
    "paper's form, tf-idf": PRINTED,
    "paper's form, feed": replace(PRINTED, signifiers="feed"),
    "coverage": Coverage(),
}
OF_FEED = "feed"
ELSE = "forest, else "


@dataclass(frozen=True)
class Table:
    """Of each method its scores: learnt from the pages scored, and from others; the same where nothing is learnt."""

    sites: Sites
    paper: dict[str, Scores]
    honest: dict[str, Scores]


def table_1(sites: Sites) -> Table:
    paper: dict[str, Scores] = {}
    honest: dict[str, Scores] = {}
    for name, method in LEARNERS.items():
        if sites.has_feeds or not name.endswith(OF_FEED):
            (paper[name],) = learnt(sites, method, PAPER)
            (honest[name],) = learnt(sites, method, HONEST)
    single = {"sigfeed": each_alone(sites, Sigfeed())}
    single["description"] = described(sites, Description().of_item, Description())
    names = [name for name in SINGLE if name in methods.names()]
    names += [name for name in PEERS if name not in peers.missing()]
    for name in names:
        try:
            single[name] = alone(sites, name)
        except DuramenError as error:  # its model is not there
            print(f"without {name}: {error}")
    default = methods.get(methods.DEFAULT)
    ways = combined()
    for found, count in (paper, PAPER), (honest, HONEST):
        scores = learnt(sites, SHIPPED, count, list(ways.values()), otherwise=default)
        found |= dict(zip(ways, scores, strict=True))
    return Table(sites, _ordered(paper | single), _ordered(honest | single))


def _ordered(found: dict[str, Scores]) -> dict[str, Scores]:
    """The wrapper first, then FOREST as it was published with its baselines, then what looks at one page."""
    return dict(sorted(found.items(), key=lambda pair: not pair[0].startswith("forest")))


def combined() -> dict[str, Apply]:
    """The wrapper together with the method that is used when none is named."""
    default = methods.get(methods.DEFAULT)
    return {
        f"{ELSE}{methods.DEFAULT}": lambda wrapper, page: wrapper.extract(page, fallback=default),
        f"forest, within it {methods.DEFAULT}": lambda wrapper, page: wrapper.extract(
            page, fallback=default, within=default
        ),
    }


Curve = list[tuple[int, float]]


def figure_5(sites: Sites) -> dict[str, Curve]:
    """F1 against the number of pages. The same pages are scored at each point: sites with fewer pages are left out."""
    # As many points as a third of the sites has pages for.
    most = max(count for count in COUNTS if 3 * len(sites.at_least(count + 1).sites) >= len(sites.sites))
    large = sites.at_least(most + 1)
    counts = [count for count in COUNTS if count <= most]
    curves: dict[str, Curve] = {}
    name, way = next(iter(combined().items()))
    default = methods.get(methods.DEFAULT)
    curves[name] = [(count, f1(learnt(large, SHIPPED, count, [way], otherwise=default)[0])) for count in counts]
    for name in ("forest, tf-idf", "forest, feed", "paper's form, tf-idf", "coverage"):
        if large.has_feeds or not name.endswith(OF_FEED):
            curves[name] = [(count, f1(learnt(large, LEARNERS[name], count)[0])) for count in counts]
    name = "paper's form, tf-idf"
    curves[f"{name}, pages learnt from"] = [
        (count, f1(learnt(large, LEARNERS[name], count, cut=in_groups)[0])) for count in counts
    ]
    curves["boilerpy3"] = [(count, value) for value in [f1(alone(large, "boilerpy3"))] for count in counts]
    return curves


def figure_6(sites: Sites) -> dict[str, Curve]:
    """F1 against the number of signifiers."""
    curves: dict[str, Curve] = {}
    for name in ("forest, tf-idf", "paper's form, tf-idf", "paper's form, feed"):
        if sites.has_feeds or not name.endswith(OF_FEED):
            method = LEARNERS[name]
            curves[name] = [(k, f1(learnt(sites, replace(method, k=k), HONEST)[0])) for k in KS]
    curves["sigfeed"] = [(k, f1(each_alone(sites, Sigfeed(k=k)))) for k in KS]
    return curves


MEASURES = {"j": "J", "u": "U", "ju": "J × U"}


def figure_7(sites: Sites) -> dict[str, dict[str, Agreement]]:
    """Precision, recall and F1 by J, U and both, with each source of signifiers, by the paper's protocol."""
    sources = ["tfidf", *(["feed"] if sites.has_feeds else [])]
    return {
        source: {
            name: mean(learnt(sites, replace(PRINTED, measure=measure, signifiers=source), PAPER)[0])
            for measure, name in MEASURES.items()
        }
        for source in sources
    }


@dataclass(frozen=True)
class Choice:
    """What a measure chooses on a site: the pattern, and how many terms its elements have in the middle."""

    site: str
    clue: str
    level: int
    terms: float


def choices(sites: Sites, measure: str) -> list[Choice]:
    """The pattern that a measure chooses on each site; all pages are learnt from."""
    found = []
    for site, pages in sites.sites.items():
        sample = Sample.of([page.given for page in pages])
        settings = replace(PRINTED.settings, measure=measure)
        best = rank(sample, settings, find_signifiers(sample, "tfidf", 10))[0]
        lengths = [
            page.terms_before[page.tree.end[node]] - page.terms_before[node]
            for page, node in zip(sample.pages, best.nodes, strict=True)
            if node >= 0
        ]
        found.append(Choice(site, best.pattern.type, best.level, median(lengths)))
    return found


def _parts(**changes: bool) -> Apply:
    return lambda wrapper, page: replace(wrapper, parts=replace(wrapper.parts, **changes))(page)


def _bare(wrapper: Wrapper, page: object) -> object:
    return replace(wrapper, parts=BODY)(page)  # type: ignore[arg-type]


PARTS: dict[str, Apply] = {
    "as it comes": apply,
    "without the headline": _parts(headline=False),
    "without leads": _parts(leads=False),
    "with captions": _parts(captions=True),
    "with comments": _parts(comments=True),
    "with what repeats, and lists of links": _parts(repeats=True),
    "the region as it stands": _bare,  # type: ignore[dict-item]
}

VARIANTS: dict[str, Callable[[Forest], Forest]] = {
    "as it comes": lambda method: method,
    "full attribute values (tolerant form off)": lambda method: replace(method, tolerant=False),
    "level factor off": lambda method: replace(method, level=False),
    "page factor p off": lambda method: replace(method, frequency=False),
}


def effect_of_parts(sites: Sites) -> dict[str, Agreement]:
    """What inner cleaning and the parts around the region do; wrappers learnt from other pages."""
    found = learnt(sites, SHIPPED, HONEST, list(PARTS.values()))
    return {name: mean(scores) for name, scores in zip(PARTS, found, strict=True)}


def effect_of_factors(sites: Sites, method: Forest, count: int) -> dict[str, float]:
    return {name: f1(learnt(sites, change(method), count)[0]) for name, change in VARIANTS.items()}
