"""Evidence that authors and dates share: the features of the places where claims are made.

A feature is a short phrase, such as `json-ld article` or `near`. Claims with the same meaning become one candidate with
the features of all of them, so that agreement between sources counts. `weights.py` has the learnt weight of each.
"""

from __future__ import annotations

from typing import Final

from duramen.metadata.model import HEAD_SOURCES, NO_NODE, Claim

NAME_FIELD_SOURCES: Final = frozenset(("dublin-core", "citation", "meta"))
"""Meta elements that declare the field under different names. What is learnt about one counts for the rarer ones."""
_MAX_BODY_CLAIMS: Final = 8
_MAX_HEAD_CLAIMS: Final = 60
"""Claims of one place that become candidates. A scientific paper may have many authors."""


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
