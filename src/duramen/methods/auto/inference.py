"""From probabilities to a choice of blocks: the global step, in seven ways.

- `expected-f1`: the cut-off at which the F1 to expect is largest (`readings`); the default.
- `one-doubt`, `each-doubt`: the same where all doubt of a page is one, and where it is each block's own, rather than
  that of its kind.
- `threshold`: every block more likely content than not.
- `maximum-subsequence`: the one run of blocks with the largest sum of w (p − ½), as in Pasternack and Roth 2009.
- `segments`: all maximal runs with a positive sum (Ruzzo and Tompa 1999) that are worth as much as five sure words.
- `tree`: every element is in or out; a block gains w (p − ½) for being in, and each element that differs from the one
  around it costs `SWITCH` words; the best choice of all by dynamic programming from the leaves up.
"""

from __future__ import annotations

from array import array

from duramen.dom.blocks import Blocks
from duramen.methods.auto.threshold import Reading, read, sharpened
from duramen.methods.mss.subsequence import maximal_subsequences, maximum_subsequence

WAYS = ("expected-f1", "one-doubt", "each-doubt", "threshold", "maximum-subsequence", "segments", "tree")

_CUTTING = ("expected-f1", "one-doubt", "each-doubt")

SWITCH = 2.0
"""Words: what a border between content and the rest costs in `tree`."""
FEWEST = 5.0
"""Words that a run of `segments` must be worth, were they all sure."""


def choose(way: str, blocks: Blocks, probabilities: array[float], kinds: array[int], sharpness: float) -> Reading:
    """The blocks to keep, in one of `WAYS`. Only those that cut know what F1 to expect; the others ask the first."""
    count = len(blocks)
    doubts = kinds
    if way == "one-doubt":
        doubts = array("q", bytes(8 * count))
    elif way == "each-doubt":
        doubts = array("q", range(count))
    reading = read(blocks.weights, probabilities, doubts, sharpness)
    if way in _CUTTING or not count:
        return reading
    gains = [size * (p - 0.5) for size, p in zip(blocks.words, sharpened(probabilities, sharpness), strict=True)]
    if way == "threshold":
        kept = [gain > 0 for gain in gains]
    elif way == "tree":
        kept = _tree(blocks, gains)
    else:
        kept = [False] * len(blocks)
        if way == "segments":
            runs = [run for run in maximal_subsequences(gains) if run.value >= FEWEST * 0.5]
        else:
            best = maximum_subsequence(gains)
            runs = [best] if best is not None else []
        for run in runs:
            kept[run.start : run.stop] = [True] * (run.stop - run.start)
    return Reading(reading.probabilities, kept, reading.expected)


def _tree(blocks: Blocks, gains: list[float]) -> list[bool]:
    """The best labelling of elements and blocks, with a price on every change between an element and what it holds."""
    count = len(blocks.node)
    inside = [0.0] * count  # the best sum below an element that is in, and one that is out
    outside = [0.0] * count
    for block, owner in enumerate(blocks.owner):
        inside[owner] += max(gains[block], -SWITCH)
        outside[owner] += max(gains[block] - SWITCH, 0.0)
    for element in range(count - 1, 0, -1):
        above = blocks.parent[element]
        if above >= 0:
            inside[above] += max(inside[element], outside[element] - SWITCH)
            outside[above] += max(outside[element], inside[element] - SWITCH)
    state = [False] * count
    for element in range(count):
        above = blocks.parent[element]
        around = above >= 0 and state[above]
        cost = SWITCH if around else -SWITCH
        state[element] = inside[element] + cost > outside[element]
    return [gain > (-SWITCH if state[owner] else SWITCH) for gain, owner in zip(gains, blocks.owner, strict=True)]
