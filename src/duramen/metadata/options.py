"""Options: the values that claims come down to, each with the signs that speak for it or against it.

A sign is a short phrase, such as `json-ld article` or `near`. Claims that mean the same are one option and put their
signs together, so that agreement counts; where they stand counts as well. `weights.py` says how much each sign is
worth, and was learnt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import repeat
from math import fsum
from typing import Final, Generic, NamedTuple, TypeVar

from duramen.metadata.claims import NOWHERE, Claim
from duramen.metadata.dates import Moment, day_of, read_date
from duramen.metadata.names import Author, authors
from duramen.metadata.strings import key
from duramen.metadata.titles import first_part, is_site, without_site

T = TypeVar("T")

_NEAR: Final = 120
"""Nodes: what stands no further after the headline is near it."""
_NEAR_BEFORE: Final = 60
_HEAD: Final = frozenset(("json-ld", "open-graph", "dublin-core", "citation", "meta", "twitter"))
_DECLARED: Final = frozenset(("dublin-core", "citation", "meta"))
"""Sources that say the same in other words: what is learnt of one counts for the rarer ones."""
_IN_ROWS: Final = frozenset(("profile", "rel", "named", "hatom", "h-entry"))
_MOST_IN_BODY: Final = 8
_MOST_IN_HEAD: Final = 60
"""Claims of one kind that are weighed: a scientific paper may have many authors."""
_ROW: Final = 15
"""Nodes: names of one kind that stand no further apart are authors together."""
_WRITTEN: Final = frozenset(
    "blog blogs news article articles post posts story stories magazine insights journal press features opinion review"
    " reviews topic thread threads questions forum t p".split()
)
_WARES: Final = frozenset(
    "product products shop store collection collections category categories service services solutions pricing docs"
    " documentation wiki tag search api dp item tags".split()
)
_HONORIFICS: Final = frozenset("dr prof professor mr mrs ms miss sir md".split())


class Option(NamedTuple, Generic[T]):
    value: T
    signs: frozenset[str]
    sources: tuple[str, ...]
    """The sources that say it, the first to say it first."""
    node: int = NOWHERE

    def score(self, weights: Mapping[str, float]) -> float:
        """The sum of the weights of its signs."""
        # `fsum`, for a set has no order, and a sum that depends on it may fall on either side of a threshold.
        return fsum((weights["bias"], *map(weights.get, self.signs, repeat(0.0))))


class Setting(NamedTuple):
    """What is known of the page when its options are made."""

    headline: int = NOWHERE
    is_article: bool = False
    is_forum: bool = False
    is_product: bool = False
    is_dated: bool = False
    has_long_headline: bool = False
    """Whether the headline is a sentence rather than a name: articles have such, shops and services rarely."""
    sites: tuple[str, ...] = ()
    brand: str = ""
    path: str = ""
    """The path of the page's address; '' where that is not known."""
    month: tuple[int, int] | None = None
    lang: str | None = None
    today: date = date.max

    def near(self, node: int) -> str:
        """Where a node stands from the headline: `near`, `far` or, where there is no telling, ''."""
        if node == NOWHERE or self.headline == NOWHERE:
            return ""
        return "near" if -_NEAR_BEFORE <= node - self.headline <= _NEAR else "far"

    @property
    def kind(self) -> str:
        return "forum" if self.is_forum else "product" if self.is_product else "article" if self.is_article else "page"

    @property
    def address_kind(self) -> str:
        """What the words of the address say of the page; nothing where it is not known."""
        if not self.path:
            return "anywhere"
        if self.path == "/":
            return "at home"
        words = frozenset(key(self.path.replace("_", " ")).split()[:8])
        if words & _WRITTEN or self.month:
            return "in writings"
        return "in wares" if words & _WARES else "in places"


