"""Authors: candidates with evidence. A candidate is all names that one place gives together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from duramen.dom.text import has_han_or_kana, word_key
from duramen.metadata.author_names import read_authors
from duramen.metadata.model import (
    HEAD_SOURCES,
    NAME_FIELD_SOURCES,
    ORGANIZATION,
    PERSON,
    Author,
    Candidate,
    Claim,
    PageContext,
)
from duramen.metadata.scoring import add_place_features, find_body_node, limit_claims, list_sources, place_of
from duramen.metadata.title import is_site_key, is_site_name

_EXPLICIT_SOURCES: Final = frozenset(("json-ld", "microdata", "rdfa", "h-entry", "rel", *NAME_FIELD_SOURCES))
"""Sources whose authors are those of the page or of its subject."""
_SITE_FEATURES: Final = frozenset(f"site of {kind}" for kind in ("forum", "product", "article", "page"))
_ROW_SOURCES: Final = frozenset(("profile", "rel", "named", "hatom", "h-entry"))
_MAX_ROW_GAP_NODES: Final = 15
"""Names from one place that are at most this far apart are authors together."""
_LONG_NAME_WORDS: Final = 4
_HONORIFICS: Final = frozenset("dr prof professor mr mrs ms miss sir md".split())

Authors = tuple[Author, ...]


def author_candidates(claims: list[Claim], context: PageContext) -> list[Candidate[Authors]]:
    """Make the candidates for the authors: the names of each place together, and evidence of agreement."""
    drafts: dict[frozenset[str], tuple[Authors, list[Claim], set[str]]] = {}
    seen: set[str] = set()
    claims = limit_claims(claims)
    for group in group_claims(claims) + _find_rows(claims, context):
        authors = drop_site(read_authors(group), context.site_names, context.brand)
        if not authors:
            continue
        _, draft_claims, evidence = drafts.setdefault(name_keys(authors), (authors, [], set()))
        draft_claims += group
        add_place_features(group[0], evidence, seen)
        if group[0].source not in HEAD_SOURCES and (proximity := context.proximity(group[0].node)):
            evidence.add(proximity)
    kind = context.page_kind
    candidates = []
    for names, (authors, draft_claims, evidence) in drafts.items():
        sources = list_sources(draft_claims)
        evidence |= {f"of {kind}", context.url_kind, f"{min(len(sources), 4)} agree"}
        evidence.add("dated" if context.is_dated else "undated")
        evidence.add("long headline" if context.has_long_headline else "short headline")
        evidence.add(f"{place_of(draft_claims[0])} of {kind}")  # a good place on articles may be a bad one in forums
        if len(drafts) > 1:
            evidence |= _compare_with_others(names, drafts)
        if any(is_site_key(name, context.site_names, context.brand) for name in names):
            evidence.add(f"site of {kind}")
        lengths = [2 if len(name) <= 3 and has_han_or_kana(name) else name.count(" ") + 1 for name in names]
        evidence.add("one word" if min(lengths) == 1 else "long name" if max(lengths) > _LONG_NAME_WORDS else "name")
        if all(author.name.islower() for author in authors):
            evidence.add("lower case")
        if all(author.kind == ORGANIZATION for author in authors):
            evidence.add("organization")
        candidates.append(Candidate(authors, evidence, sources, find_body_node(draft_claims)))
    return candidates


def group_claims(claims: list[Claim]) -> list[list[Claim]]:
    """Group the claims that name authors together: those of one place in the head, or of one element in the body."""
    groups: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        detail = claim.detail
        if claim.source not in HEAD_SOURCES and claim.source not in ("microdata", "rdfa"):
            detail = f"{detail} {claim.node}"
        groups.setdefault((claim.source, detail), []).append(claim)
    return list(groups.values())


def _find_rows(claims: list[Claim], context: PageContext) -> list[list[Claim]]:
    """Find several names from one place that are close together, near the headline."""
    rows_by_place: dict[str, list[list[Claim]]] = {}
    for claim in claims:
        if claim.source in _ROW_SOURCES and context.proximity(claim.node) == "near":
            rows = rows_by_place.setdefault(place_of(claim), [[]])
            if rows[-1] and claim.node - rows[-1][-1].node > _MAX_ROW_GAP_NODES:
                rows.append([])
            rows[-1].append(claim)
    return [row for rows in rows_by_place.values() for row in rows if len(row) > 1]


def _compare_with_others(names: frozenset[str], all_names: Iterable[frozenset[str]]) -> set[str]:
    """Return features of a candidate's relation to the others: a part of one, more than one, different."""
    features: set[str] = set()
    for other in all_names:
        if other == names:
            continue
        if names < other:
            features.add("part of another")
        elif names > other:
            features.add("more than another")
        elif len(names) == len(other) == 1:
            (own_name,), (other_name,) = names, other
            if other_name.startswith(f"{own_name} "):
                features.add("begins another")
            elif own_name.startswith(f"{other_name} "):
                features.add("goes on after another")
            else:
                features.add("others differ")
        else:
            features.add("others differ")
    if len(features) > 1:
        features.discard("others differ")
    return features


def name_keys(authors: Authors) -> frozenset[str]:
    """Return the word keys of the names without honorifics. Equal sets are the same people."""
    return frozenset([_drop_honorific(word_key(author.name)) for author in authors])


def _drop_honorific(key: str) -> str:
    first, _, rest = key.partition(" ")
    return rest if rest and first in _HONORIFICS else key


def drop_site(authors: Authors, site_names: Sequence[str], brand: str) -> Authors:
    """Return the authors without the site itself, if others remain."""
    if len(authors) < 2:
        return authors
    return tuple([author for author in authors if not _is_site(author, site_names, brand)]) or authors


def are_all_site(authors: Authors, site_names: Sequence[str], brand: str) -> bool:
    """Return whether all authors are the site itself."""
    return all(_is_site(author, site_names, brand) for author in authors)


def _is_site(author: Author, site_names: Sequence[str], brand: str) -> bool:
    if author.kind == PERSON:
        return False
    # A person may have the same name as the site's host, so the brand counts only for organizations and domains.
    is_organization = author.kind == ORGANIZATION or ("." in author.name and " " not in author.name)
    return is_site_name(author.name, site_names, brand if is_organization else "")


def names_site(candidate: Candidate[Authors]) -> bool:
    """Return whether an author is the site itself."""
    return not _SITE_FEATURES.isdisjoint(candidate.evidence)


def is_declared_author(candidate: Candidate[Authors], *, is_site_known: bool) -> bool:
    """Return whether markup declares a person's full name, which is not the site's, as the author.

    Markup far from the headline may describe something else, such as the maker of the site. An organization counts if
    the JSON-LD of an article names it and the site is known to be another: a news agency.
    """
    evidence = candidate.evidence
    is_article_address = "address article" in evidence  # HTML reserves it for the author, wherever it is in the article
    if not is_article_address and (_EXPLICIT_SOURCES.isdisjoint(candidate.sources) or "far" in evidence):
        return False
    if names_site(candidate):
        return False
    if any(author.kind == ORGANIZATION for author in candidate.value):
        return is_site_known and "json-ld article" in evidence
    return "name" in evidence
