# cython: boundscheck=False, wraparound=False
# Every index is that of a block of the page at hand, or of a row of the width that its features have.
"""Readings: which blocks to keep, once each has a probability; and what a reading says of its page.

The cut-off is the page's own: the one at which the F1 to expect is largest. What is to be expected depends on how the
blocks hang together. Were each a doubt of its own, twenty teasers, each as likely as not, would be content by half for
sure, and worth keeping. But whoever doubts one teaser doubts the others for the same reason: they are of one *kind*,
with the same elements and names around them, and either the kind is content or it is not. So blocks of a kind share
their doubt, and kinds are doubted each by itself: the content is, of every kind, what is likelier than a level of that
kind that nobody knows, anything between 0 and 1 alike. `GUESSES` such contents are imagined, and a cut-off is worth its
mean F1 with them. Every run of kept blocks costs one word more: a reader stumbles over scraps.

`describe_page` tells how sure a reading is, how much of the page it keeps and of what kind that is, and of what kind
the rest; and the mean of every feature over the content that is expected, whether or not it is kept, but not over what
is surely none. From this, and from the page's `facts`, the model tells the type of the page.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from math import sqrt

from duramen.methods.auto.columns import NAMES as FEATURE_NAMES
from duramen.methods.auto.forest import DOUBT, ranked
from duramen.methods.auto.rows import Features

SCRAP = 1.0
"""What a run of kept blocks costs, in words."""

GUESSES = 31
"""How many contents are imagined: a prime, so that each doubt runs through all levels in an order of its own."""

LOOKED_AT = (
    "links end commas digits before heading lowest repeated long_before alike_share group_share group_size group_words"
    " peers3 article main list table pre form images1 told"
).split()
_COLUMNS = array("q", [FEATURE_NAMES.index(name) for name in LOOKED_AT])
_LINKS = FEATURE_NAMES.index("links")

NAMES: list[str] = [
    *"expected share mean probability doubt density runs first last page_short page_medium page_long".split(),
    *(f"{name}_{where}" for where in ("kept", "left") for name in LOOKED_AT),
    *(f"{name}_expected" for name in FEATURE_NAMES),
]
COUNT = len(NAMES)
_FEATURES = len(FEATURE_NAMES)


@dataclass(eq=False)
class Reading:
    """The blocks that one set of probabilities keeps."""

    probabilities: array[float] = field(repr=False)
    kept: list[bool] = field(repr=False)
    expected: float
    """The F1 to expect if the probabilities are right."""


def read(words: array[float], probabilities: array[float], doubts: array[int], sharpness: float = 1.0) -> Reading:
    """Cut where the expected F1 is largest. A sharpness above 1 keeps less, one below 1 keeps more.

    Blocks with the same number in `doubts` are doubted together.
    """
    if not len(words):
        return Reading(probabilities, [], 0.0)
    kept, expected = _cut(words, sharpened(probabilities, sharpness), ranked(probabilities), doubts, SCRAP)
    return Reading(probabilities, kept, expected)


def sharpened(probabilities: array[float], sharpness: float) -> array[float]:
    """Probabilities to the power of 1, 2 or ½: the powers that every machine computes alike."""
    if sharpness == 1.0:
        return probabilities
    if sharpness == 2.0:
        return array("d", [p * p for p in probabilities])
    if sharpness == 0.5:
        return array("d", [sqrt(p) for p in probabilities])
    raise ValueError(f"no sharpness: {sharpness}")


def leaning(words: array[float], probabilities: array[float], kinds: array[int]) -> array[float]:
    """Each probability halfway to the mean of its kind, in which long blocks count more; but what is surely no content
    stays so, of whatever kind it is."""
    sums: dict[int, float] = {}
    sizes: dict[int, float] = {}
    for kind, size, p in zip(kinds, words, probabilities, strict=True):
        sums[kind] = sums.get(kind, 0.0) + size * p
        sizes[kind] = sizes.get(kind, 0.0) + size
    leant = [(p + sums[kind] / sizes[kind]) / 2 for kind, p in zip(kinds, probabilities, strict=True)]
    return array("d", [new if old >= DOUBT else old for new, old in zip(leant, probabilities, strict=True)])


def _cut(
    words: array[float], p: array[float], order: array[int], doubts: array[int], scrap: float
) -> tuple[list[bool], float]:
    totals = array("d", bytes(8 * GUESSES))  # of each guess its words, and how many of these were chosen
    hits = array("d", bytes(8 * GUESSES))
    most = p[order[0]]
    # Where nothing is likely at all, it is asked what were content if the likeliest were.
    scale = most if 0.0 < most * GUESSES < 1.0 else 1.0
    likely = 0  # blocks that any guess has
    while likely < len(order) and GUESSES * p[order[likely]] / scale > 0.5:
        block = order[likely]
        _give(totals, words[block], p[block] / scale, doubts[block])
        likely += 1
    chosen = [False] * (len(p) + 2)  # with a border on either side
    best = size = 0.0
    best_count = runs = 0
    for count in range(1, likely + 1):
        block = order[count - 1]
        runs += 1 - (1 if chosen[block] else 0) - (1 if chosen[block + 2] else 0)
        chosen[block + 1] = True
        size += words[block]
        cost = size + scrap * runs
        _give(hits, words[block], p[block] / scale, doubts[block])
        expected = 0.0
        for guess in range(GUESSES):
            expected += hits[guess] / (totals[guess] + cost)
        if expected > best:
            best, best_count = expected, count
    for count in range(best_count, likely):
        chosen[order[count] + 1] = False
    return chosen[1 : len(p) + 1], best * 2.0 / GUESSES * scale


def _give(guesses: array[float], words: float, p: float, doubt: int) -> None:
    """Give the words of a block to every guess that has it: those in which it is likelier than the level of its doubt.

    From guess to guess the level rises by a step of the doubt's own, and begins again from below.
    """
    step, level = 1 + 7 * doubt % (GUESSES - 1), 13 * doubt % GUESSES
    height = GUESSES * p - 0.5
    for guess in range(GUESSES):
        if level < height:
            guesses[guess] += words
        level += step
        if level >= GUESSES:
            level -= GUESSES


def describe_page(features: Features, reading: Reading) -> array[float]:
    """What a reading says of its page, as one row."""
    row = array("d", bytes(8 * COUNT))
    if len(features):
        words = features.words
        _describe(row, words, reading.probabilities, reading.kept, reading.expected)
        _contrast(row, words, features.rows, features.width, _COLUMNS, reading.kept)
        _content(row, words, features.rows, features.width, reading.probabilities)
    return row


def _describe(row: array[float], words: array[float], p: array[float], kept: list[bool], expected: float) -> None:
    count = len(p)
    total = size = mass = doubt = 0.0
    blocks = runs = 0
    first = last = -1
    for block in range(count):
        total += words[block]
        mass += p[block] * words[block]
        doubt += p[block] * (1.0 - p[block]) * words[block]
        if kept[block]:
            size += words[block]
            blocks += 1
            if first < 0:
                first = block
            if last != block - 1 or blocks == 1:
                runs += 1
            last = block
    before = after = 0.0
    for block in range(count):
        if block < first:
            before += words[block]
        elif block > last:
            after += words[block]
    row[0] = expected
    row[1] = size / total
    row[2] = size / blocks if blocks else 0.0
    row[3] = mass / total
    row[4] = doubt / mass if mass > 0.0 else 0.0
    row[5] = size / (total - before - after) if blocks else 0.0
    row[6] = runs / blocks if blocks else 0.0
    row[7] = before / total
    row[8] = after / total


def _contrast(
    row: array[float], words: array[float], rows: array[float], width: int, columns: array[int], kept: list[bool]
) -> None:
    count = len(kept)
    total = size = short = medium = long = 0.0
    for block in range(count):
        own = words[block]
        total += own
        if kept[block]:
            size += own
        plain = own * (1.0 - rows[block * width + _LINKS])
        if plain >= 15.0:
            short += plain
        if plain >= 40.0:
            medium += plain
        if plain >= 80.0:
            long += plain
    row[9] = short / total
    row[10] = medium / total
    row[11] = long / total
    # Row by row, as they stand in memory: the sums are made where the means will be.
    many = len(columns)
    for block in range(count):
        own = words[block]
        first = 12 if kept[block] else 12 + many
        at = block * width
        for place in range(many):
            row[first + place] += own * rows[at + columns[place]]
    for place in range(many):
        row[12 + place] = row[12 + place] / size if size > 0.0 else -1.0
        row[12 + many + place] = row[12 + many + place] / (total - size) if total > size else -1.0


def _content(row: array[float], words: array[float], rows: array[float], width: int, p: array[float]) -> None:
    first = len(row) - _FEATURES
    total = 0.0
    for block in range(len(p)):
        if p[block] < DOUBT:
            continue  # as most are
        expected = p[block] * words[block]
        total += expected
        at = block * width
        for place in range(_FEATURES):
            row[first + place] += expected * rows[at + place]
    for place in range(first, len(row)):
        row[place] = row[place] / total if total > 0.0 else -1.0
