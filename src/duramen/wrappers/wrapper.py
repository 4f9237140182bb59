"""A wrapper: what was learnt of a site, ready to be applied to the next page of it.

It says where the article stands (an XPath for its region, or several, the first that selects something counts), where
its headline and leads stand, and what was counted inside the regions, by which boilerplate in them is told. It is a
method like any other, readable as JSON (`wrapper_file.py`), and knows how sure it is and what it was learnt from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from duramen import xpath
from duramen.content import Content, Spans
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.wrappers.blocks import Block, blocks, texts_in
from duramen.wrappers.boilerplate import Boilerplate
from duramen.wrappers.parts import Parts, is_caption, is_comments
from duramen.wrappers.patterns import with_positions
from duramen.wrappers.relevance import Settings
from duramen.wrappers.steps import BoxPaths

if TYPE_CHECKING:
    from duramen.wrappers.fields import Fields

Extractor = Callable[[Page], Content]
"""Any method, or anything else that makes a Content of a page."""


class Place(NamedTuple):
    """Where a region stands, and on how many pages of the sample."""

    xpath: str
    """For any page: it selects the same in a browser and in lxml."""
    clue: str
    """The paper's element type: `//div[contains(@class,'story')]`."""
    dfs: tuple[int, ...]
    """The dfs positions seen in the sample."""
    pages: int

    @property
    def paper(self) -> str:
        """The paper's own expression: `//div[contains(@class,'story') and (@dfs='78' or @dfs='82')]`."""
        return with_positions(self.clue, self.dfs)


class Row(NamedTuple):
    """A structural pattern of the sample: a row of the paper's figure 3, with its relevance."""

    level: int
    clue: str
    dfs: tuple[int, ...]
    n: int
    value: float
    """How informative it is, added up over the pages."""
    relevance: float


class Source(NamedTuple):
    """A page that the wrapper was learnt from: its address or name, and its signifiers."""

    name: str
    signifiers: tuple[str, ...]


