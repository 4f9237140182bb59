"""The page as the sequence of its tag paths, one symbol each, and the part of it that no split divides.

Two elements have the same symbol when the tags from the root down to them are the same. What repeats on a page is then
a sequence over few symbols, and parts of a page that are made differently have different ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from duramen.dom.tree import TEXT, Tree

_MOST_ROUNDS = 200
"""Splits: a page made to be split an element at a time would take forever."""


def symbols(tree: Tree, root: int) -> dict[int, int]:
    """The symbol of an element and of all below it, in document order."""
    known: dict[tuple[int, str], int] = {}
    found: dict[int, int] = {}
    for node in range(root, tree.end[root]):
        tag = tree.tag[node]
        if tag != TEXT:
            found[node] = known.setdefault((found.get(tree.parent[node], -1), tag), len(known))
    return found


def main_part(sequence: Sequence[int], least: float) -> tuple[int, int]:
    """Where the part begins and ends that is left when the sequence is split as long as that can be done.

    Rare symbols are set aside, first those that occur once, then the next rarest, until the others fall into two parts
    without a symbol in common. The larger part is kept and split in turn, unless it is less than `least` of the whole.
    """
    start, stop = 0, len(sequence)
    for _ in range(_MOST_ROUNDS):
        larger = _split(sequence, start, stop)
        if larger is None or larger[1] - larger[0] < least * len(sequence):
            break
        start, stop = larger
    return start, stop


def _split(sequence: Sequence[int], start: int, stop: int) -> tuple[int, int] | None:
    """The larger part at the lowest threshold at which there are two; None where there is no such threshold."""
    counts = Counter(sequence[start:stop])
    for threshold in sorted(set(counts.values())):
        parts = list(_parts(sequence, start, stop, {symbol for symbol in counts if counts[symbol] >= threshold}))
        if len(parts) > 1:
            return max(parts, key=lambda part: (part[1] - part[0], -part[0]))
    return None


def _parts(sequence: Sequence[int], start: int, stop: int, kept: set[int]) -> Iterator[tuple[int, int]]:
    """The shortest parts that have no symbol in common, from their first kept symbol to behind their last."""
    last = {symbol: place for place, symbol in enumerate(sequence[start:stop], start) if symbol in kept}
    begun, reach = -1, -1
    for place in range(start, stop):
        symbol = sequence[place]
        if symbol not in kept:
            continue
        if begun < 0:
            begun = place
        reach = max(reach, last[symbol])
        if reach == place:
            yield begun, place + 1
            begun = -1
