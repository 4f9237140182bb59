# cython: boundscheck=False, wraparound=False
# Element, combination and word numbers are made by the functions of this module.
"""Scores of class names: what `class`, `id`, `role` and `itemprop` say about the text of an element.

These attributes are written for style sheets and scripts, but by people: `sidebar`, `post-content`, `articleBody`. The
model has a dictionary of words. The score of a word is the log odds that text below an element with this word is
content, relative to all text, learned over sites. A name is split at hyphens, underscores and capitals; when no part of
it is in the dictionary, its longest known prefix counts, so that `commentlist` is scored as `comment`. Tags have
scores too, under `<p>` and so on.

A score looks at one word alone: `entry` occurs above titles, dates and texts alike, and says nothing. Each word also
has a *path weight*: what it adds to the other words on the path from the root to an element, learned jointly by
logistic regression. Beside `entry`, `content` says much, and `comments` says no although it is
inside `post`. A word counts once on a path.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.dom.lexbor import CAMEL_CASE_BORDER
from duramen.dom.tree import Attributes, Tree

MAX_NAMES = 8
"""Names that are read of a class or id attribute; later ones are mostly about style."""
MIN_PREFIX_CHARS, MAX_PREFIX_CHARS = 4, 9
WEIGHT_SCALE = 16.0
"""Path weights are stored as whole numbers: sixteenths."""
MAX_CACHED_NAMES, MAX_CACHED_CHARS = 20_000, 160
"""Pages repeat attributes and names, and so do sites: the scores of short ones are kept from page to page."""

_ATTRIBUTES = "class", "id", "role", "itemprop"

SCORE_NAMES = (
    "own_score nearest_score lowest_score highest_score score_sum parent_score parent2_score parent3_score tag_score"
    " lowest_class_score".split()
)
"""Class-name scores of an element and its ancestors, in the order of the next line."""
_OWN, _NEAREST, _LOWEST, _HIGHEST, _SUM, _PARENT, _PARENT2, _PARENT3, _TAG, _LOWEST_CLASS = range(len(SCORE_NAMES))

_Score = tuple[int, int, int, int, tuple[int, ...]]
"""Scores of the words of one name or of several: their sum, how many words the dictionary has, the lowest score (at
most 0), the highest (at least 0), and the numbers of these words, without the prefix that may stand for a name."""


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
    scores: NDArray[np.float64]
    """An `ElementScore` for each combination, as all lists below are of combinations. Names of `html` and `body` have
    no score: all text is below them."""
    first_class: list[str]
    role: list[str | None]
    is_comment: list[bool]
    """Whether the class or id contains "omment": `comments`, `Comment`, `usercomment`."""
    word_ends: NDArray[np.int64]
    """The words of combination c are `words[word_ends[c]:word_ends[c + 1]]`; none for `html` and `body`."""
    words: list[int]


def read_names(attributes: Attributes) -> list[str]:
    """Return the names of an element; those of `role` and `itemprop` with a prefix."""
    class_, id_, role, itemprop = map(attributes.get, _ATTRIBUTES)
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
        lower = CAMEL_CASE_BORDER.sub("-", name).lower()
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
        self._cache: dict[str, _Score] = {}

    def number_words(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words in the dictionary; −1 for other words."""
        return [self._numbers.get(word, -1) for word in words]

    def score_tag(self, tag: str) -> int:
        """Return the score of a tag."""
        return self.dictionary.get(f"<{tag}>", 0)

    def score_names(self, names: list[str]) -> tuple[ElementScore, list[int]]:
        """Return the score of an element with these names, and the numbers of their words."""
        total, count, lowest, highest, words = _join_scores([self._score_name(name) for name in names])
        return (ElementScore(total / count, lowest, highest, True) if count else ElementScore()), list(words)

    def _score_value(self, value: str) -> _Score:
        """Return the score of the names in the value of a class or id."""
        score = self._cache.get(value)
        if score is None:
            names = value.split()[:MAX_NAMES]
            score = _join_scores([self._score_name(name) for name in names])
            self._keep(value, score)
        return score

    def _score_name(self, name: str) -> _Score:
        """Return the score of the words of a name."""
        known = self._cache.get(name)
        if known is not None:
            return known
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
        self._keep(name, result)
        return result

    def _keep(self, text: str, score: _Score) -> None:
        if len(text) <= MAX_CACHED_CHARS:
            if len(self._cache) >= MAX_CACHED_NAMES:
                self._cache = {}
            self._cache[text] = score

    def read_elements(self, tree: Tree, nodes: array[int]) -> ElementNames:
        """Return the names of these elements, and their scores."""
        combinations, combination = tree.attribute_combinations(_ATTRIBUTES, nodes)
        scored = len(combinations)
        for place in range(min(len(nodes), 2)):
            if tree.tag[nodes[place]] in ("html", "body"):
                combinations.append(combinations[combination[place]])
                combination[place] = len(combinations) - 1
        scores, word_ends = np.zeros((len(combinations), _SCORE_FIELDS)), np.zeros(len(combinations) + 1, np.int64)
        names = ElementNames(combination, scores, [], [], [], word_ends, [])
        if combinations:
            self._score_combinations(
                combinations, scored, names.first_class, names.role, names.is_comment, names.words, scores.data,
                word_ends.data,
            )  # fmt: skip
        return names

    def _score_combinations(
        self,
        combinations: list[tuple[str | None, ...]],
        scored: int,
        first_classes: list[str],
        roles: list[str | None],
        are_comments: list[bool],
        all_words: list[int],
        scores: Any,
        word_ends: Any,
    ) -> None:
        """Fill the lists and arrays of `ElementNames`; combinations after the first `scored` have no score."""
        for number in range(len(combinations)):
            class_, id_, role, itemprop = combinations[number]
            is_comment = False
            first_class = ""
            parts = []
            if class_:
                parts.append(self._score_value(class_))
                is_comment = "omment" in class_
                first_class = _find_first_name(class_)
            if id_:
                parts.append(self._score_value(id_))
                is_comment = is_comment or "omment" in id_
            if role:
                parts.append(self._score_name("role=" + role))
            if itemprop:
                parts.append(self._score_name("prop=" + itemprop))
            first_classes.append(first_class)
            roles.append(role)
            are_comments.append(is_comment)
            if parts and number < scored:
                total, count, lowest, highest, words = _join_scores(parts)
                if count:
                    scores[number, 0] = total / count
                    scores[number, 1] = lowest
                    scores[number, 2] = highest
                    scores[number, 3] = 1.0
                    all_words.extend(words)
            word_ends[number + 1] = len(all_words)

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
            counts, path = _ZERO * len(self.weights), _ZERO * len(parent)
            _sum_path_weights(
                sums, parent, tags, combination, word_ends, words, self.weights, WEIGHT_SCALE, counts, path
            )
        return sums


