"""Explain the metadata of a page: every claim about each field, its source and weight, and the candidates.

Title, authors and publication date are scored: a claim has the learned weights of its place, and a candidate the sum of
all its evidence. The other fields have a fixed order of sources; there the weight of a claim is the confidence in a
single source of that kind (`scoring.trust_in_source`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, Final, NamedTuple

from duramen.metadata.metadata import FIELDS, Metadata
from duramen.metadata.model import NO_NODE, Candidate, Claim
from duramen.metadata.scoring import Weights, place_of, score, trust_in_source
from duramen.metadata.sources.collection import Sources
from duramen.metadata.title import title_candidates
from duramen.metadata.weights import AUTHOR, DATE, TITLE

_MAX_CLAIMS: Final = 60
"""Claims of one field that are listed: a thread may name a thousand people."""
_CLAIM_FIELDS: Final = {"tags": "tag", "categories": "category", "page_type": "type"}
"""Fields that sources know by another name."""
_WEIGHTS: Final[dict[str, Weights]] = {"title": TITLE, "authors": AUTHOR, "published": DATE}


class ClaimExplanation(NamedTuple):
    """What one place of the page says about a field."""

    value: str
    source: str
    detail: str
    node: int | None
    """The element or text node that makes the claim, if there is one."""
    weight: float
    """Learned weight of the place, in log odds; or, for fields with a fixed order, confidence in the source."""


class CandidateExplanation(NamedTuple):
    """A value that competed with others, and its evidence."""

    value: str
    sources: tuple[str, ...]
    score: float
    probability: float
    evidence: dict[str, float]
    """The learned weight of each piece of evidence, the largest first; those without a weight are left out."""


class FieldExplanation(NamedTuple):
    """A field of the metadata: its value, and how it was found."""

    name: str
    value: str
    """As text; empty if the page does not give it."""
    source: str
    confidence: float
    claims: tuple[ClaimExplanation, ...]
    candidates: tuple[CandidateExplanation, ...] = ()


def explain_metadata(metadata: Metadata) -> list[FieldExplanation]:
    """Explain each field that has a value or a claim."""
    explained = []
    for name in FIELDS:
        if name == "images":
            continue
        evidence = metadata.evidence(name)
        claims = _list_claims(metadata.sources, name)
        if evidence is None and not claims:
            continue
        weights = _WEIGHTS.get(name)
        candidates = _list_candidates(metadata, name) if weights else []
        explained.append(
            FieldExplanation(
                name,
                _to_text(evidence.value) if evidence else "",
                evidence.source if evidence else "",
                evidence.confidence if evidence else 0.0,
                tuple(_explain_claim(claim, weights) for claim in claims[:_MAX_CLAIMS]),
                tuple(_explain_candidates(candidates, weights, allow_none=name != "title")) if weights else (),
            )
        )
    return explained


def _list_claims(sources: Sources, name: str) -> list[Claim]:
    """Return every claim about a field, whether or not it was read for the answer."""
    match name:
        case "title":
            return sources.titles
        case "authors":
            return sources.claims("author", body=True)
        case "published" | "modified":
            return sources.claims(name, body=True)
    field = _CLAIM_FIELDS.get(name, name)
    claims = [*sources.json_ld[field], *sources.meta[field], *sources.rel_links[field], *sources.body_markup[field]]
    if name == "page_type":
        claims = [claim if claim.value else claim._replace(value=claim.detail) for claim in claims]
    if name == "language" and sources.declared_language:
        claims.insert(0, Claim(sources.declared_language, "html", "lang", 0))
    if name in ("canonical", "license", "image"):
        relation = "image_src" if name == "image" else name
        claims += [Claim(href, "link", rel) for rel, href in sources.link_elements if relation in rel.split()]
    return claims


def _list_candidates(metadata: Metadata, name: str) -> Sequence[Candidate[Any]]:
    sources = metadata.sources
    if name == "title":
        return title_candidates(sources.titles, sources.head_context, sources.linked_names)
    return metadata.list_candidates(name)


def _explain_claim(claim: Claim, weights: Weights | None) -> ClaimExplanation:
    if weights is None:
        weight = trust_in_source(claim.source)
    else:
        weight = sum(weights.get(feature, 0.0) for feature in {claim.source, place_of(claim)})
    node = None if claim.node == NO_NODE else claim.node
    return ClaimExplanation(claim.value, claim.source, claim.detail, node, weight)


def _explain_candidates(
    candidates: Sequence[Candidate[Any]], weights: Weights, *, allow_none: bool
) -> list[CandidateExplanation]:
    scores = [score(candidate, weights) for candidate in candidates]
    shift = max([*scores, 0.0] if allow_none else scores, default=0.0)
    total = sum(exp(one - shift) for one in scores) + (exp(-shift) if allow_none else 0.0)
    explained = [
        CandidateExplanation(
            _to_text(candidate.value),
            candidate.sources,
            one,
            exp(one - shift) / total,
            dict(
                sorted(
                    ((name, weights[name]) for name in candidate.evidence if name in weights),
                    key=lambda pair: (-abs(pair[1]), pair[0]),
                )
            ),
        )
        for candidate, one in zip(candidates, scores, strict=True)
    ]
    return sorted(explained, key=lambda candidate: -candidate.score)


def _to_text(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(getattr(one, "name", None) or str(one) for one in value)
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
