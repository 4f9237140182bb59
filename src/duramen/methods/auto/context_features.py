# cython: boundscheck=False, wraparound=False
# Every index is that of a block or an element of the page at hand, whose arrays are as long as it says.
"""The second look: what the first look at the other blocks says of a block.

The local classifier sees a block and its surroundings; it does not see its own answers for them. They are told to the
experts that come after it: the answers for the neighbours, for the circles, for all blocks of the same kind, for the
page as a whole; whether the block lies in the best run of blocks (maximum subsequence, Pasternack and Roth 2009, each
word worth its probability less a half); how much of the expected content comes before it; and how far it is in the tree
from the *core*, the block from which most content is expected: its probability times its words, of which `MANY` count.

Means are weighted by words. Written into the rows behind the features.
"""

from __future__ import annotations

from array import array

from duramen.methods.auto.ancestors import meet
from duramen.methods.auto.columns import CIRCLES
from duramen.methods.auto.forest import ranked
from duramen.methods.auto.rows import Features

NAMES: list[str] = [
    *"p p-2 p-1 p+1 p+2".split(),
    *(f"p_circle{number}" for number in range(CIRCLES)),
    *"p_kind p_most p_mean p_before p_after in_run from_run p_run p_4 p_10 p_above rank p_cut".split(),
    *"from_core with_core_blocks with_core_p with_core_up with_core_down".split(),
]
COUNT = len(NAMES)

MANY = 60.0
"""Words beyond these make a block no likelier to be the core."""


def add_context(features: Features, probabilities: array[float], at: int) -> None:
    """Fill `COUNT` numbers of each row, from the number `at` on."""
    if len(features):
        core = _core(probabilities, features.words)
        meetings = meet(features.parent, features.owner[core])
        _fill(
            features.rows,
            features.width,
            at,
            probabilities,
            features.words,
            features.owner,
            features.circles,
            features.start,
            features.stop,
            features.kind,
            features.kinds,
            ranked(probabilities),
            core,
            meetings.place,
            meetings.up,
            meetings.down,
        )


def _core(p: array[float], words: array[float]) -> int:
    """The block from which most content is expected; of those alike, the first."""
    core = 0
    most = -1.0
    for block in range(len(p)):
        expected = p[block] * (words[block] if words[block] < MANY else MANY)
        if expected > most:
            most, core = expected, block
    return core


def _fill(
    rows: array[float],
    width: int,
    at: int,
    p: array[float],
    words: array[float],
    owner: array[int],
    circles: array[int],
    start: array[int],
    stop: array[int],
    kinds: array[int],
    kind_count: int,
    order: array[int],
    core: int,
    meeting: array[int],
    up: array[int],
    down: array[int],
) -> None:
    count = len(p)
    sum_words = array("d", bytes(8 * (count + 1)))
    sums = array("d", bytes(8 * (count + 1)))
    kind_words = array("d", bytes(8 * kind_count))
    kind_sums = array("d", bytes(8 * kind_count))
    best = run = 0.0
    run_start = best_start = best_stop = 0
    most = 0.0
    for block in range(count):
        size = words[block]
        expected = p[block] * size
        sum_words[block + 1] = sum_words[block] + size
        sums[block + 1] = sums[block] + expected
        kind = kinds[block]
        kind_words[kind] += size
        kind_sums[kind] += expected
        if p[block] > most:
            most = p[block]
        if run <= 0.0:
            run, run_start = 0.0, block
        run += size * (p[block] - 0.5)
        if run > best:
            best, best_start, best_stop = run, run_start, block + 1
    total = sums[count]
    all_words = sum_words[count]
    if best_stop:
        in_run = (sums[best_stop] - sums[best_start]) / (sum_words[best_stop] - sum_words[best_start])
    else:
        in_run = 0.0
    share = total if total > 0.0 else 1.0
    for block in range(count):
        row = block * width + at
        rows[row] = p[block]
        rows[row + 1] = p[block - 2] if block >= 2 else -1.0
        rows[row + 2] = p[block - 1] if block >= 1 else -1.0
        rows[row + 3] = p[block + 1] if block + 1 < count else -1.0
        rows[row + 4] = p[block + 2] if block + 2 < count else -1.0
        for number in range(CIRCLES):
            circle = circles[owner[block] * CIRCLES + number]
            if circle >= 0:
                low, high = start[circle], stop[circle]
                rows[row + 5 + number] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])
            else:
                rows[row + 5 + number] = total / all_words
        row += 5 + CIRCLES
        kind = kinds[block]
        rows[row] = kind_sums[kind] / kind_words[kind]
        rows[row + 1] = most
        rows[row + 2] = total / all_words
        rows[row + 3] = sums[block] / share
        rows[row + 4] = (total - sums[block + 1]) / share
        rows[row + 5] = 1.0 if best_start <= block < best_stop else 0.0
        rows[row + 6] = block - best_start if block < best_start else max(0, block - best_stop + 1)
        rows[row + 7] = in_run
        for reach in (4, 10):
            low = block - reach if block > reach else 0
            high = block + reach + 1 if block + reach + 1 < count else count
            rows[row + (8 if reach == 4 else 9)] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])
        other = owner[block]
        low, high = start[meeting[other]], stop[meeting[other]]
        rows[row + 13] = block - core
        rows[row + 14] = high - low
        rows[row + 15] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])
        rows[row + 16] = up[other]
        rows[row + 17] = down[other]
    # in the order of their probability: how much of the content, and of the page, is surer than this block
    expected = taken = highest = 0.0
    for place in range(count):
        block = order[place]
        expected += p[block] * words[block]
        taken += words[block]
        row = block * width + at + 5 + CIRCLES
        rows[row + 10] = expected / share
        rows[row + 11] = taken / all_words
        rows[row + 12] = 2.0 * expected / (taken + share)
        if rows[row + 12] > highest:
            highest = rows[row + 12]
    if highest > 0.0:
        for block in range(count):
            rows[block * width + at + 5 + CIRCLES + 12] /= highest
