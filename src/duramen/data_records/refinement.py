"""Refinement: from the candidate records of a region to its final records.

Replies inside comments become records, sections and rows of tiles are split into their records, and advertisements and
outliers are dropped.

An outlier is a child of the list that is no record, such as a header row, a pager or a heading. It differs from the
other records in structure; the more its weight is unusual, the less it must differ. At the ends of a list, where
headings and pagers are, the limits are stricter than in the middle; but an element with a similar record in the middle
is a record. A run of siblings that continues into something else, such as the heading of the next section or the foot
of the page, is cut and not dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from statistics import fmean, median
from typing import Final, NamedTuple

from duramen.data_records.adverts import drop_adverts
from duramen.data_records.completion import split_nested_replies
from duramen.data_records.record_segmentation import Record, Segmentation, make_segmentation, segment, total_weight
from duramen.data_records.sections import (
    MIN_ROW_TO_COLUMN_SIMILARITY,
    do_headings_link_to_items,
    have_one_target_per_row,
    split_sections,
)
from duramen.data_records.subtrees import (
    MeanSignature,
    NamedSignature,
    SubtreeWeights,
    mean_signature,
    named_signature_of,
    signature_of,
    similarity,
)
from duramen.dom.tree import TEXT

MAX_GRID_LEVELS: Final = 3
"""How often rows are split into tiles, and tiles again."""
MAX_GRID_ROWS: Final = 60
"""Longer lists are not grids of tiles, and are not tried."""
MIN_TILE_COVERAGE: Final = 0.75
"""Share of the weight of the rows that the tiles must have."""
MIN_TILE_BALANCE: Final = 0.75
"""Effective number of tiles in a row over their number: tiles of a row have similar weights."""
MIN_TILE_SIMILARITY: Final = 0.55
"""Mean similarity of adjacent tiles in a row."""
MIN_LINKED_TILES: Final = 0.8
"""Share of the tiles that must contain a link."""
WRAPPER_WEIGHT_SHARE: Final = 0.85
"""An element with a child of this share of its weight is a wrapper around the child."""
MAX_SAMPLED_TILES: Final = 12
MAX_PLACEHOLDER_CHARS: Final = 20
"""Longest text of a record that a script fills later: "Loading..."."""
PROBED_ROWS: Final = 3
"""Rows after which the attempt stops if they are no rows of tiles: most lists are none."""


def refine(weights: SubtreeWeights, candidates: Segmentation) -> Segmentation:
    """The final records of a region, given its candidate records."""
    refined = candidates
    starts: tuple[int, ...] = ()
    with_replies = split_nested_replies(weights, candidates.records)
    if with_replies:
        refined = make_segmentation(weights, with_replies, f"{candidates.description}, and those inside them")
    else:
        sections = split_sections(weights, candidates)
        if sections:
            starts = sections.starts
            refined = make_segmentation(weights, sections.records, f"{candidates.description}, and the records in each")
    for _ in range(0 if with_replies else MAX_GRID_LEVELS):
        tiles = _split_rows_into_tiles(weights, refined)
        if tiles is None:
            break
        refined = make_segmentation(weights, tiles, f"{refined.description}, and the cells of each")
    kept = drop_outliers(weights, drop_adverts(weights, _drop_placeholders(weights, refined.records)))
    if kept != refined.records:
        refined = make_segmentation(weights, kept, refined.description)
    return replace(refined, section_starts=starts) if starts else refined


def _drop_placeholders(weights: SubtreeWeights, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records without those that scripts fill later: several that have no text, or the same few words."""
    texts = [_read_few_words(weights, record) for record in records]
    counts = Counter(text for text in texts if text is not None)
    repeated = {text for text, count in counts.items() if count >= MIN_RECORDS}
    kept = tuple(record for record, text in zip(records, texts, strict=True) if text not in repeated)
    if len(kept) == len(records) or len(kept) < 2:
        return records
    lightest = min(total_weight(weights, [record]) for record in kept)
    return kept if lightest > 2 * max(map(len, repeated)) else records


def _read_few_words(weights: SubtreeWeights, record: Record) -> str | None:
    """The text of a record with a few words and no image; None for others."""
    tree = weights.tree
    weight = total_weight(weights, [record])
    if weight > MAX_PLACEHOLDER_CHARS:
        return None
    pieces = [tree.text[node].strip() for top in record for node in range(top, tree.end[top]) if tree.tag[node] == TEXT]
    text = "".join(pieces)
    return text if len(text) == weight else None  # there is an image, or hidden text


