"""The baselines of FOREST: COVERAGE, SIGFEED and DESCRIPTION.

All three are from Oita and Senellart, "FOREST: focused object retrieval by exploiting significant tag paths", 2012,
sections 3.5 and 4. As in the paper, and unlike `forest`, no further step follows the choice of the region
(`refined=yes` changes that).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from typing import ClassVar

from duramen.content import Content
from duramen.dom.page import Page
from duramen.language import words
from duramen.methods.forest.forest import Forest
from duramen.methods.registry import register
from duramen.wrappers import LearnSettings, PatternCandidate, Sample, SamplePage
from duramen.wrappers.boilerplate import TextBlock, find_text_blocks
from duramen.wrappers.patterns import (
    PatternChooser,
    StructuralPattern,
    choose_by_relevance,
    find_occurrences,
    make_pattern,
)
from duramen.wrappers.sample import HasDescription, PageTerms, Signifiers


@register
@dataclass(frozen=True)
class Coverage(Forest):
    """COVERAGE: the deepest region that holds most signifiers.

    FOREST, 2012, section 3.5: as FOREST, with the sum of the weights of the different signifiers that an element holds
    (equation 6) instead of J × U.

    With several pages a single paragraph cannot win: it has no pattern in common with other pages. On one page each
    element is its own pattern, and the level, which favors deep elements, would choose the paragraph with the most
    signifiers. So on one page the level only decides between elements with the same signifiers: the smallest lowest
    common ancestor, which is what the measure is meant to find.
    """

    name: ClassVar[str] = "coverage"
    summary: ClassVar[str] = "the deepest region that holds most of the page's signifiers; baseline of forest"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012, section 3.5"

    measure: str = "coverage"
    refined: bool = False

    def _settings_for_one_page(self) -> LearnSettings:
        return replace(self.settings, level=False)


@register
@dataclass(frozen=True)
class Sigfeed(Forest):
    """SIGFEED: the lowest div around most signifiers.

    Oita and Senellart, "Archiving data objects using Web feeds", IWAW 2010; a baseline in FOREST, 2012, section 4. Each
    text node that holds a signifier votes for the lowest `<div>` around it, and the div with the most votes is the
    article: "significant nodes are simply clustered based on their first (lowest in the hierarchy) div ancestor". It
    looks at one page at a time, and needs one signifier only.

    The signifiers are those of the page's feed item: title and description. Without a feed item they come from the
    page's metadata. A wrapper learned with it selects the div that most pages vote for. If there is no div around the
    text, the body is taken. If two divs have the same number of votes, the one with the higher density of signifiers,
    the smaller, is taken.
    """

    name: ClassVar[str] = "sigfeed"
    summary: ClassVar[str] = "the lowest div around most signifiers of the feed item; baseline of forest"
    paper: ClassVar[str] = "Oita and Senellart, IWAW 2010"
    by_page: ClassVar[bool] = True

    signifiers: str = "feed"
    refined: bool = False

    def _settings_for_pages(self, pages: Sequence[SamplePage]) -> LearnSettings:
        if self.signifiers == "feed" and not any(page.feed_item for page in pages):
            return replace(self.settings, signifiers="metadata")
        return self.settings

    def _settings_for_one_page(self) -> LearnSettings:
        return replace(self.settings, signifiers="tfidf")  # which on one page means its metadata

    def _pattern_chooser(self) -> PatternChooser:
        return choose_by_votes


def choose_by_votes(
    sample: Sample, signifiers: Sequence[Signifiers], settings: LearnSettings
) -> list[PatternCandidate]:
    """Rank the patterns of the elected divs; those of the most pages first."""
    elected: dict[StructuralPattern, list[tuple[float, int, int]]] = {}
    for index, (page, terms) in enumerate(zip(sample.pages, signifiers, strict=True)):
        div = find_elected_div(page, terms)
        if div is not None:
            node, votes = div
            occurrences = find_occurrences(page, terms, settings.tolerant)
            pattern = next(one.pattern for one in occurrences if one.node == node)
            elected.setdefault(pattern, [(0.0, -1, -1)] * len(sample))[index] = votes, node, page.dfs[node]
    candidates = []
    for pattern, divs in elected.items():
        values, nodes, dfs = zip(*divs, strict=True)
        n = sum(node >= 0 for node in nodes)
        candidates.append(PatternCandidate(pattern, tuple(sorted({*dfs} - {-1})), n, float(n), values, nodes))
    return sorted(candidates, key=lambda one: (-one.relevance, -sum(one.values), -one.level, one.dfs))


def find_elected_div(page: PageTerms, signifiers: Signifiers) -> tuple[int, float] | None:
    """Return the div of a page with the most votes, and their number; None if no text node votes."""
    tree = page.tree
    nearest: list[int] = []
    """The div that each element is or is in; `body` if there is none."""
    for node, tag in enumerate(tree.tag):
        nearest.append(node if tag == "div" or node <= tree.body else nearest[tree.parent[node]])
    votes: Counter[int] = Counter()
    for node, terms in page.own_terms():
        if any(term in signifiers for term in terms):
            votes[nearest[tree.parent[node]]] += 1
    if not votes:
        return None
    before = page.terms_before
    node = min(votes, key=lambda node: (-votes[node], before[tree.end[node]] - before[node], node))
    return node, float(votes[node])


@register
@dataclass(frozen=True)
class Description(Forest):
    """DESCRIPTION: the feed's description of the page is the content.

    FOREST, 2012, section 4: title and description of the feed item, which is the full text in some feeds.
    `extract_item` does exactly that. For a page without an item, title and description come from its metadata, and
    its content is the blocks with the same words: at least half of their word pairs are in title and description. A
    wrapper learned with it selects the lowest element around these blocks.

    If a page has no description, the region of its most frequent terms is taken, as `forest` does, and the reason says
    so.
    """

    name: ClassVar[str] = "description"
    summary: ClassVar[str] = "what the feed item or the metadata say, found on the page; baseline of forest"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012, section 4"
    by_page: ClassVar[bool] = True

    refined: bool = False

    def __call__(self, page: Page) -> Content:
        page_blocks = find_text_blocks(page.tree)
        blocks = _find_described_blocks(_read_metadata(page), page_blocks)
        if not blocks:
            content = Forest()(page)
            reason = f"no description of the page is found on it; {content.reason}"
            return replace(content, method=self.name, reason=reason)
        reason = f"{len(blocks)} blocks say what title and description say"
        spans = tuple(range(block.first, block.last + 1) for block in blocks)
        return Content(page, self.name, reason, spans, 1.0)

    def extract_item(self, item: HasDescription) -> Content:
        """Return title and description of a feed item as content, whatever the page holds: the paper's baseline."""
        parts = [escape(text) for text in (item.title, item.description) if text]
        page = Page.parse(f"<body>{''.join(f'<p>{part}</p>' for part in parts)}</body>")
        if not parts:
            return Content(page, self.name, "the feed item is empty")
        tree = page.tree
        return Content(page, self.name, "title and description of the feed item", (range(tree.body, len(tree)),), 1.0)

    def _pattern_chooser(self) -> PatternChooser:
        return choose_by_description


