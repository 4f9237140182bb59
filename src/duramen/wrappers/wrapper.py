"""Wrappers: what was learned about a site, to be applied to its other pages.

A `Wrapper` has XPaths for the region of the article (the first that selects something is used), for its headline, its
leads and its metadata fields, and counts of the blocks inside the regions, by which boilerplate is found. It is a
method like any other, is saved as JSON (`wrapper_json.py`), and knows its confidence and the pages it was learned from.

A site has several templates, and a crawl several sites: a `WrapperSet` gives each page to the wrapper that it fits
best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from duramen import xpath
from duramen.content import Content, Spans
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import find_site_name
from duramen.errors import UsageError
from duramen.wrappers.boilerplate import Boilerplate, TextBlock, find_text_blocks
from duramen.wrappers.patterns import LearnSettings, add_dfs_positions
from duramen.wrappers.tag_paths import CAPTION, COMMENTS, BoxPaths, find_roles

if TYPE_CHECKING:
    from duramen.wrappers.metadata_fields import FieldSelectors

FUSED, EXACT = "fused", "exact"
"""Modes of extraction: what was learned as evidence for `auto`, or what the XPaths select."""

PageExtractor = Callable[[Page], Content]
"""Any method, or any other function from a Page to a Content."""


@dataclass(frozen=True)
class KeepOptions:
    """Which parts of a page are kept besides the body of its article."""

    headline: bool = True
    leads: bool = True
    """Text between the headline and the body about the same subject: a subtitle, a summary."""
    captions: bool = False
    comments: bool = False
    repeats: bool = False
    """Text that is the same on other pages, and lists of links: share bars, related stories."""


MIN_PROSE_WORDS = 100
"""A region with so many words fits although no path to them is known: with few pages most paths are not."""

KEEP_WHOLE_REGION = KeepOptions(headline=False, leads=False, captions=True, comments=True, repeats=True)
"""The region as it is, and nothing else: what the paper extracts."""


class RegionSelector(NamedTuple):
    """How a region is found, and on how many pages of the sample."""

    xpath: str
    """An XPath for any page: it selects the same in a browser and in lxml."""
    clue: str
    """The paper's element type: `//div[contains(@class,'story')]`."""
    dfs: tuple[int, ...]
    """The dfs positions seen in the sample."""
    pages: int

    @property
    def paper_xpath(self) -> str:
        """The paper's own expression: `//div[contains(@class,'story') and (@dfs='78' or @dfs='82')]`."""
        return add_dfs_positions(self.clue, self.dfs) if self.dfs else self.clue


class RankedPattern(NamedTuple):
    """A structural pattern of the sample with its relevance: a row of the paper's figure 3."""

    level: int
    clue: str
    dfs: tuple[int, ...]
    n: int
    value: float
    """How informative it is, summed over the pages."""
    relevance: float


