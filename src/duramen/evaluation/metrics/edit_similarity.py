"""Edit similarity of two texts: 1 − Levenshtein distance / length of the longer text.

RapidFuzz computes the distance on bits, 64 characters at a time: two texts of 100,000 characters take a fraction of a
second. Only the first `MAX_CHARS` characters of each text are aligned. Everything behind them counts as different, so
that the work is bounded and a text that is too long never gains by it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from duramen.errors import MissingExtraError

try:
    from rapidfuzz.distance import Levenshtein
except ImportError as error:
    raise MissingExtraError("rapidfuzz", "evaluation") from error

MAX_CHARS: Final = 150_000


def edit_similarity(reference: str, text: str) -> float:
    """Return the similarity of two texts, from 0 to 1; two empty texts are equal."""
    longer = max(len(reference), len(text))
    if not longer:
        return 1.0
    if longer <= MAX_CHARS:
        return 1 - Levenshtein.distance(reference, text) / longer
    distance = Levenshtein.distance(reference[:MAX_CHARS], text[:MAX_CHARS])
    return 1 - (distance + longer - MAX_CHARS) / longer


def list_edits(first: Sequence[Hashable], second: Sequence[Hashable]) -> Iterator[tuple[int | None, int | None]]:
    """Return the edits from one sequence to the other as pairs of positions; None for what is inserted or removed."""
    numbers: dict[Hashable, int] = {}
    rows = [[numbers.setdefault(item, len(numbers)) for item in items] for items in (first, second)]
    for edit in Levenshtein.editops(*rows):
        yield None if edit.tag == "insert" else edit.src_pos, None if edit.tag == "delete" else edit.dest_pos
