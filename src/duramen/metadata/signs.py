"""The signs that speak for an option or against it: of authors and dates; those of titles are in `title_signs.py`.

A sign is a short phrase, such as `json-ld article` or `near`. Claims that mean the same are one option and put their
signs together, so that agreement counts; where they stand counts as well. `weights.py` says how much each sign is
worth, and was learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final

from duramen.metadata.claims import NOWHERE, Author, Claim
from duramen.metadata.dates import Moment, day_of, read_date, swapped
from duramen.metadata.names import authors
from duramen.metadata.options import Option, Setting
from duramen.metadata.strings import has_han, key
from duramen.metadata.titles import is_site, says_site

HEAD: Final = frozenset(("json-ld", "open-graph", "dublin-core", "citation", "meta", "twitter"))
_DECLARED: Final = frozenset(("dublin-core", "citation", "meta"))
"""Sources that say the same in other words: what is learnt of one counts for the rarer ones."""
_EXPLICIT: Final = frozenset(("json-ld", "microdata", "rdfa", "h-entry", "rel", *_DECLARED))
"""Sources whose authors are those of the page or of the thing that it is about."""
_PUBLISHED: Final = frozenset(("open-graph article:published_time", "json-ld article", "json-ld forum"))
"""The signs of a day that the head declares that of a publication."""
_MARKUP: Final = frozenset(("hatom", "h-entry", "rdfa"))
_OF_SITES: Final = frozenset(f"site of {kind}" for kind in ("forum", "product", "article", "page"))
_IN_ROWS: Final = frozenset(("profile", "rel", "named", "hatom", "h-entry"))
_MOST_IN_BODY: Final = 8
_MOST_IN_HEAD: Final = 60
"""Claims of one kind that are weighed: a scientific paper may have many authors."""
_ROW: Final = 15
"""Nodes: names of one kind that stand no further apart are authors together."""
_HONORIFICS: Final = frozenset("dr prof professor mr mrs ms miss sir md".split())


def author_options(claims: list[Claim], setting: Setting) -> list[Option[tuple[Author, ...]]]:
    """Who may have written it: what each source says, all its names together, and agreement between sources."""
    merged: dict[frozenset[str], tuple[tuple[Author, ...], list[Claim], set[str]]] = {}
    seen: set[str] = set()
    claims = _some(claims)
    for group in together(claims) + _in_rows(claims, setting):
        people = without_site_itself(authors(group), setting.sites, setting.brand)
        if not people:
            continue
        names = said_by(people)
        made = merged.get(names)
        if made is None:
            made = merged[names] = (people, [], set())
        made[1].extend(group)
        signs = made[2]
        first = group[0]
        _sign_claim(first, signs, seen)
        if first.source not in HEAD and (near := setting.near(first.node)):
            signs.add(near)
    kind = setting.kind
    common = (
        f"of {kind}",
        "dated" if setting.is_dated else "undated",
        setting.address_kind,
        "long headline" if setting.has_long_headline else "short headline",
    )
    found = []
    for names, (people, group, signs) in merged.items():
        sources = _sources(group)
        signs.update(common)
        signs.add(f"{_sign(group[0])} of {kind}")  # who names the authors of an article does not name those of a forum
        signs.add(f"{min(len(sources), 4)} agree")
        if len(merged) > 1:
            signs |= _relations(names, merged)
        shortest, longest, is_lower, are_bodies = 9, 0, True, True
        for name in names:
            if says_site(name, setting.sites, setting.brand):
                signs.add(f"site of {kind}")
            length = 2 if len(name) <= 3 and has_han(name) else name.count(" ") + 1
            shortest, longest = min(shortest, length), max(longest, length)
        signs.add("one word" if shortest == 1 else "long name" if longest > 4 else "name")
        for one in people:
            is_lower = is_lower and one.name.islower()
            are_bodies = are_bodies and one.kind == "organisation"
        if is_lower:
            signs.add("lower case")
        if are_bodies:
            signs.add("organisation")
        found.append(Option(people, signs, sources, _node(group)))
    return found


def without_site_itself(people: tuple[Author, ...], sites: Sequence[str], brand: str) -> tuple[Author, ...]:
    """Those who are named together; not the site, where others are named."""
    if len(people) < 2:
        return people
    return tuple([one for one in people if not _is_site(one, sites, brand)]) or people


def are_site(people: tuple[Author, ...], sites: Sequence[str], brand: str) -> bool:
    """Whether all of them are the site itself."""
    return not [one for one in people if not _is_site(one, sites, brand)]


def _is_site(one: Author, sites: Sequence[str], brand: str) -> bool:
    # A person may well be called as the site's address is.
    is_body = one.kind == "organisation" or ("." in one.name and " " not in one.name)
    return one.kind != "person" and is_site(one.name, sites, brand if is_body else "")


def names_site(option: Option[tuple[Author, ...]]) -> bool:
    """Whether an author is the site itself."""
    return not _OF_SITES.isdisjoint(option.signs)


def names_people(option: Option[tuple[Author, ...]], knows_site: bool) -> bool:
    """Whether markup that is made for it names an author, by what is a person's full name and not the site's.

    What the markup of the body says far from the headline may be said of something else: of who made the site.
    An organisation is believed where the JSON-LD of an article names it, if it is known not to be the site: an agency.
    """
    signs = option.signs
    # HTML keeps the address in an article for whoever wrote that, wherever in it that stands.
    is_of_article = "address article" in signs
    if not is_of_article and (_EXPLICIT.isdisjoint(option.sources) or "far" in signs):
        return False
    if not _OF_SITES.isdisjoint(signs):
        return False
    if any(one.kind == "organisation" for one in option.value):
        return knows_site and "json-ld article" in signs
    return "name" in signs


def together(claims: list[Claim]) -> list[list[Claim]]:
    """The claims that are to be read together: authors of one source; in the body, what one element says."""
    groups: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        source, of = claim.source, claim.of
        if source not in HEAD and source not in ("microdata", "rdfa"):
            of = f"{of} {claim.node}"
        group = groups.get((source, of))
        if group is None:
            groups[source, of] = [claim]
        else:
            group.append(claim)
    return list(groups.values())


def _in_rows(claims: list[Claim], setting: Setting) -> list[list[Claim]]:
    """Names of one kind that stand in a row near the headline."""
    rows: dict[str, list[list[Claim]]] = {}
    for claim in claims:
        if claim.source in _IN_ROWS and setting.near(claim.node) == "near":
            row = rows.setdefault(_sign(claim), [[]])
            if row[-1] and claim.node - row[-1][-1].node > _ROW:
                row.append([])
            row[-1].append(claim)
    return [row for found in rows.values() for row in found if len(row) > 1]


def _some(claims: list[Claim]) -> list[Claim]:
    """The first claims of each source: a thread may name a thousand people, and the first are the ones to weigh."""
    if len(claims) <= _MOST_IN_BODY:
        return claims
    seen: dict[str, int] = {}
    found = []
    for claim in claims:
        sign = _sign(claim)
        count = seen[sign] = seen.get(sign, 0) + 1
        if count <= (_MOST_IN_HEAD if claim.source in HEAD else _MOST_IN_BODY):
            found.append(claim)
    return found


def _relations(names: frozenset[str], options: dict[frozenset[str], Any]) -> set[str]:
    """How an option stands to the others: a part of one, more than one, at odds with all."""
    signs: set[str] = set()
    for other in options:
        if other == names:
            continue
        if names < other:
            signs.add("part of another")
        elif names > other:
            signs.add("more than another")
        elif len(names) == len(other) == 1:
            (one,), (two,) = names, other
            if two.startswith(f"{one} "):
                signs.add("begins another")
            elif one.startswith(f"{two} "):
                signs.add("goes on after another")
            else:
                signs.add("others differ")
        else:
            signs.add("others differ")
    if len(signs) > 1:
        signs.discard("others differ")
    return signs


def said_by(people: tuple[Author, ...]) -> frozenset[str]:
    """Their names, however they are written: those of whom it is the same are the same."""
    return frozenset([_bare(one.name) for one in people])


def _bare(name: str) -> str:
    said = key(name)
    first, _, rest = said.partition(" ")
    return rest if rest and first in _HONORIFICS else said


def date_options(published: list[Claim], modified: list[Claim], setting: Setting) -> list[Option[Moment]]:
    """When it may have been published: days, each with the most precise moment that a source gives for it."""
    today, of_kind = setting.today, f"of {setting.kind}"
    read = _read(published + modified, setting.lang)
    changed = {day_of(moment) for claim in modified if (moment := read[claim.value])}
    merged: dict[date, tuple[list[Moment], list[Claim], set[str]]] = {}
    seen: set[str] = set()
    # Where a page gives only the day of its last change, that is the day of what can be read.
    # A change before the publication that the head declares is none.
    declared = [day_of(day) for one in published if one.source in HEAD and (day := read[one.value])]
    first = min([day for day in declared if day <= today], default=date.min)
    changes = [
        Claim(claim.value, claim.source, f"{claim.of} changed".lstrip(), claim.node, False, None, None)
        for claim in modified
        if not (day := read[claim.value]) or day_of(day) >= first
    ]
    claims = _some(published + changes)
    dated = [(claim, moment) for claim in claims if (moment := read[claim.value])]
    sure = {day for claim, moment in dated if not swapped(claim.value, day := day_of(moment))}
    for claim, moment in dated:
        day = day_of(moment)
        if day not in sure and (other := swapped(claim.value, day)) in sure and other:
            moment = day = other  # whether the day or the month comes first, another source tells
        if day > today:
            continue
        known = merged.get(day)
        if known is None:
            known = merged[day] = ([], [], set())
        known[0].append(moment)
        known[1].append(claim)
        signs, source = known[2], claim.source
        _sign_claim(claim, signs, seen)
        signs.add(f"{source} {of_kind}")
        if source not in HEAD and (near := setting.near(claim.node)):
            signs.add(f"{near} {source}")
    if not merged:
        return []
    common = (of_kind, setting.address_kind, "long headline" if setting.has_long_headline else "short headline")
    found = []
    earliest, latest = min(merged), max(merged)
    last_change = max(changed) if changed else date.max
    for day, (moments, group, signs) in merged.items():
        sources = _sources(group)
        signs.update(common)
        signs.add(f"{min(len(sources), 3)} agree")
        if earliest != latest:
            signs.add("earliest" if day == earliest else "latest" if day == latest else "between")
        if day in changed:
            signs.add("modified too")
        elif day > last_change:
            signs.add("after the change")
        if setting.month:
            signs.add("month of url" if (day.year, day.month) == setting.month else "not month of url")
        exact = [moment for moment in moments if isinstance(moment, datetime)]
        found.append(Option(exact[0] if exact else moments[0], signs, sources, _node(group)))
    return found


def _read(claims: list[Claim], lang: str | None) -> dict[str, Moment | None]:
    """What claims say, each value once: most sources write the same."""
    found: dict[str, Moment | None] = {}
    for claim in claims:
        if claim.value not in found:
            found[claim.value] = read_date(claim.value, lang)
    return found


def is_declared(option: Option[Moment]) -> bool:
    """Whether markup that is made for it says that something was published on this day."""
    signs = option.signs
    return not _PUBLISHED.isdisjoint(signs) or ("modified too" not in signs and not _MARKUP.isdisjoint(option.sources))


def _sign(claim: Claim) -> str:
    return f"{claim.source} {claim.of}" if claim.of else claim.source


def _sign_claim(claim: Claim, signs: set[str], seen: set[str]) -> None:
    """Add the signs of where a claim was read, and of its being the first there."""
    for sign, first in _place_signs(claim.source, claim.of):
        signs.add(sign)
        if sign not in seen:
            seen.add(sign)
            signs.add(first)


@lru_cache(maxsize=512)  # there are some dozen places, the same on every page
def _place_signs(source: str, of: str) -> tuple[tuple[str, str], ...]:
    signs = dict.fromkeys((source, f"{source} {of}".rstrip(), *(("declared",) if source in _DECLARED else ())))
    return tuple((sign, f"first {sign}") for sign in signs)


def _sources(claims: list[Claim]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([claim.source for claim in claims]))


def _node(claims: list[Claim]) -> int:
    """Where a reader sees it: the first place in the body that says it, else none."""
    for claim in claims:
        if claim.source not in HEAD and claim.source != "title":
            return claim.node
    return NOWHERE