def title_options(claims: Sequence[Claim], setting: Setting) -> list[Option[str]]:
    """What the page may be called. The claims are `<title>`, headings and what the head says, as they stand."""
    merged: dict[str, tuple[str, set[str], dict[str, None], list[int]]] = {}

    def add(value: str, sign: str, claim: Claim) -> None:
        if said := key(value):
            known = merged.get(said)
            if known is None:
                known = merged[said] = (value, set(), {}, [])
            known[1].add(sign)
            known[2][claim.source] = None
            if claim.source == "heading":
                known[3].append(claim.node)

    wholes: dict[str, str] = {}
    headings: list[str] = []
    for claim in claims:
        bare = without_site(claim.value, setting.sites, setting.brand)
        add(bare, _sign(claim), claim)
        if claim.source in _CUT:
            wholes.setdefault(claim.source, key(claim.value))
            if (first := first_part(bare)) is not bare:
                add(first, f"{claim.source} first part", claim)
        elif claim.of == "h1":
            headings.append(key(bare))
        if bare != claim.value:
            add(claim.value, f"{claim.source} whole", claim)
    words_of = {said: frozenset(said.split()) for said in (*merged, *wholes.values(), *headings)}
    slug = frozenset(key(setting.path.rstrip("/").rpartition("/")[2].replace("-", " ").replace("_", " ")).split())
    options = []
    for said, (value, signs, sources, nodes) in merged.items():
        words = words_of[said]
        for source, whole in wholes.items():
            if whole == said:
                continue
            if said in whole and f" {said} " in f" {whole} ":
                signs.add(f"starts {source}" if whole.startswith(said) else f"in {source}")
            elif _shared(words, words_of[whole]) < 0.3:
                signs.add(f"unlike {source}")
        if said in headings:
            signs.add("only h1" if len(headings) == 1 else "first h1" if headings[0] == said else "later h1")
            signs.add(f"h1 of {setting.kind}")
        elif headings:
            likest = max(_shared(words, words_of[heading]) for heading in headings)
            signs.add("like h1" if likest >= 0.5 else "unlike h1")
        signs.add(f"{_rung(len(words), (1, 2, 5, 15))} words")
        if len(slug) > 2:
            share = len(words & slug) / len(words)
            signs.add("slug" if share >= 0.7 else "half slug" if share >= 0.3 else "no slug")
        if setting.path == "/":
            signs.add("home h1" if said in headings else "home")
        if is_site(said, setting.sites, setting.brand):
            signs.add("site")
        options.append(Option(value, frozenset(signs), tuple(sources), nodes[0] if nodes else NOWHERE))
    return options


_CUT: Final = ("title", "open-graph")
"""The sources of titles that tend to be more than a title."""


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def author_options(claims: Sequence[Claim], setting: Setting) -> list[Option[tuple[Author, ...]]]:
    """Who may have written it: what each source says, all its names together, and agreement between sources."""
    merged: dict[frozenset[str], tuple[tuple[Author, ...], list[Claim], set[str]]] = {}
    seen: set[str] = set()
    for group in _together(claims, setting):
        people = authors(group)
        if not people:
            continue
        _, known, signs = merged.setdefault(frozenset([_bare(one.name) for one in people]), (people, [], set()))
        known += group
        _sign_claim(group[0], signs, seen)
        if group[0].source not in _HEAD and (near := setting.near(group[0].node)):
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
        signs.add(f"{min(len(sources), 4)} agree")
        if len(merged) > 1:
            signs |= _relations(names, merged.keys())
        if any(is_site(name, setting.sites, setting.brand) for name in names):
            signs.add(f"site of {kind}")
        lengths = [name.count(" ") + 1 for name in names]
        signs.add("one word" if min(lengths) == 1 else "long name" if max(lengths) > 4 else "name")
        if all(one.name.islower() for one in people):
            signs.add("lower case")
        found.append(Option(people, frozenset(signs), sources, _node(group)))
    return found


