"""Learn the wrapper of a site from a few of its pages.

The region is chosen as in Oita and Senellart, FOREST, 2012. The paper's wrapper names the dfs positions that it has
seen and cannot be applied to an unseen page, so further steps follow that are not in the paper: a portable XPath
(`selectors.py`), regions for pages of another structure (`patterns.py`), headline and leads (`headline.py`),
boilerplate in the region (`boilerplate.py`), metadata fields (`metadata_fields.py`), and no signifiers from links and
comments when the region is chosen (`sample.py`). `refined=False` leaves out all of them except the portable XPath.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.urls import find_site_name
from duramen.dom.work_limit import limit_nodes
from duramen.errors import InputError, UsageError
from duramen.wrappers.boilerplate import Boilerplate, RegionBlocks, count_blocks
from duramen.wrappers.headline import find_headlines, find_leads, find_surroundings
from duramen.wrappers.patterns import (
    ContentRegion,
    LearnSettings,
    PatternCandidate,
    PatternChooser,
    choose_by_relevance,
    find_regions,
)
from duramen.wrappers.sample import (
    DEFAULT_COUNT,
    PageTerms,
    Sample,
    SamplePage,
    Signifiers,
    find_signifiers,
    find_signifiers_of_one_page,
)
from duramen.wrappers.selectors import find_shared_xpath
from duramen.wrappers.tag_paths import (
    SAME_SITE_SIMILARITY,
    find_path_sets,
    find_templates,
    jaccard_similarity,
)
from duramen.wrappers.wrapper import (
    KEEP_WHOLE_REGION,
    KeepOptions,
    PageExtractor,
    RankedPattern,
    RegionSelector,
    SourcePage,
    Wrapper,
    WrapperSet,
)

PageInput = Page | SamplePage | str | bytes
"""A page to learn from; str and bytes are HTML."""

ONE_PAGE_NOTE: Final = "one page gives tf-idf nothing to compare: the signifiers are those of its metadata"

MAX_CANDIDATES: Final = 30
"""Candidates that a wrapper keeps: enough to read, and to continue counting in an update."""


def learn(
    pages: Iterable[PageInput],
    *,
    signifiers: str = "tfidf",
    k: int = DEFAULT_COUNT,
    measure: str = "u",
    tolerant: bool = True,
    frequency: bool = True,
    level: bool = True,
    refined: bool = True,
    lang: str | None = None,
    settings: LearnSettings | None = None,
    choose: PatternChooser = choose_by_relevance,
) -> Wrapper:
    """Learn the wrapper of a site from pages of one template.

    The options are those of `LearnSettings`: pass them one by one or together as `settings`. `choose` ranks the
    candidates for the region. With a single page tf-idf has nothing to compare: the signifiers then come from the
    page's metadata, and the wrapper's notes say so. Raises `InputError` if nothing can be learned from the pages.
    """
    options = LearnSettings(signifiers, k, measure, tolerant, frequency, level, refined, lang)
    settings = _choose_settings(settings, options)
    sample_pages, notes = drop_copies(prepare_pages(pages))
    _check_one_site(sample_pages)
    return _learn_template(sample_pages, settings, choose, notes)


@dataclass(frozen=True)
class StrayPage:
    """A page from which no wrapper was learned, and the reason."""

    name: str
    reason: str


@dataclass(frozen=True)
class LearnResult:
    """A wrapper for each template, the one with the most pages first, and the pages that fit no template."""

    wrappers: tuple[Wrapper, ...]
    strays: tuple[StrayPage, ...] = ()

    def extract(
        self,
        page: Page | str | bytes,
        *,
        mode: str | None = None,
        fallback: PageExtractor | None = None,
        within: PageExtractor | None = None,
    ) -> Content:
        """Extract the content of a page with the wrapper that it fits best, as `Wrapper.extract` does."""
        return WrapperSet(self.wrappers).extract(page, mode=mode, fallback=fallback, within=within)


def learn_all(
    pages: Iterable[PageInput],
    *,
    signifiers: str = "tfidf",
    k: int = DEFAULT_COUNT,
    measure: str = "u",
    tolerant: bool = True,
    frequency: bool = True,
    level: bool = True,
    refined: bool = True,
    lang: str | None = None,
    settings: LearnSettings | None = None,
    choose: PatternChooser = choose_by_relevance,
) -> LearnResult:
    """Learn a wrapper for each template among the pages; the arguments are those of `learn`.

    The pages are grouped into templates by their tag paths.
    """
    options = LearnSettings(signifiers, k, measure, tolerant, frequency, level, refined, lang)
    settings = _choose_settings(settings, options)
    sample_pages, notes = drop_copies(prepare_pages(pages))
    if len(sample_pages) == 1:
        return LearnResult((_learn_template(sample_pages, settings, choose, notes),))
    path_sets = find_path_sets([page.page.tree for page in sample_pages])
    templates = find_templates(path_sets)
    cores = [template.find_core() for template in templates if len(template.pages) > 1]
    sites = _find_sites(sample_pages)
    if not cores:
        hint = f"; they are of different sites: {', '.join(sites)}" if len(sites) > 1 else ""
        raise InputError(
            f"no two of the {len(sample_pages)} pages share a template, so that nothing can be learned from them{hint}"
        )
    wrappers, strays = [], []
    for template in templates:
        members = [sample_pages[page] for page in template.pages]
        if len(members) == 1:
            similarity = max(jaccard_similarity(path_sets[template.pages[0]], core) for core in cores)
            reason = f"it shares {similarity:.0%} of its tag paths with the nearest template, and no page is like it"
            strays.append(StrayPage(members[0].name or "", reason))
            continue
        member_sites = _find_sites(members)
        site_notes = (
            [f"the pages are of {len(member_sites)} sites: {', '.join(member_sites)}"] if len(member_sites) > 1 else []
        )
        try:
            wrappers.append(_learn_template(members, settings, choose, notes + site_notes))
        except InputError as error:  # the other templates may be better
            strays += [StrayPage(page.name or "", str(error)) for page in members]
    if not wrappers:
        raise InputError(strays[0].reason)
    return LearnResult(tuple(wrappers), tuple(strays))


def _choose_settings(settings: LearnSettings | None, options: LearnSettings) -> LearnSettings:
    if settings is None:
        return options
    if options != LearnSettings():
        raise UsageError("pass the options one by one or as settings, not both")
    return settings


def _learn_template(
    pages: Sequence[SamplePage], settings: LearnSettings, choose: PatternChooser, notes: list[str]
) -> Wrapper:
    sample = Sample.read(pages, settings.lang, foreign=settings.foreign_text)
    notes = list(notes)
    if len(pages) == 1 and settings.signifiers == "tfidf":
        notes.append(ONE_PAGE_NOTE)
        signifiers = find_signifiers_of_one_page(sample, settings.k)
    else:
        signifiers = find_signifiers(sample, settings.signifiers, settings.k)
    empty = sum(not page_signifiers for page_signifiers in signifiers)
    if empty:
        notes.append(f"{empty} of {len(signifiers)} pages have no signifiers ({settings.signifiers})")
    regions = find_regions(sample, signifiers, settings, choose)
    if not regions:
        raise InputError(f"none of the pages holds a signifier ({settings.signifiers}): there is nothing to go by")
    return _make_wrapper(sample, signifiers, regions, settings, notes)


def _make_wrapper(
    sample: Sample,
    signifiers: Sequence[Signifiers],
    regions: Sequence[ContentRegion],
    settings: LearnSettings,
    notes: list[str],
) -> Wrapper:
    nodes = {index: node for region in regions for index, node in region.nodes.items()}
    candidates = [regions[0].candidate, *regions[0].runners_up][:MAX_CANDIDATES]
    selectors = tuple(make_region_selector(sample, region, notes) for region in regions)
    wrapper = Wrapper(
        site=_find_most_frequent_site(sample.pages),
        regions=selectors,
        support=len(nodes) / len(sample),
        confidence=add_half_share(sum(sum_agreement(region) for region in regions), len(sample)),
        notes=tuple(notes),
        pages=make_source_pages(sample, signifiers),
        candidates=tuple(make_ranked_pattern(candidate) for candidate in candidates),
        lang=sample.lang,
        settings=settings,
        keep=KeepOptions() if settings.refined else KEEP_WHOLE_REGION,
    )
    if not settings.refined:
        return wrapper
    from duramen.wrappers.metadata_fields import learn_fields  # applying a wrapper does not load the metadata package

    surroundings = find_surroundings(sample.pages, nodes, signifiers)
    headlines = find_headlines(surroundings)
    leads = find_leads(surroundings, {index: node for _, elements in headlines for index, node in elements.items()})
    return replace(
        wrapper,
        headlines=tuple(dict.fromkeys(expression for expression, _ in headlines)),
        leads=tuple(leads),
        fields=learn_fields([page.page for page in sample.pages]),
        boilerplate=count_boilerplate(wrapper, sample),
        terms=tuple(sorted((term, pages) for term, pages in sample.document_frequencies.items() if pages > 1)),
    )


def count_boilerplate(wrapper: Wrapper, sample: Sample) -> Boilerplate:
    """Count the blocks in the regions of a sample's pages, as the wrapper finds them."""
    regions: list[RegionBlocks] = []
    for page in sample.pages:
        for region in wrapper.find_region(page.tree):
            inside = range(region, page.tree.end[region])
            regions.append((page.tree, region, [block for block in page.text_blocks if block.first in inside]))
    return count_blocks(regions, [page.text_blocks for page in sample.pages])


