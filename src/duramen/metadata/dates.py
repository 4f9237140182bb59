"""The dates of the page: candidates with evidence for the publication date, and the date of the last change.

How a date is written, in which language and with which time zone, is the subject of `duramen.dom.dates`.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from duramen.dom.dates import Moment, as_date, is_swappable, parse_date, swap_day_and_month
from duramen.metadata.model import HEAD_SOURCES, Candidate, Claim, FieldValue, PageContext
from duramen.metadata.scoring import (
    add_place_features,
    combine_sources,
    find_body_node,
    limit_claims,
    list_sources,
)
from duramen.metadata.sources.collection import Sources

_PUBLICATION_FEATURES: Final = frozenset(("open-graph article:published_time", "json-ld article", "json-ld forum"))
"""Features of a day that the head declares as the publication date."""
_MARKUP_SOURCES: Final = frozenset(("hatom", "h-entry", "rdfa"))


def date_candidates(published: list[Claim], modified: list[Claim], context: PageContext) -> list[Candidate[Moment]]:
    """Make the candidates for the publication date: days, each with the most exact time that a source gives.

    A modification date is a candidate too: some pages give no other. It is none if it is before the publication date
    that the head declares.
    """
    moments = {claim.value: parse_date(claim.value, context.language) for claim in published + modified}
    today = context.today
    modified_days = {as_date(moment) for claim in modified if (moment := moments[claim.value])}
    declared = [as_date(day) for claim in published if claim.source in HEAD_SOURCES and (day := moments[claim.value])]
    first_declared = min([day for day in declared if day <= today], default=date.min)
    changes = [
        claim._replace(detail=f"{claim.detail} changed".lstrip())
        for claim in modified
        if not (day := moments[claim.value]) or as_date(day) >= first_declared
    ]
    claims = limit_claims(published + changes)
    dated = [(claim, moment) for claim in claims if (moment := moments[claim.value])]
    drafts = _draft_candidates(dated, context)
    if not drafts:
        return []
    earliest, latest = min(drafts), max(drafts)
    last_change = max(modified_days, default=date.max)
    candidates = []
    for day, (day_moments, day_claims, evidence) in drafts.items():
        sources = list_sources(day_claims)
        evidence |= {f"of {context.page_kind}", context.url_kind, f"{min(len(sources), 3)} agree"}
        evidence.add("long headline" if context.has_long_headline else "short headline")
        if earliest != latest:
            evidence.add("earliest" if day == earliest else "latest" if day == latest else "between")
        if day in modified_days:
            evidence.add("modified too")
        elif day > last_change:
            evidence.add("after the change")
        if context.url_month:
            is_url_month = (day.year, day.month) == context.url_month
            evidence.add("month of url" if is_url_month else "not month of url")
        exact = [moment for moment in day_moments if isinstance(moment, datetime)]
        value = exact[0] if exact else day_moments[0]
        candidates.append(Candidate(value, evidence, sources, find_body_node(day_claims)))
    return candidates


def _draft_candidates(
    dated: list[tuple[Claim, Moment]], context: PageContext
) -> dict[date, tuple[list[Moment], list[Claim], set[str]]]:
    """Group claims by day, with the evidence of their places. Days in the future are dropped."""
    drafts: dict[date, tuple[list[Moment], list[Claim], set[str]]] = {}
    seen: set[str] = set()
    unambiguous = {day for claim, moment in dated if not swap_day_and_month(claim.value, day := as_date(moment))}
    for claim, moment in dated:
        day = as_date(moment)
        if day not in unambiguous and (swapped := swap_day_and_month(claim.value, day)) in unambiguous and swapped:
            moment = day = swapped  # another source shows whether the day or the month comes first
        if day > context.today:
            continue
        day_moments, day_claims, evidence = drafts.setdefault(day, ([], [], set()))
        day_moments.append(moment)
        day_claims.append(claim)
        add_place_features(claim, evidence, seen)
        evidence.add(f"{claim.source} of {context.page_kind}")
        if claim.source not in HEAD_SOURCES and (proximity := context.proximity(claim.node)):
            evidence.add(f"{proximity} {claim.source}")
    return drafts


def is_declared_publication(candidate: Candidate[Moment]) -> bool:
    """Return whether markup declares that something was published on this day."""
    if not _PUBLICATION_FEATURES.isdisjoint(candidate.evidence):
        return True
    return "modified too" not in candidate.evidence and not _MARKUP_SOURCES.isdisjoint(candidate.sources)


def is_ambiguous_in_head(sources: Sources, moment: Moment) -> bool:
    """Return whether the head writes this day only in numbers that may be another day: 03/09/2023."""
    day = as_date(moment)
    if not is_swappable(day):
        return False
    values = [
        claim.value
        for claim in sources.claims("published", body=False)
        if (parsed := parse_date(claim.value, sources.declared_language)) and as_date(parsed) == day
    ]
    return bool(values) and all(swap_day_and_month(value, day) for value in values)


def find_modified(sources: Sources, *, body: bool) -> FieldValue[Moment] | None:
    """Find the date of the last change in the head and, with `body`, in the body."""
    moments = []
    for claim in sources.claims("modified", body=body):
        moment = parse_date(claim.value, sources.declared_language)
        if moment and as_date(moment) <= sources.today:
            moments.append((moment, claim.source))
    if not moments:
        return None
    first = moments[0][0]
    agreeing = [source for moment, source in moments if as_date(moment) == as_date(first)]
    return combine_sources(first, list(dict.fromkeys(agreeing)))
