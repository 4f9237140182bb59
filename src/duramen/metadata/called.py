"""What an element is called: the words of its class and its id."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 300
_capitals = re.compile("(?<=[a-z])(?=[A-Z])")
_parts = re.compile(r"[^\W_]+")


def name_words(classes: str | None, name: str | None) -> frozenset[str]:
    """The words of a class and an id: `postMeta entry-date` is post, meta, entry, date."""
    both = (f"{classes} {name}" if classes and name else classes or name or "")[:_LONGEST]
    return frozenset(_parts.findall(both if both.islower() else _capitals.sub(" ", both).lower()))