def prepare_pages(pages: Iterable[PageInput], named_before: int = 0) -> list[SamplePage]:
    """Parse the pages and name those without a name; `named_before` is the number of pages named already."""
    sample_pages = []
    for number, page in enumerate(pages, named_before + 1):
        if isinstance(page, str | bytes):
            page = Page.parse(page)
        if isinstance(page, Page):
            page = SamplePage(page)
        page = replace(page, page=limit_nodes(page.page))
        sample_pages.append(page if page.name else replace(page, name=page.page.url or f"page {number}"))
    if not sample_pages:
        raise InputError("there is no page to learn from")
    return sample_pages


def drop_copies(pages: list[SamplePage]) -> tuple[list[SamplePage], list[str]]:
    """Drop pages with the same text as another, and return notes on that: copies do not show what repeats."""
    by_text: dict[tuple[str, ...], SamplePage] = {}
    for page in pages:
        by_text.setdefault(tuple(text.strip() for text in page.page.tree.text if text and not text.isspace()), page)
    if len(pages) > 1 and len(by_text) == 1:
        raise InputError(
            f"the {len(pages)} pages are all the same: a wrapper is learned from what differs between pages"
        )
    notes = [f"{page.name}: {page.page.note}" for page in pages if page.page.note]
    if len(by_text) < len(pages):
        notes.append(f"left out {len(pages) - len(by_text)} of {len(pages)} pages: they repeat another")
    return list(by_text.values()), notes


