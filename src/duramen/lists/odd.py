"""What stands among the records of a list and is none: header rows, pagers, headings, advertisements.

It is unlike the rest in shape, the more so the more its weight is out of the usual. At the ends, where headings and
pagers stand, less of that is borne than in the middle; but what has its like in the middle is a record there, too. A
run that goes on into something else, the heading of the next part or the foot of the page, is cut and not left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from duramen.lists.outline import Outline
from duramen.lists.partition import Record, weigh
from duramen.lists.shape import NamedShape, likeness, mean_shape, named_shape_of
from duramen.tree import TEXT


@dataclass(frozen=True)
class Limits:
    """Fits and weights are told as multiples of those that are usual in the list."""

    odd: float = 0.4
    odd_weight: float = 0.65
    light: float = 0.5
    tiny: float = 0.15
    heavy: float = 3.0
    edge: float = 0.8
    sure: float = 0.9


LIMITS = Limits()


def without_odd(outline: Outline, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records without those that are unlike the rest."""
    if len(records) < 4:
        return records
    usual = _Usual.of(outline, records)
    records = tuple(usual.cut(record) for record in records)
    looks = [usual.look(record) for record in records]
    odd = [_is_odd(*look) for look in looks]
    heads = [_is_header(outline, record) for record in records]
    if 4 * sum(heads) <= len(heads):
        odd = [one or head for one, head in zip(odd, heads, strict=True)]
    first, last = 0, len(records)
    while first < last and (odd[first] or _is_edge(*looks[first])):
        first += 1
    while first < last and (odd[last - 1] or _is_edge(*looks[last - 1])):
        last -= 1
    middle = [records[place] for place in range(first, last) if not odd[place]]
    while first and not odd[first - 1] and usual.has_twin(records[first - 1], middle):
        first -= 1
    while last < len(records) and not odd[last] and usual.has_twin(records[last], middle):
        last += 1
    kept = _leading(outline, [records[place] for place in range(first, last) if not odd[place]])
    return kept if 2 * len(kept) > len(records) or len(kept) > 3 else records


@dataclass(frozen=True)
class _Usual:
    """What a record of a list is usually like."""

    outline: Outline
    shape: NamedShape
    fit: float
    weight: float

    @classmethod
    def of(cls, outline: Outline, records: Sequence[Record]) -> _Usual:
        shapes = [named_shape_of(outline, record) for record in records]
        centre = mean_shape(shapes)
        fit = median(likeness(shape, centre) for shape in shapes)
        return cls(outline, centre, fit, max(1.0, median(weigh(outline, [record]) for record in records)))

    def look(self, record: Record) -> tuple[float, float]:
        """How like the rest a record is, and how heavy, against what is usual."""
        fit = likeness(named_shape_of(self.outline, record), self.shape)
        return fit / self.fit, weigh(self.outline, [record]) / self.weight

    def cut(self, record: Record) -> Record:
        """The record itself; of a run that is odd, the beginning that is most like the rest."""
        if len(record) == 1 or not _is_odd(*self.look(record)):
            return record
        best = max((record[:size] for size in range(1, len(record) + 1)), key=lambda part: self.look(part)[0])
        return record if _is_odd(*self.look(best)) else best

    def has_twin(self, record: Record, others: Sequence[Record]) -> bool:
        """Whether another record is of the same shape."""
        shape = named_shape_of(self.outline, record)
        return any(likeness(shape, named_shape_of(self.outline, other)) >= LIMITS.sure for other in others)


def _leading(outline: Outline, records: Sequence[Record]) -> tuple[Record, ...]:
    """Without what leads nowhere at the ends, where all between leads somewhere: headings."""
    leads = [any(map(outline.link_count, record)) for record in records]
    if True in leads:
        first, last = leads.index(True), len(leads) - leads[::-1].index(True)
        if all(leads[first:last]) and 2 * (last - first) > len(leads):
            return tuple(records[first:last])
    return tuple(records)


def _is_header(outline: Outline, record: Record) -> bool:
    """Whether a row has header cells alone."""
    tree = outline.tree
    cells = [tree.tag[child] for child in tree.children(record[0]) if tree.tag[child] != TEXT]
    return tree.tag[record[0]] == "tr" and bool(cells) and set(cells) == {"th"}


def _is_odd(fit: float, weight: float) -> bool:
    """Unlike the others, in the middle of them: the more so, the more its weight is out of the usual."""
    if weight < LIMITS.tiny:
        return fit < LIMITS.sure
    return fit < (LIMITS.odd if LIMITS.light < weight < LIMITS.heavy else LIMITS.odd_weight)


def _is_edge(fit: float, weight: float) -> bool:
    """A heading or a pager at the beginning or the end: rather light, and rather unlike."""
    return fit < LIMITS.sure and fit * min(1.0, 2 * weight) ** 0.5 < LIMITS.edge and weight < LIMITS.light
