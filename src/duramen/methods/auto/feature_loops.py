# cython: boundscheck=False, wraparound=False
# Indices are blocks and elements of the page; −1 (none) is tested before it is used.
"""Loops over the blocks and elements of a page that NumPy cannot express, for `features` and `context_features`.

Compiled, with the types in `feature_loops.pxd`. Elements are in document order: parents come before their children.
Results are written into arrays that the caller has made.
"""

from __future__ import annotations

from typing import Any


def find_common_ancestors(parent: Any, other: int, ancestor: Any, up: Any, down: Any) -> None:
    steps = 0
    element = other
    while element >= 0:
        ancestor[element] = element
        down[element] = steps
        element = parent[element]
        steps += 1
    for element in range(len(parent)):
        above = parent[element]
        if down[element] < 0 and above >= 0:
            ancestor[element] = ancestor[above]
            up[element] = up[above] + 1
            down[element] = down[above]


def number(keys: list[Any], numbers: Any) -> list[Any]:
    """Give equal keys equal numbers, in the order of their first occurrence; return the distinct keys."""
    known: dict[Any, int] = {}
    for place in range(len(keys)):
        numbers[place] = known.setdefault(keys[place], len(known))
    return list(known)


def count_copies(numbers: Any, earlier: Any, total: Any) -> None:
    """Count how often each number came earlier, and how often it comes in all."""
    for place in range(len(numbers)):
        number = numbers[place]
        earlier[place] = total[number]
        total[number] += 1


def count_characters(
    lower: list[str],
    texts: list[str],
    chars: Any,
    digits: Any,
    capitals: Any,
    commas: Any,
    currencies: Any,
    ends_sentence: Any,
) -> None:
    """Count characters of each text. Digits and capitals of ASCII only: they are evidence, not rules."""
    for block in range(len(texts)):
        text = texts[block]
        chars[block] = len(lower[block])
        ends_sentence[block] = 1.0 if text[len(text) - 1] in '.!?。！？｡؟۔।॥…"”»' else 0.0
        digit = capital = comma = currency = 0
        for character in text:
            if "0" <= character <= "9":
                digit += 1
            elif "A" <= character <= "Z":
                capital += 1
            elif character in ",.，。、،۔।":
                comma += 1
            elif character in "$€£¥￥₹":
                currency += 1
        digits[block], capitals[block], commas[block], currencies[block] = digit, capital, comma, currency


def match_prefixes(lower: list[str], prefixes: tuple[str, ...], words: Any, min_words: int, shares: Any) -> None:
    """Write the share of the prefixes that each text of at least `min_words` words contains."""
    if not prefixes:
        return
    for block in range(len(lower)):
        if words[block] >= min_words:
            text = lower[block]
            count = 0
            for prefix in prefixes:
                if prefix in text:
                    count += 1
            shares[block] = count / len(prefixes)


def inherit_flags(parent: Any, flags: Any, level: Any) -> None:
    """Add the flags of the parent to those of each element, and count levels."""
    for element in range(len(parent)):
        above = parent[element]
        if above >= 0:
            flags[element] |= flags[above]
            level[element] = level[above] + 1


def inherit_scores(parent: Any, tag_scores: Any, own_scores: Any, combination: Any, scores: Any) -> None:
    """Pass scores down the tree: the lines of `scores` are those of `features.SCORE_NAMES`."""
    for element in range(len(parent)):
        above = parent[element]
        own = combination[element]
        mean, lowest, highest = own_scores[own, 0], own_scores[own, 1], own_scores[own, 2]
        tag_score = tag_scores[element]
        low = lowest if lowest < tag_score else tag_score
        high = highest if highest > tag_score else tag_score
        scores[0, element] = scores[1, element] = mean
        scores[2, element], scores[3, element] = low, high
        scores[4, element] = mean + 0.5 * tag_score
        scores[8, element], scores[9, element] = tag_score, lowest
        if above >= 0:
            if own_scores[own, 3] == 0.0:
                scores[1, element] = scores[1, above]
            if scores[2, above] < low:
                scores[2, element] = scores[2, above]
            if scores[3, above] > high:
                scores[3, element] = scores[3, above]
            scores[4, element] = scores[4, above] + mean + 0.5 * tag_score
            scores[5, element] = scores[0, above]
            scores[6, element] = scores[5, above]
            scores[7, element] = scores[6, above]
            if scores[9, above] < lowest:
                scores[9, element] = scores[9, above]


def find_containers(parent: Any, start: Any, stop: Any, tags: Any, body: int, containers: Any) -> None:
    """Fill the containers of each element; the root and the body are none."""
    for element in range(len(parent)):
        above = parent[element]
        if above < 0 or tags[element] == body:
            continue
        containers[0, element] = element
        # The place of a parent with the same blocks is taken by the child.
        has_same_blocks = start[element] == start[above] and stop[element] == stop[above]
        skipped = 1 if has_same_blocks and containers[0, above] == above else 0
        for rank in range(1, len(containers)):
            if rank - 1 + skipped < len(containers):
                containers[rank, element] = containers[rank - 1 + skipped, above]


def find_large_groups(
    parent: Any, tags: Any, body: int, peers: Any, group_words: Any, three: Any, most: Any, heaviest: Any
) -> None:
    """Find the nearest container with three peers, that with most peers, and that whose other peers have most words."""
    for element in range(len(parent)):
        above = parent[element]
        if above < 0 or tags[element] == body:
            continue
        size = peers[element]
        three[element] = element if size >= 3 else three[above]
        other = most[above]
        most[element] = element if size > 1 and (other < 0 or size >= peers[other]) else other
        other = heaviest[above]
        weight = group_words[element] * (size - 1) / size
        is_heavier = other < 0 or weight >= group_words[other] * (peers[other] - 1) / peers[other]
        heaviest[element] = element if size > 1 and is_heavier else other


def find_best_run(words: Any, p: Any) -> tuple[int, int]:
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