def _check_one_site(pages: Sequence[SamplePage]) -> None:
    """Raise `InputError` if URLs or tag paths show that the pages are of different sites."""
    sites = _find_sites(pages)
    if len(sites) > 1:
        raise InputError(f"the pages are of different sites: {', '.join(sites)}")
    if len(pages) > 1 and not (sites and all(page.page.url for page in pages)):
        templates = find_templates(find_path_sets([page.page.tree for page in pages]), SAME_SITE_SIMILARITY)
        if len(templates) == len(pages):
            raise InputError(f"the {len(pages)} pages have no tag paths in common: they are of different sites")


def _find_sites(pages: Sequence[SamplePage]) -> list[str]:
    return sorted({site for page in pages if (site := find_site_name(page.page.url))})


def _find_most_frequent_site(pages: Sequence[PageTerms]) -> str | None:
    sites = Counter(site for page in pages if (site := find_site_name(page.page.url)))
    return min(sites, key=lambda site: (-sites[site], site), default=None)


def make_region_selector(sample: Sample, region: ContentRegion, notes: list[str]) -> RegionSelector:
    """Return the selector of a region of the sample's pages; notes on it are added to `notes`."""
    elements = [(sample.pages[index].tree, node) for index, node in region.nodes.items()]
    return RegionSelector(
        find_shared_xpath(elements, notes), region.candidate.pattern.clue, region.candidate.dfs, len(elements)
    )


def make_ranked_pattern(candidate: PatternCandidate) -> RankedPattern:
    """Return what a wrapper keeps of a candidate."""
    pattern = candidate.pattern
    return RankedPattern(
        pattern.level, pattern.type, candidate.dfs, candidate.n, sum(candidate.values), candidate.relevance
    )


def make_source_pages(sample: Sample, signifiers: Sequence[Signifiers]) -> tuple[SourcePage, ...]:
    """Return what a wrapper keeps of the pages of a sample."""
    return tuple(
        SourcePage(page.sample_page.name or "", tuple(page_signifiers))
        for page, page_signifiers in zip(sample.pages, signifiers, strict=True)
    )


def add_half_share(count: float, pages: int) -> float:
    """Return the share of pages by the add-half rule that the paper uses for densities: few pages prove little."""
    return (count + 0.5) / (pages + 1)


def sum_agreement(region: ContentRegion) -> float:
    """Sum over the pages: the relevance of the region, divided by that of the most relevant element of the page."""
    candidates = [region.candidate, *region.runners_up]
    total = 0.0
    for index, value in enumerate(region.candidate.values):
        largest = max(candidate.values[index] * max(candidate.level, 1) for candidate in candidates)
        total += value * max(region.candidate.level, 1) / largest if largest else 0.0
    return total
