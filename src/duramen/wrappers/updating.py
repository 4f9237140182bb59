"""Add pages to a wrapper that was learned before, without the pages it was learned from.

A wrapper keeps counts of its pages and not the pages. So an update is exact where counts can be added, and only there:

- the counts of blocks inside the regions, by path and by text: boilerplate is judged by all pages together;
- the table of candidates, for the candidates that were kept;
- the number of pages with a term, for terms of at least two pages: these weigh the terms of the new pages.

It differs from learning from all pages in three points. The signifiers of old pages do not change. A text that occurs
on one old page and on one new page is not known to be repeated. Regions, headlines and leads stay as they are; those
that new pages need are added after them, and none is removed. If a site was redesigned, learn a new wrapper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from duramen.dom.urls import find_site_name
from duramen.errors import InputError
from duramen.wrappers.headline import find_headlines, find_leads, find_surroundings
from duramen.wrappers.learning import (
    MAX_CANDIDATES,
    PageInput,
    add_half_share,
    count_boilerplate,
    drop_copies,
    make_ranked_pattern,
    make_region_selector,
    make_source_pages,
    prepare_pages,
    sum_agreement,
)
from duramen.wrappers.patterns import (
    PatternCandidate,
    PatternChooser,
    choose_by_relevance,
    find_regions,
    rank_patterns,
)
from duramen.wrappers.sample import BackgroundCounts, Sample, Signifiers, find_signifiers
from duramen.wrappers.wrapper import RankedPattern, Wrapper


def update(wrapper: Wrapper, pages: Iterable[PageInput], *, choose: PatternChooser = choose_by_relevance) -> Wrapper:
    """Return the wrapper with these pages added; `choose` is as for `learn`.

    Raises `InputError` if there are no pages, if the wrapper has all of them, or if one is of another site.
    """
    names = {page.name for page in wrapper.pages}
    new_pages = [page for page in prepare_pages(pages, len(names)) if page.name not in names]
    if not new_pages:
        raise InputError("the wrapper was learned from these pages already")
    other_sites = {site for page in new_pages if (site := find_site_name(page.page.url))} - {wrapper.site}
    if wrapper.site and other_sites:
        raise InputError(f"the wrapper is of {wrapper.site}, and there are pages of {', '.join(sorted(other_sites))}")
    new_pages, copy_notes = drop_copies(new_pages)
    notes = [*wrapper.notes, *copy_notes]
    settings = wrapper.settings
    sample = Sample.read(new_pages, wrapper.lang, foreign=settings.foreign_text)
    background = BackgroundCounts(len(wrapper.pages), dict(wrapper.terms))
    signifiers = find_signifiers(sample, settings.signifiers, settings.k, background)
    nodes: dict[int, int] = {}
    selectors = list(wrapper.regions)
    for index, page in enumerate(sample.pages):
        at, elements = wrapper.select_region(page.tree)
        if elements:
            nodes[index] = elements[0]
            dfs = {*selectors[at].dfs, page.dfs[elements[0]]}
            selectors[at] = selectors[at]._replace(dfs=tuple(sorted(dfs)), pages=selectors[at].pages + 1)
    left = [index for index in range(len(sample)) if index not in nodes]
    unfit = sample.select(left)
    regions = find_regions(unfit, [signifiers[index] for index in left], settings, choose)
    selectors += [make_region_selector(unfit, region, notes) for region in regions]
    ranked = rank_patterns(sample, settings, signifiers)
    agreement = sum(map(sum_agreement, regions)) + _sum_agreement_of_nodes(ranked, nodes)
    nodes |= {left[index]: node for region in regions for index, node in region.nodes.items()}
    notes += [
        f"{page.sample_page.name} does not fit, and no region was found on it"
        for index, page in enumerate(sample.pages)
        if index not in nodes
    ]
    before, after = len(wrapper.pages), len(wrapper.pages) + len(sample)
    updated = replace(
        wrapper,
        regions=tuple(selectors),
        support=(wrapper.support * before + len(nodes)) / after,
        confidence=add_half_share(wrapper.confidence * (before + 1) - 0.5 + agreement, after),
        notes=tuple(notes),
        pages=wrapper.pages + make_source_pages(sample, signifiers),
        candidates=_merge_patterns(wrapper.candidates, [make_ranked_pattern(one) for one in ranked], wrapper),
    )
    return _update_refinements(updated, sample, signifiers, nodes) if settings.refined else updated


def _update_refinements(
    wrapper: Wrapper, sample: Sample, signifiers: Sequence[Signifiers], nodes: dict[int, int]
) -> Wrapper:
    """Update headlines, leads, boilerplate counts and terms."""
    surroundings = find_surroundings(sample.pages, nodes, signifiers)
    headline_nodes = {
        at: node for at, page in enumerate(surroundings) if (node := wrapper.find_headline(page.tree)) is not None
    }
    left = [at for at in range(len(surroundings)) if at not in headline_nodes]
    headlines = find_headlines([surroundings[at] for at in left])
    headline_nodes |= {left[at]: node for _, elements in headlines for at, node in elements.items()}
    terms = Counter(dict(wrapper.terms)) + sample.document_frequencies
    return replace(
        wrapper,
        headlines=tuple(dict.fromkeys([*wrapper.headlines, *(expression for expression, _ in headlines)])),
        leads=tuple(dict.fromkeys([*wrapper.leads, *find_leads(surroundings, headline_nodes)])),
        boilerplate=wrapper.boilerplate.plus(count_boilerplate(wrapper, sample)),
        terms=tuple(sorted((term, pages) for term, pages in terms.items() if pages > 1)),
    )


def _sum_agreement_of_nodes(ranked: Sequence[PatternCandidate], nodes: dict[int, int]) -> float:
    """As `learn.sum_agreement`, for regions that were chosen before."""
    total = 0.0
    for index, node in nodes.items():
        values = {candidate.nodes[index]: candidate.values[index] * max(candidate.level, 1) for candidate in ranked}
        largest = max(values.values(), default=0.0)
        total += values.get(node, 0.0) / largest if largest else 0.0
    return total


def _merge_patterns(
    old: Sequence[RankedPattern], new: Sequence[RankedPattern], wrapper: Wrapper
) -> tuple[RankedPattern, ...]:
    """Add the counts of the patterns of both samples; the most relevant first."""
    patterns = {(pattern.level, pattern.clue): pattern for pattern in old}
    for pattern in new:
        key = pattern.level, pattern.clue
        if key in patterns:
            before = patterns[key]
            value, n = before.value + pattern.value, before.n + pattern.n
            dfs = tuple(sorted({*before.dfs, *pattern.dfs}))
            relevance = wrapper.settings.relevance(value, n, pattern.level)
            pattern = RankedPattern(pattern.level, pattern.clue, dfs, n, value, relevance)
        patterns[key] = pattern
    ranked = sorted(
        patterns.values(), key=lambda pattern: (-pattern.relevance, -pattern.level, pattern.dfs, pattern.clue)
    )
    return tuple(ranked[:MAX_CANDIDATES])
