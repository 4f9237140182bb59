"""Where the lists of a page stand, the main one first.

Every element is a candidate, by the children of one tag that it has: how much they show, times (1 − 1/N)², where N is
the effective number of children of similar weight. That needs one pass. The best few are looked at closely: their
children are parted into records (`partition`), which must be alike; lists of bare short links, paragraphs of prose, and
what stands in navigation count for less. A list that goes on in the next container is put together again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from duramen.data_records.called import ASIDE_NAMED, is_called
from duramen.data_records.cousins import cousins
from duramen.data_records.kinds import is_date, is_price
from duramen.data_records.nested import around
from duramen.data_records.odd import without_odd
from duramen.data_records.opening import opening
from duramen.data_records.outline import Filled, Outline, evenly_filled
from duramen.data_records.partition import Partition, Record, measure, part, weigh
from duramen.data_records.refine import refine
from duramen.data_records.screen import presence, share
from duramen.data_records.sisters import sisters, strays
from duramen.dom.tree import TEXT, Tree

LIKENESS = 1.5
"""The power of the likeness of its records in what a list is worth."""
CANDIDATES = 10
"""Elements that are looked at closely."""
HOPE = 4.0
"""How many times better than it looked at first an element may prove."""
ASIDE = 0.3
"""What a list in navigation, a footer or a side column is worth, of what it would be worth elsewhere."""
BARE, LINE = 0.7, 40.0
"""What a list of links loses: at most this much, and less the longer the links are, in letters."""
CROWDED, CROWDED_DENSITY = 12, 0.75
"""Links to a record, and their share of its text, from which on it is a menu."""
LINKED = 0.2
"""What a list loses whose text is all links, however long."""
PROSE = 0.9
"""What a list loses whose records are all pieces of an article."""
LEAST_SHARE = 0.1
"""Of what the page shows, the share that the main list must have, if it is like a list in every way."""
FRAME, FRAME_PARTS = 0.97, 10
"""Of all that a page shows, a share that leaves no room for anything but the list; so few parts are then the page's."""
MENU = 0.6
"""The share of links from which on an element that is called a menu is one, however large it is."""
POST = 60
"""Letters that a post has, on the average."""
SURE = 0.5
"""The confidence from which on a list is the main one."""
LEAST_RECORDS = 2.5
"""The effective number of records that a list must have."""

MANY_PARAGRAPHS = 4
"""Of the records of a list, how many paragraphs and headings they have on the average when they are chapters."""
_OPENING = 60
"""Letters with which a paragraph begins before its first link or emphasis."""
_FIRST = 60
"""Nodes of an element in which a price or a date is looked for."""
_ASIDE_TAGS = frozenset(("nav", "footer", "aside"))
_ASIDE_ROLES = frozenset(("navigation", "contentinfo", "complementary", "menu", "banner"))
_PARAGRAPHS = frozenset("p h1 h2 h3 h4 h5 h6 blockquote pre".split())
_FLOW = _PARAGRAPHS | {"figure", "img", "hr", "br", "b", "strong", "em", "i", TEXT}


@dataclass(frozen=True, eq=False)
class Region:
    """An element that holds a list. The records are told apart when they are asked for."""

    node: int
    score: float
    confidence: float
    outline: Outline = field(repr=False)
    parted: Partition = field(repr=False)

    @cached_property
    def refined(self) -> Partition:
        """The children that are records, or hold them, parted as far as need be."""
        return refine(self.outline, self.parted)

    @property
    def records(self) -> tuple[Record, ...]:
        """Each record by its top nodes: an element, or a run of siblings."""
        return self.refined.records

    @property
    def told(self) -> str:
        """What this is, in a sentence without its end."""
        return f"{len(self.records)} records {self._place}: {self.refined.way}"

    @property
    def told_briefly(self) -> str:
        """The same, without telling the records apart."""
        return f"a list {self._place}: {self.parted.way}"

    @property
    def _place(self) -> str:
        tag = self.outline.tree.tag[self.node]
        return f"in {'an' if tag[0] in 'aeio' else 'a'} {tag}"


