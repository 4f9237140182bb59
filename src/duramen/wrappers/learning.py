"""Learn the wrapper of a site from a few of its pages.

Oita and Senellart, FOREST, 2012, up to the choice of the region; what follows is ours, since the paper's wrapper names
the dfs positions it has seen and cannot meet an unseen page: a portable expression (`expressions.py`), the regions of
pages of another make (`regions.py`), headline and leads (`surroundings.py`), boilerplate in the region
(`boilerplate.py`), and, when the region is looked for, no signifiers from links and comments (`sample.py`).
`refined=False` leaves all of that out but the portable expression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.wrappers import boilerplate
from duramen.wrappers.addresses import site_name
from duramen.wrappers.clustering import SAME_SITE, likeness, path_sets, templates
from duramen.wrappers.expressions import shared
from duramen.wrappers.parts import BODY, Parts
from duramen.wrappers.regions import Chooser, Region, by_relevance, find_regions
from duramen.wrappers.relevance import Candidate, Settings
from duramen.wrappers.sample import Leaves, Sample, SamplePage
from duramen.wrappers.several import Wrappers
from duramen.wrappers.signifiers import Signifiers, find_signifiers, of_one_page
from duramen.wrappers.surroundings import around, headlines, leads
from duramen.wrappers.wrapper import Place, Row, Source, Wrapper

Given = Page | SamplePage | str | bytes
"""A page to learn from; text and bytes are HTML."""

ONE_PAGE: Final = "one page gives tf-idf nothing to compare: the signifiers are those of its metadata"

ROWS: Final = 30
"""Candidates that a wrapper keeps: more than anyone reads, and enough to go on counting."""


def learn(
    pages: Iterable[Given], settings: Settings | None = None, *, choose: Chooser = by_relevance, **changes: Any
) -> Wrapper:
    """The wrapper of a site from pages of one template.

    `settings`, or its fields by name (`signifiers="feed"`, `k=5`, `refined=False`), say how. A single page gives tf-idf
    nothing to compare: its metadata gives the signifiers, and the wrapper's notes say so. `InputError` says what is
    wrong with pages that nothing can be learnt from.
    """
    settings = replace(settings or Settings(), **changes)
    given = prepared(pages)
    notes: list[str] = []
    given = without_copies(given, notes)
    _of_one_site(given)
    return _learn(given, settings, choose, notes)


@dataclass(frozen=True)
class Stray:
    """A page that no wrapper was learnt from, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Learnt:
    """A wrapper for each template, the one of most pages first, and the pages that were too different from all."""

    wrappers: tuple[Wrapper, ...]
    strays: tuple[Stray, ...] = ()

    def extract(self, page: Page | str | bytes, **options: Any) -> Content:
        """The content of a page by the wrapper that it fits best; `options` are those of `Wrapper.extract`."""
        return Wrappers(self.wrappers).extract(page, **options)


def learn_all(
    pages: Iterable[Given], settings: Settings | None = None, *, choose: Chooser = by_relevance, **changes: Any
) -> Learnt:
    """A wrapper for each template among the pages, told apart by their tag paths; arguments as for `learn`."""
    settings = replace(settings or Settings(), **changes)
    notes: list[str] = []
    given = without_copies(prepared(pages), notes)
    if len(given) == 1:
        return Learnt((_learn(given, settings, choose, notes),))
    sets = path_sets([page.page.tree for page in given])
    found = templates(sets)
    cores = [template.core() for template in found if len(template.pages) > 1]
    sites = _sites(given)
    if not cores:
        which = f"; they are of different sites: {', '.join(sites)}" if len(sites) > 1 else ""
        raise InputError(
            f"no two of the {len(given)} pages share a template, so that nothing can be learnt from them{which}"
        )
    wrappers, strays = [], []
    for template in found:
        members = [given[page] for page in template.pages]
        if len(members) == 1:
            alike = max(likeness(sets[template.pages[0]], core) for core in cores)
            reason = f"it shares {alike:.0%} of its tag paths with the nearest template, and no page is like it"
            strays.append(Stray(members[0].name or "", reason))
            continue
        among = _sites(members)
        said = [f"the pages are of {len(among)} sites: {', '.join(among)}"] if len(among) > 1 else []
        try:
            wrappers.append(_learn(members, settings, choose, notes + said))
        except InputError as error:  # the other templates may be better
            strays += [Stray(page.name or "", str(error)) for page in members]
    if not wrappers:
        raise InputError(strays[0].reason)
    return Learnt(tuple(wrappers), tuple(strays))


def _learn(given: Sequence[SamplePage], settings: Settings, choose: Chooser, notes: list[str]) -> Wrapper:
    sample = Sample.of(given, settings.lang, own_words=settings.refined)
    if len(given) == 1 and settings.signifiers == "tfidf":
        notes.append(ONE_PAGE)
        signifiers = of_one_page(sample, settings.k)
    else:
        signifiers = find_signifiers(sample, settings.signifiers, settings.k)
    _note_silence(signifiers, settings, notes)
    regions = find_regions(sample, signifiers, settings, choose, all=settings.refined)
    if not regions:
        raise InputError(f"none of the pages holds a signifier ({settings.signifiers}): there is nothing to go by")
    return _wrapper(sample, signifiers, regions, settings, notes)


