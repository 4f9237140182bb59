"""Advertisements among the records of a list, or glued to the record before them.

They are called so, and most records are not: where ads are what people look for, all records bear that name.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.data_records.called import ADVERT_NAMED, is_called
from duramen.data_records.outline import Outline
from duramen.data_records.partition import Record

_HINT: Final = re.compile("ad|sponsored", re.IGNORECASE)
"""Without these letters nothing is called an advertisement."""


def without_adverts(outline: Outline, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records without advertisements, and without those parts of runs that are some."""
    framed = [(top, frame) for record in records for top in record for frame in _frames(outline, top)]
    frames = [frame for _, frame in framed]
    named: set[int] = set()
    for attribute in ("class", "id"):
        values = outline.tree.attribute_values(attribute, frames)
        known = {value for value in set(values) if value}
        if not _HINT.search(" ".join(known)):
            continue
        telling = {value for value in known if is_called(ADVERT_NAMED, value)}
        if telling:
            named.update(top for (top, _), value in zip(framed, values, strict=True) if value in telling)
    if not named or 2 * len(named) >= len(records):
        return records
    rests = (tuple(top for top in record if top not in named) for record in records)
    return tuple(rest for rest in rests if rest)


def _frames(outline: Outline, node: int) -> list[int]:
    """An element, and the one below it that is all that it shows, as far down as that goes."""
    codes, ends, before = outline.codes, outline.tree.end, outline.before
    found: list[int] = []
    while codes[node]:
        found.append(node)
        stop = ends[node]
        node += 1
        while node < stop and before[ends[node]] == before[node]:
            node = ends[node]
        if node == stop or before[ends[node]] < before[stop]:
            break
    return found