class SourcePage(NamedTuple):
    """A page that the wrapper was learned from: its URL or name, and its signifiers."""

    name: str
    signifiers: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Wrapper:
    """The selectors and counts learned from pages of one template."""

    name: ClassVar[str] = "wrapper"
    summary: ClassVar[str] = "what was learned of a site from some of its pages"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012"

    site: str | None
    regions: tuple[RegionSelector, ...]
    headlines: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    fields: FieldSelectors = ()
    """Where the pages show metadata fields, if the sample is clear about it."""
    support: float = 1.0
    """The share of the sample's pages that have a region."""
    confidence: float = 1.0
    """How far the pages agree: how informative the region is on each, against the most informative element there.

    By the add-half rule: one page that agrees gives 0.75, ten give 0.95.
    """
    notes: tuple[str, ...] = ()
    """Remarks for the user on how it was learned."""
    pages: tuple[SourcePage, ...] = ()
    candidates: tuple[RankedPattern, ...] = ()
    """The most relevant patterns, the best first."""
    boilerplate: Boilerplate = field(default_factory=Boilerplate)
    terms: tuple[tuple[str, int], ...] = ()
    """Terms that occur on several pages of the sample, with the number of pages: `update` weighs new pages by them."""
    lang: str | None = None
    settings: LearnSettings = field(default_factory=LearnSettings)
    learner: str = "forest"
    """The method that chose the regions."""
    keep: KeepOptions = field(default_factory=KeepOptions)
    """What is kept besides the body; `dataclasses.replace(wrapper, keep=…)` changes it."""
    strips: tuple[str, ...] = ()
    """XPaths of elements in the region that are not kept: from imported rules."""
    learned: str = ""
    """The day on which it was learned, if that is known: 2026-11-18."""
    site_model: str = field(default="", repr=False)
    """What the sample's pages have in common, for the fusion with `auto`: a `SiteModel` as JSON."""

    def __repr__(self) -> str:
        values = (f"{name.lower()}={value!r}" for name, value in self._overview())
        return f"{type(self).__name__}({', '.join(values)})"

    def _repr_html_(self) -> str:
        """Return an overview for notebooks."""
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in self._overview()
        )
        return f"<table>{rows}</table>"

    def _overview(self) -> list[tuple[str, object]]:
        return [
            ("Site", self.site),
            ("Pages", len(self.pages)),
            ("XPath", self.xpath),
            ("Fields", ", ".join(name for name, _ in self.fields)),
            ("Confidence", round(self.confidence, 3)),
        ]

    @property
    def xpath(self) -> str:
        """All selectors of the region as one expression."""
        return " | ".join(dict.fromkeys(selector.xpath for selector in self.regions))

    @property
    def paper_xpath(self) -> str:
        """The paper's own expression, with the dfs positions seen. It has no meaning on other pages."""
        return " | ".join(selector.paper_xpath for selector in self.regions)

    def __call__(self, page: Page) -> Content:
        return self.extract(page, mode=EXACT)

    def extract(
        self,
        page: Page | str | bytes,
        *,
        mode: str | None = None,
        fallback: PageExtractor | None = None,
        within: PageExtractor | None = None,
    ) -> Content:
        """Extract the content of a page of the site.

        Args:
            page: a page, or its HTML
            mode: "fused" (the default) takes what was learned as evidence for the method `auto`: a page that does not
                fit is extracted by `auto` alone. "exact" keeps what the XPaths select, as other programs would; it is
                the default with `fallback`, `within` or other `keep` options, and what `wrapper(page)` does
            fallback: the method for a page that does not fit; without it, the Content of such a page is empty
            within: another method: its result is kept as far as the wrapper keeps the same nodes
        """
        if not isinstance(page, Page):
            page = Page.parse(page)
        if _choose_mode(mode, self.keep, has_method=fallback is not None or within is not None) == FUSED:
            from duramen.site_model.fusion import extract_fused

            return extract_fused(self, page)
        region = self.find_region(page.tree)
        spans = self._find_spans(page.tree, region) if region else ()
        if not spans:
            return self._make_unfit_content(page, fallback)
        tags = ", ".join(page.tree.tag[node] for node in region)
        count = f"{len(self.pages)} pages" if len(self.pages) != 1 else "one page"
        reason = f"the region learned from {count} ({tags})"
        field_nodes = self.find_field_nodes(page.tree)
        content = Content(page, self.name, reason, spans, self.confidence, field_nodes=field_nodes)
        return content if within is None else _restrict_content(content, within)

    def find_field_nodes(self, tree: Tree) -> dict[str, int]:
        """Return the elements that show metadata fields, for XPaths that select exactly one."""
        selected = ((name, xpath.select(tree, expression)) for name, expression in self.fields)
        return {name: nodes[0] for name, nodes in selected if len(nodes) == 1}

    def find_spans(self, tree: Tree) -> Spans:
        """Return the nodes that the wrapper keeps; none if the page does not fit."""
        region = self.find_region(tree)
        return self._find_spans(tree, region) if region else ()

    def fits(self, page: Page) -> bool:
        """True if the page has text where the sample had it, and the template of the sample.

        After a redesign the XPaths may still select something: so the places of all texts are compared too, if the
        wrapper has a site model.
        """
        if not self.find_spans(page.tree):
            return False
        if not self.site_model:
            return True
        from duramen.site_model.fusion import has_same_template

        return has_same_template(self, page.tree)

    def fit_score(self, page: Page) -> float:
        """Return the share of the region's words with a box path of the sample; 0 if the page does not fit.

        A wrapper without counts (`refined=False`) gives 1 to every page that has the region.
        """
        tree = page.tree
        if not self.find_spans(tree):
            return 0.0
        words = familiar_words = 0
        for region in self.find_region(tree):
            paths = BoxPaths(tree, region)
            for block in find_text_blocks(tree, region):
                words += block.words
                if self._is_familiar(block, paths):
                    familiar_words += block.words
        return max(familiar_words, 1) / max(words, 1)

    def _is_familiar(self, block: TextBlock, paths: BoxPaths) -> bool:
        """True if the sample has text at the box path of the block."""
        known_paths = self.boilerplate.paths
        return not known_paths or block.node <= paths.region or paths[block.node] in known_paths

    def find_region(self, tree: Tree) -> list[int]:
        """Return the elements of the page that are the region; none if the page does not fit."""
        return self.select_region(tree)[1]

    def select_region(self, tree: Tree) -> tuple[int, list[int]]:
        """Return the index of the first selector that selects something, and the outermost elements it selects."""
        for index, selector in enumerate(self.regions):
            if nodes := xpath.select(tree, selector.xpath):
                outermost = nodes[:1]
                for node in nodes:
                    if node >= tree.end[outermost[-1]]:
                        outermost.append(node)
                return index, outermost
        return -1, []

    def find_headline(self, tree: Tree) -> int | None:
        """Return the headline of the page, if it stands outside the region."""
        selected = (xpath.select(tree, expression) for expression in self.headlines)
        return next((nodes[0] for nodes in selected if nodes), None)

    def _make_unfit_content(self, page: Page, fallback: PageExtractor | None) -> Content:
        reason = "the page does not fit the wrapper: it has no text where the pages it was learned from had theirs"
        if fallback is None:
            return Content(page, self.name, reason)
        content = fallback(page)
        return replace(content, reason=f"{reason}; {content.method}: {content.reason}")

    def _find_spans(self, tree: Tree, regions: Sequence[int]) -> Spans:
        """Return the spans to keep; none if the regions have no text where the sample had text."""
        is_kept = bytearray(len(tree))
        fits = False
        kept_blocks: list[TextBlock] = []
        for region in regions:
            end = tree.end[region]
            paths = BoxPaths(tree, region)
            blocks = find_text_blocks(tree, region, self.boilerplate.max_repeated_chars)
            kept_blocks += blocks
            fits = fits or any(self._is_familiar(block, paths) for block in blocks) or _has_prose(blocks)
            is_kept[region:end] = b"\1" * (end - region)
            for node in self._find_unwanted_elements(blocks, paths):
                is_kept[node : tree.end[node]] = bytes(tree.end[node] - node)
            for expression in self.strips:
                for node in xpath.select(tree, expression):
                    is_kept[node : tree.end[node]] = bytes(tree.end[node] - node)
            if not self.keep.repeats:
                for block in self.boilerplate.find_boilerplate(blocks, paths):
                    is_kept[block.first : block.last + 1] = bytes(block.last + 1 - block.first)
        if not fits:
            return ()
        for node in self._find_headline_and_leads(tree, regions[0]):
            kept_blocks += find_text_blocks(tree, node, 0)
            is_kept[node : tree.end[node]] = b"\1" * (tree.end[node] - node)
        return _make_spans(is_kept) if any(is_kept[block.first] or is_kept[block.last] for block in kept_blocks) else ()

    def _find_unwanted_elements(self, blocks: Sequence[TextBlock], paths: BoxPaths) -> list[int]:
        """Return the elements around the blocks that are comments or captions, if these are not kept."""
        unwanted = frozenset(
            role for role, keep in ((COMMENTS, self.keep.comments), (CAPTION, self.keep.captions)) if not keep
        )
        if not unwanted:
            return []
        elements = []
        visited: set[int] = set()
        parent, path_by_node = paths.tree.parent, paths.by_node
        for block in blocks:
            node = block.node
            paths[node]  # computes the paths of all elements around the block
            while node > paths.region and node not in visited:
                visited.add(node)
                if not unwanted.isdisjoint(find_roles(path_by_node[node])):
                    elements.append(node)
                node = parent[node]
        return elements

    def _find_headline_and_leads(self, tree: Tree, region: int) -> list[int]:
        nodes: list[int] = []
        if self.keep.headline and (headline := self.find_headline(tree)) is not None:
            nodes.append(headline)
        if self.keep.leads:
            for expression in self.leads:
                nodes += [node for node in xpath.select(tree, expression) if tree.end[node] <= region]
        return [node for node in nodes if not node <= region < tree.end[node]]

    def save(self, path: str | Path) -> None:
        """Write the wrapper as JSON."""
        from duramen.wrappers.wrapper_json import save_wrapper

        save_wrapper(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Wrapper:
        """Read a wrapper. Raises `InputError` if the file is missing, damaged, no wrapper, or of a later version."""
        from duramen.wrapper_file import read_wrapper_text
        from duramen.wrappers.wrapper_json import parse_wrapper

        return parse_wrapper(read_wrapper_text(path), str(path))


@dataclass(frozen=True)
class WrapperSet:
    """Several wrappers as one method.

    If the page's URL is known, wrappers of its own site are preferred; among these the wrapper with the highest
    `fit_score`; among equals the first.
    """

    name: ClassVar[str] = Wrapper.name
    summary: ClassVar[str] = "what was learned of several sites or templates"
    paper: ClassVar[str] = Wrapper.paper

    wrappers: tuple[Wrapper, ...]

    def __call__(self, page: Page) -> Content:
        return self.extract(page, mode=EXACT)

    def choose_wrapper(self, page: Page) -> Wrapper:
        """Return the wrapper that the page fits best; the first if it fits none."""
        if len(self.wrappers) == 1:
            return self.wrappers[0]
        from duramen.metadata import Metadata

        site = find_site_name(Metadata.read(page).url)
        scores = [(site is not None and wrapper.site == site, wrapper.fit_score(page)) for wrapper in self.wrappers]
        fitting = [index for index, (_, fit_score) in enumerate(scores) if fit_score > 0]
        return self.wrappers[max(fitting, key=lambda index: (scores[index], -index), default=0)]

    def extract(
        self,
        page: Page | str | bytes,
        *,
        mode: str | None = None,
        fallback: PageExtractor | None = None,
        within: PageExtractor | None = None,
    ) -> Content:
        """Extract the content of a page with the wrapper that it fits best, as `Wrapper.extract` does."""
        if not isinstance(page, Page):
            page = Page.parse(page)
        return self.choose_wrapper(page).extract(page, mode=mode, fallback=fallback, within=within)

    def save(self, path: str | Path) -> None:
        """Write all wrappers into one JSON file."""
        from duramen.wrappers.wrapper_json import save_wrapper

        save_wrapper(self, path)


def _choose_mode(mode: str | None, keep: KeepOptions, *, has_method: bool) -> str:
    """Return the mode of extraction: the one that is given, or the default."""
    if mode is None:
        return EXACT if has_method or keep != KeepOptions() else FUSED
    if mode not in (FUSED, EXACT):
        raise UsageError(f"mode is {FUSED} or {EXACT}, not {mode!r}")
    if has_method and mode != EXACT:
        raise UsageError("fallback and within are for the mode exact: a fused wrapper needs neither")
    return mode


def _restrict_content(content: Content, method: PageExtractor) -> Content:
    """Return the part of a wrapper's content that a method also finds; all of it if the method finds no text there."""
    other = method(content.page)
    spans = intersect_spans(content.spans, other.spans)
    tree = content.page.tree
    if not any(tree.tag[node] == TEXT and not tree.text[node].isspace() for span in spans for node in span):
        reason = f"{content.reason}; {other.method} finds nothing in it, so that all of it is kept"
        return replace(content, reason=reason)
    clips = {node: clip for node, clip in other.clips.items() if any(node in span for span in spans)}
    reason = f"{content.reason}, and in it {other.method}: {other.reason}"
    return Content(other.page, content.method, reason, spans, content.confidence, clips)


def intersect_spans(first: Spans, second: Spans) -> Spans:
    """Return the nodes that are in both."""
    common: list[range] = []
    i = j = 0
    while i < len(first) and j < len(second):
        start, stop = max(first[i].start, second[j].start), min(first[i].stop, second[j].stop)
        if start < stop:
            common.append(range(start, stop))
        if first[i].stop < second[j].stop:
            i += 1
        else:
            j += 1
    return tuple(common)


def _has_prose(blocks: Sequence[TextBlock]) -> bool:
    """Return whether blocks have so many words outside links that they are an article, whatever the markup in it."""
    return sum(block.words for block in blocks if not block.is_mostly_links) >= MIN_PROSE_WORDS


def _make_spans(is_kept: bytearray) -> Spans:
    spans = []
    start = is_kept.find(1)
    while start >= 0:
        stop = is_kept.find(0, start)
        stop = len(is_kept) if stop < 0 else stop
        spans.append(range(start, stop))
        start = is_kept.find(1, stop)
    return tuple(spans)
