"""Amounts of bytes as people read them."""

from __future__ import annotations

LEAST_MEMORY = 200_000_000
"""Bytes of address space that a worker takes before its first page, about: Python, numpy, the model."""
ENOUGH_MEMORY = "500M"
"""What leaves room for pages as they are, as --memory takes it."""

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def in_words(size: int) -> str:
    """With the unit that makes it short: 900 bytes, 1 kB, 1.5 GB."""
    power = min(max(len(str(size)) - 1, 0) // 3, len(_UNITS) - 1)
    return f"{float(f'{size / 1000**power:.3g}'):,g} {_UNITS[power]}"
