"""Outliers: children of a list that are not records, such as header rows, pagers, headings, advertisements.

An outlier differs from the other records in structure; the more its weight is unusual, the less it must differ. At the
ends of a list, where headings and pagers are, the limits are stricter than in the middle; but an element with a similar
record in the middle is a record. A run of siblings that continues into something else, such as the heading of the next
section or the foot of the page, is cut and not dropped.

An advertisement is recognized by its class or id, if most records do not have such a name: on a site of classified ads
all records have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from statistics import median
from typing import Final, NamedTuple

from duramen.data_records.segmentation import Record, total_weight
from duramen.data_records.similarity import MeanSignature, NamedSignature, named_signature_of, similarity
from duramen.data_records.weights import SubtreeWeights
from duramen.dom.class_names import ADVERT_LETTERS, ADVERT_PATTERN, has_class_word
from duramen.dom.tree import TEXT

# Fits and weights are multiples of the median of the list.
MIN_FIT: Final = 0.4
"""A record of usual weight with a lower fit is an outlier."""
MIN_FIT_UNUSUAL_WEIGHT: Final = 0.65
"""The same for a record that is light or heavy."""
SURE_FIT: Final = 0.9
"""From this fit on, a record is no outlier, whatever its weight and position."""
TINY_WEIGHT: Final = 0.15
LIGHT_WEIGHT: Final = 0.5
HEAVY_WEIGHT: Final = 3.0
MIN_EDGE_FIT: Final = 0.8
"""At the ends of a list, a light record with a lower fit, damped by its weight, is an outlier."""
MIN_TWIN_SIMILARITY: Final = 0.9
MIN_RECORDS: Final = 4
"""Shorter lists have no usual record, and are left as they are."""
MAX_CUT_SIBLINGS: Final = 12
"""Longest beginning of a run that is tried: signatures do not look at more siblings."""
MAX_VARIANTS: Final = 200
"""Different signatures with which the ends are compared: templates have few, hostile pages any number."""


def drop_outliers(weights: SubtreeWeights, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records without those that differ from the rest."""
    if len(records) < MIN_RECORDS:
        return records
    typical = _TypicalRecord.of(weights, records)
    rated = [typical.cut_run(one) if one.is_outlier else one for one in typical.rate_all()]
    headers = [_is_header_row(weights, one.record) for one in rated]
    if 4 * sum(headers) <= len(headers):
        rated = [
            one._replace(is_outlier=True) if is_header else one for one, is_header in zip(rated, headers, strict=True)
        ]
    first, last = 0, len(rated)
    while first < last and (rated[first].is_outlier or rated[first].is_edge):
        first += 1
    while first < last and (rated[last - 1].is_outlier or rated[last - 1].is_edge):
        last -= 1
    if first or last < len(rated):
        variants = _distinct_signatures(one.signature for one in rated[first:last] if not one.is_outlier)
        while first and rated[first - 1].has_twin(variants):
            first -= 1
        while last < len(rated) and rated[last].has_twin(variants):
            last += 1
    kept = _drop_ends_without_links(weights, [one.record for one in rated[first:last] if not one.is_outlier])
    return kept if 2 * len(kept) > len(records) or len(kept) >= MIN_RECORDS else tuple(one.record for one in rated)


class _RatedRecord(NamedTuple):
    """A record with its fit and weight as multiples of the median of the list."""

    record: Record
    signature: NamedSignature
    fit: float
    weight: float
    is_outlier: bool

    @property
    def is_edge(self) -> bool:
        """True for a likely heading or pager at the ends of a list: rather light, and rather different."""
        fit, weight = self.fit, self.weight
        return fit < SURE_FIT and fit * min(1.0, 2 * weight) ** 0.5 < MIN_EDGE_FIT and weight < LIGHT_WEIGHT

    def has_twin(self, variants: Iterable[NamedSignature]) -> bool:
        """True if another record has the same structure, and this one is no outlier."""
        return not self.is_outlier and any(
            similarity(self.signature, variant) >= MIN_TWIN_SIMILARITY for variant in variants
        )


def _distinct_signatures(signatures: Iterable[NamedSignature]) -> list[NamedSignature]:
    distinct = {frozenset(signature.items()): signature for signature in signatures}
    return list(islice(distinct.values(), MAX_VARIANTS))