def _split_rows_into_tiles(weights: SubtreeWeights, rows: Segmentation) -> tuple[Record, ...] | None:
    """The tiles of all rows, where each row is a list of similar tiles, or a section; None where they are not."""
    if len(rows.records) > MAX_GRID_ROWS:
        return None
    tiles_by_row: list[Sequence[Record]] = []
    for row in rows.records:
        tiles = segment(weights, _path_to_core(weights, max(row, key=weights.weight))[-1])
        tiles_by_row.append(tiles.records if tiles else ())
        if len(tiles_by_row) == PROBED_ROWS and not _are_tile_rows(weights, tiles_by_row):
            return None
    return _complete_tiles(weights, rows, tiles_by_row)


def _complete_tiles(
    weights: SubtreeWeights, rows: Segmentation, tiles_by_row: Sequence[Sequence[Record]]
) -> tuple[Record, ...] | None:
    """All tiles, with those of rows that have a single tile; None if the rows are no rows of tiles.

    Most often the last row has a single tile. It differs so much from the others that it may not be among the rows.
    """
    most = max(map(len, tiles_by_row))
    full_row_tiles = [tile for tiles in tiles_by_row if len(tiles) == most for tile in tiles]
    mean = mean_signature([signature_of(weights, tile) for tile in full_row_tiles[:MAX_SAMPLED_TILES]])
    completed = [
        tiles if len(tiles) == most else _find_single_tile(weights, row, tiles, mean)
        for row, tiles in zip(rows.records, tiles_by_row, strict=True)
    ]
    if not _are_tile_rows(weights, completed, rows.weight):
        return None
    if do_headings_link_to_items(weights, [pair for pair in zip(rows.records, completed, strict=True) if pair[1]]):
        return None
    tree = weights.tree
    last = rows.records[-1][-1]
    following = (child for child in tree.children(tree.parent[last]) if child >= tree.end[last])
    next_row = next((child for child in following if weights.weight(child)), None)
    if next_row is not None and tree.tag[next_row] == tree.tag[rows.records[0][0]]:
        completed.append(_find_single_tile(weights, (next_row,), (), mean))
    return tuple(tile for tiles in completed for tile in tiles)


def _find_single_tile(
    weights: SubtreeWeights, row: Record, tiles: Sequence[Record], mean: NamedSignature
) -> Sequence[Record]:
    """The single tile of a row, if it is more similar to the tiles of other rows than its own parts are."""

    def fit(record: Record) -> float:
        return similarity(signature_of(weights, record), mean)

    path = _path_to_core(weights, max(row, key=weights.weight))
    best = max(((node,) for node in path[:MAX_SAMPLED_TILES]), key=fit)
    minimum = max(MIN_TILE_SIMILARITY, fmean(map(fit, tiles)) if tiles else 0.0)
    return (best,) if fit(best) > minimum else tiles


def _are_tile_rows(weights: SubtreeWeights, tiles_by_row: Sequence[Sequence[Record]], row_weight: int = 0) -> bool:
    """True if these are tiles of rows that weigh `row_weight` in total."""
    several = [tiles for tiles in tiles_by_row if len(tiles) > 1]
    if len(several) < max(2, len(tiles_by_row) - 1):
        return False
    all_tiles = [tile for tiles in tiles_by_row for tile in tiles]
    if total_weight(weights, all_tiles) < MIN_TILE_COVERAGE * row_weight:
        return False
    if fmean(_effective_count(weights, tiles) / len(tiles) for tiles in several) < MIN_TILE_BALANCE:
        return False
    signatures = [[signature_of(weights, tile) for tile in tiles[:MAX_SAMPLED_TILES]] for tiles in several]
    in_rows = fmean([similarity(one, other) for row in signatures for one, other in pairwise(row)])
    in_columns = fmean(
        [
            similarity(one, other)
            for row, next_row in pairwise(signatures)
            for one, other in zip(row, next_row, strict=False)
        ]
    )
    if in_rows < MIN_TILE_SIMILARITY or in_rows < MIN_ROW_TO_COLUMN_SIMILARITY * in_columns:
        return False
    if have_one_target_per_row(weights, several):
        return False
    linked = sum(any(weights.link_weight(node) for node in tile) for tile in all_tiles)
    return linked >= MIN_LINKED_TILES * len(all_tiles)


def _path_to_core(weights: SubtreeWeights, node: int) -> list[int]:
    """The wrappers from an element down to the first element that is no wrapper, which is the last one."""
    path = [node]
    while True:
        children = [child for child in weights.tree.children(node) if weights.weight(child)]
        heaviest = max(children, key=weights.weight, default=None)
        if heaviest is None or weights.tree.tag[heaviest] == TEXT:
            return path
        if weights.weight(heaviest) < WRAPPER_WEIGHT_SHARE * weights.weight(node):
            return path
        node = heaviest
        path.append(node)


def _effective_count(weights: SubtreeWeights, records: Sequence[Record]) -> float:
    record_weights = [total_weight(weights, [record]) for record in records]
    return sum(record_weights) ** 2 / max(1, sum(weight**2 for weight in record_weights))


# Outliers and advertisements. Fits and weights are multiples of the median of the list.

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
