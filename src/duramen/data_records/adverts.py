"""Advertisements and carousels between the records of a list.

They are recognized by class or id, and advertisements by a label ("Sponsored") too, if most records have no such mark:
on a site of classified ads all records have it, and in a carousel all records are its slides. Sliders that run
endlessly contain copies of their first and last slides; these are dropped as well.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.data_records.record_segmentation import Record
from duramen.data_records.subtrees import SubtreeWeights
from duramen.dom.class_names import ADVERT_LETTERS, ADVERT_PATTERN, has_class_word

CAROUSEL_PATTERN: Final = re.compile(
    r"(?i:carousel|slider|swiper|flickity|splide)|(?:^|[-_])(?:slick|owl|glide)(?:$|[-_])"
)
"""Matches class words of carousels."""
_APART_LETTERS = re.compile(
    f"{ADVERT_LETTERS.pattern}|carousel|slide|swiper|flickity|slick|owl|glide|clone", re.IGNORECASE
)
"""A cheap test: text without these letters has no match of the other patterns."""
_COPY_PATTERN = re.compile(r"(?:^|[-_])(?:cloned?|duplicate)(?:$|[-_])")
_LABELS: Final = frozenset(
    "ad|ads|advertisement|sponsored|sponsored result|promoted|promotion|anzeige|gesponsert|sponsorisé|annonce|publicité"
    "|patrocinado|publicidad|anuncio|sponsorizzato|annuncio|pubblicità|gesponsord|advertentie|reklama|sponsorowane|реклама"
    "|広告|廣告|广告|광고".split("|")
)
_MAX_LABEL_CHARS: Final = max(map(len, _LABELS))
_MAX_LABEL_NODES: Final = 60
"""Nodes of a record in which a label is looked for."""


def drop_adverts(weights: SubtreeWeights, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records without advertisements, carousels and copies, and without such parts of runs."""
    apart = _find_named(weights, records)
    if not apart:
        apart = {top for record in records for top in record if _has_label(weights, top)}
    if not apart or 2 * len(apart) >= len(records):
        return records
    rests = (tuple(top for top in record if top not in apart) for record in records)
    return tuple(rest for rest in rests if rest)


def _find_named(weights: SubtreeWeights, records: tuple[Record, ...]) -> set[int]:
    """The elements whose class or id, or that of an element that holds all of them, names what is no record."""
    tops = [(top, wrapper) for record in records for top in record for wrapper in _wrappers(weights, top)]
    wrappers = [wrapper for _, wrapper in tops]
    named: set[int] = set()
    for attribute in ("class", "id"):
        values = weights.tree.attribute_values(attribute, wrappers)
        distinct = {value for value in set(values) if value}
        if not _APART_LETTERS.search(" ".join(distinct)):
            continue
        for pattern in (ADVERT_PATTERN, CAROUSEL_PATTERN, _COPY_PATTERN):
            matching = {value for value in distinct if has_class_word(pattern, value)}
            found = {top for (top, _), value in zip(tops, values, strict=True) if value in matching}
            if 2 * len(found) < len(records):  # else it is what all records are
                named |= found
    return named


def _has_label(weights: SubtreeWeights, top: int) -> bool:
    """True if a text of an element is a label of advertisements."""
    tree, tag_ids = weights.tree, weights.tag_ids
    return any(
        not tag_ids[node] and len(text := tree.text[node].strip()) <= _MAX_LABEL_CHARS and text.lower() in _LABELS
        for node in range(top, min(top + _MAX_LABEL_NODES, tree.end[top]))
    )


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