def choose_by_description(
    sample: Sample, signifiers: Sequence[Signifiers], settings: LearnSettings
) -> list[PatternCandidate]:
    """Rank the patterns of the lowest elements around the described blocks; those of the most pages first."""
    patterns: dict[StructuralPattern, dict[int, int]] = {}
    for index, page in enumerate(sample.pages):
        node = _find_described_element(page)
        if node is not None:
            tree = page.tree
            attributes = tree.attributes[node]
            pattern = make_pattern(tree.depth[node], tree.tag[node], attributes, page.dfs[node], settings.tolerant)
            patterns.setdefault(pattern, {})[index] = node
    candidates = []
    for pattern, elements in patterns.items():
        nodes = tuple(elements.get(index, -1) for index in range(len(sample)))
        dfs = {sample.pages[index].dfs[node] for index, node in elements.items()}
        values = tuple(float(node >= 0) for node in nodes)
        n = len(elements)
        candidates.append(PatternCandidate(pattern, tuple(sorted(dfs)), n, float(n), values, nodes))
    ranked = sorted(candidates, key=lambda one: (-one.relevance, -one.level, one.dfs))
    return ranked or choose_by_relevance(sample, signifiers, settings)


def _find_described_element(page: PageTerms) -> int | None:
    """Return the lowest element around the blocks that title and description repeat."""
    item = page.sample_page.feed_item or _read_metadata(page.page)
    blocks = _find_described_blocks(item, page.text_blocks)
    if not blocks:
        return None
    node = page.tree.common_ancestor(blocks[0].first, blocks[-1].last)
    return blocks[0].node if node == blocks[0].first else node


def _read_metadata(page: Page) -> HasDescription:
    from duramen.metadata import Metadata

    return Metadata.read(page)


def _find_described_blocks(item: HasDescription, blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """Return the blocks with at least half of their word pairs in the item; none if it has no description."""
    if not item.description:
        return []
    item_pairs = {*pairwise(words(item.title or "")), *pairwise(words(item.description))}
    described = []
    for block in blocks:
        pairs = set(pairwise(block.text.split()))
        if pairs and 2 * len(pairs & item_pairs) >= len(pairs):
            described.append(block)
    return described
