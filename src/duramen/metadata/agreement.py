"""Where two sources of the head say the same and none says otherwise, there is nothing to weigh.

Most pages that name themselves, their authors and their day in the head do so more than once: in JSON-LD, for search
engines, and in Open Graph or plain `<meta>`, for previews. Some that say it once had it from software that knows: a
stamp of publication, whoever posted in a forum. On pages whose gold is known, what is settled here is what the weighing
(`signs.py`, `choosing.py`) comes to, on all but two in a hundred, and is right as often as stands here.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from duramen.metadata.claims import Author, Claim, Found
from duramen.metadata.dates import Moment, day_of, read_date, swapped
from duramen.metadata.json_ld import WORKS
from duramen.metadata.meta import CITATION
from duramen.metadata.names import authors, is_plain
from duramen.metadata.signs import are_site, said_by, together, without_site_itself
from duramen.metadata.sources import Sources
from duramen.metadata.strings import key, tidy
from duramen.metadata.title_signs import CUT_OFF
from duramen.metadata.titles import may_be_cut, parts, says_site, without_site

_SURE_TITLE: Final = 0.93
_SURE_HEADLINE: Final = 0.85
_SURE_AUTHORS: Final = 0.94
_SURE_DATE: Final = 0.93
_STAMPS: Final = frozenset(("article:published_time", "forum"))
"""What software writes when it puts out an article, or takes in a post."""


def agreed_title(sources: Sources) -> Found[str] | None:
    """The first heading that says what `<title>` says, or `og:title`, but for the site's name.

    Else the first of more than one word that says what both say up to a mark: what follows is a site, a section. Else
    the first that the JSON-LD of the article has for its headline: the rest is then worded for search engines.
    """
    headings = sources.first_headings
    if not headings:
        return None
    titles = [claim.value for claim in sources.metas["title"] if claim.of == "og:title"][:1]
    titles += [sources.head.title] if sources.head.title else []
    sites = tuple([claim.value for claim in sources.metas["site"]])  # JSON-LD is not read for so little
    for title in titles:
        if title == headings[0].value and not may_be_cut(title):  # word for word, and no site can be named in it
            return Found(title, headings[0].source, _SURE_TITLE)
        said = key(without_site(title, sites, sources.brand))
        for heading in headings:
            if key(heading.value) == said:
                return Found(heading.value, heading.source, _SURE_TITLE)
    starts = [{key(title[: part.end]) for part in parts(title)} for title in titles]
    if starts and (found := _heading_among(set.intersection(*starts), headings, sites, sources.brand)):
        return Found(found.value, found.source, _SURE_TITLE)
    if len(sources.headings) > len(headings):  # one of the second level, which the title repeats
        return None
    found = _heading_among(_headlines(sources), headings, sources.sites, sources.brand)
    if found is None or found.value.endswith(CUT_OFF):  # another may say the whole of it
        return None
    return Found(found.value, found.source, _SURE_HEADLINE)


def _heading_among(wanted: set[str], headings: list[Claim], sites: tuple[str, ...], brand: str) -> Claim | None:
    """The first heading of more than one word that says one of these, and not what the site is called."""
    for heading in headings:
        said = key(heading.value)
        if " " in said and said in wanted and not says_site(said, sites, brand):
            return heading
    return None


def _headlines(sources: Sources) -> set[str]:
    """The headlines of the works that the JSON-LD says the page is, as keys: the name of a video is none."""
    own = {claim.value for claim in sources.json_ld["title"] if claim.of in WORKS}
    told = [thing.data.get("headline") for thing in sources.things.things if thing.kind in WORKS]
    return {key(one) for one in own.intersection([tidy(one) for one in told if isinstance(one, str)])}


def agreed_authors(sources: Sources) -> Found[tuple[Author, ...]] | None:
    """Those whom two sources name, and no source others; not the site, which names itself wherever it is asked."""
    claims = sources.claims("author", body=False)
    if not _of_several(claims):
        return None
    first = claims[0]
    if _say_the_same(claims) and is_plain(first.value):
        people = authors([first])
        if _may_be_site(people) and are_site(people, sources.sites, sources.brand):
            return None
        return Found(people, first.source, _SURE_AUTHORS)
    agreed: tuple[Author, ...] = ()
    named_by: dict[str, None] = {}
    for group in together(claims):
        people = authors(group)
        if len(people) > 1:
            people = without_site_itself(people, sources.sites, sources.brand)
        if people:
            agreed = agreed or people
            if people is not agreed and said_by(people) != said_by(agreed):
                return None
            named_by[group[0].source] = None
    if len(named_by) < 2 or (_may_be_site(agreed) and are_site(agreed, sources.sites, sources.brand)):
        return None
    return Found(agreed, next(iter(named_by)), _SURE_AUTHORS)


def settled_authors(sources: Sources) -> Found[tuple[Author, ...]] | None:
    """Those whom two sources agree on, whom a citation names, or who posted."""
    return agreed_authors(sources) or _cited_authors(sources) or _posting_authors(sources)


def _cited_authors(sources: Sources) -> Found[tuple[Author, ...]] | None:
    """Those whom a paper's own citation names: nobody else knows better."""
    people = authors([claim for claim in sources.metas["author"] if claim.source == CITATION])
    return Found(people, CITATION, _SURE_AUTHORS) if people else None


