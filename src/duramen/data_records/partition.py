"""The children of an element, parted into records in the way that makes these most alike.

A record is one child (`li`), or a run of siblings that begins with a head (a row with a title, one with a summary, a
spacer). A `dt` is a head by its meaning. What else may be one is tried out: a tag, a token of the class, the way down
to the first thing seen, the kinds of children. Of all ways to part the children that one is taken whose records hold
most of what is seen, are many, of similar size, and alike in shape:

    weight × (1 − 1/N)² × likeness²,    N = (Σ w)² / Σ w², the effective number of records of similar weight

with w the weight to the power of ¾, so that one long post among short ones does not make a list of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from duramen.data_records.heads import find_heads, items_of, runs, way_down
from duramen.data_records.outline import Outline, spread
from duramen.data_records.shape import likeness, regularity, shape_of
from duramen.dom.tree import TEXT

Record = tuple[int, ...]
"""The top nodes of a record, in document order: an element, or a run of siblings."""

EVEN: Final = 0.75
"""The power of the weights in N."""
NEIGHBOURS: Final = 30
"""Records from the middle of a list whose likeness to the next is looked at."""
STRIPES, STRIPED = 0.6, 0.5
"""Heads as like what follows them as this are no heads but every other row, and worth as little as that."""
LEFT_OUT: Final = 0.3
"""What a list loses that leaves out all links of its element: they lead to the records."""
PLAIN_COVER, PLAIN_LIKENESS = 0.95, 0.9
"""A list that has so much in children of one tag, so much alike, needs no other way to be parted."""
DESCRIPTIONS: Final = 3
"""Descriptions to a term, on the average, from which on it may be a heading."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Partition:
    """Records below one element, and how much they are worth as a list."""

    records: tuple[Record, ...]
    way: str
    weight: int
    effective: float
    doubt: float = 1.0
    regularity: float = 1.0

    @property
    def score(self) -> float:
        """What it is worth; before the regularity is known, what it is worth at most."""
        if self.effective <= 1:
            return 0.0
        return float(self.doubt * self.weight * (1 - 1 / self.effective) ** 2 * self.regularity**2)


def part(outline: Outline, node: int) -> Partition | None:
    """The best way to part the children of an element into records; None where no two are of a kind."""
    tree = outline.tree
    items = items_of(outline, node)
    if len(items) < 2:
        return None
    tags = [tree.tag[item] for item in items]
    if "dt" in tags and len(terms := _terms(tags)) > 1:
        return measure(outline, runs(tags, items, terms), "runs that begin with dt")
    best: Partition | None = None
    for tag, count in Counter(tags).most_common(3):
        if count > 1 and tag != TEXT:
            alone: tuple[Record, ...] = tuple((item,) for item, name in zip(items, tags, strict=True) if name == tag)
            best = _better(outline, best, alone, f"each {tag}")
    whole = outline.weight(node)
    if best and best.regularity >= PLAIN_LIKENESS and best.weight >= PLAIN_COVER * whole:
        return best
    plain = best and best.records
    for starts, way, doubt in find_heads(outline, items, tags):
        if best and doubt * whole * (1 - 1 / len(starts)) ** 2 < best.score:
            continue  # so few cannot be worth more, however even and alike
        records = runs(tags, items, starts)
        if records != plain:
            best = _better(outline, best, records, way, doubt)
    return _from_the_title(outline, items, best) if best else None


def measure(outline: Outline, records: tuple[Record, ...], way: str, doubt: float = 1.0) -> Partition:
    """What these records are worth as a list."""
    known = _weighed(outline, records, way, doubt)
    return replace(known, regularity=regularity(outline, _middle(records)))


def _terms(tags: Sequence[str]) -> tuple[int, ...]:
    """The places of the terms that begin records: a term, or several, and its descriptions are one by their meaning.

    None where a term has many descriptions, and may be a heading above a list of them.
    """
    starts = tuple(place for place, tag in enumerate(tags) if tag == "dt" and (not place or tags[place - 1] != "dt"))
    return starts if 0 < tags.count("dd") <= DESCRIPTIONS * len(starts) else ()


def _from_the_title(outline: Outline, items: Sequence[int], found: Partition) -> Partition:
    """Runs that end with the title of the next record, begun one earlier: a title was left over, the last run has none.

    What follows the titles may have a class, and so be the better head, where the titles have none.
    """
    records = found.records
    if len(records[0]) == 1 or records[0][0] == items[0]:
        return found
    first = items.index(records[0][0])
    title = way_down(outline, items[first - 1])
    if not title or any(len(run) == 1 or way_down(outline, run[-1]) != title for run in records[:-1]):
        return found
    if way_down(outline, records[-1][-1]) == title:
        return found
    titles = (items[first - 1], *(run[-1] for run in records[:-1]))
    rests = (*(run[:-1] for run in records[:-1]), records[-1])
    begun = tuple((title, *rest) for title, rest in zip(titles, rests, strict=True))
    return measure(outline, begun, f"{found.way}, and what stands before it", found.doubt)


def weigh(outline: Outline, records: Iterable[Record]) -> int:
    """What the records show, together."""
    return sum(outline.weight(top) for record in records for top in record)


def _better(
    outline: Outline, best: Partition | None, records: tuple[Record, ...], way: str, doubt: float = 1.0
) -> Partition | None:
    """The better one of the best so far and these records. Their likeness is asked for only as far as it may decide."""
    known = _weighed(outline, records, way, doubt)
    least = best.score if best else 0.0
    if known.score <= least:
        return best
    alike = regularity(outline, _middle(records), (least / known.score) ** 0.5 * (1 - _ROUNDING))
    if best and known.score * alike**2 <= least:
        return best
    doubt = known.doubt * (STRIPED if _is_striped(outline, records) else 1.0)
    found = Partition(records, way, known.weight, known.effective, doubt, alike)
    return found if best is None or found.score > best.score else best


def _weighed(outline: Outline, records: tuple[Record, ...], way: str, doubt: float) -> Partition:
    weight, effective, held = spread(outline, records, EVEN)
    around = outline.tree.parent[records[0][0]]
    doubt *= 1 - LEFT_OUT * max(0.0, 1 - held / max(1, outline.link_count(around)))
    return Partition(records, way, weight, effective, doubt)


def _middle(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records whose likeness counts: those at the ends of a long list may be odd."""
    first = max(0, (len(records) - NEIGHBOURS) // 2)
    return records[first : first + NEIGHBOURS]


def _is_striped(outline: Outline, records: tuple[Record, ...]) -> bool:
    """Whether heads are like what follows them: every other row, or the last one of a line, is no head."""
    runs = [record for record in records if len(record) > 1][:10]
    if not runs or 2 * len(runs) < len(records):
        return False
    likes = [likeness(shape_of(outline, run[:1]), shape_of(outline, run[1:2])) for run in runs]
    return sum(likes) > STRIPES * len(likes)
