"""FeatureEvidence of candidates, the choice of one of them, and the confidence in it.

A feature is a short phrase, such as `json-ld article` or `near`. Claims with the same meaning become one candidate with
the features of all of them, so that agreement between sources counts. `weights.py` has the learned weight of each.

Title, authors and publication date are chosen by a conditional logit (D. McFadden, "Conditional logit analysis of
qualitative choice behavior", 1974). The score of a candidate is the sum of the weights of its evidence. The candidates
compete with each other and with "no answer", whose score is 0. The softmax share of a candidate is its probability of
being right. The weights were learned on pages with known titles, authors and dates (`benchmarks/metadata_weights.py`).

There is no training data for the other fields. Their sources have a fixed order: descriptions for machines come before
descriptions for link previews, and both come before guesses. Sources that agree increase the confidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, fsum
from typing import Final, TypeVar

from duramen.metadata.model import HEAD_SOURCES, NAME_FIELD_SOURCES, NO_NODE, Candidate, Claim, FieldValue

T = TypeVar("T")

Weights = Mapping[str, float]

_MAX_BODY_CLAIMS: Final = 8
_MAX_HEAD_CLAIMS: Final = 60
"""Claims of one place that become candidates. A scientific paper may have many authors."""
_SOURCE_TRUST: Final = {
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
"""Confidence in a single source of a field with a fixed order. Estimated, not measured."""
_DEFAULT_TRUST: Final = 0.5
_MAX_CONFIDENCE: Final = 0.99


# Features of the places where claims are made


def place_of(claim: Claim) -> str:
    """Return the feature of the place where a claim is made: its source and detail."""
    return f"{claim.source} {claim.detail}" if claim.detail else claim.source


def limit_claims(claims: list[Claim]) -> list[Claim]:
    """Return the first claims of each place. A thread may name a thousand people; the first are the candidates."""
    if len(claims) <= _MAX_BODY_CLAIMS:
        return claims
    counts: dict[str, int] = {}
    limited = []
    for claim in claims:
        place = place_of(claim)
        count = counts[place] = counts.get(place, 0) + 1
        if count <= (_MAX_HEAD_CLAIMS if claim.source in HEAD_SOURCES else _MAX_BODY_CLAIMS):
            limited.append(claim)
    return limited


def add_place_features(claim: Claim, evidence: set[str], seen: set[str]) -> None:
    """Add the features of a claim's place, and that it is the first claim there. `seen` has the places so far."""
    features = {claim.source, place_of(claim)}
    if claim.source in NAME_FIELD_SOURCES:
        features.add("declared")
    evidence |= features
    for feature in features - seen:
        evidence.add(f"first {feature}")
    seen |= features


def list_sources(claims: list[Claim]) -> tuple[str, ...]:
    """Return the distinct sources of claims, in order."""
    return tuple(dict.fromkeys([claim.source for claim in claims]))


def find_body_node(claims: list[Claim]) -> int:
    """Return the first node of the body that makes one of the claims, or `NO_NODE`."""
    for claim in claims:
        if claim.source not in HEAD_SOURCES and claim.source != "title":
            return claim.node
    return NO_NODE


# The choice


def choose(
    candidates: Sequence[Candidate[T]], weights: Weights, *, min_confidence: float = 0.0, allow_none: bool = True
) -> tuple[Candidate[T], float] | None:
    """Return the most probable candidate and its probability; None if that is below `min_confidence`.

    With `allow_none`, "no answer" competes with the candidates.
    """
    if not candidates:
        return None
    scores = [score(candidate, weights) for candidate in candidates]
    highest = max(scores)
    shift = max(highest, 0.0) if allow_none else highest  # keeps every exponent at or below 0
    total = sum(exp(score - shift) for score in scores) + (exp(-shift) if allow_none else 0.0)
    confidence = exp(highest - shift) / total
    return (candidates[scores.index(highest)], confidence) if confidence >= min_confidence else None


def score(candidate: Candidate[T], weights: Weights) -> float:
    """Return the sum of the weights of the evidence, exactly rounded.

    `fsum` makes the result independent of the order of the set, so that it cannot cross a threshold by chance.
    """
    return fsum([weights["bias"], *[weights.get(feature, 0.0) for feature in candidate.evidence]])


def to_field_value(choice: tuple[Candidate[T], float] | None) -> FieldValue[T] | None:
    """Turn the result of `choose` into the value of a field."""
    if choice is None:
        return None
    candidate, confidence = choice
    return FieldValue(candidate.value, candidate.sources[0], confidence)


def trust_in_source(source: str) -> float:
    """Return the confidence in a single source of a field with a fixed order."""
    return _SOURCE_TRUST.get(source, _DEFAULT_TRUST)


def combine_sources(value: T, sources: Sequence[str]) -> FieldValue[T]:
    """Return a value with the combined confidence of the distinct sources that give it."""
    doubt = 1.0
    for source in sources:
        doubt *= 1 - trust_in_source(source)
    return FieldValue(value, sources[0], min(1 - doubt, _MAX_CONFIDENCE))