def _wrapper(
    sample: Sample, signifiers: Sequence[Signifiers], regions: Sequence[Region], settings: Settings, notes: list[str]
) -> Wrapper:
    nodes = {index: node for region in regions for index, node in region.nodes.items()}
    wrapper = Wrapper(
        site=site_of(sample.pages),
        regions=tuple(place_of(sample, region) for region in regions),
        support=len(nodes) / len(sample),
        confidence=confidence(sum(agreement(region) for region in regions), len(sample)),
        notes=tuple(notes),
        pages=sources(sample, signifiers),
        candidates=tuple(row_of(candidate) for candidate in [regions[0].candidate, *regions[0].runners_up][:ROWS]),
        lang=sample.lang,
        settings=settings,
        parts=Parts() if settings.refined else BODY,
    )
    if not settings.refined:
        return wrapper
    from duramen.wrappers.fields import learn_fields  # metadata is not loaded by those who only apply wrappers

    surrounding = around(sample.pages, nodes, signifiers)
    found = headlines(surrounding)
    beside = leads(surrounding, {index: node for _, places in found for index, node in places.items()})
    return replace(
        wrapper,
        headlines=tuple(dict.fromkeys(expression for expression, _ in found)),
        leads=tuple(beside),
        fields=learn_fields([page.page for page in sample.pages]),
        boilerplate=counted(wrapper, sample),
        terms=tuple(sorted((term, pages) for term, pages in sample.document_frequencies.items() if pages > 1)),
    )


def counted(wrapper: Wrapper, sample: Sample) -> boilerplate.Boilerplate:
    """What stands in the regions of a sample's pages, as the wrapper finds them."""
    inside: list[boilerplate.Inside] = []
    for page in sample.pages:
        for region in wrapper.region_of(page.tree):
            held = range(region, page.tree.end[region])
            inside.append((page.tree, region, [block for block in page.blocks if block.first in held]))
    found = boilerplate.count(inside, [page.blocks for page in sample.pages])
    return replace(found, pages=sum(bool(wrapper.region_of(page.tree)) for page in sample.pages))


def prepared(pages: Iterable[Given], before: int = 0) -> list[SamplePage]:
    """The pages, parsed, each with a name; `before` is how many have been named already."""
    given = []
    for number, page in enumerate(pages, before + 1):
        if isinstance(page, str | bytes):
            page = Page.parse(page)
        if isinstance(page, Page):
            page = SamplePage(page)
        given.append(page if page.name else replace(page, name=page.page.url or f"page {number}"))
    if not given:
        raise InputError("there is no page to learn from")
    return given


def without_copies(given: list[SamplePage], notes: list[str]) -> list[SamplePage]:
    """The pages without those that repeat another: what repeats on a copy is not the template's."""
    seen: dict[tuple[str, ...], SamplePage] = {}
    for page in given:
        seen.setdefault(tuple(text.strip() for text in page.page.tree.text if text and not text.isspace()), page)
    if len(given) > 1 and len(seen) == 1:
        raise InputError(
            f"the {len(given)} pages are all the same: a wrapper is learnt from what differs between pages"
        )
    if len(seen) < len(given):
        notes.append(f"left out {len(given) - len(seen)} of {len(given)} pages: they repeat another")
    return list(seen.values())


def _of_one_site(given: Sequence[SamplePage]) -> None:
    """Raise `InputError` for pages of different sites, as far as addresses or tag paths tell."""
    hosts = _sites(given)
    if len(hosts) > 1:
        raise InputError(f"the pages are of different sites: {', '.join(hosts)}")
    if len(given) > 1 and not (hosts and all(page.page.url for page in given)):
        found = templates(path_sets([page.page.tree for page in given]), SAME_SITE)
        if len(found) == len(given):
            raise InputError(f"the {len(given)} pages have no tag paths in common: they are of different sites")


def _sites(given: Sequence[SamplePage]) -> list[str]:
    return sorted({site for page in given if (site := site_name(page.page.url))})


def _note_silence(signifiers: Sequence[Signifiers], settings: Settings, notes: list[str]) -> None:
    silent = sum(not found for found in signifiers)
    if silent:
        notes.append(f"{silent} of {len(signifiers)} pages have no signifiers ({settings.signifiers})")


def place_of(sample: Sample, region: Region) -> Place:
    """Where a region stands on the pages of a sample."""
    places = [(sample.pages[index].tree, node) for index, node in region.nodes.items()]
    return Place(shared(places), region.candidate.pattern.clue, region.candidate.dfs, len(places))


def row_of(candidate: Candidate) -> Row:
    """A candidate as it is kept."""
    pattern, values = candidate.pattern, sum(candidate.values)
    return Row(pattern.level, pattern.type, candidate.dfs, candidate.n, values, candidate.relevance)


def confidence(agreed: float, pages: int) -> float:
    """The share of pages that agree, by the add-half rule that the paper uses for densities: few pages prove little."""
    return (agreed + 0.5) / (pages + 1)


def agreement(region: Region) -> float:
    """For each page of a region how relevant it is there, against the most relevant element; added up."""
    rivals = [region.candidate, *region.runners_up]
    total = 0.0
    for index, value in enumerate(region.candidate.values):
        most = max(rival.values[index] * max(rival.level, 1) for rival in rivals)
        total += value * max(region.candidate.level, 1) / most if most else 0.0
    return total


def sources(sample: Sample, signifiers: Sequence[Signifiers]) -> tuple[Source, ...]:
    """The pages of a sample as they are kept."""
    return tuple(
        Source(page.given.name or "", tuple(found)) for page, found in zip(sample.pages, signifiers, strict=True)
    )


def site_of(pages: Sequence[Leaves]) -> str | None:
    """The site that most of the pages with an address are of."""
    named = Counter(site for page in pages if (site := site_name(page.page.url)))
    return min(named, key=lambda site: (-named[site], site), default=None)
