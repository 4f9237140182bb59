"""Regions: find the elements that hold lists of records, the main list first.

Every element is a candidate by its children of one tag: their weight times (1 − 1/N)², where N is the effective number
of children of similar weight. That takes one pass. The best candidates are examined closely: their children are split
into records (`record_segmentation`), which must be similar. Lists of short links, paragraphs of prose, and lists in
navigation get a lower score. Records outside the element are added (`completion`).

If the page was rendered, boxes count, too. Closed menus and hidden tabs have none; side columns are narrow. A list of
tiles covers far more of the page than its few characters suggest, and the paragraphs of an article cover less. The box
of an element with floating children may be empty, so the boxes of the records are used, and not the box of their
region.

What is known about the page besides its lists (`page_context`) counts, too. A list without any main content gets a
lower score. The first list is the main list if its share of the page, or of the main content, is large enough: larger
on an article than elsewhere.

The records of a `Region` are candidates; `Region.refine` gives the final ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final

from duramen.data_records.adverts import CAROUSEL_PATTERN
from duramen.data_records.completion import (
    find_continuation,
    find_enclosing_records,
    find_first_post,
    find_split_lists,
    find_variant_records,
)
from duramen.data_records.page_context import UNKNOWN_CONTEXT, ContentWeights, ListContext
from duramen.data_records.prose import prose_share
from duramen.data_records.record_segmentation import Record, Segmentation, make_segmentation, segment, total_weight
from duramen.data_records.refinement import drop_outliers, refine
from duramen.data_records.subtrees import RegionCandidate, SubtreeWeights, find_region_candidates
from duramen.dom.class_names import COMMENT, CONTAINER, NAVIGATION_PATTERN, classify, has_class_word
from duramen.dom.tree import Tree

MAX_CANDIDATES: Final = 10
"""Elements that are examined closely."""
MAX_RANKED_CANDIDATES: Final = 60
"""Elements from which these are chosen if the main content is known: menus may have more text than it has."""
MAX_SCORE_GAIN: Final = 4.0
"""Most that the score of a candidate is assumed to grow when it is examined."""
REGULARITY_POWER: Final = 1.5
"""Exponent of the regularity in the score of a list."""
NAVIGATION_FACTOR: Final = 0.3
"""Factor for the score of a list in navigation, a footer or a side column, and of a menu of menus."""
SHORT_LINKS_PENALTY, SHORT_LINK_CHARS = 0.7, 40.0
"""Most of its score that a list of links loses; less, the longer the links are, on a scale of so many characters."""
MENU_LINKS_PER_RECORD, MENU_LINK_DENSITY = 12, 0.75
"""Links per record, and share of its weight in links, from which on a record is a menu."""
LINK_DENSITY_PENALTY: Final = 0.2
"""Share of its score that a list loses if all of its text is in links."""
PROSE_PENALTY: Final = 0.9
"""Share of its score that a list loses if all of its records are parts of an article."""
FRAME_WEIGHT_SHARE, MIN_FRAME_RECORDS = 0.97, 10
"""A list with this share of the page and fewer records is the frame of the page: header, content, footer."""
COMMENTS_FACTOR: Final = 0.1
"""Factor for the quality of comments of readers, if the main content is something else."""
MIN_COMMENTS_SHARE: Final = 0.5
"""Share of the main content from which on comments are the main content: those of a thread."""
MIN_CONTENT_SHARE: Final = 0.5
"""Share of the main content from which on a list is in no navigation, whatever the classes around it are called."""
MENU_SHARE_OF_LINKS: Final = 0.6
"""Share of its weight in links from which on an element named as a menu is one, however large it is."""
MIN_POST_CHARS: Final = 60
"""Mean weight of records that may be the replies of a thread."""
MIN_MAIN_SHARE: Final = 0.1
"""Share of the page, or of its main content, for a confidence of one half, if the list is perfect otherwise."""
MIN_ARTICLE_LOG_ODDS: Final = -1.0
"""Log odds of an article that count at least: a page that is surely no article may have a list, or none."""
MIN_EFFECTIVE_RECORDS: Final = 2.5
"""Effective number of records for a confidence of one half."""
MIN_MAIN_CONFIDENCE: Final = 0.5
"""Confidence from which on the first list of a page is its main list."""
MAX_SAMPLED_RECORDS: Final = 20
"""Records that are tested for boxes."""
OFFSCREEN_FACTOR: Final = 0.1
"""Factor for the score of a list without boxes on a page that has boxes."""
NARROW_FACTOR: Final = 0.5
"""Factor for the score of a list of zero width."""
FULL_WIDTH_SHARE: Final = 0.35
"""Share of the page width from which on a list is not in a side column."""

_ASIDE_TAGS = frozenset(("nav", "footer", "aside"))
_ASIDE_ROLES = frozenset(("navigation", "contentinfo", "complementary", "menu", "banner"))


@dataclass(frozen=True, eq=False)
class Region:
    """An element that holds a list, and the candidate records of the list."""

    node: int
    score: float
    confidence: float
    """How likely this is the main list of the page, from 0 to 1."""
    weights: SubtreeWeights = field(repr=False)
    candidates: Segmentation = field(repr=False)
    """The candidate records, before `refine`."""
    refined: Segmentation | None = field(default=None, repr=False)
    """The final records, if they were needed for the confidence."""

    def refine(self) -> Segmentation:
        """The final records: rows of tiles and nested replies are split, outliers dropped."""
        return self.refined or refine(self.weights, self.candidates)

    @property
    def description(self) -> str:
        """The final records in a phrase: "9 records in a ul: each li". Refines the region."""
        return describe_records(self.weights.tree, self.node, self.refine())

    @property
    def short_description(self) -> str:
        """The list in a phrase, without the number of records, which needs no refinement."""
        return f"a list {_describe_element(self.weights.tree, self.node)}: {self.candidates.description}"


def describe_records(tree: Tree, node: int, segmentation: Segmentation) -> str:
    """The records of a region in a phrase: "9 records in a ul: each li"."""
    return f"{len(segmentation.records)} records {_describe_element(tree, node)}: {segmentation.description}"


def _describe_element(tree: Tree, node: int) -> str:
    tag = tree.tag[node]
    return f"in {'an' if tag[0] in 'aeio' else 'a'} {tag}"


def find_regions(
    tree: Tree, limit: int = MAX_CANDIDATES, context: ListContext = UNKNOWN_CONTEXT, *, without: int | None = None
) -> list[Region]:
    """The lists of a page, the most likely main list first; empty if nothing on the page is repeated.

    `without` is an element that is known to hold no list; elements in it may.
    """
    weights = SubtreeWeights.of(tree)
    content = ContentWeights(weights, context.content)
    scored: list[tuple[float, int, Segmentation]] = []
    best_score = 0.0
    candidates = [candidate for candidate in find_region_candidates(weights) if candidate.node != without]
    for candidate in _choose_candidates(content, candidates):
        node = candidate.node
        if limit == 1:
            if candidate.score * MAX_SCORE_GAIN < best_score:
                continue  # it has too little weight to come first
            if candidate.max_score < best_score:
                continue
            if candidate.max_score * NAVIGATION_FACTOR < best_score and _is_in_navigation(weights, node):
                continue
        segmentation = segment(weights, node)
        if segmentation is None:
            continue
        score = _score_list(weights, node, segmentation) * content.factor(segmentation.records, segmentation.weight)
        if score > 0:
            scored.append((score, node, segmentation))
            best_score = max(best_score, score)
    scored.sort(key=lambda one: (-one[0], one[1]))
    regions: list[Region] = []
    for score, node, segmentation in scored:
        if any(_overlap(tree, region.node, node) for region in regions):
            continue
        regions.append(_make_region(content, context, node, segmentation, score, candidates))
        if len(regions) == limit:
            break
    return [*regions[:1], *sorted(regions[1:], key=lambda region: -region.confidence)]


def _choose_candidates(content: ContentWeights, candidates: Sequence[RegionCandidate]) -> Sequence[RegionCandidate]:
    """The elements that are examined closely: those with the highest scores, and with the most main content."""
    if not content.total:
        return candidates[:MAX_CANDIDATES]
    weights = content.weights

    def score(candidate: RegionCandidate) -> float:
        return candidate.score * content.factor([(candidate.node,)], weights.weight(candidate.node))

    return nlargest(MAX_CANDIDATES, candidates[:MAX_RANKED_CANDIDATES], key=score)


def may_have_main_list(context: ListContext) -> bool:
    """False if the page is so surely an article that no list on it can be its main list."""
    max_odds = _type_factor(context) / MIN_MAIN_SHARE
    return max_odds / (1 + max_odds) >= MIN_MAIN_CONFIDENCE


def _type_factor(context: ListContext) -> float:
    """Factor for the share and the number of records of a list: lower on an article than elsewhere."""
    return math.exp(-max(context.article_log_odds, MIN_ARTICLE_LOG_ODDS))


def is_main(region: Region) -> bool:
    """True if the first of the lists of a page is its main list."""
    return region.confidence >= MIN_MAIN_CONFIDENCE


def is_surely_no_article(context: ListContext) -> bool:
    """True if another list than the first may be the main list, where the first is not."""
    return context.article_log_odds <= MIN_ARTICLE_LOG_ODDS


def _overlap(tree: Tree, one: int, other: int) -> bool:
    return one <= other < tree.end[one] or other <= one < tree.end[other]


def _make_region(
    content: ContentWeights,
    context: ListContext,
    node: int,
    segmentation: Segmentation,
    score: float,
    candidates: Sequence[RegionCandidate],
) -> Region:
    weights = content.weights
    quality = _list_quality(weights, segmentation)
    position_factor = _position_factor(weights, node)
    node, segmentation = _complete(weights, node, segmentation, candidates)
    share = _page_share(weights.tree, segmentation.records, segmentation.weight / weights.total)
    if content.total:
        content_share = content.weight_of(segmentation.records) / content.total
        share = max(share, content_share)
        linked = sum(any(map(weights.link_weight, record)) for record in segmentation.records)
        is_content = content_share >= MIN_CONTENT_SHARE and 2 * linked > len(segmentation.records)
        if is_content and not _is_in_navigation(weights, node, trusts_names=False):
            position_factor = 1.0  # what is only called a menu, and is the main content, is none
        if content_share < MIN_COMMENTS_SHARE and _is_in_comments(weights, node, segmentation.records):
            quality *= COMMENTS_FACTOR
    quality *= position_factor**2  # the best list of a page may be in a side column, and still not be its main list
    count = _damped_count(weights, segmentation.records)
    refined = None
    if count < 2 * MIN_EFFECTIVE_RECORDS:  # few rows may have many tiles, and one of few records may be a heading
        refined = refine(weights, segmentation)
        count = _damped_count(weights, refined.records)
    if not context.is_thread:  # few records that differ are the boxes of a layout; posts may differ
        count *= segmentation.regularity**0.5
    type_factor = _type_factor(context)
    odds = segmentation.regularity * min(
        min(1.0, type_factor * share) * quality / MIN_MAIN_SHARE,
        type_factor * (count / MIN_EFFECTIVE_RECORDS) ** 4,
    )
    return Region(node, score, odds / (1 + odds), weights, segmentation, refined)


def _complete(
    weights: SubtreeWeights, node: int, segmentation: Segmentation, candidates: Sequence[RegionCandidate]
) -> tuple[int, Segmentation]:
    """Add the records outside the element; then the region is the lowest element around all of them."""
    if variants := find_variant_records(weights, node, segmentation.records):
        records = tuple(sorted((*segmentation.records, *variants)))
        segmentation = make_segmentation(weights, records, f"{segmentation.description} and similar elements")
    split_lists = find_split_lists(weights, node, segmentation, candidates)
    completed = _add_records(weights, segmentation, split_lists, "in several boxes")
    continuation = find_continuation(weights, completed.records)
    completed = _add_records(weights, completed, continuation, "and more of them in other containers")
    if completed is segmentation and _may_be_thread(weights, segmentation):
        first_post = find_first_post(weights, segmentation.records)
        if first_post is not None:
            completed = _add_records(weights, segmentation, [first_post], "with the first post")
    if completed is segmentation:
        enclosing = find_enclosing_records(weights, node, segmentation.records)
        if enclosing:
            completed = make_segmentation(weights, enclosing, f"{segmentation.description}, and those around it")
    if completed is not segmentation:
        node = weights.tree.common_ancestor(completed.records[0][0], completed.records[-1][-1])
    return node, completed


def _add_records(
    weights: SubtreeWeights, segmentation: Segmentation, added: Sequence[Record], description: str
) -> Segmentation:
    """The list with more records, unless most of the added weight would be outliers in it."""
    if not added:
        return segmentation
    records = tuple(sorted({*segmentation.records, *added}))
    accepted = set(added).intersection(drop_outliers(weights, records))
    if 2 * total_weight(weights, accepted) > total_weight(weights, added):
        return make_segmentation(weights, records, f"{segmentation.description}, {description}")
    return segmentation


def _may_be_thread(weights: SubtreeWeights, segmentation: Segmentation) -> bool:
    """True if the records have some length and are not mostly links."""
    tops = [record[0] for record in segmentation.records]
    if segmentation.weight < MIN_POST_CHARS * len(tops):
        return False
    return 2 * sum(map(weights.link_weight, tops)) <= segmentation.weight


def _damped_count(weights: SubtreeWeights, records: Sequence[Record]) -> float:
    """The effective number of records by the fourth roots of their weights: one long post makes no list short."""
    roots = [sum(map(weights.weight, record)) ** 0.25 for record in records]
    return float(sum(roots) ** 2 / max(1.0, sum(root * root for root in roots)))


def _score_list(weights: SubtreeWeights, node: int, segmentation: Segmentation) -> float:
    """The score of a list as the main list of the page."""
    if segmentation.effective_count <= 1 or not segmentation.regularity:
        return 0.0
    on_screen = _screen_factor(weights.tree, segmentation.records)
    quality = _list_quality(weights, segmentation) * _position_factor(weights, node)
    return float(on_screen * segmentation.score * segmentation.regularity ** (REGULARITY_POWER - 2) * quality)


def _list_quality(weights: SubtreeWeights, segmentation: Segmentation) -> float:
    """How different a list is from menus and prose, at most 1."""
    ends = weights.tree.end
    records = segmentation.records
    spans = [(record[0], ends[record[-1]]) for record in records]
    link_weight = sum(weights.link_weight_sums[stop] - weights.link_weight_sums[start] for start, stop in spans)
    link_count = sum(weights.link_count_sums[stop] - weights.link_count_sums[start] for start, stop in spans)
    density = link_weight / segmentation.weight
    quality = 1 - SHORT_LINKS_PENALTY * density * math.exp(-segmentation.weight / len(records) / SHORT_LINK_CHARS)
    if density > MENU_LINK_DENSITY and link_count > MENU_LINKS_PER_RECORD * len(records):
        quality *= NAVIGATION_FACTOR
    if segmentation.weight > FRAME_WEIGHT_SHARE * weights.total:
        quality *= min(1.0, len(records) / MIN_FRAME_RECORDS)
    prose_factor = 1 - PROSE_PENALTY * prose_share(weights, records)
    return (1 - LINK_DENSITY_PENALTY * density) * quality * prose_factor


def _is_in_comments(weights: SubtreeWeights, node: int, records: Sequence[Record]) -> bool:
    """True if the records are, or are in, what the page calls comments."""
    tree = weights.tree
    tops = (records[0][0], records[len(records) // 2][0])
    above = (top for top in (node, *tree.ancestors(node)) if top > tree.body)
    return any(classify(tree.attributes[top]) in (COMMENT, CONTAINER) for top in (*tops, *above))


def _position_factor(weights: SubtreeWeights, node: int) -> float:
    return NAVIGATION_FACTOR if _is_in_navigation(weights, node) else 1.0


def _is_in_navigation(weights: SubtreeWeights, node: int, *, trusts_names: bool = True) -> bool:
    """True if an element is, or is in, navigation, a footer, a side column or a carousel, by its tags and class names.

    Class names are trusted on elements with less than half of the page, and on elements that are mostly links.
    """
    tree = weights.tree
    half_page = weights.total / 2
    for above in tree.ancestors_or_self(node):
        if above <= tree.body:
            return False
        attributes = tree.attributes[above]
        if tree.tag[above] in _ASIDE_TAGS or attributes.get("role") in _ASIDE_ROLES:
            return True
        weight = weights.weight(above)
        if trusts_names and (weight < half_page or weights.link_weight(above) > MENU_SHARE_OF_LINKS * weight):
            names = attributes.get("class"), attributes.get("id")
            if has_class_word(NAVIGATION_PATTERN, *names) or has_class_word(CAROUSEL_PATTERN, *names):
                return True
    return False


# Boxes of a rendered page


def _screen_factor(tree: Tree, records: Sequence[Record]) -> float:
    """Factor for the score of a list by its position on the screen; 1 if the page was not rendered."""
    if tree.box is None:
        return 1.0
    boxes = [
        box
        for record in records[:MAX_SAMPLED_RECORDS]
        for top in record
        if (box := tree.box[top]) and box[2] and box[3]
    ]
    if not boxes:
        return OFFSCREEN_FACTOR
    page = tree.box[tree.body]
    if not page or not page[2]:
        return 1.0
    width = max(box[0] + box[2] for box in boxes) - min(box[0] for box in boxes)
    return NARROW_FACTOR + (1 - NARROW_FACTOR) * min(1.0, width / page[2] / FULL_WIDTH_SHARE)


def _page_share(tree: Tree, records: Sequence[Record], weight_share: float) -> float:
    """The share of the page that a list takes: the mean of its share of the weight and its share of the area.

    If the page was not rendered, or no record has a box, the share of the weight: some pages are hidden until a script
    has run.
    """
    page = tree.box[tree.body] if tree.box else None
    if not tree.box or not page or not page[2] or not page[3]:
        return weight_share
    boxes = [box for record in records for top in record if (box := tree.box[top])]
    area_share = sum(box[2] * box[3] for box in boxes) / (page[2] * page[3])
    return (weight_share + min(1.0, area_share)) / 2 if area_share else weight_share