def _posting_authors(sources: Sources) -> Found[tuple[Author, ...]] | None:
    """The one person whom the JSON-LD of a forum names as having posted: its software knows who did.

    Where it names everybody in the thread, itself, or nobody, that is left to the weighing; so are the questions of a
    shop.
    """
    claims = sources.claims("author", body=False)
    for claim in claims:
        if claim.of != "forum" or claim.kind != "person":
            return None
    people = authors(claims)
    if len(people) != 1 or sources.is_of_wares:
        return None
    name = key(people[0].name)
    is_hidden = name == "anonymous" or says_site(name, sources.sites, sources.brand)
    return None if is_hidden else Found(people, claims[0].source, _SURE_AUTHORS)


def agreed_date(sources: Sources) -> Found[Moment] | None:
    """The day that two sources name, and no source another: the first moment of it that is exact, where one is.

    Where one in the head tells the time, the address is the other; and a stamp that software puts on what it publishes
    needs none, unless the address names another day.
    """
    claims = sources.json_ld["published"] + sources.metas["published"]
    if not claims:
        return None
    agreed: Moment | None = None
    moment: Moment | None = None
    said = first = ""
    named_by: dict[str, None] = {}
    for claim in claims:
        if claim.value != said:  # most write it as the one before does
            said = claim.value
            moment = read_date(said, sources.declared_language)
        if moment:
            first = first or said
            agreed = agreed or moment
            if day_of(moment) != day_of(agreed):
                return None
            if isinstance(moment, datetime) and not isinstance(agreed, datetime):
                agreed = moment
            named_by[claim.source] = None
    if agreed is None or day_of(agreed) > sources.today:
        return None
    if swapped(first, day_of(agreed)):  # whether the day or the month comes first is left to the weighing
        return None
    if len(named_by) < 2 and not _has_witness(sources, claims, agreed):
        return None
    return Found(agreed, next(iter(named_by)), _SURE_DATE)


def _has_witness(sources: Sources, claims: list[Claim], moment: Moment) -> bool:
    """Whether the address names the same day as the only source in the head; if it names none, whether that is sure."""
    if not isinstance(moment, datetime):  # the body may tell the time
        return False
    address = sources.dated_address
    if address is not None:
        return bool(address.value == day_of(moment).isoformat())
    return all(claim.of in _STAMPS for claim in claims) and not sources.is_of_wares


def _may_be_site(people: tuple[Author, ...]) -> bool:
    """Whether it has to be asked what the site is called: nobody who is known to be a person is a site."""
    return not people or people[0].kind != "person"


def _say_the_same(claims: list[Claim]) -> bool:
    """Whether they all say the same, word for word."""
    return len({claim.value for claim in claims}) == 1


def _of_several(claims: list[Claim]) -> bool:
    """Whether they come from more than one source."""
    return len({claim.source for claim in claims}) > 1
