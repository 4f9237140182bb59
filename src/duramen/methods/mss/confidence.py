"""The confidence of a block: how well the probabilities of its tokens agree with its borders.

Pasternack and Roth, WWW 2009, section 6.2.4, give three formulas. Each is a geometric mean of the probabilities that
the classifier gave to the labels of tokens, "in" inside the block and "out" outside:

- `window`: of the tokens within `window` tokens of the two borders. The paper uses this one.
- `all`: of all tokens of the page.
- `inside`: of the tokens of the block. The paper takes the root of degree k − j, one less than the number of factors;
  here it is the number of factors, so that equal probabilities p give p.

The authors report that the last two do not work well: the tokens far from the borders are most of a page, and say
nothing about the borders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from duramen.methods.mss.model import Floats

CONFIDENCES: Final = ("window", "all", "inside")

_LEAST_PROBABILITY: Final = 1e-12
"""One token that the classifier is sure of must not make the product 0: the paper's remark on smoothing."""


def compute_confidence(
    probabilities: Floats, start: int, stop: int, *, formula: str = "window", window: int = 10
) -> float:
    """Return the confidence of the block from `start` up to `stop` by one of the formulas."""
    import numpy as np

    if formula == "inside":
        labels = probabilities[start:stop]
    elif formula == "all":
        labels = np.concatenate([1.0 - probabilities[:start], probabilities[start:stop], 1.0 - probabilities[stop:]])
    else:
        first = probabilities[start : min(start + window, stop)]
        last = probabilities[max(stop - window, start) : stop]
        outside = np.concatenate([probabilities[max(start - window, 0) : start], probabilities[stop : stop + window]])
        labels = np.concatenate([first, last, 1.0 - outside])
    return float(np.exp(np.mean(np.log(np.maximum(labels, _LEAST_PROBABILITY)))))
