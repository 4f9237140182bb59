"""What an element is called: the words of its class and its id."""

from __future__ import annotations

import re
from typing import Final

from duramen.compiled import faster

_COMPILED = __name__.startswith("duramen.compiled.")
_LONGEST: Final = 300
_capitals = re.compile("(?<=[a-z])(?=[A-Z])")
_parts = re.compile(r"[^\W_]+")


@faster
def name_words(classes: str | None, name: str | None) -> frozenset[str]:
    """The words of a class and an id: `postMeta entry-date` is post, meta, entry, date."""
    both = (f"{classes} {name}" if classes and name else classes or name or "")[:_LONGEST]
    if _COMPILED and both.isascii():
        return frozenset(_ascii_words(both))
    return frozenset(_parts.findall(both if both.islower() else _capitals.sub(" ", both).lower()))


def _ascii_words(both: str) -> list[str]:
    """What the expressions find, in one pass."""
    found = []
    start = -1  # of the word that is open
    is_small = False
    for place in range(len(both)):
        character = both[place]
        was_small, is_small = is_small, "a" <= character <= "z"
        is_capital = "A" <= character <= "Z"
        is_in_word = is_small or is_capital or "0" <= character <= "9"
        if start >= 0 and (not is_in_word or (is_capital and was_small)):
            found.append(both[start:place].lower())
            start = -1
        if start < 0 and is_in_word:
            start = place
    if start >= 0:
        found.append(both[start:].lower())
    return found
