"""How much an element says of its page: signifier density J, unexpectedness U, and their product.

Oita and Senellart, "FOREST: focused object retrieval by exploiting significant tag paths", 2012, section 3.3. Of the
terms of an element `x` are signifiers and `y` are not; of those of the whole page `X` and `Y`. All logarithms are
natural: the paper's "23 bits" and "6 bits" come out only so.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Final

Measure = Callable[[int, int, int, int], float]
"""Of x, y, X and Y."""


def signifier_density(x: int, y: int) -> float:
    """J, equation (2): the share of signifiers among the terms of an element, at its worst with 70 % confidence.

    >>> round(signifier_density(8, 20), 4), round(signifier_density(1, 0), 4)
    (0.2071, 0.317)
    """
    terms = x + y
    if terms == 0:
        return 0.0
    return max(0.0, (x + 0.5 - sqrt((x + 0.5) * (y + 0.5) / terms)) / (terms + 1))


def unexpectedness(x: int, y: int, page_x: int, page_y: int) -> float:
    """U, equation (3): what is saved by describing the element's terms as so many signifiers and so many others.

    It may not be negative, and is greatest for long elements with more signifiers than the page has on the whole.

    >>> round(unexpectedness(10, 26, 20, 100), 3)
    22.658
    """
    saved = (x + y) * log(page_x + page_y) if x + y else 0.0
    if x:
        saved -= x * log(page_x)
    if y:
        saved -= y * log(page_y)
    return max(0.0, saved)  # rounding may leave a trace below nothing


def informativeness(x: int, y: int, page_x: int, page_y: int) -> float:
    """I = J × U, equation (4)."""
    return signifier_density(x, y) * unexpectedness(x, y, page_x, page_y)


def _density_alone(x: int, y: int, page_x: int, page_y: int) -> float:
    return signifier_density(x, y)


MEASURES: Final[dict[str, Measure]] = {"ju": informativeness, "j": _density_alone, "u": unexpectedness}
"""By name: the paper's measure, and its two factors alone (figure 7)."""
