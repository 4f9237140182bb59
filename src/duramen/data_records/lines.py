"""Lines: fields that a page keeps apart by `<br>` alone.

    <td><b>anna</b><br>Joined: 2005<br>Posts: 12</td>

Lines of aligned elements are told apart as elements are: by the label they begin with, those without one by their
number where all records have as many, else by what kind of thing each is. Where none of this tells them apart, or
more than one of them is writing, an element is a text with broken lines, and stays whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Final

from duramen.data_records.kinds import MOSTLY
from duramen.data_records.labels import by_kind, leading, recurring
from duramen.data_records.picks import Pick
from duramen.data_records.texts import UNSEEN, is_formatting, text_of
from duramen.dom.tree import TEXT, Tree

SAME_COUNT: Final = 0.8
"""Of the records that have such lines, the share that has the same number of them, for these to be columns."""
WRITING: Final = 80
"""Letters from which on a line is taken for writing."""

Line = tuple[int, str]
"""Where a line begins, and its text; "" where it has none of its own, but what an element in it holds."""


def lines_of(tree: Tree, node: int) -> list[str]:
    """The lines of an element that are text, in order. What an element of its own holds is left to that element."""
    return [text for _, text in _lines(tree, node) if text]


def _lines(tree: Tree, node: int) -> list[Line]:
    """What stands between the breaks, where that is anything."""
    found: list[Line] = []
    pieces: list[str] = []
    start, own = -1, False
    place, end = node + 1, tree.end[node]
    while place <= end:
        tag = tree.tag[place] if place < end else "br"
        if tag == "br":
            if start >= 0:
                found.append((start, " ".join("".join(pieces).split()) if own else ""))
            pieces, start, own = [], -1, False
        elif tag == TEXT:
            pieces.append(tree.text[place])
            if tree.text[place].strip():
                start, own = (place if start < 0 else start), True
        elif tag not in UNSEEN and not is_formatting(tree, place):
            pieces.append(text_of(tree, place, whole=True))
            start = place if start < 0 else start
        place = place + 1 if tag in (TEXT, "br") or is_formatting(tree, place) else tree.end[place]
    return found


def _has_break(tree: Tree, node: int, breaks: Sequence[int]) -> bool:
    return bisect_left(breaks, node) < bisect_left(breaks, tree.end[node])


def pick_lines(tree: Tree, members: Sequence[Sequence[int]], breaks: Sequence[int]) -> list[tuple[int, Pick]]:
    """How to tell the lines of aligned elements apart, each with where it begins in the first record that has it.

    The breaks are all `br` of the page.
    """
    nodes = [member[0] for member in members if member]
    if len(nodes) < 2 or any(len(member) > 1 for member in members):
        return []
    if sum(_has_break(tree, node, breaks) for node in nodes) < MOSTLY * len(nodes):
        return []
    every = [_lines(tree, node) for node in nodes]
    if sum(len(held) > 1 for held in every) < MOSTLY * len(nodes):
        return []
    lines = [[line for line in held if line[1]] for held in every]
    said = [(record, leading(text)) for record, held in enumerate(lines) for _, text in held]
    labels = recurring(said, len(members))
    rest = [[(start, text) for start, text in held if leading(text) not in labels] for held in lines]
    picks = _rest(rest, tuple(labels))
    if picks is None:
        return []
    picks += [Pick(lines=True, label=label) for label in labels]
    return list(zip(_starts(lines, picks), picks, strict=True))


def _rest(lines: Sequence[Sequence[Line]], labels: tuple[str, ...]) -> list[Pick] | None:
    """How lines without a label are told apart; None where they are not."""
    counts = Counter(len(held) for held in lines)
    most = max(counts)
    common, often = counts.most_common(1)[0]
    if not most:
        return []
    if most == 1 or (common and often >= SAME_COUNT * len(lines)):
        lengths = [fmean(len(held[at][1]) for held in lines if len(held) > at) for at in range(most)]
        if sum(length > WRITING for length in lengths) > 1:
            return None
        return [Pick(lines=True, without=labels, number=number + 1) for number in range(common or most)]
    kinds = by_kind({record: [[text for _, text in held]] for record, held in enumerate(lines)})
    return [Pick(lines=True, without=labels, kind=kind, number=1) for kind in kinds] or None


def _starts(lines: Sequence[Sequence[Line]], picks: Sequence[Pick]) -> list[int]:
    """Where what is picked begins, in the first record that has it; those that differ in number alone share a look."""
    found = [0] * len(picks)
    waiting = list(range(len(picks)))
    for held in lines:
        kept: dict[Pick, list[str]] = {}
        begin: dict[Pick, dict[str, int]] = {}
        left: list[int] = []
        for place in waiting:
            sort = picks[place].sort
            if sort not in kept:
                kept[sort] = sort.of([text for _, text in held])
                begin[sort] = {sort.value(text): start for start, text in reversed(held)}
            wanted = picks[place].numbered(kept[sort])
            if wanted:
                found[place] = begin[sort][wanted[0]]
            else:
                left.append(place)
        waiting = left
        if not waiting:
            break
    return found
