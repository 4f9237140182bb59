"""What stands among the records of a list and is none: header rows, pagers, headings, advertisements.

It is unlike the rest in shape, the more so the more its weight is out of the usual. At the ends, where headings and
pagers stand, less of that is borne than in the middle; but what has its like in the middle is a record there, too. A
run that goes on into something else, the heading of the next part or the foot of the page, is cut and not left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from statistics import median
from typing import NamedTuple

from duramen.data_records.outline import Outline
from duramen.data_records.partition import Record, weigh
from duramen.data_records.shape import Centre, NamedShape, likeness, named_shape_of
from duramen.dom.tree import TEXT


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
_LOOKED_AT = 12
"""Elements of a run that its shape looks at: with more of them the beginning of a run fits no better."""
_VARIANTS = 200
"""Shapes with which those at the ends are compared."""


def without_odd(outline: Outline, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records without those that are unlike the rest."""
    if len(records) < 4:
        return records
    usual = _Usual.of(outline, records)
    looked = [usual.cut(one) if one.is_odd else one for one in usual.looks]
    heads = [_is_header(outline, one.record) for one in looked]
    if 4 * sum(heads) <= len(heads):
        looked = [one._replace(is_odd=True) if head else one for one, head in zip(looked, heads, strict=True)]
    first, last = 0, len(looked)
    while first < last and (looked[first].is_odd or looked[first].is_edge):
        first += 1
    while first < last and (looked[last - 1].is_odd or looked[last - 1].is_edge):
        last -= 1
    if first or last < len(looked):
        variants = _variants(one.shape for one in looked[first:last] if not one.is_odd)
        while first and looked[first - 1].has_twin(variants):
            first -= 1
        while last < len(looked) and looked[last].has_twin(variants):
            last += 1
    kept = _leading(outline, [one.record for one in looked[first:last] if not one.is_odd])
    return kept if 2 * len(kept) > len(records) or len(kept) > 3 else tuple(one.record for one in looked)


class _Look(NamedTuple):
    """How like the rest a record is, and how heavy, as multiples of what is usual."""

    record: Record
    shape: NamedShape
    fit: float
    weight: float
    is_odd: bool

    @property
    def is_edge(self) -> bool:
        """A heading or a pager at the beginning or the end: rather light, and rather unlike."""
        fit, weight = self.fit, self.weight
        return fit < LIMITS.sure and fit * min(1.0, 2 * weight) ** 0.5 < LIMITS.edge and weight < LIMITS.light

    def has_twin(self, variants: Iterable[NamedShape]) -> bool:
        """Whether another record is of the same shape, and this one is not odd."""
        return not self.is_odd and any(likeness(self.shape, shape) >= LIMITS.sure for shape in variants)


def _variants(shapes: Iterable[NamedShape]) -> list[NamedShape]:
    """The shapes that differ: a template has few, and of a hostile page the first are enough."""
    known = {frozenset(shape.items()): shape for shape in shapes}
    return list(islice(known.values(), _VARIANTS))


@dataclass(frozen=True)
class _Usual:
    """What a record of a list is usually like."""

    outline: Outline
    records: Sequence[Record]
    shapes: Sequence[NamedShape]
    centre: Centre
    fits: Sequence[float]
    weights: Sequence[int]

    @classmethod
    def of(cls, outline: Outline, records: Sequence[Record]) -> _Usual:
        shapes = [named_shape_of(outline, record) for record in records]
        centre = Centre.of(shapes)
        fits = [centre.likeness(shape) for shape in shapes]
        return cls(outline, records, shapes, centre, fits, [weigh(outline, [record]) for record in records])

    @cached_property
    def looks(self) -> list[_Look]:
        pairs = zip(self.records, self.shapes, self.fits, self.weights, strict=True)
        return [self._look(*pair) for pair in pairs]

    def cut(self, odd: _Look) -> _Look:
        """Of a run that is odd the beginning that is most like the rest, unless that is odd, too."""
        parts = []
        for size in range(1, min(len(odd.record), _LOOKED_AT + 1)):
            shape = named_shape_of(self.outline, odd.record[:size])
            fit = self.centre.likeness(shape)
            parts.append(self._look(odd.record[:size], shape, fit, weigh(self.outline, [odd.record[:size]])))
        best = max(parts, key=lambda part: part.fit, default=odd)
        return odd if best.is_odd else best

    def _look(self, record: Record, shape: NamedShape, fit: float, weight: int) -> _Look:
        fit, share = fit / self._fit, weight / self._weight
        return _Look(record, shape, fit, share, _is_odd(fit, share))

    @cached_property
    def _fit(self) -> float:
        return median(self.fits)

    @cached_property
    def _weight(self) -> float:
        return max(1.0, median(self.weights))


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
