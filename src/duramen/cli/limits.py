"""The options that say what a page may cost, and numbers as options give them."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from typing import Any

_TIMEOUT = 20.0
_WORK_TIMEOUT = 60.0
_MAX_SIZE = "50M"


def add_limits(option: Callable[..., Any]) -> None:
    """Add --timeout and --max-size to a parser, by its `add_argument`."""
    option("--timeout", type=seconds, default=_TIMEOUT, metavar="SECONDS", help=f"for a URL (default: {_TIMEOUT:g})")
    _add_max_size(option)


def add_page_limits(option: Callable[..., Any]) -> None:
    """Add those of a long run: --timeout, here for the work on a page, --max-size and --memory."""
    text = f"for a page (default: {_WORK_TIMEOUT:g}); after that it becomes an error row"
    option("--timeout", type=seconds, default=_WORK_TIMEOUT, metavar="SECONDS", help=text)
    _add_max_size(option)
    option("--memory", type=_size, metavar="SIZE", help="of a worker, at most: 2G, for instance (default: no limit)")


def _add_max_size(option: Callable[..., Any]) -> None:
    option(
        "--max-size",
        type=_size,
        default=_size(_MAX_SIZE),
        metavar="SIZE",
        help=f"largest page, unpacked, in bytes, or with k, M, G (default: {_MAX_SIZE})",
    )


def positive(text: str) -> int:
    """A number from 1 up."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def seconds(text: str) -> float:
    """A span of time."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+)([kMG]?)B?", text, re.IGNORECASE | re.ASCII)
    size = int(match[1]) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[match[2].lower()] if match else 0
    if size <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500k, 10M or 1000000")
    return size
