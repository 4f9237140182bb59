"""Count the work of a function, instead of its seconds, which depend on the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

MAX_GROWTH = 2.6
"""Work for twice the page over work for the page: 2, and some uneven growth. A nested loop would make it 4."""


class TooMuchWorkError(Exception):
    """A function has run more lines than it may."""


def count_lines(run: Callable[[], object], most: float = float("inf")) -> int:
    """Count the lines of Python that a function runs; stop it when there are more than `most`."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if count > most:
                raise TooMuchWorkError(f"more than {most:,.0f} lines")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count
