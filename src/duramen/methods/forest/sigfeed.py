"""SIGFEED: the lowest div around most signifiers.

Oita and Senellart, "Archiving data objects using Web feeds", IWAW 2010; a baseline of their FOREST, 2012, section 4.
Each text node that holds a signifier votes for the lowest `<div>` around it, and the div with most votes is the
article: "significant nodes are simply clustered based on their first (lowest in the hierarchy) div ancestor". It looks
at one page at a time, and needs no more than a signifier.

The signifiers are those of the page's feed item: title and description. Where there is none, they come from the
page's metadata. A wrapper learnt with it names the div most pages vote for. Where no div is around, the body is taken.
Votes of the same number go to the div that is the denser in signifiers: the smaller one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from duramen.methods.forest.forest import Forest
from duramen.methods.registry import register
from duramen.wrappers.patterns import Pattern, occurrences
from duramen.wrappers.regions import Chooser
from duramen.wrappers.relevance import Candidate, Settings
from duramen.wrappers.sample import Leaves, Sample, SamplePage
from duramen.wrappers.signifiers import Signifiers


@register
@dataclass(frozen=True)
class Sigfeed(Forest):
    name: ClassVar[str] = "sigfeed"
    summary: ClassVar[str] = "the lowest div around most signifiers of the feed item; baseline of forest"
    paper: ClassVar[str] = "Oita and Senellart, IWAW 2010"

    signifiers: str = "feed"
    refined: bool = False

    def _for(self, pages: Sequence[SamplePage]) -> Settings:
        if self.signifiers == "feed" and not any(page.feed_item for page in pages):
            return replace(self.settings, signifiers="metadata")
        return self.settings

    def _alone(self) -> Settings:
        return replace(self.settings, signifiers="tfidf")  # which on one page means its metadata

    def _choose(self) -> Chooser:
        return by_votes


def by_votes(sample: Sample, signifiers: Sequence[Signifiers], settings: Settings) -> list[Candidate]:
    """The divs with most votes on each page, by pattern; those of most pages first."""
    count = len(sample)
    patterns: dict[Pattern, list[tuple[float, int, int]]] = {}
    for index, (page, terms) in enumerate(zip(sample.pages, signifiers, strict=True)):
        elected = elect(page, terms)
        if elected is not None:
            node, votes = elected
            pattern = next(one.pattern for one in occurrences(page, terms, settings.tolerant) if one.node == node)
            patterns.setdefault(pattern, [(0.0, -1, -1)] * count)[index] = votes, node, page.dfs[node]
    candidates = []
    for pattern, found in patterns.items():
        values, nodes, dfs = zip(*found, strict=True)
        n = sum(node >= 0 for node in nodes)
        candidates.append(Candidate(pattern, tuple(sorted({*dfs} - {-1})), n, float(n), values, nodes))
    return sorted(candidates, key=lambda one: (-one.relevance, -sum(one.values), -one.level, one.dfs))


def elect(page: Leaves, signifiers: Signifiers) -> tuple[int, float] | None:
    """The div of a page with most votes, and their number; None when no text node votes."""
    tree = page.tree
    votes: Counter[int] = Counter()
    for node, terms in page.own_terms():
        if any(term in signifiers for term in terms):
            above = tree.parent[node]
            while above > tree.body and tree.tag[above] != "div":
                above = tree.parent[above]
            votes[above] += 1
    if not votes:
        return None
    before = page.terms_before
    node = min(votes, key=lambda node: (-votes[node], before[tree.end[node]] - before[node], node))
    return node, float(votes[node])
