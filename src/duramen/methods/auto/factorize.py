# cython: boundscheck=False, wraparound=False
# A table has more slots than keys, and an index in it is kept below their number.
"""Equal keys get equal numbers: elements of one kind, blocks of one kind, peers."""

from __future__ import annotations

from array import array

_COMPILED = False
_ZERO = array("q", (0,))


def numbered(keys: array[int], numbers: array[int]) -> int:
    """Give equal keys equal numbers, in the order in which they come; how many numbers there are."""
    return _number(keys, numbers)


def _number(keys: array[int], numbers: array[int]) -> int:
    if not _COMPILED:
        known: dict[int, int] = {}
        for place, key in enumerate(keys):
            numbers[place] = known.setdefault(key, len(known))
        return len(known)
    # A table of our own: no key is made an object.
    size = 16
    while size < 2 * len(keys):
        size *= 2
    slots = _ZERO * size
    first = _ZERO * len(keys)
    count = 0
    for place in range(len(keys)):
        key = keys[place]
        slot = (key ^ key >> 7 ^ key >> 15) & (size - 1)
        while slots[slot] and first[slots[slot] - 1] != key:
            slot = (slot + 1) & (size - 1)
        if not slots[slot]:
            first[count] = key
            count += 1
            slots[slot] = count
        numbers[place] = slots[slot] - 1
    return count
