"""What the elements of a page are called: the words of their classes and ids.

A page has thousands of elements and few names for them, so the names are read as a whole, each once.
"""

from __future__ import annotations

import re
from array import array
from typing import Final, NamedTuple

from duramen.tree import Tree

_ATTRIBUTES: Final = ("class", "id", "rel")
_LONGEST: Final = 300
_capitals = re.compile("(?<=[a-z])(?=[A-Z])")
_parts = re.compile(r"[^\W_]+")
_END: Final = "\0"  # which no attribute has: the parser puts another character in its place
_BETWEEN_WORDS: Final = {code: " " for code in range(1, 128) if not chr(code).isalnum()}


class Called(NamedTuple):
    names: list[tuple[str | None, ...]]
    """Each class, id and `rel` that stand together."""
    words: list[frozenset[str]]
    """The words of each class and id, in lower case."""
    which: array[int]
    """Of each element which of these it has."""


def called(tree: Tree, elements: array[int]) -> Called:
    """What these elements are called."""
    names, which = tree.combinations_of(_ATTRIBUTES, elements)
    lines = _END.join([_both(classes, name) for classes, name, _ in names])
    if not names:
        return Called(names, [], which)
    if lines.isascii():  # ten times as quick as an expression
        return Called(names, list(map(frozenset, map(str.split, lines.translate(_BETWEEN_WORDS).split(_END)))), which)
    return Called(names, [frozenset(_parts.findall(line)) for line in lines.split(_END)], which)


def name_words(classes: str | None, name: str | None) -> frozenset[str]:
    """The words of a class and an id: `postMeta entry-date` is post, meta, entry, date."""
    return frozenset(_parts.findall(_both(classes, name)))


def _both(classes: str | None, name: str | None) -> str:
    both = (f"{classes} {name}" if classes and name else classes or name or "")[:_LONGEST]
    return both if both.islower() else _capitals.sub(" ", both).lower()