def _together(claims: Sequence[Claim], setting: Setting) -> list[list[Claim]]:
    """The claims that are to be read together: authors of one source, and names that stand in a row."""
    groups: dict[tuple[str, str], list[Claim]] = {}
    claims = _some(claims)
    rows: dict[str, list[list[Claim]]] = {}
    for claim in claims:
        together = claim.source in _HEAD or claim.source in ("microdata", "rdfa")
        groups.setdefault((claim.source, claim.of if together else f"{claim.of} {claim.node}"), []).append(claim)
        if claim.source in _IN_ROWS and setting.near(claim.node) == "near":
            row = rows.setdefault(_sign(claim), [[]])
            if row[-1] and claim.node - row[-1][-1].node > _ROW:
                row.append([])
            row[-1].append(claim)
    several = [row for found in rows.values() for row in found if len(row) > 1]
    return list(groups.values()) + several


def _some(claims: Sequence[Claim]) -> Sequence[Claim]:
    """The first claims of each source: a thread may name a thousand people, and the first are the ones to weigh."""
    if len(claims) <= _MOST_IN_BODY:
        return claims
    seen: Counter[str] = Counter()
    found = []
    for claim in claims:
        sign = _sign(claim)
        seen[sign] += 1
        if seen[sign] <= (_MOST_IN_HEAD if claim.source in _HEAD else _MOST_IN_BODY):
            found.append(claim)
    return found


def _relations(names: frozenset[str], options: Iterable[frozenset[str]]) -> set[str]:
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


def _bare(name: str) -> str:
    said = key(name)
    first, _, rest = said.partition(" ")
    return rest if rest and first in _HONORIFICS else said


def date_options(published: Sequence[Claim], modified: Sequence[Claim], setting: Setting) -> list[Option[Moment]]:
    """When it may have been published: days, each with the most precise moment that a source gives for it."""
    lang, today, kind = setting.lang, setting.today, setting.kind
    changed = {day_of(moment) for claim in modified if (moment := read_date(claim.value, lang))}
    merged: dict[date, tuple[list[Moment], list[Claim], set[str]]] = {}
    seen: set[str] = set()
    # Where a page gives only the day of its last change, that is the day of what can be read.
    changes = [Claim(claim.value, claim.source, f"{claim.of} changed".lstrip(), claim.node) for claim in modified]
    for claim in _some([*published, *changes]):
        moment = read_date(claim.value, lang)
        if moment is None or (day := day_of(moment)) > today:
            continue
        known = merged.get(day)
        if known is None:
            known = merged[day] = ([], [], set())
        moments, group, signs = known
        moments.append(moment)
        group.append(claim)
        _sign_claim(claim, signs, seen)
        signs.add(f"{claim.source} of {kind}")
        if claim.source not in _HEAD and (near := setting.near(claim.node)):
            signs.add(f"{near} {claim.source}")
    common = (f"of {kind}", setting.address_kind, "long headline" if setting.has_long_headline else "short headline")
    found = []
    days = sorted(merged)
    for day, (moments, group, signs) in merged.items():
        sources = _sources(group)
        signs.update(common)
        signs.add(f"{min(len(sources), 3)} agree")
        if len(days) > 1:
            signs.add("earliest" if day == days[0] else "latest" if day == days[-1] else "between")
        if day in changed:
            signs.add("modified too")
        elif changed and day > max(changed):
            signs.add("after the change")
        if setting.month:
            signs.add("month of url" if (day.year, day.month) == setting.month else "not month of url")
        moment = next((one for one in moments if isinstance(one, datetime)), moments[0])
        found.append(Option(moment, frozenset(signs), sources, _node(group)))
    return found


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


def _sources(claims: Iterable[Claim]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(claim.source for claim in claims))


def _node(claims: Iterable[Claim]) -> int:
    """Where a reader sees it: the first place in the body that says it, else none."""
    return next((claim.node for claim in claims if claim.source not in _HEAD and claim.source != "title"), NOWHERE)


def _rung(value: int, rungs: Sequence[int]) -> str:
    return next((f"{rung}" for rung in rungs if value <= rung), "more")