@dataclass(frozen=True)
class Wrapper:
    name: ClassVar[str] = "wrapper"
    summary: ClassVar[str] = "what was learnt of a site from some of its pages"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012"

    site: str | None
    regions: tuple[Place, ...]
    headlines: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    fields: Fields = ()
    """Where the pages show fields of their metadata, as far as the sample made that sure."""
    support: float = 1.0
    """The share of the sample's pages that have a region."""
    confidence: float = 1.0
    """How far the pages agree: how informative the region is on each, against the most informative element there.

    By the add-half rule: one page that agrees gives 0.75, ten give 0.95.
    """
    notes: tuple[str, ...] = ()
    """What a user should know of how it was learnt."""
    pages: tuple[Source, ...] = field(default=(), repr=False)
    candidates: tuple[Row, ...] = field(default=(), repr=False)
    """The most relevant patterns, the best first."""
    boilerplate: Boilerplate = field(default_factory=Boilerplate, repr=False)
    terms: tuple[tuple[str, int], ...] = field(default=(), repr=False)
    """Terms that occur on several pages of the sample, with how many: what `update` weighs new pages by."""
    lang: str | None = None
    settings: Settings = field(default_factory=Settings)
    learner: str = "forest"
    """The method that chose the regions."""
    parts: Parts = field(default_factory=Parts)
    """What is kept beside the body; `dataclasses.replace(wrapper, parts=…)` changes it."""

    @property
    def xpath(self) -> str:
        """The region as one expression: all its places."""
        return " | ".join(dict.fromkeys(place.xpath for place in self.regions))

    @property
    def paper_xpath(self) -> str:
        """The paper's own expression, with the dfs positions seen. It means nothing on other pages."""
        return " | ".join(place.paper for place in self.regions)

    def __call__(self, page: Page) -> Content:
        return self.extract(page)

    def extract(
        self, page: Page | str | bytes, *, fallback: Extractor | None = None, within: Extractor | None = None
    ) -> Content:
        """The content of a page of the site.

        Where the page does not fit, the Content is empty and says so, or is what `fallback` makes of the page.
        `within` is another method: what it finds is kept as far as it stands in what the wrapper would keep.
        """
        if not isinstance(page, Page):
            page = Page.parse(page)
        found = self.region_of(page.tree)
        if not found:
            return self._unfit(page, fallback)
        spans = self._spans(page.tree, found)
        if not spans:
            return self._unfit(page, fallback)
        where = ", ".join(page.tree.tag[node] for node in found)
        reason = f"the region learnt from {_pages(len(self.pages))} ({where})"
        content = Content(page, self.name, reason, spans, self.confidence, field_nodes=self.field_nodes(page.tree))
        return content if within is None else _restricted(content, within)

    def field_nodes(self, tree: Tree) -> dict[str, int]:
        """The elements that show fields of the page's metadata, where the expressions select just one."""
        found = ((name, xpath.select(tree, expression)) for name, expression in self.fields)
        return {name: nodes[0] for name, nodes in found if len(nodes) == 1}

    def fits(self, page: Page) -> bool:
        """Whether the page has text where the pages of the sample had theirs."""
        found = self.region_of(page.tree)
        return bool(found and self._spans(page.tree, found))

    def fit(self, page: Page) -> float:
        """How much of what stands in the region stands where it did in the sample, from 0 (the page does not fit) to 1.

        A wrapper that counted nothing (`refined=False`) knows no better than that the page has the region.
        """
        if not self.fits(page):
            return 0.0
        tree, known = page.tree, self.boilerplate.paths
        total = familiar = 0
        for region in self.region_of(tree):
            paths = BoxPaths(tree, region)
            for block in blocks(tree, texts_in(tree, region)):
                total += block.words
                if not known or block.node <= region or paths[block.node] in known:
                    familiar += block.words
        return max(familiar, 1) / max(total, 1)

    def region_of(self, tree: Tree) -> list[int]:
        """The elements of the page that are the region; none when the page does not fit."""
        return self.found_by(tree)[1]

    def found_by(self, tree: Tree) -> tuple[int, list[int]]:
        """Which of the places is the first that selects something, and what; of nested elements the outermost."""
        for at, place in enumerate(self.regions):
            if nodes := xpath.select(tree, place.xpath):
                outermost = nodes[:1]
                for node in nodes:
                    if node >= tree.end[outermost[-1]]:
                        outermost.append(node)
                return at, outermost
        return -1, []

    def headline_of(self, tree: Tree) -> int | None:
        """The element of the page that is its headline, where that stands outside the region."""
        found = (xpath.select(tree, expression) for expression in self.headlines)
        return next((nodes[0] for nodes in found if nodes), None)

    def _unfit(self, page: Page, fallback: Extractor | None) -> Content:
        reason = "the page does not fit the wrapper: it has no text where the pages it was learnt from had theirs"
        if fallback is None:
            return Content(page, self.name, reason)
        content = fallback(page)
        return replace(content, reason=f"{reason}; {content.method}: {content.reason}")

    def _spans(self, tree: Tree, regions: Sequence[int]) -> Spans:
        """What is kept, if there is anything to read in the regions where there was in the sample."""
        kept = bytearray(len(tree))
        known = self.boilerplate.paths
        fits = False
        texts: list[int] = []
        for region in regions:
            end = tree.end[region]
            paths = BoxPaths(tree, region)
            own = texts_in(tree, region)
            texts += own
            inside = blocks(tree, own, self.boilerplate.longest)
            fits = fits or any(not known or block.node <= region or paths[block.node] in known for block in inside)
            kept[region:end] = b"\1" * (end - region)
            for cut in self._cuts(inside, paths):
                kept[cut : tree.end[cut]] = bytes(tree.end[cut] - cut)
            if not self.parts.repeats:
                for block in self.boilerplate.cuts(inside, paths):
                    kept[block.first : block.last + 1] = bytes(block.last + 1 - block.first)
        if not fits:
            return ()
        for node in self._beside(tree, regions[0]):
            texts += texts_in(tree, node)
            kept[node : tree.end[node]] = b"\1" * (tree.end[node] - node)
        return _ranges(kept) if any(kept[node] for node in texts) else ()

    def _cuts(self, inside: Sequence[Block], paths: BoxPaths) -> list[int]:
        """The elements of a region that are parts not wanted."""
        comments, captions = not self.parts.comments, not self.parts.captions
        if not comments and not captions:
            return []
        cuts = []
        asked: set[int] = set()
        parent, known = paths.tree.parent, paths.known
        for block in inside:
            node = block.node
            paths[node]  # and with it the paths of all that it stands in
            while node > paths.region and node not in asked:
                asked.add(node)
                path = known[node]
                if (comments and is_comments(path)) or (captions and is_caption(path)):
                    cuts.append(node)
                node = parent[node]
        return cuts

    def _beside(self, tree: Tree, region: int) -> list[int]:
        """Headline and leads: what stands before the region."""
        found: list[int] = []
        if self.parts.headline and (headline := self.headline_of(tree)) is not None:
            found.append(headline)
        if self.parts.leads:
            for expression in self.leads:
                found += [node for node in xpath.select(tree, expression) if tree.end[node] <= region]
        return [node for node in found if not node <= region < tree.end[node]]

    def save(self, path: str | Path) -> None:
        """Write the wrapper as JSON."""
        from duramen.wrappers.wrapper_file import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Wrapper:
        """Read a wrapper. `InputError` when the file is missing, damaged, something else, or of a later version."""
        from duramen.wrappers.wrapper_file import load

        return load(Path(path))


def _restricted(content: Content, method: Extractor) -> Content:
    other = method(content.page)
    spans = intersection(content.spans, other.spans)
    texts = content.page.tree
    if not any(texts.tag[node] == TEXT and not texts.text[node].isspace() for span in spans for node in span):
        reason = f"{content.reason}; {other.method} finds nothing in it, so that all of it is kept"
        return replace(content, reason=reason)
    clips = {node: clip for node, clip in other.clips.items() if any(node in span for span in spans)}
    reason = f"{content.reason}, and in it {other.method}: {other.reason}"
    return Content(other.page, content.method, reason, spans, content.confidence, clips)


def intersection(first: Spans, second: Spans) -> Spans:
    """What stands in both."""
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


def _ranges(kept: bytearray) -> Spans:
    spans = []
    start = kept.find(1)
    while start >= 0:
        stop = kept.find(0, start)
        stop = len(kept) if stop < 0 else stop
        spans.append(range(start, stop))
        start = kept.find(1, stop)
    return tuple(spans)


def _pages(count: int) -> str:
    return f"{count} pages" if count != 1 else "one page"
