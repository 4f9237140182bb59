"""Where records may begin, if each is a run of siblings: what their heads have in common.

A head is known by its tag, a token of its class, the way down to the first thing seen in it, or the kinds of children
that it has. Every such sign that several siblings share is one way to part them into runs.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise
from typing import Final

from duramen.data_records.outline import Outline
from duramen.dom.tree import TEXT

HEADS: Final = 8
"""Kinds of head that are tried, of each sort."""
DOUBT: Final = 0.9
"""What runs are worth whose heads are told by less than a tag or a class."""
_PATH = 6

Head = tuple[tuple[int, ...], str, float]
"""The places of the heads among the items, how to say what they are, and how much that is worth."""


def items_of(outline: Outline, node: int) -> list[int]:
    """The children of an element that show something, and its links, which lead somewhere even so."""
    tree = outline.tree
    return _items(tree.tag, tree.end, outline.before, node)


def find_heads(outline: Outline, items: list[int], tags: list[str]) -> list[Head]:
    """What may be the heads of runs among items, which are given with their tags: each once, the surest first."""
    tree = outline.tree
    elements = [item for item in items if outline.codes[item]]
    classes = dict(zip(elements, tree.attribute_values("class", elements), strict=True))
    return _heads(items, tags, classes, tree.tag, tree.end, outline.before, outline.linked, outline.codes)


def runs(tags: list[str], items: list[int], starts: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Runs of items that each begin with a head. The last one ends where no other run goes on."""
    stops = [*starts[1:], len(items)]
    if len(starts) > 2:
        others = list(pairwise(starts))
        usual = {tags[place] for start, stop in others for place in range(start + 1, stop)}
        longest = max([stop - start for start, stop in others])
        start = starts[-1]
        last = start + 1
        while last < min(len(items), start + longest) and tags[last] in usual:
            last += 1
        stops[-1] = last
    return tuple([tuple(items[start:stop]) for start, stop in zip(starts, stops, strict=True)])


def way_down(outline: Outline, item: int) -> Hashable | None:
    """The tags down to the first thing seen; None for a text."""
    return _path(outline.tree.end, outline.before, outline.codes, item) if outline.codes[item] else None


def _items(tags: list[str], ends: list[int], before: list[int], node: int) -> list[int]:
    found: list[int] = []
    stop = ends[node]
    child = node + 1
    while child < stop:
        end = ends[child]
        if before[end] != before[child] or tags[child] == "a":
            found.append(child)
        child = end
    return found


def _heads(
    items: list[int],
    tags: list[str],
    classes: dict[int, str | None],
    names: list[str],
    ends: list[int],
    before: list[int],
    linked: list[int],
    codes: list[int],
) -> list[Head]:
    by_tag: dict[Hashable, list[int]] = {}
    by_token: dict[Hashable, list[int]] = {}
    by_path: dict[Hashable, list[int]] = {}
    by_pattern: dict[Hashable, list[int]] = {}
    for place, item in enumerate(items):
        _add(by_tag, tags[place], place)
        if codes[item] == 0:
            _add(by_path, None, place)
            _add(by_pattern, None, place)
            continue
        known = classes[item]
        if known:
            for token in dict.fromkeys(known.split()):
                _add(by_token, token, place)
        _add(by_path, _path(ends, before, codes, item), place)
        _add(by_pattern, _pattern(names, ends, before, linked, codes, item), place)
    found: dict[tuple[int, ...], Head] = {}
    for kind, places in _most_common(by_tag):
        if kind != TEXT:
            _note(found, places, f"runs that begin with {kind}", 1.0)
    for kind, places in _most_common(by_token):
        _note(found, places, f"runs that begin with .{kind}", 1.0)
    if tags.count("li") == len(tags):
        return list(found.values())  # items by their name, however much shorter some are
    for kinds in (by_path, by_pattern):
        for kind, places in _most_common(kinds):
            if kind is not None:
                _note(found, places, f"runs that begin with {tags[places[0]]} like the first", DOUBT)
    return list(found.values())


def _add(kinds: dict[Hashable, list[int]], kind: Hashable, place: int) -> None:
    places = kinds.get(kind)
    if places is None:
        kinds[kind] = [place]
    else:
        places.append(place)


def _most_common(kinds: dict[Hashable, list[int]]) -> list[tuple[Hashable, list[int]]]:
    several = [one for one in kinds.items() if len(one[1]) > 1]
    several.sort(key=_size, reverse=True)
    return several[:HEADS]


def _size(kind: tuple[Hashable, list[int]]) -> int:
    return len(kind[1])


def _note(found: dict[tuple[int, ...], Head], places: list[int], way: str, worth: float) -> None:
    starts = tuple(places)
    if starts not in found:
        found[starts] = starts, way, worth


def _path(ends: list[int], before: list[int], codes: list[int], item: int) -> Hashable:
    """The tags down to the first thing seen."""
    path = [codes[item]]
    node, stop = item + 1, ends[item]
    while node < stop and len(path) < _PATH:
        end = ends[node]
        if before[end] == before[node]:
            node = end
        else:
            path.append(codes[node])
            node, stop = node + 1, end
    return tuple(path)


def _pattern(
    names: list[str], ends: list[int], before: list[int], linked: list[int], codes: list[int], item: int
) -> Hashable:
    """Which kinds of children it has, of cells how many, and whether there is a link."""
    kinds: set[int] = set()
    children = 0
    cells = False
    stop = ends[item]
    child = item + 1
    while child < stop:
        end = ends[child]
        if before[end] != before[child]:
            children += 1
            kinds.add(codes[child])
            if names[child] == "td":
                cells = True
        child = end
    return codes[item], children if cells else frozenset(kinds), linked[stop] != linked[item]