def find_regions(tree: Tree, most: int = CANDIDATES) -> list[Region]:
    """The lists of a page, the likeliest main one first; none where nothing is repeated."""
    outline = Outline.of(tree)
    found: list[tuple[float, int, Partition]] = []
    best = 0.0
    filled = evenly_filled(outline)
    for negative, node, worth in filled[:CANDIDATES]:
        if most == 1:
            if -negative * HOPE < best:
                break  # what follows shows too little to come first
            if worth < best or (worth * ASIDE < best and _is_aside(outline, node)):
                continue
        partition = part(outline, node)
        if partition is not None and (score := _value(outline, node, partition)) > 0:
            found.append((score, node, partition))
            best = max(best, score)
    found.sort(key=lambda one: (-one[0], one[1]))
    regions: list[Region] = []
    taken: list[range] = []
    for score, node, partition in found:
        if any(node in span or span.start in range(node, tree.end[node]) for span in taken):
            continue
        region = _region(outline, node, partition, score, filled)
        taken.append(range(region.node, tree.end[region.node]))
        regions.append(region)
        if len(regions) == most:
            break
    return [*regions[:1], *sorted(regions[1:], key=lambda region: -region.confidence)]


def is_main(region: Region) -> bool:
    """Whether a page has this for its main list, if it is the first of its lists."""
    return region.confidence >= SURE


def _region(outline: Outline, node: int, partition: Partition, score: float, others: Sequence[Filled]) -> Region:
    quality = _quality(outline, partition)
    standing = _standing(outline, node)
    total = outline.before[-1]
    if stray := strays(outline, node, partition.records):
        partition = measure(
            outline, tuple(sorted((*partition.records, *stray))), f"{partition.way} and what is like it"
        )
    boxed = _joined(outline, partition, cousins(outline, node, partition, others), "in several boxes")
    whole = _joined(outline, boxed, sisters(outline, boxed.records), "and more of them beyond")
    if whole is partition:
        whole = _joined(outline, partition, _opening(outline, node, partition), "with the one that opens them")
    if whole is partition and (nested := around(outline, node, partition.records)):
        whole = measure(outline, nested, f"{partition.way}, and those around it")
    if whole is not partition:
        partition = whole
        node = outline.tree.common_ancestor(whole.records[0][0], whole.records[-1][-1])
    evidence = share(outline.tree, partition.records, partition.weight / total) * partition.regularity * quality
    evidence *= standing**2  # a list at the side may be the best one, and still be no main one
    few = _few(outline, partition.records)
    if few < 2 * LEAST_RECORDS:  # few rows may hold many cells, and of few records one may be a heading
        few = _few(outline, refine(outline, partition).records)
    odds = min(evidence / LEAST_SHARE, (few / LEAST_RECORDS) ** 4)
    return Region(node, score, odds / (1 + odds), outline, partition)


def _joined(outline: Outline, partition: Partition, more: Sequence[Record], told: str) -> Partition:
    """A list with more records from elsewhere, unless most of these would be odd in it."""
    records = tuple(sorted({*partition.records, *more}))
    if more and 2 * weigh(outline, set(more).intersection(without_odd(outline, records))) > weigh(outline, more):
        return measure(outline, records, f"{partition.way}, {told}")
    return partition


def _opening(outline: Outline, node: int, partition: Partition) -> list[Record]:
    """The post before the replies, where the records are of some length and not mere links."""
    tops = [record[0] for record in partition.records]
    if partition.weight < POST * len(tops) or 2 * sum(map(outline.link_weight, tops)) > partition.weight:
        return []
    found = opening(outline, node, partition.records)
    return [] if found is None else [found]


