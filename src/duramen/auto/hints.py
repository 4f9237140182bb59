"""Hints: what the names that authors gave to elements say of the text in them.

`class`, `id`, `role` and `itemprop` are written for style sheets and scripts, but by people: `sidebar`, `post-content`,
`articleBody`. Each word of such a name has a score in a dictionary that is part of the model: how much more of the text
below elements that bear it is content than of text elsewhere, as a logarithm of odds, learnt over sites. The words are
looked up, never matched: a name is cut at hyphens, underscores and capitals; one that the dictionary lacks altogether
is tried by its beginning, so that `commentlist` finds `comment`.

Tags have a score of their own, under `<p>` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from duramen.tree import Attributes, Tree

Dictionary = Mapping[str, int]

MOST_WORDS = 8
"""Of a longer class attribute the rest is style, not meaning."""
_SHORTEST, _LONGEST = 4, 9
"""How long a beginning is tried."""

_capitals = re.compile("(?<=[a-z])(?=[A-Z])")

Score = tuple[float, int, int, bool]
"""Of an element: the mean of its words' scores, the lowest, the highest and whether there was any."""

NONE: Score = 0.0, 0, 0, False


def words(attributes: Attributes) -> list[str]:
    """The words of an element's names, whole and in parts."""
    found: list[str] = []
    for name in ("class", "id"):
        value = attributes.get(name)
        if value:
            for word in value.split()[:MOST_WORDS]:
                found.append(word.lower())
                if not word.islower():
                    word = _capitals.sub("-", word).lower()
                if "-" in word or "_" in word:
                    found += [part for part in word.replace("_", "-").split("-") if len(part) > 1]
    role = attributes.get("role")
    if role:
        found.append("role=" + role)
    itemprop = attributes.get("itemprop")
    if itemprop:
        found.append("prop=" + itemprop.lower())
    return found


def score(names: list[str], dictionary: Dictionary) -> Score:
    """What the words of an element's names say together."""
    total = count = lowest = highest = 0
    few = len(names) < 3  # a name of several parts has had its chance
    for name in names:
        value = dictionary.get(name)
        if value is None and few and len(name) > _SHORTEST + 1:
            for length in range(min(len(name) - 1, _LONGEST), _SHORTEST - 1, -1):
                value = dictionary.get(name[:length])
                if value is not None:
                    break
        if value is not None:
            total += value
            count += 1
            if value < lowest:
                lowest = value
            elif value > highest:
                highest = value
    return (total / count, lowest, highest, True) if count else NONE


def scores(tree: Tree, nodes: list[int], dictionary: Dictionary) -> tuple[list[Score], list[str], list[str | None]]:
    """The score of each element's names, the first word of its class, and its role.

    Pages repeat names: each is scored once.
    """
    known: dict[tuple[str | None, ...], tuple[Score, str]] = {}
    found: list[Score] = []
    classes: list[str] = []
    roles: list[str | None] = []
    for own in tree.attributes_of(nodes):
        if not own:
            found.append(NONE)
            classes.append("")
            roles.append(None)
            continue
        name, role = own.get("class"), own.get("role")
        key = name, own.get("id"), role, own.get("itemprop")
        value = known.get(key)
        if value is None:
            first = name.split(None, 1)[0] if name and not name.isspace() else ""
            value = known[key] = score(words(own), dictionary), first
        found.append(value[0])
        classes.append(value[1])
        roles.append(role)
    for place in range(min(len(nodes), 2)):  # what is said of the whole page tells nothing apart
        if tree.tag[nodes[place]] in ("html", "body"):
            found[place] = NONE
    return found, classes, roles
