"""The children of an element, parted into records in the way that makes these most alike.

A record is one child (`li`), or a run of siblings that begins with a head (`dt` and its `dd`; a row with a title, one
with a summary, a spacer). What may be a head is tried out: a tag, a token of the class, the way down to the first thing
seen, the kinds of children. Of all ways to part the children that one is taken whose records hold most of what is seen,
are many, of similar size, and alike in shape:

    weight × (1 − 1/N)² × likeness²,    N = (Σ w)² / Σ w², the effective number of records of similar weight

with w the weight to the power of ¾, so that one long post among short ones does not make a list of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from duramen.lists.outline import Outline
from duramen.lists.shape import likeness, shape_of
from duramen.tree import TEXT, Tree

Record = tuple[int, ...]
"""The top nodes of a record, in document order: an element, or a run of siblings."""

EVEN: Final = 0.75
"""The power of the weights in N."""
NEIGHBOURS: Final = 30
"""Records from the middle of a list whose likeness to the next is looked at."""
HEADS: Final = 8
"""Kinds of head that are tried, of each sort."""
DOUBT: Final = 0.9
"""What runs are worth whose heads are told by less than a tag or a class."""
STRIPES, STRIPED = 0.6, 0.5
"""Heads as like what follows them as this are no heads but every other row, and worth as little as that."""
LEFT_OUT: Final = 0.3
"""What a list loses that leaves out all links of its element: they lead to the records."""
PLAIN_COVER, PLAIN_LIKENESS = 0.95, 0.9
"""A list that has so much in children of one tag, so much alike, needs no other way to be parted."""
_PATH = 6


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
    items = [child for child in tree.children(node) if outline.weight(child) or tree.tag[child] == "a"]
    if len(items) < 2:
        return None
    tags = [tree.tag[item] for item in items]
    best: Partition | None = None
    for tag, count in Counter(tags).most_common(3):
        if count > 1 and tag != TEXT:
            alone: tuple[Record, ...] = tuple((item,) for item, name in zip(items, tags, strict=True) if name == tag)
            best = _better(outline, best, alone, f"each {tag}")
    if best and best.regularity >= PLAIN_LIKENESS and best.weight >= PLAIN_COVER * outline.weight(node):
        return best
    tried = {best.records} if best else set()
    for kinds, head, way, doubt in _heads(outline, items, tags):
        records = _runs(tags, items, kinds, head)
        if records not in tried:
            tried.add(records)
            best = _better(outline, best, records, way, doubt)
    return _from_the_title(outline, items, best) if best else None


def measure(outline: Outline, records: tuple[Record, ...], way: str, doubt: float = 1.0) -> Partition:
    """What these records are worth as a list."""
    known = _weighed(outline, records, way, doubt)
    return replace(known, regularity=_regularity(outline, records))


def _from_the_title(outline: Outline, items: Sequence[int], found: Partition) -> Partition:
    """Runs that end with the title of the next record, begun one earlier: a title was left over, the last run has none.

    What follows the titles may have a class, and so be the better head, where the titles have none.
    """
    records = found.records
    if len(records[0]) == 1 or records[0][0] == items[0]:
        return found
    first = items.index(records[0][0])
    title = _path(outline, items[first - 1])
    if not title or any(len(run) == 1 or _path(outline, run[-1]) != title for run in records[:-1]):
        return found
    if _path(outline, records[-1][-1]) == title:
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
    """The better one of the best so far and these records. Their likeness is asked for only where it may decide."""
    known = _weighed(outline, records, way, doubt)
    if known.score <= (best.score if best else 0.0):
        return best
    doubt = known.doubt * (STRIPED if _is_striped(outline, records) else 1.0)
    found = Partition(records, way, known.weight, known.effective, doubt, _regularity(outline, records))
    return found if best is None or found.score > best.score else best


def _weighed(outline: Outline, records: tuple[Record, ...], way: str, doubt: float) -> Partition:
    before, ends, links = outline.before, outline.tree.end, outline.links
    around = outline.tree.parent[records[0][0]]
    held = sum(links[ends[record[-1]]] - links[record[0]] for record in records)
    doubt *= 1 - LEFT_OUT * max(0.0, 1 - held / max(1, links[ends[around]] - links[around]))
    weights = [before[ends[record[-1]]] - before[record[0]] for record in records]
    damped = [weight**EVEN for weight in weights]
    squares = sum(weight * weight for weight in damped)
    return Partition(records, way, sum(weights), sum(damped) ** 2 / squares if squares else 1.0, doubt)


def _regularity(outline: Outline, records: tuple[Record, ...]) -> float:
    """How like its neighbour a record is, in the middle of the list: the ends may be odd."""
    first = max(0, (len(records) - NEIGHBOURS) // 2)
    shapes = [shape_of(outline, record) for record in records[first : first + NEIGHBOURS]]
    likes = [likeness(one, other) for one, other in pairwise(shapes)]
    return sum(likes) / len(likes) if likes else 0.0


def _is_striped(outline: Outline, records: tuple[Record, ...]) -> bool:
    """Whether heads are like what follows them: every other row, or the last one of a line, is no head."""
    runs = [record for record in records if len(record) > 1][:10]
    if not runs or 2 * len(runs) < len(records):
        return False
    likes = [likeness(shape_of(outline, run[:1]), shape_of(outline, run[1:2])) for run in runs]
    return sum(likes) > STRIPES * len(likes)


def _heads(
    outline: Outline, items: Sequence[int], tags: list[str]
) -> Iterable[tuple[Sequence[Hashable], Hashable, str, float]]:
    """What may be a head: the kinds of all items, the kind of a head, how to say it, and how much it is worth."""
    tree = outline.tree
    for tag, count in Counter(tags).most_common(HEADS):
        if count > 1 and tag != TEXT:
            yield tags, tag, f"runs that begin with {tag}", 1.0
    classes = [_classes(tree, item) for item in items]
    tokens = Counter(token for known in classes for token in known)
    for token, count in tokens.most_common(HEADS):
        if count > 1:
            yield [token in known for known in classes], True, f"runs that begin with .{token}", 1.0
    if tags.count("li") == len(tags):
        return  # items by their name, however much shorter some are
    paths = [_path(outline, item) for item in items]
    patterns = [_pattern(outline, item) for item in items]
    for kinds in (paths, patterns):
        for kind, count in Counter(kinds).most_common(HEADS):
            if count > 1 and kind:
                yield kinds, kind, f"runs that begin with {kind[0]} like the first", DOUBT


def _classes(tree: Tree, item: int) -> frozenset[str]:
    if tree.tag[item] == TEXT:
        return frozenset()
    return frozenset((tree.attributes[item].get("class") or "").split())


def _path(outline: Outline, item: int) -> tuple[str, ...]:
    """The tags down to the first thing seen."""
    tree = outline.tree
    tags, ends, before = tree.tag, tree.end, outline.before
    if tags[item] == TEXT:
        return ()
    path = [tags[item]]
    node, stop = item + 1, ends[item]
    while node < stop and len(path) < _PATH:
        end = ends[node]
        if before[end] == before[node]:
            node = end
        else:
            path.append(tags[node])
            node, stop = node + 1, end
    return tuple(path)


def _pattern(outline: Outline, item: int) -> tuple[Hashable, ...]:
    """Which kinds of children it has, of cells how many, and whether there is a link."""
    tree = outline.tree
    if tree.tag[item] == TEXT:
        return ()
    below = [tree.tag[child] for child in tree.children(item) if outline.weight(child)]
    kinds = len(below) if "td" in below else frozenset(below)
    return tree.tag[item], kinds, outline.link_weight(item) > 0


def _runs(tags: Sequence[str], items: Sequence[int], kinds: Sequence[Hashable], head: Hashable) -> tuple[Record, ...]:
    """Runs of items that each begin with a head. The last one ends where no other run goes on."""
    starts = [place for place, kind in enumerate(kinds) if kind == head]
    stops = [*starts[1:], len(items)]
    if len(starts) > 2:
        others = list(pairwise(starts))
        usual = {tags[place] for start, stop in others for place in range(start + 1, stop)}
        longest = max(stop - start for start, stop in others)
        start = starts[-1]
        last = start + 1
        while last < min(len(items), start + longest) and tags[last] in usual:
            last += 1
        stops[-1] = last
    return tuple(tuple(items[start:stop]) for start, stop in zip(starts, stops, strict=True))