def _few(outline: Outline, records: Sequence[Record]) -> float:
    """The effective number of records, by the fourth roots of their weights: one long post makes no list short."""
    roots = [sum(map(outline.weight, record)) ** 0.25 for record in records]
    return float(sum(roots) ** 2 / max(1.0, sum(root * root for root in roots)))


def _value(outline: Outline, node: int, partition: Partition) -> float:
    """What a list is worth as the main one."""
    if partition.effective <= 1 or not partition.regularity:
        return 0.0
    shown = presence(outline.tree, partition.records)
    quality = _quality(outline, partition) * _standing(outline, node)
    return float(shown * partition.score * partition.regularity ** (LIKENESS - 2) * quality)


def _quality(outline: Outline, partition: Partition) -> float:
    """How far a list is from menus and prose: at most 1."""
    ends = outline.tree.end
    spans = [(record[0], ends[record[-1]]) for record in partition.records]
    linked = sum(outline.linked[stop] - outline.linked[start] for start, stop in spans)
    links = sum(outline.links[stop] - outline.links[start] for start, stop in spans)
    density = linked / partition.weight
    bare = 1 - BARE * density * math.exp(-partition.weight / len(partition.records) / LINE)
    if density > CROWDED_DENSITY and links > CROWDED * len(partition.records):
        bare *= ASIDE  # a menu of menus
    if partition.weight > FRAME * outline.before[-1]:
        bare *= min(1.0, len(partition.records) / FRAME_PARTS)
    prose = 1 - PROSE * _prose(outline, partition.records)
    return (1 - LINKED * density) * bare * prose


def _prose(outline: Outline, records: Sequence[Record]) -> float:
    """The share of the records that read like a piece of an article: they begin neither with a link nor a picture.

    Paragraphs, headings and lists that follow each other are an article unless a link stands at the very beginning.
    """
    looked = records[:20]
    flow = sum(outline.tree.tag[top] in _PARAGRAPHS for record in looked for top in record)
    if flow > MANY_PARAGRAPHS * len(looked):
        return 1.0
    return sum(not _is_headed(outline, record) for record in looked) / len(looked)


def _is_headed(outline: Outline, record: Record) -> bool:
    tree = outline.tree
    if tree.tag[record[0]] == "dt":
        return True  # terms are entries by their meaning
    if tree.tag[record[0]] not in _FLOW:
        return (
            any(outline.link_count(top) or "img" in tree.tag[top : tree.end[top]] for top in record)
            or any(tree.tag[top] == "tr" for top in record)
            or "itemscope" in tree.attributes[record[0]]
            or _has_datum(outline, record)
        )
    linked = any(map(outline.link_weight, record))
    if not linked:
        return False
    start = record[0]
    end = tree.end[record[-1]]
    if "br" in tree.tag[start:end]:
        return True
    first = next((node for node in range(start, end) if outline.linked[node + 1] > outline.linked[node]), end)
    return outline.before[first] - outline.before[start] < _OPENING


def _has_datum(outline: Outline, record: Record) -> bool:
    """Whether a text of a record is a price or a date: prose has them in its sentences."""
    tree = outline.tree
    nodes = (node for top in record for node in range(top, min(top + _FIRST, tree.end[top])) if not outline.codes[node])
    return any(is_price(text) or is_date(text) for text in map(tree.text.__getitem__, nodes))


def _standing(outline: Outline, node: int) -> float:
    """What a list is worth by where it stands."""
    return ASIDE if _is_aside(outline, node) else 1.0


def _is_aside(outline: Outline, node: int) -> bool:
    tree = outline.tree
    half = outline.before[-1] / 2
    for above in (node, *tree.ancestors(node)):
        if above <= tree.body:
            return False
        attributes = tree.attributes[above]
        if tree.tag[above] in _ASIDE_TAGS or attributes.get("role") in _ASIDE_ROLES:
            return True
        weight = outline.weight(above)
        if weight < half or outline.link_weight(above) > MENU * weight:
            if is_called(ASIDE_NAMED, attributes.get("class"), attributes.get("id")):
                return True
    return False
