"""Answers that need no scoring, because the sources of the head agree.

Most pages that declare their title, authors and date do so more than once: in JSON-LD for search engines, and in Open
Graph or plain `<meta>` for previews. Some declarations come from software that knows the answer, such as the time of
publication or the poster in a forum. On pages with known answers, scoring gives the same answer on 98 % of the pages
that are answered here; the confidences below are the measured shares of right answers.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from duramen.dom.dates import Moment, as_date, parse_date, swap_day_and_month
from duramen.dom.text import clean_text, word_key
from duramen.metadata.author_names import is_plain_name, read_authors
from duramen.metadata.authors import Authors, are_all_site, drop_site, group_claims, name_keys
from duramen.metadata.model import PERSON, Claim, FieldValue
from duramen.metadata.sources.collection import Sources
from duramen.metadata.sources.json_ld import WORK_KINDS
from duramen.metadata.sources.meta import CITATION
from duramen.metadata.title import TRUNCATION_MARKS, drop_site_name, has_separator, is_site_key, split_title

_TITLE_CONFIDENCE: Final = 0.93
_HEADLINE_CONFIDENCE: Final = 0.85
_AUTHORS_CONFIDENCE: Final = 0.94
_DATE_CONFIDENCE: Final = 0.93
_SOFTWARE_TIMESTAMPS: Final = frozenset(("article:published_time", "forum"))
"""Places where software writes the time when it publishes an article or receives a post."""


def find_agreed_title(sources: Sources) -> FieldValue[str] | None:
    """Return the first of these, if any:

    1. the first `<h1>` with the same words as `og:title` or `<title>` without the site's name;
    2. the first `<h1>` of several words that both begin with, up to a separator;
    3. the first `<h1>` of several words that the JSON-LD of an article has as its headline.
    """
    headings = sources.first_level_headings
    if not headings:
        return None
    titles = [claim.value for claim in sources.meta["title"] if claim.detail == "og:title"][:1]
    titles += [sources.title_element] if sources.title_element else []
    site_names = tuple([claim.value for claim in sources.meta["site"]])  # JSON-LD is read only if necessary
    for title in titles:
        if title == headings[0].value and not has_separator(title):
            return FieldValue(title, headings[0].source, _TITLE_CONFIDENCE)
        key = word_key(drop_site_name(title, site_names, sources.brand))
        for heading in headings:
            if word_key(heading.value) == key:
                return FieldValue(heading.value, heading.source, _TITLE_CONFIDENCE)
    beginnings = [{word_key(title[: part.end]) for part in split_title(title)} for title in titles]
    if beginnings:
        agreed = _find_heading(headings, set.intersection(*beginnings), site_names, sources.brand)
        if agreed:
            return FieldValue(agreed.value, agreed.source, _TITLE_CONFIDENCE)
    if len(sources.headings) > len(headings):  # the title repeats an <h2>
        return None
    headline = _find_heading(headings, _json_ld_headlines(sources), sources.site_names, sources.brand)
    if headline is None or headline.value.endswith(TRUNCATION_MARKS):
        return None
    return FieldValue(headline.value, headline.source, _HEADLINE_CONFIDENCE)


def _find_heading(
    headings: list[Claim], wanted_keys: set[str], site_names: tuple[str, ...], brand: str
) -> Claim | None:
    """Return the first heading of several words with one of the keys that is not the site's name."""
    for heading in headings:
        key = word_key(heading.value)
        if " " in key and key in wanted_keys and not is_site_key(key, site_names, brand):
            return heading
    return None


def _json_ld_headlines(sources: Sources) -> set[str]:
    """Return the word keys of the headlines of the works that the page is. The name of a video is not a headline."""
    titles = {claim.value for claim in sources.json_ld["title"] if claim.detail in WORK_KINDS}
    headlines = [thing.data.get("headline") for thing in sources.json_ld_things.things if thing.kind in WORK_KINDS]
    texts = [clean_text(headline) for headline in headlines if isinstance(headline, str)]
    return {word_key(text) for text in titles.intersection(texts)}


def find_certain_authors(sources: Sources) -> FieldValue[Authors] | None:
    """Return the authors that two sources agree on, that a citation names, or who posted in a forum."""
    return _find_agreed_authors(sources) or _find_cited_authors(sources) or _find_poster(sources)


