"""Context features: what the first classifier says about the other blocks of the page.

The first classifier sees a block and its surroundings, but not its own answers for them. The second one also gets the
probabilities of the neighbors, the containers, the cluster and the page; whether the block is in the best run of blocks
(maximum subsequence, Pasternack and Roth 2009, each word worth its probability less one half); how much of the expected
content comes before it; and how far in the tree it is from the *core*, the block with the largest expected content.

Means are weighted by words. As in `features`, each feature is one line `name: values`.
"""

from __future__ import annotations

import numpy as np

from duramen.methods.auto import features
from duramen.methods.auto.feature_loops import find_best_run
from duramen.methods.auto.features import CONTAINERS, Columns, Features, Floats, find_common_ancestors, get_neighbor
from duramen.methods.auto.forest import rank

MAX_CORE_WORDS = 60.0
"""Words that count for the core: a longer block is no better."""


def add_context(features_: Features, probabilities: Floats) -> None:
    """Fill the lines of the matrix behind those of `features`."""
    if len(features_):
        columns = make_columns(features_, probabilities)
        features_.matrix[features.COUNT : features.COUNT + COUNT] = np.concatenate(list(columns.values())).reshape(
            COUNT, -1
        )


def make_columns(page: Features, p: Floats) -> Columns:
    """Return the context features of every block, in the order of the model."""
    count, words = len(p), page.words
    expected = p * words
    sum_words, sums = np.zeros(count + 1), np.zeros(count + 1)
    np.cumsum(words, out=sum_words[1:])  # one block after the other: the same sums on every machine
    np.cumsum(expected, out=sums[1:])
    total, all_words = sums[count], sum_words[count]
    share = total if total > 0.0 else 1.0
    mean = total / all_words if count else 0.0
    element_mean = (sums[page.stop] - sums[page.start]) / (sum_words[page.stop] - sum_words[page.start])
    containers = page.containers[:, page.owner]
    container_means = np.where(containers >= 0, element_mean[containers], mean)
    cluster_words = np.bincount(page.cluster, words, minlength=1)
    cluster_mean = np.bincount(page.cluster, expected, minlength=1) / np.maximum(cluster_words, 1.0)
    index = np.arange(count)
    run_start, run_stop = find_best_run(words, p)
    run_words = sum_words[run_stop] - sum_words[run_start]
    run_mean = (sums[run_stop] - sums[run_start]) / run_words if run_stop else 0.0
    core = int(np.argmax(p * np.minimum(words, MAX_CORE_WORDS))) if count else 0
    ancestor, up, down = find_common_ancestors(page.parent, int(page.owner[core]) if count else 0)
    common = ancestor[page.owner]
    columns: Columns = {
        "p": p,
        **{f"p{distance:+}": get_neighbor(p, distance) for distance in (-2, -1, 1, 2)},
        **{f"p_container{number}": container_means[number] for number in range(CONTAINERS)},
        "p_cluster": cluster_mean[page.cluster],
        "p_most": np.full(count, p.max(initial=0.0)),
        "p_mean": np.full(count, mean),
        "content_before": sums[:-1] / share,
        "content_after": (total - sums[1:]) / share,
        "in_run": (index >= run_start) & (index < run_stop),
        "from_run": np.where(index < run_start, index - run_start, np.maximum(0, index - run_stop + 1)),
        "p_run": np.full(count, run_mean),
    }
    for reach in (4, 10):
        low, high = np.maximum(index - reach, 0), np.minimum(index + reach + 1, count)
        columns[f"p_within_{reach}"] = (sums[high] - sums[low]) / (sum_words[high] - sum_words[low])
    # In the order of probability: how much of the content, and of the page, is more probable than this block.
    order = rank(p)
    surer_content, surer_words, f1 = np.zeros((3, count))
    surer_content[order] = np.cumsum(expected[order])
    surer_words[order] = np.cumsum(words[order])
    f1[order] = 2.0 * surer_content[order] / (surer_words[order] + share)
    best_f1 = f1.max(initial=0.0)
    return columns | {
        "surer_content": surer_content / share,
        "surer_words": surer_words / all_words,
        "f1_if_last": f1 / best_f1 if best_f1 > 0.0 else f1,
        "from_core": index - core,
        "core_ancestor_blocks": page.stop[common] - page.start[common],
        "core_ancestor_p": element_mean[common],
        "core_ancestor_up": up[page.owner],
        "core_ancestor_down": down[page.owner],
    }


def _name_columns() -> list[str]:
    """Return the names of all context features: those of a page without blocks."""
    nothing = np.zeros(0, np.int64)
    containers = np.zeros((CONTAINERS, 0), np.int64)
    page = Features(np.zeros((0, 0)), np.zeros(0), nothing, nothing, nothing, nothing, containers, nothing)
    return list(make_columns(page, np.zeros(0)))


NAMES = _name_columns()
COUNT = len(NAMES)
