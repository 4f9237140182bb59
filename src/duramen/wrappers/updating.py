"""Add pages to a wrapper.

A wrapper keeps no pages, but what was counted on them. So an update is exact where counts add up, and only there:

- what stands inside the regions, by path and by text: the verdicts on boilerplate are those of all pages together;
- the table of candidates, as far as they were among those kept;
- how many pages hold a term, for terms that two pages or more held: new pages are weighed by them.

It differs from learning anew from all pages in this. Signifiers of old pages stay what they were. A text that stood on
one old page and stands on one new page is not known to have come back. Regions, headlines and leads are kept as they
are: those that new pages need come after them, and none is taken back. For a site that was redesigned, learn anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from duramen.errors import InputError
from duramen.wrappers.addresses import site_name
from duramen.wrappers.learning import (
    ROWS,
    Given,
    agreement,
    confidence,
    counted,
    place_of,
    prepared,
    row_of,
    sources,
    without_copies,
)
from duramen.wrappers.regions import Chooser, by_relevance, find_regions
from duramen.wrappers.relevance import Candidate, rank
from duramen.wrappers.sample import Sample
from duramen.wrappers.signifiers import Background, Signifiers, find_signifiers
from duramen.wrappers.surroundings import around, headlines, leads
from duramen.wrappers.wrapper import Row, Wrapper


def update(wrapper: Wrapper, pages: Iterable[Given], *, choose: Chooser = by_relevance) -> Wrapper:
    """The wrapper after these pages, too; `choose` as for `learn`.

    `InputError` if there are none, or all were learnt from before, or one is of another site.
    """
    known = {page.name for page in wrapper.pages}
    notes = list(wrapper.notes)
    given = [page for page in prepared(pages, len(known)) if page.name not in known]
    if not given:
        raise InputError("the wrapper was learnt from these pages already")
    others = {site for page in given if (site := site_name(page.page.url))} - {wrapper.site}
    if wrapper.site and others:
        raise InputError(f"the wrapper is of {wrapper.site}, and there are pages of {', '.join(sorted(others))}")
    given = without_copies(given, notes)
    settings = wrapper.settings
    sample = Sample.of(given, wrapper.lang, own_words=settings.refined)
    signifiers = find_signifiers(
        sample, settings.signifiers, settings.k, Background(len(wrapper.pages), dict(wrapper.terms))
    )
    nodes: dict[int, int] = {}
    places = list(wrapper.regions)
    for index, page in enumerate(sample.pages):
        at, found = wrapper.found_by(page.tree)
        if found:
            nodes[index] = found[0]
            dfs = {*places[at].dfs, page.dfs[found[0]]}
            places[at] = places[at]._replace(dfs=tuple(sorted(dfs)), pages=places[at].pages + 1)
    left = [index for index in range(len(sample)) if index not in nodes]
    unfit = sample.only(left)
    regions = find_regions(unfit, [signifiers[index] for index in left], settings, choose, all=settings.refined)
    places += [place_of(unfit, region) for region in regions]
    ranked = rank(sample, settings, signifiers)
    agreed = sum(map(agreement, regions)) + _agreement(ranked, nodes)
    nodes |= {left[index]: node for region in regions for index, node in region.nodes.items()}
    notes += [
        f"{page.given.name} does not fit, and no region was found on it"
        for index, page in enumerate(sample.pages)
        if index not in nodes
    ]
    before, after = len(wrapper.pages), len(wrapper.pages) + len(sample)
    changed = replace(
        wrapper,
        regions=tuple(places),
        support=(wrapper.support * before + len(nodes)) / after,
        confidence=confidence(wrapper.confidence * (before + 1) - 0.5 + agreed, after),
        notes=tuple(notes),
        pages=wrapper.pages + sources(sample, signifiers),
        candidates=_merged(wrapper.candidates, [row_of(candidate) for candidate in ranked], wrapper),
    )
    return _refined(changed, sample, signifiers, nodes) if settings.refined else changed


def _refined(wrapper: Wrapper, sample: Sample, signifiers: Sequence[Signifiers], nodes: dict[int, int]) -> Wrapper:
    surrounding = around(sample.pages, nodes, signifiers)
    places = {at: node for at, page in enumerate(surrounding) if (node := wrapper.headline_of(page.tree)) is not None}
    unknown = [at for at in range(len(surrounding)) if at not in places]
    found = headlines([surrounding[at] for at in unknown])
    places |= {unknown[at]: node for _, nodes_found in found for at, node in nodes_found.items()}
    terms = Counter(dict(wrapper.terms)) + sample.document_frequencies
    return replace(
        wrapper,
        headlines=tuple(dict.fromkeys([*wrapper.headlines, *(expression for expression, _ in found)])),
        leads=tuple(dict.fromkeys([*wrapper.leads, *leads(surrounding, places)])),
        boilerplate=wrapper.boilerplate.plus(counted(wrapper, sample)),
        terms=tuple(sorted((term, pages) for term, pages in terms.items() if pages > 1)),
    )


def _agreement(ranked: Sequence[Candidate], nodes: dict[int, int]) -> float:
    """As `learning.agreement`, for regions that were chosen before."""
    total = 0.0
    for index, node in nodes.items():
        values = {candidate.nodes[index]: candidate.values[index] * max(candidate.level, 1) for candidate in ranked}
        most = max(values.values(), default=0.0)
        total += values.get(node, 0.0) / most if most else 0.0
    return total


def _merged(old: Sequence[Row], new: Sequence[Row], wrapper: Wrapper) -> tuple[Row, ...]:
    """The rows of both samples, counts added up, the most relevant first."""
    rows = {(row.level, row.clue): row for row in old}
    for row in new:
        key = row.level, row.clue
        if key in rows:
            before = rows[key]
            row = Row(
                row.level,
                row.clue,
                tuple(sorted({*before.dfs, *row.dfs})),
                before.n + row.n,
                before.value + row.value,
                wrapper.settings.relevance(before.value + row.value, before.n + row.n, row.level),
            )
        rows[key] = row
    return tuple(sorted(rows.values(), key=lambda row: (-row.relevance, -row.level, row.dfs, row.clue))[:ROWS])
