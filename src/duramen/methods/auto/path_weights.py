# cython: boundscheck=False, wraparound=False
# Every index is an element on the way at hand, or a word that the dictionary has numbered.
"""Ways: what the words on the way from the page down to an element say together.

A word's score in the dictionary is its own: `entry` stands over titles, dates and texts alike, and says nothing. Its
*weight* is what it adds to the others on a way, learnt for all of them at once: beside `entry`, `content` says much,
and `comments` says no though it stands within `post`. A word counts once on a way, however many elements bear it.
"""

from __future__ import annotations

from array import array

SCALE = 16.0
"""Weights are whole numbers: sixteenths."""


def weigh(
    parent: array[int], tag: array[int], which: array[int], ends: array[int], words: array[int], weights: array[int]
) -> array[float]:
    """The sum of the weights on the way to each element.

    Elements come in the order of the page, each with its tag, which is a word or −1, and the number of its names, and
    names n have the words from `ends[n]` to `ends[n + 1]`.
    """
    found = array("d", (0.0,)) * len(parent)
    if len(weights):
        borne = array("i", (0,)) * len(weights)
        _weigh(found, parent, tag, which, ends, words, weights, borne, array("q", (0,)) * len(parent))
    return found


def _weigh(
    found: array[float],
    parent: array[int],
    tag: array[int],
    which: array[int],
    ends: array[int],
    words: array[int],
    weights: array[int],
    borne: array[int],
    way: array[int],
) -> None:
    """`borne` tells by how many elements of the `way` at hand a word is borne."""
    size = 0
    for element in range(len(parent)):
        above = parent[element]
        while size and way[size - 1] != above:
            size -= 1
            number = which[way[size]]
            word = tag[way[size]]
            if word >= 0:
                borne[word] -= 1
            for place in range(ends[number], ends[number + 1]):
                borne[words[place]] -= 1
        total = found[above] if above >= 0 else 0.0
        number = which[element]
        word = tag[element]
        if word >= 0:
            if not borne[word]:
                total += weights[word] / SCALE
            borne[word] += 1
        for place in range(ends[number], ends[number + 1]):
            word = words[place]
            if not borne[word]:
                total += weights[word] / SCALE
            borne[word] += 1
        found[element] = total
        way[size] = element
        size += 1