@dataclass(frozen=True)
class _TypicalRecord:
    """Mean structure and median weight of the records of a list."""

    weights: SubtreeWeights
    records: Sequence[Record]
    signatures: Sequence[NamedSignature]
    mean: MeanSignature
    fits: Sequence[float]
    record_weights: Sequence[int]

    @classmethod
    def of(cls, weights: SubtreeWeights, records: Sequence[Record]) -> _TypicalRecord:
        signatures = [named_signature_of(weights, record) for record in records]
        mean = MeanSignature.of(signatures)
        fits = [mean.similarity(signature) for signature in signatures]
        return cls(weights, records, signatures, mean, fits, [total_weight(weights, [record]) for record in records])

    def rate_all(self) -> list[_RatedRecord]:
        columns = zip(self.records, self.signatures, self.fits, self.record_weights, strict=True)
        return [self._rate(*values) for values in columns]

    def cut_run(self, outlier: _RatedRecord) -> _RatedRecord:
        """The beginning of a run that fits best; the whole run if that beginning is an outlier, too."""
        beginnings = []
        for size in range(1, min(len(outlier.record), MAX_CUT_SIBLINGS + 1)):
            beginning = outlier.record[:size]
            signature = named_signature_of(self.weights, beginning)
            fit = self.mean.similarity(signature)
            beginnings.append(self._rate(beginning, signature, fit, total_weight(self.weights, [beginning])))
        best = max(beginnings, key=lambda beginning: beginning.fit, default=outlier)
        return outlier if best.is_outlier else best

    def _rate(self, record: Record, signature: NamedSignature, fit: float, weight: int) -> _RatedRecord:
        # If most records have no weight, the median fit is 0: then no record is less usual than another.
        relative_fit = fit / self._median_fit if self._median_fit else 1.0
        relative_weight = weight / self._median_weight
        return _RatedRecord(
            record, signature, relative_fit, relative_weight, _is_outlier(relative_fit, relative_weight)
        )

    @cached_property
    def _median_fit(self) -> float:
        return median(self.fits)

    @cached_property
    def _median_weight(self) -> float:
        return max(1.0, median(self.record_weights))


def _is_outlier(fit: float, weight: float) -> bool:
    if weight < TINY_WEIGHT:
        return fit < SURE_FIT
    return fit < (MIN_FIT if LIGHT_WEIGHT < weight < HEAVY_WEIGHT else MIN_FIT_UNUSUAL_WEIGHT)


def _is_header_row(weights: SubtreeWeights, record: Record) -> bool:
    """True for a table row that has header cells alone."""
    tree = weights.tree
    cells = [tree.tag[child] for child in tree.children(record[0]) if tree.tag[child] != TEXT]
    return tree.tag[record[0]] == "tr" and bool(cells) and set(cells) == {"th"}


def _drop_ends_without_links(weights: SubtreeWeights, records: Sequence[Record]) -> tuple[Record, ...]:
    """Drop records without links at both ends, if all others have links: they are headings."""
    has_links = [any(map(weights.link_count, record)) for record in records]
    if True in has_links:
        first, last = has_links.index(True), len(has_links) - has_links[::-1].index(True)
        if all(has_links[first:last]) and 2 * (last - first) > len(has_links):
            return tuple(records[first:last])
    return tuple(records)


def drop_adverts(weights: SubtreeWeights, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records without advertisements, and without the parts of runs that are advertisements."""
    tops = [(top, wrapper) for record in records for top in record for wrapper in _wrappers(weights, top)]
    wrappers = [wrapper for _, wrapper in tops]
    adverts: set[int] = set()
    for attribute in ("class", "id"):
        values = weights.tree.attribute_values(attribute, wrappers)
        distinct = {value for value in set(values) if value}
        if not ADVERT_LETTERS.search(" ".join(distinct)):
            continue
        matching = {value for value in distinct if has_class_word(ADVERT_PATTERN, value)}
        if matching:
            adverts.update(top for (top, _), value in zip(tops, values, strict=True) if value in matching)
    if not adverts or 2 * len(adverts) >= len(records):
        return records
    rests = (tuple(top for top in record if top not in adverts) for record in records)
    return tuple(rest for rest in rests if rest)


def _wrappers(weights: SubtreeWeights, node: int) -> list[int]:
    """An element, and below it each element that holds all of its weight."""
    tag_ids, ends, weight_sums = weights.tag_ids, weights.tree.end, weights.weight_sums
    wrappers: list[int] = []
    while tag_ids[node]:
        wrappers.append(node)
        stop = ends[node]
        node += 1
        while node < stop and weight_sums[ends[node]] == weight_sums[node]:
            node = ends[node]
        if node == stop or weight_sums[ends[node]] < weight_sums[stop]:
            break
    return wrappers
