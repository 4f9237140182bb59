"""The one value out of many options, and how sure it is.

Titles, authors and the date of publication are chosen by a model of choice (D. McFadden, "Conditional logit analysis
of qualitative choice behavior", 1974): each option has the sum of the weights of its signs, the options compete, and
saying nothing competes with them, at a sum of 0. The share that an option wins is how likely it is to be right. The
weights were learnt on pages whose authors and dates are known (`benchmarks/metadata_weights.py`).

For other fields there is nothing to learn from. There the sources have an order that is argued: what was written for
machines to read about this page comes before what is written for previews, and both before what has to be guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, fsum
from typing import Final, TypeVar

from duramen.metadata.claims import Claim, Found
from duramen.metadata.options import Option

T = TypeVar("T")

Weights = Mapping[str, float]

_RELIABLE: Final = {
    "html": 0.95,
    "link": 0.95,
    "json-ld": 0.9,
    "dublin-core": 0.9,
    "citation": 0.9,
    "open-graph": 0.85,
    "rel": 0.85,
    "microdata": 0.8,
    "rdfa": 0.8,
    "meta": 0.8,
    "twitter": 0.75,
    "h-entry": 0.7,
    "hatom": 0.7,
    "time": 0.7,
    "dateline": 0.6,
    "named": 0.5,
    "page": 0.5,
}
"""How far a source is trusted alone, by argument, not by measurement."""
_MOST_SURE: Final = 0.99


def choose(
    options: Sequence[Option[T]], weights: Weights, *, least: float = 0.0, silence: bool = True
) -> tuple[Option[T], float] | None:
    """The option most likely to be right and how likely it is; None where that is less than `least`."""
    if not options:
        return None
    scores = [score(option, weights) for option in options]
    highest = max(scores)
    # From the highest, or from silence, whichever is more, so that nothing overflows.
    zero = max(highest, 0.0) if silence else highest
    total = sum(exp(score - zero) for score in scores) + (exp(-zero) if silence else 0.0)
    sure = exp(highest - zero) / total
    return (options[scores.index(highest)], sure) if sure >= least else None


def score(option: Option[T], weights: Weights) -> float:
    """The sum of the weights of an option's signs."""
    found = [weights["bias"], *[weights.get(sign, 0.0) for sign in option.signs]]
    return fsum(found)  # a set has no order, and a sum that depends on it may fall on either side of a threshold


def agreed(value: T, claims: Sequence[Claim]) -> Found[T]:
    """The value that these claims make, as sure as their sources are together."""
    return said_together(value, list(dict.fromkeys([claim.source for claim in claims])))


def said_together(value: T, sources: Sequence[str]) -> Found[T]:
    """The value that these sources give, each once, the first to give it first, as sure as they are together."""
    return Found(value, sources[0], _sure(sources))


def _sure(sources: Sequence[str]) -> float:
    """How sure sources are together, each of which comes once."""
    doubt = 1.0
    for source in sources:
        trust = _RELIABLE.get(source, 0.5)
        doubt *= 1 - trust
    return 1 - doubt if 1 - doubt < _MOST_SURE else _MOST_SURE
