"""Steps after the classifier, in their order: each takes an extraction and returns it with other blocks kept.

None of them is learned: each case is rare, and what tells it is known. `auto:without=STEP` leaves a step out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from math import log, prod
from typing import TYPE_CHECKING

import numpy as np

from duramen.content import Spans
from duramen.dom.blocks import Blocks
from duramen.dom.page import Page
from duramen.methods.auto.boosted_trees import Floats
from duramen.methods.auto.features import MIN_PARAGRAPH_WORDS, NAMES, Features
from duramen.methods.auto.threshold import (
    NEGLIGIBLE_PROBABILITY,
    Integers,
    Mask,
    Selection,
    find_runs,
    select_blocks,
    smooth_by_cluster,
)
from duramen.methods.auto.title import find_headline_before
from duramen.structure.units import PageStructure, find_structure

if TYPE_CHECKING:
    from collections.abc import Mapping

FAVOR_EXPONENTS = {"balance": 1.0, "precision": 2.0, "recall": 0.5}
"""Probabilities are raised to this power before the cut-off is sought."""

MIN_CONTENT_WORDS = 25
"""Words that must remain without comments; otherwise the comments are the content."""
MAX_NOTE_WORDS, MAX_NOTE_BLOCKS = 25, 5
"""A page with no more than either (a note, a poem, a plain file) is shown whatever it looks like."""
MIN_KEPT_TABLE_SHARE = 0.5
"""Share of the words of a data table from which on all of it is kept."""
MAX_LABEL_WORDS = 3
"""Words of a label over a listing."""
KEPT_PER_COPIED_WORD = 3
"""A copy has at least one in so many of the kept words."""
NO_ARTICLE_LOG_ODDS = -log(3.0)
"""Log odds of "article" below which a page is none. Blocks of other pages are less alike than paragraphs, and more of
the doubtful ones are content. With higher odds the page may be a short article among lists, of which less is."""
_FULL_TYPES = frozenset(("documentation",))
"""Pages that are nearly all content: leaving something out costs more."""
_THREAD_TYPES = frozenset(("forum",))
_SPARSE_TYPES = _THREAD_TYPES | {"article", "product"}
"""Pages with much beside the content, whatever the odds are."""

_PRE, _TITLE_SHARE, _LINKS, _COPIES = (NAMES.index(name) for name in ("pre", "title_share", "links", "copies"))
_LISTING_TAGS = ("pre", "code", "math", "mjx-container", "td", "th")
"""A page with a listing or a formula has one of these tags; listings of some pages are tables of lines."""
_NO_CONTENT_ELEMENTS = [NAMES.index(name) for name in ("nav", "aside", "footer", "form")]


@dataclass(frozen=True, eq=False)
class Extraction:
    """A classified page, on its way through the steps."""

    page: Page
    blocks: Blocks
    features: Features
    selection: Selection
    """As the classifier made it: the confidence of the page is that of this selection."""
    strategy: str
    favor: str
    page_types: Mapping[str, float] = field(default_factory=dict)
    """Log odds of each type, as if half of all pages were of that type."""
    probabilities: Floats = field(default_factory=lambda: np.zeros(0), repr=False)
    kept: Mask = field(default_factory=lambda: np.zeros(0, bool), repr=False)
    exponent: float = 1.0

    @property
    def page_type(self) -> str | None:
        return max(self.page_types, key=self.page_types.__getitem__, default=None)

    @property
    def kept_words(self) -> int:
        return int(self.features.words[self.kept].sum())

    @property
    def spans(self) -> Spans:
        """Ranges of nodes: runs of kept blocks, with the images and rules between them."""
        first, last = self.blocks.first, self.blocks.last
        return tuple([range(first[start], last[stop - 1] + 1) for start, stop in find_runs(self.kept)])

    def select_again(self, probabilities: Floats, exponent: float) -> Extraction:
        """Return the extraction with the blocks that other probabilities keep."""
        kept = select_blocks(self.strategy, self.blocks, probabilities, self.features.cluster, exponent).kept
        return replace(self, probabilities=probabilities, exponent=exponent, kept=kept)


def keep_more_by_type(extraction: Extraction) -> Extraction:
    """Keep more of documentation, and of pages that are surely no article, thread or product."""
    page_type = extraction.page_type
    is_full = page_type in _FULL_TYPES or (
        page_type not in _SPARSE_TYPES and extraction.page_types.get("article", 0.0) < NO_ARTICLE_LOG_ODDS
    )
    if not is_full or extraction.favor != "balance":
        return extraction
    return extraction.select_again(extraction.probabilities, FAVOR_EXPONENTS["recall"])


def smooth_threads(extraction: Extraction) -> Extraction:
    """Keep or drop the posts of a thread together, however short they are."""
    if extraction.page_type not in _THREAD_TYPES:
        return extraction
    features = extraction.features
    smoothed = smooth_by_cluster(features.words, extraction.probabilities, features.cluster)
    return extraction.select_again(smoothed, extraction.exponent)


def drop_comments(extraction: Extraction) -> Extraction:
    """Drop the comments of readers and the headings over them, unless they are what the page is for."""
    kept, features = extraction.kept, extraction.features
    headings = _find_comment_headings(extraction)
    if not headings and not (features.in_comments & kept).any():
        return extraction
    from duramen.comments import find_comments  # few pages have kept comments

    posts = extraction.spans if extraction.page_type == "forum" else ()
    comments = find_comments(extraction.page.tree, posts=posts, url=extraction.page.url or "", blocks=extraction.blocks)
    ranges = sorted((span.start, span.stop) for comment in comments for span in comment.all_spans)
    if not ranges:
        return extraction
    probabilities = extraction.probabilities.copy()
    probabilities[headings] = 0.0
    probabilities[_find_blocks_in(ranges, np.asarray(extraction.blocks.first))] = 0.0
    rest = extraction.select_again(probabilities, extraction.exponent)
    return rest if rest.kept_words >= MIN_CONTENT_WORDS else extraction


def _find_comment_headings(extraction: Extraction) -> list[int]:
    """Return the headings that announce comments, within the kept blocks."""
    labels = extraction.features.labels
    if not labels or not extraction.kept.any():
        return []
    kept = extraction.kept.nonzero()[0]
    labels = [block for block in labels if kept[0] <= block < kept[-1]]
    if not labels:
        return []
    from duramen.dom.class_names import is_comments_heading

    return [block for block in labels if is_comments_heading(extraction.blocks.text[block])]


def _find_blocks_in(ranges: Sequence[tuple[int, int]], first: Integers) -> Mask:
    """Return the blocks that start in one of these ranges of nodes, which are sorted and may overlap."""
    starts = np.array([start for start, _ in ranges])
    stops = np.maximum.accumulate([stop for _, stop in ranges])
    place = np.searchsorted(starts, first, side="right") - 1
    return (place >= 0) & (first < stops[place])


def keep_listings(extraction: Extraction) -> Extraction:
    """Keep listings of code or machine output, formulas, callouts and data tables that are beside kept blocks.

    They look like nothing else, and a listing has so many words that the doubt about it weighs more than the text
    around it. Where the text is content, so is nearly every listing in it, and every table with header cells.
    Line numbers are not, nor what is improbable, in comments, or in a part of the page for other things.
    """
    blocks, matrix = extraction.blocks, extraction.features.matrix
    tree = blocks.tree
    if extraction.favor == "precision" or not extraction.kept.any():
        return extraction
    structure = find_structure(tree, _find_kept_range(extraction, blocks_after=1))
    units = [*structure.callouts]
    tables: list[int] = []
    if any(map(tree.find_all, _LISTING_TAGS)):
        tables = _find_headed_tables(structure, extraction)
        units += [*structure.code_blocks, *structure.formulas, *tables]
    elif not units:
        return extraction
    kept = extraction.kept.copy()
    in_units = np.zeros_like(kept)
    if units:
        in_units = _find_blocks_in(sorted((node, tree.end[node]) for node in units), np.asarray(blocks.first))
    excluded = extraction.features.in_comments | (matrix[_NO_CONTENT_ELEMENTS] != 0.0).any(axis=0)
    excluded |= (extraction.probabilities < NEGLIGIBLE_PROBABILITY) & ~in_units
    wanted = (matrix[_PRE] != 0.0) | in_units
    captions = [(node, tree.end[node]) for node in tree.find_all("figcaption")]
    in_captions = _find_blocks_in(captions, np.asarray(blocks.first)) if captions else np.zeros_like(kept)
    in_captions |= _find_table_notes(tables, extraction)
    # The caption of a listing or table is wanted also if the listing or table itself is already kept.
    wanted |= _find_labels(wanted | kept, in_captions, extraction.features) & in_captions
    wanted |= _find_labels(wanted, in_captions, extraction.features)
    for block in find_blocks_beside(kept, wanted, extraction.features):
        is_listing = in_units[block] or any(map(str.isalpha, blocks.text[block])) or matrix[_PRE][block] == 0.0
        if not excluded[block] and is_listing:
            kept[block] = True
    return replace(extraction, kept=kept)


def _find_headed_tables(structure: PageStructure, extraction: Extraction) -> list[int]:
    """Return the data tables with a header row.

    A table after the kept blocks is a menu if all its cells are links, and is left out.
    """
    blocks, tree = extraction.blocks, extraction.blocks.tree
    headed = {node: table for node, table in structure.tables.items() if table.header_rows}
    nodes = np.array([*headed], np.int64)
    first = np.asarray(blocks.first)
    starts = np.searchsorted(
        first, [(table.rows[table.header_rows :] or table.rows)[0][0] for table in headed.values()]
    )
    stops = np.searchsorted(first, [tree.end[node] for node in headed])
    texts = np.concatenate(((0,), np.cumsum(extraction.features.matrix[_LINKS] < 1.0)))
    (kept_range,) = _find_kept_range(extraction)
    has_text = (nodes < kept_range.stop) | (texts[starts] != texts[stops])
    return [node for node, is_wanted in zip(headed, has_text.tolist(), strict=True) if is_wanted]


def _find_table_notes(tables: Sequence[int], extraction: Extraction) -> Mask:
    """Return the short blocks right after tables, such as the name of a source.

    Headings and links are left out.
    """
    features, tree = extraction.features, extraction.blocks.tree
    found = np.zeros_like(extraction.kept)
    if tables:
        after = np.searchsorted(np.asarray(extraction.blocks.first), [tree.end[node] for node in tables])
        found[after[after < len(found)]] = True
    is_short = (features.words < MIN_PARAGRAPH_WORDS) & (features.matrix[_LINKS] < 1.0)
    return np.asarray(found & is_short & (features.heading == 0))


def _find_labels(wanted: Mask, in_captions: Mask, features: Features) -> Mask:
    """Return the labels in boxes that hold nothing but wanted blocks and labels.

    A label is short ("Input" over an example), a caption, or a note under a table.
    """
    short = ~wanted & ((features.words <= MAX_LABEL_WORDS) | in_captions)
    counts = [np.concatenate(((0,), np.cumsum(mask))) for mask in (wanted, ~wanted & ~short)]
    has_wanted, has_others = (sums[features.start] != sums[features.stop] for sums in counts)
    is_box = has_wanted & ~has_others
    parent = features.parent[features.owner]
    return np.asarray(short & (parent >= 0) & is_box[parent])


def _find_kept_range(extraction: Extraction, blocks_after: int = 0) -> Spans:
    """Return one span from the first to the last kept block.

    The span includes `blocks_after` further blocks, because a table may follow the last kept block.
    """
    kept = np.flatnonzero(extraction.kept)
    last = min(int(kept[-1]) + blocks_after, len(extraction.blocks) - 1)
    return (range(extraction.blocks.first[int(kept[0])], extraction.blocks.last[last] + 1),)


def find_blocks_beside(kept: Mask, wanted: Mask, features: Features) -> list[int]:
    """Return the wanted blocks that are not kept and share their container with a kept block.

    An element that holds only wanted blocks (a figure around a listing) counts as part of what is around it; so does an
    element that holds only kept blocks.
    """
    container, kept_container = _find_mixed_containers(wanted, features), _find_mixed_containers(kept, features)
    containers_with_kept = set(kept_container[features.owner[kept]].tolist())
    missing = np.flatnonzero(wanted & ~kept).tolist()
    return [block for block in missing if container[features.owner[block]] in containers_with_kept]


def _find_mixed_containers(mask: Mask, features: Features) -> Integers:
    """Return for each element the nearest one, itself included, that holds a block outside the mask, or −1."""
    others = np.concatenate(((0,), np.cumsum(~mask)))
    is_mixed = others[features.start] != others[features.stop]
    containers = np.zeros(len(features.parent), np.int64)
    for element, parent in enumerate(features.parent.tolist()):  # parents come before their children
        containers[element] = element if is_mixed[element] else containers[parent] if parent >= 0 else -1
    return containers


def keep_units_whole(extraction: Extraction) -> Extraction:
    """Keep each listing and formula as a whole, and each data table by the larger part of its words.

    Their parts are judged one by one. A table with cells left out has numbers under the wrong heads, and a listing with
    lines left out does not run.
    """
    blocks, kept, words = extraction.blocks, extraction.kept, extraction.features.words
    tree = blocks.tree
    if not kept.any() or not any(map(tree.find_all, _LISTING_TAGS)):
        return extraction
    structure = find_structure(tree, _find_kept_range(extraction))
    nodes = np.array([*structure.tables, *structure.code_blocks, *structure.formulas], np.int64)
    if not len(nodes):
        return extraction
    first = np.asarray(blocks.first)
    starts, stops = np.searchsorted(first, nodes), np.searchsorted(first, [tree.end[node] for node in nodes.tolist()])
    whole = kept.copy()
    for node, start, stop in zip(nodes.tolist(), starts.tolist(), stops.tolist(), strict=True):
        kept_words, all_words = float(words[start:stop][kept[start:stop]].sum()), float(words[start:stop].sum())
        if 0.0 < kept_words < all_words:  # a unit with most of what was kept is the content, however doubtful
            is_most = kept_words >= MIN_KEPT_TABLE_SHARE * all_words or 2.0 * kept_words > extraction.kept_words
            whole[start:stop] = is_most or node not in structure.tables
    return replace(extraction, kept=whole)


def drop_copies(extraction: Extraction) -> Extraction:
    """Keep once what a page contains twice: for wide and narrow screens, or for print.

    A copy is several paragraphs that come again in the same order, a third of all that was kept. What comes a third
    time is a formula, and what is quoted was written by someone else.
    """
    blocks, kept, words = extraction.blocks, extraction.kept, extraction.features.words
    # Counted on the whole page and in lower case: no copy is missed.
    if not (kept & (words >= MIN_PARAGRAPH_WORDS) & (extraction.features.matrix[_COPIES] > 1.0)).any():
        return extraction
    kept_blocks = np.flatnonzero(kept).tolist()
    first = {blocks.text[block]: block for block in reversed(kept_blocks)}
    repeated = set(kept_blocks).difference(first.values())
    copies: list[int] = []  # with the headings and labels between the paragraphs
    paragraphs: list[int] = []
    for is_repeated, run in groupby(kept_blocks, repeated.__contains__):
        run_blocks = list(run)
        run_paragraphs = [block for block in run_blocks if words[block] >= MIN_PARAGRAPH_WORDS]
        if is_repeated and run_paragraphs:
            copies += run_blocks
            paragraphs += run_paragraphs
    originals = [first[blocks.text[block]] for block in paragraphs]
    if len(originals) < 2 or any(one >= other for one, other in pairwise(originals)):
        return extraction
    copied_words = sum(blocks.words[block] for block in paragraphs)
    if KEPT_PER_COPIED_WORD * copied_words < extraction.kept_words or _is_quoted(blocks, paragraphs[0]):
        return extraction
    remaining = kept.copy()
    remaining[copies] = False
    return replace(extraction, kept=remaining)


def _is_quoted(blocks: Blocks, block: int) -> bool:
    tree = blocks.tree
    return any(tree.tag[node] == "blockquote" for node in tree.ancestors(blocks.first[block]))


def keep_headline(extraction: Extraction) -> Extraction:
    """Keep the headline, although other things are between it and the content."""
    features, matrix = extraction.features, extraction.features.matrix
    if not extraction.kept.any():
        return extraction
    headline = find_headline_before(
        int(extraction.kept.argmax()) + 1,
        extraction.blocks.text,
        features.title,
        matrix[_TITLE_SHARE],
        matrix[_LINKS],
        features.heading,
        features.words,
    )
    if headline < 0:
        return extraction
    kept = extraction.kept.copy()
    kept[headline] = True
    return replace(extraction, kept=kept)


def drop_unlikely_content(extraction: Extraction) -> Extraction:
    """Keep nothing where that has the higher expected F1: on a page that a script would fill, all is menus."""
    if extraction.favor == "recall" or not has_no_content(extraction.features.words, extraction.selection):
        return extraction
    return replace(extraction, kept=np.zeros_like(extraction.kept))


def has_no_content(words: Floats, selection: Selection) -> bool:
    """Return whether keeping nothing has the higher expected F1: it is right if no block is content."""
    p = selection.probabilities
    if 1.0 - p.max(initial=0.0) <= selection.expected_f1:  # as on nearly all pages
        return False
    if len(p) <= MAX_NOTE_BLOCKS or words.sum() <= MAX_NOTE_WORDS:
        return False
    return bool(prod((1.0 - p).tolist()) > selection.expected_f1)


STEPS: dict[str, Callable[[Extraction], Extraction]] = {
    "types": keep_more_by_type,
    "threads": smooth_threads,
    "comments": drop_comments,
    "listings": keep_listings,
    "units": keep_units_whole,
    "copies": drop_copies,
    "headline": keep_headline,
    "silence": drop_unlikely_content,
}
