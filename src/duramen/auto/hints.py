"""Hints: what the names that authors gave to elements say of the text in them.

`class`, `id`, `role` and `itemprop` are written for style sheets and scripts, but by people: `sidebar`, `post-content`,
`articleBody`. Each word of such a name has a score in a dictionary that is part of the model: how much more of the text
below elements that bear it is content than of text elsewhere, as a logarithm of odds, learnt over sites. The words are
looked up, never matched: a name is cut at hyphens, underscores and capitals; one of which the dictionary knows no part
is tried by its beginning, so that `commentlist` finds `comment`.

Tags have a score of their own, under `<p>` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from duramen.compiled import faster
from duramen.tree import Attributes, Tree

Dictionary = Mapping[str, int]

MOST_NAMES = 8
"""Of a longer class attribute the rest is style, not meaning."""
_SHORTEST, _LONGEST = 4, 9
"""How long a beginning is tried."""

_capitals = re.compile("(?<=[a-z])(?=[A-Z])")

Score = tuple[float, int, int, bool]
"""Of an element: the mean of its words' scores, the lowest, the highest and whether there was any."""

NONE: Score = 0.0, 0, 0, False

_Sum = tuple[int, int, int, int]
"""Of a name: the sum of its words' scores, how many were known, the lowest and the highest."""


@faster
def names(attributes: Attributes) -> list[str]:
    """The names of an element."""
    return _names(attributes.get("class"), attributes.get("id"), attributes.get("role"), attributes.get("itemprop"))


@faster
def words(name: str) -> list[str]:
    """The words of a name: the whole of it, and its parts."""
    return _words(name)


@faster
def score(names: list[str], dictionary: Dictionary) -> Score:
    """What the names of an element say together."""
    return _score(names, dictionary, {})


@faster
def scores(tree: Tree, nodes: list[int], dictionary: Dictionary) -> tuple[list[Score], list[str], list[str | None]]:
    """The score of each element's names, the first word of its class, and its role.

    Pages repeat names: each is scored once.
    """
    found, classes, roles = _scores(tree.attributes_of(nodes), dictionary)
    for place in range(min(len(nodes), 2)):  # what is said of the whole page tells nothing apart
        if tree.tag[nodes[place]] in ("html", "body"):
            found[place] = NONE
    return found, classes, roles


def _names(name: str | None, identity: str | None, role: str | None, itemprop: str | None) -> list[str]:
    found: list[str] = name.split()[:MOST_NAMES] if name else []
    if identity:
        found += identity.split()[:MOST_NAMES]
    if role:
        found.append("role=" + role)
    if itemprop:
        found.append("prop=" + itemprop)
    return found


def _words(name: str) -> list[str]:
    lower = name.lower()
    found = [lower]
    if lower != name:
        lower = _capitals.sub("-", name).lower()
    if "-" in lower or "_" in lower:
        found += [part for part in lower.replace("_", "-").split("-") if len(part) > 1]
    return found


def _sum(name: str, dictionary: Dictionary) -> _Sum:
    total = count = lowest = highest = 0
    known = None
    found = _words(name)
    for word in found:
        known = dictionary.get(word)
        if known is not None:
            value = known
            total += value
            count += 1
            if value < lowest:
                lowest = value
            elif value > highest:
                highest = value
    if not count:
        word = found[0]
        for length in range(min(len(word) - 1, _LONGEST), _SHORTEST - 1, -1):
            known = dictionary.get(word[:length])
            if known is not None:
                value = known
                return value, 1, min(value, 0), max(value, 0)
    return total, count, lowest, highest


def _score(names: list[str], dictionary: Dictionary, sums: dict[str, _Sum]) -> Score:
    total = count = lowest = highest = 0
    for name in names:
        known = sums.get(name)
        if known is None:
            known = sums[name] = _sum(name, dictionary)
        each, many, low, high = known
        total += each
        count += many
        if low < lowest:
            lowest = low
        if high > highest:
            highest = high
    return (total / count, lowest, highest, True) if count else NONE


def _scores(attributes: list[Attributes], dictionary: Dictionary) -> tuple[list[Score], list[str], list[str | None]]:
    sums: dict[str, _Sum] = {}
    alone: dict[str, tuple[Score, str]] = {}  # by the class of elements that have no other names
    known: dict[tuple[str | None, ...], tuple[Score, str]] = {}
    found: list[Score] = []
    classes: list[str] = []
    roles: list[str | None] = []
    for own in attributes:
        name, identity, role, itemprop = own.get("class"), own.get("id"), own.get("role"), own.get("itemprop")
        if identity is None and role is None and itemprop is None:
            if name is None:
                found.append(NONE)
                classes.append("")
                roles.append(None)
                continue
            value = alone.get(name)
            if value is None:
                own_names = _names(name, None, None, None)
                value = alone[name] = _score(own_names, dictionary, sums), own_names[0] if own_names else ""
        else:
            key = name, identity, role, itemprop
            value = known.get(key)
            if value is None:
                own_names = _names(name, identity, role, itemprop)
                first = own_names[0] if name and not name.isspace() else ""
                value = known[key] = _score(own_names, dictionary, sums), first
        found.append(value[0])
        classes.append(value[1])
        roles.append(role)
    return found, classes, roles
