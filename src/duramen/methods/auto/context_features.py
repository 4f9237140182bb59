# cython: boundscheck=False, wraparound=False
# Indices are blocks and elements of the page; −1 (none) is tested before it is used.
"""Context features: what the first classifier says about the other blocks of the page.

The first classifier sees a block and its surroundings, but not its own answers for them. The second one also gets the
probabilities of the neighbors, the containers, the cluster and the page; whether the block is in the best run of blocks
(maximum subsequence, Pasternack and Roth 2009, each word worth its probability less one half); how much of the expected
content comes before it; and how far in the tree it is from the *core*, the block with the largest expected content.

Means are weighted by words. As in `features`, each feature is declared once. The module is compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duramen.methods.auto import features
from duramen.methods.auto.boosted_trees import rank
from duramen.methods.auto.feature_names import declare_in
from duramen.methods.auto.features import CONTAINERS, Features, Floats, find_common_ancestors

MAX_CORE_WORDS = 60.0
"""Words that count for the core: a longer block is no better."""

NAMES: list[str] = []
"""The names of all context features, in the order of the model: their lines come after those of `features`."""
_column = declare_in(NAMES, features.COUNT)

_P = _column("p")
_P_PREVIOUS_2 = _column("p-2")
_P_PREVIOUS = _column("p-1")
_P_NEXT = _column("p+1")
_P_NEXT_2 = _column("p+2")
_P_CONTAINER = _column(*[f"p_container{number}" for number in range(CONTAINERS)])
_P_CLUSTER = _column("p_cluster")
_P_MOST = _column("p_most")
_P_MEAN = _column("p_mean")
_CONTENT_BEFORE = _column("content_before")
_CONTENT_AFTER = _column("content_after")
_IN_RUN = _column("in_run")
_FROM_RUN = _column("from_run")
_P_RUN = _column("p_run")
_P_WITHIN_4 = _column("p_within_4")
_P_WITHIN_10 = _column("p_within_10")
# In the order of probability: how much of the content, and of the page, is more probable than this block.
_SURER_CONTENT = _column("surer_content")
_SURER_WORDS = _column("surer_words")
_F1_IF_LAST = _column("f1_if_last")
_FROM_CORE = _column("from_core")
_CORE_ANCESTOR_BLOCKS = _column("core_ancestor_blocks")
_CORE_ANCESTOR_P = _column("core_ancestor_p")
_CORE_ANCESTOR_UP = _column("core_ancestor_up")
_CORE_ANCESTOR_DOWN = _column("core_ancestor_down")

COUNT = len(NAMES)


def add_context(page: Features, probabilities: Floats) -> None:
    """Fill the lines of the matrix behind those of `features`."""
    if not len(page):
        return
    # One block after the other: the same sums on every machine.
    sum_words, sums = np.zeros(len(page) + 1), np.zeros(len(page) + 1)
    np.cumsum(page.words, out=sum_words[1:])
    np.cumsum(probabilities * page.words, out=sums[1:])
    # Buffers, not arrays: without a compiler Python reads single numbers from them twice as fast.
    matrix, words, p, owner = page.matrix.data, page.words.data, probabilities.data, page.owner.data
    start, stop, containers = page.start.data, page.stop.data, page.containers.data
    _write_neighbors(matrix, p, sum_words.data, sums.data, _find_best_run(words, p))
    _write_means(matrix, sum_words.data, sums.data, owner, start, stop, containers)
    _write_clusters(matrix, words, p, page.cluster.data, np.zeros((2, len(page))).data)
    _write_ranks(matrix, words, p, rank(probabilities).data, sums[len(page)], sum_words[len(page)])
    core = _find_core(words, p)
    ancestor, up, down = find_common_ancestors(page.parent.data, owner[core])
    _write_core(matrix, sum_words.data, sums.data, owner, start, stop, core, ancestor, up, down)


def _find_best_run(words: Any, p: Any) -> tuple[int, int]:
    """Return the run of blocks with the largest sum of words times (p − ½), as a range; 0, 0 for none."""
    best = run = 0.0
    run_start = best_start = best_stop = 0
    for block in range(len(p)):
        if run <= 0.0:
            run, run_start = 0.0, block
        run += words[block] * (p[block] - 0.5)
        if run > best:
            best, best_start, best_stop = run, run_start, block + 1
    return best_start, best_stop


def _find_core(words: Any, p: Any) -> int:
    """Return the block with the largest expected content; of equal ones, the first."""
    core = 0
    most = -1.0
    max_words = MAX_CORE_WORDS
    for block in range(len(p)):
        expected = p[block] * (words[block] if words[block] < max_words else max_words)
        if expected > most:
            most, core = expected, block
    return core


def _write_neighbors(matrix: Any, p: Any, sum_words: Any, sums: Any, best_run: tuple[int, int]) -> None:
    """The blocks before and after it, the whole page, and the best run."""
    count = len(p)
    run_start, run_stop = best_run
    run_mean = most = 0.0
    if run_stop:
        run_mean = (sums[run_stop] - sums[run_start]) / (sum_words[run_stop] - sum_words[run_start])
    for block in range(count):
        most = p[block] if p[block] > most else most
    total, mean = sums[count], sums[count] / sum_words[count]
    share = total if total > 0.0 else 1.0
    for block in range(count):
        matrix[_P, block] = p[block]
        matrix[_P_PREVIOUS_2, block] = p[block - 2] if block >= 2 else -1.0
        matrix[_P_PREVIOUS, block] = p[block - 1] if block >= 1 else -1.0
        matrix[_P_NEXT, block] = p[block + 1] if block + 1 < count else -1.0
        matrix[_P_NEXT_2, block] = p[block + 2] if block + 2 < count else -1.0
        matrix[_P_MOST, block] = most
        matrix[_P_MEAN, block] = mean
        matrix[_CONTENT_BEFORE, block] = sums[block] / share
        matrix[_CONTENT_AFTER, block] = (total - sums[block + 1]) / share
        matrix[_P_RUN, block] = run_mean
        if block < run_start:
            matrix[_FROM_RUN, block] = block - run_start
        elif block < run_stop:
            matrix[_IN_RUN, block] = 1.0
        else:
            matrix[_FROM_RUN, block] = block - run_stop + 1
        low = block - 4 if block > 4 else 0
        high = block + 5 if block + 5 < count else count
        matrix[_P_WITHIN_4, block] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])
        low = block - 10 if block > 10 else 0
        high = block + 11 if block + 11 < count else count
        matrix[_P_WITHIN_10, block] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])


def _write_means(matrix: Any, sum_words: Any, sums: Any, owner: Any, start: Any, stop: Any, containers: Any) -> None:
    """Its containers; the page for those that it does not have."""
    count = len(owner)
    mean = sums[count] / sum_words[count]
    for block in range(count):
        for number in range(len(containers)):
            element = containers[number, owner[block]]
            if element >= 0:
                low, high = start[element], stop[element]
                matrix[_P_CONTAINER + number, block] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])
            else:
                matrix[_P_CONTAINER + number, block] = mean


def _write_clusters(matrix: Any, words: Any, p: Any, cluster: Any, cluster_sums: Any) -> None:
    """Its cluster. The sums have two lines: expected content, and words."""
    for block in range(len(p)):
        number = cluster[block]
        cluster_sums[0, number] += words[block] * p[block]
        cluster_sums[1, number] += words[block]
    for block in range(len(p)):
        number = cluster[block]
        matrix[_P_CLUSTER, block] = cluster_sums[0, number] / cluster_sums[1, number]


def _write_ranks(matrix: Any, words: Any, p: Any, order: Any, total: float, all_words: float) -> None:
    """The blocks that are more probable."""
    share = total if total > 0.0 else 1.0
    content = kept_words = best_f1 = 0.0
    for place in range(len(order)):
        block = order[place]
        content += p[block] * words[block]
        kept_words += words[block]
        f1 = 2.0 * content / (kept_words + share)
        matrix[_SURER_CONTENT, block] = content / share
        matrix[_SURER_WORDS, block] = kept_words / all_words
        matrix[_F1_IF_LAST, block] = f1
        best_f1 = f1 if f1 > best_f1 else best_f1
    if best_f1 > 0.0:
        for block in range(len(order)):
            matrix[_F1_IF_LAST, block] /= best_f1


def _write_core(
    matrix: Any,
    sum_words: Any,
    sums: Any,
    owner: Any,
    start: Any,
    stop: Any,
    core: int,
    ancestor: Any,
    up: Any,
    down: Any,
) -> None:
    """Distance from the core, and the lowest common ancestor with it."""
    for block in range(len(owner)):
        element = owner[block]
        low, high = start[ancestor[element]], stop[ancestor[element]]
        matrix[_FROM_CORE, block] = block - core
        matrix[_CORE_ANCESTOR_BLOCKS, block] = high - low
        matrix[_CORE_ANCESTOR_P, block] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])
        matrix[_CORE_ANCESTOR_UP, block] = up[element]
        matrix[_CORE_ANCESTOR_DOWN, block] = down[element]