def _find_agreed_authors(sources: Sources) -> FieldValue[Authors] | None:
    """Return the authors that two sources name if no source names others; not the site, which often names itself."""
    claims = sources.claims("author", body=False)
    if len({claim.source for claim in claims}) < 2:
        return None
    first = claims[0]
    if all(claim.value == first.value for claim in claims) and is_plain_name(first.value):
        authors = read_authors([first])
        return None if _may_be_site(sources, authors) else FieldValue(authors, first.source, _AUTHORS_CONFIDENCE)
    agreed: Authors = ()
    agreeing_sources: dict[str, None] = {}
    for group in group_claims(claims):
        authors = drop_site(read_authors(group), sources.site_names, sources.brand)
        if authors:
            agreed = agreed or authors
            if name_keys(authors) != name_keys(agreed):
                return None
            agreeing_sources[group[0].source] = None
    if len(agreeing_sources) < 2 or _may_be_site(sources, agreed):
        return None
    return FieldValue(agreed, next(iter(agreeing_sources)), _AUTHORS_CONFIDENCE)


def _may_be_site(sources: Sources, authors: Authors) -> bool:
    # A known person is not a site; only otherwise the names of the site are read.
    is_person = bool(authors) and authors[0].kind == PERSON
    return not is_person and are_all_site(authors, sources.site_names, sources.brand)


def _find_cited_authors(sources: Sources) -> FieldValue[Authors] | None:
    """Return the authors in the citation data of a paper, which is the best source there is."""
    authors = read_authors([claim for claim in sources.meta["author"] if claim.source == CITATION])
    return FieldValue(authors, CITATION, _AUTHORS_CONFIDENCE) if authors else None


def _find_poster(sources: Sources) -> FieldValue[Authors] | None:
    """Return the one person whom the JSON-LD of a forum names as the author of the first post.

    If it names everybody in the thread, the forum itself, or nobody, scoring decides; so for questions in a shop.
    """
    claims = sources.claims("author", body=False)
    if any(claim.detail != "forum" or claim.author_kind != PERSON for claim in claims):
        return None
    authors = read_authors(claims)
    if len(authors) != 1 or sources.is_shop_or_home:
        return None
    key = word_key(authors[0].name)
    if key == "anonymous" or is_site_key(key, sources.site_names, sources.brand):
        return None
    return FieldValue(authors, claims[0].source, _AUTHORS_CONFIDENCE)


def find_agreed_date(sources: Sources) -> FieldValue[Moment] | None:
    """Return the day that two sources name if no source names another, with the first exact time for it.

    One source in the head with a time is enough if the URL has the same day; or if software wrote the time and the URL
    has no day.
    """
    claims = sources.json_ld["published"] + sources.meta["published"]
    agreed: Moment | None = None
    first_value = ""
    agreeing_sources: dict[str, None] = {}
    for claim in claims:
        moment = parse_date(claim.value, sources.declared_language)
        if moment is None:
            continue
        if agreed is None:
            agreed, first_value = moment, claim.value
        if as_date(moment) != as_date(agreed):
            return None
        if isinstance(moment, datetime) and not isinstance(agreed, datetime):
            agreed = moment
        agreeing_sources[claim.source] = None
    if agreed is None or as_date(agreed) > sources.today:
        return None
    if swap_day_and_month(first_value, as_date(agreed)):  # scoring decides whether the day or the month comes first
        return None
    if len(agreeing_sources) < 2 and not _is_confirmed(sources, claims, agreed):
        return None
    return FieldValue(agreed, next(iter(agreeing_sources)), _DATE_CONFIDENCE)


def _is_confirmed(sources: Sources, claims: list[Claim], moment: Moment) -> bool:
    """Return whether the URL or the software that wrote the time confirms the only source in the head."""
    if not isinstance(moment, datetime):  # the body may have the time
        return False
    if sources.url_date is not None:
        return sources.url_date.value == as_date(moment).isoformat()
    return all(claim.detail in _SOFTWARE_TIMESTAMPS for claim in claims) and not sources.is_shop_or_home
