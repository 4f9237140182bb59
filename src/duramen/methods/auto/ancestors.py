# cython: boundscheck=False, wraparound=False
# Every index is an element, and the one around it stands before it.
"""Where elements meet: the lowest element that holds both, and how many steps it is from each.

What stands a few words below the headline may belong to another column of the page; where both meet tells. What meets
the headline, or the surest paragraph, after few steps belongs with it; a sidebar meets it only near the root.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

_ZERO = array("q", (0,))
_NONE = array("q", (-1,))


class Meetings(NamedTuple):
    """For each element, by its number."""

    place: array[int]
    """The element where it meets the other."""
    up: array[int]
    """Steps up from it to that place."""
    down: array[int]
    """Steps down from there to the other."""


def meet(parent: array[int], other: int) -> Meetings:
    """Where each element meets another. They have one root, and parents stand before their children."""
    found = Meetings(_NONE * len(parent), _ZERO * len(parent), _NONE * len(parent))
    if len(parent):
        _meet(parent, other, found.place, found.up, found.down)
    return found


def _meet(parent: array[int], other: int, place: array[int], up: array[int], down: array[int]) -> None:
    steps = 0
    element = other
    while element >= 0:
        place[element] = element
        down[element] = steps
        element = parent[element]
        steps += 1
    for element in range(len(parent)):
        above = parent[element]
        if down[element] < 0 and above >= 0:
            place[element] = place[above]
            up[element] = up[above] + 1
            down[element] = down[above]
