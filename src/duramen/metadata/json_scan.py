"""JSON read sparingly: of its objects the values of some names, the rest looked through and not made.

Most of what a page says in JSON-LD nobody asks for: ratings, offers, the text of the article once more. Python's
decoder makes strings and dictionaries of all of it. The twin of this module does so only of what is asked for; by
itself the decoder is quicker than anything written in Python, and makes it all.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

Scan = Callable[[str, int], tuple[Any, int]]
"""Reads the value that begins at a place of a text, and tells where it ends; raises ValueError or StopIteration."""

# A line break inside a string is a line break. `raw_decode` does no more than to call this.
whole: Final[Scan] = vars(json.JSONDecoder(strict=False))["scan_once"]


def brackets(text: str) -> int:
    """How many brackets open in a text, those in strings among them; or more."""
    return text.count("{") + text.count("[")


class Scanner:
    """Reads the values of these names, in objects however deep in others of them; it may read the rest, too."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def scan(self, text: str, at: int) -> tuple[Any, int]:
        """What `whole` reads, of objects what is asked for; it raises what `whole` raises."""
        return whole(text, at)
