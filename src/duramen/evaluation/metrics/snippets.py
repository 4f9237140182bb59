"""Snippets that must be in the output, and snippets that must not: a few sentences say what kind of mistake was made.

Case and the amount of whitespace do not matter; everything else does. The score is the share of the snippets found: the
higher the better for what must be there, the lower the better for what must not.
"""

from __future__ import annotations

from collections.abc import Iterable


def normalise(text: str) -> str:
    """The text as snippets are looked for in it."""
    return " ".join(text.casefold().split())


def share_found(snippets: Iterable[str], normalised: str) -> float | None:
    """The share of the snippets that a normalised text holds; None where no snippet has anything to look for."""
    wanted = [snippet for snippet in map(normalise, snippets) if snippet]
    if not wanted:
        return None
    return sum(snippet in normalised for snippet in wanted) / len(wanted)
