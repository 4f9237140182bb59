"""The children of an element, parted into records in the way that makes these most alike.

A record is one child (`li`), or a run of siblings that begins with a head (`dt` and its `dd`; a row with a title, one
with a summary, a spacer). What may be a head is tried out: the tag alone, the tag with its class, the tag with the way
down to the first thing seen in it. Of all ways to part the children that one is taken whose records hold most of what is
seen, are many, of similar size, and alike in shape:

    weight × (1 − 1/N)² × likeness²,    N = (Σ w)² / Σ w², the effective number of records of similar weight
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from duramen.records.outline import Outline
from duramen.records.shape import likeness, shape_of
from duramen.tree import TEXT, Tree

Record = tuple[int, ...]

EVEN = 0.75
FEW = 40
"""Neighbours whose likeness is looked at."""
DOUBT = 0.9
STRIPES, STRIPED = 0.6, 0.5
HEADS = 12
"""Kinds of head that are tried."""
_PATH = 6


@dataclass(frozen=True, eq=False)
class Partition:
    """Records below one element, and how much they are worth as a list."""

    records: tuple[Record, ...]
    weight: int
    effective: float
    regularity: float
    way: str
    doubt: float = 1.0

    @property
    def score(self) -> float:
        if self.effective <= 1:
            return 0.0
        return self.doubt * self.weight * (1 - 1 / self.effective) ** 2 * self.regularity**2


def part(outline: Outline, node: int) -> list[Partition]:
    """Ways to part the children of an element into records, the best first; none where there are not two of a kind."""
    tree = outline.tree
    items = [child for child in tree.children(node) if outline.weight(child) or tree.tag[child] == "a"]
    if len(items) < 2:
        return []
    found: dict[tuple[Record, ...], str] = {}
    tags = Counter(tree.tag[item] for item in items)
    for tag, count in tags.most_common(3):
        if count > 1 and tag != TEXT:
            found.setdefault(tuple((item,) for item in items if tree.tag[item] == tag), f"each {tag}")
    for token, kinds in _tokens(tree, items):
        found.setdefault(_runs(tree, items, kinds, True), f"runs from .{token}")
    for name, kinds in _kinds(tree, outline, items):
        counted = Counter(kinds)
        for kind, count in counted.most_common(HEADS):
            if count > 1 and kind is not None:
                found.setdefault(_runs(tree, items, kinds, kind), f"runs from {name} {kind}")
    made = [measure(outline, records, way, _doubt(outline, records, way)) for records, way in found.items()]
    return sorted(made, key=lambda one: -one.score)


def _doubt(outline: Outline, records: tuple[Record, ...], way: str) -> float:
    """Runs are doubtful whose heads are like what follows them: every other row, or the last of a line, is no head."""
    runs = [record for record in records if len(record) > 1][:10]
    if not runs or 2 * len(runs) < len(records):
        return DOUBT if way.startswith("runs from pa") else 1.0
    likes = [
        likeness(shape_of(outline.tree, run[:1], outline.before), shape_of(outline.tree, run[1:2], outline.before))
        for run in runs
    ]
    if sum(likes) > STRIPES * len(likes):
        return STRIPED
    return DOUBT if way.startswith("runs from pa") else 1.0


def _kinds(tree: Tree, outline: Outline, items: Sequence[int]) -> Iterable[tuple[str, list[Hashable]]]:
    yield "tag", [tree.tag[item] if tree.tag[item] != TEXT else None for item in items]
    yield "path", [_path(tree, outline, item) for item in items]
    yield "pattern", [_pattern(tree, outline, item) for item in items]


def _tokens(tree: Tree, items: Sequence[int]) -> Iterable[tuple[str, list[Hashable]]]:
    """The commonest tokens of classes, and which items bear them."""
    classes = [_class(tree, item) for item in items]
    counted = Counter(token for tokens in classes for token in tokens)
    for token, count in counted.most_common(HEADS):
        if count > 1:
            yield token, [token in tokens for tokens in classes]


def _class(tree: Tree, item: int) -> frozenset[str]:
    if tree.tag[item] == TEXT:
        return frozenset()
    return frozenset((tree.attributes[item].get("class") or "").split())


def _path(tree: Tree, outline: Outline, item: int) -> Hashable:
    """The tags down to the first thing seen."""
    if tree.tag[item] == TEXT:
        return None
    path = [tree.tag[item]]
    node = item
    while len(path) < _PATH:
        below = next((child for child in tree.children(node) if outline.weight(child)), None)
        if below is None:
            break
        path.append(tree.tag[below])
        node = below
    return tuple(path)


def _pattern(tree: Tree, outline: Outline, item: int) -> Hashable:
    """Which kinds of children it has, and whether there is a link."""
    if tree.tag[item] == TEXT:
        return None
    below = [tree.tag[child] for child in tree.children(item) if outline.weight(child)]
    return tree.tag[item], len(below) if "td" in below else tuple(sorted(set(below))), outline.link_weight(item) > 0


def _runs(tree: Tree, items: Sequence[int], kinds: Sequence[Hashable], head: Hashable) -> tuple[Record, ...]:
    """Runs of items that each begin with a head. The last one ends where no other run goes on."""
    runs: list[list[int]] = []
    for item, kind in zip(items, kinds, strict=True):
        if kind == head:
            runs.append([item])
        elif runs:
            runs[-1].append(item)
    if len(runs) > 2:
        usual = {tree.tag[item] for run in runs[:-1] for item in run[1:]}
        longest = max(len(run) for run in runs[:-1])
        kept = 1
        while kept < min(len(runs[-1]), longest) and tree.tag[runs[-1][kept]] in usual:
            kept += 1
        del runs[-1][kept:]
    return tuple(tuple(run) for run in runs)


def measure(outline: Outline, records: tuple[Record, ...], way: str, doubt: float = 1.0) -> Partition:
    weights = [sum(outline.weight(node) for node in record) for record in records]
    total = sum(weights)
    damped = [weight**EVEN for weight in weights]
    effective = sum(damped) ** 2 / sum(weight**2 for weight in damped) if total else 1.0
    first = max(0, (len(records) - FEW) // 2)  # neighbours from the middle: the ends may be odd
    shapes = [shape_of(outline.tree, record, outline.before) for record in records[first : first + FEW]]
    pairs = [likeness(one, other) for one, other in zip(shapes, shapes[1:], strict=False)]
    regularity = sum(pairs) / len(pairs) if pairs else 0.0
    return Partition(records, total, effective, regularity, way, doubt)