_ZERO = array("q", (0,))
_SCORE_FIELDS = len(ElementScore._fields)


def _join_scores(parts: list[_Score]) -> _Score:
    """Return the score of several names together."""
    if len(parts) == 1:
        return parts[0]
    total = count = lowest = highest = 0
    words: tuple[int, ...] = ()
    for part_total, part_count, part_lowest, part_highest, part_words in parts:
        total += part_total
        count += part_count
        lowest = part_lowest if part_lowest < lowest else lowest
        highest = part_highest if part_highest > highest else highest
        words += part_words
    return total, count, lowest, highest, words


def _find_first_name(value: str) -> str:
    """Return the first name in the value of a class, or an empty string."""
    names = value.split(None, 1)
    return names[0] if names else ""


def _sum_path_weights(
    sums: Any,
    parent: array[int],
    tags: array[int],
    combination: array[int],
    word_ends: array[int],
    words: list[int],
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
                word = words[place]
                counts[word] -= 1
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


def inherit_scores(
    parent: Any, tag_scores: Any, own_scores: NDArray[np.float64], combination: Any
) -> NDArray[np.float64]:
    """Return the scores of each element and its ancestors, one line per name of `SCORE_NAMES`.

    `own_scores` has an `ElementScore` of class names for each combination.
    """
    scores = np.zeros((len(SCORE_NAMES), len(parent)))
    if len(parent):
        _inherit_scores(parent, tag_scores, own_scores.data, combination, scores.data)
    return scores


def _inherit_scores(parent: Any, tag_scores: Any, own_scores: Any, combination: Any, scores: Any) -> None:
    for element in range(len(parent)):
        above = parent[element]
        own = combination[element]
        mean, lowest, highest = own_scores[own, 0], own_scores[own, 1], own_scores[own, 2]
        tag_score = tag_scores[element]
        low = lowest if lowest < tag_score else tag_score
        high = highest if highest > tag_score else tag_score
        scores[_OWN, element] = scores[_NEAREST, element] = mean
        scores[_LOWEST, element], scores[_HIGHEST, element] = low, high
        scores[_SUM, element] = mean + 0.5 * tag_score
        scores[_TAG, element], scores[_LOWEST_CLASS, element] = tag_score, lowest
        if above >= 0:
            if own_scores[own, 3] == 0.0:  # no word of its names is known
                scores[_NEAREST, element] = scores[_NEAREST, above]
            if scores[_LOWEST, above] < low:
                scores[_LOWEST, element] = scores[_LOWEST, above]
            if scores[_HIGHEST, above] > high:
                scores[_HIGHEST, element] = scores[_HIGHEST, above]
            scores[_SUM, element] = scores[_SUM, above] + mean + 0.5 * tag_score
            scores[_PARENT, element] = scores[_OWN, above]
            scores[_PARENT2, element] = scores[_PARENT, above]
            scores[_PARENT3, element] = scores[_PARENT2, above]
            if scores[_LOWEST_CLASS, above] < lowest:
                scores[_LOWEST_CLASS, element] = scores[_LOWEST_CLASS, above]
