# cython: boundscheck=False, wraparound=False
# Element, combination and word numbers are made by the functions of this module.
"""Scores of class names: what `class`, `id`, `role` and `itemprop` say about the text of an element.

These attributes are written for style sheets and scripts, but by people: `sidebar`, `post-content`, `articleBody`. The
model has a dictionary of words. The score of a word is the log odds that text below an element with this word is
content, relative to all text, learnt over sites. A name is split at hyphens, underscores and capitals; when no part of
it is in the dictionary, its longest known prefix counts, so that `commentlist` is scored as `comment`. Tags have
scores too, under `<p>` and so on.

A score looks at one word alone: `entry` occurs above titles, dates and texts alike, and says nothing. Each word also
has a *path weight*: what it adds to the other words on the path from the root to an element, learnt jointly by logistic
regression. Beside `entry`, `content` says much, and `comments` says no although it is inside `post`. A word counts once
on a path.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.dom.tree import Attributes, Tree

MAX_NAMES = 8
"""Names that are read of a class or id attribute; later ones are mostly about style."""
MIN_PREFIX_CHARS, MAX_PREFIX_CHARS = 4, 9
WEIGHT_SCALE = 16.0
"""Path weights are stored as whole numbers: sixteenths."""
MAX_CACHED_NAMES, MAX_CACHED_CHARS = 20_000, 60
"""Pages repeat names, and so do sites: the scores of short names are kept from page to page."""

_ATTRIBUTES = "class", "id", "role", "itemprop"
_split_at_capitals = re.compile("(?<=[a-z])(?=[A-Z])")


_NameScore = tuple[int, int, int, int, tuple[int, ...]]
"""Scores of the words of one name: their sum, how many words the dictionary has, the lowest score (at most 0), the
highest (at least 0), and the numbers of these words, without the prefix that may stand for the name."""


class ElementScore(NamedTuple):
    """Scores of all names of an element."""

    mean: float = 0.0
    lowest: int = 0
    highest: int = 0
    is_known: bool = False
    """Whether the dictionary has any word of them."""


@dataclass(eq=False)
class ElementNames:
    """Names of the elements of a page. Elements with equal attributes share a *combination*."""

    combination: array[int]
    """Of each element."""
    scores: list[ElementScore]
    """Of each combination, as all lists below. Names of `html` and `body` have no score: all text is below them."""
    first_class: list[str]
    role: list[str | None]
    is_comment: list[bool]
    """Whether the class or id contains "omment": `comments`, `Comment`, `usercomment`."""
    word_ends: array[int]
    """The words of combination c are `words[word_ends[c]:word_ends[c + 1]]`; none for `html` and `body`."""
    words: array[int]


def read_names(attributes: Attributes) -> list[str]:
    """Return the names of an element; those of `role` and `itemprop` with a prefix."""
    return _list_names(*map(attributes.get, _ATTRIBUTES))


def _list_names(class_: str | None, id_: str | None, role: str | None, itemprop: str | None) -> list[str]:
    names = class_.split()[:MAX_NAMES] if class_ else []
    if id_:
        names += id_.split()[:MAX_NAMES]
    if role:
        names.append("role=" + role)
    if itemprop:
        names.append("prop=" + itemprop)
    return names


def split_name(name: str) -> list[str]:
    """Return the words of a name: the whole name, then its parts."""
    lower = name.lower()
    words = [lower]
    if lower != name:
        lower = _split_at_capitals.sub("-", name).lower()
    if "-" in lower or "_" in lower:
        words += [part for part in lower.replace("_", "-").split("-") if len(part) > 1]
    return words


class ClassScorer:
    """The dictionary of a model: scores and path weights of words."""

    def __init__(self, dictionary: Mapping[str, int], weights: Sequence[int] = ()) -> None:
        self.dictionary = dictionary
        self.weights = array("q", weights)
        """In the order of the dictionary; empty for a model without."""
        self._numbers = {word: number for number, word in enumerate(dictionary)}
        self._scores = list(dictionary.values())
        self._cache: dict[str, _NameScore] = {}

    def number_words(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words in the dictionary; −1 for other words."""
        return [self._numbers.get(word, -1) for word in words]

    def score_tag(self, tag: str) -> int:
        """Return the score of a tag."""
        return self.dictionary.get(f"<{tag}>", 0)

    def score_names(self, names: list[str]) -> tuple[ElementScore, list[int]]:
        """Return the score of an element with these names, and the numbers of their words."""
        total = count = lowest = highest = 0
        words: list[int] = []
        for name in names:
            score = self._cache.get(name)
            if score is None:
                score = self._score_name(name)
            name_total, name_count, name_lowest, name_highest, numbers = score
            if name_count:
                total += name_total
                count += name_count
                lowest = name_lowest if name_lowest < lowest else lowest
                highest = name_highest if name_highest > highest else highest
                words.extend(numbers)
        return (ElementScore(total / count, lowest, highest, True) if count else _UNKNOWN), words

    def _score_name(self, name: str) -> _NameScore:
        """Return the scores of the words of a name, and cache them."""
        total = count = lowest = highest = 0
        numbers: list[int] = []
        words = split_name(name)
        for word in words:
            number = self._numbers.get(word, -1)
            if number >= 0:
                score = self._scores[number]
                total += score
                count += 1
                lowest = score if score < lowest else lowest
                highest = score if score > highest else highest
                numbers.append(number)
        word = words[0]
        length = min(len(word) - 1, MAX_PREFIX_CHARS)
        while not count and length >= MIN_PREFIX_CHARS:
            number = self._numbers.get(word[:length], -1)
            if number >= 0:
                total = self._scores[number]
                count = 1
                lowest, highest = min(total, 0), max(total, 0)
            length -= 1
        result = (total, count, lowest, highest, tuple(numbers))
        if len(name) <= MAX_CACHED_CHARS:
            if len(self._cache) >= MAX_CACHED_NAMES:
                self._cache = {}
            self._cache[name] = result
        return result

    def read_elements(self, tree: Tree, nodes: array[int]) -> ElementNames:
        """Return the names of these elements, and their scores."""
        combinations, combination = tree.attribute_combinations(_ATTRIBUTES, nodes)
        scored = len(combinations)
        for place in range(min(len(nodes), 2)):
            if tree.tag[nodes[place]] in ("html", "body"):
                combinations.append(combinations[combination[place]])
                combination[place] = len(combinations) - 1
        names = ElementNames(combination, [], [], [], [], array("q", (0,)), array("q"))
        for number, (class_, id_, role, itemprop) in enumerate(combinations):
            names.first_class.append((class_.split(None, 1) or ("",))[0] if class_ else "")
            names.role.append(role)
            names.is_comment.append(bool((class_ and "omment" in class_) or (id_ and "omment" in id_)))
            if number < scored:
                score, words = self.score_names(_list_names(class_, id_, role, itemprop))
                names.scores.append(score)
                names.words.extend(words)
            else:
                names.scores.append(_UNKNOWN)
            names.word_ends.append(len(names.words))
        return names

    def sum_path_weights(
        self,
        parent: Any,
        tags: Any,
        combination: Any,
        word_ends: Any,
        words: Any,
    ) -> NDArray[np.float64]:
        """Return the sum of the weights of the distinct words on the path to each element.

        Elements are in document order. `tags` holds the number of each element's tag as a word, or −1.
        """
        sums = np.zeros(len(parent))
        if len(self.weights) and len(parent):
            counts = array("q", (0,)) * len(self.weights)
            path = array("q", (0,)) * len(parent)
            _sum_path_weights(
                sums, parent, tags, combination, word_ends, words, self.weights, WEIGHT_SCALE, counts, path
            )
        return sums


_UNKNOWN = ElementScore()


def _sum_path_weights(
    sums: Any,
    parent: array[int],
    tags: array[int],
    combination: array[int],
    word_ends: array[int],
    words: array[int],
    weights: array[int],
    scale: float,
    counts: array[int],
    path: array[int],
) -> None:
    """Fill the sums. `counts[w]` is the number of elements on the current path that carry word w."""
    depth = 0
    for element in range(len(parent)):
        above = parent[element]
        while depth and path[depth - 1] != above:
            depth -= 1
            left = path[depth]
            if tags[left] >= 0:
                counts[tags[left]] -= 1
            for place in range(word_ends[combination[left]], word_ends[combination[left] + 1]):
                counts[words[place]] -= 1
        total = sums[above] if above >= 0 else 0.0
        if tags[element] >= 0:
            word = tags[element]
            if not counts[word]:
                total += weights[word] / scale
            counts[word] += 1
        for place in range(word_ends[combination[element]], word_ends[combination[element] + 1]):
            word = words[place]
            if not counts[word]:
                total += weights[word] / scale
            counts[word] += 1
        sums[element] = total
        path[depth] = element
        depth += 1
